"""QRJA on a random share of the judgments: the paper's Algorithm 1 with equal weights.

Before each contest, ``M = floor(rate * m)`` of the m pairs of the earlier contests are drawn
uniformly with replacement, anew every time, and QRJA is solved on them alone. The published figures
come out if a pair of a contest of k weighs ``1 / k``, which is inferred from them: in the paper's
text and code, and under fair rules, it weighs 1. The experiment is repeated: the repeats differ in
nothing but the draw.

Reading order: :mod:`pair_pool` (the pairs to draw from), :mod:`drawn_squares` (p = 2, all repeats
at once), :mod:`drawn_qrja` (the ranker).
"""

from qrja.paper.subsampling.drawn_qrja import SubsampledQRJA
from qrja.paper.subsampling.pair_pool import PairPool, SortedPairs

__all__ = ["PairPool", "SortedPairs", "SubsampledQRJA"]
