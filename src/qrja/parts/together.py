"""What nothing tells apart, as can be seen without any fit.

Members that were only with contestants nobody else was with follow from these, and stay at 0.
Members that were only with each other share what they are worth as their pulls say.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from qrja.data import Problem
from qrja.parts.part_columns import PartColumns

if TYPE_CHECKING:
    from scipy.sparse import csc_array


@dataclass(frozen=True)
class Together:
    """Members that cannot be told apart.

    Parameters
    ----------
    of_contestants : tuple of int
        Members whose contestants had nobody else in their part.
    same : tuple of tuple of int
        Members of different parts, or of one, that are always in the same entries.
    """

    of_contestants: tuple[int, ...]
    same: tuple[tuple[int, ...], ...]


def find_together(problem: Problem, columns: PartColumns) -> Together:
    """Find members that cannot be told apart.

    Examples
    --------
    >>> from qrja import Contests
    >>> from qrja.parts import PartKind, parts_in
    >>> known = {"jockey": ["Ann", "Bob", "Ann", "Cy"]}
    >>> races = Contests.from_arrays([1, 1, 2, 2], "xyxy", [2, 1, 0, 0], covariates=known)
    >>> find_together(races, parts_in(races, [PartKind(("jockey",))]))
    Together(of_contestants=(0,), same=())
    """
    from scipy.sparse import csc_array  # takes a while to load

    entries = csc_array(columns.entries)
    count = np.bincount(problem.who, minlength=problem.n)
    entry, member = entries.indices, np.repeat(np.arange(len(columns)), np.diff(entries.indptr))
    who = problem.who[entry].astype(np.int64)
    # A member owns a contestant that has it in each of its entries.
    key, many = np.unique(member * problem.n + who, return_counts=True)
    shared = many < count[key % problem.n]
    is_shared = np.zeros(len(columns), dtype=bool)
    is_shared[key[shared] // problem.n] = True
    alone = np.flatnonzero(~is_shared & (columns.appearances > 0))
    return Together(tuple(alone.tolist()), _same(entries))


def _same(entries: csc_array) -> tuple[tuple[int, ...], ...]:
    """Return the members that are in the same entries."""
    begin, entry = entries.indptr, entries.indices
    seen: dict[Hashable, list[int]] = {}
    for at in range(len(begin) - 1):
        seen.setdefault(np.sort(entry[begin[at] : begin[at + 1]]).tobytes(), []).append(at)
    return tuple(tuple(group) for group in seen.values() if len(group) > 1)
