"""Distributions: chances and quantiles of the normal, Student's t and chi-square.

SciPy has them all, and takes as long to load as a small file takes to rank. So a few numbers in the
usual range are found here, to thirteen digits; many numbers, and those far out, are left to SciPy.
Which it is depends on the numbers alone.

Reading order: :mod:`normal`, :mod:`gammas` (and chi-square, which is one), :mod:`student`.
"""

from __future__ import annotations

from qrja.distributions.gammas import chi_square_quantile, digamma, tetragamma, trigamma
from qrja.distributions.normal import normal_quantile
from qrja.distributions.student import student_chance, student_quantile

__all__ = [
    "chi_square_quantile",
    "digamma",
    "normal_quantile",
    "student_chance",
    "student_quantile",
    "tetragamma",
    "trigamma",
]
