"""Solutions: a score per candidate, and the proof that no other does better.

Reading order: :mod:`solution` (the result, and what it proves), :mod:`proved` (by which rule it
says so), :mod:`minimised` (what it is an optimum of), :mod:`optima` (all of them, where there are
several), :mod:`verification` (the proof, computed again) with :mod:`leaks` (of flows, mended),
:mod:`elsewhere` (found in another unit).
"""

from qrja.solution.elsewhere import Elsewhere
from qrja.solution.minimised import ROUNDED_TO, Demands, Minimised
from qrja.solution.optima import NumberedOptima, OpenOrder, Optima
from qrja.solution.proved import ROUNDED, UNIT, Proved, Status, prove
from qrja.solution.solution import Solution
from qrja.solution.verification import Check

__all__ = [
    "ROUNDED",
    "ROUNDED_TO",
    "UNIT",
    "Check",
    "Demands",
    "Elsewhere",
    "Minimised",
    "NumberedOptima",
    "OpenOrder",
    "Optima",
    "Proved",
    "Solution",
    "Status",
    "prove",
]
