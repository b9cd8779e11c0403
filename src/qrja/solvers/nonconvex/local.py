"""0 < p < 1: a local optimum of  sum_i w_i |x_a - x_b - y_i|^p.

Finding the best x is NP-hard (see :mod:`qrja.hardness`). The loss is concave wherever no residual
changes sign, so an optimum lies where the judgments with residual 0 join all candidates of a
component: it is given by a spanning tree of them. Cutting one edge of the tree splits the
candidates in two; shifting one side is a move to another tree. The search

1. begins at least squares, at the l1 optimum and at random spanning trees;
2. shifts groups of candidates joined by residuals 0 until a tree joins them all;
3. shifts the sides of all cuts of the tree, and all single candidates, while that lowers the loss;

and keeps the best x for each component. The result is ``local``: no shift of a side of a cut of the
tree, or of a single candidate, is better. That is no proof that nothing else is, and
``solution.gap`` is infinite. The more judgments, the shorter is the search
(:class:`SearchLimits`): fewer starts and rounds, only short shifts, and sides of cuts only where
they are small. Residuals that are no more than the rounding of their scores count as 0: the power p
would make them look large.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from qrja.data import (
    Contests,
    Floats,
    Judgments,
    Problem,
    as_float,
    centre,
    sum_by,
    whole_number,
)
from qrja.errors import InputError
from qrja.laplacian import exact_residuals
from qrja.solution import ROUNDED_TO, Minimised, Solution
from qrja.solvers.l1 import solve_l1
from qrja.solvers.l2 import solve_l2

if TYPE_CHECKING:
    from qrja.solvers.nonconvex.kernels.zero_trees import HalfJudgments

MOST_ROUNDS = 10_000
"""Rounds of shifts; some tens are needed."""
MOST_PAIRS = 50_000_000
"""Judgments up to which contests are written out."""


class SearchLimits(NamedTuple):
    """How hard to look.

    Starts, rounds, how many shifts of a group are tried, the shortest, how many more, sampled from
    all, and how many judgments the candidates of a group may have for it to be shifted.
    """

    starts: int
    rounds: int = MOST_ROUNDS
    most: int = 2**62
    sampled: int = 0
    widest: int = 2**62


SMALL, MIDDLE, LARGE = 500, 5_000, 2_000_000
"""Judgments beyond which the search is shortened more and more: each step grows with the square of
them. All shifts of a group instead of the 16 shortest and as many others saved 0.1 % of the loss of
9,000 and of 49,000 judgments in many times the time, and none of 1,000 to 5,000."""
WHOLE = SearchLimits(7)
"""What is done up to the first: seven starts found the best of 299 in 300 small problems."""
SHORTER = {
    SMALL: SearchLimits(5, most=16, sampled=16),
    MIDDLE: SearchLimits(2, most=16, sampled=16, widest=2_000),
}
SHORT = SearchLimits(starts=1, rounds=5, most=8, widest=2_000)
"""What is done beyond the last: on 22,500,000 judgments it takes minutes."""
ROUGH, ROUGHLY = 0.01, SearchLimits(1, rounds=3, most=8, sampled=8, widest=1_000)
"""A tolerance, and what is done up to two million judgments for whoever has it: losses of 9,000 and
49,000 judgments were 0.5 % above those of the usual search, in a tenth of the time."""


def solve_nonconvex(
    problem: Contests | Judgments,
    p: float,
    *,
    starts: int | None = None,
    seed: int = 0,
    start: Solution | None = None,
    tol: float = 1e-9,
    progress: Callable[[float], None] | None = None,
) -> Solution:
    """Find a good local optimum of ``sum w |x_a - x_b - y|^p`` for 0 < p < 1.

    Parameters
    ----------
    problem : Contests or Judgments
        What to aggregate. The pairs of contests are written out.
    p : float
        The power of the loss, between 0 and 1.
    starts : int, optional
        How many starts to try: least squares, l1, then random spanning trees. Beyond two million
        judgments only the first; unless given, seven up to 500 judgments, five up to
        5,000 and two beyond.
    seed : int
        Of the random trees; equal seeds give equal results.
    start : Solution, optional
        Of a problem whose candidates are the first ones of this problem: one more start.
    tol : float
        From 0.01 on the search is short, and begins at least squares alone.
    progress : callable, optional
        Told the smallest loss so far, after each start.

    Returns
    -------
    Solution
        ``status`` is ``"local"``, ``lower_bound`` 0 and ``gap`` infinite: nothing is proved.

    Examples
    --------
    >>> j = Judgments.from_arrays(["A", "B", "A"], ["B", "C", "C"], [1, 1, 5], [2, 1, 2])
    >>> solution = solve_nonconvex(j, 0.5)
    >>> x = solution.x - solution.x[2]
    >>> x.tolist(), solution.status
    ([5.0, 4.0, 0.0], 'local')
    """
    begin = time.perf_counter()
    label = problem.components  # which the pairs share, and of contests it is found sooner
    judgments = written_out(problem, p)
    effort = effort_on(judgments, starts, tol)
    w, halves = judgments.w, halves_of(judgments)
    x, loss, rounds = np.zeros(problem.n), np.full(problem.n, np.inf), 0
    for begin_at in _starts(problem, judgments, effort, seed, start):
        found, taken = descend(judgments, halves, begin_at, p, effort)
        losses = sum_by(label[judgments.a], w * powers(judgments, found, p), problem.n)
        x = np.where((losses < loss)[label], found, x)
        loss, rounds = np.minimum(losses, loss), rounds + taken
        if progress is not None:
            progress(float(loss.sum()))
    x = settle(judgments, halves, x)
    return Solution(
        x=x,
        names=problem.names,
        objective=float(w @ powers(judgments, x, p)),
        lower_bound=0.0,
        gap=np.inf,
        components=label,
        status="local",
        certificate="none",
        optimum="local",
        loss=f"|t|^{p:g}",
        iterations=rounds,
        seconds=time.perf_counter() - begin,
        minimised=Minimised(float(p)),
    )


def written_out(problem: Problem, p: float) -> Judgments:
    """Check p and return the judgments, those of contests written out if they are not too many."""
    if not 0 < as_float(p) < 1:
        raise InputError(f"p is {p!r}; here it lies between 0 and 1: for p >= 1 call qrja.solve")
    if problem.m > MOST_PAIRS and not problem.directed:
        raise InputError(
            f"the contests stand for {problem.m} pairs and p < 1 needs them written out;"
            f" draw at most {MOST_PAIRS} with qrja.subsample"
        )
    return problem.to_judgments()


def effort_on(problem: Judgments, starts: int | None = None, tol: float = 0.0) -> SearchLimits:
    """Return how hard to look at a problem, with so many starts if anybody asks for them."""
    asked = None if starts is None else whole_number(starts, "starts", 1)
    if problem.m > LARGE:
        return SHORT
    passed = [limits for beyond, limits in SHORTER.items() if problem.m > beyond]
    effort = ROUGHLY if tol >= ROUGH else passed[-1] if passed else WHOLE
    return effort if asked is None else effort._replace(starts=asked)


def descend(
    problem: Judgments, halves: HalfJudgments, x: Floats, p: float, effort: SearchLimits
) -> tuple[Floats, int]:
    """Go from x to a local optimum of power p; return it and the number of rounds."""
    from qrja.solvers.nonconvex.kernels import zero_trees as kernels

    n, x, rounds = problem.n, x.copy(), 0
    order, through, size = (np.empty(n, dtype=np.int64) for _ in range(3))
    components = int(problem.components.max(initial=-1)) + 1
    memory = kernels.new_memory(n, problem.m)
    best, least = x.copy(), np.inf
    while rounds < effort.rounds:
        halves = halves._replace(zero=rounding_of(problem, x))
        trees, before = kernels.search_zero_tree(halves, x, order, through, size), n + 1
        # Rounding may undo a join: then as many trees are left as before.
        while components < trees < before:
            kernels.join_trees(halves, memory, x, p, order, through, size, *effort[2:4])
            before, trees = trees, kernels.search_zero_tree(halves, x, order, through, size)
        rounds += 1
        loss = float(problem.w @ powers(problem, x, p))
        if not loss < least and rounds > 1:
            break
        best, least = x.copy(), loss
        if not kernels.shift_cuts(halves, memory, x, p, order, through, size, *effort[2:]):
            break
    return best, rounds


def settle(problem: Judgments, halves: HalfJudgments, x: Floats) -> Floats:
    """Centre x and take it anew along residuals 0: a start far away has cost digits."""
    from qrja.solvers.nonconvex.kernels import zero_trees as kernels

    x = centre(x, problem.components)
    order, through, size = (np.empty(problem.n, dtype=np.int64) for _ in range(3))
    halves = halves._replace(zero=rounding_of(problem, x))
    kernels.search_zero_tree(halves, x, order, through, size)
    return centre(x, problem.components)


def powers(problem: Judgments, x: Floats, p: float) -> Floats:
    """Return ``|x_a - x_b - y|^p`` of each judgment, 0 where that is rounding.

    Examples
    --------
    >>> j = Judgments.from_arrays(["A", "A"], ["B", "B"], [0.3, 4.3])
    >>> powers(j, np.array([0.1 + 0.2, 0.0]), 0.5)
    array([0., 2.])
    """
    a, b, y = problem.a, problem.b, problem.y
    r = np.abs(exact_residuals(y, x[a], x[b]))
    return np.where(r > ROUNDED_TO * (np.abs(x[a]) + np.abs(x[b]) + np.abs(y)), r, 0.0) ** p


def halves_of(problem: Judgments) -> HalfJudgments:
    """Return every judgment from both sides, grouped by candidate; ``zero`` depends on scores."""
    from qrja.solvers.nonconvex.kernels.zero_trees import HalfJudgments

    tail = np.concatenate([problem.a, problem.b])
    order = np.argsort(tail, kind="stable")
    return HalfJudgments(
        start=np.append(0, np.cumsum(np.bincount(tail, minlength=problem.n))),
        tail=tail.astype(np.int64)[order],
        head=np.concatenate([problem.b, problem.a]).astype(np.int64)[order],
        row=order % max(problem.m, 1),
        margin=np.append(problem.y, -problem.y)[order],
        weight=np.tile(problem.w, 2)[order],
        zero=np.zeros(problem.n),
    )


def _starts(
    problem: Contests | Judgments,
    judgments: Judgments,
    effort: SearchLimits,
    seed: int,
    start: Solution | None,
) -> Iterator[Floats]:
    least_squares = solve_l2(problem)
    if start is not None:
        known = min(len(start.x), problem.n)
        yield np.append(start.x[:known], least_squares.x[known:])
    # The convex problem shows the way.
    if effort.starts > 1:
        yield solve_l1(problem, start=least_squares).x
    yield least_squares.x
    rng = np.random.default_rng(seed)
    for _ in range(effort.starts - 2):
        yield _random_tree(judgments, rng)


def _random_tree(problem: Judgments, rng: np.random.Generator) -> Floats:
    """Return scores that satisfy the judgments of a random spanning tree."""
    from qrja.solvers.nonconvex.kernels.zero_trees import scores_of_tree

    rows = rng.permutation(problem.m)
    return np.asarray(scores_of_tree(problem.n, rows, problem.a, problem.b, problem.y))


def rounding_of(problem: Judgments, x: Floats) -> Floats:
    """Return the size of residual, per candidate, that is rounding in its component.

    The search takes such residuals for 0, lest it go round in circles. It is 1e-12 of the largest
    margin and 1e-14 of the range of the scores.

    Examples
    --------
    >>> rounding_of(Judgments.from_arrays("a", "b", [2.0]), np.array([1.0, -1.0]))
    array([2.02e-12, 2.02e-12])
    """
    label = problem.components
    margin, top, bottom = (np.zeros(int(label.max(initial=-1)) + 1) for _ in range(3))
    np.maximum.at(margin, label[problem.a], np.abs(problem.y))
    np.maximum.at(top, label, x)
    np.minimum.at(bottom, label, x)
    return np.asarray((1e-12 * margin + 1e-14 * (top - bottom))[label])
