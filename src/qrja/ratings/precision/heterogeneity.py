"""Heterogeneity: tau^2, the variance by which true margins of studies differ among themselves.

    y_i = x_a - x_b + u_i + e_i,     Var e_i = se_i^2,     Var u_i = tau^2

with u of two contrasts of one study correlated by 1/2: each of its arms has tau^2 / 2. With L_s the
Laplacian of study s, g_s the pull of what the ratings leave of it, and R_ab the variance of
``x_a - x_b``, the covariance D of u enters by

    C = trace(A D) = sum w + sum over pairs of (L_s^2 / 2)_ab R_ab,     y' A D A y = sum |g_s|^2 / 2

where ``y' A y = Q``. The estimate by moments, "dl", gives Q its expectation, ``(Q - df) / C``; that
by the likelihood of what no rating explains, "reml", is the tau^2 at which the two are equal.
Neither is below 0.

References
----------
R. DerSimonian and N. Laird, Meta-analysis in clinical trials, 1986. W. Viechtbauer, Bias and
efficiency of meta-analytic variance estimators in the random-effects model, 2005.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, cast, get_args

import numpy as np

from qrja.data import Floats, Judgments, Offsets, Problem, sum_by
from qrja.errors import InputError
from qrja.ratings.precision.covariance import Covariance
from qrja.ratings.precision.misfit import degrees_of_freedom
from qrja.solution import Demands
from qrja.solvers import solve_checked

RandomEffects = Literal["dl", "reml"]
"""By moments (DerSimonian and Laird), or by restricted likelihood."""
DIGITS = 1e-12
"""Of tau^2 by likelihood, relative to the largest variance."""


def check_random_effects(given: str | None) -> RandomEffects | None:
    """Return the name of an estimate of tau^2, or say which there are.

    Examples
    --------
    >>> check_random_effects("DL")
    Traceback (most recent call last):
    qrja.errors.InputError: random_effects is 'DL'; choose one of dl, reml
    """
    if given is not None and given not in get_args(RandomEffects):
        choices = ", ".join(get_args(RandomEffects))
        raise InputError(f"random_effects is {given!r}; choose one of {choices}")
    return cast(RandomEffects | None, given)


def weigh_with_tau2(data: Problem, demands: Demands, method: RandomEffects) -> Judgments:
    """Return judgments as random effects weigh them.

    Examples
    --------
    >>> from qrja.solvers import demands_on
    >>> twice = Judgments.from_arrays("aa", "bb", [1, 4], se=[1, 1])
    >>> weigh_with_tau2(twice, demands_on(twice), "dl").w
    array([0.22222222, 0.22222222])
    """
    if data.se is None or not data.directed:
        raise InputError(
            f"random effects need the standard error of each judgment, and these {data.noun}s have"
            " none; name the column of them as se"
        )
    judgments = data.to_judgments()
    return judgments.with_heterogeneity(estimate_tau2(judgments, demands, method))


def estimate_tau2(judgments: Judgments, demands: Demands, method: RandomEffects) -> float:
    """Estimate the variance of true margins.

    Examples
    --------
    >>> from qrja.solvers import demands_on
    >>> twice = Judgments.from_arrays("aa", "bb", [1, 4], se=[1, 1])
    >>> [round(estimate_tau2(twice, demands_on(twice), method), 9) for method in ("dl", "reml")]
    [3.5, 3.5]
    """
    at_zero = _look(judgments, demands, 0.0)
    df = degrees_of_freedom(judgments, demands)
    if df <= 0 or at_zero.trace <= 0:
        return 0.0
    if method == "dl":
        return max(0.0, (at_zero.q - df) / at_zero.trace)
    return _balance(judgments, demands, at_zero)


class _Look(NamedTuple):
    """Q, ``trace(A D)`` and ``y' A D A y`` at some tau^2."""

    q: float
    trace: float
    pull: float


def _look(judgments: Judgments, demands: Demands, tau2: float) -> _Look:
    weighed = judgments.with_heterogeneity(tau2)
    anchors = {judgments.names[i]: float(demands.goal[i]) for i in np.flatnonzero(~demands.free)}
    x = solve_checked(weighed, 2, anchors=anchors or None).x
    a, b, w = weighed.a, weighed.b, weighed.w
    left = w * (weighed.y - (x[a] - x[b]))
    arms = _Arms.of(weighed)
    squares = arms.products(w)
    between = Covariance(weighed, demands).of_differences(a, b)
    pulls = sum_by(arms.a, left, arms.number) - sum_by(arms.b, left, arms.number)
    q = float((left**2 / w).sum())
    return _Look(q, float(w.sum() + 0.5 * squares @ between), 0.5 * float(pulls @ pulls))


class _Arms(NamedTuple):
    """The two arms of each judgment, each study's arms being its own."""

    a: Offsets
    b: Offsets
    number: int

    @classmethod
    def of(cls, judgments: Judgments) -> _Arms:
        study = np.arange(judgments.m) if judgments.study is None else judgments.study
        both = np.concatenate([judgments.a, judgments.b]).astype(np.int64)
        key = both * (int(study.max(initial=0)) + 1) + np.append(study, study)
        arms, place = np.unique(key, return_inverse=True)
        return cls(place[: judgments.m], place[judgments.m :], len(arms))

    def products(self, w: Floats) -> Floats:
        """Return ``(L_s L_s)_ab`` for each judgment (a, b) of study s."""
        from scipy.sparse import coo_array

        rows = np.concatenate([self.a, self.b, self.a, self.b])
        columns = np.concatenate([self.b, self.a, self.a, self.b])
        values = np.concatenate([-w, -w, w, w])
        laplacian = coo_array((values, (rows, columns)), shape=(self.number,) * 2).tocsr()
        return np.asarray((laplacian @ laplacian)[self.a, self.b]).ravel()


def _balance(judgments: Judgments, demands: Demands, at_zero: _Look) -> float:
    """Return the tau^2 at which the restricted likelihood is greatest."""
    from scipy.optimize import brentq

    def slope(tau2: float) -> float:
        look = _look(judgments, demands, tau2)
        return look.pull - look.trace

    if at_zero.pull <= at_zero.trace:
        return 0.0
    assert judgments.se is not None
    scale = float((judgments.se**2).max())
    high = max(scale, at_zero.q / at_zero.trace)
    while slope(high) > 0:
        high *= 2.0
    return float(brentq(slope, 0.0, high, xtol=DIGITS * scale, rtol=1e-12))
