"""Judgments in arrays: pairs that are solved again and again, with other weights each time."""

from __future__ import annotations

import numpy as np

from qrja.data import Floats, Index
from qrja.solvers.l1.grid import Integers
from qrja.solvers.l1.written.written_simplex import WrittenSimplex


class WrittenPairs(WrittenSimplex):
    """What :class:`~qrja.solvers.l1.pairwise.pair_simplex.PairSimplex` is, for few.

    Parameters
    ----------
    n : int
        Number of candidates.
    a, b, y, w : array
        The judgments; margins and weights are integers.
    x : array
        Where to begin.

    Examples
    --------
    >>> one, two = np.ones(3, np.int64), np.array([0, 1, 0])
    >>> b, y = np.array([1, 2, 2]), np.array([1, 1, 5])
    >>> pairs = WrittenPairs(3, two, b, y, one, np.zeros(3, np.int64))
    >>> pairs.run()
    >>> pairs.loss(pairs.prove()), pairs.judged_flow().tolist()
    (3.0, [-1.0, -1.0, 1.0])
    """

    def __init__(self, n: int, a: Index, b: Index, y: Integers, w: Integers, x: Integers) -> None:
        super().__init__(x)
        m = self.contest_count = len(y)
        self.rows = 2 * m
        self.who = np.stack([a, b], axis=1).astype(np.int64).ravel()
        self.score = np.stack([y, np.zeros_like(y)], axis=1).ravel()
        self.field = np.repeat(np.arange(m), 2)
        row = np.arange(0, 2 * m, 2)
        self._add_pairs(row, row + 1, w.astype(np.float64))

    def scores(self) -> Integers:
        """Return the score of each candidate."""
        return self.node_scores.copy()

    def judged_flow(self) -> Floats:
        """Return the flow of each judgment, in units of weights."""
        return -self.prove()
