"""Conditions on rows: ``category = 'F' and km >= 10``, a small language of its own.

    condition   one or several of these, joined by and, or, not and parentheses
    comparison  COLUMN = VALUE, also != < <= > >=; COLUMN in (VALUE, ...); COLUMN is empty

Nothing of it becomes SQL. Each distinct text of a column is compared once: as a number, a time or a
date if the value is one, else as a text. An empty cell is unlike every value.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from qrja.data import Index
from qrja.errors import InputError
from qrja.lazy import LazyPattern
from qrja.tables.sources import Loaded
from qrja.tables.values import parse_dates, read_number

Mask = NDArray[np.bool_]

_TOKEN = LazyPattern(
    r"\s*(?:(?P<quoted>'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|`[^`]*`)"
    r"|(?P<mark><=|>=|!=|<>|==|=|<|>|\(|\)|,)|(?P<word>[^\s()=<>!,'\"`]+))"
)
_ISO = LazyPattern(r"\d{4}-\d{2}-\d{2}")
_SIGNS: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_EXAMPLE = "write such as category = 'F' and km >= 10"


@dataclass(frozen=True)
class Cells:
    """A column by its distinct texts: ``number`` says which each row has, -1 for none."""

    loaded: Loaded
    role: str
    number: Index
    texts: tuple[str, ...]

    def mask(self, holds: list[bool]) -> Mask:
        """Tell for each row whether what its text says holds."""
        return np.array([*holds, False])[self.number]


class Condition(Protocol):
    """Something that holds for some rows."""

    def columns(self) -> Iterator[str]:
        """Name the columns that it looks at."""

    def holds(self, cells: Mapping[str, Cells]) -> Mask:
        """Tell for which rows it holds."""


@dataclass(frozen=True)
class Comparison:
    """A column compared with values; without any it is asked whether a cell is empty."""

    column: str
    sign: str
    values: tuple[str, ...]

    def columns(self) -> Iterator[str]:
        """Name the column."""
        yield self.column

    def holds(self, cells: Mapping[str, Cells]) -> Mask:
        """Compare every distinct text."""
        column = cells[self.column]
        if not self.values:
            return column.number < 0
        if self.sign in _SIGNS:
            return self._ordered(column, self.values[0])
        same = column.mask([any(_same(it, value) for value in self.values) for it in column.texts])
        return ~same if self.sign == "!=" else same

    def _ordered(self, column: Cells, value: str) -> Mask:
        sign = _SIGNS[self.sign]
        if _ISO.fullmatch(value):
            number, dates = parse_dates(column.loaded, column.role)
            told: Mask = np.append(sign(dates, np.datetime64(value)), False)  # type: ignore[arg-type]
            return told[number]
        bound = _number(value)
        if bound is None:
            raise InputError(f"where: {value!r} is neither a number, a time nor a date; {_EXAMPLE}")
        read = [_number(text) for text in column.texts]
        if column.texts and not any(it is not None for it in read):
            raise InputError(f"where: {self.column!r} holds no number, such as {column.texts[0]!r}")
        return column.mask([it is not None and sign(it, bound) for it in read])


@dataclass(frozen=True)
class Negation:
    """What holds where another condition does not."""

    inner: Condition

    def columns(self) -> Iterator[str]:
        """Name the columns."""
        return self.inner.columns()

    def holds(self, cells: Mapping[str, Cells]) -> Mask:
        """Tell where the other does not hold."""
        return ~self.inner.holds(cells)


@dataclass(frozen=True)
class Junction:
    """Several conditions of which all must hold, or any."""

    every: bool
    parts: tuple[Condition, ...]

    def columns(self) -> Iterator[str]:
        """Name the columns of all."""
        for part in self.parts:
            yield from part.columns()

    def holds(self, cells: Mapping[str, Cells]) -> Mask:
        """Join what holds of each."""
        joined = np.logical_and if self.every else np.logical_or
        told: Mask = joined.reduce([part.holds(cells) for part in self.parts])
        return told


def _same(text: str, value: str) -> bool:
    if text == value:
        return True
    one, other = _number(text), _number(value)
    return one is not None and one == other


def _number(text: str) -> float | None:
    return read_number(text.replace(",", ".") if text.count(",") == 1 else text)


def parse_condition(text: str) -> Condition:
    """Read a condition.

    Examples
    --------
    >>> parse_condition("category = 'F'")
    Comparison(column='category', sign='=', values=('F',))
    >>> parse_condition("km")
    Traceback (most recent call last):
    qrja.errors.InputError: where is 'km': something is missing at its end; write such as ...
    """
    reader = _Reader(text, list(_tokens(text)))
    condition = reader.any_of()
    if reader.at < len(reader.tokens):
        raise reader.error(f"{reader.tokens[reader.at][1]!r} is not expected there")
    return condition


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    at = 0
    while text[at:].strip():
        match = _TOKEN.match(text, at)
        if match is None:
            raise InputError(f"where is {text!r}: a quote has no end; {_EXAMPLE}")
        kind = str(match.lastgroup)
        found = match[kind]
        if kind == "quoted":
            found = found[1:-1].replace(found[0] * 2, found[0])
        yield kind, found
        at = match.end()


@dataclass
class _Reader:
    """Reads tokens from left to right, one rule a method."""

    text: str
    tokens: list[tuple[str, str]]
    at: int = 0

    def error(self, what: str) -> InputError:
        return InputError(f"where is {self.text!r}: {what}; {_EXAMPLE}")

    def next_is(self, *words: str) -> bool:
        """Take the next token if it is one of these words or marks."""
        if self.at >= len(self.tokens):
            return False
        kind, found = self.tokens[self.at]
        if kind == "quoted" or found.casefold() not in words:
            return False
        self.at += 1
        return True

    def take(self) -> str:
        """Take a name or a value."""
        if self.at >= len(self.tokens):
            raise self.error("something is missing at its end")
        kind, found = self.tokens[self.at]
        if kind == "mark":
            raise self.error(f"{found!r} is not expected there")
        self.at += 1
        return found

    def any_of(self) -> Condition:
        parts = [self.all_of()]
        while self.next_is("or"):
            parts.append(self.all_of())
        return parts[0] if len(parts) == 1 else Junction(False, tuple(parts))

    def all_of(self) -> Condition:
        parts = [self.one()]
        while self.next_is("and"):
            parts.append(self.one())
        return parts[0] if len(parts) == 1 else Junction(True, tuple(parts))

    def one(self) -> Condition:
        if self.next_is("not"):
            return Negation(self.one())
        if self.next_is("("):
            inner = self.any_of()
            if not self.next_is(")"):
                raise self.error("a parenthesis has no end")
            return inner
        return self.comparison()

    def comparison(self) -> Condition:
        column = self.take()
        if self.next_is("is"):
            turned = self.next_is("not")
            if not self.next_is("empty", "null"):
                raise self.error("after is comes empty, or not empty")
            return Negation(Comparison(column, "=", ())) if turned else Comparison(column, "=", ())
        turned = self.next_is("not")
        if self.next_is("in"):
            inside = Comparison(column, "=", self.values())
            return Negation(inside) if turned else inside
        for sign in ("<=", ">=", "!=", "<>", "==", "=", "<", ">"):
            if self.next_is(sign):
                return Comparison(column, {"<>": "!=", "==": "="}.get(sign, sign), (self.take(),))
        self.take()
        raise self.error(f"after {column!r} comes a sign such as =, < or in")

    def values(self) -> tuple[str, ...]:
        if not self.next_is("("):
            raise self.error("after in come values in parentheses")
        values = [self.take()]
        while self.next_is(","):
            values.append(self.take())
        if not self.next_is(")"):
            raise self.error("a parenthesis has no end")
        return tuple(values)


def quoted(text: str) -> str:
    """Write a text so that a condition reads it as one.

    Examples
    --------
    >>> print(quoted("O'Hara"))
    'O''Hara'
    """
    doubled = text.replace("'", "''")
    return f"'{doubled}'"
