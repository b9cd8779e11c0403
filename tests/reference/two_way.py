"""The two-way model, written out: score = strength + level of its contest + error.

minimise over x, l:  sum over entries of  (s - x_i - l_c)^2 / se^2,     x with mean 0
"""

from __future__ import annotations

import numpy as np

from qrja import Contests


def fit_two_way(contests: Contests, se: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """Return strengths, their covariance for errors as large as ``se``, and the chi-square."""
    n, rows = contests.n, np.arange(contests.entries)
    design = np.zeros((contests.entries, n + len(contests)))
    design[rows, contests.who] = 1.0
    design[rows, n + contests.contest_of_entry] = 1.0
    weighed, right = design / se[:, None], contests.score / se
    inverse = np.linalg.pinv(weighed.T @ weighed)
    both = inverse @ weighed.T @ right
    centring = np.eye(n) - 1.0 / n
    chi = float(((right - weighed @ both) ** 2).sum())
    return centring @ both[:n], centring @ inverse[:n, :n] @ centring, chi
