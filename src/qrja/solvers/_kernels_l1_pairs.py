"""Compiled: the pivot on judgments between pairs, kept sorted by margin between the same two nodes.

An edge (a, b) carries the margins ``y_1 <= y_2 <= ...`` of all judgments between two nodes, and
remembers how many of them ``x_a - x_b`` has passed. A judgment passed pulls a down, one not passed
pulls it up. The next margins in either direction are at hand, so a pivot costs what the edges
between the moving nodes and the others cost, however many judgments they carry.

Margins are perturbed by independent pseudo-random numbers, which leaves no ties: every cycle of
judgments has its own. The rest is as in :mod:`qrja.solvers._kernels_l1_pivot`.
"""

from __future__ import annotations

import numpy as np

from qrja.solvers._kernels_jit import Bool, Int, Table, inner, kernel
from qrja.solvers._kernels_l1_forest import (
    collect,
    cut,
    join,
    new_stamp,
    next_to_repair,
    note,
    requeue,
    send_seeds,
)
from qrja.solvers._kernels_l1_pivot import LIMIT, OPTIMAL, PAUSED, TOO_FAR
from qrja.solvers._kernels_l1_search import FAR, pop, push


@kernel
def sort_pairs(
    n: Int, low: Table, high: Table, y: Table, count: Table, swap: Table, order: Table
) -> None:
    """Sort judgments by low, high and y: by counting, then by insertion within a pair.

    ``count`` has room for n + 1 numbers, ``swap`` and ``order`` for one per judgment.
    """
    for k in range(order.size):
        swap[k] = k
    for key in range(2):
        column = high if key == 0 else low
        source, target = (swap, order) if key == 0 else (order, swap)
        count[:] = 0
        for k in range(order.size):
            count[column[k] + 1] += 1
        for v in range(n):
            count[v + 1] += count[v]
        for k in range(order.size):
            v = column[source[k]]
            target[count[v]] = source[k]
            count[v] += 1
    for k in range(order.size):
        e = swap[k]
        at = k
        while at > 0:
            other = order[at - 1]
            if low[other] != low[e] or high[other] != high[e] or y[other] <= y[e]:
                break
            order[at] = other
            at -= 1
        order[at] = e


@inner
def refresh(e: Int, edges: Table, ways: Table, margins: Table) -> None:
    """Write the next margins of an edge where its ends look for them."""
    at = edges[e].first + edges[e].passed
    up = margins[at].hi if edges[e].passed < edges[e].size else FAR
    down = margins[at - 1].hi if edges[e].passed > 0 else -FAR
    ways[edges[e].way_a].up, ways[edges[e].way_a].down = up, down
    ways[edges[e].way_b].up, ways[edges[e].way_b].down = -down, -up


@kernel
def begin(
    forest: Table,
    work: Table,
    head: Table,
    edges: Table,
    ways: Table,
    margins: Table,
    nodes: Table,
    control: Table,
) -> None:
    """Find what each edge has passed and add its pulls to the flows of single nodes."""
    for e in range(edges.size):
        a, b = edges[e].a, edges[e].b
        hi, lo = nodes[a].hi - nodes[b].hi, nodes[a].lo - nodes[b].lo
        first = np.int64(edges[e].first)
        slope = np.int64(0)
        passed = np.int64(0)
        for k in range(first, first + edges[e].size):
            if margins[k].hi < hi or (margins[k].hi == hi and margins[k].lo < lo):
                slope += margins[k].weight
                passed += 1
            else:
                slope -= margins[k].weight
        edges[e].passed = passed
        forest[a].flow -= slope
        forest[b].flow += slope
        refresh(e, edges, ways, margins)
    for v in range(nodes.size):
        requeue(forest, work, head, control, v)


@inner
def consider(
    hi: Int,
    lo: Int,
    pull: Int,
    edge: Int,
    moving: Int,
    resting: Int,
    need: Int,
    crossed: Table,
    control: Table,
) -> None:
    """Add a judgment to those that are crossed, and drop the farthest that are not needed."""
    if control[0].found == crossed.size:
        # No room: a shorter move, which ends at a pair that will carry too much, is sound too.
        control[0].total -= crossed[0].pull
        pop(crossed, control[0].found)
        control[0].found -= 1
    k = push(crossed, control[0].found, hi, lo)
    crossed[k].hi, crossed[k].lo, crossed[k].pull = hi, lo, pull
    crossed[k].edge, crossed[k].moving, crossed[k].resting = edge, moving, resting
    control[0].found += 1
    control[0].total += pull
    while control[0].total - crossed[0].pull >= need:
        control[0].total -= crossed[0].pull
        pop(crossed, control[0].found)
        control[0].found -= 1
    if control[0].total >= need or control[0].found == crossed.size:
        control[0].far_hi, control[0].far_lo = crossed[0].hi, crossed[0].lo


