"""Branch and bound over spanning trees of residuals 0, for the l_p loss with 0 < p < 1.

Candidates are placed one by one. The next one, v, either satisfies a judgment that joins it to a
placed one, which leaves a few positions to try, or it satisfies none of them: these are barred and
v is placed later, from another candidate. So every spanning-tree solution is met exactly once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from qrja._arrays import Floats, Offsets
from qrja.solvers._kernels_nonconvex import Halves
from qrja.solvers._kernels_shift import loss_at

Flags = NDArray[np.bool_]


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


@njit(cache=True)
def begin(halves: Halves, p: float, x: Floats, loss: float) -> tuple[Search, Frames]:
    """Set up the search of one component, given scores x and their loss to begin with."""
    n = len(x)
    search = Search(
        x=np.zeros(n),
        placed=np.zeros(n, dtype=np.bool_),
        barred=np.zeros(len(halves.head), dtype=np.bool_),
        apart=losses_apart(halves, p, n),
        best=x.copy(),
        least=np.array([loss]),
        at=np.zeros(2, dtype=np.int64),
    )
    # Each step places a candidate or bars at least one judgment.
    depth, width = n + len(halves.head) + 1, int(np.diff(halves.start).max())
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


@njit(cache=True)
def proceed(halves: Halves, p: float, search: Search, frames: Frames, nodes: int) -> bool:
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


@njit(cache=True)
def open_frame(
    halves: Halves, p: float, search: Search, frames: Frames, depth: int, loss: float
) -> bool:
    """Choose whom to place next and list the positions, cheapest first; False if in vain."""
    bound, v = bound_and_choose(halves, p, search, loss)
    if v < 0 or bound >= search.least[0] * (1 - 1e-12):
        return False
    positions, costs, edges = positions_of(halves, p, search, v)
    order, count = np.argsort(costs), len(costs)
    frames.loss[depth], frames.who[depth] = loss, v
    frames.options[depth], frames.tried[depth] = count, 0
    frames.position[depth, :count] = positions[order]
    frames.cost[depth, :count] = costs[order]
    frames.edge[depth, :count] = edges[order]
    frames.barred[depth, :count] = search.barred[edges[order]]
    return True


@njit(cache=True)
def next_option(halves: Halves, search: Search, frames: Frames, depth: int) -> tuple[bool, float]:
    """Do the next thing that a frame can: a position, then barring all; False if none is left."""
    v, count = frames.who[depth], frames.options[depth]
    edges, before = frames.edge[depth, :count], frames.barred[depth, :count]
    while frames.tried[depth] < count:
        i = frames.tried[depth]
        frames.tried[depth] += 1
        if not taken(i, frames.position[depth, :count], before, halves.zero[v]):
            search.x[v], search.placed[v] = frames.position[depth, i], True
            return True, frames.loss[depth] + frames.cost[depth, i]
    search.placed[v] = False
    frames.tried[depth] += 1
    if frames.tried[depth] == count + 1:
        search.barred[edges] = True
        return True, frames.loss[depth]
    search.barred[edges] = before
    return False, 0.0


@njit(cache=True)
def losses_apart(halves: Halves, p: float, n: int) -> Floats:
    """Return what the judgments between two candidates cost at least, whatever their scores."""
    apart = np.zeros((n, n))
    for u in range(n):
        lo, hi = halves.start[u], halves.start[u + 1]
        for v in range(n):
            pair = halves.head[lo:hi] == v
            y, w = halves.margin[lo:hi][pair], halves.weight[lo:hi][pair]
            if len(y):
                apart[u, v] = min([loss_at(z, y, w, halves.zero[u], p) for z in y])
    return apart


@njit(cache=True)
def positions_of(
    halves: Halves, p: float, search: Search, v: int
) -> tuple[Floats, Floats, Offsets]:
    """Return v's positions by each judgment with a placed candidate, their costs, the judgments."""
    lo, hi = halves.start[v], halves.start[v + 1]
    edges = lo + np.flatnonzero(search.placed[halves.head[lo:hi]])
    positions = search.x[halves.head[edges]] + halves.margin[edges]
    costs = np.empty(len(edges))
    for i in range(len(edges)):
        costs[i] = loss_at(positions[i], positions, halves.weight[edges], halves.zero[v], p)
    return positions, costs, edges


@njit(cache=True)
def taken(i: int, positions: Floats, barred: Flags, zero: float) -> bool:
    """Return whether position i is barred, or was tried before."""
    for j in range(len(positions)):
        if (barred[j] or j < i) and abs(positions[j] - positions[i]) <= zero:
            return True
    return False


@njit(cache=True)
def bound_and_choose(halves: Halves, p: float, search: Search, loss: float) -> tuple[float, int]:
    """Bound the loss of all ways to go on, and choose whom to place: who costs most, if possible.

    Those not placed yet cost at least what each costs alone with the placed ones, and what each
    pair of them costs.
    """
    chosen, most = -1, -1.0
    for v in range(len(search.x)):
        if search.placed[v]:
            continue
        _, costs, edges = positions_of(halves, p, search, v)
        least = costs.min() if len(costs) else 0.0
        loss += least
        for u in range(v):
            if not search.placed[u]:
                loss += search.apart[u, v]
        if least > most and not search.barred[edges].all():
            chosen, most = v, least
    return loss, chosen
