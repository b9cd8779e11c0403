"""Compiled: what orders cost, a local search for better ones, and what good ones have in common.

``D[a, b]`` is the net majority of a over b, so ``D = -D^T``. An order costs the majorities it
reverses.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from qrja.jit import compiled


def seeded() -> NDArray[np.uint64]:
    """Return the state of the random generator, always the same one."""
    return np.array([88172645463325252], dtype=np.uint64)


@compiled
def random_below(state: Any, n: int) -> Any:
    """Return a number in 0..n-1 from a generator of our own, whose state is ``state[0]``."""
    z = state[0]
    z ^= z << np.uint64(13)
    z ^= z >> np.uint64(7)
    z ^= z << np.uint64(17)
    state[0] = z
    return np.int64((z >> np.uint64(33)) % np.uint64(n))


@compiled
def count_wins(who: Any, score: Any, wins: Any) -> None:
    """Add the wins of one contest: ``wins[a, b]`` grows where a is ahead of b."""
    for i in range(len(who)):
        for j in range(i + 1, len(who)):
            if score[i] > score[j]:
                wins[who[i], who[j]] += 1
            elif score[j] > score[i]:
                wins[who[j], who[i]] += 1


@compiled
def cost_of(D: Any, order: Any) -> int:
    """Sum the majorities that an order reverses."""
    cost = 0
    for i in range(len(order)):
        for j in range(i):
            cost += max(D[order[i], order[j]], 0)
    return cost


@compiled
def copy_into(target: Any, source: Any) -> None:
    """Copy an order; as a loop, because assigning to a slice takes numba seconds to compile."""
    for at in range(len(source)):
        target[at] = source[at]


@compiled
def move(order: Any, source: int, target: int) -> None:
    """Take out who stands at ``source`` and put it in at ``target``."""
    who = order[source]
    step = 1 if target > source else -1
    for at in range(source, target, step):
        order[at] = order[at + step]
    order[target] = who


@compiled
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


@compiled
def sweep(D: Any, order: Any, state: Any) -> int:
    """Put n contestants, drawn at random, where they cost least; return the gain."""
    gained = 0
    for _ in range(len(order)):
        source = random_below(state, len(order))
        place, gain = best_place(D, order, source, state)
        move(order, source, place)
        gained += gain
    return gained


@compiled
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


@compiled
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


@compiled
def strike(always: Any, holds: Any) -> None:
    """Strike from ``always`` what does not hold."""
    for a in range(len(always)):
        for b in range(len(always)):
            always[a, b] &= holds[a, b]


@compiled
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


@compiled
def close(before: Any) -> bool:
    """Make a relation transitive, in place; return False where it runs in a circle."""
    n = len(before)
    for k in range(n):
        for i in range(n):
            if before[i, k]:
                for j in range(n):
                    before[i, j] |= before[k, j]
    return not np.diag(before).any()
