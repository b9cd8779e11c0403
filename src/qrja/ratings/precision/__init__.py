"""Precision: what known or estimated errors of results make of the ratings, by the book.

Reading order: :mod:`misfit` (Q, its degrees of freedom, what it says of the stated errors),
:mod:`heterogeneity` (tau^2, by which true margins vary), :mod:`covariance` (of the ratings),
:mod:`path_covariance` and :mod:`path_draws` (of ratings that move), :mod:`part_covariance` (of
entries with parts), both with :mod:`drawn_errors`, :mod:`leaving` (what they would be without one
result).
"""

from qrja.ratings.precision.covariance import Covariance
from qrja.ratings.precision.heterogeneity import (
    RandomEffects,
    check_random_effects,
    estimate_tau2,
    weigh_with_tau2,
)
from qrja.ratings.precision.leaving import Deletions, judgment_errors, leave_one_out, list_groups
from qrja.ratings.precision.misfit import Misfit, entry_precision, measure_misfit
from qrja.ratings.precision.part_covariance import PartCovariance, PartDraws
from qrja.ratings.precision.path_covariance import PathCovariance
from qrja.ratings.precision.path_draws import PathDraws

__all__ = [
    "Covariance",
    "Deletions",
    "Misfit",
    "PartCovariance",
    "PartDraws",
    "PathCovariance",
    "PathDraws",
    "RandomEffects",
    "check_random_effects",
    "entry_precision",
    "estimate_tau2",
    "judgment_errors",
    "leave_one_out",
    "list_groups",
    "measure_misfit",
    "weigh_with_tau2",
]
