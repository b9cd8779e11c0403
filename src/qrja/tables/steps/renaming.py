"""Aliases: other spellings of a name are read as that name."""

from __future__ import annotations

import csv
from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from qrja.errors import InputError
from qrja.plurals import count
from qrja.speech import Sentence, joined
from qrja.tables.roles import ROLES
from qrja.tables.sources import Loaded, stripped
from qrja.tables.values import find_lookalikes, number_names

ALIKE = "alike"
"""What is said for names that look alike to be read as one."""
_SIDES = ("contestant", "home", "away", "a", "b")


def read_aliases(aliases: Any) -> dict[str, str] | str | None:
    """Read what a spelling stands for: a mapping, a file of two columns, or ``"alike"``.

    Examples
    --------
    >>> read_aliases({"Li,Zoe": "Li, Zoe"})
    {'Li,Zoe': 'Li, Zoe'}
    """
    if aliases is None or aliases == ALIKE:
        return ALIKE if aliases else None
    if isinstance(aliases, Mapping):
        return {str(spelling): str(name) for spelling, name in aliases.items()}
    try:
        text = Path(aliases).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError, TypeError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise InputError(
            f"aliases: {aliases}: cannot be read: {why}; give a file with a spelling and a name a"
            " line, or the word alike"
        ) from None
    return _read_lines(text, str(aliases))


def _read_lines(text: str, path: str) -> dict[str, str]:
    lines = text.splitlines()
    mark = next((it for it in "\t;" if lines and it in lines[0]), ",")
    read = {}
    for number, fields in enumerate(csv.reader(lines, delimiter=mark, skipinitialspace=True), 1):
        filled = [field.strip() for field in fields if field.strip()]
        if not filled:
            continue
        if len(filled) != 2:
            raise InputError(
                f"{path}:{number}: {len(filled)} fields; give two, a spelling and the name it"
                " stands for, in quotes if they hold the delimiter"
            )
        read[filled[0]] = filled[1]
    return read


def rename(loaded: Loaded, aliases: Mapping[str, str] | str | None) -> tuple[Loaded, list[str]]:
    """Read names by their aliases; return the table and a note on what was read as another."""
    roles = tuple(role for role in _SIDES if role in loaded.types and role in ROLES)
    if aliases is None or not roles:
        return loaded, []
    numbers, names = number_names(loaded, roles)
    meant = _alike(numbers, names) if isinstance(aliases, str) else dict(aliases)
    found = {str(name): meant[str(name)] for name in names if str(name) in meant}
    found = {spelling: name for spelling, name in found.items() if spelling != name}
    if not found:
        return loaded, [Sentence("aliases: no name of the table is among them")]
    loaded.database.register(
        "aliases",
        {
            "spelling": np.array(list(found), object),
            "meant": np.array(list(found.values()), object),
        },
    )
    renamed = ", ".join(_renamed(role) for role in roles)
    sql = f"SELECT * REPLACE ({renamed}) FROM loaded ORDER BY rowid"
    return loaded.recast(sql, loaded.place), [_say_renamed(found)]


def _say_renamed(found: Mapping[str, str]) -> Sentence:
    """Say which spellings were read as another name."""
    shown = [Sentence("{old!r} as {new!r}", old=old, new=new) for old, new in found.items()][:3]
    if len(found) > 3:
        shown.append(Sentence("and {more} more", more=len(found) - 3))
    return Sentence(
        "aliases: {spellings} read as another name: {shown}",
        spellings=count(len(found), "spelling"),
        shown=joined("; ", shown),
    )


def _renamed(role: str) -> str:
    """Write SQL for the name that a spelling stands for, else the spelling."""
    told = f"nfc_normalize({stripped(f'loaded.{role}::VARCHAR')})"
    known = f"(SELECT any_value(meant) FROM aliases WHERE spelling = {told})"
    return f"coalesce({known}, loaded.{role}::VARCHAR) AS {role}"


def _alike(numbers: list[Any], names: tuple[Hashable, ...]) -> dict[str, str]:
    """Let names that look alike stand for the one that is written most often."""
    together = np.concatenate(numbers)
    mentions = np.bincount(together[together >= 0], minlength=len(names))
    often = {str(name): int(times) for name, times in zip(names, mentions, strict=True)}
    meant: dict[str, str] = {}
    for alike in find_lookalikes(names):
        usual = max(alike, key=lambda name: often[name])
        meant |= dict.fromkeys(alike, usual)
    return meant
