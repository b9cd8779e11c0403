"""0 < p < 1: a local optimum, and no more is claimed.

Reading order: :mod:`local` (the search), ``kernels/shift`` (the best shift of a group),
``kernels/zero_trees`` (trees of residuals 0, and shifts along their cuts).
"""

from qrja.solvers.nonconvex.local import ROUGH, solve_nonconvex

__all__ = ["ROUGH", "solve_nonconvex"]
