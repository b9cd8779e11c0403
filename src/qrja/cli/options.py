"""Options that several commands share, each written once.

A command that takes ``reading: Reading`` and is decorated with :func:`expand` gets one option per
field of :class:`Reading`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

File = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="CSV, TSV, JSON lines or Parquet (also .gz), '-' for stdin, or dataset:NAME.",
    ),
]
P = Annotated[
    float,
    typer.Option("--p", help="The power of the loss: 2, any number above 1, inf, or below 1."),
]
Top = Annotated[int | None, typer.Option(min=1, metavar="N", help="Show only the first N.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON to stdout instead of tables.")]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        metavar="FILE",
        help="Write the table to .csv, .tsv, .json, .jsonl, .md or .parquet.",
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No notes on stderr, only errors.")]


def _column(help: str) -> Any:
    return typer.Option(metavar="COLUMN", help=help)


@dataclass(frozen=True)
class Reading:
    """How to read the file. Columns that are not named are guessed, and the guess is printed."""

    contest: Annotated[str | None, _column("Which contest a row belongs to.")] = None
    contestant: Annotated[str | None, _column("Who took part.")] = None
    score: Annotated[str | None, _column("The result: a number or a time.")] = None
    date: Annotated[str | None, _column("When; orders the contests.")] = None
    weight: Annotated[str | None, _column("How much a contest counts.")] = None
    home: Annotated[str | None, _column("First side of a match with two scores.")] = None
    away: Annotated[str | None, _column("Second side of a match.")] = None
    home_score: Annotated[str | None, _column("Score of the first side.")] = None
    away_score: Annotated[str | None, _column("Score of the second side.")] = None
    a: Annotated[str | None, _column("Judgments: the candidate that is better by y.")] = None
    b: Annotated[str | None, _column("Judgments: the other candidate.")] = None
    y: Annotated[str | None, _column("Judgments: by how much.")] = None
    w: Annotated[str | None, _column("Judgments: how much each counts.")] = None
    ratio: Annotated[str | None, _column("Judgments: one unit of a is worth so many of b.")] = None
    judge: Annotated[str | None, _column("Judgments: who made each.")] = None
    lower_is_better: Annotated[
        bool | None,
        typer.Option(
            "--lower-is-better/--higher-is-better",
            help="Which scores win. Times: the lower, unless said otherwise.",
            show_default=False,
        ),
    ] = None
    dnf: Annotated[
        str | None,
        typer.Option(
            metavar="worst+X",
            help="Give DNF, DNS, DQ and empty scores the worst of the contest and X more;"
            " else they are left out.",
        ),
    ] = None
    duplicates: Annotated[
        str,
        typer.Option(
            metavar="RULE",
            help="A contestant twice in one contest: best, first, last, mean or error.",
        ),
    ] = "best"
    pairs: Annotated[
        str,
        typer.Option(
            metavar="RULE", help="What a pair of a contest of k weighs: unit (1) or mean (1/(k-1))."
        ),
    ] = "unit"
    delimiter: Annotated[
        str | None, typer.Option(metavar="CHAR", help="What separates columns; else recognised.")
    ] = None
    encoding: Annotated[
        str | None, typer.Option(metavar="NAME", help="utf-8 or latin-1; else recognised.")
    ] = None


def expand(command: Callable[..., None]) -> Callable[..., None]:
    """Replace a command's parameter ``reading`` by one option per field of :class:`Reading`."""
    names = [field.name for field in fields(Reading)]
    hints = get_type_hints(Reading, include_extras=True)
    kind = inspect.Parameter.KEYWORD_ONLY
    parameters = []
    for parameter in inspect.signature(command, eval_str=True).parameters.values():
        if parameter.name != "reading":
            parameters.append(parameter.replace(kind=kind))
            continue
        parameters += [
            inspect.Parameter(name, kind, default=getattr(Reading, name), annotation=hints[name])
            for name in names
        ]

    @wraps(command)
    def expanded(**arguments: Any) -> None:
        reading = Reading(**{name: arguments.pop(name) for name in names})
        command(reading=reading, **arguments)

    expanded.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    expanded.__annotations__ = {p.name: p.annotation for p in parameters}
    return expanded
