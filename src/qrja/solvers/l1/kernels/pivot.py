"""Compiled: the pivot of the dual network simplex in x-space, on contests.

A pivot drops a tree pair that carries too much, ``|flow| > cap``, which leaves two trees. The
smaller one moves in the direction of the excess; every pair that it crosses changes its pull by
twice its weight, and the move ends at the pair that uses the excess up. That pair enters:

    cut  ->  collect the moving nodes  ->  search the crossings  ->  shift  ->  send flows  ->  join

Each pivot lowers the loss strictly (in the perturbed order), so none is ever repeated.
"""

from __future__ import annotations

import numpy as np

from qrja.jit import Bool, Int, Tables, inner, kernel
from qrja.solvers.l1.kernels.exchange import (
    FAR,
    LIMIT,
    NO_ROOM,
    OPTIMAL,
    PAUSED,
    TOO_FAR,
    cut_off,
    exchange,
    move,
)
from qrja.solvers.l1.kernels.forest import collect, next_to_repair
from qrja.solvers.l1.kernels.line_search import measure, measure_around, search
from qrja.solvers.l1.kernels.regions import is_inside, mark_inner
from qrja.solvers.l1.kernels.sorted_contests import carry, drop_zero, find_zero, is_before, set_zero

GUESS = 4.0
"""How many times as far as a move will probably go it looks at first. With less, more moves are
searched twice; with more, each search meets crossings that it drops again. The answer is the same.
"""
VAIN = 4.0
"""Looks in vain for each entry when all have drifted by the mean distance of neighbours. With less,
entries are looked at in vain; with more, distances are measured that nobody asks for."""


@inner
def sort_again(state: Tables, p: Int, d: Int) -> None:
    """Bring the entry at place p, which moved in direction d, to where it belongs.

    An entry carried away uncovers those behind it that moved too.
    """
    places, nodes, slots = state.places, state.nodes, state.slots
    first = np.int64(state.fields[places[p].contest].first)
    stop = first + state.fields[places[p].contest].size
    while first <= p < stop and first <= p + d < stop:
        if not (
            is_before(places, nodes, p + d, p) if d > 0 else is_before(places, nodes, p, p + d)
        ):
            break
        at = carry(places, nodes, slots, p, stop if d > 0 else first - 1, d)
        measure_around(state, at, first, stop)
        measure_around(state, p, first, stop)
        p -= d


@inner
def measure_ahead(state: Tables, count: Int, d: Int) -> None:
    """Measure how far moved entries are from those at rest ahead; all others are no nearer."""
    nodes, slots, stamp = state.nodes, state.slots, state.forest.control[0].stamp
    for k in range(count):
        v = state.forest.moving[k]
        if is_inside(state, v):
            continue
        for slot in range(nodes[v].first, nodes[v].first + nodes[v].size):
            u = slots[slot].above if d > 0 else slots[slot].below
            if u >= 0 and nodes[u].mark != stamp:
                p = np.int64(state.slots[slot].place)
                measure(state, min(p, p + d), max(p, p + d))


@inner
def forget_reach(state: Tables, v: Int) -> None:
    """Take node v to be able to meet somebody at once."""
    state.reach[v].up, state.reach[v].down = 0, 0


@inner
def add_drift(state: Tables, step: Int) -> None:
    """Let all distances count as shorter by a step."""
    slots, control = state.slots, state.forest.control
    control[0].drift += step
    if control[0].drift > LIMIT:
        control[0].drift = 0
        for slot in range(slots.size):
            slots[slot].up, slots[slot].down = 0, 0
        for v in range(state.reach.size):
            forget_reach(state, v)


