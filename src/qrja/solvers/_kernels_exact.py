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
from qrja.solvers._kernels_nonconvex import Halves, loss_at

Flags = NDArray[np.bool_]


class Search(NamedTuple):
    """What the search carries along: scores so far, who has one, barred judgments, the best."""

    x: Floats
    placed: Flags
    barred: Flags
    apart: Floats
    best: Floats
    least: Floats
    nodes: Offsets


@njit(cache=True)
def branch_and_bound(halves: Halves, p: float, x: Floats, loss: float) -> tuple[Floats, int]:
    """Return the best scores of one component, given scores x and their loss to begin with.

    Also returns the number of nodes of the search.
    """
    n = len(x)
    search = Search(
        x=np.zeros(n),
        placed=np.zeros(n, dtype=np.bool_),
        barred=np.zeros(len(halves.head), dtype=np.bool_),
        apart=losses_apart(halves, p, n),
        best=x.copy(),
        least=np.array([loss]),
        nodes=np.zeros(1, dtype=np.int64),
    )
    search.placed[0] = True
    extend(halves, p, search, 1, 0.0)
    return search.best, int(search.nodes[0])


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
def extend(halves: Halves, p: float, search: Search, count: int, loss: float) -> None:
    """Place one more candidate in every way that may still beat the best."""
    search.nodes[0] += 1
    n = len(search.x)
    if count == n:
        if loss < search.least[0]:
            search.least[0] = loss
            search.best[:] = search.x
        return
    bound, v = bound_and_choose(halves, p, search, loss)
    if v < 0 or bound >= search.least[0] * (1 - 1e-12):
        return
    positions, costs, edges = positions_of(halves, p, search, v)
    search.placed[v] = True
    for i in np.argsort(costs):
        if not taken(positions[i], i, positions, search.barred[edges], halves.zero[v]):
            search.x[v] = positions[i]
            extend(halves, p, search, count + 1, loss + costs[i])
    search.placed[v] = False
    before = search.barred[edges]
    search.barred[edges] = True
    extend(halves, p, search, count, loss)
    search.barred[edges] = before


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
def taken(position: float, i: int, positions: Floats, barred: Flags, zero: float) -> bool:
    """Return whether a position is barred, or an earlier judgment's too."""
    for j in range(len(positions)):
        if (barred[j] or j < i) and abs(positions[j] - position) <= zero:
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
