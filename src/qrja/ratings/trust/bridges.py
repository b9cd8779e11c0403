"""Bridges: the contests and contestants that alone hold two groups together.

Join every contestant to its contests: a graph with two kinds of nodes. A node whose removal leaves
its neighbours in several pieces is a cut node. A contest that is one is a bridge: without it the
pieces could not be compared. One depth-first search finds all of them in linear time: a child that
reaches no node above v, except through v, is cut off with everything below it.

References
----------
J. Hopcroft and R. Tarjan, Algorithm 447: efficient algorithms for graph manipulation, 1973.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qrja.data import Index, Problem, order_by


@dataclass(frozen=True)
class Cut:
    """A node whose removal leaves pieces.

    Parameters
    ----------
    node : int
        The number of the contest, judgment or contestant.
    pieces : tuple of int
        How many contestants each piece has, largest first.
    examples : tuple of int
        One contestant of each piece.
    """

    node: int
    pieces: tuple[int, ...]
    examples: tuple[int, ...]

    @property
    def second(self) -> int:
        """The size of the second largest piece."""
        return self.pieces[1]


@dataclass(frozen=True)
class CutNodes:
    """All cut nodes: contests (or judgments), and contestants."""

    contests: tuple[Cut, ...]
    contestants: tuple[Cut, ...]


def find_cuts(problem: Problem) -> CutNodes:
    """Find every contest and every contestant that alone joins what is around it.

    Examples
    --------
    >>> from qrja import Contests
    >>> races = Contests.from_arrays([1, 1, 2, 2, 3, 3, 4, 4], "abbacddb", [1, 2, 3, 4] * 2)
    >>> cuts = find_cuts(races)
    >>> [(cut.node, cut.pieces) for cut in cuts.contests]
    [(3, (2, 2)), (2, (3, 1))]
    """
    search = _Search(problem.n, problem.start.tolist(), problem.who)
    for root in range(problem.n):
        if search.found[root] < 0:
            search.run(root)
    cuts = search.cuts()
    hubs = tuple(Cut(c.node - problem.n, c.pieces, c.examples) for c in cuts if c.node >= problem.n)
    return CutNodes(hubs, tuple(cut for cut in cuts if cut.node < problem.n))


class _Search:
    """Depth-first search with a stack of its own, so that a long chain is no deep recursion."""

    def __init__(self, n: int, start: list[int], members: Index) -> None:
        self.n = n
        size = n + len(start) - 1
        hub = np.repeat(np.arange(n, size), np.diff(start))
        order = order_by(members)
        counts = np.bincount(members, minlength=n)
        self.neighbours = np.concatenate([hub[order], members]).tolist()
        begin = np.concatenate([[0], np.cumsum(counts)])
        self.first = np.concatenate([begin[:-1], len(members) + np.array(start)]).tolist()
        self.found = [-1] * size  # when each node was found
        self.low = [0] * size  # the earliest node that it or a node below it is joined to
        self.order: list[int] = []
        self.parent = [-1] * size
        self.roots: list[int] = []

    def run(self, root: int) -> None:
        """Search the component of a node."""
        found, low, parent, first = self.found, self.low, self.parent, self.first
        self.roots.append(root)
        place = {root: first[root]}
        self._enter(root)
        stack = [root]
        while stack:
            node = stack[-1]
            if place[node] == first[node + 1]:
                stack.pop()
                del place[node]
                above = parent[node]
                if above >= 0:
                    low[above] = min(low[above], low[node])
                continue
            other = self.neighbours[place[node]]
            place[node] += 1
            if found[other] < 0:
                parent[other], place[other] = node, first[other]
                self._enter(other)
                stack.append(other)
            elif other != parent[node]:
                low[node] = min(low[node], found[other])

    def _enter(self, node: int) -> None:
        self.found[node] = self.low[node] = len(self.order)
        self.order.append(node)

    def cuts(self) -> list[Cut]:
        """Collect the cut nodes with the pieces they leave."""
        below = self._contestants_below()
        whole = {}
        for root in self.roots:
            whole[root] = below[root]
        cut_off: dict[int, list[int]] = {}
        root_of = [0] * len(self.found)
        for node in self.order:
            above = self.parent[node]
            root_of[node] = node if above < 0 else root_of[above]
            if above >= 0 and self.low[node] >= self.found[above]:
                cut_off.setdefault(above, []).append(node)
        result = []
        for node, children in cut_off.items():
            pieces = [(below[child], self._example(child)) for child in children]
            inside = whole[root_of[node]] - sum(size for size, _ in pieces) - (node < self.n)
            if inside > 0:
                pieces.append((inside, root_of[node]))
            pieces = sorted((piece for piece in pieces if piece[0] > 0), key=lambda it: -it[0])
            if len(pieces) > 1:
                sizes, examples = zip(*pieces, strict=True)
                result.append(Cut(node, sizes, examples))
        return sorted(result, key=lambda cut: (-cut.second, cut.node))

    def _contestants_below(self) -> list[int]:
        below = [int(node < self.n) for node in range(len(self.found))]
        for node in reversed(self.order):
            if self.parent[node] >= 0:
                below[self.parent[node]] += below[node]
        return below

    def _example(self, child: int) -> int:
        # The child itself, or the node found next: a contest is followed by one of its entrants.
        return (
            child if child < self.n else self.order[min(self.found[child] + 1, len(self.order) - 1)]
        )
