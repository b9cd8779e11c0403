"""Which terms are asked for: covariates by name, or products of them.

    home        altitude        altitude*home        league*home

``altitude*home`` is what altitude adds to playing at home; with a covariate of levels a product has
a column for each level. A term may be pulled toward 0 by a ridge, each of its columns alike.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from qrja.data import as_float
from qrja.errors import InputError, nearest

HOME = "home"
"""The covariate that is 1 for the side that plays at home, else 0."""
IF_ANY = "home?"
"""The same where rows have a home side, else nothing: for rankers, which find out what it counts.
"""
TIMES = "*"


@dataclass(frozen=True)
class Term:
    """A product of covariates, often of a single one.

    Parameters
    ----------
    parts : tuple of str
        The covariates.
    ridge : float
        Adds ``ridge * beta^2`` to the loss, for each column.

    Examples
    --------
    >>> str(Term(("altitude", "home")))
    'altitude*home'
    """

    parts: tuple[str, ...]
    ridge: float = 0.0

    def __str__(self) -> str:
        return TIMES.join(self.parts)


def as_terms(asked: Iterable[str] | str | None, *, home: bool = False) -> tuple[Term, ...]:
    """Read terms, each once; ``home`` asks for that of the home side.

    Examples
    --------
    >>> [str(term) for term in as_terms(["altitude * home", "home", "home*altitude"], home=True)]
    ['home', 'altitude*home']
    >>> [str(term) for term in as_terms(["age", "age*age"])]
    ['age', 'age*age']
    """
    listed = [asked] if isinstance(asked, str) else list(asked or ())
    found: dict[tuple[str, ...], Term] = {}
    for text in [HOME] * home + listed:
        if not isinstance(text, str):
            raise InputError(f"the covariate {text!r} is no name; give names such as 'altitude'")
        parts = tuple(part.strip() for part in text.split(TIMES))
        if not all(parts):
            raise InputError(
                f"the covariate {text!r} is no name, nor two such as 'altitude*home'; give a column"
            )
        found.setdefault(_key(parts), Term(parts))
    return tuple(found.values())


def pull_terms(
    terms: tuple[Term, ...], ridge: float | Mapping[str, float] | None
) -> tuple[Term, ...]:
    """Let a ridge pull terms toward 0: all of them by a number, or some by name.

    Examples
    --------
    >>> terms = as_terms(["surface"], home=True)
    >>> [term.ridge for term in pull_terms(terms, 2)]
    [2.0, 2.0]
    >>> [term.ridge for term in pull_terms(terms, {"surface": 0.5})]
    [0.0, 0.5]
    """
    if ridge is None or (not isinstance(ridge, Mapping) and ridge == 0):
        return terms
    if not terms:
        raise InputError(
            f"the covariate ridge is {ridge!r}, and no covariate is asked for; name some, or leave"
            " it out"
        )
    if not isinstance(ridge, Mapping):
        strength = _strength(ridge)
        return tuple(replace(term, ridge=strength) for term in terms)
    known = {_key(term.parts): term for term in terms}
    for name, given in ridge.items():
        asked = _key(part.strip() for part in str(name).split(TIMES))
        if asked not in known:
            have = nearest(str(name), [str(term) for term in terms])
            raise InputError(f"the covariate ridge names {name!r}, which is not asked for{have}")
        known[asked] = replace(known[asked], ridge=_strength(given))
    return tuple(known.values())


def _key(parts: Iterable[str]) -> tuple[str, ...]:
    """Return parts in an order of their own: ``a*b`` is ``b*a``, and ``a*a`` is not ``a``."""
    return tuple(sorted(parts))


def _strength(given: float) -> float:
    number = as_float(given)
    if not 0 <= number < math.inf:
        raise InputError(f"the covariate ridge is {given!r}; give a finite number of at least 0")
    return number


def covariates_of(terms: Iterable[Term]) -> tuple[str, ...]:
    """List the covariates that terms are made of, each once.

    Examples
    --------
    >>> covariates_of(as_terms(["altitude*home", "home"]))
    ('altitude', 'home')
    """
    return tuple(dict.fromkeys(part for term in terms for part in term.parts))
