"""Sums over all pairs of whole contests, none of them written out, on every core.

This is the one home of what contests ask of a smooth loss: a vector of residuals ``e`` per entry
goes in, sums per entry come out. Rows of entries are dealt out to threads in pieces of about
``PIECE`` pairs, whichever contest they belong to; no thread adds to what another one writes, so
results do not depend on how many there are.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from qrja.data import Floats, Offsets
from qrja.jit import load_compiler
from qrja.losses import KnownLoss

PIECE = 2_000_000
"""Pairs that a thread looks at before it asks for more: some milliseconds."""


class Slopes(NamedTuple):
    """Per entry: its half of the smoothed loss, its slope, the sum of its curvatures."""

    value: Floats
    slope: Floats
    curvature: Floats


class Shortfalls(NamedTuple):
    """Per entry: what the flow of a step proves, see :func:`PairSums.shortfalls`."""

    value: Floats
    excess: Floats
    size: Floats
    leaving: Floats
    through: Floats


class PairSums:
    """The pairs of contests, for losses that have a compiled formula.

    Parameters
    ----------
    start : array of int
        The entries of contest c are ``start[c]:start[c + 1]``.
    count : array of float
        How many contestants an entry stands for.
    weight : array of float
        What one pair of each contest weighs.
    loss : KnownLoss
        Which has a ``formula``.

    Examples
    --------
    >>> from qrja.losses import Power
    >>> sums = PairSums(np.array([0, 3]), np.ones(3), np.ones(1), Power(3))
    >>> sums.slopes(np.array([2.0, 1.0, 0.0]), np.zeros(1), np.ones(1)).slope.round(9)
    array([ 15.,   0., -15.])
    """

    def __init__(self, start: Offsets, count: Floats, weight: Floats, loss: KnownLoss) -> None:
        load_compiler()  # which these kernels import themselves
        from qrja.solvers.convex.streamed.kernels import formulas, pair_rows

        assert loss.formula is not None
        name, self.p, self.bend = loss.formula
        # Compiled code takes what it was made for, which the type checker does not know.
        self.kernels: Any = pair_rows
        self.kind = int(getattr(formulas, name))
        self.start, self.count, self.weight = start, count, weight
        self.short_count = count.astype(np.float32)
        largest = int(np.diff(start).max(initial=0))
        self._wide = -(-largest // pair_rows.LANES) * pair_rows.LANES
        self._pieces = list(_cut(start))
        self._pool = ThreadPoolExecutor(count_cores())

    def slopes(self, e: Floats, eps: Floats, unit: Floats) -> Slopes:
        """Return the smoothed loss of residuals e, its slopes and curvatures.

        ``eps`` and ``unit``, the size of a residual of 1, are given per contest.
        """
        found = Slopes(*(np.empty(len(e)) for _ in range(3)))
        kernel = self.kernels.slopes
        about = self.start, e, self.count, self.weight, eps, self._shape(unit), self.kind, self.p
        self._run(lambda *piece: kernel(*piece[:2], *about, piece[2], *found), np.float64)
        return found

    def system(self, e: Floats, eps: Floats, unit: Floats) -> Callable[[Floats], Floats]:
        """Return what multiplies a vector per entry by the curvatures of pairs."""
        kernel, short = self.kernels.products, np.float32
        # Below this the square would leave the range of single precision.
        small = np.maximum(eps, 1e-12).astype(short)
        about = self.start, e.astype(short), self.short_count, self.weight.astype(short), small
        shape, p = self._shape(unit).astype(short), short(self.p)

        def multiply(v: Floats) -> Floats:
            given, out = v.astype(short), np.empty(len(v), dtype=short)
            self._run(
                lambda contests, rows, room: kernel(
                    contests, rows, *about, shape, self.kind, p, given, room, out
                ),
                short,
            )
            return out.astype(np.float64)

        return multiply

    def shortfalls(
        self,
        e: Floats,
        turn: Floats,
        moved: Floats,
        eps: Floats,
        unit: Floats,
        steepest: Floats,
        scale: Floats,
    ) -> Shortfalls:
        """Return what the flow of a step from e, along ``turn``, proves of the residuals ``moved``.

        Per entry: half of the loss of its pairs, half of what the flow proves too little and half
        of the size of what was summed for that; what leaves it, and the size of that.
        """
        sums = np.empty((5, len(e)))
        kernel, shape = self.kernels.shortfalls, self._shape(unit)
        about = self.start, e, turn, moved, self.count, self.weight, eps, shape, self.kind, self.p
        self._run(
            lambda *piece: kernel(*piece[:2], *about, steepest, scale, piece[2], sums), np.float64
        )
        return Shortfalls(*sums)

    def _shape(self, unit: Floats) -> Floats:
        return self.bend / unit

    def _run(self, work: Callable[..., None], kind: type) -> None:
        def run(piece: tuple[tuple[int, int], tuple[int, int]]) -> None:
            room: NDArray[Any] = np.empty((7, self._wide), dtype=kind)
            work(*piece, room)

        if len(self._pieces) == 1:
            run(self._pieces[0])
            return
        for done in self._pool.map(run, self._pieces):
            assert done is None


def count_cores() -> int:
    """Return how many cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not told on every system
        return os.cpu_count() or 1


def _cut(start: Offsets) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Cut the rows of all entries into pieces of about as many pairs; yield contests and rows.

    Examples
    --------
    >>> list(_cut(np.array([0, 2000, 4000])))
    [((0, 1), (0, 1000)), ((0, 1), (1000, 2000)), ((1, 2), (2000, 3000)), ((1, 2), (3000, 4000))]
    """
    size = np.diff(start)
    work = np.concatenate([[0], np.cumsum(size * size)])
    c = 0
    while c < len(size):
        last = int(np.searchsorted(work, work[c] + PIECE, side="right")) - 1
        if last > c:
            yield (c, last), (int(start[c]), int(start[last]))
            c = last
            continue
        rows = max(PIECE // int(size[c]), 1)
        for low in range(int(start[c]), int(start[c + 1]), rows):
            yield (c, c + 1), (low, min(low + rows, int(start[c + 1])))
        c += 1
