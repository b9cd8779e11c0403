"""Moderation: what resampling shows of one candidate, and what all of them show together.

Resampling sees the noise of each candidate by a few contests only: v_i, with about
``d_i = 1 / sum u^2 - 1`` degrees of freedom, u being the shares of the contests in its rating. If
all results were equally noisy, v_i would be ``k C_ii`` with C the covariance of the model. How far
the ``r_i = v_i / C_ii`` differ beyond chance says how much that is worth: so many further degrees
of freedom d, the same for all, that

    Var log r_i  =  psi'(d_i / 2) + psi'(d / 2)                     psi' the trigamma function
    s_i^2  =  C_ii (d k + d_i r_i) / (d + d_i)

and bounds are ``x_i -+ t s_i`` with ``d + d_i`` degrees of freedom. Where everybody is equally
noisy, d is large and s_i that of the model; where some are noisier than others, each has an error
of its own. The level k is what least squares leaves of independent results; for judges it is the
mean of the r_i, residuals being widened by their leverage as in the jackknife.

References
----------
G. K. Smyth, Linear models and empirical Bayes methods for assessing differential expression, 2004.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from qrja.data import Floats
from qrja.ratings.fitted import Fit
from qrja.ratings.intervals.clusters import Clusters

LARGEST = 1e6
"""Degrees of freedom that are as good as infinite."""
FEWEST = 3
"""Candidates that it takes to see how far they differ."""
SEVERAL = 0.5
"""Degrees of freedom from which resampling shows something of a candidate: two contests have 1."""


class Moderated(NamedTuple):
    """The standard error of each rating, and its degrees of freedom."""

    se: Floats
    df: Floats

    def reach(self, level: float) -> Floats:
        """Return how far an interval of that level reaches to either side."""
        from scipy.special import stdtrit  # takes a while to load

        return np.asarray(stdtrit(self.df, 0.5 * (1.0 + level)) * self.se)

    def draw(self, deviations: Floats, spread: Floats, rng: np.random.Generator) -> Floats:
        """Return deviations of known spread with these errors, and the tails of their quantiles."""
        from scipy.special import chdtri

        scale = np.divide(self.se, spread, out=np.zeros_like(spread), where=spread > 0)
        # One draw is wide for all, or narrow: the noise they share is what it is drawn from.
        chance = rng.uniform(size=deviations.shape[1])
        tails = np.sqrt(self.df[:, None] / chdtri(self.df[:, None], chance))
        return np.asarray(scale[:, None] * deviations * tails)


def can_moderate(ratings: Fit) -> bool:
    """Tell whether the covariance of the model is what ratings would have of equal noise."""
    return ratings.model.ridge == 0 and ratings.covariance.is_quick


def pool(ratings: Fit, deviations: Floats) -> Moderated:
    """Return the errors of results drawn anew, whose noise is that of all results together."""
    spare = float(max(ratings.misfit.df, 1))
    return Moderated(np.sqrt((deviations**2).mean(axis=1)), np.full(len(deviations), spare))


def moderate(ratings: Fit, clusters: Clusters, deviations: Floats) -> Moderated:
    """Weigh what deviations show of each rating against what all of them show."""
    model = ratings.covariance.variances()[: ratings.problem.n]
    shares = clusters.shares
    own = np.maximum(1.0 / np.maximum(shares.squares, 1e-12) - 1.0, 1e-9)
    # So many draws see a variance no better than so many degrees of freedom.
    own = 1.0 / (1.0 / own + 1.0 / deviations.shape[1])
    shown = deviations.var(axis=1) * shares.widening**2
    varies = model > 0
    used = varies & (shown > 0) & (own >= SEVERAL)
    if not used.any():
        own, used = np.zeros_like(own), varies
    ratio = np.divide(shown, model, out=np.ones_like(shown), where=varies)
    weight = np.where(used, own + 1e-9, 0.0) / float((own + 1e-9)[used].sum())
    middle, spare = float(weight @ ratio), clusters.spare_results(ratings.problem.components)
    level = _level(ratings, clusters, middle)
    turned = level / middle if middle > 0 else 0.0  # results that agree show no noise at all
    own = np.where(used, own, 0.0)
    shared = _shared(ratio[used], own[used])
    variance = model * (shared * level + own * ratio * turned) / (shared + own)
    df = np.minimum(shared + own, max(spare, 1))
    return Moderated(np.sqrt(np.where(varies, variance, 0.0)), df)


def _level(ratings: Fit, clusters: Clusters, shown: float) -> float:
    """Return the variance of what weighs 1: by least squares if results are independent."""
    alone = clusters.what in ("contest", "judgment", "study")
    if alone and ratings.model.is_square and ratings.misfit.df > 0:
        return ratings.misfit.variance
    return shown


def _shared(ratio: Floats, own: Floats) -> float:
    """Return the degrees of freedom that candidates have in common, by how far they differ."""
    from scipy.special import digamma, polygamma

    if len(ratio) < FEWEST or not own.all() or not ratio.all():
        return LARGEST
    half = 0.5 * own
    log = np.log(ratio) - digamma(half) + np.log(half)
    weight = own / own.sum()
    excess = float(weight @ ((log - weight @ log) ** 2 - polygamma(1, half)))
    return min(2.0 * _inverse_trigamma(excess), LARGEST) if excess > 0 else LARGEST


def _inverse_trigamma(value: float) -> float:
    """Return the number whose trigamma is ``value``, by Newton's method."""
    from scipy.special import polygamma

    x = 0.5 + 1.0 / value
    for _ in range(50):
        tri = float(polygamma(1, x))
        step = tri * (1.0 - tri / value) / float(polygamma(2, x))
        x += step
        if abs(step) <= 1e-12 * x:
            break
    return min(x, LARGEST)
