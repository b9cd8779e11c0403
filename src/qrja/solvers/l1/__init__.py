"""p = 1: least absolute deviations, exactly, by a dual network simplex in the space of scores.

Reading order: :mod:`simplex` (what is solved, and how), :mod:`grid` (floats become exact integers),
:mod:`records` (the arrays that the compiled code works on), :mod:`contest_log` and
:mod:`contest_simplex` (contests, whose pairs are never written out), :mod:`stream` (contests that
arrive one after the other), :mod:`pair_simplex` and :mod:`pairs` (judgments), :mod:`near_l2` (where
both begin), :mod:`face` (all optima), :mod:`optimum` (the one that is returned),
:mod:`rounding_gap` (what rounding to the grid may have cost). ``kernels/``: ``forest`` (tight pairs
and their flows), ``exchange`` (one leaves, another enters), ``sorted_contests``, ``line_search``,
``pivot`` and ``append`` for contests, ``pairs`` for judgments, ``proof``, ``face``.
"""

from qrja.solvers.l1.face import Face
from qrja.solvers.l1.optimum import Optimum
from qrja.solvers.l1.simplex import solve_l1
from qrja.solvers.l1.stream import L1Stream

__all__ = ["Face", "L1Stream", "Optimum", "solve_l1"]
