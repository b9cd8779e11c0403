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
of its own. The level k is what least squares leaves of independent results, and d + d_i at most the
results to spare. For judges k is the mean of the r_i, and d + d_i at most the sum of the d_i, but
for one candidate. What m clusters show is too small by (m - 1) / m: v_i is made larger by that.

Results with heavy tails (:mod:`~qrja.ratings.intervals.tails`) show a variance less well than
normal ones: d_i is smaller then, and t is calibrated (:mod:`~qrja.ratings.intervals.calibration`).

References
----------
G. K. Smyth, Linear models and empirical Bayes methods for assessing differential expression, 2004.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from qrja.data import Floats, Offsets, distinct_values
from qrja.distributions import (
    chi_square_quantile,
    digamma,
    student_quantile,
    tetragamma,
    trigamma,
)
from qrja.ratings.fitted import Fit
from qrja.ratings.intervals.calibration import Calibration
from qrja.ratings.intervals.clusters import Clusters
from qrja.ratings.intervals.drawn_anew import Anew, find_tails
from qrja.ratings.intervals.tails import NORMAL, Tails

LARGEST = 1e6
"""Degrees of freedom that are as good as infinite."""
FEWEST = 3
"""Candidates that it takes to see how far they differ."""
ROUNDS = 3
"""Times that errors and tails are found in turn."""
SEVERAL = 0.5
"""Degrees of freedom from which resampling shows something of a candidate: two contests have 1."""


class Moderated(NamedTuple):
    """The standard error of each rating, its degrees of freedom, and what levels to take."""

    se: Floats
    df: Floats
    calibration: Calibration = Calibration()

    def reach(self, level: float) -> Floats:
        """Return how far an interval of that level reaches to either side."""
        tail = self.calibration.tail(1.0 - level)
        return np.asarray(-student_quantile(self.df, 0.5 * tail) * self.se)

    def of(self, rows: Offsets) -> Moderated:
        """Return the errors of some ratings."""
        return self._replace(se=self.se[rows], df=self.df[rows])


def can_moderate(ratings: Fit) -> bool:
    """Tell whether the covariance of the model is what ratings would have of equal noise."""
    return ratings.model.ridge == 0 and ratings.covariance.is_quick


def pool(anew: Anew) -> Moderated:
    """Return the errors of results drawn anew, whose noise is that of all results together."""
    off = anew.deviations
    # So many draws see a spread no better than so many degrees of freedom.
    df = 1.0 / (1.0 / anew.df + 1.0 / off.shape[1])
    return Moderated(np.sqrt((off**2).mean(axis=1)), np.full(len(off), df))


def relative(se: Floats, spread: Floats) -> Floats:
    """Return errors over what they are spread by, 0 for a rating that does not vary."""
    return np.divide(se, spread, out=np.zeros_like(spread), where=spread > 0)


def calibrate(
    errors: Moderated, anew: Anew, spread: Floats, rng: np.random.Generator, exact: bool = False
) -> tuple[Moderated, Floats]:
    """Let levels hold in results drawn anew, and give the deviations of these errors.

    ``spread`` is that of the draws. A draw looks noisy by all results together; what one rating
    knows less is drawn beside. Nothing is learned where Student's t is ``exact``.
    """
    less = 1.0 / np.maximum(1.0 / errors.df - 1.0 / anew.df, 1.0 / LARGEST)
    # To two hundredths: thousands of candidates have some hundred different ones.
    steps, which = np.unique(np.round(50.0 * np.log(less)), return_inverse=True)
    df = np.exp(steps / 50.0)[:, None]
    known = np.sqrt(chi_square_quantile(df, rng.uniform(size=len(anew.noise))) / df) * anew.noise
    pivots = relative(np.ones_like(spread), spread)[:, None] * anew.deviations / known[which]
    if not exact:
        errors = errors._replace(calibration=Calibration.of_draws(pivots, errors.df))
    return errors, np.asarray(errors.se[:, None] * pivots)


