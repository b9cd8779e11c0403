"""All optima of an l1 problem: how far they differ, and which one is chosen.

The optima form a polyhedron of differences. With the residuals at one optimum, complementary
slackness gives every limit that holds at all of them,

    x_a - x_b <= c_ab    (a can rise by at most ``gap`` more than b)

so the largest ``x_a - x_b`` over all optima is a shortest path from b to a. Candidates that limit
each other with no gap are **rigid**: they differ by the same at every optimum.

**Greatest**: the pointwise greatest x <= 0 exists, because the pointwise maximum of two optima is
an optimum; it is the shortest path from a source that holds every candidate at 0.

**Central**: half way between the pointwise greatest x <= 0 and the pointwise least x >= 0; then, in
``ROUNDS`` rounds, every rigid class goes half way to the middle of the range that the others leave
it, all at once. Each round stays within the optima. The result is unique, it does not depend on
the numbering, and reversing all judgments reverses it. Two candidates whose difference may be
anything from 0 to 10 end at 5. The rounds matter: greatest and least agree where many candidates
hang together, and sit in one corner there.

The optimum with the least l2 loss would be unique too, but it is no centre: the l2 optimum mostly
lies far outside, so the nearest optimum is a corner of the polyhedron, with all the ties of one.

References
----------
R. K. Ahuja, T. L. Magnanti and J. B. Orlin, Network Flows, sections 5.2 and 9.6, 1993.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from qrja.data import Floats, Index, Mask, Offsets, distinct_values, graph, whole_number
from qrja.solvers.l1.grid import Integers

ROUNDS = 8
"""Each halves the way to the middle: what is left is 1/256 of it."""
NEVER = np.int64(1 << 62)
"""Stands for a candidate that nothing limits."""
Limits = tuple[Index, Index, Integers]
"""Arrays low, high and gap: node ``low`` rises at most ``gap`` more than ``high``."""


@dataclass(frozen=True, eq=False)
class Face:
    """The set of all optima, seen from one of them.

    Parameters
    ----------
    x : array of int
        The score of each node at one optimum.
    list_limits : callable
        Returns the limits.
    node_of, offset : array
        Candidate i has the score ``x[node_of[i]] + offset[i]``.
    unit : float
        What stands for 1.
    components : array of int
        The component of each candidate.
    slack : int
        Gaps up to this one are rounding errors and count as none in the choice of the centre.
    rise : callable, optional
        Does what ``spread(most, 1)`` does, without listing the limits.

    Examples
    --------
    >>> from qrja import Judgments
    >>> from qrja.solvers.l1 import solve_l1
    >>> j = Judgments.from_arrays(["A", "A"], ["B", "B"], [0, 10])
    >>> face = solve_l1(j).face().numbered
    >>> face.difference(0, 1)
    (0.0, 10.0)
    >>> face.dimension
    1
    """

    x: Integers
    list_limits: Callable[[], Limits]
    node_of: Index
    offset: Integers
    unit: float
    components: Index
    slack: int = 0
    rise: Callable[[Integers], Integers] | None = None

    def difference(self, a: int, b: int) -> tuple[float, float]:
        """Return the smallest and the largest ``x_a - x_b`` over all optima.

        Candidates are given by number. In different components the difference is unlimited.
        """
        low, high = self.ranges(b)
        self._check(a)
        return float(low[a]), float(high[a])

    def ranges(self, reference: int | None = None) -> tuple[Floats, Floats]:
        """Return the smallest and the largest score of each candidate over all optima.

        Parameters
        ----------
        reference : int, optional
            The number of the candidate whose score is taken for 0. By default each component has
            a reference of its own, its candidate with the lowest number.

        Returns
        -------
        low, high
            Infinite for candidates that cannot be compared with the reference.
        """
        if reference is None:
            _, anchors = np.unique(self.components, return_index=True)
        else:
            anchors = np.array([self._check(reference)])
        held = np.full(len(self.x), NEVER)
        held[self.node_of[anchors]] = 0
        x = self.scores(np.zeros_like(self.x))
        base = np.zeros(int(self.components.max(initial=0)) + 1, dtype=np.int64)
        base[self.components[anchors]] = x[anchors]
        above = x - base[self.components]
        fall, rise = self.spread(held, -1)[self.node_of], self.spread(held, 1)[self.node_of]
        low = np.where(fall < NEVER, (above - fall) / self.unit, -np.inf)
        return low, np.where(rise < NEVER, (above + rise) / self.unit, np.inf)

    def _check(self, number: object) -> int:
        last = len(self.node_of) - 1
        return whole_number(number, "the number of a candidate in names", 0, last)

    @cached_property
    def rigid(self) -> Index:
        """The rigid class of each candidate: those of one class differ alike at all optima."""
        return self._class_of_node[self.node_of]

    @property
    def dimension(self) -> int:
        """How many differences are free: rigid classes less components."""
        classes, components = distinct_values(self.rigid), distinct_values(self.components)
        return len(classes) - len(components)

    @cached_property
    def limits(self) -> Limits:
        """What holds at every optimum, seen from x."""
        return self.list_limits()

    @cached_property
    def _class_of_node(self) -> Index:
        # What limits each other with no gap moves together: strong components.
        low, high, gap = self.limits
        tight = gap <= self.slack
        return graph.strong_components(len(self.x), low[tight], high[tight])

    def are_open(self, above: Index | Offsets, below: Index | Offsets) -> Mask:
        """Tell of pairs of one component whether ``below`` is above ``above`` at some optimum.

        Examples
        --------
        >>> from qrja import Judgments
        >>> from qrja.solvers.l1 import solve_l1
        >>> j = Judgments.from_arrays("aab", "bbc", [-1, 10, 1])
        >>> solve_l1(j).face().numbered.are_open(np.array([0, 1]), np.array([1, 2]))
        array([ True, False])
        """
        from qrja.solvers.l1.kernels.face import find_open

        label, x = self._class_of_node, self.scores(np.zeros_like(self.x))
        low, high, gap = self.limits
        apart = label[low] != label[high]
        limiting, limited = label[high[apart]], label[low[apart]]
        size = int(label.max(initial=-1)) + 1
        first, order = grouped(limiting, size)
        rise, places = np.full(size, NEVER), np.full((3, size), -1, dtype=np.int32)
        open_ = np.empty(len(above), dtype=bool)
        find_open(
            *(label[self.node_of[above]], label[self.node_of[below]]),
            x[above] - x[below] + self.slack,
            *(first, order, limited, gap[apart], rise, *places, open_),
        )
        return open_

    # ------------------------------------------------------------------ chosen optima

    def greatest(self) -> Integers:
        """Return the pointwise greatest x <= 0 among all optima, one score per candidate."""
        return self.scores(self._rise())

    def central(self) -> Integers:
        """Return the central optimum, one score per candidate; components are not centred."""
        from qrja.solvers.l1.kernels.face import relax

        label = self._class_of_node
        low, high, gap = self.limits
        low, high = label[low], label[high]
        apart = low != high
        limits = low[apart], high[apart], gap[apart]
        move = np.zeros(int(label.max(initial=-1)) + 1, dtype=np.int64)
        if self.slack:  # classes are only nearly rigid
            move[label] = (self._rise() - self._fall()) >> 1
        else:
            rise, fall = np.full((2, len(move)), NEVER)
            np.minimum.at(rise, label, self._most_rise())
            np.minimum.at(fall, label, self._most_fall())
            move = (spread_along(rise, *limits, 1) - spread_along(fall, *limits, -1)) >> 1
        room = np.empty((2, len(move)), dtype=np.int64)
        relax(ROUNDS, move, *limits, room[0], room[1])
        return self.scores(move[label])

    def scores(self, move: Integers) -> Integers:
        """Return the scores of the candidates after the nodes have moved."""
        return (self.x + move)[self.node_of] + self.offset

    def _rise(self) -> Integers:
        return self.spread(self._most_rise(), 1)

    def _fall(self) -> Integers:
        return self.spread(self._most_fall(), -1)

    def _most_rise(self) -> Integers:
        """How far each node can rise with no candidate of it above 0."""
        highest = np.full(len(self.x), -NEVER)
        np.maximum.at(highest, self.node_of, self.offset)
        return -highest - self.x

    def _most_fall(self) -> Integers:
        lowest = np.full(len(self.x), NEVER)
        np.minimum.at(lowest, self.node_of, self.offset)
        return lowest + self.x

    def spread(self, most: Integers, direction: int) -> Integers:
        """Return how far each node can rise (fall, if the direction is -1), all at once.

        No node moves by more than its ``most``; :data:`NEVER` is no limit.
        """
        if self.rise is not None and direction > 0:
            return self.rise(most)
        return spread_along(most, *self.limits, direction)


def spread_along(
    most: Integers, low: Index, high: Index, gap: Integers, direction: int
) -> Integers:
    """Return how far each can rise (fall, if the direction is -1) if all do so at once.

    None moves by more than its ``most``; ``low`` rises by at most ``gap`` more than ``high``.
    """
    from qrja.solvers.l1.kernels.face import spread

    move = most.copy()
    by, other = (high, low) if direction > 0 else (low, high)
    first, order = grouped(by, len(move))
    heap, spot = np.empty((2, len(move)), dtype=np.int32)
    spread(move, first, order, other, gap, heap, spot)
    return move


def grouped(key: Index, count: int) -> tuple[Index, Index]:
    """Sort numbers below ``count``: those equal to v are at ``order[first[v]:first[v + 1]]``.

    Examples
    --------
    >>> grouped(np.array([1, 0, 1], dtype=np.int32), 2)
    (array([0, 1, 3], dtype=int32), array([1, 0, 2], dtype=int32))
    """
    from qrja.solvers.l1.kernels.face import group_by

    first, order = np.zeros(count + 1, dtype=np.int32), np.empty(len(key), dtype=np.int32)
    group_by(key, first, order)
    return first, order
