"""Sentences: texts that remember how they were made, so that they can be said in other languages.

    text = template with its parts in place of {names}

A sentence is a ``str``, in English, and may be used as one. Whoever speaks another language takes
its template for the key of a phrase and puts the same parts into that, each said in turn. Of its
parts only sentences, counts, nouns and figures are said anew: plain texts are names, and stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from string import Formatter
from typing import Any, Self


class Sentence(str):
    """A text made of a template and parts.

    ``{name}`` stands for a part, ``{name:.1f}`` for a formatted one, and ``{name:is/are}`` for one
    of two words: the first if the part is, or counts, just one.

    Examples
    --------
    >>> said = Sentence("{many} {many:is/are} beyond {limit:.1f}", many=Count(1, "row"), limit=4)
    >>> said
    '1 row is beyond 4.0'
    >>> said.template, sorted(said.parts)
    ('{many} {many:is/are} beyond {limit:.1f}', ['limit', 'many'])
    """

    template: str
    parts: Mapping[str, Any]

    def __new__(cls, template: str, /, **parts: Any) -> Self:
        """Fill the template."""
        self = super().__new__(cls, _ENGLISH.vformat(template, (), parts))
        self.template, self.parts = template, parts
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (self.template, dict(self.parts))


class Count(str):
    """A number of things: ``noun`` is one of them.

    Examples
    --------
    >>> Count(1, "row"), Count(1200, "row")
    ('1 row', '1,200 rows')
    """

    number: int
    noun: str

    def __new__(cls, number: int, noun: str) -> Self:
        """Write the number, and the noun as it needs."""
        self = super().__new__(cls, f"{number:,} {noun if number == 1 else plural(noun)}")
        self.number, self.noun = number, noun
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.number, self.noun)


class Noun(str):
    """The things that a number counts, without the number.

    Examples
    --------
    >>> Noun("row", 1), Noun("row", 7)
    ('row', 'rows')
    """

    number: int
    noun: str

    def __new__(cls, noun: str, number: int) -> Self:
        """Write the noun as the number needs."""
        self = super().__new__(cls, noun if number == 1 else plural(noun))
        self.number, self.noun = number, noun
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.noun, self.number)


class Numeral(str):
    """A number as English writes it: ``-1,234.5``, ``4:10:00.5`` or ``+3.1%``."""


class Filling(Formatter):
    """How templates are filled; other languages write numbers in another way."""

    def format_field(self, value: Any, format_spec: str) -> str:
        """Write a part, or choose one of two words by it."""
        if "/" in format_spec:
            one, many = format_spec.split("/")
            return one if self.is_one(how_many(value)) else many
        return self.write(value, format_spec)

    def is_one(self, number: float) -> bool:
        """Tell whether so many are spoken of as one."""
        return number == 1

    def write(self, value: Any, spec: str) -> str:
        """Write a part."""
        return format(value, spec)


_ENGLISH = Filling()


def plural(noun: str) -> str:
    """Write the plural of an English noun.

    Examples
    --------
    >>> plural("row"), plural("study"), plural("day")
    ('rows', 'studies', 'days')
    """
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}s"


def how_many(value: Any) -> float:
    """Return the number that a part is or counts."""
    return float(value.number if isinstance(value, Count | Noun) else value)


def joined(between: str, texts: Iterable[str]) -> Sentence:
    """Join texts that may be sentences.

    Examples
    --------
    >>> joined("; ", ["a", Sentence("{n} b", n=2)])
    'a; 2 b'
    """
    parts = {f"part{number}": text for number, text in enumerate(texts)}
    return Sentence(between.join(f"{{{name}}}" for name in parts), **parts)


def chained(texts: Sequence[str]) -> str:
    """Join texts by "and", each to those before it.

    Examples
    --------
    >>> chained(["a", "b", "c"])
    'a and b and c'
    """
    return reduce(lambda most, last: Sentence("{most} and {last}", most=most, last=last), texts)


def _rebuild(template: str, parts: dict[str, Any]) -> Sentence:
    return Sentence(template, **parts)
