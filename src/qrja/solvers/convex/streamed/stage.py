"""Contests, candidates and components, in the units in which Newton's method sees them.

    F(x)  =  sum over components of  top unit^p [ sum over pairs w f(e_i - e_j)
                                                  + ridge sum_v (x_v - goal_v)^2 ]

with ``e = (score - x) / unit`` and the w, ridge, x and goal of the brackets in units too: ``unit``
is the largest residual of a component and ``top`` its largest weight. p is the power, or 2 for any
other loss, whose bend moves with the unit.

Contestants seen once are folded (:mod:`~qrja.solvers.convex.folding`), those that are anchored do
not move, and contests among anchored ones only are a component of their own, the last, that nobody
can improve.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from qrja.data import Contests, Floats, Index, Offsets, sum_by
from qrja.laplacian import (
    Operator,
    Systems,
    by_component,
    conjugate_gradients,
    factor_of_meetings,
    jacobi,
)
from qrja.losses import KnownLoss
from qrja.solution import Demands
from qrja.solvers.convex.folding import Folded
from qrja.solvers.demands import centre_where_relative, free_components

SMALLEST_UNIT = 1e-140
"""Of a component without residuals: its square is still a float."""
FIRST_SOLVE, ROUNDS = 1e-4, 4
"""Accuracy of the squares that Newton's method starts from, and how often it is asked for."""


