"""Cycles of a graph, up to a length: each once, as the pairs it goes through.

A cycle begins at its lowest node and turns toward the lower of that node's two neighbours in it.
Paths grow by one node a step, all of them at once, and close where a pair leads back.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array, csr_array

from qrja.data import Floats, Offsets

MOST = 1_000_000
"""Paths that are followed at once; where there would be more, longer cycles are not looked for."""


class Cycles(NamedTuple):
    """Cycles of one length: nodes in order, and pair and sign of each step, a row per cycle."""

    nodes: Offsets
    pair: Offsets
    sign: Floats

    def matrix(self, pairs: int) -> csr_array:
        """Return a column for each cycle: 1 or -1 where it goes through a pair."""
        count, length = self.pair.shape
        column = np.repeat(np.arange(count), length)
        place = self.pair.ravel(), column
        return coo_array((self.sign.ravel(), place), shape=(pairs, count)).tocsr()


def search_cycles(n: int, low: Offsets, high: Offsets, longest: int) -> list[Cycles]:
    """List the cycles of 3, 4, ... pairs, up to ``longest`` or as far as there are not too many.

    Parameters
    ----------
    n : int
        Number of nodes.
    low, high : array of int
        The ends of each pair, the lower first; no pair twice.

    Examples
    --------
    >>> three, four = search_cycles(4, np.array([0, 0, 0, 1, 2]), np.array([1, 2, 3, 2, 3]), 4)
    >>> three.nodes, four.nodes
    (array([[0, 1, 2],
           [0, 2, 3]]), array([[0, 1, 2, 3]]))
    >>> three.sign
    array([[ 1.,  1., -1.],
           [ 1.,  1., -1.]])
    """
    pair = np.arange(len(low))
    ends = np.concatenate([low, high]), np.concatenate([high, low])
    order = np.lexsort((ends[1], ends[0]))
    tail, head, of = ends[0][order], ends[1][order], np.concatenate([pair, pair])[order]
    start = np.searchsorted(tail, np.arange(n + 1))
    paths, used = np.stack([low, high], axis=1), pair[:, None]
    found: list[Cycles] = []
    for _ in range(3, longest + 1):
        last = paths[:, -1]
        many = start[last + 1] - start[last]
        if int(many.sum()) > MOST:
            break
        from_ = np.repeat(np.arange(len(paths)), many)
        step = start[last][from_] + np.arange(len(from_)) - np.repeat(np.cumsum(many) - many, many)
        new = head[step]
        ahead = (new > paths[from_, 0]) & (new[:, None] != paths[from_]).all(axis=1)
        paths = np.column_stack([paths[from_[ahead]], new[ahead]])
        used = np.column_stack([used[from_[ahead]], of[step[ahead]]])
        found.append(_closed(paths, used, tail * n + head, of, n))
    return found


def _closed(paths: Offsets, used: Offsets, key: Offsets, of: Offsets, n: int) -> Cycles:
    """Return the paths whose last node leads back to their first, each in one direction."""
    wanted = paths[:, -1] * n + paths[:, 0]
    at = np.minimum(np.searchsorted(key, wanted), max(len(key) - 1, 0))
    back = (key[at] == wanted) & (paths[:, 1] < paths[:, -1]) if len(key) else wanted < 0
    nodes = paths[back]
    pair = np.column_stack([used[back], of[at[back]]])
    after = np.roll(nodes, -1, axis=1)
    return Cycles(nodes, pair, np.where(nodes < after, 1.0, -1.0))
