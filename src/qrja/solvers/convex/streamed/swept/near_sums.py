"""Sums over all pairs of contests for Huber's loss, by windows over the sorted residuals.

Whoever is within delta of an entry pulls by a half square, everybody else by all they can: sums of
counts, residuals and squares over consecutive entries give both (``kernels/near``).

Newton's method begins with a wider delta, eps, where the steepest slope stays as it is: as soon as
eps is below delta, nothing is smoothed. Its systems have some curvature in all pairs, so that
entries with nobody near still move, and not beyond all others: ``eps^2`` of the mean, or a share of
the delta that those beyond would have if half squares were fitted to them (at a distance of 1).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from qrja.data import Floats, Offsets, sum_by
from qrja.losses import KnownLoss
from qrja.solvers.convex.streamed.pair_sums import Slopes
from qrja.solvers.convex.streamed.swept.swept_sums import Measured

ROUNDING = 16 * 2.0**-53
"""Units in the last place of what is summed: sums are compensated, and cost two."""
BEYOND = 0.1
"""That share, where eps is 1: it falls with the eighth root of eps; measured."""


class _Near(NamedTuple):
    """Of entries in ascending order: whose they are, who is near, and the sums of the kernel."""

    order: Offsets
    first: Offsets
    last: Offsets
    sums: Floats


class NearSums:
    """The pairs of contests, for Huber's loss; the arguments are those of ``PairSums``.

    Examples
    --------
    >>> from qrja.losses import Huber
    >>> sums = NearSums(np.array([0, 3]), np.ones(3), np.ones(1), Huber(1.5))
    >>> sums.measure(np.array([3.0, 1.0, 0.0]), np.ones(1)).slope
    array([ 3. , -0.5, -2.5])
    """

    def __init__(self, start: Offsets, count: Floats, weight: Floats, loss: KnownLoss) -> None:
        assert loss.window is not None
        self.delta, self.start, self.count, self.weight = loss.window, start, count, weight
        self.contest = np.repeat(np.arange(len(start) - 1), np.diff(start))
        self.mass = weight[self.contest] * count
        self.entrants = sum_by(self.contest, count, len(weight))
        self._last: tuple[Floats, Floats, _Near] | None = None

    def measure(self, e: Floats, unit: Floats) -> Measured:
        """Return the loss of residuals e and its slopes, and how far rounding may be off."""
        value, slope, _, through, size, _ = self._spread(self._look(e, self.delta / unit))
        return Measured(value, slope, through, ROUNDING, size)

    def beyond(self, e: Floats, unit: Floats) -> Floats:
        """Return half of the sums of ``delta (|e_i - e_j| - delta)`` over all who are not near."""
        return np.asarray(self._spread(self._look(e, self.delta / unit))[5])

    def slopes(self, e: Floats, eps: Floats, unit: Floats) -> Slopes:
        """Return the loss of residuals e, its slopes and its curvatures, all smoothed by eps."""
        value, slope, curvature = self._smooth(e, eps, unit)[1]
        return Slopes(value, slope, curvature + self._floor(curvature, eps, unit)[1])

    def system(self, e: Floats, eps: Floats, unit: Floats) -> Callable[[Floats], Floats]:
        """Return what multiplies a vector per entry by the smoothed curvatures of pairs."""
        near, (_, _, inside), share = self._smooth(e, eps, unit)
        floor, diagonal = self._floor(inside, eps, unit)
        diagonal, mass = diagonal + inside, share[self.contest] * self.mass

        def multiply(v: Floats) -> Floats:
            charged = self.count * v
            sums = np.append(0.0, np.cumsum(charged[near.order]))
            others = np.empty(len(v))
            others[near.order] = sums[near.last] - sums[near.first]
            total = sum_by(self.contest, charged, len(self.weight))[self.contest]
            everyone = floor * (total - charged)
            return np.asarray(diagonal * v - mass * (others - charged) - everyone)

        return multiply

    def _smooth(self, e: Floats, eps: Floats, unit: Floats) -> tuple[_Near, Floats, Floats]:
        """Return who is near, the first three sums, and the share of delta in its width."""
        delta = self.delta / unit
        width = np.maximum(delta, eps)
        near, share = self._look(e, width), delta / width
        return near, share[self.contest] * self._spread(near)[:3], share

    def _floor(self, inside: Floats, eps: Floats, unit: Floats) -> tuple[Floats, Floats]:
        """Return what every pair has more in systems, per entry, and these sums."""
        pairs = self.weight * self.entrants**2
        mean = sum_by(self.contest, inside, len(pairs)) / np.maximum(pairs, 1e-300)
        beyond = BEYOND * self.delta / unit * eps**0.125 * np.maximum(1 - mean, 0.0)
        floor = (np.maximum(eps**2 * mean, beyond))[self.contest] * self.mass
        return floor, floor * (self.entrants[self.contest] - self.count)

    def _spread(self, near: _Near) -> Floats:
        """Return sums in the order of the entries, times the weights of pairs."""
        back = np.empty_like(near.sums)
        back[:, near.order] = near.sums
        return np.asarray(back * self.weight[self.contest])

    def _look(self, e: Floats, width: Floats) -> _Near:
        from qrja.solvers.convex.streamed.swept.kernels.near import add_up_near

        # The system of a step is asked for where slopes were found.
        known = self._last
        if known is not None and known[0] is e and np.array_equal(known[1], width):
            return known[2]
        order = np.lexsort((e, self.contest))
        first, last, cell = np.empty((3, len(e)), dtype=np.int64)
        room, sums = np.empty((5, len(e))), np.empty((6, len(e)))
        given = self.start.astype(np.int64), e[order], self.count[order], width
        add_up_near(*given, first, last, cell, room, sums)
        found = _Near(order, first, last, sums)
        self._last = e, width, found
        return found
