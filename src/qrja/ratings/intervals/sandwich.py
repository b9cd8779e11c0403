"""Least squares in closed form: the covariance of ratings, robust to clustering.

With the Laplacian L, grounded at the anchors, and the pull ``g_c`` of each cluster c at the ratings
(they sum to 0),

    covariance  =  L^+ (sum_c g_c g_c^T) L^+  =  R R^T

It assumes that clusters are independent, and nothing about what happens inside one. The root R has
a column per cluster, ``L^+ g_c``, or per candidate if those are fewer.

References
----------
K.-Y. Liang and S. L. Zeger, Longitudinal data analysis using generalized linear models, 1986.
"""

from __future__ import annotations

import numpy as np

from qrja.data import Floats
from qrja.errors import InputError
from qrja.ratings.fitted import Fit
from qrja.ratings.intervals.clusters import Clusters
from qrja.ratings.intervals.resampling import COLUMNS, STEPS
from qrja.row_matrices import Matrix, at_places, written_out
from qrja.solvers import centre_where_relative

ACCURACY = 1e-9
LARGEST = 2 * 10**8
"""Entries of the root that still fit into memory."""


def covariance_root(ratings: Fit, clusters: Clusters) -> Floats:
    """Return R, whose product with its transpose is the covariance of the ratings."""
    if not ratings.model.is_square:
        raise InputError(
            f"the closed form is for p = 2, and the loss is {ratings.solution.loss};"
            " use method='bootstrap'"
        )
    size = int(clusters.of.max()) + 1
    narrow = min(clusters.n, size)
    if clusters.n * narrow > LARGEST:
        raise InputError(
            f"the covariance of {clusters.n} candidates is too large to write out;"
            " use method='bootstrap'"
        )
    pull = cluster_pulls(ratings, clusters, size)
    if size <= clusters.n:
        return _solve(ratings, clusters, written_out(pull), clusters.rounding)
    root = _solve(ratings, clusters, np.eye(clusters.n), 0.0)
    values, vectors = np.linalg.eigh(written_out(pull @ pull.T))
    return np.asarray(root.T @ (vectors * np.sqrt(np.maximum(values, 0.0))))


def cluster_pulls(ratings: Fit, clusters: Clusters, size: int) -> Matrix:
    """Return ``g_c``, a column per cluster: how it pulls each candidate at the ratings."""
    ray = (clusters.weight * clusters.sizes)[clusters.contest]
    pull = ray * clusters.residuals(ratings.solution.x)
    return at_places(pull, clusters.who, clusters.of[clusters.contest], (clusters.n, size))


def _solve(ratings: Fit, clusters: Clusters, right: Floats, rounding: float) -> Floats:
    """Apply the inverse of the Laplacian, in groups that nothing holds to columns that sum to 0."""
    solved = np.empty_like(right)
    problem, demands = ratings.problem, ratings.demands
    centred = centre_where_relative(problem, demands, right)
    for first in range(0, right.shape[1], COLUMNS):
        columns = np.ascontiguousarray(centred[:, first : first + COLUMNS])
        solved[:, first : first + COLUMNS], _ = clusters.weightings.solve(
            clusters.weight[:, None],
            columns,
            ridge=demands.ridge,
            free=demands.free,
            tol=ACCURACY,
            rounding=rounding,
            limit=STEPS,
        )
    return centre_where_relative(problem, demands, solved)
