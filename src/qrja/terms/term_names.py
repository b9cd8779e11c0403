"""Which terms are asked for: covariates by name, or products of them.

    home        altitude        altitude*home        league*home

``altitude*home`` is what altitude adds to playing at home; with a covariate of levels a product has
a column for each level.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from qrja.errors import InputError

HOME = "home"
"""The covariate that is 1 for the side that plays at home, else 0."""
IF_ANY = "home?"
"""The same where rows have a home side, else nothing: for rankers, which find out what it counts.
"""
TIMES = "*"


@dataclass(frozen=True)
class Term:
    """A product of covariates, often of a single one.

    Examples
    --------
    >>> str(Term(("altitude", "home")))
    'altitude*home'
    """

    parts: tuple[str, ...]

    def __str__(self) -> str:
        return TIMES.join(self.parts)


def as_terms(asked: Iterable[str] | str | None, *, home: bool = False) -> tuple[Term, ...]:
    """Read terms, each once; ``home`` asks for that of the home side.

    Examples
    --------
    >>> [str(term) for term in as_terms(["altitude * home", "home"], home=True)]
    ['home', 'altitude*home']
    """
    listed = [asked] if isinstance(asked, str) else list(asked or ())
    found: dict[frozenset[str], Term] = {}
    for text in [HOME] * home + listed:
        if not isinstance(text, str):
            raise InputError(f"the covariate {text!r} is no name; give names such as 'altitude'")
        parts = tuple(part.strip() for part in text.split(TIMES))
        if not all(parts):
            raise InputError(
                f"the covariate {text!r} is no name, nor two such as 'altitude*home'; give a column"
            )
        found.setdefault(frozenset(parts), Term(parts))
    return tuple(found.values())


def covariates_of(terms: Iterable[Term]) -> tuple[str, ...]:
    """List the covariates that terms are made of, each once.

    Examples
    --------
    >>> covariates_of(as_terms(["altitude*home", "home"]))
    ('altitude', 'home')
    """
    return tuple(dict.fromkeys(part for term in terms for part in term.parts))
