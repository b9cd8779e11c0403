"""An approximate Cholesky factor of a graph Laplacian, by sampled elimination.

Eliminating a node of degree k exactly joins its neighbours by k(k-1)/2 edges of weight
``w_i w_j / W``, where W is the sum of the k weights. Here k-1 edges are drawn with the same
expectation: the i-th lightest neighbour is joined to a heavier one j, chosen with probability
proportional to w_j, by an edge of weight ``w_i (w_{i+1} + ... + w_k) / W``. So nothing fills in,
nothing is subtracted, and weights may differ by twenty orders of magnitude: conjugate gradients
then take 20 to 40 steps on every graph tried. The draws are seeded, hence always the same.

References
----------
Kyng and Sachdeva, Approximate Gaussian elimination for Laplacians, FOCS 2016.
Gao, Kyng and Spielman, Robust and practical solution of Laplacian equations by approximate
elimination, 2023: the order by degree and the one sample per neighbour.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from qrja.data import Floats, Index, Offsets
from qrja.jit import compiled, inner, kernel


class Factor(NamedTuple):
    """Nodes in the order of elimination, and for each the shares of its weight and their sum."""

    order: Index
    column: Offsets  # the entries of the k-th node eliminated are column[k]:column[k + 1]
    row: Index
    share: Floats
    pivot: Floats


class Halves(NamedTuple):
    """Edge k is the half-edges 2k and 2k + 1, one in the linked list of either end."""

    link: Index  # of each half-edge: the node it leads to, the next half-edge of its list
    weight: Floats  # of each edge; negative: dead, skipped when a list is read
    head: Index  # of the list of each node


class Queues(NamedTuple):
    """The nodes by degree, a doubly linked list for each; degrees of n and more share one."""

    node: Index  # of each node: degree, node behind, node before, nothing; one line of cache
    first: Index


DEGREE, BEHIND, BEFORE = 0, 1, 2
VANISHED = 1e-300
"""Weights below this are none: their inverse would overflow."""


class Star(NamedTuple):
    """The distinct neighbours of a node: number, weight and one half-edge to each."""

    node: Index
    weight: Floats
    half: Index
    place: Index  # of each node of the graph in the star, or -1


@inner
def _change_degree(queues: Queues, i: int, change: int) -> None:
    last = len(queues.first) - 1
    old = min(queues.node[i, DEGREE], last)
    queues.node[i, DEGREE] += change
    new = min(queues.node[i, DEGREE], last)
    if old != new:
        _leave(queues, i, old)
        _enter(queues, i, new)


@inner
def _enter(queues: Queues, i: int, d: int) -> None:
    head = queues.first[d]
    queues.node[i, BEHIND] = head
    queues.node[i, BEFORE] = -1
    if head >= 0:
        queues.node[head, BEFORE] = i
    queues.first[d] = i


@inner
def _leave(queues: Queues, i: int, d: int) -> None:
    ahead, behind = queues.node[i, BEFORE], queues.node[i, BEHIND]
    if ahead >= 0:
        queues.node[ahead, BEHIND] = behind
    else:
        queues.first[d] = behind
    if behind >= 0:
        queues.node[behind, BEFORE] = ahead


@compiled
def _lay_out(n: int, lows: Index, highs: Index, conductance: Floats) -> Halves:
    link, head = np.empty((2 * len(lows), 2), np.int32), np.full(n, -1, np.int32)
    for k in range(len(lows)):
        low, high = lows[k], highs[k]
        link[2 * k, 0] = high
        link[2 * k, 1] = head[low]
        head[low] = 2 * k
        link[2 * k + 1, 0] = low
        link[2 * k + 1, 1] = head[high]
        head[high] = 2 * k + 1
    return Halves(link, conductance.copy(), head)


@inner
def _gather(v: int, halves: Halves, queues: Queues, star: Star) -> int:
    """Collect the neighbours of v, adding up parallel edges; return their number."""
    k, e = 0, halves.head[v]
    while e >= 0:
        w = halves.weight[e >> 1]
        if w >= 0:
            i = halves.link[e, 0]
            at = star.place[i]
            if at < 0:
                star.place[i] = k
                star.node[k] = i
                star.weight[k] = w
                star.half[k] = e
                k += 1
            else:
                star.weight[at] += w
                halves.weight[e >> 1] = -1.0
                _change_degree(queues, i, -1)
        e = halves.link[e, 1]
    for j in range(k):
        star.place[star.node[j]] = -1
    return k


@inner
def _sort_by_weight(star: Star, k: int) -> None:
    """Sort the first k neighbours: Shell's sort with the gaps of Ciura."""
    for gap in (1750, 701, 301, 132, 57, 23, 10, 4, 1):
        for i in range(gap, k):
            w, v, h = star.weight[i], star.node[i], star.half[i]
            j = i - gap
            while j >= 0 and star.weight[j] > w:
                star.weight[j + gap] = star.weight[j]
                star.node[j + gap] = star.node[j]
                star.half[j + gap] = star.half[j]
                j -= gap
            star.weight[j + gap] = w
            star.node[j + gap] = v
            star.half[j + gap] = h


