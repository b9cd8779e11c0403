"""Options that several commands share, each written once.

A command that is decorated with :func:`expand` and takes ``reading: Reading`` gets one option per
field of :class:`Reading`; so with :class:`Modelling` and :class:`Sampling`, the groups of
:mod:`~qrja.cli.option_groups`. Options that are not given are taken from a ``qrja.toml`` beside
FILE, see :mod:`~qrja.cli.config`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from qrja.cli.config import read_config, say_config
from qrja.cli.file_kinds import complete_file
from qrja.cli.option_groups import Level, Modelling, Reading, Sampling, Seed
from qrja.errors import InputError

__all__ = [
    "AnswerOut",
    "File",
    "Json",
    "Level",
    "Modelling",
    "Out",
    "Quiet",
    "Raw",
    "Reading",
    "Sampling",
    "Seed",
    "Top",
    "check_folder",
    "expand",
]

File = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="CSV, TSV, JSON lines or Parquet (also .gz), '-' for stdin, dataset:NAME, or ratings"
        " saved as .qrja.",
        is_eager=True,
        callback=read_config,
        autocompletion=complete_file,
    ),
]
Top = Annotated[int | None, typer.Option(min=1, metavar="N", help="Show only the first N.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON to stdout instead of tables.")]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        metavar="FILE",
        help="Write the table to .csv, .tsv, .md, .html, .xlsx, .json, .jsonl or .parquet.",
    ),
]
Raw = Annotated[
    bool,
    typer.Option(
        "--raw",
        help="In --out, all digits and columns; otherwise .csv, .tsv, .md, .html and .xlsx are for"
        " people.",
    ),
]
AnswerOut = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        metavar="FILE",
        help="Write the words to .txt, everything to .json, the list to .csv, .tsv, .md, .parquet.",
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No notes on stderr, only errors.")]


def expand(command: Callable[..., None]) -> Callable[..., None]:
    """Replace a command's parameters that are dataclasses by one option per field of them."""
    kind = inspect.Parameter.KEYWORD_ONLY
    groups: dict[str, type[Any]] = {}
    parameters = [inspect.Parameter("context", kind, annotation=typer.Context)]
    for parameter in inspect.signature(command, eval_str=True).parameters.values():
        if is_dataclass(parameter.annotation):
            groups[parameter.name] = parameter.annotation  # type: ignore[assignment]
            parameters += _options_of(parameter.annotation)  # type: ignore[arg-type]
        else:
            parameters.append(parameter.replace(kind=kind))

    @wraps(command)
    def expanded(*, context: typer.Context, **arguments: Any) -> None:
        for name in ("out", "save"):
            check_folder(arguments.get(name))
        say_config(context, bool(arguments.get("quiet")))
        for name, group in groups.items():
            values = {field.name: arguments.pop(field.name) for field in fields(group)}
            arguments[name] = group(**values)
        command(**arguments)

    expanded.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    expanded.__annotations__ = {p.name: p.annotation for p in parameters}
    return expanded


def check_folder(path: Path | None) -> None:
    """Check that a file can be put where it is wanted, before long work begins.

    Examples
    --------
    >>> check_folder(Path("no/such/board.csv"))
    Traceback (most recent call last):
    qrja.errors.InputError: no/such/board.csv: there is no folder 'no/such'; make it first
    """
    if path is not None and not path.parent.is_dir():
        raise InputError(f"{path}: there is no folder {str(path.parent)!r}; make it first")


def _options_of(group: type[Any]) -> list[inspect.Parameter]:
    kind, hints = inspect.Parameter.KEYWORD_ONLY, get_type_hints(group, include_extras=True)
    return [
        inspect.Parameter(it.name, kind, default=it.default, annotation=hints[it.name])
        for it in fields(group)
    ]
