"""QRJA on a random share of the judgments: the paper's Algorithm 1 with equal weights.

Before each contest, ``M = floor(rate * m)`` of the m pairs of the earlier contests are drawn
uniformly with replacement, anew every time, and QRJA is solved on them alone. The pairs are
numbered, contest by contest, and a number is turned into its pair when drawn: they are never
written out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from qrja._arrays import Floats, Index, Offsets
from qrja.contest import Contest
from qrja.judgments import Judgments
from qrja.rules import Rules
from qrja.solvers import solve


@dataclass
class SubsampledQRJA:
    """A ranker that solves QRJA on freshly drawn pairs whenever it is asked.

    Parameters
    ----------
    p : float
        The power of the loss.
    rate : float
        The share of pairs to draw.
    rules : {"fair", "paper"}
        How l1 is solved.
    seed : int
        Which of the repeats this is: the same seed draws the same pairs after the same contests.

    Examples
    --------
    >>> from qrja import datasets
    >>> ranker = SubsampledQRJA(p=2, rate=1.0)
    >>> for race in datasets.marathons():
    ...     ranker.learn(race)
    >>> len(ranker.draw())
    5
    """

    p: float
    rate: float
    rules: Rules = "fair"
    seed: int = 0
    quantitative: bool = field(default=True, init=False)
    _who: list[Index] = field(default_factory=list, repr=False)
    _score: list[Floats] = field(default_factory=list, repr=False)

    def learn(self, contest: Contest) -> None:
        """Remember a contest."""
        self._who.append(contest.who)
        self._score.append(contest.score)

    def scores(self, who: Index) -> Floats:
        """Solve QRJA on drawn pairs; a contestant in none of them has score 0."""
        n = max((int(one.max(initial=-1)) for one in self._who), default=-1) + 1
        seen = np.zeros(max(n, int(who.max(initial=-1)) + 1), dtype=np.bool_)
        for one in self._who:
            seen[one] = True
        x = np.zeros(len(seen))
        entry, later = self._decode(self.draw())
        if len(entry):
            everyone, every_score = np.concatenate(self._who), np.concatenate(self._score)
            # The later listed minus the earlier: the direction matters to the paper's rounding.
            a, b = everyone[later], everyone[entry]
            apart = a != b  # a contestant listed twice in one contest says nothing about himself
            y = every_score[later] - every_score[entry]
            x[:n] = solve_pairs(a[apart], b[apart], y[apart], n, self.p, self.rules)
        x[~seen] = np.nan
        return np.asarray(x[who], dtype=np.float64)

    def draw(self) -> Offsets:
        """Draw numbers of pairs of the contests learned so far."""
        sizes = self._sizes()
        m = int((sizes * (sizes - 1) // 2).sum())
        random = np.random.default_rng([self.seed, round(self.rate * 1e6), len(sizes)])
        return random.integers(m, size=math.floor(self.rate * m)) if m else np.zeros(0, np.int64)

    def _sizes(self) -> Offsets:
        return np.array([len(one) for one in self._who], dtype=np.int64)

    def _decode(self, pair: Offsets) -> tuple[Offsets, Offsets]:
        """Return the two entries of numbered pairs, the one listed earlier first."""
        sizes = self._sizes()
        pairs = sizes * (sizes - 1) // 2
        contest = np.searchsorted(np.cumsum(pairs), pair, side="right")
        within = pair - (np.cumsum(pairs) - pairs)[contest]
        # Pair number j (j - 1) / 2 + i is that of the i-th and the j-th entry, i < j.
        j = (1 + np.floor(np.sqrt(1 + 8.0 * within)).astype(np.int64)) // 2
        j -= j * (j - 1) // 2 > within
        j += (j + 1) * j // 2 <= within
        begin = (np.cumsum(sizes) - sizes)[contest]
        return begin + within - j * (j - 1) // 2, begin + j


def solve_pairs(a: Index, b: Index, y: Floats, n: int, p: float, rules: Rules) -> Floats:
    """Solve QRJA on pairs of unit weight: "a is better than b by y"."""
    return solve(Judgments(a, b, y, np.ones(len(y)), tuple(range(n))), p).x
