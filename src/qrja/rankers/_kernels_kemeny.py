"""Compiled: the inner loops of Kemeny's rule.

``D[a, b]`` is the net majority of a over b, so ``D = -D^T``. An order costs the majorities it
reverses. Arc e stands for a pair with ``D[tail, head] > 0``; ``x[e]`` is 1 where the order
reverses it and 0 where it keeps it, and anything between in the linear relaxation.

Cuts are rows of a sparse matrix: ``sum of sign[k] * x[arc[k]] >= right`` over
``start[r]:start[r + 1]``, the condition that a cycle is not kept whole.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

FAR = 9.0
"""A length no cut needs: cycles longer than 1 are not violated."""


def seeded() -> NDArray[np.uint64]:
    """Return the state of the random generator, always the same one."""
    return np.array([88172645463325252], dtype=np.uint64)


@numba.njit(cache=True)
def random_below(state: Any, n: int) -> Any:
    """Return a number in 0..n-1 from a generator of our own, whose state is ``state[0]``."""
    z = state[0]
    z ^= z << np.uint64(13)
    z ^= z >> np.uint64(7)
    z ^= z << np.uint64(17)
    state[0] = z
    return np.int64((z >> np.uint64(33)) % np.uint64(n))


@numba.njit(cache=True)
def count_wins(who: Any, score: Any, by_listing: bool, wins: Any) -> None:
    """Add the wins of one contest: ``wins[a, b]`` grows where a is ahead of b."""
    for i in range(len(who)):
        for j in range(i + 1, len(who)):
            if by_listing or score[i] > score[j]:
                wins[who[i], who[j]] += 1
            elif score[j] > score[i]:
                wins[who[j], who[i]] += 1


@numba.njit(cache=True)
def cost_of(D: Any, order: Any) -> int:
    """Sum the majorities that an order reverses."""
    cost = 0
    for i in range(len(order)):
        for j in range(i):
            cost += max(D[order[i], order[j]], 0)
    return cost


@numba.njit(cache=True)
def copy_into(target: Any, source: Any) -> None:
    """Copy an order; as a loop, because assigning to a slice takes numba seconds to compile."""
    for at in range(len(source)):
        target[at] = source[at]


@numba.njit(cache=True)
def move(order: Any, source: int, target: int) -> None:
    """Take out who stands at ``source`` and put it in at ``target``."""
    who = order[source]
    step = 1 if target > source else -1
    for at in range(source, target, step):
        order[at] = order[at + step]
    order[target] = who


@numba.njit(cache=True)
def best_place(D: Any, order: Any, source: int, state: Any) -> tuple[int, int]:
    """Return where who stands at ``source`` would cost least, and the gain.

    Places of equal cost are drawn from at random.
    """
    who, place, gain, equals = order[source], source, 0, 1
    for step in (-1, 1):
        total, at = 0, source + step
        while 0 <= at < len(order):
            total -= step * D[who, order[at]]
            if total > gain:
                gain, place, equals = total, at, 1
            elif total == gain:
                equals += 1
                if random_below(state, equals) == 0:
                    place = at
            at += step
    return place, gain


@numba.njit(cache=True)
def sweep(D: Any, order: Any, state: Any) -> int:
    """Put n contestants, drawn at random, where they cost least; return the gain."""
    gained = 0
    for _ in range(len(order)):
        source = random_below(state, len(order))
        place, gain = best_place(D, order, source, state)
        move(order, source, place)
        gained += gain
    return gained


@numba.njit(cache=True)
def search_orders(
    D: Any, order: Any, sweeps: int, patience: int, kicks: int, state: Any
) -> tuple[Any, int]:
    """Drift over equally good orders, kick where nothing improves, keep the best.

    Moves that cost nothing are taken as readily as better ones: where few pairs have met, most
    neighbours of an order are as good as it is, and the way down leads through them.
    """
    current, home = order.copy(), order.copy()
    cost = home_cost = cost_of(D, order)
    best, best_cost, idle = order.copy(), cost, 0
    for _ in range(sweeps):
        gained = sweep(D, current, state)
        cost -= gained
        idle = 0 if gained > 0 else idle + 1
        if cost < best_cost:
            best_cost = cost
            copy_into(best, current)
        if idle == patience:
            idle = 0
            if cost <= home_cost:
                home_cost = cost
                copy_into(home, current)
            else:
                copy_into(current, home)
            for _ in range(kicks):
                move(current, random_below(state, len(order)), random_below(state, len(order)))
            cost = cost_of(D, current)
    return best, best_cost


@numba.njit(cache=True)
def implied_by(D: Any, order: Any) -> Any:
    """Return who is before whom in every order that reverses the same majorities as ``order``."""
    n = len(order)
    before = np.zeros((n, n), dtype=np.bool_)
    for i in range(n - 1, -1, -1):
        a = order[i]
        for j in range(i + 1, n):
            b = order[j]
            if D[a, b] > 0 and not before[a, b]:
                before[a, b] = True
                for c in range(n):
                    before[a, c] |= before[b, c]
    return before


@numba.njit(cache=True)
def strike(always: Any, holds: Any) -> None:
    """Strike from ``always`` what does not hold."""
    for a in range(len(always)):
        for b in range(len(always)):
            always[a, b] &= holds[a, b]


@numba.njit(cache=True)
def narrow(D: Any, order: Any, cost: int, always: Any, sweeps: int, kicks: int, state: Any) -> None:
    """Visit orders of the given cost and strike from ``always`` what does not hold in all."""
    current, home = order.copy(), order.copy()
    for number in range(sweeps):
        sweep(D, current, state)
        if cost_of(D, current) == cost:
            strike(always, implied_by(D, current))
            copy_into(home, current)
        elif number % 10 == 9:
            copy_into(current, home)
        if number % 10 == 4:
            for _ in range(kicks):
                move(current, random_below(state, len(order)), random_below(state, len(order)))


@numba.njit(cache=True)
def close(before: Any) -> bool:
    """Make a relation transitive, in place; return False where it runs in a circle."""
    n = len(before)
    for k in range(n):
        for i in range(n):
            if before[i, k]:
                for j in range(n):
                    before[i, j] |= before[k, j]
    return not np.diag(before).any()


@numba.njit(cache=True)
def three_cycles(tail: Any, head: Any, arc_of: Any, most: int) -> Any:
    """Return the arcs of cycles of three, one row each, no more than ``most``."""
    n = len(arc_of)
    found = np.empty((most, 3), dtype=np.int32)
    count = 0
    for e in range(len(tail)):
        a, b = tail[e], head[e]
        for c in range(n):
            # Each cycle once, at the arc that leaves its least contestant.
            if a < b and a < c and arc_of[b, c] >= 0 and arc_of[c, a] >= 0 and count < most:
                found[count, 0], found[count, 1], found[count, 2] = e, arc_of[b, c], arc_of[c, a]
                count += 1
    return found[:count]


@numba.njit(cache=True)
def primal_dual_steps(
    w: Any,
    low: Any,
    high: Any,
    start: Any,
    arc: Any,
    sign: Any,
    right: Any,
    x: Any,
    y: Any,
    balance: float,
    steps: int,
) -> tuple[Any, Any]:
    """Return the averages of x and y over steps of the primal-dual hybrid gradient method.

    It is to::

        minimise w . x   subject to   low <= x <= high   and the cuts, whose prices are y >= 0

    Each variable and each cut has a step length of its own, by the number of its neighbours.
    """
    m, cuts = len(w), len(right)
    degree = np.zeros(m)
    for k in range(len(arc)):
        degree[arc[k]] += 1
    paid, ahead = np.empty(m), np.empty(m)
    mean_x, mean_y = np.zeros(m), np.zeros(cuts)
    for _ in range(steps):
        for e in range(m):
            paid[e] = 0.0
        for r in range(cuts):
            if y[r] > 0:
                for k in range(start[r], start[r + 1]):
                    paid[arc[k]] += sign[k] * y[r]
        for e in range(m):
            moved = x[e] - balance / max(degree[e], 1.0) * (w[e] - paid[e])
            moved = min(max(moved, low[e]), high[e])
            ahead[e] = 2 * moved - x[e]
            x[e] = moved
            mean_x[e] += moved
        for r in range(cuts):
            short = right[r]
            for k in range(start[r], start[r + 1]):
                short -= sign[k] * ahead[arc[k]]
            y[r] = max(y[r] + short / (balance * (start[r + 1] - start[r])), 0.0)
            mean_y[r] += y[r]
    return mean_x / steps, mean_y / steps


@numba.njit(cache=True)
def price(
    w: Any, low: Any, high: Any, start: Any, arc: Any, sign: Any, right: Any, y: Any
) -> tuple[float, Any]:
    """Return the lower bound that prices y prove, and what each arc costs at these prices.

    For any y >= 0 the cost of every order is at least
    ``y . right + sum over arcs of min(left * low, left * high)`` with ``left = w - A^T y``.
    """
    left, bound = w.copy(), 0.0
    for r in range(len(right)):
        if y[r] > 0:
            bound += y[r] * right[r]
            for k in range(start[r], start[r + 1]):
                left[arc[k]] -= sign[k] * y[r]
    for e in range(len(w)):
        bound += left[e] * (low[e] if left[e] > 0 else high[e])
    return bound, left


@numba.njit(cache=True)
def shortfall(start: Any, arc: Any, sign: Any, right: Any, x: Any) -> Any:
    """Return by how much x misses each cut; negative where there is slack."""
    short = right.copy()
    for r in range(len(right)):
        for k in range(start[r], start[r + 1]):
            short[r] -= sign[k] * x[arc[k]]
    return short


@numba.njit(cache=True)
def shortest_ways(length: Any) -> tuple[Any, Any]:
    """Return all distances below 1 and the first step of each way (Floyd and Warshall)."""
    n = len(length)
    distance = length.copy()
    first = np.empty((n, n), dtype=np.int32)
    for i in range(n):
        for j in range(n):
            first[i, j] = j
    for k in range(n):
        for i in range(n):
            so_far = distance[i, k]
            if so_far < 1.0 and i != k:
                for j in range(n):
                    if so_far + distance[k, j] < distance[i, j]:
                        distance[i, j] = so_far + distance[k, j]
                        first[i, j] = first[i, k]
    return distance, first


@numba.njit(cache=True)
def violated_cycles(
    tail: Any, head: Any, length: Any, arc_of: Any, least: float
) -> tuple[Any, Any, Any]:
    """Return one shortest cycle through each pair in each direction, where it is below 1 - least.

    A step a -> b along an arc costs x, against an arc 1 - x, as ``length`` says.

    Returns
    -------
    start, arc, sign
        The arcs of each cycle; the sign is -1 where it runs against the arc. A step that is
        forced, not an arc, costs nothing and is left out.
    """
    distance, first = shortest_ways(length)
    start, arc, sign = [0], [0], [0.0]
    for e in range(len(tail)):
        for turned in range(2):
            a, b = (head[e], tail[e]) if turned else (tail[e], head[e])
            if length[a, b] + distance[b, a] > 1 - least or first[b, a] == a:
                continue
            at, to = a, b
            while True:
                if arc_of[at, to] >= 0:
                    arc.append(arc_of[at, to])
                    sign.append(1.0)
                elif arc_of[to, at] >= 0:
                    arc.append(arc_of[to, at])
                    sign.append(-1.0)
                if to == a:
                    break
                at, to = to, first[to, a]
            start.append(len(arc) - 1)
    return np.array(start), np.array(arc[1:], dtype=np.int32), np.array(sign[1:])
