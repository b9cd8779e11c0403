"""Chains: the current from a to b taken apart into chains of common opponents.

A chain ``a, k, ..., b`` carries current from each of its candidates to the next through every
contest that both took part in. Its current is the share of the evidence that it stands for; its
margins, averaged with the currents, add up to the difference that it supports. Taking all chains
away leaves nothing, and share times total adds up to x_a - x_b.

The strongest chain comes first. Three are tried each time: the direct meetings, the best single
common opponent, and the path whose weakest link is strongest. Currents run downhill, so no chain
goes in circles.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import breadth_first_order

from qrja.data import Floats, Index, Offsets, order_by, sum_by
from qrja.ratings.explain.currents import Current

FAINT = 0.01
"""Currents below this share of the weakest chain wanted are not searched for paths."""


@dataclass(frozen=True)
class Step:
    """One link of a chain: two candidates, and what their meetings say.

    Parameters
    ----------
    a, b : int
        Numbers of the candidates.
    margin : float
        By how much a was better than b, their meetings weighed by the current through them.
    mean : float
        By how much a was better than b on average, every meeting counted alike.
    hubs : tuple of int
        The contests or judgments, the one with the most current first.
    """

    a: int
    b: int
    margin: float
    mean: float
    hubs: tuple[int, ...]


@dataclass(frozen=True)
class Path:
    """A chain of candidates from a to b.

    Parameters
    ----------
    share : float
        The part of the evidence that flows along it.
    steps : tuple of Step
        Its links.
    """

    share: float
    steps: tuple[Step, ...]

    @property
    def total(self) -> float:
        """The difference that the chain supports: the sum of its margins."""
        return sum(step.margin for step in self.steps)


def strongest_paths(
    current: Current, n: int, a: int, b: int, *, most: int, least: float
) -> Iterator[Path]:
    """Take chains out of a current, strongest first, until ``most`` or none above ``least``.

    Examples
    --------
    >>> from qrja import Contests
    >>> from qrja.ratings.explain.currents import current_between
    >>> races = Contests.from_arrays([1, 1, 2, 2], "abbc", [9, 7, 5, 4])
    >>> current = current_between(races, 0, 2)
    >>> [path] = strongest_paths(current, 3, 0, 2, most=5, least=0.01)
    >>> round(path.share, 9), [(step.a, step.b, step.margin) for step in path.steps]
    (1.0, [(0, 1, 2.0), (1, 2, 1.0)])
    """
    rest = _Rest(current, n)
    for _ in range(most):
        tries = [(a, b), rest.best_opponent(a, b), rest.widest(a, b, least * FAINT)]
        nodes = max((nodes for nodes in tries if nodes), key=rest.width)
        share = rest.width(nodes)
        if share < least:
            return
        yield rest.take(nodes, share)


class _Rest:
    """The current that is not yet taken away."""

    def __init__(self, current: Current, n: int) -> None:
        keep = current.q != 0
        self.who, self.hub = current.who[keep], current.hub[keep]
        self.score, self.q = current.score[keep], current.q[keep].copy()
        self.n, self.hubs = n, current.hubs
        self._order = order_by(self.who)
        self._ends = np.searchsorted(self.who[self._order], np.arange(n + 1))

    def _entries(self, i: int) -> Offsets:
        return self._order[self._ends[i] : self._ends[i + 1]]

    def _meetings(self, i: int, j: int) -> tuple[Offsets, Offsets, Floats]:
        """Return the entries of i and of j in the hubs they share, and what can flow there."""
        of_i, of_j = self._entries(i), self._entries(j)
        _, at_i, at_j = np.intersect1d(self.hub[of_i], self.hub[of_j], return_indices=True)
        enter, leave = of_i[at_i], of_j[at_j]
        return enter, leave, np.maximum(np.minimum(self.q[enter], -self.q[leave]), 0.0)

    def width(self, nodes: tuple[int, ...]) -> float:
        """Return how much current can flow along a chain."""
        return min(float(self._meetings(i, j)[2].sum()) for i, j in pairwise(nodes))

    def best_opponent(self, a: int, b: int) -> tuple[int, ...]:
        """Return the chain through the one opponent that carries most; empty if there is none."""
        through = np.minimum(self._passed_on(a, 1.0), self._passed_on(b, -1.0))
        through[[a, b]] = 0.0
        best = int(through.argmax())
        return (a, best, b) if through[best] > 0 else ()

    def _passed_on(self, i: int, sign: float) -> Floats:
        """Return what can flow from i to each candidate (to i from each, if the sign is -1)."""
        enters = np.zeros(self.hubs)
        mine = self._entries(i)
        enters[self.hub[mine]] = np.maximum(sign * self.q[mine], 0.0)
        flow = np.minimum(enters[self.hub], np.maximum(-sign * self.q, 0.0))
        return sum_by(self.who, flow, self.n)

    def widest(self, a: int, b: int, least: float) -> tuple[int, ...]:
        """Return the path whose weakest link is strongest, the shortest of those.

        Empty if every path has a link weaker than ``least``.
        """
        size = np.abs(self.q)
        levels = np.unique(size[size >= max(least, np.finfo(float).tiny)])
        low, high = 0, len(levels) - 1
        best: tuple[int, ...] = ()
        while low <= high:  # the largest level at which a path is left, by halving
            middle = (low + high) // 2
            path = self._shortest(a, b, levels[middle])
            if path:
                low, best = middle + 1, path
            else:
                high = middle - 1
        return best

    def _shortest(self, a: int, b: int, level: float) -> tuple[int, ...]:
        used = np.abs(self.q) >= level
        into = self.q[used] > 0
        hub = self.hub[used] + self.n
        tail = np.where(into, self.who[used], hub)
        head = np.where(into, hub, self.who[used])
        size = self.n + self.hubs
        arcs = coo_array((np.ones(len(tail)), (tail, head)), shape=(size, size)).tocsr()
        _, before = breadth_first_order(arcs, a, directed=True)
        return _walk_back(before, a, b)[::2]

    def take(self, nodes: tuple[int, ...], share: float) -> Path:
        """Take a share of the current away along a chain."""
        steps = []
        for i, j in pairwise(nodes):
            enter, leave, flow = self._meetings(i, j)
            part = flow * (share / flow.sum())
            margin = self.score[enter] - self.score[leave]
            self.q[enter] -= part
            self.q[leave] += part
            used = np.flatnonzero(part > 0)
            hubs = self.hub[enter][used[np.argsort(-part[used], kind="stable")]]
            # As an offset from one margin: exact when all of them agree.
            first = float(margin[used[0]])
            weighed = first + float(part @ (margin - first)) / share
            mean = first + float((margin[used] - first).mean())
            steps.append(Step(i, j, weighed, mean, tuple(hubs.tolist())))
        return Path(share, tuple(steps))


def _walk_back(before: Index, a: int, b: int) -> tuple[int, ...]:
    path = [b]
    while path[-1] != a:
        if before[path[-1]] < 0:
            return ()
        path.append(int(before[path[-1]]))
    return tuple(reversed(path))
