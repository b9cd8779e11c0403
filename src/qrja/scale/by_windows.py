"""p = 1 and Huber's loss by passes: Newton's method on windows, pairs never written out.

Huber's loss of width delta is |t| outside the window, a parabola within. Its pulls are a flow that
keeps within the weights, so at its optimum they bound the l1 loss from below, short of it by no
more than what lies in the window:

    sum w |r|  -  bound   =   sum over pairs inside of  w |r| (1 - |r| / delta)

The window shrinks until that is small enough, each time from the scores of the last. Pairs outside
have no curvature; a little of that of least squares keeps steps finite, less and less of it as
steps fit.

References
----------
K. Madsen and H. B. Nielsen, A finite smoothing algorithm for linear l1 estimation, 1993.
"""

from __future__ import annotations

from functools import partial

from qrja.data import Floats
from qrja.scale.by_squares import degrees
from qrja.scale.kernels import windows
from qrja.scale.newton_steps import NewtonStep, Spot, newton_step
from qrja.scale.pass_proofs import window_bounds, window_losses
from qrja.scale.passes import Passes, add_up
from qrja.scale.search import Reached, Search
from qrja.scale.shards import Shard
from qrja.scale.spanning import Routes

STAGES, STEPS = 40, 40
"""Widths that are tried, and steps at each."""
FIRST, NARROW = 0.5, 0.15
"""The first width, as a share of the mean residual. Half of a thousand races' pairs lie inside; a
narrow one costs more steps, and where the gap need not be small it is the last."""
ENOUGH = 1e-3
"""The gap from which on it is."""
ROUGH = 0.06
"""How far conjugate gradients go: windows change with every step, so more would be wasted."""


def add_windows(shard: Shard, out: Floats, width: float, x: Floats) -> None:
    """Add pulls, diagonal and totals."""
    windows.add_windows(*shard, x, width, out)


def add_window_product(
    shard: Shard, out: Floats, width: float, share: float, x: Floats, d: Floats
) -> None:
    """Add a product with the curvature."""
    windows.add_window_product(*shard, x, width, share, d, out)


def look_through(passes: Passes, width: float, x: Floats) -> Spot:
    """Find pulls, diagonal and totals at x."""
    out = add_up(passes, add_windows, 2 * passes.n + windows.TOTALS, width, x)
    return Spot.of(out, passes.n)


class Windows:
    """Newton's method on windows of any width."""

    def __init__(self, passes: Passes, routes: Routes) -> None:
        self.passes, self.routes, self.n = passes, routes, passes.n
        self.degree = degrees(passes)
        self.damping = 0.3

    def look(self, width: float, x: Floats) -> Spot:
        """Find pulls and totals at x."""
        return look_through(self.passes, width, x)

    def bounds(self, spot: Spot, x: Floats, width: float) -> tuple[float, float]:
        """Return lower bounds for p = 1 and for Huber's loss."""
        return window_bounds(spot, x, width, self.routes, self.degree)

    def step(self, x: Floats, spot: Spot, width: float) -> NewtonStep:
        """Make a step, and learn from it how much damping the next one needs."""
        absolute, _, _, inside, every = spot.totals[:5]
        # Pairs outside pull with constant force: as if by the mean residual, were they squares.
        share = float(self.damping * (1 - inside / every) * every / absolute)
        taken = newton_step(
            x,
            spot,
            self.routes.label,
            partial(self.look, width),
            lambda d: add_up(self.passes, add_window_product, self.n, width, share, x, d),
            spot.diagonal + share * self.degree,
            ROUGH,
        )
        if taken.tries > 1:
            self.damping = min(2 * self.damping, 2.0)
        elif taken.left < 0.5:
            self.damping = max(0.4 * self.damping, 1e-4)
        return taken


def solve_absolute(
    passes: Passes, routes: Routes, x: Floats, search: Search, width: float | None = None
) -> Reached:
    """Minimise ``sum w |x_a - x_b - y|`` from x on, to the gap asked for."""
    newton = Windows(passes, routes)
    spot = newton.look(width or 1.0, x)
    absolute, every = spot.totals[0], spot.totals[4]
    best = Reached(x, float(absolute), float(absolute))
    if not absolute > 0:
        return best
    if width is None:
        width = (NARROW if search.tol >= ENOUGH else FIRST) * float(absolute / every)
        spot = newton.look(width, x)
    for _ in range(STAGES):
        for _ in range(STEPS):
            bound, _ = newton.bounds(spot, x, width)
            loss, _ = window_losses(spot, width)
            best = best.improved(x, loss, bound)
            search.arrive(passes, best, width=width)
            inside = max(loss - float(spot.totals[1]), 0.0)
            if best.gap <= search.tol or loss - bound <= 1.3 * inside:
                break
            taken = newton.step(x, spot, width)
            x, spot = taken.x, taken.spot
        if best.gap <= search.tol:
            break
        share = inside / loss
        width *= min(max((0.6 * search.tol / share) ** 0.5, 0.2), 0.6) if share > 0 else 0.6
        spot = newton.look(width, x)
    return best


def solve_huber(passes: Passes, routes: Routes, x: Floats, search: Search, width: float) -> Reached:
    """Minimise Huber's loss from x on, to the gap asked for."""
    newton = Windows(passes, routes)
    spot, best = newton.look(width, x), None
    for _ in range(3 * STEPS):
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
