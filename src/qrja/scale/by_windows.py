"""p = 1 and Huber's loss by passes: Newton's method on windows, pairs never written out.

Huber's loss of width delta is |t| outside the window, a parabola within. Its pulls are a flow that
keeps within the weights, so at its optimum they bound the l1 loss from below, short of it by no
more than what lies in the window:

    sum w |r|  -  bound   =   sum over pairs inside of  w |r| (1 - |r| / delta)

The window shrinks until that is small enough, each time from the scores of the last. Pairs outside
have no curvature; a little of that of least squares keeps steps finite, less and less of it as
steps fit, and everybody who is pulled is held back in that proportion.

References
----------
K. Madsen and H. B. Nielsen, A finite smoothing algorithm for linear l1 estimation, 1993.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from qrja.data import Floats
from qrja.laplacian import jacobi
from qrja.scale.evening_out import even_out
from qrja.scale.kernels import windows
from qrja.scale.newton_steps import NewtonStep, Spot, newton_step
from qrja.scale.pass_proofs import Evening, window_bounds, window_losses
from qrja.scale.passes import Passes, add_up
from qrja.scale.search import Reached, Search
from qrja.scale.shards import Shard
from qrja.scale.spanning import Routes

STAGES, STEPS = 40, 40
"""Widths that are tried, and steps at each."""
FIRST, NARROW = 0.5, 0.15
"""The first width, as a share of the mean residual. Half of a thousand races' pairs lie inside; a
narrow one costs more steps, and where the gap need not be small it is the last."""
WIDER = 1.2
"""How much wider the first one may be: a look costs a pass, and the mean is known after one."""
EARLY = 5.0
"""A window too wide for the gap is left when no more is missing than so many times what lies in it:
tried from 1.3 to 10 on the paper's sets, to a gap of 1e-4."""
ENOUGH = 1e-3
"""The gap from which on it is."""
FARTHEST = 3.0
"""How many mean residuals a step takes anybody at most, about: tried from .3 to 8."""
ROUGH = 0.2
"""How far conjugate gradients go: windows change with every step, so more would be wasted."""


def add_windows(shard: Shard, out: Floats, width: float, x: Floats) -> None:
    """Add pulls, what they lose, diagonal and totals, see :func:`settle`."""
    windows.add_windows(*shard, x, width, out)


def settle(n: int, out: Floats) -> Floats:
    """Return n pulls, n diagonals and totals, of what a task added up."""
    each = out[: windows.EACH * n].reshape(n, windows.EACH)
    return np.concatenate([each[:, 0] + each[:, 1], each[:, 2], out[windows.EACH * n :]])


def add_window_product(
    shard: Shard, out: Floats, width: float, share: float, x: Floats, d: Floats
) -> None:
    """Add a product with the curvature."""
    windows.add_window_product(*shard, x, width, share, d, out)


def look_through(passes: Passes, width: float, x: Floats) -> Spot:
    """Find pulls, diagonal and totals at x."""
    n = passes.n
    room, finish = windows.EACH * n + windows.TOTALS, partial(settle, n)
    return Spot.of(add_up(passes, add_windows, room, width, x, finish=finish), n)


