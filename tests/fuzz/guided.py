"""Guided by coverage: atheris changes bytes until lines of the reader run that no input reached.

``PYTHONPATH=tests python -m fuzz.guided tables --seconds 600`` tries tables, ``saves`` saved files:
one file within a saved one at a time, so that its checksums are right; ``headers`` only their
headers. What fails is kept in the corpus, where it is a case like any other. The Python code is
seen, what is compiled is not.
"""

from __future__ import annotations

import argparse
import base64
import importlib
import pkgutil
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np

MISSING = """guided fuzzing needs the package atheris, for Python 3.11 to 3.13: pip install atheris
(in an environment of its own it finds the others by PYTHONPATH)"""

OPTIONS: list[dict[str, object]] = [
    {},
    {"dnf": "worst+1", "duplicates": "mean"},
    {"encoding": "utf-16"},
    {"encoding": "latin-1", "delimiter": ";"},
    {"lower_is_better": True, "date": ""},
    {"duplicates": "error", "pairs": "mean"},
]
FORMS = ["csv", "jsonl", "json", "tsv", "parquet", "csv.gz"]
SAVED = ["contests.qrja", "judgments.qrja"]


def table_case(data: bytes) -> dict[str, object]:
    """Read a case off bytes: the first two choose the form and the options, the others are it.

    Examples
    --------
    >>> table_case(bytes([0, 4]) + b"a,b,y")["options"]
    {'lower_is_better': True, 'date': ''}
    """
    form, options = (FORMS[data[0] % len(FORMS)], OPTIONS[data[1] % len(OPTIONS)])
    told = base64.b64encode(data[2:]).decode()
    return {"what": form, "data": told, "options": options, "warm": True}


def saved_case(data: bytes) -> dict[str, object]:
    """Read a case off bytes: the first two choose a file within a saved one, the others are it."""
    told = base64.b64encode(data[2:]).decode()
    return {"what": SAVED[data[0] % len(SAVED)], "part": data[1], "bytes": told}


def header_case(data: bytes) -> dict[str, object]:
    """Read a case off bytes: the first chooses a saved file, the others are its header."""
    from fuzz.kinds import forgeries

    what = SAVED[data[0] % len(SAVED)]
    part = sorted(forgeries.parts(what)).index(forgeries.HEADER)
    return {"what": what, "part": part, "bytes": base64.b64encode(data[1:]).decode()}


def table_seeds(count: int) -> list[bytes]:
    """Return tables to begin with."""
    from fuzz.kinds import tables

    cases = (tables.draw(np.random.default_rng(seed)) for seed in range(count))
    return [
        bytes([FORMS.index(str(case["what"])), 0]) + base64.b64decode(str(case["data"]))
        for case in cases
        if case["what"] in FORMS
    ]


def saved_seeds(count: int) -> list[bytes]:
    """Return the files within saved files."""
    from fuzz.kinds import forgeries

    return [
        bytes([number, place]) + data
        for number, what in enumerate(SAVED)
        for place, (_, data) in enumerate(sorted(forgeries.parts(what).items()))
    ][:count]


def header_seeds(count: int) -> list[bytes]:
    """Return the headers of saved files, which would be lost among the arrays."""
    from fuzz.kinds import forgeries

    headers = (forgeries.parts(what)[forgeries.HEADER] for what in SAVED)
    return [bytes([number]) + header for number, header in enumerate(headers)][:count]


TARGETS: dict[str, tuple[str, Callable[[bytes], dict[str, object]], Callable[[int], list[bytes]]]]
TARGETS = {
    "tables": ("tables", table_case, table_seeds),
    "saves": ("forgeries", saved_case, saved_seeds),
    "headers": ("forgeries", header_case, header_seeds),
}


def import_rooms(*rooms: str) -> None:
    """Import all of some rooms: much is imported late, and would not be seen."""
    for room in rooms:
        package = importlib.import_module(room)
        for module in pkgutil.walk_packages(package.__path__, f"{room}."):
            if ".kernels" not in module.name:
                importlib.import_module(module.name)


def main() -> None:
    """Run until the time is up; print and keep what fails, each category once."""
    parser = argparse.ArgumentParser(prog="python -m fuzz.guided", description=__doc__)
    parser.add_argument("target", choices=list(TARGETS))
    parser.add_argument("--seconds", type=int, default=300)
    options = parser.parse_args()
    try:
        import atheris
    except ImportError:
        sys.exit(MISSING)
    with atheris.instrument_imports(include=["qrja"]):
        import_rooms("qrja.tables", "qrja.data", "qrja.ratings.saving")
    from fuzz import corpus
    from fuzz.kind import Failure
    from fuzz.kinds import KINDS

    warnings.simplefilter("ignore")
    kind, case_of, seeds = TARGETS[options.target]
    seen = {category for of, category in corpus.known_categories() if of == kind}

    def try_one(data: bytes) -> None:
        if len(data) < 3:
            return
        case = case_of(data)
        try:
            KINDS[kind].check(case)
        except Failure as failure:
            if failure.category not in seen:
                seen.add(failure.category)
                print(f"NEW {failure}\n  kept as {corpus.keep(kind, case, failure)}", flush=True)

    with tempfile.TemporaryDirectory(prefix="guided-") as folder:
        for number, seed in enumerate(seeds(200)):
            Path(folder, f"seed-{number}").write_bytes(seed)
        limits = [
            f"-max_total_time={options.seconds}",
            "-max_len=20000",
            "-timeout=60",
            "-len_control=0",
        ]
        atheris.Setup([sys.argv[0], folder, *limits, "-rss_limit_mb=4000"], try_one)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
