"""Compiled: the pivot on judgments between pairs, kept sorted by margin between the same two nodes.

An edge (a, b) carries the margins ``y_1 <= y_2 <= ...`` of all judgments between two nodes, and
remembers how many of them ``x_a - x_b`` has passed. A judgment passed pulls a down, one not passed
pulls it up. The next margins in either direction are at hand, so a pivot costs what the edges
between the moving nodes and the others cost, however many judgments they carry.

Whoever hangs on a single edge, or on others who do, begins where the median of that edge wants it,
in the forest: that is optimal, whatever the rest does, and a tree takes no pivots at all.

Margins are perturbed by independent pseudo-random numbers, which leaves no ties: every cycle of
judgments has its own. The rest is as in :mod:`qrja.solvers.l1.kernels.pivot`.
"""

from __future__ import annotations

import numpy as np

from qrja.data import order_by
from qrja.jit import Bool, Int, Table, Tables, in_arrays, inner, kernel
from qrja.solvers.l1.kernels.exchange import (
    FAR,
    LIMIT,
    OPTIMAL,
    PAUSED,
    TOO_FAR,
    begin_search,
    cross,
    cut_off,
    exchange,
    move,
)
from qrja.solvers.l1.kernels.forest import collect, link, next_to_repair, requeue
from qrja.solvers.l1.kernels.reach import NOBODY, is_joined, may_meet, remember, settle
from qrja.solvers.l1.kernels.sorted_contests import jitter


@kernel
def merge(
    order: Table, ends: tuple[Table, Table], y: Table, w: Table, margin_of: Table,
    margins: Table, edges: Table,
) -> tuple[Int, Int]:  # fmt: skip
    """Merge equal judgments into a margin, and the margins of two nodes into an edge.

    The judgments are sorted by ``order``; returns the number of margins and of edges.
    """
    a, b = ends
    m = e = np.int64(-1)
    for k in range(order.size):
        at, before = order[k], order[max(k - 1, 0)]
        is_edge = k == 0 or a[at] != a[before] or b[at] != b[before]
        if is_edge or y[at] != y[before]:
            m += 1
            margins[m].hi, margins[m].lo, margins[m].weight = y[at], jitter(m), 0
            if is_edge:
                e += 1
                edges[e].a, edges[e].b, edges[e].first = a[at], b[at], m
                edges[e].size, edges[e].is_tree = 0, 0
            edges[e].size += 1
        margins[m].weight += w[at]
        margin_of[at] = m
    return m + 1, e + 1


SEVERAL = -1
"""Stands for the weight of an edge with more than one margin."""


@kernel
def list_ways(edges: Table, margins: Table, ways: Table, nodes: Table) -> None:
    """List the edges of each node one after another, first those that begin at it.

    What nodes know of them comes as 0. Until the pivots begin, ``up`` is the first margin as seen
    from the node, and ``down`` its weight if it is the only one.
    """
    for e in range(edges.size):
        nodes[edges[e].a].size += 1
        nodes[edges[e].b].size += 1
    end = np.int64(0)
    for v in range(nodes.size):
        nodes[v].first = end
        end += nodes[v].size
        nodes[v].size = 0
    for e in range(edges.size):
        a, b = np.int64(edges[e].a), np.int64(edges[e].b)
        way = np.int64(nodes[a].first) + nodes[a].size
        nodes[a].size += 1
        ways[way].edge, ways[way].node, edges[e].way_a = e, b, way
        ways[way].up = margins[edges[e].first].hi
        ways[way].down = margins[edges[e].first].weight if edges[e].size == 1 else SEVERAL
    for e in range(edges.size):
        a, b = np.int64(edges[e].a), np.int64(edges[e].b)
        way = np.int64(nodes[b].first) + nodes[b].size
        nodes[b].size += 1
        ways[way].edge, ways[way].node, edges[e].way_b = e, a, way
        ways[way].up = -margins[edges[e].first].hi
        ways[way].down = margins[edges[e].first].weight if edges[e].size == 1 else SEVERAL


