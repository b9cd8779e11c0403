"""The way from integers to a solution, which contests and judgments have in common.

    grid  ->  pivots, a batch at a time  ->  proof  ->  all optima  ->  one of them  ->  its gap

Two things may send it back to the grid: a score that leaves the range of int64 (it must be coarser)
and a gap that is left on a grid of decimal fractions which took rounding errors out (they count
after all).
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from qrja.data import Floats, centre
from qrja.errors import InputError
from qrja.solution import Minimised, Solution, prove
from qrja.solvers.l1 import records
from qrja.solvers.l1.face import Face
from qrja.solvers.l1.grid import IntegerGrid, Integers

Optimum = Literal["central", "greatest"]
"""Which of several optima: see :mod:`qrja.solvers.l1.face`."""
Progress = Callable[[float], None]

BATCH = 1000
"""Pivots between two looks at the keyboard: some milliseconds."""
COARSER = 10
"""Bits given up when a score leaves the range of int64. Of 57 there are five such steps; one is
seldom needed, so their size decides nothing."""


class OutOfRangeError(ArithmeticError):
    """A score left the range where int64 is exact: the grid must be coarser."""


class DualSimplex(ABC):
    """What both simplices share: a forest, and pivots until no tree pair carries too much."""

    forest: records.Forest
    node_count = 0
    pivots = 0

    @abstractmethod
    def pivot(self, most: int) -> tuple[int, int]:
        """Take some pivots; return how it stands and how many were taken."""

    def run(self, progress: Progress | None = None) -> None:
        """Pivot until no tree pair carries too much.

        A keyboard interrupt arrives between two batches of pivots and leaves the state sound.
        """
        from qrja.solvers.l1.kernels.exchange import NO_ROOM, OPTIMAL, TOO_FAR

        self.forest.control["patience"] = records.PATIENCE * self.node_count
        while True:
            status, pivots = self.pivot(BATCH)
            self.pivots += int(pivots)
            if status == TOO_FAR:
                raise OutOfRangeError
            if status == NO_ROOM:
                raise RuntimeError("the perturbation of the l1 simplex failed to separate ties")
            if progress is not None:
                progress(excess(self.forest.tree[: self.node_count]))
            if status == OPTIMAL:
                return


def excess(tree: NDArray[Any]) -> float:
    """Bound the relative gap: the pulls are a conserved flow that is too large by some factor.

    With ``|flow| <= factor * cap`` in the forest, the loss divided by the factor is a lower bound.
    """
    flow, cap = np.abs(tree["flow"]), tree["cap"]
    over = flow > cap
    return float(1.0 - (cap[over] / flow[over]).min()) if over.any() else 0.0


def snapped_first(attempt: Callable[[bool], tuple[Solution, IntegerGrid]]) -> Solution:
    """Solve with rounding errors of decimal fractions taken out, unless they are all that is left.

    ``attempt`` is told whether to take them out, and returns its solution and the grid.
    """
    result, grid = attempt(True)
    if result.status != "optimal" and grid.is_snapped:
        # Nothing but rounding errors is left of the loss: now they count.
        result, _ = attempt(False)
    return result


@dataclass(frozen=True)
class Account:
    """How an optimum was found, and what it can be asked for later."""

    iterations: int
    begin: float
    tol: float
    flow: Callable[[], Floats]
    face: Callable[[], Face]
    state: object = None


def solution(
    names: tuple[object, ...],
    face: Face,
    optimum: Optimum,
    measure: Callable[[Integers], tuple[float, float, float]],
    account: Account,
) -> Solution:
    """Choose one of the optima and describe it.

    ``measure`` returns the loss at a score, what of it could be saved at most, and what of it may
    be the rounding of scores to floats.
    """
    on_grid = face.greatest() if optimum == "greatest" else face.central()
    x = on_grid / face.unit
    if optimum == "central":
        x = centre(x, face.components)
    proved = prove(*measure(on_grid), account.tol)
    return Solution(
        x=x,
        names=names,
        components=face.components,
        certificate="flow",
        optimum=optimum,
        loss="|t|",
        iterations=account.iterations,
        seconds=time.perf_counter() - account.begin,
        minimised=Minimised(1.0),
        _flow=account.flow,
        _face=account.face,
        _state=account.state,
        **proved._asdict(),
    )


def check_optimum(optimum: str) -> None:
    """Check the name of a choice among optima."""
    if optimum not in get_args(Optimum):
        raise InputError(f"optimum is {optimum!r}; choose one of {', '.join(get_args(Optimum))}")
