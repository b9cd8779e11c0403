"""A growing l1 problem: contests are appended, and each solve goes on from the last."""

from __future__ import annotations

import time
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from qrja import graph
from qrja._arrays import Floats, Index, Offsets, floats, indices
from qrja.contests import Contests, Pairs, check_pairs
from qrja.errors import InputError
from qrja.solution import Solution, relative_gap
from qrja.solvers._contest_simplex import ContestSimplex, OutOfRange, Progress, grown
from qrja.solvers._grid import SCORE_BITS, WEIGHT_BITS, Grid, Integers, weight_scale

Optimum = Literal["central", "greatest"]
"""Which of several optima: see :mod:`qrja.solvers.face`."""

COARSER = 10
"""Bits given up when a score leaves the range of int64."""


class L1Stream:
    """Contests that arrive one after another, and their l1 optimum at any time.

    The cost of an append is that of the change, not of the whole problem.

    Parameters
    ----------
    pairs : {"unit", "mean"}
        What a pair weighs, see :class:`qrja.Contests`.

    Examples
    --------
    >>> stream = L1Stream()
    >>> stream.append([0, 1, 2], [30, 20, 10])
    >>> stream.append([0, 2], [25, 15])
    >>> stream.solve().x
    array([ 7.5, ...
    """

    def __init__(self, *, pairs: Pairs = "unit") -> None:
        check_pairs(pairs)
        self.pairs = pairs
        self.n = 0
        self.contests = 0
        self._start = np.zeros(1, np.int64)
        self._who = np.empty(0, np.int32)
        self._score = np.empty(0, np.float64)
        self._weight = np.empty(0, np.float64)
        self._simplex: ContestSimplex | None = None
        self._grid = Grid(1, 0, 0, True)
        self._scale = (1.0, True)
        self._total = 0.0
        self._bits = SCORE_BITS
        self._entered = 0
        self.version = 0

    def append(self, who: ArrayLike, score: ArrayLike, weight: float = 1.0) -> None:
        """Append one contest.

        Parameters
        ----------
        who : array of int
            Numbers of the contestants. Whoever is new has the next free number.
        score : array of float
            Their scores; bigger is better.
        weight : float
            How much the contest counts.
        """
        numbers = indices(who, self.n + len(np.atleast_1d(who)), "contestant")
        scores = floats(score, "score")
        if len(scores) != len(numbers):
            raise InputError(f"who has {len(numbers)} rows and score has {len(scores)}")
        if len(np.unique(numbers)) < len(numbers):
            raise InputError("the contest lists a contestant twice; keep one entry per contestant")
        new = np.unique(numbers[numbers >= self.n])
        if len(new) and new[-1] >= self.n + len(new):
            raise InputError(
                f"contestant number {new[-1]} comes before {self.n}; number them as they appear"
            )
        weights = floats([weight], "weight", positive=True)
        self._store(np.array([len(numbers)]), numbers, scores, weights)

    def extend(self, contests: Contests, first: int = 0) -> None:
        """Append the contests from number ``first`` on; earlier ones are here already."""
        rows = slice(int(contests.start[first]), int(contests.start[-1]))
        sizes, weights = contests.sizes[first:], contests.weight[first:]
        self._store(sizes, contests.who[rows], contests.score[rows], weights)

    def _store(self, sizes: Offsets, who: Index, score: Floats, weight: Floats) -> None:
        rows, count = int(self._start[self.contests]), len(sizes)
        self._start = grown(self._start, self.contests + count + 1)
        self._start[self.contests + 1 : self.contests + count + 1] = rows + np.cumsum(sizes)
        self._who, self._score = grown(self._who, rows + len(who)), grown(self._score, rows + len(who))
        self._who[rows : rows + len(who)], self._score[rows : rows + len(who)] = who, score
        self._weight = grown(self._weight, self.contests + count)
        if self.pairs == "mean":
            weight = weight / np.maximum(sizes - 1, 1)
        self._weight[self.contests : self.contests + count] = weight
        self.contests += count
        self.n = max(self.n, int(who.max(initial=-1)) + 1)
        self.version += 1

    # ------------------------------------------------------------------ solving

    def solve(
        self,
        optimum: Optimum = "central",
        *,
        tol: float = 1e-9,
        progress: Progress | None = None,
    ) -> Solution:
        """Return the optimum of all contests so far; candidates are called 0, 1, ...

        Parameters are those of :func:`solve_l1`.
        """
        contests = Contests._trusted(
            self.start, self.who, self.score, tuple(range(self.n)),
            tuple(range(self.contests)), self._weight[: self.contests], None, "unit",
        )  # fmt: skip
        return self.solve_as(contests, optimum, tol, progress)

    @property
    def start(self) -> Offsets:
        """The rows of contest c are ``start[c]:start[c + 1]``."""
        return self._start[: self.contests + 1]

    @property
    def who(self) -> Index:
        """The contestant of each row."""
        return self._who[: int(self._start[self.contests])]

    @property
    def score(self) -> Floats:
        """The score of each row."""
        return self._score[: int(self._start[self.contests])]

    def _run(self, progress: Progress | None) -> ContestSimplex:
        """Let the contests in that have arrived since the last time, and pivot to the optimum."""
        while True:
            simplex = self._simplex
            # Whatever interrupts us here, the next solve begins from the stored contests.
            self._simplex = None
            if simplex is None:
                simplex = self._begin()
            elif self._entered < self.contests and not self._let_in(simplex):
                continue
            try:
                simplex.run(progress)
            except OutOfRange:
                self._bits -= COARSER
                continue
            except KeyboardInterrupt:
                self._simplex = simplex
                raise
            self._simplex = simplex
            return simplex

    def _begin(self) -> ContestSimplex:
        simplex = ContestSimplex()
        sizes = np.diff(self.start)
        self._grid = Grid.of(self.score, self._origin(0), self._bits)
        self._scale = weight_scale(self._weight[: self.contests], sizes * (sizes - 1) / 2)
        self._entered, self._total = 0, 0.0
        self._enter(simplex)
        return simplex

    def _let_in(self, simplex: ContestSimplex) -> bool:
        """Let the new contests in, if they fit the grid."""
        rows = slice(int(self._start[self._entered]), None)
        if not self._grid.holds(self.score[rows], self._origin(self._entered), self._bits):
            return False
        weights = self._weight[self._entered : self.contests]
        scale, is_exact = self._scale
        if is_exact and (np.rint(weights * scale) / scale != weights).any():
            return False
        sizes = np.diff(self.start[self._entered :])
        if self._total + float(weights @ (sizes * (sizes - 1) / 2)) * scale >= 2.0**WEIGHT_BITS:
            return False
        self._enter(simplex)
        return True

    def _enter(self, simplex: ContestSimplex) -> None:
        first = self._entered
        rows = slice(int(self._start[first]), None)
        score = self._grid.integers(self.score[rows], self._origin(first))
        sizes = np.diff(self.start[first:])
        weight = self._integer_weights(first)
        if len(sizes):
            simplex.extend(sizes, self.who[rows], score, weight)
        self._total += float(weight @ (sizes * (sizes - 1) / 2))
        self._entered = self.contests

    def _integer_weights(self, first: int) -> Integers:
        scaled = np.rint(self._weight[first : self.contests] * self._scale[0])
        return np.maximum(scaled, 1.0).astype(np.int64)

    def _origin(self, first: int) -> Floats:
        """Return, for each row from contest ``first`` on, the score of the first row of its contest."""
        start = self.start[first:]
        return self._score[np.repeat(start[:-1], np.diff(start))]

    def solve_as(
        self, problem: Contests, optimum: Optimum, tol: float, progress: Progress | None
    ) -> Solution:
        """Solve, for a problem whose contests are those of the stream."""
        begin = time.perf_counter()
        check_optimum(optimum)
        before = self._simplex.pivots if self._simplex is not None else 0
        simplex = self._run(progress)
        pull = simplex.prove()
        unit = self._grid.unit
        x = (simplex.greatest() if optimum == "greatest" else simplex.scores()) / unit
        if optimum == "central":
            x = graph.centre(x, problem.components)
        objective = simplex.loss(pull) / unit / self._scale[0]
        excess = 0.0
        gap = relative_gap(objective, excess, objective, 1)
        return Solution(
            x=x,
            names=problem.names,
            objective=objective,
            lower_bound=objective - excess,
            gap=gap,
            components=problem.components,
            status="optimal" if gap <= tol else "inexact",
            certificate="flow",
            optimum=optimum,
            loss="|t|",
            iterations=simplex.pivots - before,
            seconds=time.perf_counter() - begin,
            _flow=lambda: simplex.flow(self.start) / self._scale[0],
        )


def check_optimum(optimum: str) -> None:
    """Check the name of a choice among optima."""
    if optimum not in get_args(Optimum):
        raise InputError(f"optimum is {optimum!r}; choose one of {', '.join(get_args(Optimum))}")
