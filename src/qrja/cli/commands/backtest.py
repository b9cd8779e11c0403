"""``qrja backtest``: which ranker would have predicted best."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from qrja.cli import options
from qrja.cli.output import kept_when_interrupted, say, say_json, say_table, say_text, wrote

if TYPE_CHECKING:
    from qrja.backtesting import Backtest

Rankers = Annotated[
    str | None,
    typer.Option(
        metavar="A,B,...",
        help="Rankers to compare; all fast ones, unless named. A wrong name lists them all.",
    ),
]
Rules = Annotated[
    str, typer.Option(metavar="RULES", help="fair, or paper: as the paper's numbers were made.")
]
Parts = Annotated[
    str | None,
    typer.Option(
        "--with",
        metavar="COLUMNS",
        help="Entries are made of more than their contestant, such as jockey,trainer; qrja-auto and"
        " kalman learn what each adds.",
    ),
]
Split = Annotated[
    str,
    typer.Option(
        metavar="WHAT",
        help="Judgments: what is held apart, date, study, topic, judge or row; else chosen, and"
        " said.",
    ),
]
Folds = Annotated[
    int,
    typer.Option(min=2, metavar="K", help="Judgments without dates: into how many parts."),
]
Jobs = Annotated[
    int | None,
    typer.Option(min=1, metavar="N", help="Processes; unless given, one per core if it is long."),
]


@options.expand
def backtest(
    file: options.File,
    reading: options.Reading,
    rankers: Rankers = None,
    rules: Rules = "fair",
    with_: Parts = None,
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
    split: Split = "auto",
    folds: Folds = 5,
    seed: options.Seed = 0,
    jobs: Jobs = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Predict each contest from the earlier ones, and say which ranker to trust.

    Judgments are predicted from those of earlier dates or, without dates, from the others in turns
    (cross-validation): which p predicts best, and whether Bradley-Terry does better.

    Accuracy is the share of pairs put in the right order; losses are those of the predicted
    margins, divided by that of predicting no margin at all. Standard errors come from resampling
    contests.

    \b
    Examples:
      qrja backtest races.csv --rankers mean,borda
      qrja backtest dataset:classifiers --rankers mean,median --json
      qrja backtest verdicts.csv --split judge
    """
    from qrja.cli.ranker_trials import problem_of, try_rankers

    journal = _journal(out)
    problem = problem_of(file, reading, quiet, with_)
    with kept_when_interrupted(journal is not None):
        result = try_rankers(
            problem,
            file,
            quiet,
            rankers=None if rankers is None else [it.strip() for it in rankers.split(",") if it],
            rules=rules,
            jobs=jobs,
            checkpoint=journal,
            split=split,
            folds=folds,
            seed=seed,
        )
    if out is not None:
        _write(result, out, series)
        wrote(out, quiet)
    if journal is not None:
        shutil.rmtree(journal, ignore_errors=True)
    if json:
        say_json(result.to_dict(series=series))
    elif out is None or not quiet:
        print_backtest(result)


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

    from qrja.tables.out import write_text

    document = result.to_dict(series=series)
    write_text(dumps(document, ensure_ascii=False, indent=2, allow_nan=False) + "\n", out)


def print_backtest(result: Backtest) -> None:
    """Print the verdict, then a line for each ranker, then how it was done."""
    told = result.sentences()
    for sentence in told[:1] if result.verdict.best is None else told:
        say_text(sentence)
    if result.verdict.best is None:
        return
    say()
    names = sorted(result.runs, key=lambda name: -(result.value(name, "ordinal_accuracy") or 0))
    header = ["ranker", "accuracy", "behind the best", "l1 loss", "l2 loss", "ties", "seconds"]
    say_table(header, [_line(result, name) for name in names], left=["ranker", "behind the best"])
    say()
    star = (
        "Behind the best: * is real, the rest may be chance (all comparisons together are right"
        " with a probability of 95%). "
    )
    say_text(
        f"{star if len(names) > 1 else ''}After ± stands one standard error. A loss is relative to"
        f" predicting no margin. {result.says}"
    )


def _line(result: Backtest, name: str) -> list[str]:
    return [
        name,
        _with_error(
            result.value(name, "ordinal_accuracy"), result.standard_error(name, "ordinal_accuracy")
        ),
        _behind(result, name),
        _show(result.relative(name, "quantitative_l1")),
        _show(result.relative(name, "quantitative_l2")),
        _show(result.value(name, "ties")),
        f"{result.runs[name].seconds:.1f}",
    ]


def _behind(result: Backtest, name: str) -> str:
    for it in result.differences("ordinal_accuracy"):
        if {it.a, it.b} == {name, result.verdict.best}:
            star = " *" if name in result.verdict.worse else ""
            return f"{_with_error(abs(it.difference), it.standard_error)}{star}"
    return ""


def _with_error(value: float | None, error: float | None) -> str:
    return _show(value) if error is None else f"{_show(value)} ± {error:.3f}"


def _show(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
