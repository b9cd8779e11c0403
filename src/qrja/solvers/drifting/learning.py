"""The speed and the noise: what weighs ties against results.

A speed that is given says how far strengths move; how far results stray, s, is what least squares
with that speed leaves: ``tau^2 = rho Q(rho) / df``, whose right side grows with rho. A speed that
is not given is the likeliest one (:mod:`likelihood`), 0 where no move is likelier than none.

It is learned on at most ``NODES`` periods, by longer stretches where there would be more, and from
the results between the ``MOST`` busiest contestants.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from qrja.data import Contests, Floats, Judgments, Mask, frozen, pick
from qrja.solution import Demands
from qrja.solvers.drifting.likelihood import AtSpeed, Likelihood
from qrja.terms import TermColumns
from qrja.ties import Context, Periods, Speed

NODES, MOST = 6000, 600
"""Periods, and contestants, that a speed is learned from: some seconds."""
VISIBLE = 0.05
"""What a strength may move within a period, as a share of what a result errs by: that widens the
spread of a result by an eighth of a percent."""
SLOWEST, FASTEST = 1e-4, 1e2
"""The range of speeds: variance moved in all, and between two results, relative to one result's."""
GRID = 9
"""Speeds that are tried before the best is looked for more closely."""
FINE = 1e-5
"""How closely, of log rho."""


@dataclass(frozen=True)
class Learned:
    """How fast strengths move, how far results stray, and how long a period is.

    ``tau`` is 0 where strengths were found not to move.
    """

    tau: float
    noise: float
    width: float


def learn(
    problem: Contests | Judgments,
    speed: Speed | Context,
    demands: Demands,
    columns: TermColumns | None = None,
) -> Learned:
    """Learn what is not given: the noise, and the speed if it is asked for.

    Examples
    --------
    >>> from qrja.solvers import demands_on
    >>> games = Contests.from_arrays(
    ...     [k for k in range(40) for _ in "ab"],
    ...     ["a", "b"] * 40,
    ...     [float((k % 2) + k // 8) if side == 0 else 0.0 for k in range(40) for side in (0, 1)],
    ... )
    >>> found = learn(games, Speed(None), demands_on(games))
    >>> bool(0.05 < found.tau < 0.5), bool(0.4 < found.noise < 0.6)
    (True, True)
    """
    time = speed.times(problem)
    usual = float(np.median(problem.pair_weight * problem.sizes)) if len(problem) else 1.0
    likelihood = _likelihood(problem, speed, time, demands, columns)
    if not len(likelihood.periods.earlier):
        return Learned(speed.tau or 0.0, 1.0, 0.0)
    if speed.tau is None:
        found = _likeliest(likelihood)
        noise = likelihood.noise(found) if found is not None else 1.0
        tau = math.sqrt(found.rho) * noise if found is not None else 0.0
    else:
        tau, noise = speed.tau, _noise_with(likelihood, speed.tau)
    if tau == 0:
        return Learned(0.0, noise, math.inf)
    return Learned(tau, noise, VISIBLE**2 * noise**2 / usual / tau**2 if speed.is_of_time else 0.0)


def _likelihood(
    problem: Contests | Judgments,
    speed: Speed | Context,
    time: Floats,
    demands: Demands,
    columns: TermColumns | None,
) -> Likelihood:
    """Return the likelihood of the results between the busiest contestants."""
    if problem.n > MOST:
        count = np.bincount(problem.who, minlength=problem.n)
        busy = np.zeros(problem.n, dtype=bool)
        busy[np.argsort(-count, kind="stable")[:MOST]] = True
        whole, entries = problem, busy[problem.who]
        many = np.bincount(problem.contest_of_entry[entries], minlength=len(problem)) > 1
        entries &= many[problem.contest_of_entry]
        problem, time = _among(problem, entries, many), time[many]
        old = np.array([whole.number[name] for name in problem.names], dtype=np.int64)
        demands = Demands(demands.ridge, demands.goal[old], demands.free[old])
        if columns is not None:
            columns = replace(columns, z=frozen(columns.z[entries]))
    return Likelihood(problem, _few_periods(problem, speed, time), demands, columns)


