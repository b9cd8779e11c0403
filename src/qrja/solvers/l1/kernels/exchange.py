"""Compiled: what a pivot on contests and one on judgments share: a pair leaves, another enters.

    cut  ->  search the crossings, nearest first  ->  move  ->  send the turned pulls  ->  join

The pairs that a move crosses are kept in a heap with the farthest on top. Its pulls add up to the
excess, just: whatever is farther than the top is of no use, and the top is the pair that enters.
"""

from __future__ import annotations

import numpy as np

from qrja.jit import Bool, Int, Table, Tables, inner
from qrja.solvers.l1.kernels.forest import cut, link, note, requeue, reroot, root_of, send_seeds

FAR = np.int64(1 << 62)
LIMIT = np.int64(1 << 60)
OPTIMAL, PAUSED, TOO_FAR, NO_ROOM = 0, 1, 2, 3


@inner
def cut_off(forest: Tables, v: Int, excess: Int) -> Int:
    """Drop the tree pair above v, which then pulls with all its weight; return who is to move.

    It is the smaller side, but a tree that is out of balance as a whole stays where it is.
    """
    tree = forest.tree
    root = cut(tree, v)
    tree[v].flow = excess
    is_loose = tree[root].flow != 0
    forest.control[0].loose += is_loose
    return v if is_loose or tree[v].size <= tree[root].size else root


@inner
def begin_search(forest: Tables, far: Int) -> None:
    """Forget all crossings; look no farther than ``far``."""
    control = forest.control
    control[0].found, control[0].total, control[0].ties, control[0].touched = 0, 0, 0, 0
    control[0].far_hi, control[0].far_lo = far, FAR


@inner
def push(crossed: Table, count: Int, hi: Int, lo: Int) -> Int:
    """Make room for a distance in a heap of ``count`` with the farthest on top; return where."""
    k = count
    while k > 0:
        up = (k - 1) >> 1
        if crossed[up].hi > hi or (crossed[up].hi == hi and crossed[up].lo >= lo):
            break
        crossed[k] = crossed[up]
        k = up
    return k


@inner
def pop(crossed: Table, count: Int) -> None:
    """Remove the farthest of ``count`` pairs."""
    last = count - 1
    hi, lo = crossed[last].hi, crossed[last].lo
    k = 0
    while True:
        down = 2 * k + 1
        if down >= last:
            break
        right = down + 1
        if right < last and (
            crossed[right].hi > crossed[down].hi
            or (crossed[right].hi == crossed[down].hi and crossed[right].lo > crossed[down].lo)
        ):
            down = right
        if crossed[down].hi < hi or (crossed[down].hi == hi and crossed[down].lo <= lo):
            break
        crossed[k] = crossed[down]
        k = down
    crossed[k] = crossed[last]


@inner
def drop_farthest(forest: Tables) -> None:
    """Remove the farthest pair; remember it as a tie if the next is exactly as far."""
    crossed, ties, control = forest.crossed, forest.ties, forest.control
    hi, lo, i, j = crossed[0].hi, crossed[0].lo, crossed[0].i, crossed[0].j
    control[0].total -= crossed[0].pull
    pop(crossed, control[0].found)
    control[0].found -= 1
    k = control[0].ties
    if crossed[0].hi != hi or crossed[0].lo != lo:
        control[0].ties = 0
    elif k < ties.size:
        ties[k].i, ties[k].j = i, j
        control[0].ties = k + 1


@inner
def cross(
    forest: Tables, need: Int, hi: Int, lo: Int, pull: Int, ends: tuple[Int, Int, Int, Int]
) -> None:
    """Add a pair to those that are crossed, and drop the farthest that are not needed."""
    crossed, control = forest.crossed, forest.control
    if control[0].found == crossed.size:
        # No room: a shorter move, which ends at a pair that will carry too much, is sound too.
        drop_farthest(forest)
    k = push(crossed, control[0].found, hi, lo)
    crossed[k].hi, crossed[k].lo, crossed[k].pull = hi, lo, pull
    crossed[k].i, crossed[k].j, crossed[k].moving, crossed[k].resting = ends
    control[0].found += 1
    control[0].total += pull
    while control[0].total - crossed[0].pull >= need:
        drop_farthest(forest)
    if control[0].total >= need or control[0].found == crossed.size:
        control[0].far_hi, control[0].far_lo = crossed[0].hi, crossed[0].lo


@inner
def move(forest: Tables, nodes: Table, count: Int, step_hi: Int, step_lo: Int) -> Bool:
    """Move the nodes; return False if one leaves the range where differences are exact."""
    is_in_range = True
    for k in range(count):
        v = forest.moving[k]
        nodes[v].hi += step_hi
        nodes[v].lo += step_lo
        is_in_range &= abs(nodes[v].hi) <= LIMIT and abs(nodes[v].lo) <= LIMIT
    return is_in_range


@inner
def turn_pulls(forest: Tables, d: Int, seeds: Int, is_moving: Bool) -> Int:
    """Note the changes of flow from the crossed pairs on one side: slopes turn from -d to +d.

    The farthest pair enters the forest; its slope ends at 0.
    """
    crossed = forest.crossed
    for k in range(forest.control[0].found):
        pull = d * (crossed[k].pull if k > 0 else crossed[k].pull // 2)
        v = np.int64(crossed[k].moving if is_moving else crossed[k].resting)
        seeds = note(forest, seeds, v, -pull if is_moving else pull)
    return seeds


@inner
def exchange(forest: Tables, v: Int, parent: Int, moved: Int, d: Int, excess: Int) -> None:
    """Send the turned pulls, and let the farthest of the crossed pairs enter the forest."""
    seeds = np.int64(0)
    if moved != v:
        seeds = note(forest, seeds, parent, -excess)
    seeds = turn_pulls(forest, d, seeds, True)
    send_seeds(forest, seeds)
    seeds = np.int64(0)
    if moved == v and parent >= 0:
        seeds = note(forest, seeds, parent, -excess)
    seeds = turn_pulls(forest, d, seeds, False)
    join(forest, moved, seeds)
    requeue(forest, v)


@inner
def join(forest: Tables, moved: Int, seeds: Int) -> None:
    """Tie the tree with root ``moved`` to another by the farthest pair, the smaller one below.

    The changes noted at the seeds, outside the moved tree, are sent on the way.
    """
    tree, farthest = forest.tree, forest.crossed[0]
    u, v = np.int64(farthest.moving), np.int64(farthest.resting)
    i, j = farthest.i, farthest.j
    fixed = root_of(tree, v)
    is_below = tree[moved].size <= tree[fixed].size
    if is_below:
        seeds = note(forest, seeds, v, tree[moved].flow)
    send_seeds(forest, seeds)
    if is_below:
        low, above, root, own, other = u, v, moved, i, j
    else:
        low, above, root, own, other = v, u, fixed, j, i
    reroot(forest, low, root)
    link(tree, low, above)
    tree[low].own, tree[low].other, tree[low].cap = own, other, farthest.pull // 2
    requeue(forest, low)
    size, gained = tree[low].size, np.int64(0) if is_below else tree[low].flow
    while above >= 0:
        tree[above].size += size
        if gained != 0:
            tree[above].flow += gained
            requeue(forest, above)
        above = np.int64(tree[above].parent)
