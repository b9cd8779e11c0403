"""Compiled: contests kept sorted by residual, whose pairs are never written out.

An entry i of node v has the residual ``r_i = x_v - s_i``, and a contest of weight w costs

    w * sum over pairs (i, j) of m_i m_j |r_i - r_j|

where the multiplicity m counts the contestants that an entry stands for. Sorting the residuals of
a contest tells the sign of all its pairs at once.

Ties are broken by a perturbation that is symbolic, not rounded in: a residual is the exact pair
(hi, lo), compared lexicographically. ``hi`` are the true integers. ``lo`` holds a pseudo-random
number below ``2^40`` for each entry, and a pair (i, j) is tied where

    hi_i = hi_j   and   lo_i - lo_j = twist(i, j),     |twist| <= 2^24

because numbers of entries alone would leave every triangle of a contest tied at once. Whatever is
optimal in this order is optimal for ``hi`` alone: a pair that is positive lexicographically is
not negative in ``hi``.

No overflow: scores are below ``2^59`` and nodes never pass ``2^60``, in either part (a pivot checks
before it moves), so residuals are below ``2^61`` and their differences below ``2^62``.
"""

from __future__ import annotations

import numpy as np

from qrja.jit import Bool, Int, Table, Tables, inner, kernel, tiny

TWIST = np.int64(1 << 24)
JITTER = np.uint64((1 << 40) - 1)
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)


@inner
def jitter(i: Int) -> Int:
    """Return the perturbation of an entry."""
    z = np.uint64(i + 1) * GOLDEN
    z = (z ^ (z >> np.uint64(30))) * MIX_1
    z = (z ^ (z >> np.uint64(27))) * MIX_2
    return np.int64((z ^ (z >> np.uint64(31))) & JITTER)


@kernel
def fill_jitter(first: Int, out: Table) -> None:
    """Write the perturbations of entries ``first``, ``first + 1``, ... into ``out``."""
    for k in range(out.size):
        out[k] = jitter(first + k)


@inner
def twist(i: Int, j: Int) -> Int:
    """Return the perturbation of a pair; ``twist(j, i) = -twist(i, j)``."""
    first, last = min(i, j), max(i, j)
    z = (np.uint64(first) << np.uint64(32)) | np.uint64(last)
    z = (z ^ (z >> np.uint64(31))) * MIX_1
    z = (z ^ (z >> np.uint64(29))) * GOLDEN
    value = np.int64(z >> np.uint64(39)) - TWIST + np.int64(1)
    return value if i < j else -value


@inner
def is_tree_pair(state: Tables, i: Int, j: Int) -> Bool:
    """Tell whether the pair of two entries is in the forest."""
    tree, entries = state.forest.tree, state.entries
    u, v = entries[i].node, entries[j].node
    return (tree[u].own == i and tree[u].other == j) or (tree[v].own == j and tree[v].other == i)


@inner
def find_zero(state: Tables, i: Int, j: Int) -> Int:
    """Return where a pair is listed, or -1."""
    zeros = state.zeros
    for k in range(state.forest.control[0].zeros):
        if (zeros[k].i == i and zeros[k].j == j) or (zeros[k].i == j and zeros[k].j == i):
            return k
    return -1


@inner
def drop_zero(state: Tables, k: Int) -> None:
    """Forget a listed pair."""
    control = state.forest.control
    control[0].zeros -= 1
    state.zeros[k] = state.zeros[control[0].zeros]


@inner
def set_zero(state: Tables, i: Int, j: Int, sign: Int) -> Bool:
    """List a pair with the sign of its residual ``r_i - r_j``; False when there is no room."""
    zeros, control = state.zeros, state.forest.control
    k = find_zero(state, i, j)
    if k < 0:
        k = control[0].zeros
        if k == zeros.size:
            return False
        control[0].zeros = k + 1
    zeros[k].i, zeros[k].j, zeros[k].sign = i, j, sign
    return True


