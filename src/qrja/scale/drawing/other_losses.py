"""Resamples for losses that are not squares: steps of least squares, all of a block together.

    d  <-  d + t / k  L_m^+ g_m(x + d),      g_m(x)_i = sum over contests m w f'(e_i - e_j)

with ``L_m`` the Laplacian of what was drawn and k the mean curvature of f over all residuals, so
that ``k L_m`` is the curvature to be expected. Contests whose residuals stray further are less
curved by powers below 2, and weigh less in ``L_m``. What the curvature really is, the last step has
shown: t is the secant's,

    t  =  d' y / (y' L_m^+ y / k),      y = what the pulls changed by on the way d

for each resample by itself. A kink is rounded off, the less so the nearer the end is; where fewer
pairs of a candidate show the curvature, more steps are taken. Contests that count once each, drawn
as a resample among the others, go the same way, and where they end is what all deviations are from:
rounding off moves both.

Against resamples that were solved one by one, spreads are those of docs/guide-scale.md.

References
----------
J. Barzilai and J. M. Borwein, Two-point step size gradient methods, 1988.
P. J. Bickel, One-step Huber estimates in the linear model, 1975.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from qrja.data import Floats
from qrja.losses import KnownLoss
from qrja.scale.by_powers import pair_sums
from qrja.scale.by_windows import add_windows, look_through, settle
from qrja.scale.kernels import resamples, windows
from qrja.scale.passes import Passes, add_up
from qrja.scale.shards import Shard

FEWEST_STEPS, MOST_STEPS, TELLING = 1, 24, 100.0
"""Steps where every candidate has very many pairs, and at most; between, so many more as this is
divided by the root of the pairs of a candidate. With three for 2,000 pairs and six for 400 the
spread of twenty races of each is .99 of that of resamples solved to the end; with 12, 1.00."""
SHORTEST, LONGEST = 0.1, 4.0
"""Lengths of a step, where 1 is what the mean curvature says."""
ROUND, SHARP, NEAR = 0.5, 0.05, 0.3
"""Shares of the mean residual: the width of a kink at first and at last, and that within which the
mean curvature is seen. The ratings of p = 1 agree with some judgments exactly, which are no part of
it."""
SHOWING = 10.0
"""Entrants beyond the first who tell of their own contest as much as all others do."""
ACCURACY = 0.03
"""Relative accuracy of a step: the next one mends what is missing."""
STEEPEST = 4.0
"""The largest power whose curvature is near enough to its mean."""


class MeanPulls(NamedTuple):
    """What pairs pull under a loss: the curvature on average, the mean residual, pairs of each.

    The curvature is in units of :meth:`bends`.
    """

    loss: KnownLoss
    curvature: float
    mean: float
    each: float

    @classmethod
    def at(cls, passes: Passes, loss: KnownLoss, x: Floats) -> MeanPulls:
        """Look at all pairs."""
        n = passes.n
        # However wide the window, the mean residual is seen.
        absolute, _, _, _, every = look_through(passes, 1.0, x).totals[:5]
        mean = float(absolute / every) if every > 0 else 0.0
        wide = loss.window or NEAR * mean or 1.0
        found = cls(loss, 0.0, mean, 0.0)
        bent = add_up(passes, add_curvature, 3, found, wide, x)
        return found._replace(curvature=float(bent[0] / bent[1]), each=float(bent[2] / n))

    def bends(self, shard: Shard, x: Floats) -> Floats:
        """Return how curved the pairs of each contest of a shard are, beside those of all.

        With p below 2 the less so the further its residuals stray, as far as so many show it.
        """
        bends = np.ones(len(shard.weight))
        if self.loss.power is not None and self.mean > 0:
            stray = np.empty(len(bends))
            resamples.find_stray(*shard[:3], x, self.mean, SHOWING, stray)
            bends = stray ** (self.loss.power - 2.0)
        return bends

    @property
    def steps(self) -> int:
        """How many steps are taken."""
        return min(FEWEST_STEPS + round(TELLING / math.sqrt(max(self.each, 1.0))), MOST_STEPS)

    def width(self, part: float) -> float:
        """Return the width of Huber's window, or of a kink after a part of the way."""
        return self.loss.window or ROUND * (SHARP / ROUND) ** part * self.mean or 1.0


