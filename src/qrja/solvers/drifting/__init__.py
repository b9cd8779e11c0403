"""Strengths that move: the problem with its ties, solved as any other.

Reading order: :mod:`likelihood` (how well a speed explains the results), :mod:`learning` (the speed
and the noise), :mod:`with_drift` (paths, with proof).
"""

from qrja.solvers.drifting.learning import Learned, learn
from qrja.solvers.drifting.likelihood import Likelihood
from qrja.solvers.drifting.with_drift import hold_periods, solve_with_drift

__all__ = ["Learned", "Likelihood", "hold_periods", "learn", "solve_with_drift"]