@inner
def sign_at_zero(state: Tables, i: Int, j: Int) -> Int:
    """Return the sign that a pair with residual exactly zero carries; 0 in the forest.

    Outside the forest such a pair is a coincidence of pseudo-random numbers, except for a moment
    where it leaves the forest: then it is listed.
    """
    if is_tree_pair(state, i, j):
        return 0
    k = find_zero(state, i, j)
    if k >= 0:
        return state.zeros[k].sign if state.zeros[k].i == i else -state.zeros[k].sign
    return 1 if i < j else -1


@tiny
def hi_at(places: Table, nodes: Table, p: Int) -> Int:
    """Return the main part of the residual at a place."""
    return nodes[places[p].node].hi - places[p].score


@tiny
def lo_at(places: Table, nodes: Table, p: Int) -> Int:
    """Return the perturbation of the residual at a place."""
    return nodes[places[p].node].lo - places[p].jitter


@tiny
def is_before(places: Table, nodes: Table, p: Int, q: Int) -> Bool:
    """Compare the residuals at two places."""
    hi, other = hi_at(places, nodes, p), hi_at(places, nodes, q)
    if hi != other:
        return hi < other
    return lo_at(places, nodes, p) < lo_at(places, nodes, q)


@inner
def carry(places: Table, nodes: Table, slots: Table, p: Int, stop: Int, step: Int) -> Int:
    """Carry what stands at p in the direction of ``step``, before ``stop``; return where to."""
    score, jitter, entry = places[p].score, places[p].jitter, places[p].entry
    node, contest, slot = places[p].node, places[p].contest, places[p].slot
    hi, lo = nodes[node].hi - score, nodes[node].lo - jitter
    q = p + step
    while q != stop:
        ahead = (hi_at(places, nodes, q) - hi) * step
        if ahead > 0 or (ahead == 0 and (lo_at(places, nodes, q) - lo) * step >= 0):
            break
        places[p] = places[q]
        slots[places[p].slot].place = p
        p = q
        q += step
    places[p].score, places[p].jitter, places[p].entry = score, jitter, entry
    places[p].node, places[p].contest, places[p].slot = node, contest, slot
    slots[slot].place = p
    return p


@inner
def pair_sign(state: Tables, p: Int, q: Int) -> Int:
    """Return the sign of the residual at p less that at q; 0 in the forest."""
    places, nodes = state.places, state.nodes
    hi = hi_at(places, nodes, p) - hi_at(places, nodes, q)
    if hi != 0:
        return 1 if hi > 0 else -1
    i, j = np.int64(places[p].entry), np.int64(places[q].entry)
    residual = lo_at(places, nodes, p) - lo_at(places, nodes, q) - twist(i, j)
    if residual == 0:
        return sign_at_zero(state, i, j)
    return 1 if residual > 0 else -1


@inner
def add_slopes(state: Tables, c: Int, times: Int, slope: Table) -> None:
    """Add ``times`` the slope of a contest's pairs outside the forest, one sum for each place.

    In sorted order an entry lies above all before it and below all behind it; only pairs within
    the reach of a twist are looked at one by one.
    """
    nodes, entries, places, fields = state.nodes, state.entries, state.places, state.fields
    first = np.int64(fields[c].first)
    stop = first + fields[c].size
    weight = times * fields[c].weight
    behind = np.int64(0)
    for p in range(first, stop):
        behind += entries[places[p].entry].count
    before = np.int64(0)
    for p in range(first, stop):
        count = np.int64(entries[places[p].entry].count)
        behind -= count
        slope[p] += weight * count * (before - behind)
        before += count
        hi, lo = hi_at(places, nodes, p), lo_at(places, nodes, p)
        q = p + 1
        while q < stop and hi_at(places, nodes, q) == hi and lo_at(places, nodes, q) - lo <= TWIST:
            sign = pair_sign(state, p, q)
            if sign != -1:
                amount = weight * count * entries[places[q].entry].count * (sign + 1)
                slope[p] += amount
                slope[q] -= amount
            q += 1