def add_curvature(shard: Shard, out: Floats, pulls: MeanPulls, width: float, x: Floats) -> None:
    """Add the curvature of all pairs, what it is in units of, and their number, from both ends."""
    loss, n, sizes = pulls.loss, len(x), np.diff(shard.start)
    ends = sizes * (sizes - 1.0)
    if loss.power in (None, 1.0):
        found = np.zeros(windows.EACH * n + windows.TOTALS)
        add_windows(shard, found, width, x)
        bent = settle(n, found)[n : 2 * n].sum()
    else:
        ones = np.ones(len(sizes))
        e = shard.score - x[shard.who]
        bent = pair_sums(shard, loss).slopes(e, width * ones, ones).curvature.sum()
    out += [bent, (shard.weight * pulls.bends(shard, x)) @ ends, ends.sum()]


def add_drawn_pulls(
    shard: Shard,
    out: Floats,
    draw: Callable[[Shard], Floats],
    loss: KnownLoss,
    width: float,
    x: Floats,
    d: Floats,
) -> None:
    """Add what drawn contests pull at ``x + d``, a column for each resample."""
    drawn, n = draw(shard), len(x)
    block, moved = out.reshape(n, -1), d.reshape(n, -1)
    if loss.power in (None, 1.0):
        windows.add_drawn_windows(*shard, drawn, x, moved, width, bool(d.any()), block)
        return
    sums, ones = pair_sums(shard, loss), np.ones(len(drawn))
    contest = np.repeat(np.arange(len(drawn)), np.diff(shard.start))
    for b in range(drawn.shape[1]):
        e = shard.score - x[shard.who] - moved[shard.who, b]
        pulled = sums.slopes(e, width * ones, ones).slope * drawn[contest, b]
        block[:, b] += np.bincount(shard.who, pulled, n)


def deviate_by_steps(
    passes: Passes,
    pulls: MeanPulls,
    x: Floats,
    draw: Callable[[Shard], Floats],
    solve: Callable[[Floats, float], Floats],
    columns: int,
) -> Floats:
    """Return how far the ratings of some resamples are from x.

    Parameters
    ----------
    passes, pulls, x
        The data, what their pairs pull, and the ratings.
    draw : callable
        How often each contest of a shard is drawn in each resample; it can be sent.
    solve : callable
        From pulls and an accuracy to ``L_m^+`` times them.
    columns : int
        How many resamples there are.
    """
    n = passes.n
    d = np.zeros((n, columns))
    if not pulls.curvature > 0:
        return d
    gather = partial(add_up, passes, add_drawn_pulls, n * columns, draw, pulls.loss)
    way = Secant()
    for j in range(pulls.steps):
        width = pulls.width(j / (pulls.steps - 1))
        pull = gather(width, x, d.ravel()).reshape(n, columns)
        d += way.step(pull, solve(pull / pulls.curvature, ACCURACY))
    return d


class Secant:
    """The last step of each resample, which tells how long the next one is to be.

    Examples
    --------
    >>> way, d = Secant(), np.zeros((1, 1))
    >>> for _ in range(2):  # of (d - 3)^2, whose curvature is twice what was expected
    ...     d += way.step(6 - 2 * d, 6 - 2 * d)
    >>> d
    array([[3.]])
    """

    def __init__(self) -> None:
        self.moved: Floats | None = None
        self.pull: Floats | None = None
        self.plain: Floats | None = None

    def step(self, pull: Floats, plain: Floats) -> Floats:
        """Return the step from where these are the pulls, ``plain`` being that of length 1."""
        length = np.ones(pull.shape[1])
        if self.moved is not None and self.pull is not None and self.plain is not None:
            change = self.pull - pull
            along = (self.moved * change).sum(axis=0)
            across = (change * (self.plain - plain)).sum(axis=0)
            np.divide(along, across, out=length, where=(along > 0) & (across > 0))
            length = np.clip(length, SHORTEST, LONGEST)
        self.moved, self.pull, self.plain = length * plain, pull, plain
        return self.moved
