"""Covariates: what is known of each entry besides who it is of and what was scored.

A covariate is a number for each entry, or one of some levels: whether an entrant plays at home, for
how many days it has rested, on what surface. Values are never looked at here; which of them count,
and how, is for :mod:`qrja.terms`.

A judgment has two entries, of a and of b in turns (see :class:`~qrja.data.Problem`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from qrja.data.arrays import Floats, Index, Mask, Offsets, floats, frozen, number_labels, plain_list
from qrja.errors import InputError


@dataclass(frozen=True, eq=False)
class Covariate:
    """One column: a value for each entry.

    Parameters
    ----------
    name : str
        What it is called.
    values : array of float
        The number of each entry; or of its level.
    levels : tuple
        The label of each level; none if values are numbers.

    Examples
    --------
    >>> Covariate("surface", [0, 1, 1], ("clay", "grass"))
    Covariate('surface', 3 entries, 2 levels)
    """

    name: str
    values: Floats
    levels: tuple[Hashable, ...] = ()

    def __post_init__(self) -> None:
        values = floats(self.values, self.name)
        if self.levels and not np.isin(values, np.arange(len(self.levels))).all():
            raise InputError(f"{self.name} has levels beyond its {len(self.levels)} labels")
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "levels", tuple(self.levels))

    def at(self, entries: Offsets | Index | Mask | slice) -> Covariate:
        """Return the column of some entries."""
        return replace(self, values=frozen(self.values[entries]))

    def as_levels(self) -> tuple[Index, tuple[Hashable, ...]]:
        """Return the level of each entry, and the labels; numbers are levels too.

        Examples
        --------
        >>> Covariate("car", [44, 1, 44]).as_levels()
        (array([1, 0, 1], dtype=int32), (1, 44))
        """
        if self.levels:
            return self.values.astype(np.int32), self.levels
        values, number = np.unique(self.values, return_inverse=True)
        labels = tuple(int(v) if v.is_integer() else float(v) for v in values.tolist())
        return number.astype(np.int32), labels

    def __repr__(self) -> str:
        levels = f", {len(self.levels)} levels" if self.levels else ""
        return f"Covariate({self.name!r}, {len(self.values)} entries{levels})"


Covariates = tuple[Covariate, ...]


def columns_of(given: Any, entries: int) -> Covariates:
    """Turn columns, by name, into covariates: numbers, or labels of any other kind.

    Examples
    --------
    >>> columns_of({"rest": [3, 4], "surface": ["clay", "clay"]}, 2)
    (Covariate('rest', 2 entries), Covariate('surface', 2 entries, 1 levels))
    """
    if given is None:
        return ()
    if not isinstance(given, Mapping):
        kind = type(given).__name__
        raise InputError(f"covariates is a {kind}; give a mapping from names to columns")
    return check_columns(tuple(column_of(name, values) for name, values in given.items()), entries)


def column_of(name: str, values: Iterable[Any]) -> Covariate:
    """Turn one column into a covariate."""
    listed = plain_list(values, name)
    if not any(isinstance(one, str) for one in listed):
        return Covariate(name, floats(listed, name))
    levels: dict[Hashable, int] = {}
    return Covariate(name, number_labels(listed, levels, name).astype(np.float64), tuple(levels))


def check_columns(given: Covariates, entries: int) -> Covariates:
    """Check that covariates have names of their own and a value for each entry."""
    names = [one.name for one in given]
    for at, one in enumerate(given):
        if one.name in names[:at]:
            raise InputError(f"two covariates are called {one.name!r}; keep one of them")
        if len(one.values) != entries:
            raise InputError(
                f"the covariate {one.name!r} has {len(one.values)} values for {entries} entries;"
                " give one for each"
            )
    return given


def pick(given: Covariates, entries: Offsets | Index | Mask | slice) -> Covariates:
    """Return the columns of some entries."""
    return tuple(one.at(entries) for one in given)


def of_judgments(given: Covariates, first: Offsets, second: Offsets) -> Covariates:
    """Return the columns of pairs of entries, as judgments have them: a and b in turns."""
    return pick(given, np.stack([first, second], axis=1).ravel()) if given else ()


def join_columns(before: Covariates, added: Covariates, noun: str) -> Covariates:
    """Put the columns of further entries behind those that are there, or say which is missing.

    Examples
    --------
    >>> one = Covariate("surface", [0, 1], ("clay", "grass"))
    >>> join_columns((one,), (Covariate("surface", [0], ("grass",)),), "contest")[0].values
    array([0., 1., 1.])
    """
    named = {one.name: one for one in added}
    for one in before:
        if one.name not in named:
            raise InputError(
                f"the {noun}s so far have the covariate {one.name!r}, and the new ones do not; give"
                " it in every row"
            )
    return tuple(_join(one, named[one.name]) for one in before)


def _join(before: Covariate, added: Covariate) -> Covariate:
    if bool(before.levels) != bool(added.levels):
        some = "levels" if added.levels else "numbers"
        raise InputError(f"the covariate {before.name!r} has {some} in the new rows only")
    number: dict[Hashable, int] = {label: k for k, label in enumerate(before.levels)}
    values = added.values
    if added.levels:
        to = np.array([number.setdefault(label, len(number)) for label in added.levels])
        values = to[values.astype(np.int64)].astype(np.float64)
    return Covariate(before.name, np.append(before.values, values), tuple(number))
