"""``qrja backtest``: which ranker would have predicted best."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from qrja.cli import options
from qrja.cli.output import aligned, bars, kept_when_interrupted, note, say, say_json, working

if TYPE_CHECKING:
    from qrja.backtesting import Backtest
    from qrja.contests import Contests
    from qrja.tables import Table

DEFAULT = "qrja-auto,qrja-l1,qrja-l2,mean,median,borda"

Rankers = Annotated[
    str, typer.Option(metavar="A,B,...", help="Rankers to compare; a wrong name lists them all.")
]
Rules = Annotated[
    str, typer.Option(metavar="RULES", help="fair, or paper: as the paper's numbers were made.")
]
Jobs = Annotated[
    int | None, typer.Option(min=1, metavar="N", help="Processes; by default one per core.")
]


@options.expand
def backtest(
    file: options.File,
    reading: options.Reading,
    rankers: Rankers = DEFAULT,
    rules: Rules = "fair",
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="OUT.json",
            help="Write the result as JSON. Interrupted, the same command continues.",
        ),
    ] = None,
    series: Annotated[
        bool, typer.Option("--series", help="Add the metrics contest by contest to the JSON.")
    ] = False,
    jobs: Jobs = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Predict each contest from the earlier ones and see which ranker does best.

    Accuracy is the share of pairs put in the right order; losses are those of the predicted
    margins, divided by that of predicting no margin at all. Standard errors come from resampling
    contests.

    \b
    Examples:
      qrja backtest races.csv --rankers mean,borda
      qrja backtest dataset:classifiers --rankers mean,median --json
    """
    from qrja.backtesting import backtest as run
    from qrja.cli.source import load

    with working(f"reading {file}", quiet):
        table = load(file, reading)
    for line in table.summary.lines():
        note(line, quiet)
    journal = _journal(out)
    with kept_when_interrupted(journal is not None), bars(quiet) as progress:
        result = run(
            _contests(table),
            [name.strip() for name in rankers.split(",") if name.strip()],
            rules,
            dataset=file,
            jobs=jobs if jobs is not None else os.cpu_count() or 1,
            checkpoint=journal,
            progress=progress,
        )
    if out is not None:
        _write(result, out, series)
        note(f"wrote {out}", quiet)
    if journal is not None:
        shutil.rmtree(journal, ignore_errors=True)
    if json:
        say_json(result.to_dict(series=series))
    elif out is None or not quiet:
        _print(result)


def _contests(table: Table) -> Contests:
    from qrja.contests import Contests
    from qrja.errors import InputError

    if not isinstance(table.problem, Contests):
        raise InputError("a back-test needs contests with scores; this file has judgments")
    return table.problem


def _journal(out: Path | None) -> Path | None:
    """Return the folder that an interrupted run continues from, beside its result."""
    from qrja.errors import InputError

    if out is None:
        return None
    if out.suffix.casefold() != ".json":
        raise InputError(f"{out}: the result is JSON; let the name end in .json")
    return out.with_name(f".{out.name}.journal")


def _write(result: Backtest, out: Path, series: bool) -> None:
    from json import dumps

    from qrja.tables.write import write_text

    document = result.to_dict(series=series)
    write_text(dumps(document, ensure_ascii=False, indent=2, allow_nan=False) + "\n", out)


def _print(result: Backtest) -> None:
    from qrja.rules import RULES

    names = sorted(result.runs, key=lambda name: -(result.value(name, "ordinal_accuracy") or 0))
    rows = [
        [
            name,
            _with_error(result, name),
            _show(result.value(name, "ties"), 3),
            _show(result.relative(name, "quantitative_l1"), 3),
            _show(result.relative(name, "quantitative_l2"), 3),
            f"{result.runs[name].seconds:.1f}",
        ]
        for name in names
    ]
    header = ["ranker", "accuracy", "ties", "l1 loss", "l2 loss", "seconds"]
    say(aligned(header, rows, left=["ranker"]))
    for line in _compare_with_best(result, names):
        say(line)
    say(f"\nRules {result.rules}. {RULES[result.rules]}")


def _with_error(result: Backtest, name: str) -> str:
    error = result.standard_error(name, "ordinal_accuracy")
    value = _show(result.value(name, "ordinal_accuracy"), 3)
    return value if error is None else f"{value} ± {error:.3f}"


def _show(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def _compare_with_best(result: Backtest, names: list[str]) -> list[str]:
    """Say for each ranker whether the best one is surely better."""
    best, lines = names[0], [""]
    for it in result.differences("ordinal_accuracy"):
        if best not in (it.a, it.b):
            continue
        other, sign = (it.b, 1) if it.a == best else (it.a, -1)
        low, high = sorted((sign * it.low, sign * it.high))
        verdict = "better than" if low > 0 else "level with"
        lines.append(
            f"{best} is {verdict} {other}: {sign * it.difference:+.3f} ± {it.standard_error:.3f}"
            f" (95 %: {low:+.3f} to {high:+.3f})"
        )
    return lines if len(lines) > 1 else []
