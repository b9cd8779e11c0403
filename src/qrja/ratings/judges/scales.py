"""Scales: how wide each judge's scores are beside the others', and how noisy.

    s' = b x' + e,     Var e = v_j,     x' = truth + error of the others' ratings

For judge j, with ``S_sx = sum s' x'`` and so on over the marks, f of them spare, and A_j the part
of the others' noise that is in their ratings,

    b = S_sx / (S_xx - f A_j),     v_j = (S_ss - 2 b S_sx + b^2 S_xx) / (f - 1) - b^2 A_j

all judges at once, by rounds. ``A_j = mean over the marks of  sum over others' scores of i of
v_k E / m_i^2``, m_i being how many there are: exact where everybody scores everybody, and with
``E = k (n - 1) / ((k - 1) n)`` for sheets of k out of n that pair all candidates equally often.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from qrja.data import Floats, Problem, sum_by
from qrja.ratings.judges.marks import Marks, groups_of

ROUNDS = 200
"""Each goes half way; five judges settle within thirty."""
LEAST = 0.25
"""Of the spread of the others' ratings that is taken as real, however noisy they are."""


class Scales(NamedTuple):
    """For each judge the slope on the others' ratings, and the variance of a score around it."""

    spread: Floats
    noise: Floats
    """Variance of one entry; of half a margin's two for judgments."""
    agreement: Floats
    """The correlation of s' and x'."""


def measure_scales(problem: Problem, marks: Sequence[Marks]) -> Scales:
    """Measure every judge; NaN where there are too few marks."""
    sums = np.array([[m.score @ m.score, m.score @ m.rating, m.rating @ m.rating] for m in marks])
    ss, sx, xx = sums.reshape(-1, 3).T
    spare = np.array([mark.spare for mark in marks], dtype=np.float64)
    measured = (spare >= 2) & (xx > 0)
    f, xx = np.where(measured, spare, np.nan), np.where(measured, xx, np.nan)
    others = _noise_of_others(problem, marks)
    noise = np.where(measured, ss / f, 0.0)
    spread = sx / xx
    for _ in range(ROUNDS):
        hidden = others @ np.nan_to_num(noise)
        spread = sx / np.maximum(xx - f * hidden, LEAST * xx)
        left = (ss - 2 * spread * sx + spread**2 * xx) / (f - 1) - spread**2 * hidden
        noise = 0.5 * (noise + np.maximum(left, 0.0))
    both = np.sqrt(np.where(ss > 0, ss, np.nan) * xx)
    return Scales(spread, noise, np.clip(sx / both, -1.0, 1.0))


def _noise_of_others(problem: Problem, marks: Sequence[Marks]) -> Floats:
    """Return, for judges j and k, how much of k's noise is in the ratings that j is held to."""
    judges = len(marks)
    assert problem.judge is not None
    by, hub = problem.judge[problem.contest_of_entry], problem.contest_of_entry
    used = problem.sizes[hub] > 1
    size = np.maximum(problem.sizes[hub], 2).astype(np.float64)
    n = np.bincount(problem.components)[problem.components[problem.who]]
    loss = np.where(used, size * (n - 1) / ((size - 1) * n), 0.0)
    place, shape = (problem.who, by), (problem.n, judges)
    share = csr_array((loss, place), shape=shape)
    group = groups_of(problem.judges)
    groups = int(group.max(initial=0)) + 1
    given = problem.who[used].astype(np.int64) * groups + group[by[used]]
    scored = np.bincount(given, minlength=problem.n * groups).reshape(problem.n, groups)
    total = scored.sum(axis=1)
    rows = np.zeros((judges, judges))
    for j, mark in enumerate(marks):
        if not mark.spare:
            continue
        who = problem.who[mark.entry]
        others = np.maximum(total - scored[:, group[j]], 1.0)[who]
        weight = sum_by(who, (1.0 - 1.0 / mark.sizes) / others**2, problem.n)
        rows[j] = np.where(group == group[j], 0.0, share.T @ weight / mark.spare)
    return rows
