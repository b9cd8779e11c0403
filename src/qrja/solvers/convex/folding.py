"""Fold contestants who were seen in one contest only into one node per contest.

Two contestants i and j of a contest who appear nowhere else are interchangeable: swapping their
residuals ``x_i - s_i`` and ``x_j - s_j`` leaves every even convex loss as it is, and giving both
the mean of the two can only lower it. So some optimum (the only one if the loss is strictly
convex) gives all such contestants of a contest the same residual. They become one node, led by
the first of them, with ``x_i = x_leader + s_i - s_leader``; the pairs among them cost nothing, and
a pair with another entrant counts once for each of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from qrja.data import Contests, Floats, Index, Offsets, pairs_within


@dataclass(frozen=True, eq=False)
class Folded:
    """Contests with the once-seen contestants folded; ``a, b, y, w`` are the pairs written out.

    Parameters
    ----------
    contests : Contests
        What was folded.
    place : array of int
        The node entry that stands for each entry.
    start : array of int
        The node entries of contest c are ``start[c]:start[c + 1]``.
    who, score, count : array
        Contestant (the leader), score and number of contestants of each node entry.
    """

    contests: Contests
    place: Offsets
    start: Offsets
    who: Index
    score: Floats
    count: Floats

    @cached_property
    def followers(self) -> Index:
        """The contestants that another one stands for."""
        leader = self.who[self.place]
        return np.asarray(self.contests.who[leader != self.contests.who])

    @cached_property
    def ends(self) -> tuple[Offsets, Offsets]:
        """The two node entries of every pair, contest by contest."""
        return pairs_within(np.diff(self.start))

    def count_pairs(self) -> int:
        """Return how many pairs of node entries there are, without writing them out."""
        size = np.diff(self.start)
        return int((size * (size - 1) // 2).sum())

    def pairs(self) -> tuple[Index, Index, Floats, Floats]:
        """Write out a, b, y and w of the pairs of node entries."""
        first, second = self.ends
        weight = np.repeat(self.contests.pair_weight, np.diff(self.start))
        y = self.score[first] - self.score[second]
        return (
            self.who[first],
            self.who[second],
            y,
            weight[first] * self.count[first] * self.count[second],
        )

    @cached_property
    def is_plain(self) -> bool:
        """Whether every entry stands for itself, where it was."""
        place = self.place
        return len(place) == len(self.who) and bool((place[1:] > place[:-1]).all())

    def unfold_scores(self, x: Floats) -> Floats:
        """Give every contestant the residual of its leader."""
        full = x.copy()
        leader = self.who[self.place]
        follows = leader != self.contests.who
        gain = self.contests.score - self.score[self.place]
        full[self.contests.who[follows]] = x[leader[follows]] + gain[follows]
        return full

    def unfold_flow(self, flow: Floats) -> Floats:
        """Share the flow of every pair of node entries among the pairs it stands for."""
        if self.is_plain:
            return flow.copy()
        first, second = self.contests.pair_entries()
        contest = self.contests.contest_of_entry[first]
        i, j = self.place[first], self.place[second]
        low, high = np.minimum(i, j) - self.start[contest], np.maximum(i, j) - self.start[contest]
        size = np.diff(self.start)
        before = np.concatenate([[0], np.cumsum(size * (size - 1) // 2)])[contest]
        pair = before + low * (2 * size[contest] - low - 1) // 2 + (high - low - 1)
        inside = i == j
        pair[inside] = 0
        shared = np.sign(j - i) * flow[pair] if len(flow) else np.zeros(len(first))
        return np.where(inside, 0.0, shared / (self.count[i] * self.count[j]))


def fold_contests(contests: Contests, keep: NDArray[np.bool_]) -> Folded:
    """Fold the contestants seen once, except those to ``keep``.

    Examples
    --------
    >>> races = Contests.from_arrays([1, 1, 1, 2, 2], list("abcad"), [9, 7, 4, 5, 3])
    >>> folded = fold_contests(races, np.zeros(4, dtype=bool))
    >>> folded.who, folded.count
    (array([0, 1, 0, 3], dtype=int32), array([1., 2., 1., 1.]))
    """
    once = (np.bincount(contests.who, minlength=contests.n) == 1) & ~keep
    single = once[contests.who]
    contest = contests.contest_of_entry
    # The first single entry of each contest leads; len(who) stands for "none".
    leader = np.full(len(contests), contests.entries, dtype=np.int64)
    np.minimum.at(leader, contest[single], np.flatnonzero(single))
    stands = ~single
    stands[leader[leader < contests.entries]] = True
    number = np.cumsum(stands) - 1
    place = np.where(single, number[np.minimum(leader, contests.entries - 1)][contest], number)
    kept = np.bincount(contest[stands], minlength=len(contests))
    return Folded(
        contests,
        place,
        np.concatenate([[0], np.cumsum(kept)]).astype(np.int64),
        contests.who[stands],
        contests.score[stands],
        np.bincount(place, minlength=int(stands.sum())).astype(np.float64),
    )
