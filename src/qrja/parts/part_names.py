"""Which parts are asked for: columns by name, or several that hold members of one kind.

jockey        trainer        player1+player2
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from qrja.errors import InputError

PLUS = "+"


@dataclass(frozen=True)
class PartKind:
    """A kind of member that entries have; who is in one of its columns is the same in another.

    Examples
    --------
    >>> str(PartKind(("player1", "player2")))
    'player1+player2'
    """

    columns: tuple[str, ...]

    def __str__(self) -> str:
        return PLUS.join(self.columns)


def as_parts(asked: Iterable[str] | str | None) -> tuple[PartKind, ...]:
    """Read parts, each column in one of them; a text names several with commas.

    Examples
    --------
    >>> [str(part) for part in as_parts("jockey, trainer")]
    ['jockey', 'trainer']
    >>> as_parts(["jockey", "jockey"])
    Traceback (most recent call last):
    qrja.errors.InputError: the part 'jockey' is given twice; name each column once
    """
    if asked is not None and not isinstance(asked, str | Iterable):
        raise InputError(f"parts is {asked!r}; give the names of columns, such as ['jockey']")
    listed = asked.split(",") if isinstance(asked, str) else list(asked or ())
    found: list[PartKind] = []
    for text in listed:
        if not isinstance(text, str) or not all(one.strip() for one in text.split(PLUS)):
            raise InputError(
                f"the part {text!r} is no name, nor two such as 'player1+player2'; give a column"
            )
        found.append(PartKind(tuple(one.strip() for one in text.split(PLUS))))
    columns = [column for part in found for column in part.columns]
    for at, column in enumerate(columns):
        if column in columns[:at]:
            raise InputError(f"the part {column!r} is given twice; name each column once")
    return tuple(found)


def columns_of_parts(parts: Iterable[PartKind]) -> tuple[str, ...]:
    """List the columns that parts are read from.

    Examples
    --------
    >>> columns_of_parts(as_parts(["jockey", "player1+player2"]))
    ('jockey', 'player1', 'player2')
    """
    return tuple(column for part in parts for column in part.columns)
