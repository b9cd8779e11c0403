"""Cycles: how much of the disagreement goes round in circles, and which circles are worst.

Let ``y`` be the margin of each pair of candidates, averaged over their meetings with weights that
add up to w. What least squares cannot explain splits into three parts that are orthogonal, so that
their squares add up:

- **repeats**: meetings of one pair that differ from their own average;
- **triangles**: margins round triangles, ``y_ab + y_bc + y_ca != 0``, the curl of the margins;
- **longer**: what only longer circles show.

A triangle alone forces a loss of ``curl^2 / (1/w_ab + 1/w_bc + 1/w_ca)``, whatever the ratings:
the worst ones are the largest by that.

References
----------
X. Jiang, L.-H. Lim, Y. Yao and Y. Ye, Statistical ranking and combinatorial Hodge theory, 2011.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array, csr_array

from qrja.data import (
    Contests,
    Floats,
    Index,
    Judgments,
    MergedJudgments,
    Offsets,
    Problem,
    dot,
    merge_parallel,
)
from qrja.laplacian import conjugate_gradients
from qrja.solvers import solve_checked

MOST_PAIRS = 3_000_000
"""Judgments up to which all candidates are looked at."""
MOST_WEDGES = 400_000
"""Pairs of neighbours to try as triangles, up to which all are looked at."""
CHOSEN = 80
"""Candidates that are looked at otherwise: those with the most results."""

EXACT, STEPS = 1e-7, 300
"""Relative accuracy of the part round triangles, and the most steps taken for it."""

AGREE = 1e-14
"""Share of the squared margins below which a disagreement is rounding."""
ROUNDING = 1e-7
"""Share of the disagreement below which a part of it is rounding."""


@dataclass(frozen=True)
class Triangle:
    """Three candidates whose margins do not add up.

    Parameters
    ----------
    who : tuple of int
        Numbers of the candidates a, b, c, turned so that the curl is positive.
    margins : tuple of float
        Average margins of a over b, of b over c and of c over a.
    forced : float
        The loss that the triangle alone forces.
    """

    who: tuple[int, int, int]
    margins: tuple[float, float, float]
    forced: float

    @property
    def curl(self) -> float:
        """By how much the margins miss adding up."""
        return sum(self.margins)


@dataclass(frozen=True)
class Circles:
    """How the disagreement splits.

    Parameters
    ----------
    repeats, triangles, longer : float
        Shares of the loss that no rating explains; they add up to 1, or are all 0.
    worst : tuple of Triangle
        The worst triangles.
    limited : bool
        Whether only the candidates with the most results were looked at.
    candidates : int
        How many candidates were looked at.
    count : int
        How many triangles there are among them.
    """

    repeats: float
    triangles: float
    longer: float
    worst: tuple[Triangle, ...]
    limited: bool
    candidates: int
    count: int


def find_circles(problem: Problem, most: int = 3) -> Circles:
    """Split the disagreement and list the worst triangles.

    Examples
    --------
    >>> circle = Judgments.from_arrays("abc", "bca", [1, 1, 1])
    >>> circles = find_circles(circle)
    >>> round(circles.triangles, 9), circles.worst[0].curl
    (1.0, 3.0)
    """
    judgments = _limited(problem)
    pairs = merge_parallel(judgments)
    if wedges(pairs, judgments.n) > MOST_WEDGES:
        judgments = _among(judgments, _busiest(np.append(judgments.a, judgments.b), judgments.n))
        pairs = merge_parallel(judgments)
    corners = list_triangles(pairs, judgments.n)
    noise = AGREE * float(judgments.w @ judgments.y**2)
    y = pairs.sign * judgments.y
    within = float(judgments.w @ (y - pairs.margin[pairs.of]) ** 2)
    repeats, triangles, longer = _split(pairs, corners, within, judgments.names, noise)
    return Circles(
        repeats,
        triangles,
        longer,
        worst=_worst(pairs, corners, most, noise),
        limited=judgments.m < problem.m,
        candidates=len(np.union1d(pairs.low, pairs.high)),
        count=len(corners),
    )


def _split(
    pairs: MergedJudgments,
    corners: Offsets,
    within: float,
    names: tuple[Hashable, ...],
    noise: float,
) -> tuple[float, float, float]:
    """Return the shares of repeats, triangles and longer circles; all 0 if nothing is left."""
    x = solve_checked(Judgments(pairs.low, pairs.high, pairs.margin, pairs.weight, names), p=2).x
    left = pairs.margin - x[pairs.low] + x[pairs.high]
    between = float(pairs.weight @ left**2)
    total = within + between
    if total <= noise:
        return 0.0, 0.0, 0.0
    triangles = min(_curl_part(pairs, corners, left), between)
    longer = between - triangles
    if longer <= ROUNDING * total:
        triangles, longer = between, 0.0
    return within / total, triangles / total, longer / total


def _limited(problem: Problem) -> Judgments:
    """Return the judgments, of the busiest contestants only if they are too many to write out."""
    if problem.directed or problem.m <= MOST_PAIRS:
        return problem.to_judgments()
    keep = _busiest(problem.who, problem.n)[problem.who]
    kept = Contests.from_numbers(
        problem.contest_of_entry[keep],
        problem.who[keep],
        problem.score[keep],
        names=problem.names,
        labels=problem.labels,
        # The weight of a pair stays what it was in the whole contest.
        weight=problem.pair_weight,
    ).to_judgments()
    back = np.array([problem.number[name] for name in kept.names], dtype=np.int32)
    return Judgments(back[kept.a], back[kept.b], kept.y, kept.w, problem.names)


def _busiest(who: Index, n: int) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    chosen = np.zeros(n, dtype=bool)
    chosen[np.argsort(-np.bincount(who, minlength=n), kind="stable")[:CHOSEN]] = True
    return chosen


def _among(
    judgments: Judgments, chosen: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]
) -> Judgments:
    keep = chosen[judgments.a] & chosen[judgments.b]
    a, b = judgments.a[keep], judgments.b[keep]
    return Judgments(a, b, judgments.y[keep], judgments.w[keep], judgments.names)


def wedges(pairs: MergedJudgments, n: int) -> int:
    """Count the pairs of neighbours that :func:`list_triangles` tries."""
    out = np.bincount(_directed(pairs, n)[0], minlength=n)
    return int((out * (out - 1) // 2).sum())


def _directed(pairs: MergedJudgments, n: int) -> tuple[Index, Index]:
    """Point every pair from the candidate with fewer neighbours to the one with more."""
    degree = np.bincount(np.append(pairs.low, pairs.high), minlength=n)
    swap = degree[pairs.low] > degree[pairs.high]
    return np.where(swap, pairs.high, pairs.low), np.where(swap, pairs.low, pairs.high)


def list_triangles(pairs: MergedJudgments, n: int) -> Offsets:
    """List the triangles as rows of three pairs: (i, j), (j, k) and (i, k) for i < j < k.

    Examples
    --------
    >>> pairs = merge_parallel(Judgments.from_arrays("abac", "bccd", [1, 1, 1, 1]))
    >>> list_triangles(pairs, 4)
    array([[0, 2, 1]])
    """
    tail, head = _directed(pairs, n)
    order = np.lexsort((head, tail))
    tail, head = tail[order], head[order]
    # Every two pairs that leave one candidate: the second comes after the first.
    end = np.searchsorted(tail, tail, side="right")
    later = end - np.arange(len(tail)) - 1
    first = np.repeat(np.arange(len(tail)), later)
    second = first + 1 + np.arange(len(first)) - np.repeat(np.cumsum(later) - later, later)
    corner = np.sort(np.stack([tail[first], head[first], head[second]], axis=1), axis=1)
    sides = [_find(pairs, corner[:, i], corner[:, j], n) for i, j in ((0, 1), (1, 2), (0, 2))]
    rows = np.stack(sides, axis=1)
    return np.asarray(rows[(rows >= 0).all(axis=1)])


def _find(pairs: MergedJudgments, low: Index, high: Index, n: int) -> Offsets:
    """Return the number of each pair, -1 where there is none."""
    key = pairs.low.astype(np.int64) * n + pairs.high
    wanted = low.astype(np.int64) * n + high
    at = np.minimum(np.searchsorted(key, wanted), max(len(key) - 1, 0))
    return np.where(key[at] == wanted, at, -1) if len(key) else np.full(len(low), -1)


def _curls(margin: Floats, corners: Offsets) -> Floats:
    ij, jk, ik = margin[corners.T]
    return np.asarray(ij + jk - ik)


def _curl_part(pairs: MergedJudgments, corners: Offsets, left: Floats) -> float:
    """Return the part of ``sum w left^2`` that circulates round triangles."""
    if not len(corners):
        return 0.0
    count, rows = len(corners), np.repeat(np.arange(len(corners)), 3)
    sign = np.tile([1.0, 1.0, -1.0], count)
    root = np.sqrt(pairs.weight)
    # Orthogonal to all gradients in the weights w are the flows of circles over w.
    values = sign / root[corners.ravel()]
    curl: csr_array = coo_array((values, (corners.ravel(), rows)), shape=(len(root), count)).tocsr()
    return _projected_square(curl, root * left)


def _projected_square(basis: csr_array, goal: Floats) -> float:
    """Return the square of the projection of a vector on the columns of a basis.

    Conjugate gradients on the normal equations.
    """
    turned = basis.T.tocsr()
    x, _, _ = conjugate_gradients(
        lambda d: turned @ (basis @ d), turned @ goal, lambda r: r, tol=EXACT, limit=STEPS
    )
    image = np.asarray(basis @ x)
    return dot(image, image)


def _worst(
    pairs: MergedJudgments, corners: Offsets, most: int, noise: float
) -> tuple[Triangle, ...]:
    if not len(corners):
        return ()
    curl = _curls(pairs.margin, corners)
    forced = curl**2 / (1 / pairs.weight[corners]).sum(axis=1)
    order = np.argsort(-forced, kind="stable")[:most]
    found = []
    for row in order[forced[order] > noise].tolist():
        ij, jk, ik = (int(e) for e in corners[row])
        i, j, k = int(pairs.low[ij]), int(pairs.high[ij]), int(pairs.high[jk])
        one, two, three = (float(pairs.margin[e]) for e in (ij, jk, ik))
        if curl[row] > 0:
            found.append(Triangle((i, j, k), (one, two, -three), float(forced[row])))
        else:
            found.append(Triangle((i, k, j), (three, -two, -one), float(forced[row])))
    return tuple(found)