def _among(problem: Contests | Judgments, entries: Mask, many: Mask) -> Contests | Judgments:
    """Return the contests of some entries, those with at least two of them."""
    if isinstance(problem, Judgments):
        kept = problem.rows(many)
        seen, first = np.unique(kept.who, return_index=True)
        order = seen[np.argsort(first, kind="stable")]
        place = np.zeros(problem.n, dtype=np.int32)
        place[order] = np.arange(len(order), dtype=np.int32)
        names = tuple(problem.names[i] for i in order.tolist())
        return replace(kept, a=place[kept.a], b=place[kept.b], names=names)
    place = np.cumsum(many) - 1
    who, seen = problem.who[entries], np.unique(problem.who[entries])
    return Contests.from_numbers(
        place[problem.contest_of_entry[entries]].astype(np.int32),
        np.searchsorted(seen, who).astype(np.int32),
        problem.score[entries],
        names=tuple(problem.names[i] for i in seen.tolist()),
        labels=tuple(np.flatnonzero(many).tolist()),
        weight=problem.weight[many],
        pairs=problem.pairs,
        covariates=pick(problem.covariates, entries),
    )


def _few_periods(problem: Contests | Judgments, speed: Speed | Context, time: Floats) -> Periods:
    """Cut the time as finely as so many periods allow."""
    span = float(np.ptp(time)) if len(time) else 0.0
    periods = speed.cut(problem, time, 0.0)
    parts = 2.0 ** math.floor(math.log2(max(len(time), 2)))
    while len(periods) > max(NODES, problem.n) and parts >= 1 and span > 0:
        periods = speed.cut(problem, time, span / parts * (1 + 1e-9))
        parts /= 2
    return periods


def _range(likelihood: Likelihood) -> tuple[float, float]:
    """Return the logarithms of the smallest and the largest rho."""
    gap = likelihood.periods.gap
    span = max(float(np.ptp(likelihood.periods.time)), float(gap.max()))
    slow = SLOWEST / (span * likelihood.usual_ray)
    return math.log(slow), math.log(FASTEST / (float(np.median(gap)) * likelihood.usual_ray))


def _likeliest(likelihood: Likelihood) -> AtSpeed | None:
    """Return the likeliest rho; None where none is likelier than no move, or nothing can tell."""
    from scipy.optimize import minimize_scalar

    if likelihood.df <= 0 and not likelihood.is_known:
        return None
    low, high = _range(likelihood)
    grid = np.linspace(low, high, GRID)
    tried = [likelihood.at(math.exp(at)) for at in grid]
    best = int(np.argmin([one.deviance for one in tried]))
    if best == 0:
        return None
    ends = grid[best - 1], grid[min(best + 1, GRID - 1)]
    found = minimize_scalar(
        lambda at: likelihood.at(math.exp(at)).deviance,
        bounds=ends,
        method="bounded",
        options={"xatol": FINE},
    )
    return likelihood.at(math.exp(found.x))


def _noise_with(likelihood: Likelihood, tau: float) -> float:
    """Return the noise that a speed leaves."""
    from scipy.optimize import brentq

    if likelihood.is_known or likelihood.df <= 0:
        return 1.0

    def excess(at: float) -> float:
        found = likelihood.at(math.exp(at))
        return at + math.log(max(found.loss, 1e-300) / likelihood.df) - 2.0 * math.log(tau)

    low, high = _range(likelihood)
    if excess(low) > 0:  # hardly a move: as if there were none
        return likelihood.noise(likelihood.at(math.exp(low)))
    if excess(high) < 0:  # results follow any move
        return likelihood.noise(likelihood.at(math.exp(high)))
    return likelihood.noise(likelihood.at(math.exp(brentq(excess, low, high, xtol=FINE))))