@inner
def search(
    moving: Int,
    d: Int,
    need: Int,
    crossed: Table,
    work: Table,
    mark: Table,
    nodes: Table,
    ways: Table,
    edges: Table,
    margins: Table,
    control: Table,
) -> Int:
    """Find the nearest judgments whose pulls add up to ``need``; return their number."""
    stamp = control[0].stamp
    control[0].found, control[0].total = 0, 0
    control[0].far_hi, control[0].far_lo = FAR, 0
    for k in range(moving):
        v = work[k].moving
        for way in range(nodes[v].first, nodes[v].first + nodes[v].size):
            u = ways[way].node
            if mark[u] == stamp:
                continue
            ahead = ways[way].up if d > 0 else -ways[way].down
            hi = (nodes[v].hi - nodes[u].hi) * d
            if ahead - hi > control[0].far_hi:
                continue
            e = ways[way].edge
            lo = (nodes[v].lo - nodes[u].lo) * d
            # In which direction x_a - x_b moves.
            s = d if edges[e].a == v else -d
            first = np.int64(edges[e].first)
            stop = first + edges[e].size
            at = first + edges[e].passed - (0 if s > 0 else 1)
            while first <= at < stop:
                ahead_hi, ahead_lo = margins[at].hi * s - hi, margins[at].lo * s - lo
                if ahead_hi > control[0].far_hi or (
                    ahead_hi == control[0].far_hi and ahead_lo >= control[0].far_lo
                ):
                    break
                pull = 2 * margins[at].weight
                consider(ahead_hi, ahead_lo, pull, e, v, u, need, crossed, control)
                at += s
    return control[0].found


@inner
def shift(moving: Int, step_hi: Int, step_lo: Int, work: Table, nodes: Table) -> Bool:
    """Move the nodes; return False if one leaves the range where differences are exact."""
    is_in_range = True
    for k in range(moving):
        v = work[k].moving
        nodes[v].hi += step_hi
        nodes[v].lo += step_lo
        is_in_range &= abs(nodes[v].hi) <= LIMIT and abs(nodes[v].lo) <= LIMIT
    return is_in_range


@inner
def release(v: Int, excess: Int, forest: Table, edges: Table, ways: Table, margins: Table) -> Int:
    """Drop the tree pair above v, which then pulls with all its weight; return the old root."""
    e = np.int64(forest[v].own)
    edges[e].is_tree = 0
    if (excess > 0) == (edges[e].a == v):
        edges[e].passed += 1
    refresh(e, edges, ways, margins)
    root = cut(forest, v)
    forest[v].flow = excess
    return root


@inner
def pass_margins(
    found: Int, d: Int, crossed: Table, edges: Table, ways: Table, margins: Table
) -> None:
    """Note on the edges which judgments were crossed; the farthest is next on its edge."""
    for k in range(found):
        e = crossed[k].edge
        s = d if edges[e].a == crossed[k].moving else -d
        if k > 0:
            edges[e].passed += s
        else:
            edges[e].is_tree = 1
            if s < 0:
                edges[e].passed -= 1
    for k in range(found):
        refresh(np.int64(crossed[k].edge), edges, ways, margins)


@inner
def turn_pulls(
    found: Int,
    d: Int,
    seeds: Int,
    is_moving: Bool,
    crossed: Table,
    forest: Table,
    work: Table,
    control: Table,
) -> Int:
    """Note the changes of flow from the crossed judgments on one side: slopes turn from -d to +d.

    The farthest enters the forest; its slope ends at 0.
    """
    for k in range(found):
        pull = d * (crossed[k].pull if k > 0 else crossed[k].pull // 2)
        v = np.int64(crossed[k].moving if is_moving else crossed[k].resting)
        seeds = note(forest, work, seeds, v, -pull if is_moving else pull, control[0].stamp)
    return seeds


@inner
def pivot(
    v: Int,
    crossed: Table,
    mark: Table,
    work: Table,
    nodes: Table,
    ways: Table,
    forest: Table,
    head: Table,
    edges: Table,
    margins: Table,
    control: Table,
) -> Int:
    """Repair the tree pair above v; return a status."""
    parent = np.int64(forest[v].parent)
    d = np.int64(1 if forest[v].flow > 0 else -1)
    need = abs(forest[v].flow) - forest[v].cap
    excess = d * need
    moved = v
    if parent >= 0:
        root = release(v, excess, forest, edges, ways, margins)
        control[0].loose += forest[root].flow != 0
        if forest[v].size > forest[root].size and forest[root].flow == 0:
            moved = root
            d = -d
    stamp = new_stamp(control)
    moving = collect(forest, work, mark, moved, stamp)
    found = search(moving, d, need, crossed, work, mark, nodes, ways, edges, margins, control)
    if not shift(moving, d * crossed[0].hi, d * crossed[0].lo, work, nodes):
        return TOO_FAR
    pass_margins(found, d, crossed, edges, ways, margins)
    seeds = np.int64(0)
    if moved != v:
        seeds = note(forest, work, seeds, parent, -excess, stamp)
    seeds = turn_pulls(found, d, seeds, True, crossed, forest, work, control)
    send_seeds(forest, work, mark, head, control, seeds)
    seeds = np.int64(0)
    if moved == v and parent >= 0:
        seeds = note(forest, work, seeds, parent, -excess, control[0].stamp)
    seeds = turn_pulls(found, d, seeds, False, crossed, forest, work, control)
    e = np.int64(crossed[0].edge)
    join(
        np.int64(crossed[0].moving),
        np.int64(crossed[0].resting),
        e,
        e,
        crossed[0].pull // 2,
        moved,
        seeds,
        mark,
        work,
        forest,
        head,
        control,
    )
    requeue(forest, work, head, control, v)
    return PAUSED


@kernel
def run(
    most: Int,
    crossed: Table,
    mark: Table,
    work: Table,
    nodes: Table,
    ways: Table,
    forest: Table,
    head: Table,
    edges: Table,
    margins: Table,
    control: Table,
) -> tuple[Int, Int]:
    """Pivot at most so many times; return the status and the number of pivots."""
    status = PAUSED
    done = 0
    while done < most and status == PAUSED:
        v = next_to_repair(forest, head, control)
        if v < 0:
            return OPTIMAL, done
        status = pivot(v, crossed, mark, work, nodes, ways, forest, head, edges, margins, control)
        done += 1
    return status, done
