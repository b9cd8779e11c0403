"""A forest of few nodes, with a table of who is below whom.

    flow[v] = - sum over the nodes i below v, and v itself, of g_i

is what the pair above v must pull, see :mod:`qrja.solvers.l1.kernels.forest`: with the table it is
one product. Whatever hangs elsewhere has its rows written anew.
"""

from __future__ import annotations

import numpy as np

from qrja.data import Floats, Offsets, grown


class WrittenForest:
    """Nodes that hang on others by a pair each, or are roots.

    Examples
    --------
    >>> forest = WrittenForest()
    >>> forest.meet(3)
    >>> forest.hang(np.array([0]), 0, 1, 7, 2.0)              # 0 on 1, by pair 7 of weight 2
    >>> forest.hang(np.array([2]), 2, 0, 8, 1.0)
    >>> forest.below(0), forest.flows(np.array([1.0, -2.0, 1.0]))
    (array([0, 2]), array([-2., -0., -1.]))
    >>> forest.cut(0, forest.below(0))
    1
    >>> forest.hang(forest.below(0), 2, 1, 9, 3.0)            # turned around, 2 on 1
    >>> forest.parent[:3], forest.pair[:3]
    (array([ 2, -1,  1]), array([ 8, -1,  9]))
    """

    def __init__(self) -> None:
        self.n = 0
        self.parent = np.zeros(0, dtype=np.int64)
        self.pair = np.zeros(0, dtype=np.int64)
        self.cap = np.zeros(0)
        self.size = np.zeros(0)  # how many nodes are below each, itself counted
        self._above = np.zeros((0, 0))  # a row per node: 1 at itself and all that it hangs on

    def meet(self, n: int) -> None:
        """Make single nodes, up to ``n`` in all."""
        self.parent, self.pair = grown(self.parent, n, -1), grown(self.pair, n, -1)
        self.cap = grown(self.cap, n)
        self.size = grown(self.size, n)
        if n > len(self._above):
            above = np.zeros((2 * n, 2 * n))
            above[: self.n, : self.n] = self._above[: self.n, : self.n]
            self._above = above
        new = np.arange(self.n, n)
        self._above[new, new] = self.size[new] = 1.0
        self.n = max(n, self.n)

    def flows(self, g: Floats) -> Floats:
        """Return what the pair above each node must pull, where ``g`` are the slopes of all."""
        return np.asarray(-(g @ self._above[: self.n, : self.n]))

    def below(self, v: int) -> Offsets:
        """Return the nodes below v, and v."""
        return np.flatnonzero(self._above[: self.n, v])

    def root_of(self, v: int) -> int:
        """Return the root of the tree of v."""
        while (parent := int(self.parent[v])) >= 0:
            v = parent
        return v

    def cut(self, v: int, nodes: Offsets) -> int:
        """Make v, below which its ``nodes`` are, a root; return the root of the rest."""
        parent = int(self.parent[v])
        over = self._above[parent]
        self._above[nodes] -= over
        self.size[: self.n] -= len(nodes) * over[: self.n]
        self.parent[v] = self.pair[v] = -1
        self.cap[v] = 0.0
        return self.root_of(parent)

    def hang(self, nodes: Offsets, low: int, above: int, pair: int, cap: float) -> None:
        """Hang a whole tree, its ``nodes``, by its node ``low`` on a node of another tree."""
        joint, way, passed = above, [low], 0.0  # up to the root, and down from now on
        parents, pairs, caps, sizes = self.parent, self.pair, self.cap, self.size
        while (parent := int(parents[low])) >= 0:
            way.append(parent)
            parents[low], above = above, low
            pairs[low], pair = pair, pairs[low]
            caps[low], cap = cap, caps[low]
            sizes[low], passed = len(nodes) - passed, sizes[low]
            low = parent
        parents[low], pairs[low], caps[low] = above, pair, cap
        sizes[low] = len(nodes) - passed
        rows, over = self._above[nodes], self._above[joint]
        if len(way) > 1:  # whoever hung on one of these hangs on all before it instead
            rows[:, way[1:]] = 1.0 - rows[:, way[:-1]]
            rows[:, way[0]] = 1.0
        self._above[nodes] = rows + over
        sizes[: self.n] += len(nodes) * over[: self.n]
