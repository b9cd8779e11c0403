"""Direct evidence: what each judgment, study or contest says by itself of two who met in it.

A group is a Laplacian on its arms, with resistances ``R_g`` of its own and means of its arms that
fit its results. Of two of its arms it says

    margin = mean_a - mean_b,     conductance = 1 / R_g(a, b)

A judgment between two has conductance w; a contest of k whose pairs weigh w has ``w k / 2``, though
a pair of it weighs w, as its other entrants tell of the two as well. In a study of several arms
that is one over the variance of the contrast, as it was stated.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from qrja.data import Floats, Mask, Offsets, Problem, sum_by


class Meetings(NamedTuple):
    """A row for each two who met in a group: numbers (the lower first), margin, conductance."""

    low: Offsets
    high: Offsets
    margin: Floats
    conductance: Floats

    def pick(self, at: Offsets) -> Meetings:
        """Return some of the rows."""
        return Meetings(self.low[at], self.high[at], self.margin[at], self.conductance[at])


class Direct(NamedTuple):
    """A row for each two who met: all their meetings together, and how many there were."""

    low: Offsets
    high: Offsets
    margin: Floats
    conductance: Floats
    meetings: Offsets

    def pick(self, at: Offsets | slice) -> Direct:
        """Return some of the rows."""
        numbers = self.low[at], self.high[at], self.margin[at], self.conductance[at]
        return Direct(*numbers, self.meetings[at])


def list_meetings(problem: Problem) -> Meetings:
    """List who met whom, group by group.

    Examples
    --------
    >>> from qrja import Contests
    >>> list_meetings(Contests.from_arrays([1, 1, 1], "abc", [5, 3, 2])).conductance
    array([1.5, 1.5, 1.5])
    """
    parts = [_pairs_of_contests(problem, np.flatnonzero(~_is_shared(problem)))]
    if problem.study is not None:
        shared = np.flatnonzero(_is_shared(problem))
        of = problem.study[shared]
        parts += [_pairs_of_study(problem, shared[of == one]) for one in np.unique(of).tolist()]
    return Meetings(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def add_up(n: int, met: Meetings) -> Direct:
    """Take all meetings of two together, each with its conductance."""
    key, place, count = np.unique(met.low * n + met.high, return_inverse=True, return_counts=True)
    total = sum_by(place, met.conductance, len(key))
    margin = sum_by(place, met.conductance * met.margin, len(key)) / total
    return Direct(*np.divmod(key, n), margin, total, count)


def _is_shared(problem: Problem) -> Mask:
    """Tell which judgments are part of a study of several."""
    if problem.study is None:
        return np.zeros(len(problem), dtype=bool)
    return np.asarray(np.bincount(problem.study)[problem.study] > 1)


def _pairs_of_contests(problem: Problem, rows: Offsets) -> Meetings:
    """List the pairs of contests that stand for themselves, contests of one size together."""
    found = []
    for k in np.unique(problem.sizes[rows]).tolist():
        mine = rows[problem.sizes[rows] == k]
        first, second = np.triu_indices(k, 1)
        entry = problem.start[mine][:, None]
        i, j = (entry + first).ravel(), (entry + second).ravel()
        share = np.repeat(problem.pair_weight[mine] * k / 2.0, len(first))
        found.append(
            _oriented(problem.who[i], problem.who[j], problem.score[i] - problem.score[j], share)
        )
    none = np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0), np.zeros(0)
    return Meetings(*(np.concatenate(column) for column in zip(none, *found, strict=True)))


def _pairs_of_study(problem: Problem, rows: Offsets) -> Meetings:
    a, b = problem.who[0::2][rows], problem.who[1::2][rows]
    y, w = problem.score[0::2][rows] - problem.score[1::2][rows], problem.pair_weight[rows]
    arms, place = np.unique(np.concatenate([a, b]), return_inverse=True)
    at_a, at_b = place[: len(rows)], place[len(rows) :]
    design = np.zeros((len(rows), len(arms)))
    design[np.arange(len(rows)), at_a], design[np.arange(len(rows)), at_b] = 1.0, -1.0
    inverse = np.linalg.pinv(design.T @ (w[:, None] * design), hermitian=True)
    mean = inverse @ (design.T @ (w * y))
    i, j = np.triu_indices(len(arms), 1)
    between = inverse[i, i] + inverse[j, j] - 2.0 * inverse[i, j]
    return _oriented(arms[i], arms[j], mean[i] - mean[j], 1.0 / between)


def _oriented(a: Offsets, b: Offsets, margin: Floats, conductance: Floats) -> Meetings:
    """Put the lower number first."""
    a, b = a.astype(np.int64), b.astype(np.int64)
    return Meetings(
        np.minimum(a, b), np.maximum(a, b), np.where(a < b, margin, -margin), conductance
    )
