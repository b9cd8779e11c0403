"""Misfit: how far results are from the ratings, in the errors that were stated for them.

    Q = sum_i w_i (y_i - (x_a - x_b))^2,     df = independent margins - ratings that they fix

With right errors, ``w = 1 / se^2``, Q follows a chi-square with df degrees of freedom. Its p value
is the chance of a larger one, ``I^2 = 1 - df / Q`` the share of the misfit beyond that of stated
errors, and ``sqrt(Q / df)``, reduced chi, the factor by which these would have to be larger.

Where only weights are given, and no errors, Q is in the units of the results and tells nothing by
itself, nor do p and I^2; ``sqrt(Q / df)`` is by how much a result of weight 1 strays. Entries of
contests count by the square of what they are off the ratings, each contest with its weight; there
Q / df is the variance of one entry.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from qrja.data import Floats, Problem, centre, sum_by
from qrja.solution import Demands


@dataclass(frozen=True)
class Misfit:
    """How well stated errors account for what the ratings leave.

    Parameters
    ----------
    q : float
        The sum of squares in standard errors, with fixed effects.
    df : int
        Its degrees of freedom.
    tau2 : float
        The variance of true margins that random effects took, 0 without them.
    stated : bool
        Whether errors were stated, so that Q is a chi-square.

    Examples
    --------
    >>> misfit = Misfit(258.0, 23)
    >>> round(misfit.reduced_chi, 2), round(misfit.i2, 2), misfit.p < 1e-10
    (3.35, 0.91, True)
    """

    q: float
    df: int
    tau2: float = 0.0
    stated: bool = field(default=True, repr=False)

    @property
    def p(self) -> float:
        """The chance of a misfit at least so large if the stated errors are right."""
        from scipy.special import chdtrc  # takes a while to load

        return float(chdtrc(self.df, self.q)) if self.df > 0 else math.nan

    @property
    def i2(self) -> float:
        """The share of the misfit that the stated errors do not account for."""
        return max(0.0, 1.0 - self.df / self.q) if self.q > 0 else 0.0

    @property
    def variance(self) -> float:
        """Q / df: the variance of what weighs 1; NaN where nothing is left to see it by."""
        return self.q / self.df if self.df > 0 else math.nan

    @property
    def reduced_chi(self) -> float:
        """The factor by which stated errors would have to be larger."""
        return math.sqrt(self.variance)

    def to_dict(self) -> dict[str, Any]:
        """Give the numbers for JSON, None for those that there are not."""
        told = {"q": self.q, "p": self.p, "i2": self.i2, "tau2": self.tau2}
        told = {name: value if self.stated else math.nan for name, value in told.items()}
        told |= {"df": self.df, "reduced_chi": self.reduced_chi}
        given = {name: None if math.isnan(value) else value for name, value in told.items()}
        return {"errors_stated": self.stated, **given}


def measure_misfit(problem: Problem, demands: Demands, x: Floats, terms: int = 0) -> Misfit:
    """Measure what ratings x, and so many shared terms, leave of a problem.

    Examples
    --------
    >>> from qrja import Judgments
    >>> from qrja.solvers import demands_on
    >>> twice = Judgments.from_arrays("aa", "bb", [1, 3], se=[1, 1])
    >>> measure_misfit(twice, demands_on(twice), np.array([1.0, -1.0]))
    Misfit(q=2.0, df=1, tau2=0.0)
    """
    of = problem.contest_of_entry
    left = centre(problem.score - x[problem.who], of)
    squares = sum_by(of, left**2, len(problem))
    q, df = float(entry_precision(problem) @ squares), degrees_of_freedom(problem, demands)
    return Misfit(q, df - terms, stated=problem.se is not None)


def entry_precision(problem: Problem) -> Floats:
    """Return one over the variance of an entry of each contest; a judgment is made of two."""
    return 2.0 * problem.weight if problem.directed else problem.weight


def degrees_of_freedom(problem: Problem, demands: Demands) -> int:
    """Count the independent margins beyond those that fix the ratings."""
    return problem.independent - int(demands.free.sum()) + int(floating(problem, demands).sum())


def floating(problem: Problem, demands: Demands) -> Floats:
    """Return 1 for each component that no anchor holds, else 0: its level is no rating."""
    held = np.zeros(int(problem.components.max(initial=-1)) + 1)
    held[problem.components[~demands.free]] = 1.0
    return 1.0 - held
