"""Fewer judgments with about the same optimum (Algorithm 1 of the paper).

M judgments are drawn with replacement, judgment i with probability q_i, and each gets the weight

    w'  =  w_i / (M q_i),

so that every judgment, and hence the loss of every x, keeps its expected weight. With all q equal
that works where every judgment is one of many of its kind. With q in proportion to the Lewis
weights (:mod:`lewis`), M of the order of n log n judgments suffice for 1 <= p <= 2, whatever
the problem: the best scores of the sample are within 1 + eps of the best.

Contests are not written out. A pair is drawn by number: contest and entries follow from it. For
Lewis weights, let u be the point of an entry (:class:`lewis.Points`, the residual of least
squares being one more coordinate), c the mean of its contest of k entrants and h = |u - c|. Since

    |u - v|^p  <=  2^(p-1) (|u - c|^p + |v - c|^p)

drawing an entry in proportion to ``w (k - 1) h^p`` and then a partner uniformly gives every pair at
least its share, with a known q: at worst 2^p times as many draws are needed as with the Lewis
weights themselves. The points come from a part of the pairs, some for every entrant.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from qrja.data import (
    Contests,
    Floats,
    Index,
    Judgments,
    Offsets,
    Problem,
    as_float,
    floats,
    sum_by,
    whole_number,
)
from qrja.errors import InputError
from qrja.sampling.lewis import Points, lewis_points, lewis_weights

MOST = 2**32
"""Judgments that can be drawn: more fit no memory."""
PARTNERS = 8
"""Pairs per entrant from which the points of a large contest are computed."""


def subsample(
    problem: Contests | Judgments,
    M: int | None = None,
    *,
    rate: float | None = None,
    weights: str | ArrayLike = "uniform",
    p: float = 1.0,
    seed: int = 0,
) -> Judgments:
    """Draw judgments, reweighted so that the expected loss of every x stays the same.

    Parameters
    ----------
    problem : Contests or Judgments
        What to draw from. The pairs of contests are not written out.
    M : int, optional
        How many judgments to draw, with replacement.
    rate : float, optional
        Instead of M: the part of the judgments to draw, rounded down.
    weights : {"uniform", "lewis"} or array
        In what proportion to draw: equal; by Lewis weights for power p; or a positive number per
        judgment (in the order of ``to_judgments()`` for contests).
    p : float
        The power of the loss that will be minimised, for Lewis weights; from 1 to 2.
    seed : int
        Equal seeds draw equal judgments.

    Returns
    -------
    Judgments
        M rows, with all names of the problem, also those no judgment drawn speaks of.

    Examples
    --------
    >>> j = Judgments.from_arrays("abc", "bca", [1, 1, -2])
    >>> subsample(j, 2, seed=1)
    Judgments(n=3, m=2)
    >>> races = Judgments.from_arrays("abca", "bcad", [1, 1, -2, 5])
    >>> "d" in subsample(races, rate=0.5).names
    True
    """
    if not isinstance(problem, Contests | Judgments):
        raise InputError(f"problem is a {type(problem).__name__}; give Contests or Judgments")
    count = _count(problem.m, M, rate)
    rng = np.random.default_rng(whole_number(seed, "seed", 0))
    if isinstance(weights, str) and weights == "lewis" and not problem.directed:
        first, second, q = _draw_entries(problem, p, count, rng, seed)
    else:
        row, q = _draw(_proportions(problem, weights, p, seed), problem.m, count, rng)
        first, second = entries_of_pairs(problem.start, row)
    w = problem.pair_weight[problem.contest_of_entry[first]]
    y = problem.score[first] - problem.score[second]
    return Judgments(problem.who[first], problem.who[second], y, w / (count * q), problem.names)


def _count(m: int, M: int | None, rate: float | None) -> int:
    if (M is None) == (rate is None):
        raise InputError("say how many judgments to draw: either M or rate")
    if m == 0:
        raise InputError("there is no judgment to draw from; give at least one")
    if rate is not None:
        if not 0 < as_float(rate) < np.inf:
            raise InputError(f"rate is {rate!r}; give a positive number such as 0.1")
        # A hair more, so that a tenth of 30 is 3 though 0.1 * 30 may round down.
        M = int(as_float(rate) * m * (1 + 1e-12))
        if M < 1:
            raise InputError(
                f"rate is {rate:g}: less than one of {m} judgments; give a larger rate"
            )
    count = whole_number(M, "M", 1)
    if count > MOST:
        raise InputError(f"M is {count}; draw at most {MOST} judgments")
    return count


def _proportions(problem: Problem, weights: str | ArrayLike, p: float, seed: int) -> Floats | None:
    """Return the proportions in which to draw judgments; None if all are equal."""
    if isinstance(weights, str):
        if weights == "uniform":
            return None
        if weights == "lewis":
            return lewis_weights(problem, p, seed=seed)
        raise InputError(f"weights is {weights!r}; choose uniform, lewis or give an array")
    s = floats(weights, "weight", positive=True)
    if len(s) != problem.m:
        raise InputError(f"weights has {len(s)} numbers for {problem.m} judgments; give one each")
    return s


def _draw(s: Floats | None, m: int, count: int, rng: np.random.Generator) -> tuple[Offsets, Floats]:
    """Draw judgments in proportion to s; return them and the probability of each."""
    if s is None:
        return rng.integers(0, m, count), np.full(count, 1 / m)
    share = s / s.max()
    sums = np.cumsum(share)
    row = np.searchsorted(sums, rng.random(count) * sums[-1], side="right")
    # A product rounded up to the sum itself belongs to the last that has a share.
    row = np.minimum(row, np.flatnonzero(share)[-1])
    return row, share[row] / sums[-1]


def entries_of_pairs(start: Offsets, pair: Offsets) -> tuple[Offsets, Offsets]:
    """Return the two entries of pairs, given by their numbers in ``to_judgments()``.

    Examples
    --------
    >>> entries_of_pairs(np.array([0, 3, 5]), np.array([0, 1, 2, 3]))
    (array([0, 0, 1, 3]), array([1, 2, 2, 4]))
    """
    sizes = np.diff(start)
    ends = np.cumsum(sizes * (sizes - 1) // 2)
    contest = np.searchsorted(ends, pair, side="right")
    k = sizes[contest]
    number = pair - (ends[contest] - k * (k - 1) // 2)
    # Entry i is first in k - 1 - i pairs: undo the sum by the root of a square, then its rounding.
    i = ((2 * k - 1 - np.sqrt((2.0 * k - 1) ** 2 - 8.0 * number)) // 2).astype(np.int64)
    i -= i * (2 * k - i - 1) // 2 > number
    i += (i + 1) * (2 * k - i - 2) // 2 <= number
    first = start[contest] + i
    return first, first + 1 + number - i * (2 * k - i - 1) // 2


def _draw_entries(
    problem: Problem, p: float, count: int, rng: np.random.Generator, seed: int
) -> tuple[Offsets, Offsets, Floats]:
    """Draw pairs, each with at least its share by Lewis weights, and return their probabilities."""
    points = lewis_points(_some_pairs(problem, np.random.default_rng(seed)), p, seed)
    share = entry_shares(problem.start, problem.who, problem.score, problem.pair_weight, points, p)
    return draw_by_shares(problem.start, share, count, rng)


def draw_by_shares(
    start: Offsets, share: Floats, count: int, rng: np.random.Generator
) -> tuple[Offsets, Offsets, Floats]:
    """Draw an entry by its share and a partner uniformly; return the probabilities of the pairs."""
    sizes = np.diff(start)
    of = np.repeat(np.arange(len(sizes)), sizes)
    k = sizes[of]
    first, q = _draw(share * (k - 1), len(share), count, rng)
    place, other = first - start[of[first]], rng.integers(0, k[first] - 1)
    second = first - place + other + (other >= place)
    # Either of the two may have been drawn first.
    q *= (1 + share[second] / share[first]) / (k[first] - 1)
    return first, second, q


def entry_shares(
    start: Offsets, who: Index, score: Floats, weight: Floats, points: Points, p: float
) -> Floats:
    """Return ``w h^p`` of each entry, h being its point's distance from the mean of its contest."""
    sizes = np.diff(start)
    of = np.repeat(np.arange(len(sizes)), sizes)
    total = np.zeros(len(who))
    residual = (score - points.x[who]) / points.size
    for value in (residual, *(row[who] for row in points.z)):
        total += (value - (sum_by(of, value, len(sizes)) / np.maximum(sizes, 1))[of]) ** 2
    return np.asarray(weight[of] * np.sqrt(total) ** p)


def _some_pairs(problem: Problem, rng: np.random.Generator) -> Judgments:
    """Write out small contests, and of large ones ``PARTNERS`` pairs per entrant, reweighted."""
    k = problem.sizes
    large = k > 2 * PARTNERS + 1
    pairs = k * (k - 1) // 2
    few = np.where(large, 0, pairs)
    number = np.arange(few.sum()) + np.repeat(np.cumsum(pairs - few) - pairs + few, few)
    first, second = entries_of_pairs(problem.start, number)
    of = problem.contest_of_entry
    one = np.repeat(np.flatnonzero(large[of]), PARTNERS)
    step = rng.integers(1, k[of[one]])
    # The next one is always a partner: that joins them all.
    step[::PARTNERS] = 1
    begin = problem.start[of[one]]
    other = begin + (one - begin + step) % k[of[one]]
    weight = np.where(large, problem.pair_weight * (k - 1) / (2 * PARTNERS), problem.pair_weight)
    first, second = np.append(first, one), np.append(second, other)
    y = problem.score[first] - problem.score[second]
    return Judgments(problem.who[first], problem.who[second], y, weight[of[first]], problem.names)
