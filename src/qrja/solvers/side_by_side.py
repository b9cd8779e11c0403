"""Several problems as one, side by side: nobody of one meets anybody of another.

The optimum of the whole is that of each part. Steps of Newton's method are arithmetic on arrays,
which takes little longer for a dozen problems of some hundreds of pairs than for one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from qrja.data import Contests, Floats, Judgments
from qrja.solution import Solution

PAIRS = 8_000
"""Pairs of all problems that are solved at once: of more, arithmetic takes longer than its calls,
and loops would be compiled for them."""


def solve_each(
    solve: Callable[[Contests | Judgments, Solution | None], Solution],
    problems: Sequence[Contests | Judgments],
    starts: Sequence[Solution | None],
) -> list[Floats]:
    """Return the scores of each problem, beginning at its start: all have one, or none has.

    ``solve`` knows nothing of candidates by name and gives each component what is best for it.

    Examples
    --------
    >>> from qrja.solvers import solve
    >>> first = Judgments.from_arrays("ab", "bc", [1, 2])
    >>> other = Judgments.from_arrays("aab", "bcc", [1, 5, 1])
    >>> both = solve_each(lambda them, start: solve(them, 1.5), [first, other], [None, None])
    >>> [x.round(6).tolist() for x in both]
    [[1.333333, 0.333333, -1.666667], [2.0, 0.0, -2.0]]
    """
    found: list[Floats] = []
    while len(found) < len(problems):
        rest = problems[len(found) :]
        passed = np.cumsum([problem.m for problem in rest]) > PAIRS
        count = max(int(passed.argmax()), 1) if passed.any() else len(rest)
        begins = [start for start in starts[len(found) : len(found) + count] if start is not None]
        both, begin = side_by_side(rest[:count]), None
        if begins:
            x = np.concatenate([start.x for start in begins])
            begin = replace(begins[0], x=x, names=both.names, components=both.components)
        ends = np.cumsum([problem.n for problem in rest[:count]])
        found += np.split(solve(both, begin).x, ends[:-1])
    return found


def side_by_side(problems: Sequence[Contests | Judgments]) -> Contests | Judgments:
    """Return problems of one kind as one, whose candidates are those of each in turn, and numbers.

    Examples
    --------
    >>> one = Judgments.from_arrays("ab", "bc", [1, 2])
    >>> both = side_by_side([one, one[:1]])
    >>> both.a.tolist(), both.b.tolist(), both.names
    ([0, 1, 3], [1, 2, 4], (0, 1, 2, 3, 4))
    """
    counts = [problem.n for problem in problems]
    first, names = np.cumsum(counts) - counts, tuple(range(sum(counts)))
    pairs = list(zip(problems, first.tolist(), strict=True))
    who = np.concatenate([problem.who + offset for problem, offset in pairs]).astype(np.int32)
    written = [problem for problem in problems if isinstance(problem, Judgments)]
    if written:
        y, w = (np.concatenate([getattr(each, it) for each in written]) for it in ("y", "w"))
        return Judgments(who[0::2], who[1::2], y, w, names)
    races = [problem for problem in problems if isinstance(problem, Contests)]
    score, weight = (
        np.concatenate([getattr(each, it) for each in races]) for it in ("score", "weight")
    )
    start = np.append(0, np.cumsum(np.concatenate([problem.sizes for problem in races])))
    labels = tuple(range(len(start) - 1))
    return Contests(start, who, score, names, labels, weight, pairs=races[0].pairs)
