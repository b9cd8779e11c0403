"""p = infinity: the smallest largest error.

Reading order: :mod:`minimax` (what is solved, and how), :mod:`stars` (contests as stars, anchors as
grounds); ``kernels/ratio_cycles`` (the cycle that forces the error); :mod:`exact_cycles` (small
problems in fractions, where floats are not enough).
"""

from qrja.solvers.linf.exact_cycles import solve_exactly
from qrja.solvers.linf.minimax import largest_error, solve_linf

__all__ = ["largest_error", "solve_exactly", "solve_linf"]
