"""Solve by passes: scores and proofs as of :func:`qrja.solve`, from data that are only read.

=========== ======================================================= ====================
loss        algorithm                                               gap, unless asked
=========== ======================================================= ====================
p = 2       conjugate gradients (:mod:`~qrja.scale.by_squares`)     1e-9
p = 1       shrinking windows (:mod:`~qrja.scale.by_windows`)       5e-3
Huber       one window                                              1e-6
other p     Newton, pair by pair (:mod:`~qrja.scale.by_powers`)     1e-6
=========== ======================================================= ====================
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import NoReturn

import numpy as np

from qrja.data import Floats, centre
from qrja.errors import InputError
from qrja.losses import KnownLoss, Loss, Power, complete
from qrja.scale.by_powers import solve_power
from qrja.scale.by_squares import degrees, solve_squares
from qrja.scale.by_windows import first_width, solve_absolute, solve_huber
from qrja.scale.passes import Passes, add_up
from qrja.scale.search import Pass, Reached, Search, read_vectors
from qrja.scale.shards import Shard
from qrja.scale.spanning import Routes, span
from qrja.solution import UNIT, Minimised, Solution, prove

LEAST, MOST = 1.05, 20.0
"""Powers beside 1 and 2 that are solved: beyond, one machine does better."""
MEAN = 0.75
"""The mean residual as a share of the root of the mean square, before it is seen: that of chance is
.8, and the longer the tails, the less."""
ROUGH = 1e-4
"""How far the least squares are solved that others begin from."""


@dataclass(frozen=True)
class Aim:
    """What is minimised, and to which gap."""

    loss: KnownLoss
    tol: float

    @classmethod
    def of(cls, p: float, loss: Loss | None = None, tol: float | None = None) -> Aim:
        """Check that a loss can be minimised by passes.

        Examples
        --------
        >>> Aim.of(1), Aim.of(1.5).tol
        (Aim(loss=Power(p=1.0), tol=0.005), 1e-06)
        >>> Aim.of(0.5)
        Traceback (most recent call last):
        qrja.errors.InputError: p is 0.5; data read in passes take p = 1, ...
        """
        known = complete(loss) if loss is not None else Power(p) if 1 <= p < np.inf else None
        if known is None or not _is_solved(known):
            said = f"p is {p:g}" if loss is None else f"the loss is {loss}"
            raise InputError(
                f"{said}; data read in passes take p = 1, p = 2, p from {LEAST:g} to {MOST:g}, and"
                " Huber's loss; solve others in memory"
            )
        usual = {1.0: 5e-3, 2.0: 1e-9}.get(known.power or 0.0, 1e-6)
        return cls(known, usual if tol is None else tol)

    def __str__(self) -> str:
        return str(self.loss)


def _is_solved(loss: KnownLoss) -> bool:
    p = loss.power
    return loss.window is not None if p is None else p == 1 or LEAST <= p <= MOST


def solve_passes(
    passes: Passes,
    names: tuple[Hashable, ...],
    aim: Aim,
    *,
    tell: Callable[[Pass], None] | None = None,
    keep: Path | None = None,
    start: Floats | None = None,
) -> Solution:
    """Find the scores that disagree least with all judgments, reading them in passes.

    Parameters
    ----------
    passes : Passes
        The data.
    names : tuple
        The label of each candidate.
    aim : Aim
        The loss, and the gap to reach.
    tell : callable, optional
        Told a :class:`~qrja.scale.search.Pass` after each.
    keep : path, optional
        Where vectors are kept meanwhile; a search for the same begins with what is there.
    start : array, optional
        Scores to begin from.

    Examples
    --------
    >>> from qrja.data import Judgments
    >>> from qrja.scale import InMemory
    >>> j = Judgments.from_arrays(["A", "B", "A"], ["B", "C", "C"], [1, 1, 5])
    >>> found = solve_passes(InMemory.of(j), j.names, Aim.of(2))
    >>> found.x.round(9), found.gap < 1e-12
    (array([ 2.,  0., -2.]), True)
    """
    begin = perf_counter()
    search = Search(aim.tol, tell, keep, str(aim))
    with search.following(passes):
        routes = span(passes)
        kept = {} if keep is None else read_vectors(keep, str(aim), passes.n)
        x = np.zeros(passes.n) if start is None else centre(start, routes.label)
        reached = _solve(passes, routes, kept.get("x", x), aim, search, kept)
    rounding = 0.0
    if reached.gap > aim.tol:
        rounding = reached.slip + float(add_up(passes, add_slips, 1, aim.loss, reached.x)[0])
    proved = prove(reached.objective, reached.excess, rounding, aim.tol)
    return Solution(
        x=centre(reached.x, routes.label),
        names=names,
        components=routes.label,
        certificate="flow",
        optimum="unique" if aim.loss.is_strict else "within the gap",
        loss=str(aim.loss),
        iterations=passes.made,
        seconds=perf_counter() - begin,
        minimised=Minimised(aim.loss.power, None if aim.loss.power else aim.loss),
        _flow=refuse_flow,
        **proved._asdict(),
    )


def _solve(
    passes: Passes, routes: Routes, x: Floats, aim: Aim, search: Search, kept: dict[str, Floats]
) -> Reached:
    degree = degrees(passes)
    if aim.loss.power == 2:
        return solve_squares(passes, routes, degree, x, search)
    if not kept:
        squares = solve_squares(passes, routes, degree, x, Search(ROUGH), fine=ROUGH)
        x, unit = squares.x, _size(squares, degree)
    else:
        unit = float(kept["unit"]) if "unit" in kept else 1.0
    if not unit > 0:
        return Reached(x, 0.0, 0.0)
    if aim.loss.power == 1:
        width = float(kept["width"]) if kept else first_width(MEAN * unit, search.tol)
        return solve_absolute(passes, routes, degree, x, search, width)
    if aim.loss.window is not None:
        return solve_huber(passes, routes, degree, x, search, aim.loss.window)
    assert aim.loss.power is not None
    eps = {"eps": float(kept["eps"])} if "eps" in kept else {}
    return solve_power(passes, routes, x, search, aim.loss.power, unit, **eps)


def _size(squares: Reached, degree: Floats) -> float:
    """Return the size of a residual, by the weight of all pairs."""
    weight = float(degree.sum()) / 2
    return float(np.sqrt(squares.objective / weight)) if weight > 0 else 0.0


def add_slips(shard: Shard, out: Floats, loss: KnownLoss, x: Floats) -> None:
    """Add what residuals may cost that are rounding and nothing else: ``w f(u_i + u_j)``.

    u is the last digit of score and rating; ``f(u_i + u_j) <= (f(2 u_i) + f(2 u_j)) / 2``, so that
    no pair has to be looked at.
    """
    slip = UNIT * (np.abs(shard.score) + np.abs(x[shard.who]))
    k = np.diff(shard.start)
    out += np.repeat(0.5 * shard.weight * (k - 1), k) @ loss.value(2 * slip)


def refuse_flow() -> NoReturn:
    """Say why no flow is written out."""
    raise InputError(
        "the flow has a number for every pair, and data read in passes have too many to write out;"
        " solve in memory to have it"
    )
