"""All optima of a problem that may have several, by the names of its candidates.

Scores x and x' are both optimal: then so is every point between them, and

    x_a > x_b  and  x'_a < x'_b    for some a, b    only if so for two neighbours in the order of x

since the differences of neighbours add up. So the neighbours on a leaderboard tell whether the
choice of an optimum decides who is ahead of whom.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np

from qrja.data import Floats, Index, Mask, Offsets
from qrja.errors import InputError, nearest


class NumberedOptima(Protocol):
    """The set of all optima of a problem, its candidates given by number."""

    @property
    def dimension(self) -> int:
        """How many differences of scores are free."""

    @property
    def rigid(self) -> Index:
        """The class of each candidate; those of one class differ alike at all optima."""

    def difference(self, a: int, b: int) -> tuple[float, float]:
        """Return the smallest and the largest ``x_a - x_b``."""

    def ranges(self, reference: int | None = None) -> tuple[Floats, Floats]:
        """Return the smallest and the largest score of each candidate, the reference's being 0."""

    def are_open(self, above: Index | Offsets, below: Index | Offsets) -> Mask:
        """Tell of pairs of one component whether ``below`` is above ``above`` at some optimum."""


class OpenOrder(NamedTuple):
    """Two neighbours whose order depends on the optimum: from ``low`` to ``high`` apart."""

    above: Hashable
    below: Hashable
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Optima:
    """The set of all optima of a problem, see :meth:`qrja.Solution.face`.

    Parameters
    ----------
    names : tuple
        The candidates.
    x : array of float
        The optimum that was chosen.
    components : array of int
        The component of each candidate.
    numbered : NumberedOptima
        The same for programs that call candidates by number.

    Examples
    --------
    >>> import qrja
    >>> j = qrja.Judgments.from_arrays("AAB", "BBC", [-1, 10, 1])
    >>> optima = qrja.solve(j, p=1).face()
    >>> optima.difference("A", "B"), optima.difference("B", "C")
    ((-1.0, 10.0), (1.0, 1.0))
    >>> optima.ranges("B")
    {'A': (-1.0, 10.0), 'B': (0.0, 0.0), 'C': (-1.0, -1.0)}
    >>> optima.rigid
    [('A',), ('B', 'C')]
    >>> optima.undecided()
    [OpenOrder(above='A', below='B', low=-1.0, high=10.0)]
    """

    names: tuple[Hashable, ...]
    x: Floats
    components: Index
    numbered: NumberedOptima

    @property
    def dimension(self) -> int:
        """How many differences of scores are free; 0 where there is one optimum only."""
        return self.numbered.dimension

    @property
    def rigid(self) -> list[tuple[Hashable, ...]]:
        """The candidates in groups that differ alike at all optima."""
        groups: dict[int, list[Hashable]] = defaultdict(list)
        for name, label in zip(self.names, self.numbered.rigid.tolist(), strict=True):
            groups[label].append(name)
        return [tuple(group) for group in groups.values()]

    def difference(self, a: Hashable, b: Hashable) -> tuple[float, float]:
        """Return the smallest and the largest ``x_a - x_b``; infinite if they do not compare."""
        return self.numbered.difference(self._number(a), self._number(b))

    def ranges(self, reference: Hashable | None = None) -> dict[Hashable, tuple[float, float]]:
        """Return the smallest and the largest score of each candidate, the reference's being 0.

        Without a reference every component has its own: its candidate that is named first.
        """
        low, high = self.numbered.ranges(None if reference is None else self._number(reference))
        return dict(zip(self.names, zip(low.tolist(), high.tolist(), strict=True), strict=True))

    def _number(self, name: Hashable) -> int:
        if name not in self._numbers:
            close = nearest(str(name), [str(known) for known in self.names])
            raise InputError(f"no candidate {name!r}{close or '; give one of the names'}")
        return self._numbers[name]

    @cached_property
    def _numbers(self) -> dict[Hashable, int]:
        return {name: number for number, name in enumerate(self.names)}

    @cached_property
    def open_places(self) -> tuple[Offsets, Offsets]:
        """The numbers of neighbours in the order of ``x`` whose order is another elsewhere."""
        order = np.lexsort((-self.x, self.components))
        above, below = order[:-1], order[1:]
        joined = self.components[above] == self.components[below]
        above, below = above[joined], below[joined]
        found = self.numbered.are_open(above, below)
        return above[found], below[found]

    def undecided(self, most: int | None = None) -> list[OpenOrder]:
        """List neighbours in the order of ``x`` whose order depends on the optimum, best first.

        ``most`` of them at most; how many there are tells ``len(optima.open_places[0])``.
        """
        pairs = zip(*(numbers[:most].tolist() for numbers in self.open_places), strict=True)
        return [
            OpenOrder(self.names[a], self.names[b], *self.numbered.difference(a, b))
            for a, b in pairs
        ]
