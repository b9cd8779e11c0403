"""The best scores for 0 < p < 1, by branch and bound over spanning trees of residuals 0.

Candidates are placed one by one. The next one, v, either satisfies a judgment that joins it to a
placed one, which leaves a few positions to try, or it satisfies none of them: these are barred and
v is placed later, from another candidate. So every spanning-tree solution is met exactly once.
Eight candidates in a component take tenths of a second, ten up to some minutes: more than that
nobody should wait for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from qrja import Contests, Judgments, Solution
from qrja.data import Floats, Offsets, centre
from qrja.jit import compiled
from qrja.solvers.nonconvex import local, solve_nonconvex
from qrja.solvers.nonconvex.kernels.zero_trees import HalfJudgments

Flags = NDArray[np.bool_]


def solve_by_trying_all(problem: Contests | Judgments, p: float) -> Solution:
    """Return the best scores of all; they are centred, and begin as good as a local optimum."""
    judgments = local.written_out(problem, p)
    begun = solve_nonconvex(judgments, p)
    x, nodes = begun.x.copy(), 0
    for inside, part in parts(judgments):
        halves = local.halves_of(part)._replace(zero=local.rounding_of(part, x[inside]))
        loss = total_loss(part, x[inside], p)
        search, frames = begin(halves, p, x[inside], loss)
        proceed(halves, p, search, frames, 1 << 60)
        x[inside], nodes = search.best, nodes + int(search.at[1])
    best = total_loss(judgments, x, p)
    return replace(
        begun,
        x=centre(x, judgments.components),
        objective=best,
        lower_bound=best,
        gap=0.0,
        status="optimal",
        iterations=nodes,
    )


def total_loss(problem: Judgments, x: Floats, p: float) -> float:
    """Return the loss of scores, residuals that are rounding being 0."""
    return float(problem.w @ local.powers(problem, x, p))


def parts(problem: Judgments) -> Iterator[tuple[Offsets, Judgments]]:
    """Yield the candidates and the judgments of every component that has any judgment."""
    label, number = problem.components, np.empty(problem.n, dtype=np.int64)
    for component in np.unique(label[problem.a]):
        inside = np.flatnonzero(label == component)
        row = np.flatnonzero(label[problem.a] == component)
        number[inside] = np.arange(len(inside))
        names = tuple(problem.names[i] for i in inside)
        a, b = number[problem.a[row]], number[problem.b[row]]
        yield inside, Judgments(a, b, problem.y[row], problem.w[row], names)


class Search(NamedTuple):
    """Where the search is: scores so far, who has one, which judgments are barred, the best.

    ``at`` holds the depth (-1 at the end) and the number of nodes so far.
    """

    x: Floats
    placed: Flags
    barred: Flags
    apart: Floats
    best: Floats
    least: Floats
    at: Offsets


class Frames(NamedTuple):
    """One row per step of the search: whom it places, and what it has tried of what it can."""

    loss: Floats
    who: Offsets
    options: Offsets
    tried: Offsets
    position: Floats
    cost: Floats
    edge: Offsets
    barred: Flags


def begin(halves: HalfJudgments, p: float, x: Floats, loss: float) -> tuple[Search, Frames]:
    """Set up the search of one component, given scores x and their loss to begin with."""
    n, m = len(x), len(halves.head)
    search = Search(
        x=np.zeros(n),
        placed=np.zeros(n, dtype=np.bool_),
        barred=np.zeros(m, dtype=np.bool_),
        apart=losses_apart(halves, p, n),
        best=x.copy(),
        least=np.array([loss]),
        at=np.zeros(2, dtype=np.int64),
    )
    # Each step places a candidate or bars at least one judgment.
    depth, width = n + m + 1, int(np.diff(halves.start).max())
    frames = Frames(
        loss=np.zeros(depth),
        who=np.zeros(depth, dtype=np.int64),
        options=np.zeros(depth, dtype=np.int64),
        tried=np.zeros(depth, dtype=np.int64),
        position=np.zeros((depth, width)),
        cost=np.zeros((depth, width)),
        edge=np.zeros((depth, width), dtype=np.int64),
        barred=np.zeros((depth, width), dtype=np.bool_),
    )
    search.placed[0] = True
    search.at[0] = 0 if open_frame(halves, p, search, frames, 0, 0.0) else -1
    return search, frames


@compiled
def proceed(halves: HalfJudgments, p: float, search: Search, frames: Frames, nodes: int) -> bool:
    """Search up to so many nodes more; return whether any are left."""
    depth = search.at[0]
    while depth >= 0 and nodes > 0:
        more, loss = next_option(halves, search, frames, depth)
        if not more:
            depth -= 1
            continue
        nodes -= 1
        search.at[1] += 1
        if search.placed.all():
            if loss < search.least[0]:
                search.least[0] = loss
                search.best[:] = search.x
        elif open_frame(halves, p, search, frames, depth + 1, loss):
            depth += 1
    search.at[0] = depth
    return bool(depth >= 0)


@compiled
def open_frame(
    halves: HalfJudgments, p: float, search: Search, frames: Frames, depth: int, loss: float
) -> bool:
    """Choose whom to place next and list the positions, cheapest first; False if in vain."""
    bound, v = bound_and_choose(halves, p, search, loss)
    if v < 0 or bound >= search.least[0] * (1 - 1e-12):
        return False
    lo, hi, k = halves.start[v], halves.start[v + 1], 0
    frames.loss[depth], frames.who[depth], frames.tried[depth] = loss, v, 0
    for e in range(lo, hi):
        if search.placed[halves.head[e]]:
            frames.edge[depth, k], frames.barred[depth, k] = e, search.barred[e]
            frames.position[depth, k] = search.x[halves.head[e]] + halves.margin[e]
            frames.cost[depth, k] = cost_of(halves, p, search, v, frames.position[depth, k])
            k += 1
    frames.options[depth] = k
    return True


@compiled
def next_option(
    halves: HalfJudgments, search: Search, frames: Frames, depth: int
) -> tuple[bool, float]:
    """Do the next thing that a frame can: a position, then barring all; False if none is left."""
    v, count = frames.who[depth], frames.options[depth]
    while frames.tried[depth] < count:
        i = frames.tried[depth]
        cheapest_next(frames, depth, i)
        frames.tried[depth] += 1
        if not taken(frames, depth, i, halves.zero[v]):
            search.x[v], search.placed[v] = frames.position[depth, i], True
            return True, frames.loss[depth] + frames.cost[depth, i]
    search.placed[v] = False
    frames.tried[depth] += 1
    more = frames.tried[depth] == count + 1
    for i in range(count):
        search.barred[frames.edge[depth, i]] = more or frames.barred[depth, i]
    return more, frames.loss[depth]


@compiled
def cheapest_next(frames: Frames, depth: int, i: int) -> None:
    """Exchange option i with the cheapest of those from i on."""
    cost, k = frames.cost[depth], i
    for j in range(i + 1, frames.options[depth]):
        k = j if cost[j] < cost[k] else k
    for column in (frames.cost[depth], frames.position[depth]):
        column[i], column[k] = column[k], column[i]
    edge, barred = frames.edge[depth], frames.barred[depth]
    edge[i], edge[k] = edge[k], edge[i]
    barred[i], barred[k] = barred[k], barred[i]


@compiled
def taken(frames: Frames, depth: int, i: int, zero: float) -> bool:
    """Return whether option i is at a position that is barred or was tried before."""
    for j in range(frames.options[depth]):
        distance = abs(frames.position[depth, j] - frames.position[depth, i])
        if distance <= zero and (j < i or frames.barred[depth, j]):
            return True
    return False


@compiled
def bound_and_choose(
    halves: HalfJudgments, p: float, search: Search, loss: float
) -> tuple[float, int]:
    """Bound the loss of all ways to go on, and choose whom to place: who costs most, if possible.

    Those not placed yet cost at least what each costs alone with the placed ones, and what each
    pair of them costs.
    """
    chosen, most = -1, -1.0
    for v in range(len(search.x)):
        if search.placed[v]:
            continue
        least, possible = np.inf, False
        for e in range(halves.start[v], halves.start[v + 1]):
            u = halves.head[e]
            if search.placed[u]:
                position = search.x[u] + halves.margin[e]
                least = min(least, cost_of(halves, p, search, v, position))
                possible |= not search.barred[e]
        if least == np.inf:
            least = 0.0
        loss += least
        for u in range(v):
            if not search.placed[u]:
                loss += search.apart[u, v]
        if possible and least > most:
            chosen, most = v, least
    return loss, chosen


@compiled
def cost_of(halves: HalfJudgments, p: float, search: Search, v: int, position: float) -> float:
    """Return the loss of v's judgments with placed candidates, were v at a position."""
    total = 0.0
    for e in range(halves.start[v], halves.start[v + 1]):
        if search.placed[halves.head[e]]:
            distance = abs(position - search.x[halves.head[e]] - halves.margin[e])
            if distance > halves.zero[v]:
                total += halves.weight[e] * distance**p
    return total


@compiled
def losses_apart(halves: HalfJudgments, p: float, n: int) -> Floats:
    """Return what the judgments between two candidates cost at least, whatever their scores."""
    apart = np.full((n, n), np.inf)
    for u in range(n):
        for e in range(halves.start[u], halves.start[u + 1]):
            v, total = halves.head[e], 0.0
            for other in range(halves.start[u], halves.start[u + 1]):
                distance = abs(halves.margin[e] - halves.margin[other])
                if halves.head[other] == v and distance > halves.zero[u]:
                    total += halves.weight[other] * distance**p
            apart[u, v] = min(apart[u, v], total)
    for u in range(n):
        for v in range(n):
            apart[u, v] = 0.0 if apart[u, v] == np.inf else apart[u, v]
    return apart
