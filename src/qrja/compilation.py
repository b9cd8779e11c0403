"""Compile every inner loop on purpose, so that nobody waits for one later.

Small problems call each solver and each ranker once; what is compiled already is only loaded.
Whoever builds an image, or runs tests side by side, does this beforehand: ``qrja compile``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from qrja.jit import compiling_all

if TYPE_CHECKING:
    from qrja.data import Contests


class Compiled(NamedTuple):
    """How many loops were compiled, the seconds that took, and where they are kept, if anywhere."""

    loops: int
    seconds: float
    folder: str | None


def compile_parts(
    parts: Iterable[str] | None = None, progress: Callable[[str, int, int], None] | None = None
) -> Compiled:
    """Compile the loops of some parts, by default of all; ``progress`` is told (part, done, all).

    Examples
    --------
    >>> compile_parts([]).loops
    0
    """
    chosen, begin = list(PARTS if parts is None else parts), perf_counter()
    with compiling_all() as work:
        for done, name in enumerate(chosen):
            if progress is not None:
                progress(f"compiling {name}", done, len(chosen))
            PARTS[name]()
    return Compiled(work.count, perf_counter() - begin, work.folder)


def _contests() -> Contests:
    from qrja.data import Contests

    return Contests.from_arrays("AABBCCC", "xyyzxyz", [3, 1, 2, 0, 5, 2, 1])


def _solve_contests(p: float) -> None:
    from qrja.solvers import solve

    solution = solve(_contests(), p)
    if p == 1:
        solution.face().undecided()


def _solve_pairs() -> None:
    from qrja.solvers import solve

    pairs = _contests().to_judgments()
    solve(pairs, 1).face().undecided()
    solve(pairs, 1.5)


def _solve_rings() -> None:
    """Solve what has too many candidates for what small graphs are solved by."""
    from qrja.data import Judgments
    from qrja.solvers import solve

    solve(Judgments.from_arrays(np.arange(60), (np.arange(60) + 7) % 60, np.arange(60) % 5), 1.5)


def _solve_many() -> None:
    """Solve by passes over pairs that are not written out."""
    from qrja.data import Contests
    from qrja.solvers import solve

    who = np.tile(np.arange(700), 2)
    solve(Contests.from_arrays(np.repeat([0, 1], 700), who, np.sin(np.arange(1_400))), 1.5)


def _learn(*names: str) -> None:
    from qrja.rankers import make_ranker

    for ranker in map(make_ranker, names):
        for contest in _contests():
            ranker.scores(contest.who)
            ranker.learn(contest)


def _resist() -> None:
    """Find resistances of chains, which are hard: of one that is written out, and of a long one."""
    from qrja.data import Judgments
    from qrja.laplacian import resistances_of

    for m in (30, 3_100):
        chain = Judgments.from_arrays(np.arange(m), np.arange(1, m + 1), np.ones(m))
        every = np.ones(chain.n, dtype=bool)
        resistances_of(chain, every, 0.0, every).between(np.array([0]), np.array([9]))


def _solve_in_passes() -> None:
    from qrja.losses import Power
    from qrja.scale import (
        Aim,
        InMemory,
        add_evening,
        add_up,
        find_shares,
        resample_passes,
        solve_passes,
    )

    contests = _contests()
    passes, label = InMemory.of(contests), contests.components
    for p in (2.0, 1.0, 1.5):
        x = solve_passes(passes, contests.names, Aim.of(p)).x
    add_up(passes, add_evening, contests.n + 2, x, x)
    shares = find_shares(passes, label, x, precise=False)
    for loss in (Power(2), Power(1)):
        resample_passes(passes, label, x, shares, count=2, seed=0, loss=loss)


def _track() -> None:
    from qrja.adaptive import DRIFTS, Trackers
    from qrja.data import Contest

    trackers = Trackers(DRIFTS)
    for size in (2, 101):
        who = np.arange(size, dtype=np.int32)
        trackers.learn(Contest(size, who, who.astype(np.float64)))


PARTS: dict[str, Callable[[], None]] = {
    "p = 1": lambda: _solve_contests(1),
    "p < 1": lambda: _solve_contests(0.5),
    "p = infinity": lambda: _solve_contests(math.inf),
    "standard errors": _resist,
    "l1 and Kemeny-Young in back-tests": lambda: _learn("qrja-l1", "kemeny-young"),
    "p = 1 of pairs": _solve_pairs,
    "p = 1.5": lambda: _solve_contests(1.5),
    "p = 1.5 of many": _solve_rings,
    "solving in passes": _solve_in_passes,
    "p = 1.5 of very many": _solve_many,
    "strengths that move": _track,
    "other rankers": lambda: _learn(
        "qrja-auto", "mf-rank1", "mf-rank5", "mf-additive", "plackett-luce"
    ),
}
"""What is compiled together, by names for people who wait."""