@in_arrays(list_ways, beyond=100)
def _list_ways(edges: Table, margins: Table, ways: Table, nodes: Table) -> None:
    count = len(edges)
    ends = np.concatenate([edges["a"], edges["b"]])
    order = order_by(ends)
    way = np.empty(2 * count, dtype=np.int32)
    way[order] = np.arange(2 * count, dtype=np.int32)
    edges["way_a"], edges["way_b"] = way[:count], way[count:]
    ways["edge"] = order % max(count, 1)
    ways["node"] = np.concatenate([edges["b"], edges["a"]])[order]
    only = margins[edges["first"]]
    ways["up"] = np.concatenate([only["hi"], -only["hi"]])[order]
    weight = np.where(edges["size"] == 1, only["weight"], SEVERAL)
    ways["down"] = np.tile(weight, 2)[order]
    degree = np.bincount(ends, minlength=len(nodes))
    nodes["size"], nodes["first"] = degree, np.cumsum(degree) - degree


@inner
def refresh(state: Tables, e: Int) -> None:
    """Write the next margins of an edge where its ends look for them."""
    edges, ways, margins = state.edges, state.ways, state.margins
    at = edges[e].first + edges[e].passed
    up = margins[at].hi if edges[e].passed < edges[e].size else FAR
    down = margins[at - 1].hi if edges[e].passed > 0 else -FAR
    ways[edges[e].way_a].up, ways[edges[e].way_a].down = up, down
    ways[edges[e].way_b].up, ways[edges[e].way_b].down = -down, -up


@kernel
def peel(order: Table, degree: Table, state: Tables) -> Int:
    """Hang up whoever a single edge holds, then whoever that leaves with one; return how many.

    They are listed in ``order``, the outermost first; ``degree`` is room for the edges left.
    """
    tree, nodes, ways = state.forest.tree, state.nodes, state.ways
    count = done = np.int64(0)
    for v in range(nodes.size):
        degree[v] = nodes[v].size
        if degree[v] == 1:
            order[count] = v
            count += 1
    while done < count:
        leaf = np.int64(order[done])
        done += 1
        if degree[leaf] == 0:  # the last of a tree
            continue
        way = np.int64(nodes[leaf].first)
        while tree[ways[way].node].parent == leaf:
            way += 1
        u = np.int64(ways[way].node)
        link(tree, leaf, u)
        tree[leaf].own = tree[leaf].other = ways[way].edge
        tree[u].size += tree[leaf].size
        degree[u] -= 1
        if degree[u] == 1:
            order[count] = u
            count += 1
    return count


@inner
def hang(state: Tables, v: Int) -> Bool:
    """Put v where the median of the edge above it wants it; return False if that is too far.

    What hangs at v pulls at both ends of its edges and adds nothing: only this edge does.
    """
    tree, nodes, edges, margins = state.forest.tree, state.nodes, state.edges, state.margins
    e, u = np.int64(tree[v].own), np.int64(tree[v].parent)
    after = np.int64(0)
    for k in range(edges[e].first, edges[e].first + edges[e].size):
        after += margins[k].weight
    before, at = np.int64(0), np.int64(edges[e].first)
    after -= margins[at].weight
    while after > before + margins[at].weight:
        before += margins[at].weight
        at += 1
        after -= margins[at].weight
    edges[e].passed, edges[e].is_tree = at - edges[e].first, 1
    sign = np.int64(1 if edges[e].a == v else -1)
    tree[v].cap, tree[v].flow = margins[at].weight, sign * (after - before)
    nodes[v].hi = nodes[u].hi + sign * margins[at].hi
    nodes[v].lo = nodes[u].lo + sign * margins[at].lo
    refresh(state, e)
    return abs(nodes[v].hi) <= LIMIT and abs(nodes[v].lo) <= LIMIT


