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

from qrja.paper import MAIN, SETS, Figure, check

Documents = dict[str, Any]
SMALL = ("chess", "f1", "marathon", "cross-tables")
QRJA = ("qrja-l1", "qrja-l2")
PLAIN = tuple(ranker for ranker in MAIN if ranker != "kemeny-young")
PARTS = {
    "QRJA l1 and l2, all sets": (tuple(SETS), QRJA),
    "Chess, F1, Marathon, Cross-Tables, without Kemeny-Young": (SMALL, PLAIN),
    "all sets, without Kemeny-Young": (tuple(SETS), PLAIN),
    "all sets, all ten methods": (tuple(SETS), MAIN),
}


def tables(out: Path, expected: Path) -> Iterator[str]:
    """Yield the tables, each below a line that says what it is."""
    paper, fair, theirs = read(out / "paper"), read(out / "fair"), read(expected)
    yield "How close to the authors' numbers:\n"
    done = [it for it in check(out, expected) if it.ours is not None]
    yield layout(*agreement([it for it in done if it.experiment != "subsample"]))
    yield "Kemeny-Young under the rules paper:\n"
    yield layout(*kemeny(paper, theirs))
    yield "Ordinal accuracy, as published and under fair rules:\n"
    yield layout(*accuracies(paper, fair))
    yield "Quantitative loss relative to predicting 0, fair:\n"
    yield layout(*losses(fair))
    for rules in ("paper", "fair"):
        yield f"Processor seconds, rules {rules}:\n"
        yield layout(*times(out / rules / "seconds.json"))


def read(folder: Path) -> Documents:
    """Read the figures of all sets that there are."""
    paths = {name: folder / f"{name}.json" for name in SETS}
    return {name: json.loads(path.read_text()) for name, path in paths.items() if path.exists()}


def layout(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown, numbers to the right."""
    lines = [header, ["---"] + ["---:"] * (len(header) - 1), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def agreement(figures: list[Figure]) -> tuple[list[str], list[list[str]]]:
    """Return the largest differences from the authors' numbers, by method."""
    rows = []
    for ranker in PLAIN:
        mine = [it for it in figures if it.key.split("/")[0] == ranker]
        order = [abs(it.difference or 0) for it in mine if "accuracy" in it.key]
        loss = [abs((it.difference or 0) / it.theirs) for it in mine if "accuracy" not in it.key]
        passed = sum(it.status == "pass" for it in mine)
        cells = [f"{max(values):.0e}" if values else "" for values in (order, loss)]
        rows.append([ranker, f"{passed} of {len(mine)}", *cells])
    return ["method", "figures that agree", "accuracy", "losses, relative"], rows


def kemeny(paper: Documents, theirs: Documents) -> tuple[list[str], list[list[str]]]:
    """Return the published accuracies beside the bounds of all optimal orders."""
    rows = []
    for name, document in theirs.items():
        ours = paper[name]["main"]["kemeny-young"]
        low, high = ours["ordinal_accuracy_range"]
        published = document["main"]["kemeny-young"]["ordinal_accuracy"]
        figures = (published, ours["ordinal_accuracy"], low, high)
        rows.append([SETS[name].title, *map(short, figures), f"{ours['ties']:.0%}"])
    return ["set", "published", "ours", "at least", "at most", "open pairs"], rows


def accuracies(paper: Documents, fair: Documents) -> tuple[list[str], list[list[str]]]:
    """Return sets by methods; the best under fair rules is bold."""
    rows = []
    for name in paper:
        before, after = (it[name]["main"] for it in (paper, fair))
        best = max(it["ordinal_accuracy"] for it in after.values())
        cells = []
        for ranker in MAIN:
            values = [it.get(ranker, {}).get("ordinal_accuracy") for it in (before, after)]
            marks = ("", "**" if values[1] == best else "")
            told = (f"{m}{short(v)}{m}" for v, m in zip(values, marks, strict=True) if v)
            cells.append(" → ".join(told))
        rows.append([SETS[name].title, *cells])
    return ["set", *MAIN], rows


def losses(fair: Documents) -> tuple[list[str], list[list[str]]]:
    """Return sets by the methods that predict margins; the lowest loss is bold."""
    shown = [ranker for ranker in PLAIN if ranker != "borda"]
    rows = []
    for name, document in fair.items():
        zero = document["zero"]["quantitative_l1"]
        values = [document["main"][ranker]["quantitative_l1"] / zero for ranker in shown]
        cells = [f"**{it:.3f}**" if it == min(values) else f"{it:.3f}" for it in values]
        rows.append([SETS[name].title, *cells])
    return ["set", *shown], rows


def times(path: Path) -> tuple[list[str], list[list[str]]]:
    """Return how long the parts took that were run."""
    seconds = json.loads(path.read_text(encoding="utf-8"))
    rows = []
    for part, (names, rankers) in PARTS.items():
        if all(ranker in seconds.get(name, {}) for name in names for ranker in rankers):
            total = sum(seconds[name][ranker] for name in names for ranker in rankers)
            rows.append([part, f"{total:.0f}"])
    return ["part of the main experiment", "processor seconds"], rows


def short(value: float) -> str:
    """Return an accuracy the way tables of them are printed."""
    return f"{value:.3f}".lstrip("0")


if __name__ == "__main__":
    print("\n".join(tables(Path(sys.argv[1]), Path(sys.argv[2]))))
