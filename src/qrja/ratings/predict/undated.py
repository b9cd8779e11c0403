"""Undated judgments: each is foretold by all the others, since none came first.

With r the residual of a judgment of weight w between a and b, and R their resistance,

    error without it = r / (1 - w R_ab)

(:mod:`qrja.ratings.precision`), which no order of rows enters. A study is left out as a whole: the
contrasts that it keeps would give away the one left out. A bridge, ``w R = 1``, is foretold by
nobody and says nothing. For every loss this is done by squares, as the walk through the past is:
noise needs no more, and the weights of other losses would move with what is left out.

Of more candidates than can be done at once, ``MOST`` judgments are taken, evenly in the order of
names, margins and weights.
"""

from __future__ import annotations

import numpy as np

from qrja.data import Floats, Offsets, sum_by, usual_weight
from qrja.ratings.fitted import Fit
from qrja.ratings.intervals import Clusters, find_clusters
from qrja.ratings.precision import judgment_errors
from qrja.ratings.predict.past_errors import Errors

MOST = 4000
"""Judgments that are left out one by one where each costs a solution: some seconds."""


def leave_judgments_out(ratings: Fit) -> Errors:
    """Foretell every judgment by all others, and return the errors.

    Examples
    --------
    >>> import qrja
    >>> errors = leave_judgments_out(qrja.fit(qrja.Judgments.from_arrays("aab", "bbc", [1, 4, 2])))
    >>> errors.score, errors.x
    (array([ 0.5, -0.5,  2. , -2. ]), array([ 2. , -2. ,  0.5, -0.5]))
    """
    problem = ratings.problem
    rows = _chosen(ratings)
    if problem.study is None:
        off = judgment_errors(problem, ratings.squares, ratings.covariance.resistances, rows)
    else:
        off = (ratings.left_out.error[0::2] - ratings.left_out.error[1::2])[rows]
    shares = _shares_without(find_clusters(problem), rows, whole=problem.study is not None)
    told = ~np.isnan(off) & ~np.isnan(shares).any(axis=1)
    rows, off, shares = rows[told], off[told], shares[told]
    margin = problem.score[0::2][rows] - problem.score[1::2][rows]
    sides = np.array([0.5, -0.5])
    return Errors(
        np.outer(margin, sides).ravel(),
        np.outer(margin - off, sides).ravel(),
        shares.ravel(),
        np.repeat(np.arange(len(rows)), 2),
        np.repeat(usual_weight(problem) / problem.weight[rows], 2),
    )


def _chosen(ratings: Fit) -> Offsets:
    """Return all judgments, or some that do not depend on the order of rows."""
    problem = ratings.problem
    count = len(problem)
    if count <= MOST or problem.study is not None or ratings.covariance.is_direct:
        return np.arange(count)
    names = sorted(range(problem.n), key=lambda i: str(problem.names[i]))
    place = np.empty(problem.n, dtype=np.int64)
    place[names] = np.arange(problem.n)
    a, b = place[problem.who[0::2]], place[problem.who[1::2]]
    # The other way round it is the same judgment.
    margin = np.where(a < b, 1.0, -1.0) * (problem.score[0::2] - problem.score[1::2])
    order = np.lexsort((problem.weight, margin, np.maximum(a, b), np.minimum(a, b)))
    return np.asarray(order[np.linspace(0, count - 1, MOST).astype(np.int64)])


def _shares_without(clusters: Clusters, rows: Offsets, *, whole: bool) -> Floats:
    """Return the squared shares behind both sides' ratings without each judgment, else NaN.

    ``whole``: without its cluster.
    """
    shares, base = clusters.shares, int(clusters.of.max(initial=0)) + 1
    total = sum_by(shares.who, shares.weight, clusters.n)
    squares = sum_by(shares.who, shares.weight**2, clusters.n)
    who = clusters.who.reshape(-1, 2)[rows].astype(np.int64)
    key = who * base + clusters.of[rows][:, None]
    own = shares.weight[np.searchsorted(shares.who * base + shares.cluster, key)]
    gone = own if whole else np.minimum(own, 2.0 * clusters.weight[rows][:, None])
    left = total[who] - gone
    rest = squares[who] - own**2 + (own - gone) ** 2
    some = left > 1e-12 * total[who]
    without: Floats = np.full(left.shape, np.nan)
    np.divide(rest, left**2, out=without, where=some)
    return without
