"""A growing l1 problem: contests are appended, and each solve goes on from the last."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from qrja.data import (
    Contests,
    Floats,
    Index,
    Pairs,
    check_pairs,
    distinct_values,
    dot,
    floats,
    graph,
    indices,
    same_length,
    weigh_pairs,
)
from qrja.errors import InputError
from qrja.jit import is_ready
from qrja.solution import UNIT, Solution
from qrja.solvers.l1.contest_log import ContestLog
from qrja.solvers.l1.contest_simplex import ContestSimplex
from qrja.solvers.l1.driver import (
    COARSER,
    Account,
    Optimum,
    OutOfRangeError,
    Progress,
    check_optimum,
    snapped_first,
    solution,
)
from qrja.solvers.l1.face import Face
from qrja.solvers.l1.grid import (
    SCORE_BITS,
    WEIGHT_BITS,
    IntegerGrid,
    Integers,
    fits_scale,
    integer_weights,
    weight_scale,
)
from qrja.solvers.l1.near_l2 import on_grid
from qrja.solvers.l1.rounding_gap import contest_gap
from qrja.solvers.l1.written import WrittenSimplex, written_fits
from qrja.solvers.second_try import try_again
from qrja.solvers.weighing import MOST_PAIRS, weigh_again

Simplex = ContestSimplex | WrittenSimplex


class L1Stream:
    """Contests that arrive one after another, and their l1 optimum at any time.

    What an append costs is what it changes: forest and scores of the last optimum are kept.

    Parameters
    ----------
    pairs : {"unit", "mean", "additive"}
        What a pair weighs, see :class:`qrja.Contests`.
    often : bool
        Whether it will be solved after every contest. Then few contests are solved in arrays until
        the inner loops are compiled: the same scores, by another flow where several prove them.
    begin : array of float, optional
        Scores near the optimum of the contests that are solved first, where they are known.

    Examples
    --------
    >>> stream = L1Stream()
    >>> stream.append([0, 1, 2], [30, 20, 10])
    >>> stream.solve().x
    array([ 10.,   0., -10.])
    >>> stream.append([0, 2, 3], [25, 15, 5])
    >>> solution = stream.solve()
    >>> solution.objective, solution.face().difference(0, 2)
    (20.0, (10.0, 20.0))
    """

    def __init__(
        self, *, pairs: Pairs = "unit", often: bool = False, begin: Floats | None = None
    ) -> None:
        check_pairs(pairs)
        self.pairs, self.often, self.begin = pairs, often, begin
        self.log = ContestLog()
        self._simplex: Simplex | None = None
        self._grid = IntegerGrid(1, 0, 0, True)
        self._scale, self._has_exact_weights = 1.0, True
        self._bits, self._snap = SCORE_BITS, True
        self._entered = 0
        self._total = 0.0

    def append(self, who: ArrayLike, score: ArrayLike, weight: float = 1.0) -> None:
        """Append one contest.

        Parameters
        ----------
        who : array of int
            Numbers of the contestants, from 0; a number left out is a component of its own.
        score : array of float
            Their scores; bigger is better.
        weight : float
            How much the contest counts.
        """
        scores = floats(score, "score")
        numbers = indices(who, int(np.iinfo(np.int32).max), "contestant")
        same_length(who=numbers, score=scores)
        if len(distinct_values(numbers)) < len(numbers):
            raise InputError("the contest lists a contestant twice; keep one entry per contestant")
        weights = floats([weight], "weight", positive=True)
        weights = weights * weigh_pairs(self.pairs, np.array([len(numbers)]))
        self.log.add(np.array([len(numbers)]), numbers, scores, weights)

    def extend(self, contests: Contests, first: int = 0) -> None:
        """Append the contests from number ``first`` on, with what their pairs weigh.

        The contestants of earlier ones keep their numbers.
        """
        rows = slice(int(contests.start[first]), None)
        weight = contests.pair_weight[first:]
        self.log.add(contests.sizes[first:], contests.who[rows], contests.score[rows], weight)

    def solve(
        self,
        optimum: Optimum = "central",
        *,
        tol: float = 1e-9,
        progress: Progress | None = None,
    ) -> Solution:
        """Return the optimum of all contests so far; contestants are called 0, 1, ...

        Parameters are those of :func:`qrja.solvers.l1.solve_l1`.
        """
        check_optimum(optimum)
        found = self.solve_as(tuple(range(self.log.n)), None, optimum, tol, progress)
        sizes = self.log.sizes
        if found.status == "optimal" or (sizes * (sizes - 1) // 2).sum() > MOST_PAIRS:
            return found
        problem = self.log.to_judgments()
        return try_again(problem, weigh_again(problem, found, tol), tol)

    def solve_as(
        self,
        names: tuple[object, ...],
        components: Index | None,
        optimum: Optimum,
        tol: float,
        progress: Progress | None,
    ) -> Solution:
        """Solve, with names and components already known."""
        begin = time.perf_counter()
        if components is None:
            components = graph.components(self.log.n, self.log.start, self.log.who)

        def attempt(snap: bool) -> tuple[Solution, IntegerGrid]:
            if not snap:
                self._snap, self._simplex = False, None
            result = self._solve_once(names, components, optimum, tol, progress, begin)
            return result, self._grid

        return snapped_first(attempt)

    def _solve_once(
        self,
        names: tuple[object, ...],
        components: Index,
        optimum: Optimum,
        tol: float,
        progress: Progress | None,
        begin: float,
    ) -> Solution:
        old = self._simplex
        before = 0 if old is None else old.pivots
        simplex = self._run(progress)
        pull, moment = simplex.prove(), Moment(self, self.log.contests)
        return solution(
            names,
            self._face(simplex, components),
            optimum,
            lambda x: self._measure(simplex, pull, x),
            Account(
                iterations=simplex.pivots - (before if simplex is old else 0),
                begin=begin,
                tol=tol,
                flow=moment.flow,
                face=lambda: moment.face(components),
                state=moment,
            ),
        )

    # ------------------------------------------------------------------ the state

    def _run(self, progress: Progress | None) -> Simplex:
        """Let in the contests that have arrived since the last time, and pivot to the optimum."""
        while True:
            # Whatever interrupts us in here, the next solve begins from the stored contests.
            simplex, self._simplex = self._simplex, None
            if simplex is None:
                simplex = self._begin()
            elif self._entered < self.log.contests:
                if not self._fits() or not self._suits(simplex):
                    continue
                self._enter(simplex)
            self._simplex = simplex
            try:
                simplex.run(progress)
            except OutOfRangeError:
                self._simplex = None
                self._bits -= COARSER
                if self._bits <= 0:
                    raise RuntimeError("the scores add up to more than int64 can hold") from None
                continue
            return simplex

    def _begin(self) -> Simplex:
        """Choose the grid of everything that is here, and enter it."""
        log = self.log
        self._grid = IntegerGrid.of(log.score, log.origin_from(0), self._bits, snap=self._snap)
        pairs = log.sizes * (log.sizes - 1) / 2
        self._scale, self._has_exact_weights = weight_scale(log.weight, pairs)
        self._entered, self._total = 0, 0.0
        begin = None if self.begin is None else on_grid(self.begin * self._grid.unit)
        simplex = WrittenSimplex(begin) if self._is_written() else ContestSimplex(begin)
        self._enter(simplex)
        return simplex

    def _is_written(self) -> bool:
        """Tell whether arrays do better than loops: of few contests, with nothing compiled."""
        from qrja.solvers.l1.kernels.pivot import run

        if not self.often or is_ready(run):
            return False
        return written_fits(self.log.n, self.log.sizes, self._integer_weights())

    def _suits(self, simplex: Simplex) -> bool:
        return isinstance(simplex, ContestSimplex) or self._is_written()

    def _fits(self) -> bool:
        """Tell whether the contests that are not here yet fit the grid and the weights."""
        log, first = self.log, self._entered
        score = log.score[log.start[first] :]
        if not self._grid.holds(score, log.origin_from(first), self._bits):
            return False
        weight, sizes = log.weight[first:], log.sizes[first:]
        if not fits_scale(weight[sizes > 1], self._scale, self._has_exact_weights):
            return False
        more = dot(weight, sizes * (sizes - 1) / 2) * self._scale
        return self._total + more < 2.0**WEIGHT_BITS

    def _enter(self, simplex: Simplex) -> None:
        log, first = self.log, self._entered
        rows, sizes = slice(int(log.start[first]), None), log.sizes[first:]
        weight = self._integer_weights()[first:]
        if len(sizes):
            score = self._grid.integers(log.score[rows], log.origin_from(first))
            simplex.extend(sizes, log.who[rows], score, weight)
        self._total += float((weight * (sizes * (sizes - 1) / 2)).sum())
        self._entered = log.contests

    def _integer_weights(self) -> Integers:
        # Contests without a pair have no say in the scale, which theirs might not fit.
        weight = np.where(self.log.sizes > 1, self.log.weight, 0.0)
        return integer_weights(weight, self._scale, self._has_exact_weights)

    # ------------------------------------------------------------------ what is asked of it

    def _face(self, simplex: Simplex, components: Index) -> Face:
        node_of, offset = simplex.node_of[: self.log.n].copy(), simplex.offset[: self.log.n].copy()
        # Whoever has not been seen yet, though later numbers have, is a node that nothing limits.
        unseen = np.flatnonzero(node_of < 0)
        node_of[unseen] = simplex.node_count + np.arange(len(unseen))
        x = np.zeros(simplex.node_count + len(unseen), dtype=np.int64)
        x[: simplex.node_count] = simplex.node_scores
        grid, limits = self._grid, simplex.limits()  # of now: the simplex may go on
        return Face(x, lambda: limits, node_of, offset, grid.unit, components, grid.slack)

    def _measure(
        self, simplex: Simplex, pull: Integers | Floats, x: Integers
    ) -> tuple[float, float, float]:
        """Return the loss, what of it could be saved at most, and what may be rounding."""
        log, unit = self.log, self._grid.unit
        if self._grid.is_exact and self._has_exact_weights:
            return simplex.loss(pull) / unit / self._scale, 0.0, 0.0
        score = self._grid.integers(log.score, log.origin_from(0))
        error, pulls = self._grid.errors(log.score), simplex.pull_of_rows(pull) / self._scale
        rows = log.start, x[log.who] - score, error, log.weight
        loss, excess = contest_gap(*rows, pulls, self._factor())
        # Every entry is in as many pairs as there are others.
        pairs = np.repeat(log.weight * (log.sizes - 1), log.sizes)
        rounding = UNIT * dot(pairs, np.abs(x[log.who]) + np.abs(score))
        return loss / unit, excess / unit, rounding / unit

    def _factor(self) -> float:
        """By how much a flow within the integer weights can pass the true ones."""
        if self._has_exact_weights:
            return 1.0
        has_pairs = self.log.sizes > 1
        ratio = self._integer_weights() / self._scale / self.log.weight
        return float(ratio[has_pairs].max(initial=1.0))


@dataclass(frozen=True)
class Moment:
    """A stream as it was when it was solved, to be asked for later or to go on from."""

    stream: L1Stream
    contests: int

    @property
    def is_current(self) -> bool:
        """Whether the stream still stands there."""
        return self.stream.log.contests == self.contests

    def _again(self) -> L1Stream:
        """Return a stream that stands there; one that has moved on is solved again to there."""
        if self.is_current:
            return self.stream
        again, log, last = L1Stream(), self.stream.log, self.contests
        rows = slice(0, int(log.start[last]))
        again.log.add(log.sizes[:last], log.who[rows], log.score[rows], log.weight[:last])
        return again

    def flow(self) -> Floats:
        """Return the flow of all pairs."""
        stream = self._again()
        simplex = stream._run(None)
        return simplex.flow(stream.log.start) / stream._scale / stream._factor()

    def face(self, components: Index) -> Face:
        """Return the set of all optima."""
        stream = self._again()
        return stream._face(stream._run(None), components)
