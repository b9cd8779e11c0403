"""Shards: some whole contests as arrays, so that what all data add up to is a sum over shards.

    sum over pairs of all contests  =  sum over shards  of  the sum over pairs of its contests

A judgment is a contest of two. Scores are relative to their contest, where a large level that all
share would cost digits.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from qrja.data import Floats, Index, Offsets, Problem, graph

ENTRIES = 2**20
"""Entries of a shard: some 20 MB, much more than starting one costs, little beside a memory."""


class Shard(NamedTuple):
    """Some whole contests: the entries of contest c are ``start[c]:start[c + 1]``.

    ``weight`` is what one pair of each contest weighs.
    """

    start: Offsets
    who: Index
    score: Floats
    weight: Floats

    @property
    def entries(self) -> int:
        """Number of entries."""
        return len(self.who)


def relative_scores(start: Offsets, score: Floats) -> Floats:
    """Take from each score the first one of its contest.

    Examples
    --------
    >>> relative_scores(np.array([0, 2, 3]), np.array([5.0, 7.0, 4.0]))
    array([0., 2., 0.])
    """
    sizes = np.diff(start)
    first = score[np.minimum(start[:-1], max(len(score) - 1, 0))] if len(score) else score
    return np.asarray(score - np.repeat(first, sizes))


def cut(problem: Problem, entries: int = ENTRIES) -> Iterator[Shard]:
    """Cut a problem into shards of some ``entries``; contests that compare nobody are left out.

    Examples
    --------
    >>> from qrja.data import Contests
    >>> races = Contests.from_arrays("AABBC", "xyyzx", [3, 1, 2, 0, 7])
    >>> [shard.who.tolist() for shard in cut(races, entries=2)]
    [[0, 1], [1, 2]]
    """
    weight, sizes = problem.pair_weight, problem.sizes
    for some, held in graph.slabs(problem.start, entries):
        telling = sizes[some] > 1
        own = sizes[some][telling]
        keep = np.repeat(telling, sizes[some])
        start = np.concatenate([[0], np.cumsum(own)]).astype(np.int64)
        if len(own):
            score = relative_scores(start, problem.score[held][keep])
            yield Shard(start, problem.who[held][keep], score, weight[some][telling])
