"""Many draws at once: any loss minimised by steps of least squares, a column for each draw.

With e the noise of a draw, d the deviation of its ratings and L the Laplacian of the pairs,

    d  <-  d + t / k  L^+ g(d),       g(d)_i = sum over pairs ij of w f'(e_i - d_i - e_j + d_j)

where k is the mean curvature of f over the noise, so that ``k L`` is the Hessian to be expected.
One step from 0 is the classical linear form of an estimate; some more find what the draw itself
says. All draws share L, whose inverse is at hand, and every step is arithmetic on whole arrays: 200
draws cost no more than some fits, whether loops are compiled or not. How many steps and draws are
taken follows from the counts of pairs alone, so that the same seed gives the same everywhere.

Steps shrink as ``t = 1 / (1 + j / 4)``, and where they grow instead of ending, each draw by itself;
the place is taken whose step is the shortest.
Losses without a kink arrive within a hundredth of the spread. For p = 1, whose optimum is a corner,
steps come near it and no further: of few pairs some draws are solved to the end, and all are
stretched by the ratio of the spreads of these.

References
----------
P. J. Bickel, One-step Huber estimates in the linear model, 1975.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from qrja.data import Floats, Offsets, Problem, distinct_values
from qrja.losses import KnownLoss
from qrja.ratings.fitted import Fit

WORK = 30_000_000
"""Pairs, and four times the entries, by draws by steps: about a second."""
FEWEST_STEPS, MOST_STEPS = 12, 60
FEWEST_DRAWS = 50
"""Draws whose spread is known to a tenth; bounds allow for that."""
CHECKED, MOST_CHECKED = 1_000, 16
"""Pairs that are solved to the end, over all draws, and draws at the most."""
NEAR = 0.3
"""By how much of the noise residuals are moved to see the mean curvature."""
STEEPEST = 4.0
"""The largest power whose curvature is near enough to its mean."""
SLOWING = 4.0
"""Steps after which they are half as long."""
GROWN, BACK, LOST = 0.7, 0.1, 4.0
"""What is left of steps after one that is longer than the shortest, and after one that is so many
times as long."""
LONG_RANKED = 8
"""Entrants from which sums of signs are counted by ranks, which sorts instead of comparing all."""


class Effort(NamedTuple):
    """How many draws, and steps for all of them; how many are solved to the end."""

    draws: int
    steps: int
    checked: int


def choose_effort(entries: int, pairs: int, draws: int, *, exactly: bool = False) -> Effort:
    """Choose by the counts of entries and of pairs; so many draws, or at most so many.

    Examples
    --------
    >>> choose_effort(40, 60, 200)
    Effort(draws=200, steps=60, checked=16)
    >>> choose_effort(2_000, 49_000, 200)
    Effort(draws=50, steps=12, checked=0)
    >>> choose_effort(2_000, 49_000, 200, exactly=True)
    Effort(draws=200, steps=12, checked=0)
    """
    each = max(pairs + 4 * entries, 1)
    affordable = max(WORK // (each * FEWEST_STEPS), FEWEST_DRAWS)
    fewer = draws if exactly else min(draws, affordable)
    steps = min(max(WORK // (each * fewer), FEWEST_STEPS), MOST_STEPS)
    return Effort(fewer, steps, min(CHECKED // max(pairs, 1), MOST_CHECKED, fewer))


def can_deviate(ratings: Fit) -> bool:
    """Tell whether a loss has slopes that pull, not too unevenly, and L an inverse at hand."""
    minimised = ratings.solution.minimised
    if minimised is None or minimised.loss is None or (minimised.loss.power or 0) > STEEPEST:
        return False
    return ratings.covariance.is_written and ratings.covariance.n == ratings.problem.n


def deviate_at_once(
    ratings: Fit,
    noise: Floats,
    effort: Effort,
    solve: Callable[[Floats], Floats],
) -> Floats:
    """Return what the noise of entries, a column for each draw, makes of the ratings.

    ``solve`` does the same for one column, to the end.
    """
    minimised = ratings.solution.minimised
    assert minimised is not None
    assert minimised.loss is not None
    pulls = Pulls(ratings.problem, minimised.loss)
    curvature = pulls.mean_curvature(noise)
    deviations = np.zeros((ratings.problem.n, noise.shape[1]))
    if not curvature > 0:
        return deviations
    way = Way(deviations)
    for j in range(effort.steps):
        pull = pulls.gather(noise, way.here)
        way.go(ratings.covariance.solve(pull / curvature), 1.0 / (1.0 + j / SLOWING))
    deviations = way.best
    return _stretch(deviations, noise[:, : effort.checked], solve)


class Way:
    """Where each draw is, and where its step was shortest, from which a lost one starts again."""

    def __init__(self, here: Floats) -> None:
        self.here = self.best = here
        self.step, self.limit = np.zeros_like(here), np.ones(here.shape[1])
        self.length = np.full(here.shape[1], np.inf)

    def go(self, step: Floats, share: float) -> None:
        """Go a share of a step, and less where steps grew; go back where they got out of hand."""
        length = np.sqrt((step**2).mean(axis=0))
        length[np.isnan(length)] = np.inf
        shorter, lost = length <= self.length, ~(length <= LOST * self.length)
        self.best = np.where(shorter, self.here, self.best)
        self.step = np.where(shorter, step, self.step)
        self.limit = np.where(lost, BACK, np.where(shorter, 1.0, GROWN)) * self.limit
        self.length = np.where(shorter, length, self.length)
        onward = np.where(lost, self.best, self.here), np.where(lost, self.step, step)
        self.here = onward[0] + share * self.limit * onward[1]


def _stretch(deviations: Floats, some: Floats, solve: Callable[[Floats], Floats]) -> Floats:
    """Solve some draws to the end, and give all the spread that these have."""
    if not some.shape[1]:
        return deviations
    ended = np.stack([solve(column) for column in some.T], axis=1)
    found, seen = float((ended**2).sum()), float((deviations[:, : some.shape[1]] ** 2).sum())
    if seen > 0 and found > 0:
        deviations = np.sqrt(found / seen) * deviations
    deviations[:, : some.shape[1]] = ended
    return deviations


class Pulls:
    """How the pairs of contests pull at their entrants, contests of one size at a time."""

    def __init__(self, problem: Problem, loss: KnownLoss) -> None:
        self.problem, self.loss = problem, loss
        self.order = np.argsort(problem.who, kind="stable")
        self.seen, first = np.unique(problem.who[self.order], return_index=True)
        self.first: Offsets = first

    def gather(self, noise: Floats, deviations: Floats) -> Floats:
        """Return g for each column."""
        left = noise - deviations[self.problem.who]
        pull = np.zeros_like(left)
        for entries, weight in self._blocks():
            pull[entries] = weight[:, None, None] * self._pull(left[entries])
        result = np.zeros_like(deviations)
        result[self.seen] = np.add.reduceat(pull[self.order], self.first, axis=0)
        return result

    def mean_curvature(self, noise: Floats) -> float:
        """Return the mean of ``f''`` over neighbouring entries, by how far slopes change nearby."""
        total, count = 0.0, 0
        for entries, _ in self._blocks():
            apart = noise[entries[:, :-1]] - noise[entries[:, 1:]]
            near = NEAR * float(np.abs(apart).mean())
            if near > 0:
                change = self.loss.slope(apart + near) - self.loss.slope(apart - near)
                total += float(change.sum()) / (2.0 * near)
            count += apart.size
        return total / max(count, 1)

    def _blocks(self) -> Iterator[tuple[Offsets, Floats]]:
        """Yield the entries of all contests of a size, a row for each, and what pairs weigh."""
        sizes, start = self.problem.sizes, self.problem.start
        for size in distinct_values(sizes[sizes > 1]).tolist():
            some = np.flatnonzero(sizes == size)
            yield start[some][:, None] + np.arange(size), self.problem.pair_weight[some]

    def _pull(self, left: Floats) -> Floats:
        """Sum the slopes over the pairs of contests, laid out as contest, entrant and draw."""
        size = left.shape[1]
        if self.loss.power == 1 and size >= LONG_RANKED:
            rank = np.argsort(np.argsort(left, axis=1), axis=1)
            return np.asarray(2.0 * rank - (size - 1.0))
        pull = np.zeros_like(left)
        for apart in range(1, size):
            slope = self.loss.slope(left[:, :-apart] - left[:, apart:])
            pull[:, :-apart] += slope
            pull[:, apart:] -= slope
        return pull