@kernel
def hang_all(order: Table, count: Int, state: Tables) -> Bool:
    """Put all who were peeled off where they belong, the innermost first."""
    is_in_range = True
    for k in range(count - 1, -1, -1):
        if state.forest.tree[order[k]].parent >= 0:
            is_in_range &= hang(state, np.int64(order[k]))
    return is_in_range


@kernel
def begin(state: Tables) -> None:
    """Find what each edge has passed and add its pulls to the flows of single nodes."""
    tree, nodes, edges, margins = state.forest.tree, state.nodes, state.edges, state.margins
    for e in range(edges.size):
        if edges[e].is_tree:
            continue
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
        tree[a].flow -= slope
        tree[b].flow += slope
        refresh(state, e)
    for v in range(nodes.size):
        requeue(state.forest, v)


@inner
def look_along(state: Tables, way: Int, v: Int, d: Int, need: Int) -> None:
    """Cross the judgments of an edge that are near enough; node v moves away along ``way``."""
    nodes, ways, edges, margins = state.nodes, state.ways, state.edges, state.margins
    control = state.forest.control
    u, e = ways[way].node, ways[way].edge
    hi, lo = (nodes[v].hi - nodes[u].hi) * d, (nodes[v].lo - nodes[u].lo) * d
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
        cross(state.forest, need, ahead_hi, ahead_lo, 2 * margins[at].weight, (e, e, v, u))
        at += s


@inner
def search(state: Tables, count: Int, d: Int, need: Int) -> None:
    """Find the nearest judgments whose pulls add up to ``need``."""
    nodes, ways, control = state.nodes, state.ways, state.forest.control
    begin_search(state.forest, FAR)
    stamp = control[0].stamp
    for k in range(count):
        v = np.int64(state.forest.moving[k])
        if not may_meet(state, v, d):
            continue
        nearest = NOBODY
        for way in range(nodes[v].first, nodes[v].first + nodes[v].size):
            u = ways[way].node
            ahead = (ways[way].up if d > 0 else -ways[way].down) - (nodes[v].hi - nodes[u].hi) * d
            if nodes[u].mark != stamp and ahead <= control[0].far_hi:
                look_along(state, np.int64(way), v, d, need)
            if ahead < nearest and not is_joined(state, np.int64(way), ahead):
                nearest = ahead
        if state.reach.size > 0:
            remember(state, v, d, nearest)


@inner
def pass_margins(state: Tables, d: Int) -> None:
    """Note on the edges which judgments were crossed; the farthest is next on its edge."""
    edges, crossed, found = state.edges, state.forest.crossed, state.forest.control[0].found
    for k in range(found):
        e = crossed[k].i
        s = d if edges[e].a == crossed[k].moving else -d
        if k > 0:
            edges[e].passed += s
        else:
            edges[e].is_tree = 1
            if s < 0:
                edges[e].passed -= 1
    for k in range(found):
        refresh(state, np.int64(crossed[k].i))


@inner
def pivot(state: Tables, v: Int) -> Int:
    """Repair the tree pair above v; return a status."""
    forest, edges = state.forest, state.edges
    tree, crossed = forest.tree, forest.crossed
    parent = np.int64(tree[v].parent)
    d = np.int64(1 if tree[v].flow > 0 else -1)
    need = abs(tree[v].flow) - tree[v].cap
    excess = d * need
    moved = v
    e = np.int64(-1)
    if parent >= 0:
        e = np.int64(tree[v].own)
        edges[e].is_tree = 0
        if (excess > 0) == (edges[e].a == v):
            edges[e].passed += 1
        refresh(state, e)
        moved = cut_off(forest, v, excess)
        d = d if moved == v else -d
    count = collect(forest, state.nodes, moved)
    search(state, count, d, need)
    if not move(forest, state.nodes, count, d * crossed[0].hi, d * crossed[0].lo):
        return TOO_FAR
    pass_margins(state, d)
    if state.reach.size > 0:
        settle(state, count, moved, d, e)
    exchange(forest, v, parent, moved, d, excess)
    return PAUSED


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
