"""A forest of few nodes, with a table of who is below whom.

    flow[v] = - sum over the nodes i below v, and v itself, of g_i

is what the pair above v must pull, see :mod:`qrja.solvers.l1.kernels.forest`: with the table it is
one product. Whatever hangs elsewhere has its rows written anew.
"""

from __future__ import annotations

import numpy as np

from qrja.data import Floats, Mask, Offsets, grown


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
    >>> forest.cut(0)
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
        self._above = np.zeros((0, 0))  # a row per node: 1 at itself and all that it hangs on
        self._joined: list[dict[int, tuple[int, float]]] = []

    def meet(self, n: int) -> None:
        """Make single nodes, up to ``n`` in all."""
        self.parent, self.pair = grown(self.parent, n, -1), grown(self.pair, n, -1)
        self.cap = grown(self.cap, n)
        if n > len(self._above):
            above = np.zeros((2 * n, 2 * n))
            above[: self.n, : self.n] = self._above[: self.n, : self.n]
            self._above = above
        new = np.arange(self.n, n)
        self._above[new, new] = 1.0
        self._joined += [{} for _ in range(self.n, n)]
        self.n = max(n, self.n)

    def sizes(self, nodes: Offsets) -> Floats:
        """Return how many nodes are below some, themselves counted."""
        return np.asarray(self._above[: self.n, nodes].sum(axis=0))

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

    def cut(self, v: int) -> int:
        """Make v a root; return the root of the rest."""
        parent = int(self.parent[v])
        root = self.root_of(parent)
        del self._joined[v][parent], self._joined[parent][v]
        self.parent[v] = self.pair[v] = -1
        self.cap[v] = 0.0
        mine = self.below(v)
        rows = self._above[mine]
        self._above[mine] = rows * self._mask(mine)
        return root

    def _mask(self, nodes: Offsets) -> Mask:
        mask = np.zeros(len(self._above), dtype=bool)
        mask[nodes] = True
        return mask

    def hang(self, nodes: Offsets, low: int, above: int, pair: int, cap: float) -> None:
        """Hang a whole tree, its ``nodes``, by its node ``low`` on a node of another tree."""
        table, parents = self._above, self.parent
        table[nodes] = 0.0
        rows = [(low, above, pair, cap)]
        for v, parent, e, most in rows:
            parents[v], self.pair[v], self.cap[v] = parent, e, most
            table[v] = table[parent]
            table[v, v] = 1.0
            rows += [(u, v, *by) for u, by in self._joined[v].items() if u != parent]
        self._joined[low][above] = self._joined[above][low] = pair, cap
