"""Run the benchmarks and write results/*.csv and docs/benchmarks.md: python run.py [NAME ...]."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path

import scale
import serving
from harness import RESULTS, machine, read, table, write

NAMES = {
    "l1": "Least absolute deviations (p = 1)",
    "l2": "Least squares (p = 2)",
    "newton": "1 < p < infinity",
    "streamed": "1 < p < infinity, from contests, pairs not written out",
    "ratings": "Ratings",
    "read_csv": "Reading a file",
    "paper": "Reproducing the paper",
}
PAGE = Path(__file__).parents[1] / "docs" / "benchmarks.md"


def main(chosen: list[str]) -> None:
    for name in chosen or NAMES:
        if name not in NAMES:
            raise SystemExit(f"no benchmark {name!r}; choose from {', '.join(NAMES)}")
        rows = []
        for row in import_module(name).rows():
            rows.append(row)
            print(f"{row.work:28} {row.problem:20} {row.solver:20} {row.seconds:10.3g} s {row.gap}")
        write(name, rows)
    PAGE.write_text(page(), encoding="utf-8")


def page() -> str:
    parts = [
        "# Benchmarks\n",
        "Measured by `make bench`; peers run in the same run, and each figure stands beside the",
        "relative gap it reached. Where a peer is ahead the table says so.\n",
        f"Machine: {machine()}.\n",
    ]
    for name, title in NAMES.items():
        if (RESULTS / f"{name}.csv").is_file():
            parts += [f"## {title}\n", table(read(name)), ""]
    if scale.KEPT.is_file():
        parts.append(scale.section(json.loads(scale.KEPT.read_text(encoding="utf-8"))))
    if (served := RESULTS / "serving.json").is_file():
        parts.append(serving.section(json.loads(served.read_text(encoding="utf-8"))))
    return "\n".join(parts)


if __name__ == "__main__":
    main(sys.argv[1:])
