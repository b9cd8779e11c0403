"""The columns of terms: a number for each entry, whose differences shift the margins.

    x_a - x_b + (z_a - z_b) . beta  ~  y

A number is its own column. A covariate of levels has a column for each, 1 where an entry is of that
level; since these add up to 1 for everybody, the commonest level is left out, and the others are
relative to it. A product has the products of its columns; all levels stay, unless what is left
without them is a term itself (``home`` beside ``league*home``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from qrja.data import Contests, Covariate, Floats, Problem, centre, frozen
from qrja.errors import InputError, nearest
from qrja.terms.term_names import HOME, Term

MOST = 200
"""Columns that are told apart; each costs a system of equations, and names as many levels."""


@dataclass(frozen=True, eq=False)
class TermColumns:
    """What terms are made of.

    Parameters
    ----------
    names : tuple of str
        What each column is called, such as ``"home"`` or ``"surface=grass"``.
    z : array of float
        A row for each entry, a column for each name.
    left_out : tuple of str
        The levels that others are relative to, ``"surface=clay"``.
    ridges : tuple of float
        What pulls each column's beta toward 0; nothing where none are given.
    """

    names: tuple[str, ...]
    z: Floats
    left_out: tuple[str, ...] = ()
    ridges: tuple[float, ...] = ()

    def __len__(self) -> int:
        return len(self.names)

    def only(self, kept: Sequence[int]) -> TermColumns:
        """Return some of the columns."""
        return replace(
            self,
            names=tuple(self.names[k] for k in kept),
            z=frozen(self.z[:, list(kept)]),
            ridges=tuple(self.ridges[k] for k in kept) if self.ridges else (),
        )

    @cached_property
    def ridge(self) -> Floats:
        """What pulls each beta toward 0: ``ridge * beta^2`` is part of the loss."""
        return np.array(self.ridges or np.zeros(len(self)), dtype=np.float64)

    @cached_property
    def sizes(self) -> Floats:
        """The largest value of each column, by which it is scaled."""
        largest = np.abs(self.z).max(axis=0, initial=0.0)
        return np.asarray(np.maximum(largest, np.finfo(np.float64).tiny))

    def shift(self, beta: Floats) -> Floats:
        """Return what the terms add to the score of each entry."""
        return np.asarray(self.z @ beta)

    def centred(self, problem: Problem) -> Floats:
        """Return the columns relative to the mean of each contest: only differences count."""
        return centre(self.z, problem.contest_of_entry) if len(self) else self.z


def columns_for(problem: Problem, terms: Sequence[Term]) -> TermColumns:
    """Build the columns of some terms from the covariates of a problem.

    Examples
    --------
    >>> from qrja import Contests
    >>> known = {"home": [1, 0, 1, 0], "league": ["A", "A", "B", "B"]}
    >>> games = Contests.from_arrays([1, 1, 2, 2], "xyzx", [2, 1, 0, 0], covariates=known)
    >>> columns = columns_for(games, [Term(("league", "home"))])
    >>> columns.names
    ('league=A*home', 'league=B*home')
    >>> columns.z[:, 0]
    array([1., 0., 0., 0.])
    """
    known = {one.name: one for one in problem.covariates}
    asked = {frozenset(term.parts) for term in terms}
    names: list[str] = []
    found: list[Floats] = []
    left_out: list[str] = []
    ridges: list[float] = []
    for term in terms:
        parts = [_find(known, part, problem) for part in term.parts]
        columns = {"": np.ones(problem.entries)}
        for one in parts:
            others = frozenset(term.parts) - {one.name}
            relative = bool(one.levels) and (not others or others in asked)
            each, gone = _levels(one, relative)
            left_out += [gone] if gone else []
            columns = {
                f"{before}*{name}" if before else name: values * more
                for before, values in columns.items()
                for name, more in each.items()
            }
        names += columns
        ridges += [term.ridge] * len(columns)
        found += columns.values()
    if len(names) > MOST:
        raise InputError(
            f"the covariates have {len(names)} columns, and {MOST} are told apart; leave out what"
            " has many levels"
        )
    z = np.stack(found, axis=1) if found else np.zeros((problem.entries, 0))
    return TermColumns(tuple(names), frozen(z), tuple(dict.fromkeys(left_out)), tuple(ridges))


def with_products(contests: Contests, terms: Sequence[Term]) -> Contests:
    """Return contests whose covariates have the columns of products among them.

    Examples
    --------
    >>> from qrja.terms import as_terms
    >>> known = {"home": [1, 0, 1, 0], "altitude": [9, 9, 2, 2]}
    >>> games = Contests.from_arrays([1, 1, 2, 2], "xyzx", [2, 1, 0, 0], covariates=known)
    >>> with_products(games, as_terms(["altitude*home"])).covariates[-1]
    Covariate('altitude*home', 4 entries)
    """
    columns = columns_for(contests, [term for term in terms if len(term.parts) > 1])
    added = zip(columns.names, columns.z.T, strict=True)
    more = tuple(Covariate(name, np.ascontiguousarray(z)) for name, z in added)
    return replace(contests, covariates=contests.covariates + more) if more else contests


def _levels(one: Covariate, relative: bool) -> tuple[dict[str, Floats], str]:
    """Return a column for each level, and the level that is left out; a number is one column."""
    if not one.levels:
        return {one.name: one.values}, ""
    number = one.values.astype(np.int64)
    count = np.bincount(number, minlength=len(one.levels))
    common = int(count.argmax())
    each = {
        f"{one.name}={label}": (number == k).astype(np.float64)
        for k, label in enumerate(one.levels)
        if count[k] and not (relative and k == common)
    }
    return each, f"{one.name}={one.levels[common]}" if relative else ""


def _find(known: dict[str, Covariate], name: str, problem: Problem) -> Covariate:
    if name in known:
        return known[name]
    if name == HOME:
        raise InputError(
            f"nothing says which entrant of these {problem.noun}s is at home; give a table with a"
            " home and an away side, or a covariate 'home' that is 1 for one and 0 for the others"
        )
    have = nearest(name, list(known)) or "; give it when the data are read, as covariates"
    raise InputError(f"these {problem.noun}s have no covariate {name!r}{have}")
