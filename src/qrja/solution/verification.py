"""The proof of a solution, computed again from nothing but the judgments, x and the flow.

For residuals r and any flow f, with ``g = A^T f`` what it leaves behind at the candidates,

    objective - bound  =  sum_i [ w_i h(r_i) + w_i h*(f_i / w_i) - f_i r_i ]          h the loss
                          + sum over free v of (g_v - 2 r_v d_v)^2 / (4 r_v)          d = x - goal

and every term is at least 0 (Fenchel and Young), with r_v the ridge and the pin of v. Without
either g must be 0 at every free candidate. For p = infinity, with ``t = max w |r|`` and
``sum |f| / w <= 1``, it is ``t - f . r``.

No solver has a part in this. The pairs of contests are written out, residuals are rounded once
and sums are exact.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from qrja.data import Floats, Judgments, sum_by
from qrja.losses import KnownLoss
from qrja.solution.minimised import AGREEMENT, Demands, Minimised, rounding_of

ENOUGH = 1e-7
"""What rounding may leave of a proof: losses that agree to 16 digits have slopes to 8."""


@dataclass(frozen=True)
class Check:
    """What a solution proves, recomputed; see :meth:`qrja.Solution.check`.

    Parameters
    ----------
    objective : float
        The loss at x.
    lower_bound : float
        No x has a smaller loss, if ``imbalance`` is 0: what the flow proves. Minus infinity for a
        loss without a conjugate, 0 for p < 1.
    gap : float
        Their distance relative to the objective. For a loss without a conjugate the largest entry
        of the gradient, relative to the slopes that it sums; infinite for p < 1.
    imbalance : float
        What the flow leaves behind at a candidate, relative to the most that goes through one of
        its component. For a loss without a conjugate the flow are the slopes; NaN for p < 1.
    """

    objective: float
    lower_bound: float
    gap: float
    imbalance: float

    @property
    def holds(self) -> bool:
        """Whether x is proved optimal, up to rounding; never for p < 1."""
        return self.gap <= ENOUGH and self.imbalance <= ENOUGH


def verify(problem: Judgments, x: Floats, flow: Floats | None, minimised: Minimised) -> Check:
    """Recompute what x and the flow prove; without a flow, by the slopes of the loss.

    Examples
    --------
    >>> j = Judgments.from_arrays("abc", "bca", [1, 1, 1])
    >>> verify(j, np.zeros(3), np.array([2.0, 2.0, 2.0]), Minimised(2.0))
    Check(objective=3.0, lower_bound=3.0, gap=0.0, imbalance=0.0)
    """
    demands = minimised.demands_on(problem.n)
    residual, start = _residuals(problem, x), _residuals(problem, demands.goal)
    if minimised.power == math.inf:
        assert flow is not None
        return _verify_largest(problem, residual, start, flow, demands)
    if minimised.loss is None:
        assert minimised.power is not None
        return _verify_nothing(problem, x, residual, minimised.power)
    if flow is None:
        return _verify_gradient(problem, x, residual, start, minimised.loss, demands)
    return _verify_sum(problem, x, residual, start, flow, minimised.loss, demands)


def _verify_sum(
    problem: Judgments,
    x: Floats,
    residual: Floats,
    start: Floats,
    flow: Floats,
    loss: KnownLoss,
    demands: Demands,
) -> Check:
    flow = flow / max(1.0, _overshoot(flow / problem.w, loss))
    value = problem.w * loss.value(residual)
    terms = value + problem.w * loss.conjugate(flow / problem.w) - flow * residual
    objective = math.fsum(value) + _ridge(x, demands)
    excess = math.fsum(np.maximum(terms, 0.0))
    left = _left_behind(problem, flow, demands)
    held = demands.pull > 0
    # What the flow leaves behind flows through the ridge, or a pin.
    pull = demands.pull[held]
    miss = left[held] - 2 * pull * (x - demands.goal)[held]
    excess += math.fsum(miss**2 / (4 * pull))
    left = np.where(held, 0.0, left)
    if loss.power is None:
        rounding = loss.cost_of_rounding(AGREEMENT * np.abs(start))
    else:
        rounding = AGREEMENT**loss.power * loss.value(start)
    # Losses are at least 0: a flow that proves less proves nothing.
    excess, floor = min(excess, objective), math.fsum(problem.w * rounding)
    noise = problem.w * loss.slope(AGREEMENT * np.abs(start))
    imbalance = _relative_imbalance(problem, np.maximum(np.abs(flow), np.abs(noise)), left)
    return Check(objective, objective - excess, _relative(excess, max(objective, floor)), imbalance)


def _verify_largest(
    problem: Judgments, residual: Floats, start: Floats, flow: Floats, demands: Demands
) -> Check:
    flow = flow / max(1.0, math.fsum(np.abs(flow) / problem.w))
    objective = float(np.max(problem.w * np.abs(residual), initial=0.0))
    floor = AGREEMENT * float(np.max(problem.w * np.abs(start), initial=0.0))
    excess = min(max(objective - math.fsum(flow * residual), 0.0), objective)
    gap = _relative(excess, max(objective, floor))
    imbalance = _relative_imbalance(problem, np.abs(flow), _left_behind(problem, flow, demands))
    return Check(objective, objective - excess, gap, imbalance)


def _verify_gradient(
    problem: Judgments,
    x: Floats,
    residual: Floats,
    start: Floats,
    loss: KnownLoss,
    demands: Demands,
) -> Check:
    pull = 2 * demands.pull * (x - demands.goal)
    flow = problem.w * loss.slope(residual)
    left = _left_behind(problem, flow, demands) - pull
    noise = problem.w * loss.slope(AGREEMENT * np.abs(start))
    size = np.maximum(np.abs(flow), np.abs(noise))
    steepness = _relative_imbalance(problem, size, left, np.abs(pull))
    objective = math.fsum(problem.w * loss.value(residual)) + _ridge(x, demands)
    return Check(objective, -math.inf, steepness, steepness)


def _verify_nothing(problem: Judgments, x: Floats, residual: Floats, p: float) -> Check:
    size = np.abs(residual)
    value = np.where(size > rounding_of(problem, x)[problem.a], size, 0.0) ** p
    return Check(math.fsum(problem.w * value), 0.0, math.inf, math.nan)


def _residuals(problem: Judgments, x: Floats) -> Floats:
    """Return ``y - (x_a - x_b)``, with as many digits as the machine has to offer."""
    score = x.astype(np.longdouble)
    return np.asarray(problem.y - (score[problem.a] - score[problem.b]), dtype=np.float64)


def _ridge(x: Floats, demands: Demands) -> float:
    return math.fsum(demands.pull * (x - demands.goal) ** 2)


def _overshoot(slope: Floats, loss: KnownLoss) -> float:
    """Return by what factor slopes pass those of the loss; a smaller flow would prove something."""
    low, high = loss.slopes
    return float(np.max(np.maximum(slope / high, slope / low), initial=0.0))


def _left_behind(problem: Judgments, flow: Floats, demands: Demands) -> Floats:
    """Return what a flow leaves behind at each free candidate."""
    left = sum_by(problem.a, flow, problem.n) - sum_by(problem.b, flow, problem.n)
    return np.where(demands.free, left, 0.0)


def _relative_imbalance(
    problem: Judgments, size: Floats, left: Floats, more: Floats | float = 0.0
) -> float:
    """Relate what is left behind to the most that goes through a candidate of the component."""
    label = problem.components
    through = sum_by(problem.a, size, problem.n) + sum_by(problem.b, size, problem.n) + more
    most = np.zeros(int(label.max(initial=-1)) + 1)
    np.maximum.at(most, label, through)
    share = np.abs(left) / np.maximum(most[label], np.finfo(np.float64).tiny)
    return float(np.max(share, initial=0.0))


def _relative(excess: float, scale: float) -> float:
    return excess / scale if scale > 0 else 0.0
