"""What a flow leaves behind at candidates, and sending it home along heavy judgments."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np

from qrja.data import Floats, Judgments, Offsets, sum_by
from qrja.solution.minimised import Demands


def left_behind(problem: Judgments, flow: Floats, demands: Demands) -> Floats:
    """Return what a flow leaves behind at each free candidate, each sum rounded once."""
    ends, parts = np.concatenate([problem.a, problem.b]), np.concatenate([flow, -flow])
    order = np.argsort(ends, kind="stable")
    until = np.searchsorted(ends[order], np.arange(problem.n + 1)).tolist()
    sorted_parts = parts[order].tolist()
    try:
        left = [math.fsum(sorted_parts[i:j]) for i, j in pairwise(until)]
    except (OverflowError, ValueError):  # beyond the floats
        left = (sum_by(problem.a, flow, problem.n) - sum_by(problem.b, flow, problem.n)).tolist()
    return np.where(demands.free, left, 0.0)


def relative_imbalance(
    problem: Judgments, size: Floats, left: Floats, more: Floats | float = 0.0
) -> float:
    """Relate what is left behind to the most that goes through a candidate of the component."""
    label = problem.components
    through = sum_by(problem.a, size, problem.n) + sum_by(problem.b, size, problem.n) + more
    most = np.zeros(int(label.max(initial=-1)) + 1)
    np.maximum.at(most, label, through)
    share = np.abs(left) / np.maximum(most[label], np.finfo(np.float64).tiny)
    return float(np.max(share, initial=0.0))


def send_home(
    problem: Judgments,
    flow: Floats,
    left: Floats,
    demands: Demands,
    pull: Floats | None = None,
) -> tuple[Floats, Floats]:
    """Return a flow without what is ``left``, sent along a tree, and what stays at its roots.

    Anchored candidates take up anything: all of them are the root, node n. With a ``pull``, all
    that is left but the pull is sent home. Whatever leaks from a flow sums to 0, so that the pulls
    alone stay at the roots: beside a large loss their sum is far below the last digit of the flow.
    """
    pulled = np.zeros(problem.n) if pull is None else pull
    if not (left - pulled).any():
        return flow, left - pulled
    node = np.where(demands.free, np.arange(problem.n), problem.n)
    a, b = node[problem.a], node[problem.b]
    leak, taken = _fractions(left), _fractions(pulled)
    flow = flow.copy()
    for child, parent, arc in heavy_tree(problem.n + 1, a, b, problem.w, demands.pull):
        sent = float(leak[child] - taken[child])
        flow[arc] -= sent if a[arc] == child else -sent
        for due in (leak, taken):
            due[parent] += due[child]
            due[child] = Fraction(0)
    # So nothing stays at a root that nothing pulls.
    stays = [-v for v in taken] if pull is not None else leak
    return flow, np.where(demands.pull > 0, np.array([float(v) for v in stays[:-1]]), 0.0)


def _fractions(values: Floats) -> list[Fraction]:
    """Return one more than there are, for the root."""
    return [Fraction(v) for v in values.tolist()] + [Fraction(0)]


def heavy_tree(
    size: int, a: Offsets, b: Offsets, w: Floats, pull: Floats
) -> list[tuple[int, int, int]]:
    """Return (child, parent, judgment) of a heaviest spanning forest, leaves first (Kruskal).

    Roots are the last node, then those that something pulls, then any.
    """
    leader = list(range(size))

    def find(v: int) -> int:
        while leader[v] != v:
            leader[v] = leader[leader[v]]
            v = leader[v]
        return v

    near: list[list[tuple[int, int]]] = [[] for _ in range(size)]
    for arc in np.argsort(-w, kind="stable").tolist():
        one, other = find(int(a[arc])), find(int(b[arc]))
        if one != other:
            leader[one] = other
            near[int(a[arc])].append((int(b[arc]), arc))
            near[int(b[arc])].append((int(a[arc]), arc))
    steps: list[tuple[int, int, int]] = []
    seen = [False] * size
    for root in [size - 1, *np.argsort(-pull, kind="stable").tolist()]:
        if seen[root]:
            continue
        seen[root], walk = True, [root]
        for v in walk:
            for other, arc in near[v]:
                if not seen[other]:
                    seen[other] = True
                    walk.append(other)
                    steps.append((other, v, arc))
    return steps[::-1]
