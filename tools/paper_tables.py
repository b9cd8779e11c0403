"""Print the tables of docs/reproduce.md from results: python tools/paper_tables.py OUT EXPECTED.

OUT is the folder that `qrja paper run` filled under both rule sets, EXPECTED that of the authors'
numbers.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from qrja.paper import SETS
from qrja.paper.check import Figure, check
from qrja.paper.experiments import MAIN

TITLES = {name: it.title for name, it in SETS.items()}


def tables(out: Path, expected: Path) -> Iterator[str]:
    """Yield the lines of all tables."""
    paper, fair = (read(out / rules) for rules in ("paper", "fair"))
    yield "How close to the authors' numbers:\n"
    yield agreement([it for it in check(out, expected) if it.ours is not None])
    yield "Ordinal accuracy, as published -> fair:\n"
    yield by_set(paper, lambda name, r: arrow(paper, fair, name, r, "ordinal_accuracy"))
    yield "Share of pairs predicted equal, as published -> fair:\n"
    yield by_set(paper, lambda name, r: arrow(paper, fair, name, r, "ties"))
    yield "Quantitative loss relative to predicting 0, fair:\n"
    yield by_set(fair, lambda name, r: relative(fair[name], r))
    yield "Kemeny-Young, worst to best optimum, as published and fair:\n"
    yield layout(["set", "paper", "fair"], ranges(paper, fair))
    for rules in ("paper", "fair"):
        yield f"Processor seconds, rules {rules}:\n"
        seconds = json.loads((out / rules / "seconds.json").read_text(encoding="utf-8"))
        yield by_set(
            seconds, lambda name, r, s=seconds: f"{s[name][r]:.1f}" if r in s[name] else ""
        )


def read(folder: Path) -> dict[str, Any]:
    """Read the figures of all sets that were run."""
    paths = {name: folder / f"{name}.json" for name in SETS}
    return {name: json.loads(path.read_text()) for name, path in paths.items() if path.exists()}


def layout(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown, numbers to the right."""
    lines = [header, ["---"] + ["---:"] * (len(header) - 1), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def by_set(found: dict[str, Any], cell: Any) -> str:
    """Return a table of sets by methods."""
    rows = [[TITLES[name], *(cell(name, ranker) for ranker in MAIN)] for name in found]
    return layout(["set", *MAIN], rows)


def agreement(figures: list[Figure]) -> str:
    """Return the largest differences from the authors' numbers, by method."""
    rows = []
    for ranker in MAIN:
        mine = [it for it in figures if it.key.split("/")[0] == ranker]
        order = [abs(it.difference or 0) for it in mine if "accuracy" in it.key]
        loss = [abs((it.difference or 0) / it.theirs) for it in mine if "accuracy" not in it.key]
        passed = sum(it.status == "pass" for it in mine)
        cells = [f"{max(values):.0e}" if values else "" for values in (order, loss)]
        rows.append([ranker, f"{passed} of {len(mine)}", *cells])
    return layout(["method", "figures that agree", "accuracy", "losses, relative"], rows)


def arrow(paper: Any, fair: Any, name: str, ranker: str, metric: str) -> str:
    """Return a metric as published and under fair rules."""
    values = [it[name]["main"].get(ranker, {}).get(metric) for it in (paper, fair) if name in it]
    return " → ".join(f"{value:.3f}".lstrip("0") for value in values if value is not None)


def relative(document: Any, ranker: str) -> str:
    """Return the loss of a method divided by that of predicting 0."""
    loss = document["main"].get(ranker, {}).get("quantitative_l1")
    return "" if loss is None else f"{loss / document['zero']['quantitative_l1']:.3f}"


def ranges(*rules: dict[str, Any]) -> Iterator[list[str]]:
    """Yield between which accuracies the optima of Kemeny-Young lie."""
    for name in rules[0]:
        cells = []
        for documents in rules:
            main = documents.get(name, {}).get("main", {}).get("kemeny-young", {})
            span = main.get("ordinal_accuracy_range", ())
            cells.append(" to ".join(f"{end:.3f}" for end in span))
        yield [TITLES[name], *cells]


if __name__ == "__main__":
    print("\n".join(tables(Path(sys.argv[1]), Path(sys.argv[2]))))
