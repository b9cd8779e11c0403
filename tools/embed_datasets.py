"""Make the embedded data files from the packages they come from.

::

    npm pack vega-datasets@3.2.1
    python tools/embed_datasets.py football vega-datasets-3.2.1.tgz

    pip download --no-deps aeon==1.6.0
    python tools/embed_datasets.py classifiers aeon-1.6.0-py3-none-any.whl

Nothing is downloaded here and nothing but the standard library is needed. The same package gives
the same table, whose sha256 is printed: it is the one that ``qrja.datasets`` checks on loading.
(The checksum is that of the CSV inside the .gz file: another zlib may compress it differently.)
"""

from __future__ import annotations

import argparse
import csv
import gzip
import hashlib
import io
import json
import tarfile
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import fmean

Row = Sequence[object]

HOME = Path(__file__).parent.parent / "src" / "qrja" / "datasets"
MATCHES = "package/data/football.json"
RESULTS = "aeon/testing/example_results_files/classification/accuracy/"
ENDING = "_accuracy.csv"


def football_table(package: Path) -> list[Row]:
    """Read the matches of vega-datasets: every row of the source, in its order.

    A match without a score keeps two empty cells; leaving it out is the loader's decision.
    """
    with tarfile.open(package) as archive:
        content = archive.extractfile(MATCHES)
        assert content is not None, f"{MATCHES} is not a file"
        matches = json.load(content)
    keys = ["date", "division", "home_team", "away_team", "home_score", "away_score"]
    header = ["date", "league", "home", "away", "home_goals", "away_goals"]
    return [header, *([match[key] for key in keys] for match in matches)]


def classifiers_table(package: Path) -> list[Row]:
    """Average the accuracies of aeon's example result files over the resamples.

    One file per classifier: a header, then a data set and its accuracy on each resample per line.
    The mean is ``statistics.fmean`` (correctly rounded sum), written so that it reads back exactly.
    """
    means: dict[tuple[str, str], float] = {}
    with zipfile.ZipFile(package) as archive:
        for name in archive.namelist():
            if name.startswith(RESULTS) and name.endswith(ENDING):
                classifier = name.removeprefix(RESULTS).removesuffix(ENDING)
                _, *lines = csv.reader(archive.read(name).decode().splitlines())
                for dataset, *accuracies in lines:
                    means[dataset, classifier] = fmean(map(float, accuracies))
    return [["dataset", "classifier", "accuracy"], *([*key, means[key]] for key in sorted(means))]


TABLES = {"football": football_table, "classifiers": classifiers_table}


def write(table: Iterable[Row], path: Path) -> str:
    """Write a gzipped CSV without a time stamp; return the sha256 of the CSV."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(table)
    content = text.getvalue().encode()
    path.write_bytes(gzip.compress(content, compresslevel=9, mtime=0))
    return hashlib.sha256(content).hexdigest()


def main() -> None:
    """Convert one package."""
    parser = argparse.ArgumentParser(description="Make an embedded data file from its package.")
    parser.add_argument("name", choices=TABLES)
    parser.add_argument("package", type=Path, help="the downloaded package file")
    options = parser.parse_args()
    path = HOME / f"{options.name}.csv.gz"
    table = TABLES[options.name](options.package)
    print(f"{path.name}: {len(table) - 1} rows, sha256 {write(table, path)}")


if __name__ == "__main__":
    main()
