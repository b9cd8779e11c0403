"""Compiled: the certificate of an l1 optimum on contests, in exact integers.

The pull of an entry is the sum over the pairs of its contest of ``w m_i m_j sign(r_i - r_j)``, or
of the flow for a tree pair. The pulls of a node add up to 0 and no flow passes its capacity: they
are a conserved flow within the weights. Every pair pulls the way its residual points and tree pairs
have residual 0, so what the flow proves, ``sum of pull * residual``, is the loss itself: the gap
is exactly 0.
"""

from __future__ import annotations

import numpy as np

from qrja.jit import Bool, Float, Int, Table, Tables, kernel
from qrja.solvers.l1.kernels.sorted_contests import add_slopes, hi_at, pair_sign


@kernel
def prove(node_count: Int, contest_count: Int, pull: Table, state: Tables) -> Bool:
    """Write the pull of each place into ``pull``, which is zero before; check that it is a proof.

    The pulls must be conserved, within the weights, and in line with the residuals.
    """
    tree, slots, entries = state.forest.tree, state.slots, state.entries
    nodes, places, fields = state.nodes, state.places, state.fields
    for c in range(contest_count):
        add_slopes(state, c, np.int64(1), pull)
        first = np.int64(fields[c].first)
        for p in range(first + 1, first + fields[c].size):
            if hi_at(places, nodes, p) < hi_at(places, nodes, p - 1):
                return False
    for v in range(node_count):
        if tree[v].parent >= 0:
            p, q = slots[entries[tree[v].own].slot].place, slots[entries[tree[v].other].slot].place
            pull[p] += tree[v].flow
            pull[q] -= tree[v].flow
            if places[p].contest != places[q].contest:
                return False
            if hi_at(places, nodes, p) != hi_at(places, nodes, q):
                return False
    for v in range(node_count):
        total = np.int64(0)
        for slot in range(nodes[v].first, nodes[v].first + nodes[v].size):
            total += pull[slots[slot].place]
            if places[slots[slot].place].node != v:
                return False
        if total != 0 or abs(tree[v].flow) > tree[v].cap:
            return False
    return True


@kernel
def loss_of(contest_count: Int, pull: Table, state: Tables) -> Float:
    """Add up pull times residual, with compensated sums; residuals are taken from their lowest."""
    nodes, places, fields = state.nodes, state.places, state.fields
    total = carried = 0.0
    for c in range(contest_count):
        first = np.int64(fields[c].first)
        for p in range(first, first + fields[c].size):
            residual = hi_at(places, nodes, p) - hi_at(places, nodes, first)
            term = float(pull[p]) * float(residual)
            new = total + term
            if abs(total) >= abs(term):
                carried += (total - new) + term
            else:
                carried += (term - new) + total
            total = new
    return total + carried


@kernel
def write_flow(start: Table, entry: Table, out: Table, state: Tables) -> None:
    """Write the flow of each pair into ``out``; contest c has the entries from ``start[c]`` on.

    It is what the pair pulls, with the sign of ``y - (x_a - x_b)``; members of a group share the
    group's flow evenly and exchange nothing among themselves.
    """
    tree, slots, entries = state.forest.tree, state.slots, state.entries
    k = 0
    for c in range(start.size - 1):
        weight = float(state.fields[c].weight)
        for a in range(start[c], start[c + 1]):
            for b in range(a + 1, start[c + 1]):
                i, j = entry[a], entry[b]
                out[k] = 0.0
                if i != j:
                    p = np.int64(slots[entries[i].slot].place)
                    q = np.int64(slots[entries[j].slot].place)
                    sign = pair_sign(state, p, q)
                    out[k] = -float(sign) * weight
                    if sign == 0:
                        u, v = entries[i].node, entries[j].node
                        is_child = tree[u].own == i and tree[u].other == j
                        flow = -float(tree[u].flow) if is_child else float(tree[v].flow)
                        out[k] = flow / (float(entries[i].count) * float(entries[j].count))
                k += 1


@kernel
def prove_pairs(pull: Table, net: Table, state: Tables) -> Bool:
    """Write what each judgment pulls at the first node of its edge; check that it is a proof.

    ``net`` is zero before: room to add up the pulls at each node.
    """
    tree, nodes, edges, margins = state.forest.tree, state.nodes, state.edges, state.margins
    for v in range(nodes.size):
        if abs(tree[v].flow) > tree[v].cap:
            return False
    for e in range(edges.size):
        a, b = edges[e].a, edges[e].b
        over = nodes[a].hi - nodes[b].hi
        first = np.int64(edges[e].first)
        for k in range(first, first + edges[e].size):
            if k < first + edges[e].passed:
                pull[k] = margins[k].weight
                if margins[k].hi > over:
                    return False
            elif k > first + edges[e].passed or not edges[e].is_tree:
                pull[k] = -margins[k].weight
                if margins[k].hi < over:
                    return False
            else:
                is_child = tree[a].own == e and tree[a].parent == b
                pull[k] = tree[a].flow if is_child else -tree[b].flow
                if margins[k].hi != over or abs(pull[k]) > margins[k].weight:
                    return False
            net[a] += pull[k]
            net[b] -= pull[k]
    is_balanced = True
    for v in range(nodes.size):
        is_balanced &= net[v] == 0
    return is_balanced


@kernel
def loss_of_pairs(pull: Table, state: Tables) -> Float:
    """Add up pull times residual, with compensated sums."""
    nodes, edges, margins = state.nodes, state.edges, state.margins
    total = carried = 0.0
    for e in range(edges.size):
        over = nodes[edges[e].a].hi - nodes[edges[e].b].hi
        first = np.int64(edges[e].first)
        for k in range(first, first + edges[e].size):
            term = float(pull[k]) * float(over - margins[k].hi)
            new = total + term
            carried += (total - new) + term if abs(total) >= abs(term) else (term - new) + total
            total = new
    return total + carried