class Windows:
    """Newton's method on windows of any width."""

    def __init__(self, passes: Passes, routes: Routes, degree: Floats) -> None:
        self.passes, self.routes, self.n = passes, routes, passes.n
        self.degree = degree
        self.damping = 0.3

    def look(self, width: float, x: Floats) -> Spot:
        """Find pulls and totals at x."""
        return look_through(self.passes, width, x)

    def bounds(
        self, spot: Spot, x: Floats, width: float, evening: Evening | None = None
    ) -> tuple[float, float]:
        """Return lower bounds for p = 1 and for Huber's loss."""
        return window_bounds(spot, x, width, self.routes, self.degree, evening)

    def bound(self, spot: Spot, x: Floats, width: float, tol: float) -> float:
        """Return a lower bound for p = 1, pulls evened out where that may show the gap."""
        (bound, _), loss = self.bounds(spot, x, width), float(spot.totals[0])
        enough = (1 - tol) * loss
        if not enough > 0:
            return 0.0  # what no loss is below
        if bound >= enough:
            return bound
        # What no flow may exceed, as a multiple of the weights, for its sum to be enough.
        room = float(spot.totals[1]) / enough - 1
        evening = even_out(self.passes, self.routes, self.degree, spot.pull, x, room)
        if evening is None:
            return bound
        return max(bound, self.bounds(spot, x, width, evening)[0])

    def hoped(self, spot: Spot) -> float:
        """Return the bound that even pulls would show: those of each pair add to its weight."""
        over = 2.0 * float(np.abs(jacobi(self.degree)(spot.pull)).max(initial=0.0))
        return float(spot.totals[1]) / (1 + over)

    def step(self, x: Floats, spot: Spot, width: float) -> NewtonStep:
        """Make a step, and learn from it how much damping the next one needs."""
        absolute, _, _, inside, every = spot.totals[:5]
        # Pairs outside pull with constant force: as if by the mean residual, were they squares.
        share = float(self.damping * (1 - inside / every) * every / absolute)
        # Whoever is far from rest may have no pair inside to be held by.
        brake = np.abs(spot.pull) * float(every / absolute / FARTHEST)

        def product(d: Floats) -> Floats:
            out = add_up(self.passes, add_window_product, self.n, width, share, x, d)
            return out + brake * d

        taken = newton_step(
            x,
            spot,
            self.routes.label,
            partial(self.look, width),
            product,
            spot.diagonal + share * self.degree + brake,
            ROUGH,
        )
        # A step that leaves much of the slope was held back.
        change = 3.0 if taken.tries > 1 else 0.4 if taken.left < 0.5 else 0.2
        self.damping = min(max(change * self.damping, 1e-4), 2.0)
        return taken


def first_width(mean: float, tol: float) -> float:
    """Return the width to begin with, from the mean residual."""
    return mean * (NARROW if tol >= ENOUGH else FIRST)


def solve_absolute(
    passes: Passes,
    routes: Routes,
    degree: Floats,
    x: Floats,
    search: Search,
    width: float,
) -> Reached:
    """Minimise ``sum w |x_a - x_b - y|`` from x on, to the gap asked for.

    The first window is of this width, see :func:`first_width`, or narrower.
    """
    newton = Windows(passes, routes, degree)
    spot = newton.look(width, x)
    absolute, every = spot.totals[0], spot.totals[4]
    best = Reached(x, float(absolute), float(absolute))
    if not absolute > 0:
        return best
    usual = first_width(float(absolute / every), search.tol)
    if width > WIDER * usual:
        width, spot = usual, newton.look(usual, x)
    for _ in range(STAGES):
        for _ in range(STEPS):
            bound = newton.bound(spot, x, width, search.tol)
            loss, _ = window_losses(spot, width)
            best = best.improved(x, loss, bound)
            search.arrive(passes, best, width=width)
            inside = max(loss - float(spot.totals[1]), 0.0)
            if inside > search.tol * loss:  # no proof can be had here, so none is waited for
                done = loss - newton.hoped(spot) <= EARLY * inside
            else:
                done = loss - bound <= 1.3 * inside
            if done or best.gap <= search.tol:
                break
            taken = newton.step(x, spot, width)
            x, spot = taken.x, taken.spot
        if best.gap <= search.tol:
            break
        share = inside / loss
        width *= min(max((0.6 * search.tol / share) ** 0.5, 0.2), 0.6) if share > 0 else 0.6
        spot = newton.look(width, x)
    return best


def solve_huber(
    passes: Passes,
    routes: Routes,
    degree: Floats,
    x: Floats,
    search: Search,
    width: float,
) -> Reached:
    """Minimise Huber's loss from x on, to the gap asked for."""
    newton = Windows(passes, routes, degree)
    spot, best = newton.look(width, x), None
    for _ in range(10 * STEPS):
        _, bound = newton.bounds(spot, x, width)
        _, loss = window_losses(spot, width)
        best = Reached(x, loss, loss - bound) if best is None else best.improved(x, loss, bound)
        search.arrive(passes, best, unit=width)
        if best.gap <= search.tol or not spot.totals[0] > 0:
            break
        taken = newton.step(x, spot, width)
        x, spot = taken.x, taken.spot
    assert best is not None
    return best
