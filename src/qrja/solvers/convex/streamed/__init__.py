"""Smooth losses of contests whose pairs are never written out: memory grows with the entries.

Reading order: :mod:`pair_sums` (what contests ask of a loss, on every core; any other code that has
whole contests and a vector of scores may call it), :mod:`pair_blocks` (the same for a loss without
a compiled formula), :mod:`stage` (contests, candidates and components in their units),
:mod:`streamed_descent` (Newton's method), :mod:`weigher` and :mod:`streamed_proof` (a conserved
flow, known by formula); :mod:`swept` (powers of very large contests, by sweeps that look at no
pair).
"""

from qrja.solvers.convex.streamed.pair_blocks import PairBlocks
from qrja.solvers.convex.streamed.pair_sums import PairSums, Shortfalls, Slopes, count_cores
from qrja.solvers.convex.streamed.streamed_descent import solve_streamed
from qrja.solvers.convex.streamed.swept import is_swept

__all__ = [
    "PairBlocks",
    "PairSums",
    "Shortfalls",
    "Slopes",
    "count_cores",
    "is_swept",
    "solve_streamed",
]
