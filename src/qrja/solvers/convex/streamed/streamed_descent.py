"""Newton's method on contests whose pairs are looked at again and again, and never kept.

Per component, in units of its largest residual, as in :mod:`qrja.solvers.convex.descent`::

    x = least squares;  e = (score - x) / unit;  eps = FIRST_EPS
    repeat
        slopes and curvatures of all pairs, summed up by entry             one pass over the pairs
        solve for the step dx by conjugate gradients                       a pass for each product
        x += t dx, with t where the derivative fell to a quarter           a pass for each trial
        if the decrement was small: prove x by the flow of the step        one pass
        shrink eps by how well the full step fitted
    until what x may still save is tol of the loss

A pass takes a vector per entry and gives sums per entry (:mod:`.pair_sums`). Products are made in
single precision: they only say where to go, and what they leave is seen in double precision by the
next gradient and by the proof. For powers of very large contests a pass is two sweeps over sorted
entries (:mod:`.swept`): only systems are smoothed then, so eps always shrinks, and a proof costs no
more than a gradient. With Huber's loss it is a walk along windows.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable

import numpy as np

from qrja.data import Contests, Floats, Mask
from qrja.jit import may_compile
from qrja.losses import KnownLoss
from qrja.solution import UNIT, Demands, Minimised, Proved, Solution, prove
from qrja.solvers.convex.conclusion import check_flow, enlarge
from qrja.solvers.convex.folding import Folded
from qrja.solvers.convex.step_length import search, shrinkage
from qrja.solvers.convex.streamed.pair_blocks import PairBlocks
from qrja.solvers.convex.streamed.pair_sums import PairSums
from qrja.solvers.convex.streamed.stage import ContestStage
from qrja.solvers.convex.streamed.streamed_proof import PairWeigher
from qrja.solvers.convex.streamed.swept import NearSums, SweptSums, SweptWeigher, is_swept
from qrja.solvers.convex.streamed.weigher import Weighed, Weigher, Witness
from qrja.solvers.demands import comparable

MOST_STEPS = 60
"""Some ten are needed for p between 1.2 and 5; beyond, pairs that are written out do better."""
FIRST_EPS, WARM_EPS, SMALLEST_EPS = 0.3, 0.03, 1e-12
"""The smoothing begins with, with scores that are good already, and ends with; measured."""
CLOSE = 0.3
"""A decrement below this times the root of the tolerance is worth a proof."""
ACCURACY, FINEST = 1e-2, 1e-6
"""Of linear systems: at first, and all that products in single precision allow."""
PATIENCE = 4
"""Proofs that were hardly better, with systems as exact as they get, before it is left at that."""
MOST_PAIRS = 200_000_000
"""Pairs that are looked at where sweeps did not suffice: some minutes."""
PRODUCTS = 150
"""Passes that a system may take."""


def solve_streamed(
    problem: Contests,
    loss: KnownLoss,
    demands: Demands,
    folded: Folded,
    *,
    start: Solution | None = None,
    tol: float = 1e-8,
    progress: Callable[[float], None] | None = None,
    swept: bool | None = None,
) -> Solution:
    """Minimise a smooth loss of contests, with some 200 bytes for each entry and none for pairs.

    Powers and Huber's loss of very large contests do not even look at pairs (:mod:`.swept`), unless
    that is decided by ``swept``. Where that does not suffice, and pairs are not too many, they are
    looked at.

    Examples
    --------
    >>> from qrja.losses import Power
    >>> from qrja.solvers.convex.folding import fold_contests
    >>> from qrja.solvers.demands import demands_on
    >>> races = Contests.from_arrays([1, 1, 2, 2, 3, 3], "abbcca", [1, 0, 1, 0, 1, 0])
    >>> folded = fold_contests(races, np.zeros(3, dtype=bool))
    >>> solution = solve_streamed(races, Power(1.5), demands_on(races), folded)
    >>> solution.status, solution.x.round(6) + 0.0
    ('optimal', array([0., 0., 0.]))
    """
    begin = time.perf_counter()
    stage = ContestStage(problem, demands, folded, loss)
    quickly = is_swept(folded, loss) if swept is None else swept
    descent = StreamedDescent(stage, tol, start, quickly)
    with np.errstate(all="ignore"):
        descent.run(progress)
        proved, norm = descent.conclude()
    found = Solution(
        x=descent.best_x,
        names=problem.names,
        components=comparable(problem, demands),
        certificate="flow",
        optimum="unique" if loss.is_strict or demands.ridge > 0 else "any",
        loss=str(loss),
        iterations=descent.steps,
        seconds=time.perf_counter() - begin,
        norm=norm,
        minimised=Minimised(loss.power, loss, demands),
        _flow=descent.flow,
        **proved._asdict(),
    )
    may_look = swept is None and folded.count_pairs() <= MOST_PAIRS
    if quickly and may_look and found.status != "optimal":
        return solve_streamed(
            problem, loss, demands, folded, start=found, tol=tol, progress=progress, swept=False
        )
    return found


class StreamedDescent:
    """The loop; the best scores of each component, and what proves them, are kept."""

    def __init__(
        self, stage: ContestStage, tol: float, start: Solution | None, swept: bool = False
    ) -> None:
        self.stage, self.tol, self.swept = stage, 0.5 * tol, swept
        # The price of a leak falls slower than its square beyond p = 2, and sweeps go on.
        self.least = 1e-22 if swept else 1e-15
        about = stage.start, stage.folded.count, stage.weight, stage.loss
        compiled = stage.loss.formula is not None and may_compile()
        self.sums: PairSums | PairBlocks | SweptSums | NearSums
        if swept:
            self.sums = quick = (SweptSums if stage.loss.power else NearSums)(*about)
            self.weigher: Weigher = SweptWeigher(stage, quick)
        else:
            self.sums = sums = PairSums(*about) if compiled else PairBlocks(*about)
            self.weigher = PairWeigher(stage, sums)
        self.x, warm = self._begin(start)
        count = stage.count + 1
        self.eps = np.full(count, WARM_EPS if warm else FIRST_EPS)
        self.accuracy, self.steps = ACCURACY, 0
        # Where judgments agree, what is left of residuals is rounding, and nobody follows that.
        agree = stage.unit <= 8 * UNIT * stage.largest_score(self.x)
        self.idle = np.where(agree, PATIENCE, 0)
        self.gap = np.full(count, np.inf)
        self.gap[-1] = 0.0
        self.best_x = self.x
        self.best: Weighed | None = None
        self.best_unit = stage.unit.copy()
        self.norm: float | None = None

    def _begin(self, start: Solution | None) -> tuple[Floats, bool]:
        stage = self.stage
        x = stage.least_squares()
        if start is None:
            return x, False
        known = dict(zip(start.names, start.x.tolist(), strict=True))
        names: tuple[Hashable, ...] = stage.problem.names
        given = np.array([known.get(name, np.nan) for name in names], dtype=np.float64)
        if np.isnan(given).any():
            return x, False
        given = stage.settle(given)
        stage.measure_units(given)
        return given, True

    def run(self, progress: Callable[[float], None] | None) -> None:
        """Take steps until every component is proved, or nothing more can be gained."""
        while self.steps < MOST_STEPS and self._is_open().any():
            self.steps += 1
            self._step()
            if progress is not None:
                progress(float(self.gap.max()))

    def _is_open(self) -> Mask:
        return (self.gap > self.tol) & (self.eps >= SMALLEST_EPS) & (self.idle < PATIENCE)

    def _step(self) -> None:
        stage = self.stage
        if stage.p > 2:
            grown = stage.measure_units(self.x)
            self.eps = np.minimum(self.eps / grown, 1.0)
        unit, eps = stage.of_contests(stage.unit), stage.of_contests(self.eps)
        e, away, ridge = stage.residuals(self.x), stage.away(self.x), stage.ridge
        found = self.sums.slopes(e, eps, unit)
        squares = stage.of_candidates(ridge * away**2)
        value = stage.by_component(found.value) + squares
        gradient = stage.by_candidate(found.slope) - 2 * ridge * away
        step, _ = stage.solve(
            self.sums.system(e, eps, unit),
            stage.by_candidate(found.curvature),
            gradient,
            self.accuracy,
            PRODUCTS,
        )
        decrement = stage.of_candidates(gradient * step)
        turn = -step[stage.who]
        stuck = ~((decrement > self.least * value) & np.isfinite(decrement) & self._is_open())

        def look(t: Floats) -> tuple[Floats, Floats]:
            moved = e + stage.of_contests(t)[stage.contest] * turn
            there = self.sums.slopes(moved, eps, unit)
            held = away + t[stage.label] * step
            total = stage.by_component(there.value) + stage.of_candidates(ridge * held**2)
            along = stage.by_component(there.slope * turn)
            return total, along + stage.of_candidates(2 * ridge * held * step)

        length, fit = search(look, stage.p, value, squares, decrement, stuck)
        self.x = stage.move(self.x, length[stage.label] * step)
        close = ~(decrement > CLOSE * self.tol**0.5 * value)
        close &= self.swept | (self.eps < 0.5 * FIRST_EPS)
        if (close & self._is_open()).any():
            before = self.gap.copy()
            self._compare(self.weigher.weigh(self.x, e, turn, self.eps))
            late = close & (self.gap > self.tol) & (self.gap > 0.5 * before)
            self.idle += late & (self.accuracy <= FINEST)
            if late.any():
                self.accuracy = max(1e-2 * self.accuracy, FINEST)
        shrunk = shrinkage(fit)
        if isinstance(self.sums, SweptSums):
            shrunk = np.minimum(shrunk, 0.3)
        self.eps = self.eps * np.where(stuck & self._is_open(), 0.1, shrunk)

    def _compare(self, now: Weighed) -> None:
        """Keep the scores, and what proves them, of the components whose gap is the best so far."""
        stage = self.stage
        gap = np.where(now.excess > 0, np.minimum(now.excess / now.cost, 1.0), 0.0)
        better = gap < self.gap
        better[-1] = self.best is None
        if self.best is None or better.all():
            self.best, self.best_x, self.best_unit = now, self.x, stage.unit.copy()
        elif better.any():
            self.best = _mix(stage, better, now, self.best)
            self.best_x = np.where(self._everyone(better), self.x, self.best_x)
            self.best_unit = np.where(better, stage.unit, self.best_unit)
        self.gap = np.minimum(gap, self.gap)

    def _everyone(self, chosen: Mask) -> Mask:
        """Tell whose component is chosen, for those too who are folded."""
        label = self.stage.label.copy()
        contests = self.stage.folded.contests
        leader = self.stage.folded.who[self.stage.folded.place]
        label[contests.who] = np.where(
            label[contests.who] < self.stage.count, label[contests.who], label[leader]
        )
        return np.asarray(chosen[label])

    def conclude(self) -> tuple[Proved, float | None]:
        """Add components up; return what is proved, and for a power its norm."""
        stage = self.stage
        if self.best is None:
            self._compare(
                self.weigher.weigh(self.x, stage.residuals(self.x), 0 * stage.score, self.eps)
            )
        assert self.best is not None
        unit = float(self.best_unit.max(initial=0.0)) or 1.0
        size = stage.top * (self.best_unit / unit) ** stage.p
        cost, excess, rounding = (
            float(np.sum(size * part))
            for part in (
                self.best.cost,
                np.minimum(self.best.excess, self.best.cost),
                self.best.rounding,
            )
        )
        told = prove(cost, excess, rounding, 2 * self.tol)
        proved = told._replace(
            objective=enlarge(told.objective, unit, stage.p),
            lower_bound=enlarge(told.lower_bound, unit, stage.p),
            rounding=enlarge(told.rounding, unit, stage.p),
        )
        self.norm = unit * cost ** (1 / stage.p) if stage.loss.power else None
        return proved, self.norm

    def flow(self) -> Floats:
        """Write the flow of all pairs out."""
        assert self.best is not None
        stage, flow = self.stage, self.weigher.flow(self.best.witness)
        one, other = stage.folded.ends
        contest = stage.contest[one]
        with np.errstate(over="ignore", invalid="ignore"):
            lift = stage.top * self.best_unit ** (stage.p - 1)
            flow *= (stage.weight * lift[stage.group])[contest] * stage.folded.count[one]
            flow = check_flow(flow * stage.folded.count[other], self.norm)
        return stage.folded.unfold_flow(flow)


def _mix(stage: ContestStage, better: Mask, now: Weighed, best: Weighed) -> Weighed:
    """Take the better components from one weighing and the others from another."""
    contests = better[stage.group]
    entries = contests[stage.contest]
    new, old = now.witness, best.witness
    chosen = contests[stage.contest[new.ends[0]]] if len(new.ends[0]) else np.zeros(0, dtype=bool)
    return Weighed(
        np.where(better, now.cost, best.cost),
        np.where(better, now.excess, best.excess),
        np.where(better, now.rounding, best.rounding),
        Witness(
            np.where(entries, new.e, old.e),
            np.where(entries, new.turn, old.turn),
            np.where(contests, new.eps, old.eps),
            np.where(contests, new.unit, old.unit),
            np.where(contests, new.steepest, old.steepest),
            np.where(contests, new.scale, old.scale),
            new.ends,
            np.where(chosen, new.extra, old.extra),
        ),
    )