def moderate(ratings: Fit, clusters: Clusters, deviations: Floats) -> tuple[Moderated, Tails]:
    """Weigh what deviations show of each rating against what all show, and find the tails left.

    Noise that differs between candidates looks like heavy tails, and heavy tails like noise that
    differs: each is found in what the other leaves, in turn.
    """
    variance = ratings.covariance.variances()[: ratings.problem.n]
    spread, tails = np.sqrt(np.maximum(variance, 0.0)), NORMAL
    for _ in range(ROUNDS):
        errors = _weigh(ratings, clusters, deviations, tails)
        tails = find_tails(ratings, clusters, relative(errors.se, spread))
    return errors, tails


def _weigh(ratings: Fit, clusters: Clusters, deviations: Floats, tails: Tails) -> Moderated:
    """Weigh what deviations show of each rating against what all of them show."""
    model = ratings.covariance.variances()[: ratings.problem.n]
    shares = clusters.shares
    own = np.maximum(1.0 / np.maximum(shares.squares, 1e-12) - 1.0, 1e-9)
    own = tails.degrees_of_variance(own)
    # So many draws see a variance no better than so many degrees of freedom.
    own = 1.0 / (1.0 / own + 1.0 / deviations.shape[1])
    shown = deviations.var(axis=1) * shares.widening
    varies = model > 0
    used = varies & (shown > 0) & (own >= SEVERAL)
    if not used.any():
        own, used = np.zeros_like(own), varies
    ratio = np.divide(shown, model, out=np.ones_like(shown), where=varies)
    weight = np.where(used, own + 1e-9, 0.0) / float((own + 1e-9)[used].sum())
    middle, spare = float(weight @ ratio), _spare(ratings, clusters, own[used])
    level = _level(ratings, clusters, middle)
    turned = level / middle if middle > 0 else 0.0  # results that agree show no noise at all
    own = np.where(used, own, 0.0)
    shared = _shared(ratio[used], own[used])
    variance = model * (shared * level + own * ratio * turned) / (shared + own)
    df = np.minimum(shared + own, spare)
    return Moderated(np.sqrt(np.where(varies, variance, 0.0)), df)


def _spare(ratings: Fit, clusters: Clusters, own: Floats) -> float:
    """Return the degrees of freedom of all together: results to spare, or those of judges."""
    spare = float(max(clusters.spare_results(ratings.problem.components), 1))
    if clusters.are_alone:
        return spare
    pieces = len(distinct_values(ratings.problem.components))
    return min(spare, max(float(own.sum()) * (1.0 - pieces / ratings.problem.n), 1.0))


def _level(ratings: Fit, clusters: Clusters, shown: float) -> float:
    """Return the variance of what weighs 1: by least squares if results are independent."""
    if clusters.are_alone and ratings.model.is_square and ratings.misfit.df > 0:
        return ratings.misfit.variance
    return shown


def _shared(ratio: Floats, own: Floats) -> float:
    """Return the degrees of freedom that candidates have in common, by how far they differ."""
    if len(ratio) < FEWEST or not own.all() or not ratio.all():
        return LARGEST
    half = 0.5 * own
    log = np.log(ratio) - digamma(half) + np.log(half)
    weight = own / own.sum()
    excess = float(weight @ ((log - weight @ log) ** 2 - trigamma(half)))
    return min(2.0 * _inverse_trigamma(excess), LARGEST) if excess > 0 else LARGEST


def _inverse_trigamma(value: float) -> float:
    """Return the number whose trigamma is ``value``, by Newton's method."""
    x = 0.5 + 1.0 / value
    for _ in range(50):
        here = np.array([x])
        tri = float(trigamma(here)[0])
        step = tri * (1.0 - tri / value) / float(tetragamma(here)[0])
        x += step
        if abs(step) <= 1e-12 * x:
            break
    return min(x, LARGEST)