@inner
def _join(
    k: int, inverse: float, heavier: Floats, halves: Halves, queues: Queues, star: Star, state: Any
) -> Any:
    """Join each neighbour to a heavier one; return the state of the generator (xorshift).

    The half-edges on the neighbours' side turn to their new partners and those of the node itself
    move to the partners' lists: no memory is taken or freed.
    """
    for i in range(k - 1):
        state ^= state << np.uint64(13)
        state ^= state >> np.uint64(7)
        state ^= state << np.uint64(17)
        draw = (state >> np.uint64(11)) * 2.0**-53 * heavier[i]
        low, high = i + 1, k - 1
        while low < high:
            middle = (low + high) >> 1
            if heavier[middle] <= draw:
                high = middle
            else:
                low = middle + 1
        partner, own = star.node[low], star.half[i]
        halves.weight[own >> 1] = star.weight[i] * (heavier[i] * inverse)
        halves.link[own ^ 1, 0] = partner
        halves.link[own, 0] = star.node[i]
        halves.link[own, 1] = halves.head[partner]
        halves.head[partner] = own
        _change_degree(queues, partner, 1)
    halves.weight[star.half[k - 1] >> 1] = -1.0
    _change_degree(queues, star.node[k - 1], -1)
    return state


@compiled
def factorise(n: int, lows: Index, highs: Index, conductance: Floats, seed: int) -> Factor:
    """Factor the Laplacian of a graph of n nodes, given the ends and the weight of each edge."""
    halves = _lay_out(n, lows, highs, conductance)
    queues = Queues(np.zeros((n, 4), np.int32), np.full(n + 1, -1, np.int32))
    for k in range(len(lows)):
        queues.node[lows[k], DEGREE] += 1
        queues.node[highs[k], DEGREE] += 1
    for i in range(n):
        _enter(queues, i, queues.node[i, DEGREE])
    star = Star(np.empty(n, np.int32), np.empty(n), np.empty(n, np.int32), np.full(n, -1, np.int32))
    order, column, pivot = np.empty(n, np.int32), np.zeros(n + 1, np.int64), np.zeros(n)
    size, filled, least = 2 * len(lows) + n, 0, 0
    row, share, heavier = np.empty(size, np.int32), np.empty(size), np.empty(n)
    state = np.uint64(seed)
    for step in range(n):
        while queues.first[least] < 0:
            least += 1
        v = queues.first[least]
        _leave(queues, v, least)
        k = _gather(v, halves, queues, star)
        _sort_by_weight(star, k)
        order[step], column[step] = v, filled
        if k == 0:
            continue
        heavier[k - 1] = 0.0
        for i in range(k - 2, -1, -1):
            heavier[i] = heavier[i + 1] + star.weight[i + 1]
        pivot[v] = heavier[0] + star.weight[0]
        # Products of tiny weights may vanish: such a node counts as cut off.
        inverse = 1.0 / pivot[v] if pivot[v] > VANISHED else 0.0
        if filled + k > size:
            size = 2 * size + k
            longer_row, longer_share = np.empty(size, np.int32), np.empty(size)
            for e in range(filled):
                longer_row[e] = row[e]
                longer_share[e] = share[e]
            row, share = longer_row, longer_share
        for i in range(k):
            row[filled + i] = star.node[i]
            share[filled + i] = star.weight[i] * inverse
        filled += k
        state = _join(k, inverse, heavier, halves, queues, star, state)
        for i in range(k):
            least = min(least, queues.node[star.node[i], DEGREE])
    column[n] = filled
    return Factor(order, column, row[:filled].copy(), share[:filled].copy(), pivot)


@kernel
def apply_factor(factor: Factor, rhs: Floats, out: Floats) -> None:
    """Solve with the factor; the last node of each component gets 0."""
    for v in range(len(rhs)):
        out[v] = rhs[v]
    for step in range(len(factor.order)):
        v = factor.order[step]
        own = out[v]
        for e in range(factor.column[step], factor.column[step + 1]):
            out[factor.row[e]] += factor.share[e] * own
        out[v] = own / factor.pivot[v] if factor.pivot[v] > VANISHED else 0.0
    for step in range(len(factor.order) - 1, -1, -1):
        v = factor.order[step]
        own = out[v]
        for e in range(factor.column[step], factor.column[step + 1]):
            own += factor.share[e] * out[factor.row[e]]
        out[v] = own