@inner
def shift(state: Tables, count: Int, moved: Int, d: Int, step_hi: Int, step_lo: Int) -> Bool:
    """Move the nodes by a step in direction d and sort their contests again.

    Distances are measured again if that is less work than what the drift would cost: a step over
    the mean distance is the share of all entries that will be looked at in vain.

    Returns False if a node leaves the range where differences of residuals are exact.
    """
    control = state.forest.control
    is_in_range = move(state.forest, state.nodes, count, d * step_hi, d * step_lo)
    mean = control[0].length / float(control[0].entries)
    vain = VAIN * float(control[0].entries) * float(step_hi)
    is_drift = vain <= float(state.forest.tree[moved].size) * mean
    if is_drift:
        add_drift(state, step_hi)
    for k in range(control[0].touched):
        sort_again(state, np.int64(state.slots[state.touched[k]].place), d)
    if not is_drift:
        measure_ahead(state, count, d)
    return is_in_range


@inner
def settle_zeros(state: Tables, d: Int) -> Bool:
    """Forget the zero pairs that the move pulled apart and remember those that it made."""
    nodes, entries, zeros = state.nodes, state.entries, state.zeros
    crossed, ties, control = state.forest.crossed, state.forest.ties, state.forest.control
    stamp = control[0].stamp
    hi, lo = crossed[0].hi, crossed[0].lo
    at = np.int64(0)
    while (hi != 0 or lo != 0) and at < control[0].zeros:
        u, v = entries[zeros[at].i].node, entries[zeros[at].j].node
        if (nodes[u].mark == stamp) != (nodes[v].mark == stamp):
            drop_zero(state, at)
        else:
            at += 1
    room = True
    for k in range(1, control[0].found):
        if crossed[k].hi == hi and crossed[k].lo == lo:
            room &= set_zero(state, np.int64(crossed[k].i), np.int64(crossed[k].j), d)
    for k in range(control[0].ties):
        room &= set_zero(state, np.int64(ties[k].i), np.int64(ties[k].j), -d)
    at = find_zero(state, np.int64(crossed[0].i), np.int64(crossed[0].j))
    if at >= 0:
        drop_zero(state, at)
    return room


@inner
def likely_distance(forest: Tables, moved: Int, need: Int) -> Int:
    """Guess a distance within which enough pairs are crossed, from how dense they are overall."""
    control = forest.control
    rate = control[0].rate * float(forest.tree[moved].size) / float(control[0].size)
    reach = GUESS * float(need)
    # Members who left their groups do not count: the rate may be 0.
    return np.int64(reach / rate) if reach < rate * float(LIMIT) else LIMIT


@inner
def pivot(state: Tables, v: Int) -> Int:
    """Repair the tree pair above v; return a status."""
    forest = state.forest
    tree, crossed = forest.tree, forest.crossed
    parent = np.int64(tree[v].parent)
    d = np.int64(1 if tree[v].flow > 0 else -1)
    need = abs(tree[v].flow) - tree[v].cap
    excess = d * need
    moved = v
    if parent >= 0:
        # The subtree moves in direction d from its parent, and so does the sign of the pair.
        set_zero(state, np.int64(tree[v].own), np.int64(tree[v].other), d)
        moved = cut_off(forest, v, excess)
        forget_reach(state, v)
        forget_reach(state, parent)
        d = d if moved == v else -d
    count = collect(forest, state.nodes, moved)
    mark_inner(state, count)
    if not search(state, count, d, need, likely_distance(forest, moved, need)):
        search(state, count, d, need, FAR)
    if not shift(state, count, moved, d, crossed[0].hi, crossed[0].lo):
        return TOO_FAR
    room = settle_zeros(state, d)
    exchange(forest, v, parent, moved, d, excess)
    return PAUSED if room else NO_ROOM


@kernel
def run(most: Int, state: Tables) -> tuple[Int, Int]:
    """Pivot at most so many times; return the status and the number of pivots."""
    status = PAUSED
    done = 0
    while done < most and status == PAUSED:
        v = next_to_repair(state.forest)
        if v < 0:
            return OPTIMAL, done
        status = pivot(state, v)
        done += 1
    return status, done
