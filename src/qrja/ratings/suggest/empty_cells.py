"""Empty cells: which result of a table of contests by contestants makes two meet.

Two meet once more in contest c where one of them has a result and the other has not:

    cell = (c, b)    with a in c, b not in c, and the most entrants in c

The more entrants, the more others b is compared with by the same result.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

import numpy as np

from qrja.data import Index, Problem

Cell = tuple[Hashable, Hashable]
"""A contest, and who has no result in it."""


def empty_cells(problem: Problem, pairs: list[tuple[int, int]]) -> list[Cell | None]:
    """Name a cell to fill for each of some pairs, none of them twice; None where there is none.

    Examples
    --------
    >>> import qrja
    >>> gappy = qrja.Contests.from_arrays(["t1", "t1", "t2", "t2"], list("xyxz"), [3, 1, 2, 0])
    >>> empty_cells(gappy, [(1, 2), (1, 2), (1, 2)])
    [('t1', 'z'), ('t2', 'y'), None]
    """
    sizes, contest = np.diff(problem.start), problem.contest_of_entry
    used: set[tuple[int, int]] = set()
    found: list[Cell | None] = []
    for pair in pairs:
        there = [contest[problem.who == i] for i in pair]
        free = [cell for cell in _half_filled(pair, there) if cell not in used]
        best = max(free, key=lambda cell: (int(sizes[cell[0]]), -cell[0]), default=None)
        if best is not None:
            used.add(best)
        found.append(best and (problem.labels[best[0]], problem.names[best[1]]))
    return found


def _half_filled(pair: tuple[int, int], there: list[Index]) -> Iterator[tuple[int, int]]:
    """List the cells without a result in contests where the other one has one."""
    for who, own, other in zip(pair, there, there[::-1], strict=True):
        for contest in np.setdiff1d(other, own).tolist():
            yield contest, who
