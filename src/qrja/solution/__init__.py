"""Solutions: a score per candidate, and the proof that no other does better.

Reading order: :mod:`solution` (the result, and what it proves), :mod:`minimised` (what it is an
optimum of), :mod:`optima` (all of them, where there are several), :mod:`verification` (the proof,
computed again).
"""

from qrja.solution.minimised import AGREEMENT, Demands, Minimised, rounding_of
from qrja.solution.optima import NumberedOptima, OpenOrder, Optima
from qrja.solution.solution import Solution, Status, relative_gap
from qrja.solution.verification import Check

__all__ = [
    "AGREEMENT",
    "Check",
    "Demands",
    "Minimised",
    "NumberedOptima",
    "OpenOrder",
    "Optima",
    "Solution",
    "Status",
    "relative_gap",
    "rounding_of",
]
