"""The proof of a solution, computed again from nothing but the judgments, x and the flow.

For residuals r and any flow f, with ``g = A^T f`` what it leaves behind at the candidates,

    objective - bound  =  sum_i [ w_i h(r_i) + w_i h*(f_i / w_i) - f_i r_i ]          h the loss
                          + sum over free v of (g_v - 2 r_v d_v)^2 / (4 r_v)          d = x - goal

and every term is at least 0 (Fenchel and Young), with r_v the ridge and the pin of v. Without
either g must be 0 at every free candidate: what is left there is sent home along a tree of heavy
judgments. For p = infinity, with ``t = max w |r|`` and ``sum |f| / w <= 1``, it is ``t - f . r``.
Shared terms with columns Z ask for ``Z^T f = 2 ridge beta`` besides, which is 0 where nothing pulls
them, see :func:`_carry_wanted`; members of parts take ``2 pull u`` of the flow, as a ridge does.

No solver has a part in this. The pairs of contests are written out, residuals are rounded once
and sums are exact.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from qrja.data import Floats, Judgments
from qrja.losses import KnownLoss
from qrja.parts import PartScores
from qrja.solution.elsewhere import Elsewhere
from qrja.solution.leaks import heavy_tree, left_behind, relative_imbalance, send_home
from qrja.solution.minimised import ROUNDED_TO, Demands, Minimised
from qrja.solution.proved import UNIT, prove

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from qrja.terms import Estimates

ENOUGH = 1e-7
"""What rounding may leave of a proof: losses that agree to 16 digits have slopes to 8."""
AGREEMENT = 1e-7
"""What is left behind is related to no less than the flow of residuals that are this share of the
margins: where all agree, there is no other flow."""


@dataclass(frozen=True)
class Check:
    """What a solution proves, recomputed; see :meth:`qrja.Solution.check`.

    Parameters
    ----------
    objective : float
        The loss at x; infinite if an anchored candidate has another score than its anchor.
    lower_bound : float
        No x has a smaller loss: what the flow proves. Minus infinity for a loss without a
        conjugate, 0 for p < 1.
    gap : float
        Their distance relative to the objective, see :class:`qrja.Solution`. For a loss without a
        conjugate the largest entry of the gradient, relative to the slopes that it sums; infinite
        for p < 1.
    imbalance : float
        What the flow leaves behind at a candidate, relative to the most that goes through one of
        its component. For a loss without a conjugate the flow are the slopes; NaN for p < 1.
    mended : float
        The same of the flow that proves the bound: what is left behind has been sent home.
    """

    objective: float
    lower_bound: float
    gap: float
    imbalance: float
    mended: float = field(default=math.inf, repr=False)

    @property
    def holds(self) -> bool:
        """Whether x is proved optimal, up to rounding; never for p < 1."""
        return self.gap <= ENOUGH and min(self.imbalance, self.mended) <= ENOUGH


@dataclass(frozen=True)
class SharedPairs:
    """Shared terms, and their columns of judgments."""

    terms: Estimates
    z: Floats

    def carried(self, flow: Floats) -> Floats:
        """Return what a flow carries of the columns."""
        return np.array([math.fsum(column * flow) for column in self.z.T])

    def left_by(self, flow: Floats) -> float:
        """Return what a flow falls short of a proof by, beside what nothing pulls."""
        return self.terms.left_by(self.carried(flow))


NO_SOLUTION = Check(math.inf, -math.inf, math.inf, math.inf)
"""What is found of scores that nobody asked for: an anchored candidate has its own."""


def verify(
    problem: Judgments,
    x: Floats,
    flow: Floats | None,
    minimised: Minimised,
    shared: SharedPairs | None = None,
) -> Check:
    """Recompute what x and the flow prove; without a flow, by the slopes of the loss.

    With shared terms, the margins are those without what they add.

    Examples
    --------
    >>> j = Judgments.from_arrays("abc", "bca", [1, 1, 1])
    >>> verify(j, np.zeros(3), np.array([2.0, 2.0, 2.0]), Minimised(2.0))
    Check(objective=3.0, lower_bound=3.0, gap=0.0, imbalance=0.0)
    """
    demands = minimised.demands_on(problem.n)
    if _strays(x, demands):
        return NO_SOLUTION
    if shared is not None:
        return _verify_with_terms(problem, x, flow, minimised, shared)
    return _verify_any(problem, x, flow, minimised)


def _verify_any(
    problem: Judgments,
    x: Floats,
    flow: Floats | None,
    minimised: Minimised,
    shared: SharedPairs | None = None,
) -> Check:
    """Verify by the rule of the loss; the flow carries what shared terms want already."""
    demands = minimised.demands_on(problem.n)
    residual, start = _residuals(problem, x), _residuals(problem, demands.goal)
    if minimised.power == math.inf:
        assert flow is not None
        return _verify_largest(problem, x, residual, flow, demands, shared)
    if minimised.loss is None:
        assert minimised.power is not None
        return _verify_nothing(problem, x, residual, minimised.power)
    if flow is None:
        return _verify_gradient(problem, x, residual, start, minimised.loss, demands)
    if minimised.power is not None and minimised.power > 2:
        with np.errstate(over="ignore"):
            size = float(problem.w @ minimised.loss.value(residual))
        if not math.isfinite(size) and math.isfinite(unit := float(np.abs(residual).max())):
            return _verify_in_unit(problem, x, flow, minimised.power, demands, unit)
    return _verify_sum(problem, x, residual, start, flow, minimised.loss, demands, shared)


def _strays(x: Floats, demands: Demands) -> bool:
    """Tell whether an anchored candidate has another score than its anchor."""
    return bool((x != demands.goal)[~demands.free].any())


def _verify_in_unit(
    problem: Judgments, x: Floats, flow: Floats, p: float, demands: Demands, unit: float
) -> Check:
    """Verify in a unit in which powers are floats; objective and bound are told as infinite."""
    unit = 2.0 ** math.ceil(math.log2(unit))
    pins = None if demands.pins is None else demands.pins * unit ** (2 - p)
    held = Demands(demands.ridge * unit ** (2 - p), demands.goal / unit, demands.free, pins)
    there = Elsewhere(unit, p)
    found = verify(
        problem.with_score(problem.score / unit),
        x / unit,
        Elsewhere(1 / unit, p).carry(flow),
        Minimised(p, None, held),
    )
    return replace(
        found,
        objective=there.enlarge(found.objective),
        lower_bound=there.enlarge(found.lower_bound),
    )


def _verify_with_terms(
    problem: Judgments, x: Floats, flow: Floats | None, minimised: Minimised, shared: SharedPairs
) -> Check:
    """Verify a flow that carries what terms want, nothing without a ridge on them."""
    if flow is None:
        return Check(math.nan, -math.inf, math.inf, math.inf)
    # Where all agree, no flow at all is proof enough, and a flow of rounding errors none.
    idle = verify(problem, x, np.zeros_like(flow), minimised)
    if idle.holds and shared.terms.cost == 0:
        return idle
    imbalance = verify(problem, x, flow, minimised).imbalance
    told = []
    for whole in _mend(problem, flow, minimised.demands_on(problem.n), shared):
        given, proved = (_astray(problem, it, minimised, shared) for it in (flow, whole))
        found = _verify_any(problem, x, whole, minimised, shared)
        found = replace(found, imbalance=max(imbalance, given), mended=max(found.mended, proved))
        told.append(found)
    return min(told, key=lambda one: one.gap)


def _mend(problem: Judgments, flow: Floats, demands: Demands, shared: SharedPairs) -> list[Floats]:
    """Return flows that carry what terms want; one leaves those alone that a ridge pulls.

    They pay for what is missing, which is less where few judgments may carry more.
    """
    columns = shared.terms.columns
    mended = [_carry_wanted(problem, flow, demands, shared)]
    if columns.ridge.any():
        free = np.flatnonzero(columns.ridge == 0)
        terms = replace(
            shared.terms, columns=columns.only(free.tolist()), beta=shared.terms.beta[free]
        )
        mended.append(_carry_wanted(problem, flow, demands, SharedPairs(terms, shared.z[:, free])))
    return mended


def _astray(problem: Judgments, flow: Floats, minimised: Minimised, shared: SharedPairs) -> float:
    """Return what a flow carries of columns that nothing pulls, relative to what its parts do."""
    z = shared.z[:, shared.terms.columns.ridge == 0]
    size = np.maximum(np.abs(flow), _no_less(problem, flow, minimised)) @ np.abs(z)
    share = np.abs(z.T @ flow) / np.maximum(size, np.finfo(np.float64).tiny)
    return float(np.max(share, initial=0.0))


def _no_less(problem: Judgments, flow: Floats, minimised: Minimised) -> Floats:
    """Return what a judgment counts as carrying at least: less is rounding, whatever its size."""
    if minimised.loss is None:
        return np.full(len(flow), AGREEMENT * float(np.max(np.abs(flow), initial=0.0)))
    start = _residuals(problem, minimised.demands_on(problem.n).goal)
    return np.abs(problem.w * minimised.loss.slope(AGREEMENT * np.abs(start)))


def verify_parts(
    problem: Judgments,
    x: Floats,
    flow: Floats | None,
    minimised: Minimised,
    parts: PartScores,
    members: csr_array,
    shared: SharedPairs | None,
) -> Check:
    """Verify a flow of which each member gets what pulls it; margins are without what they add.

    ``members`` says which members each judgment has, those of its first side less the others.
    """
    if flow is None:
        return Check(math.nan, -math.inf, math.inf, math.inf)
    demands, loss = minimised.demands_on(problem.n), minimised.loss
    assert loss is not None
    if _strays(x, demands):
        return NO_SOLUTION
    found = verify(problem, x, flow, minimised, shared)
    if shared is not None and len(shared.terms.columns):
        flow = _carry_wanted(problem, flow, demands, shared)
    left = left_behind(problem, flow, demands)
    pull = 2 * demands.pull * np.where(demands.free, x - demands.goal, 0.0)
    stays = np.where(demands.pull > 0, left - pull, 0.0)
    flow, _ = send_home(problem, flow, np.where(demands.pull > 0, 0.0, left), demands)
    used = max(1.0, _overshoot(flow / problem.w, loss))
    residual = _residuals(problem, x)
    excess = _excess(problem, residual, flow, stays, pull, loss, demands.pull)
    excess += parts.left_by(np.asarray(members.T @ (flow / used)))
    excess += 0.0 if shared is None else shared.left_by(flow / used)
    objective = found.objective + parts.cost
    rounding = _rounding(problem, x, residual, loss, demands)
    proved = prove(objective, excess, rounding, ENOUGH)
    return Check(objective, proved.lower_bound, proved.gap, found.imbalance)


def _carry_wanted(
    problem: Judgments, flow: Floats, demands: Demands, shared: SharedPairs
) -> Floats:
    """Return a flow that is conserved and carries what terms want of their columns z.

    Along a tree potentials v explain z; what is left, ``gamma = z - (v_a - v_b)``, is 0 there, and
    a flow that is conserved carries as much of z as of gamma. So ``w gamma lambda`` is taken off
    the other judgments, ``sum w gamma gamma^T lambda`` being what is too much of ``Z^T f``, and the
    tree does the rest.
    """
    z = shared.z
    node = np.where(demands.free, np.arange(problem.n), problem.n)
    a, b = node[problem.a], node[problem.b]
    v = np.zeros((problem.n + 1, z.shape[1]))
    for child, parent, arc in reversed(heavy_tree(problem.n + 1, a, b, problem.w, demands.pull)):
        v[child] = v[parent] + (z[arc] if a[arc] == child else -z[arc])
    gamma = z - v[a] + v[b]
    across = (problem.w[:, None] * gamma).T @ gamma
    # What a ridge takes up stays where it is.
    stays = np.where(demands.pull > 0, left_behind(problem, flow, demands), 0.0)
    for _ in range(3):
        left = left_behind(problem, flow, demands) - stays
        flow, _ = send_home(problem, flow, left, demands)
        part = shared.carried(flow) - shared.terms.wanted
        flow = flow - problem.w * (gamma @ np.linalg.lstsq(across, part, rcond=None)[0])
    return flow


def _verify_sum(
    problem: Judgments,
    x: Floats,
    residual: Floats,
    start: Floats,
    flow: Floats,
    loss: KnownLoss,
    demands: Demands,
    shared: SharedPairs | None,
) -> Check:
    left = left_behind(problem, flow, demands)
    away, strength = np.where(demands.free, x - demands.goal, 0.0), demands.pull
    noise = problem.w * loss.slope(AGREEMENT * np.abs(start))
    size = np.maximum(np.abs(flow), np.abs(noise))
    imbalance = relative_imbalance(problem, size, np.where(strength > 0, 0.0, left))
    value = loss.value(residual)
    objective = math.fsum(problem.w * value) + _ridge(x, demands)
    # A ridge takes what is left behind; or it is sent home, which an unlucky ridge pays more for,
    # unless that would carry some of the columns of terms.
    pull = 2 * strength * away
    kept = [(flow, left - pull)]
    if shared is None or not strength.any():
        kept.append(send_home(problem, flow, left, demands, pull))
    excess = [_excess(problem, residual, *each, pull, loss, strength) for each in kept]
    if shared is not None:
        objective += shared.terms.cost
        used = [max(1.0, _overshoot(each / problem.w, loss)) for each, _ in kept]
        falls_short = [shared.left_by(each / by) for (each, _), by in zip(kept, used, strict=True)]
        excess = [one + more for one, more in zip(excess, falls_short, strict=True)]
    rounding = _rounding(problem, x, residual, loss, demands)
    proved = prove(objective, min(excess), rounding, ENOUGH)
    proving = kept[int(np.argmin(excess))][0]
    left = np.where(strength > 0, 0.0, left_behind(problem, proving, demands))
    mended = relative_imbalance(problem, np.maximum(np.abs(proving), size), left)
    return Check(objective, proved.lower_bound, proved.gap, imbalance, mended)


def _rounding(
    problem: Judgments, x: Floats, residual: Floats, loss: KnownLoss, demands: Demands
) -> float:
    """Return what the loss may change by if scores and margins are rounded to floats."""
    slip, value = _slip(problem, x), loss.value(residual)
    moved = np.maximum(loss.value(residual + slip), loss.value(residual - slip)) - value
    away = np.where(demands.free, x - demands.goal, 0.0)
    pulled = UNIT * np.where(demands.free, np.abs(x) + np.abs(demands.goal), 0.0)
    rounding = math.fsum(problem.w * np.maximum(moved, 0.0))
    return rounding + math.fsum(demands.pull * pulled * (2 * np.abs(away) + pulled))


def _excess(
    problem: Judgments,
    residual: Floats,
    flow: Floats,
    miss: Floats,
    pull: Floats,
    loss: KnownLoss,
    strength: Floats,
) -> float:
    """Return what the loss exceeds the bound of a flow by, held within its slopes.

    ``miss`` is what the flow leaves behind beside the pull of the ridge.
    """
    used = max(1.0, _overshoot(flow / problem.w, loss))
    slope = np.clip(flow / used / problem.w, *loss.slopes)
    excess = math.fsum(problem.w * loss.shortfall(residual, slope))
    held = strength > 0
    if miss[~held].any():
        return math.inf
    miss = ((miss + pull) / used - pull)[held]
    return excess + math.fsum(miss**2 / (4 * strength[held]))


def _verify_largest(
    problem: Judgments,
    x: Floats,
    residual: Floats,
    flow: Floats,
    demands: Demands,
    shared: SharedPairs | None,
) -> Check:
    left = left_behind(problem, flow, demands)
    imbalance = relative_imbalance(problem, np.abs(flow), left)
    flow, _ = send_home(problem, flow, left, demands)
    size = problem.w * np.abs(residual)
    objective = float(np.max(size, initial=0.0))
    used = max(1.0, math.fsum(np.abs(flow) / problem.w))
    moved = float(np.max(size + problem.w * _slip(problem, x), initial=0.0))
    excess, rounding = objective - math.fsum(flow * residual) / used, moved - objective
    if shared is not None:
        objective += shared.terms.cost
        excess += shared.left_by(flow / used)
    proved = prove(objective, excess, rounding, ENOUGH)
    mended = relative_imbalance(problem, np.abs(flow), left_behind(problem, flow, demands))
    return Check(objective, proved.lower_bound, proved.gap, imbalance, mended)


def _slip(problem: Judgments, x: Floats) -> Floats:
    """Return the size of residual that is rounding of scores and margins."""
    return UNIT * (np.abs(x[problem.a]) + np.abs(x[problem.b]) + np.abs(problem.y))


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
    left = left_behind(problem, flow, demands) - pull
    noise = problem.w * loss.slope(AGREEMENT * np.abs(start))
    size = np.maximum(np.abs(flow), np.abs(noise))
    steepness = relative_imbalance(problem, size, left, np.abs(pull))
    objective = math.fsum(problem.w * loss.value(residual)) + _ridge(x, demands)
    return Check(objective, -math.inf, steepness, steepness)


def _verify_nothing(problem: Judgments, x: Floats, residual: Floats, p: float) -> Check:
    size, parts = np.abs(residual), np.abs(x[problem.a]) + np.abs(x[problem.b])
    value = np.where(size > ROUNDED_TO * (parts + np.abs(problem.y)), size, 0.0) ** p
    return Check(math.fsum(problem.w * value), 0.0, math.inf, math.nan)


def _residuals(problem: Judgments, x: Floats) -> Floats:
    """Return ``y - (x_a - x_b)``, rounded once: what each difference lost is added in the end."""
    fitted, lost = _difference(x[problem.a], x[problem.b])
    residual, more = _difference(problem.y, fitted)
    return residual + (more - lost)


def _difference(one: Floats, other: Floats) -> tuple[Floats, Floats]:
    """Return a difference, and what it lost to rounding (Knuth, 1969)."""
    rounded = one - other
    back = rounded - one
    return rounded, (one - (rounded - back)) - (other + back)


def _ridge(x: Floats, demands: Demands) -> float:
    return math.fsum(demands.pull * (x - demands.goal) ** 2)


def _overshoot(slope: Floats, loss: KnownLoss) -> float:
    """Return by what factor slopes pass those of the loss; a smaller flow would prove something."""
    low, high = loss.slopes
    return float(np.max(np.maximum(slope / high, slope / low), initial=0.0))
