"""Options that several commands share, each written once.

A command that is decorated with :func:`expand` and takes ``reading: Reading`` gets one option per
field of :class:`Reading`; so with :class:`Modelling` and :class:`Sampling`, the groups of
:mod:`~qrja.cli.option_groups`. Options that are not given are taken from a ``qrja.toml`` beside
FILE, see :mod:`~qrja.cli.config`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from qrja.cli.config import read_config, say_config
from qrja.cli.file_kinds import complete_file, gather
from qrja.cli.group_runs import run_by_group
from qrja.cli.option_groups import Level, Modelling, Reading, Sampling, Seed
from qrja.cli.output import without_notices
from qrja.errors import InputError

__all__ = [
    "AnswerOut",
    "File",
    "Json",
    "Level",
    "Modelling",
    "OneFile",
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

_FILE = typer.Argument(
    metavar="FILE",
    help="CSV, TSV, JSON lines, Parquet (also .gz), .xlsx or .ods, '-' for stdin, dataset:NAME,"
    " ratings saved as .qrja, or a league (.db, postgresql://...). Several are read as one table:"
    " files, a folder, 'race*.csv', a .zip.",
    is_eager=True,
    callback=read_config,
    autocompletion=complete_file,
)
OneFile = Annotated[str, _FILE]
File = Annotated[str, _FILE, "or several"]
"""What commands take; several files are typed, and :func:`expand` hands them on under one name."""
By = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN",
        help="Do it for each value of a column by itself; several columns: A,B. Files that are"
        " written get the value into their names.",
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
            typed = (
                Annotated[list[str], _FILE]
                if parameter.annotation == File
                else parameter.annotation
            )
            parameters.append(parameter.replace(kind=kind, annotation=typed))

    alone = all(it.name != "by" for it in parameters)  # a command may deal with groups itself
    if alone and any(it.name == "file" for it in parameters) and "reading" in groups:
        parameters.append(inspect.Parameter("by", kind, default=None, annotation=By))

    @wraps(command)
    def expanded(*, context: typer.Context, **arguments: Any) -> None:
        for name in ("out", "save"):
            check_folder(arguments.get(name))
        if isinstance(arguments.get("file"), list):
            arguments["file"] = gather(arguments["file"])
        quiet = bool(arguments.get("quiet"))
        say_config(context, quiet)
        for name, group in groups.items():
            values = {field.name: arguments.pop(field.name) for field in fields(group)}
            arguments[name] = group(**values)
        check_values(arguments)
        by = arguments.pop("by", None) if alone else None
        with without_notices(quiet):
            if by is None:
                command(**arguments)
            else:
                run_by_group(command, by, arguments)

    expanded.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    expanded.__annotations__ = {p.name: p.annotation for p in parameters}
    return expanded


def check_values(arguments: Mapping[str, Any]) -> None:
    """Find wrong values of options before a file is read, which may take long."""
    modelling, sampling = arguments.get("modelling"), arguments.get("sampling")
    if modelling is not None and modelling != Modelling():
        from qrja.cli.fit_arguments import check_modelling

        check_modelling(modelling)
    if sampling is not None and sampling != Sampling():
        from qrja.cli.error_kinds import check_sampling

        check_sampling(sampling)
    if "level" in arguments:
        from qrja.data import check_level

        check_level(arguments["level"])


def check_folder(path: Path | None) -> None:
    """Check that a file can be put where it is wanted, before long work begins.

    Examples
    --------
    >>> check_folder(Path("no/such/board.csv"))
    Traceback (most recent call last):
    qrja.errors.InputError: no/such/board.csv: there is no folder 'no/such'; make it first
    """
    if path is None:
        return
    try:
        there = path.parent.is_dir()
    except OSError as error:  # a name that is too long, in a folder that may not be entered
        raise InputError(f"{path}: cannot be written: {error.strerror}") from None
    if not there:
        raise InputError(f"{path}: there is no folder {str(path.parent)!r}; make it first")


def _options_of(group: type[Any]) -> list[inspect.Parameter]:
    kind, hints = inspect.Parameter.KEYWORD_ONLY, get_type_hints(group, include_extras=True)
    return [
        inspect.Parameter(it.name, kind, default=it.default, annotation=hints[it.name])
        for it in fields(group)
    ]
