"""The rules of a panel: what is asked, how it is answered, and how much is enough.

    grades   y in {-k, ..., 0, ..., k}, a word for each size      slider   y in [-10, 10]
    ratio    y > 0: one of a is worth y of b

y is positive where the first of the two is better, or worth more.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import nan
from re import compile as pattern
from typing import Any, Literal, get_args

from qrja.data import LARGEST, as_float
from qrja.errors import InputError
from qrja.league.payloads import checked_name
from qrja.letters import cut
from qrja.ratings.saving import checked_fields, checked_number, checked_word
from qrja.tables import Units
from qrja.tables.values import read_fraction, read_number

Scale = Literal["grades", "slider", "ratio"]
SCALES: tuple[Scale, ...] = get_args(Scale)
Sight = Literal["everybody", "judges", "organisers"]
"""Who sees the board, and everything else that would tell a judge how others decide."""
SIGHTS: tuple[Sight, ...] = get_args(Sight)
SLIDER = 10
"""How far a slider goes, to either side."""
MOST_GRADES = 5
DECIMAL = pattern(r"^(\d*),(\d{1,2}|\d{4,})$")


@dataclass(frozen=True)
class PanelRules:
    """What judges are asked, and how.

    Parameters
    ----------
    question : str
        What stands above the two items.
    scale : {"grades", "slider", "ratio"}
        How it is answered.
    grades : tuple of str
        The words for 1, 2, ... grades better.
    accuracy : float
        The reliability that is wished: the share of the differences between ratings that is more
        than the noise of the panel.
    repeats : float
        Of how many of their pairs judges see again, sides swapped.
    board : {"everybody", "judges", "organisers"}
        Who sees the ratings while judges judge.

    Examples
    --------
    >>> rules = PanelRules()
    >>> rules.read("-2")
    -2.0
    >>> rules.say(-2.0, "Tea", "Coffee")
    'Coffee better than Tea'
    >>> rules.read(4)
    Traceback (most recent call last):
    qrja.errors.InputError: the answer is 4; give a whole number from -3 to 3
    """

    question: str = "Which of the two is better?"
    scale: Scale = "grades"
    grades: tuple[str, ...] = ("a little better", "better", "much better")
    accuracy: float = 0.8
    repeats: float = 0.1
    board: Sight = "organisers"

    @property
    def is_ratio(self) -> bool:
        """Whether answers are ratios, whose logarithms are rated."""
        return self.scale == "ratio"

    @property
    def span(self) -> int:
        """How far answers go, to either side; 0 if there is no end."""
        return {"grades": len(self.grades), "slider": SLIDER, "ratio": 0}[self.scale]

    @property
    def units(self) -> Units:
        """What answers are in."""
        return Units("ratio") if self.is_ratio else Units()

    @property
    def choices(self) -> tuple[tuple[int, str], ...]:
        """The answers with their words, from the first item's best to the second's."""
        sizes = [*range(len(self.grades), 0, -1), 0, *range(-1, -len(self.grades) - 1, -1)]
        return tuple((y, self.grades[abs(y) - 1] if y else "the same") for y in sizes)

    def read(self, told: Any) -> float:
        """Read an answer as it was typed or sent; see above what it may be."""
        y = _number(told)
        if self.is_ratio:
            fits, wanted = 1 / LARGEST <= y <= LARGEST, "a positive number such as 3, 2.5 or 1/2"
        elif self.scale == "grades":
            fits = abs(y) <= self.span and y == round(y)
            wanted = f"a whole number from {-self.span} to {self.span}"
        else:
            fits, wanted = abs(y) <= self.span, f"a number from {-self.span} to {self.span}"
        if not fits:
            raise InputError(f"the answer is {_shown(told)}; give {wanted}")
        return y + 0.0

    def say(self, y: float, a: str, b: str) -> str:
        """Say an answer in words."""
        if self.is_ratio:
            more, less, times = (a, b, y) if y >= 1 else (b, a, 1 / y)
            return f"one of {more} is worth {times:.4g} of {less}"
        better, other = (a, b) if y >= 0 else (b, a)
        if y == 0:
            return f"{a} and {b} are the same"
        size = abs(y)
        if self.scale == "grades" and size == round(size) and size <= self.span:
            return f"{better} {self.grades[round(size) - 1]} than {other}"
        return f"{better} better than {other} by {size:g}"

    def to_dict(self) -> dict[str, Any]:
        """Give what an event says of them."""
        return {**vars(self), "grades": list(self.grades)}


def _number(told: Any) -> float:
    """Read a number as people type it; NaN if it is none, which no range contains.

    A comma is that of a decimal unless it might be that of thousands.

    Examples
    --------
    >>> _number("2,5"), _number(" 1/2 "), _number("1,000"), _number("4:10"), _number(True)
    (2.5, 0.5, nan, nan, nan)
    """
    if not isinstance(told, str):
        return as_float(told)
    text = DECIMAL.sub(r"\1.\2", told.strip())
    found = read_number(text) if ":" not in text else None
    found = read_fraction(text) if found is None else found
    return nan if found is None else found


def _shown(told: Any) -> str:
    return cut(str(told) if isinstance(told, int | float) else repr(told), 40)


def checked_rules(told: Mapping[str, Any]) -> PanelRules:
    """Read the rules of an event; what it does not say is as usual.

    Examples
    --------
    >>> checked_rules({"accuracy": 2})
    Traceback (most recent call last):
    qrja.errors.InputError: the wished accuracy is 2; give a share from 0.1 to 0.99
    """
    fields = {**PanelRules().to_dict(), **checked_fields(dict(told), "the panel", ())}
    grades = fields["grades"]
    if not isinstance(grades, list) or not 1 <= len(grades) <= MOST_GRADES:
        raise InputError(
            f"the grades are {cut(repr(grades), 60)}; give 1 to {MOST_GRADES} words for how much"
            " better one is"
        )
    return PanelRules(
        checked_name(fields["question"], "question"),
        checked_word(fields["scale"], "scale", SCALES),
        tuple(checked_name(word, "grade") for word in grades),
        _share(fields["accuracy"], "wished accuracy", 0.1, 0.99),
        _share(fields["repeats"], "share of repeats", 0.0, 0.5),
        checked_word(fields["board"], "board", SIGHTS),
    )


def _share(told: Any, what: str, least: float, most: float) -> float:
    value = checked_number(told, f"the {what}")
    if not least <= value <= most:
        raise InputError(f"the {what} is {value:g}; give a share from {least:g} to {most:g}")
    return value
