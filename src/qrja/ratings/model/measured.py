"""Measured values: candidates whose rating is known up to a standard error.

    minimise over x:  sum_i w_i (x_a - x_b - y_i)^2  +  sum over measured v of (x_v - m_v)^2 / s_v^2

A measured value is a judgment against a ground that is held at 0, so whatever is known of judgments
holds of it: one more candidate, one more judgment for each value, and the ground is left out of
what comes back.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from qrja.data import Contests, Floats, Index, Judgments
from qrja.solution import Demands, Minimised, Solution

Measured = Mapping[Hashable, tuple[float, float]]
"""The value and its standard error, by name."""


class _Ground:
    """A name that nobody else has."""

    def __repr__(self) -> str:
        return "the ground"


GROUND = _Ground()


class Grounded(NamedTuple):
    """A problem with what is asked of it, and ratings; a ground, if there is one, is last."""

    problem: Contests | Judgments
    demands: Demands
    x: Floats


def ground(problem: Contests | Judgments, measured: Measured) -> Judgments:
    """Return the problem with measured values as judgments against the ground.

    Examples
    --------
    >>> grounded = ground(Judgments.from_arrays("a", "b", [1], se=[1]), {"b": (3.0, 0.5)})
    >>> grounded.names, grounded.y, grounded.w
    (('a', 'b', the ground), array([1., 3.]), array([1., 4.]))
    """
    pairs = problem.to_judgments()
    who = np.array([problem.number[name] for name in measured], dtype=np.int32)
    value, se = np.array(list(measured.values()), dtype=np.float64).reshape(-1, 2).T
    new = len(who)
    study: Index | None = None
    if pairs.study is not None:
        alone = np.arange(new, dtype=np.int32) + len(pairs.studies)
        study = np.concatenate([pairs.study, alone.astype(np.int32)])
    return Judgments(
        np.append(pairs.a, who),
        np.append(pairs.b, np.full(new, problem.n)),
        np.append(pairs.y, value),
        np.append(pairs.w, 1.0 / se**2),
        (*problem.names, GROUND),
        se=None if pairs.se is None else np.append(pairs.se, se),
        study=study,
        studies=(*pairs.studies, *(("measured", name) for name in measured)),
    )


def leave_ground(solution: Solution, problem: Contests | Judgments, measured: Measured) -> Solution:
    """Return the solution of a grounded problem as one of the problem itself."""
    assert solution.minimised is not None
    demands = solution.minimised.demands_on(problem.n + 1)
    pins, goal = np.zeros(problem.n), demands.goal[:-1].copy()
    for name, (value, se) in measured.items():
        pins[problem.number[name]], goal[problem.number[name]] = se**-2, value
    asked = Demands(demands.ridge, goal, demands.free[:-1], pins)
    return replace(
        solution,
        x=solution.x[:-1],
        names=problem.names,
        components=_by_size(solution.components[:-1]),
        minimised=Minimised(solution.minimised.power, solution.minimised.other, asked),
        _flow=lambda: solution.flow()[: problem.m],
        _state=None,
    )


def _by_size(label: Index) -> Index:
    """Give components new numbers, the largest first."""
    _, of, size = np.unique(label, return_inverse=True, return_counts=True)
    rank = np.empty(len(size), dtype=np.int32)
    rank[np.argsort(-size, kind="stable")] = np.arange(len(size), dtype=np.int32)
    return rank[of]