class ContestStage:
    """Everything that stays the same while scores improve, and the unit of each component."""

    def __init__(
        self, problem: Contests, demands: Demands, folded: Folded, loss: KnownLoss
    ) -> None:
        self.problem, self.demands, self.folded, self.loss = problem, demands, folded, loss
        self.p = loss.power or 2.0
        label = free_components(problem, demands.free).astype(np.int64)
        label[folded.followers] = label[~demands.free] = -1
        self.count = int(label.max(initial=-1)) + 1
        self.moves = label >= 0
        self.label = np.where(self.moves, label, self.count)
        start, self.who = folded.start, folded.who
        self.start, self.size = start, np.diff(start)
        self.contest = np.repeat(np.arange(len(self.size), dtype=np.int32), self.size)
        # The component of a contest is that of any entrant who can move, or the last.
        self.group = np.full(len(self.size), self.count)
        np.minimum.at(self.group, self.contest, self.label[self.who])
        weight = problem.pair_weight
        self.top = np.full(self.count + 1, np.finfo(np.float64).tiny)
        np.maximum.at(self.top, self.group, weight)
        self.top[self.top == np.finfo(np.float64).tiny] = 1.0
        self.weight = weight / self.top[self.group]
        self.entrants = sum_by(self.contest, folded.count, len(self.size))
        self.score = self._centre(folded.score)
        self.unit = np.ones(self.count + 1)
        self._strong: Operator | None = None
        self._has_looked = False

    # --------------------------------------------------------------------- sums and spreading

    def _centre(self, values: Floats) -> Floats:
        """Take off what the entries of a contest share: it carries no information, only digits."""
        total = sum_by(self.contest, self.folded.count * values, len(self.size))
        return np.asarray(values - (total / np.maximum(self.entrants, 1.0))[self.contest])

    def by_component(self, per_entry: Floats) -> Floats:
        """Sum over the entries of each component."""
        return sum_by(self.group[self.contest], per_entry, self.count + 1)

    def by_candidate(self, per_entry: Floats) -> Floats:
        """Sum over the entries of each candidate; 0 for those that do not move."""
        return np.where(self.moves, sum_by(self.who, per_entry, self.problem.n), 0.0)

    def of_candidates(self, per_candidate: Floats) -> Floats:
        """Sum over the candidates of each component."""
        return sum_by(self.label, per_candidate, self.count + 1)

    def of_contests(self, per_component: Floats) -> Floats:
        """Give every contest the number of its component."""
        return np.asarray(per_component[self.group])

    @property
    def systems(self) -> Systems:
        """Which candidates are one system of equations."""
        # Those that do not move are 0 in every vector, and no second system.
        return by_component(np.minimum(self.label, max(self.count - 1, 0)))

    # ------------------------------------------------------------------------- units and ridge

    def residuals(self, x: Floats) -> Floats:
        """Return the residual of each entry, centred in its contest, in units."""
        e = self._centre(self.score - x[self.who])
        return np.asarray(e / self.of_contests(self.unit)[self.contest])

    def measure_units(self, x: Floats) -> Floats:
        """Take the largest residual of each component for its unit; return by what they grew."""
        before, e = self.unit, self._centre(self.score - x[self.who])
        lowest, highest = (np.zeros(len(self.size)) for _ in range(2))
        np.minimum.at(lowest, self.contest, e)
        np.maximum.at(highest, self.contest, e)
        self.unit = np.full(self.count + 1, SMALLEST_UNIT)
        np.maximum.at(self.unit, self.group, highest - lowest)
        if self.demands.ridge > 0:
            away = np.where(self.moves, x - self.demands.goal, 0.0)
            pull = self.demands.ridge * self.of_candidates(away * away) / self.top
            pairs = 0.5 * sum_by(self.group, self.weight * self.entrants**2, self.count + 1)
            share = pull / np.maximum(pairs, 1.0)
            # A ridge may leave residuals that are far smaller than what it pulls at.
            self.unit = np.maximum(self.unit, share ** (1 / self.p))
        return self.unit / before

    def largest_score(self, x: Floats) -> Floats:
        """Return the size of the numbers that residuals of each component are differences of."""
        most = np.zeros(self.count + 1)
        size = np.abs(x[self.who]) + np.abs(self.score)
        np.maximum.at(most, self.group[self.contest], size)
        return most

    @property
    def ridge(self) -> Floats:
        """The ridge of each candidate, in units; 0 for those that do not move."""
        if self.demands.ridge == 0:
            return np.zeros(self.problem.n)
        factor = np.clip(self.demands.ridge * self.unit ** (2 - self.p) / self.top, 1e-200, 1e150)
        return np.where(self.moves, factor[self.label], 0.0)

    def away(self, x: Floats) -> Floats:
        """Return how far each candidate is from where the ridge pulls it, in units."""
        return np.where(self.moves, (x - self.demands.goal) / self.unit[self.label], 0.0)

    def move(self, x: Floats, step: Floats) -> Floats:
        """Return scores moved by a step in units, for all candidates, centred where that is due."""
        x = x + np.where(self.moves, self.unit[self.label] * step, 0.0)
        return self.settle(x)

    def settle(self, x: Floats) -> Floats:
        """Put those who are folded beside their leaders, and centre."""
        x = np.where(self.demands.free, x, self.demands.goal)
        return centre_where_relative(self.problem, self.demands, self.folded.unfold_scores(x))

    # -------------------------------------------------------------------------- linear systems

    def solve(
        self, multiply: Operator, diagonal: Floats, gradient: Floats, accuracy: float, limit: int
    ) -> tuple[Floats, int]:
        """Solve for a step: ``multiply`` takes a vector per entry, the rest is per candidate."""
        ridge = 2 * self.ridge

        def product(v: Floats) -> Floats:
            return self.by_candidate(multiply(v[self.who])) + ridge * v

        def run(precondition: Operator) -> tuple[Floats, int, bool]:
            return conjugate_gradients(
                product, gradient, precondition, tol=accuracy, limit=limit, systems=self.systems
            )

        if self._strong is None:
            found, steps, arrived = run(jacobi(diagonal + ridge))
            if not arrived and not self._has_looked:
                self._has_looked, self._strong = True, self._factorise()
            if self._strong is None:
                return found, steps
        return run(self._strong)[:2]

    def _factorise(self) -> Operator | None:
        """Factorise the squares of a long and narrow graph: degrees tell nothing of what is far.

        With a ridge or anchors they are another matrix, and degrees have to do.
        """
        if self.demands.ridge > 0 or not self.demands.free.all():
            return None
        shape = len(self.size), self.problem.n
        entrants = csr_array((self.folded.count, self.who, self.start), shape=shape)
        return factor_of_meetings(entrants, self.weight, self.label)

    def least_squares(self) -> Floats:
        """Return the scores that squares of the same residuals would prefer."""
        mass = self.folded.count * self.weight[self.contest]

        def multiply(v: Floats) -> Floats:
            total = sum_by(self.contest, self.folded.count * v, len(self.size))
            return np.asarray(mass * (self.entrants[self.contest] * v - total[self.contest]))

        x = self.settle(self.demands.goal)
        diagonal = self.by_candidate(mass * (self.entrants[self.contest] - self.folded.count))
        # Again on the residuals until they stay: where judgments agree, nothing else is left.
        for _ in range(ROUNDS):
            self.unit = np.ones(self.count + 1)
            gradient = self.by_candidate(multiply(self.residuals(x)))
            gradient = gradient - self.ridge * self.away(x)
            step, _ = self.solve(multiply, diagonal, gradient, FIRST_SOLVE, 200)
            x = self.move(x, step)
            self.measure_units(x)
            change = np.zeros(self.count + 1)
            np.maximum.at(change, self.label, np.abs(step))
            if (change <= 1e-2 * self.unit)[:-1].all():
                break
        return x


def find_entries(start: Offsets, who: Index, contest: Offsets, sought: Index) -> Offsets:
    """Return an entry of each sought member in its contest.

    Examples
    --------
    >>> start, who = np.array([0, 2, 4]), np.array([5, 3, 3, 4])
    >>> find_entries(start, who, np.array([1, 0]), np.array([3, 3]))
    array([2, 1])
    """
    width = int(max(who.max(initial=0), sought.max(initial=0))) + 1
    keys = np.repeat(np.arange(len(start) - 1), np.diff(start)) * width + who
    order = np.argsort(keys, kind="stable")
    return np.asarray(order[np.searchsorted(keys[order], contest * width + sought)])
