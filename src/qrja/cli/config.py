"""Options from a file: ``qrja.toml`` beside the data says how to read and to model them.

Keys are the names of options, ``half-life`` or ``half_life``. Those at the top are for every
command that has them, those in a table such as ``[rank]`` for that command. What is typed on the
command line counts more.

The file may have come with the data, from anybody: it can neither name files to read or write, nor
change saved ratings, nor keep a command silent, and what it sets is said.
"""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import typer

from qrja.cli.file_kinds import EMBEDDED, holds_ratings
from qrja.cli.option_groups import Modelling, Reading, Sampling
from qrja.cli.output import note
from qrja.errors import InputError, nearest
from qrja.letters import cut

NAME = "qrja.toml"
LONGEST = 100_000
"""Bytes of such a file."""
_READ = {field.name for field in fields(Reading)}
_MADE = _READ | {field.name for field in fields(Modelling)}
_TRUSTED = {
    *_MADE - {"anchors", "remote"},  # which name a file, and reach a network
    *(field.name for field in fields(Sampling)),
    *("chains", "columns", "count", "intervals", "json", "kind", "rankers", "raw", "rules"),
    *("series", "size", "top"),
}
"""The options that it may give: to read, to model and to show. All others have to be typed."""
_SAID = "qrja.config"


def read_config(context: typer.Context, file: Any) -> Any:
    """Let ``qrja.toml`` beside FILE give the options that are not typed; return FILE."""
    _read_beside(context, file[0] if isinstance(file, list | tuple) else file)
    return file


def _read_beside(context: typer.Context, file: str) -> None:
    if context.resilient_parsing or file == "-" or "://" in file or file.startswith(EMBEDDED):
        return
    path = Path(file).parent / NAME
    if _is_there(path, file):
        given = _for_command(context, path, _parse(path))
        if holds_ratings(file):
            given = _without_making(given)
        context.default_map = _as_lists(context, given)
        if given:
            said = ", ".join(f"{name} = {cut(str(value), 40)}" for name, value in given.items())
            context.meta[_SAID] = f"read {path}: {said}"


def _is_there(path: Path, file: str) -> bool:
    try:
        return path.is_file()
    except OSError as error:  # in a folder that may not be entered, where FILE is too
        raise InputError(f"{file}: cannot be read: {error.strerror}") from None


def say_config(context: typer.Context, quiet: bool) -> None:
    """Say which options came from a file."""
    if _SAID in context.meta:
        note(context.meta.pop(_SAID), quiet)


def _parse(path: Path) -> dict[str, Any]:
    import tomllib  # takes a while to load, and most files have no options beside them

    try:
        with path.open("rb") as file:
            content = file.read(LONGEST + 1)
        if len(content) > LONGEST:
            raise InputError(f"{path}: is longer than {LONGEST} bytes; is it a file of options?")
        return tomllib.loads(content.decode("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: is not TOML: {error}; write lines such as p = 1") from None
    except RecursionError:
        raise InputError(
            f"{path}: has brackets within brackets without end; write lines such as p = 1"
        ) from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None


def _for_command(context: typer.Context, path: Path, given: dict[str, Any]) -> dict[str, Any]:
    """Return the options that this command takes; a key that no command knows is a mistake."""
    commands = _commands(context.find_root().command)
    known = {option for options in commands.values() for option in options}
    here = context.info_name or ""
    taken: dict[str, Any] = {}
    own: dict[str, Any] = {}
    for key, value in given.items():
        if isinstance(value, dict):
            if key not in commands:
                raise InputError(f"{path}: there is no command [{key}]{nearest(key, commands)}")
            checked = dict(_option(path, name, it, commands[key]) for name, it in value.items())
            own |= checked if key == here else {}
        else:
            taken |= [_option(path, key, value, known)]
    mine = commands.get(here, set())
    return {key: value for key, value in (taken | own).items() if key in mine}


def _as_lists(context: typer.Context, given: dict[str, Any]) -> dict[str, Any]:
    """Let one value do where an option may be repeated."""
    repeated = {it.name for it in context.command.params if getattr(it, "multiple", False)}
    alone = {key for key, value in given.items() if key in repeated and isinstance(value, str)}
    return {key: [value] if key in alone else value for key, value in given.items()}


def _without_making(given: dict[str, Any]) -> dict[str, Any]:
    """Leave out how ratings are made: saved ones are."""
    return {key: value for key, value in given.items() if key not in _MADE}


def _option(path: Path, key: str, value: Any, known: set[str]) -> tuple[str, Any]:
    """Return the name of an option and its value, if a file may give both."""
    name = key.replace("-", "_")
    if name not in known:
        raise InputError(f"{path}: there is no option {key!r}{nearest(name, sorted(known))}")
    values = value if isinstance(value, list) else [value]
    if any(isinstance(it, dict | list) for it in values):
        raise InputError(f"{path}: {key} holds brackets within brackets; give a value or a list")
    names_file = name not in _READ and any(str(it).startswith("@") for it in values)
    if name not in _TRUSTED or names_file:
        asked = f"{key} = {values[0]}" if names_file else key
        raise InputError(
            f"{path}: {cut(asked, 100)} has to be typed, as --{name.replace('_', '-')}; the file"
            " may come from anybody, and only says how to read, to model and to show"
        )
    return name, value


def _commands(group: Any, prefix: str = "") -> dict[str, set[str]]:
    """Return the options of every command."""
    found: dict[str, set[str]] = {}
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            found |= _commands(command, f"{prefix}{name} ")
        else:
            options = (it for it in command.params if it.param_type_name == "option")
            found[f"{prefix}{name}"] = {it.name for it in options} - {"help"}
    return found
