"""Contests drawn again, by passes: all resamples of a block are one array, one pass a step.

Resample b counts contest c a Poisson number of times, ``m_cb``, made of a hash: nothing is kept,
and whoever reads a shard again draws the same. The deviation d of its ratings from those of all is

    L_m d  =  sum over contests of i of  w m k r        (L_m d)_i = sum w m (k d_i - sum d)

for least squares; other losses go there in steps of these
(:mod:`~qrja.scale.drawing.other_losses`). What a candidate's results hide from themselves, and what
is added for it, is as for data in memory, see ``qrja.ratings.intervals``.

References
----------
N. Chamandy, O. Muralidharan, A. Najmi and S. Naidu, Estimating uncertainty for massive data
streams, 2012.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from qrja.data import Floats, Index, Offsets, centre
from qrja.laplacian import NOT_DRAWN, by_component, conjugate_gradients, jacobi
from qrja.losses import KnownLoss
from qrja.scale.drawing.other_losses import MeanPulls, deviate_by_steps
from qrja.scale.kernels import resamples
from qrja.scale.passes import Passes, add_up
from qrja.scale.shards import Shard

COLUMNS, NUMBERS = 16, 2**25
"""Resamples of a block, and candidates times these: five arrays of so many numbers, 270 MB each,
are held by every task."""
ONCE = -1
"""The number of the resample in which every contest counts once."""
ACCURACY, STEPS = 1e-6, 500
"""Relative accuracy of a resample, and steps allowed to reach it."""


class FarShares(NamedTuple):
    """How ratings are made up of contests, and the noise of one result, NaN if unknown.

    ``rays`` are what the contests of each candidate weigh, ``usual`` what a judgment weighs on
    average; it is 0 for contests, whose weights are no precision.
    """

    rays: Floats
    squares: Floats
    noise_squares: Floats
    noise: float
    contests: int
    usual: float


class FarResamples(NamedTuple):
    """Deviations from the ratings, a column per resample, and the noise they show on average.

    The rows are those of the candidates that were asked for. ``lost`` counts resamples in which
    somebody was not drawn.
    """

    deviations: Floats
    seen: Floats
    lost: int


def salt_of(shard: Shard, seed: int) -> int:
    """Return a number that belongs to the contents of a shard, and to a seed."""
    bits = np.bitwise_xor.reduce(shard.score.view(np.uint64)) if shard.entries else np.uint64(0)
    who = int(shard.who.sum(dtype=np.int64))
    return (int(bits) ^ (who * 0x9E3779B97F4A7C15) ^ (seed * 0xD1B54A32D192ED03)) % 2**64


def draw(seed: int, numbers: Offsets, shard: Shard) -> Floats:
    """Return how often each contest of a shard is drawn in the resamples of some numbers.

    One that is not drawn keeps next to nothing, so that whoever is comparable stays so.

    Examples
    --------
    >>> from qrja.data import Contests
    >>> from qrja.scale.shards import cut
    >>> (shard,) = cut(Contests.from_arrays("AABB", "xyyz", [3, 1, 2, 0]))
    >>> three, one = draw(7, np.arange(3), shard), draw(7, np.array([2, ONCE]), shard)
    >>> bool((three[:, 2] == one[:, 0]).all()), one[:, 1]
    (True, array([1., 1.]))
    """
    contests = len(shard.start) - 1
    out = np.empty((contests, len(numbers)))
    chosen = numbers.astype(np.int32)
    resamples.draw_contests(contests, np.uint64(salt_of(shard, seed)), chosen, out)
    out[:, numbers == ONCE] = 1.0
    return np.maximum(out, NOT_DRAWN)


def draw_curved(
    drawing: Callable[[Shard], Floats], pulls: MeanPulls, x: Floats, shard: Shard
) -> Floats:
    """Return how often each contest counts in each resample, by how curved its pairs are."""
    return drawing(shard) * pulls.bends(shard, x)[:, None]


def add_shares(shard: Shard, out: Floats, usual: float, x: Floats) -> None:
    """Add shares of contests in ratings, and residuals."""
    resamples.add_shares(*shard, x, usual, out)


def add_rays(shard: Shard, out: Floats) -> None:
    """Add what contests weigh, ``w k``, and their number."""
    sizes = np.diff(shard.start)
    out += [float(np.sum(shard.weight * sizes)), len(sizes)]


def add_drawn(
    shard: Shard, out: Floats, drawing: Callable[[Shard], Floats], usual: float, x: Floats
) -> None:
    """Add what drawn contests pull and weigh."""
    resamples.add_drawn(*shard, drawing(shard), x, usual, out.reshape(5, len(x), -1))


def add_drawn_degrees(shard: Shard, out: Floats, drawing: Callable[[Shard], Floats]) -> None:
    """Add what the pairs of drawn contests weigh."""
    drawn = drawing(shard)
    resamples.add_drawn_degrees(
        shard.start, shard.who, shard.weight, drawn, out.reshape(-1, drawn.shape[1])
    )


def add_drawn_product(
    shard: Shard, out: Floats, drawing: Callable[[Shard], Floats], d: Floats
) -> None:
    """Add products with the Laplacians of drawn contests."""
    drawn = drawing(shard)
    block = d.reshape(-1, drawn.shape[1])
    resamples.add_drawn_product(
        shard.start, shard.who, shard.weight, drawn, block, out.reshape(block.shape)
    )


def columns_of(n: int) -> int:
    """Return how many resamples of so many candidates are fitted at once.

    Examples
    --------
    >>> columns_of(1_000), columns_of(10**7)
    (16, 3)
    """
    return min(max(NUMBERS // max(n, 1), 1), COLUMNS)


def find_shares(passes: Passes, label: Index, x: Floats, *, precise: bool) -> FarShares:
    """Find how ratings are made up of contests; weights of judgments are precision."""
    n = passes.n
    usual = 0.0
    if precise:
        weight, count = add_up(passes, add_rays, 2)
        usual = float(weight / count)
    out = add_up(passes, add_shares, 3 * n + 4, usual, x)
    total, squares, noisy = out[:n], out[n : 2 * n], out[2 * n : 3 * n]
    residuals, weight, others, contests = out[3 * n :]
    met = total > 0
    left = others - int(met.sum()) + len(np.unique(label[met]))
    noise = float(np.sqrt(residuals / weight * others / left)) if left > 0 else np.nan
    share = np.divide(squares, total**2, out=np.zeros(n), where=met)
    noisy = np.divide(noisy, total**2, out=np.zeros(n), where=met)
    return FarShares(total, share, noisy, noise, int(contests), usual)


def resample_passes(
    passes: Passes,
    label: Index,
    x: Floats,
    shares: FarShares,
    *,
    count: int,
    seed: int,
    loss: KnownLoss | None = None,
    rows: Offsets | None = None,
    tell: Callable[[int, int], None] | None = None,
) -> FarResamples:
    """Fit ratings anew to some resamples of the contests.

    Parameters
    ----------
    passes, label, x : Passes and arrays
        The data, the component of each candidate, and the ratings.
    shares : FarShares
        See :func:`find_shares`.
    count, seed : int
        How many resamples, and what tells them from others.
    loss : KnownLoss, optional
        What the ratings minimise; squares by default.
    rows : array of int, optional
        Candidates that are kept; all by default.
    tell : callable, optional
        Told how many are done, and of how many.
    """
    n = passes.n
    kept = slice(None) if rows is None else rows
    pulls = None if loss is None or loss.power == 2 else MeanPulls.at(passes, loss, x)
    every: Offsets = np.arange(ONCE if pulls else 0, count)
    blocks, seen, lost = [], np.zeros(n), 0
    for numbers in np.array_split(every, max(-(-count // columns_of(n)), 1)):
        drawing, columns = partial(draw, seed, numbers), len(numbers)
        out = add_up(passes, add_drawn, 5 * n * columns, drawing, shares.usual, x)
        pull, degree, total, ray_squares, both = out.reshape(5, n, columns)
        missed = (degree <= 2 * NOT_DRAWN * degree.mean(0)).any(0)
        lost += int(missed[numbers != ONCE].sum())
        total, rays = np.maximum(total, 1e-150), np.maximum(shares.rays, 1e-150)
        # sum over contests of (u m / sum u m - u)^2, written out, with u = ray / rays.
        shown = ray_squares / total**2 - 2.0 * both / (total * rays[:, None])
        noise = shown + shares.noise_squares[:, None]
        seen += np.maximum(noise[:, numbers != ONCE].sum(axis=1), 0.0)
        if pulls is None:
            found = _solve(passes, label, degree, drawing, pull, ACCURACY)
        else:
            curved = partial(draw_curved, drawing, pulls, x)
            degree = add_up(passes, add_drawn_degrees, n * columns, curved).reshape(n, columns)
            solve = partial(_solve, passes, label, degree, curved)
            found = deviate_by_steps(passes, pulls, x, drawing, solve, columns)
        blocks.append(found[kept])
        if tell is not None:
            tell(int(numbers[-1]) + 1, count)
    deviations = np.concatenate(blocks, axis=1)
    if pulls is not None:
        deviations = deviations[:, 1:] - deviations[:, :1]
    return FarResamples(deviations, (seen / count)[kept], lost)


def _solve(
    passes: Passes,
    label: Index,
    degree: Floats,
    drawing: Callable[[Shard], Floats],
    pull: Floats,
    accuracy: float,
) -> Floats:
    """Solve all systems of a block together, each component of each resample for itself."""
    shape, columns = pull.shape, pull.shape[1]
    systems = (label[:, None].astype(np.int64) * columns + np.arange(columns)).ravel()
    found, _, _ = conjugate_gradients(
        partial(add_up, passes, add_drawn_product, pull.size, drawing),
        centre(pull.ravel(), systems),
        jacobi(degree.ravel()),
        tol=accuracy,
        limit=STEPS,
        systems=by_component(systems),
    )
    return np.asarray(centre(found, systems)).reshape(shape)
