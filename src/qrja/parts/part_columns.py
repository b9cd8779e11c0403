"""Who is in which entry: a sparse column for each member of each part.

A cell names one member, several with ``;`` between them (a crew), or nobody (``-``). Numbers are
names too, such as that of a car.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from qrja.data import Contests, Covariate, Index, Offsets, Problem, frozen
from qrja.errors import InputError, nearest
from qrja.parts.part_names import PartKind

if TYPE_CHECKING:
    from scipy.sparse import csr_array

NOBODY, AND = "-", ";"


@dataclass(frozen=True, eq=False)
class PartColumns:
    """The members of all parts, and the entries that each is in.

    Parameters
    ----------
    parts : tuple of PartKind
        The kinds of members.
    names : tuple
        What each member is called, part by part.
    of_part : array of int
        Of which part each member is.
    entries : sparse array
        A row for each entry, a column for each member: how often it is in it, mostly once or not.
    """

    parts: tuple[PartKind, ...]
    names: tuple[Hashable, ...]
    of_part: Index
    entries: csr_array

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def number(self) -> dict[tuple[int, Hashable], int]:
        """The number of each member, by part and name."""
        both = zip(self.of_part.tolist(), self.names, strict=True)
        return {key: at for at, key in enumerate(both)}

    @cached_property
    def appearances(self) -> Offsets:
        """In how many entries each member is."""
        return np.bincount(self.entries.indices, minlength=len(self))

    def is_everywhere(self, part: int) -> bool:
        """Tell whether all entries have as many members of a part: then only differences count."""
        many = np.asarray(self.entries[:, self.members(part)].sum(axis=1)).ravel()
        return bool(len(many)) and float(np.ptp(many)) == 0

    def members(self, part: int) -> Offsets:
        """Return the members of a part."""
        return np.flatnonzero(self.of_part == part)

    def pairs(self, problem: Problem) -> csr_array:
        """Return the same for the judgments that a problem is, or stands for: a less b."""
        from scipy.sparse import csr_array  # takes a while to load

        first, second = problem.pair_entries()
        return csr_array(self.entries[first] - self.entries[second])


def known_as_levels(contests: Contests, parts: Sequence[PartKind]) -> Contests:
    """Return contests whose parts are covariates of levels, for rankers that learn such.

    They know entries with one member of each part.

    Examples
    --------
    >>> from qrja import Contests
    >>> races = Contests.from_arrays([1, 1], "xy", [2, 1], covariates={"car": [44, 1]})
    >>> known_as_levels(races, [PartKind(("car",))]).covariates
    (Covariate('car', 2 entries, 2 levels),)
    """
    known = {one.name: one for one in contests.covariates}
    for part in parts:
        if len(part.columns) > 1:
            raise InputError(f"the part '{part}' has two columns; a back-test knows one")
        name = part.columns[0]
        level, labels = _find(known, name, contests).as_levels()
        crew = next((label for label in labels if len(name_members(label)) != 1), None)
        if crew is not None:
            raise InputError(
                f"the part {name!r} has {crew!r} in a cell; a back-test knows one member in each"
            )
        known[name] = Covariate(name, level.astype(np.float64), labels)
    return replace(contests, covariates=tuple(known.values()))


def parts_in(problem: Problem, parts: Sequence[PartKind]) -> PartColumns:
    """Find the members of some parts in the covariates of a problem.

    Examples
    --------
    >>> from qrja import Contests
    >>> known = {"jockey": ["Ann", "Bob", "Bob", "Ann; Cy"]}
    >>> races = Contests.from_arrays([1, 1, 2, 2], "xyzx", [2, 1, 0, 0], covariates=known)
    >>> columns = parts_in(races, [PartKind(("jockey",))])
    >>> columns.names
    ('Ann', 'Bob', 'Cy')
    >>> columns.entries.toarray()[3]
    array([1., 0., 1.])
    """
    from scipy.sparse import csr_array  # takes a while to load

    known = {one.name: one for one in problem.covariates}
    names: list[Hashable] = []
    of_part: list[int] = []
    rows: list[Offsets] = []
    columns: list[Offsets] = []
    for k, part in enumerate(parts):
        number: dict[Hashable, int] = {}
        for name in part.columns:
            level, labels = _find(known, name, problem).as_levels()
            within = [name_members(label) for label in labels]
            for listed in within:
                for one in listed:
                    number.setdefault(one, len(names) + len(number))
            count = np.array([len(listed) for listed in within], dtype=np.int64)
            members = np.array([number[one] for listed in within for one in listed], dtype=np.int64)
            begin = np.cumsum(count) - count
            many = count[level]
            entry = np.repeat(np.arange(problem.entries), many)
            place = np.arange(len(entry)) - np.repeat(np.cumsum(many) - many, many)
            rows.append(entry)
            columns.append(members[np.repeat(begin[level], many) + place])
        names += number
        of_part += [k] * len(number)
    row = np.concatenate(rows) if rows else np.zeros(0, dtype=np.int64)
    column = np.concatenate(columns) if columns else np.zeros(0, dtype=np.int64)
    shape = problem.entries, len(names)
    entries = csr_array((np.ones(len(row)), (row, column)), shape=shape)
    entries.sum_duplicates()
    return PartColumns(tuple(parts), tuple(names), frozen(np.array(of_part, np.int32)), entries)


def name_members(label: Hashable) -> list[Hashable]:
    """Return who is named by a cell.

    Examples
    --------
    >>> name_members("Ann; Bob"), name_members("-")
    (['Ann', 'Bob'], [])
    """
    if not isinstance(label, str):
        return [label]
    listed = [one.strip() for one in label.split(AND)]
    return [one for one in listed if one and one != NOBODY]


def _find(known: dict[str, Covariate], name: str, problem: Problem) -> Covariate:
    if name in known:
        return known[name]
    have = nearest(name, list(known)) or "; give it when the data are read, as covariates"
    raise InputError(f"the part is {name!r}, and these {problem.noun}s have no such column{have}")
