"""From the set of all optima to a :class:`qrja.Solution`."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

from qrja.data import Floats, centre
from qrja.errors import InputError
from qrja.solution import Minimised, Solution, relative_gap
from qrja.solvers.l1.face import Face
from qrja.solvers.l1.grid import Integers

Optimum = Literal["central", "greatest"]
"""Which of several optima: see :mod:`qrja.solvers.l1.face`."""


@dataclass(frozen=True)
class Found:
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
    found: Found,
) -> Solution:
    """Choose one of the optima and describe it.

    ``measure`` returns the loss at a score, what of it could be saved at most, and the loss at 0.
    """
    on_grid = face.greatest() if optimum == "greatest" else face.central()
    x = on_grid / face.unit
    if optimum == "central":
        x = centre(x, face.components)
    objective, excess, nothing = measure(on_grid)
    gap = relative_gap(objective, excess, nothing, 1)
    return Solution(
        x=x,
        names=names,
        objective=objective,
        lower_bound=objective - max(excess, 0.0),
        gap=gap,
        components=face.components,
        status="optimal" if gap <= found.tol else "inexact",
        certificate="flow",
        optimum=optimum,
        loss="|t|",
        iterations=found.iterations,
        seconds=time.perf_counter() - found.begin,
        minimised=Minimised(1.0),
        _flow=found.flow,
        _face=found.face,
        _state=found.state,
    )


def check_optimum(optimum: str) -> None:
    """Check the name of a choice among optima."""
    if optimum not in get_args(Optimum):
        raise InputError(f"optimum is {optimum!r}; choose one of {', '.join(get_args(Optimum))}")
