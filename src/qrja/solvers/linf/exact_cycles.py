"""The smallest largest error of a small problem, in fractions: whatever the scales.

For each component, t is the ratio of some cycle of judgments, at first of none, t = 0. Whether all
errors can be within t / w is a question of shortest paths: if they do not exist, a cycle has a
larger ratio, which becomes t (Dinkelbach). If they do, their lengths are the scores.

References
----------
R. E. Bellman, On a routing problem, 1958.
W. Dinkelbach, On nonlinear fractional programming, 1967.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from qrja.data import Floats, Judgments
from qrja.solution import Demands


class Arc(NamedTuple):
    """One direction of a judgment: by how much the tail is to be above the head, and 1/w.

    ``side`` is 1 in the direction of the judgment and -1 against it.
    """

    tail: int
    head: int
    gain: Fraction
    span: Fraction
    row: int
    side: int


def solve_exactly(problem: Judgments, demands: Demands, start: Floats) -> tuple[Floats, Floats]:
    """Return scores near the given ones, optimal in every component, and a certifying flow.

    Examples
    --------
    >>> j = Judgments.from_arrays("abc", "bca", [1, 1, 1e9], [1, 1, 1e18])
    >>> demands = Demands(0.0, np.zeros(3), np.ones(3, dtype=bool))
    >>> x, flow = solve_exactly(j, demands, np.zeros(3))
    >>> x[0] - x[2], flow
    (np.float64(-1000000000.0), array([0.5, 0.5, 0.5]))
    """
    n, free = problem.n, demands.free.tolist()
    x = [Fraction(v) for v in np.where(demands.free, start, demands.goal).tolist()]
    groups: dict[int, list[Arc]] = {}
    # All anchored candidates are the ground, node n; what hangs together by it alone is one group.
    label = _groups(problem, demands)
    for row, (a, b, y, w) in enumerate(
        zip(*(side.tolist() for side in (problem.a, problem.b, problem.y, problem.w)), strict=True)
    ):
        tail, head = (v if free[v] else n for v in (a, b))
        gain, span = Fraction(y) - (x[a] - x[b]), 1 / Fraction(w)
        arcs = groups.setdefault(label[tail], [])
        arcs += [Arc(tail, head, gain, span, row, 1), Arc(head, tail, -gain, span, row, -1)]
    flow, largest = np.zeros(problem.m), Fraction(0)
    for arcs in groups.values():
        t, h, cycle = _largest_ratio(arcs)
        for v in {arc.tail for arc in arcs} - {n}:
            x[v] += h[v] - h.get(n, Fraction(0))
        if t > largest:
            largest, flow = t, _flow_round(cycle, problem.m)
    return np.array([float(v) for v in _centred(problem, demands, x)]), flow


def _groups(problem: Judgments, demands: Demands) -> list[int]:
    """Return the component of each candidate; those with an anchor, and the ground, are one."""
    label = problem.components.tolist()
    held = {c for c, free in zip(label, demands.free.tolist(), strict=True) if not free}
    return [-1 if c in held else c for c in label] + [-1]


def _largest_ratio(arcs: list[Arc]) -> tuple[Fraction, dict[int, Fraction], list[Arc]]:
    """Return the largest ratio of a cycle, values that need no more, and the cycle."""
    t, cycle = Fraction(0), list[Arc]()
    # One arc to and fro, between two that nothing may move, is a cycle of its own.
    for arc in arcs:
        if arc.tail == arc.head and arc.gain > t * arc.span:
            t, cycle = arc.gain / arc.span, [arc]
    while True:
        h, worse = _values(arcs, t)
        if worse is None:
            return t, h, cycle
        cycle = worse
        t = sum((arc.gain for arc in cycle), Fraction(0)) / sum(arc.span for arc in cycle)


def _values(arcs: list[Arc], t: Fraction) -> tuple[dict[int, Fraction], list[Arc] | None]:
    """Return values with ``h[u] >= gain - t span + h[v]`` on all arcs, or a cycle that forbids it.

    ``h`` begins at 0, so that no score moves further than it must.
    """
    h = {arc.tail: Fraction(0) for arc in arcs}
    policy: dict[int, Arc] = {}
    need = [(arc, arc.gain - t * arc.span) for arc in arcs if arc.tail != arc.head]
    while True:
        raised = False
        for arc, length in need:
            value = length + h[arc.head]
            if value > h[arc.tail]:
                h[arc.tail], policy[arc.tail], raised = value, arc, True
        if not raised:
            return h, None
        if (cycle := _cycle(policy)) is not None:
            return h, cycle


def _cycle(policy: dict[int, Arc]) -> list[Arc] | None:
    """Return a cycle of the arcs that last raised each node, if they form one."""
    seen: dict[int, int] = {}
    for origin in policy:
        u, path = origin, list[Arc]()
        while u in policy and u not in seen:
            seen[u] = origin
            path.append(policy[u])
            u = policy[u].head
        if seen.get(u) == origin and u in policy:
            first = next(i for i, arc in enumerate(path) if arc.tail == u)
            return path[first:]
    return None


def _flow_round(cycle: list[Arc], m: int) -> Floats:
    """Send one unit of ``sum |f| / w`` around a cycle."""
    flow, share = np.zeros(m), 1 / sum((arc.span for arc in cycle), Fraction(0))
    for arc in cycle:
        flow[arc.row] += float(share) * arc.side
    return flow


def _centred(problem: Judgments, demands: Demands, x: list[Fraction]) -> list[Fraction]:
    """Shift every component without an anchor to mean 0."""
    label = _groups(problem, demands)
    for c in set(label) - {-1}:
        members = [v for v, other in enumerate(label) if other == c]
        mean = sum((x[v] for v in members), Fraction(0)) / len(members)
        for v in members:
            x[v] -= mean
    return x
