"""Any convex loss: Newton's method, or an interior point where the loss has kinks.

Reading order: :mod:`newton` (the steps in order), :mod:`folding` (contestants seen once),
:mod:`smoothing` (what Newton's method sees instead of the loss), :mod:`iterate` (where a block
stands), :mod:`descent` with :mod:`step_length` (smooth losses), :mod:`interior` (losses with
kinks), :mod:`certificate` (the proof of a block), :mod:`conclusion` (of all blocks);
:mod:`streamed` (many pairs, none of them written out);
:mod:`active_set` (small problems with kinks in fractions, where floats are not enough).
"""

from qrja.solvers.convex.active_set import ActiveSet
from qrja.solvers.convex.newton import solve_newton
from qrja.solvers.convex.smoothing import cost_of, scale, smooth
from qrja.solvers.convex.step_length import search, shrinkage

__all__ = ["ActiveSet", "cost_of", "scale", "search", "shrinkage", "smooth", "solve_newton"]
