"""Compiled parts of the l-infinity solver: largest ratio cycles and shortest paths.

A judgment is two arcs, a -> b with gain y and b -> a with gain -y, both of span 1/w. Nodes of
one component are numbered one after the other. The largest ratio gain/span of a cycle is the
smallest t for which values h exist with, for every arc u -> v,

    h[u] >= gain - t * span + h[v].
"""

from __future__ import annotations

import heapq
from typing import NamedTuple

import numpy as np

from qrja.data import Floats, Offsets
from qrja.jit import compiled, in_arrays, inner

ROUNDING = 4e-15
"""Part of the largest value of a component below which an improvement is rounding. With 1e-15 the
rounding of Codeforces scores, of 10^5 and more, goes round in circles; with this it ends after 7
rounds."""


class Arcs(NamedTuple):
    """The arcs out of node u are ``start[u]:start[u + 1]``."""

    start: Offsets
    head: Offsets
    gain: Floats
    span: Floats


@compiled
def howard_round(
    active: Offsets,
    first: Offsets,
    arcs: Arcs,
    policy: Offsets,
    h: Floats,
    t: Floats,
    cycle: Offsets,
    mark: Offsets,
    forward: bool,
) -> Offsets:
    """Improve the values of every active component once; return the components still active.

    Each node keeps one arc, its policy. The best cycle of the policy sets t; the values along the
    policy follow; then every arc that violates the inequality becomes its tail's policy.
    """
    remain = 0
    for i in range(len(active)):
        c = active[i]
        lo, hi = first[c], first[c + 1]
        ratio, node = best_cycle(lo, hi, arcs, policy, mark)
        # The cycle that set t may be met at another of its nodes, and round otherwise.
        if ratio >= t[c] * (1 - 1e-14):
            if ratio > t[c]:
                t[c] = ratio
                record_cycle(lo, hi, node, arcs, policy, cycle)
            follow_policy(lo, hi, node, t[c], arcs, policy, h, mark)
        if raise_values(lo, hi, t[c], arcs, policy, h, forward):
            active[remain] = c
            remain += 1
    return active[:remain]


@inner
def best_cycle(lo: int, hi: int, arcs: Arcs, policy: Offsets, mark: Offsets) -> tuple[float, int]:
    """Return the largest ratio of the cycles that the policy makes of nodes lo..hi-1."""
    best, where = -np.inf, lo
    mark[lo:hi] = -1
    for origin in range(lo, hi):
        u = origin
        while mark[u] < 0:
            mark[u] = origin
            u = arcs.head[policy[u]]
        if mark[u] == origin:
            total, length, v = 0.0, 0.0, u
            while True:
                total += arcs.gain[policy[v]]
                length += arcs.span[policy[v]]
                v = arcs.head[policy[v]]
                if v == u:
                    break
            if total / length > best:
                best, where = total / length, u
    return best, where


@inner
def record_cycle(lo: int, hi: int, node: int, arcs: Arcs, policy: Offsets, cycle: Offsets) -> None:
    """Write the policy's cycle through a node to ``cycle[lo:hi]``, filled up with -1."""
    cycle[lo:hi] = -1
    v, at = node, lo
    while True:
        cycle[at] = policy[v]
        at += 1
        v = arcs.head[policy[v]]
        if v == node:
            break


@compiled
def follow_policy(
    lo: int,
    hi: int,
    anchor: int,
    t: float,
    arcs: Arcs,
    policy: Offsets,
    h: Floats,
    mark: Offsets,
) -> None:
    """Make the policy's inequalities equalities for all nodes whose policy leads to the anchor."""
    path = np.empty(hi - lo, dtype=np.int64)
    mark[lo:hi] = 0
    mark[anchor] = 2
    for origin in range(lo, hi):
        length, u = 0, origin
        while mark[u] == 0:
            mark[u] = 1
            path[length] = u
            length += 1
            u = arcs.head[policy[u]]
        reached = mark[u] == 2
        # Backwards, so that the next node's value is there first. A path that met no anchor
        # keeps mark 1: whoever runs into it leads to another cycle.
        for i in range(length - 1, -1, -1):
            if reached:
                v = path[i]
                e = policy[v]
                h[v] = arcs.gain[e] - t * arcs.span[e] + h[arcs.head[e]]
                mark[v] = 2


@inner
def raise_values(
    lo: int,
    hi: int,
    t: float,
    arcs: Arcs,
    policy: Offsets,
    h: Floats,
    forward: bool,
) -> bool:
    """Satisfy every arc once, in turn, and let the arcs that asked for it be the policy."""
    size = 0.0
    for u in range(lo, hi):
        size = max(size, abs(h[u]))
        for e in range(arcs.start[u], arcs.start[u + 1]):
            size = max(size, abs(arcs.gain[e]))
    improved = False
    for i in range(hi - lo):
        u = lo + i if forward else hi - 1 - i
        for e in range(arcs.start[u], arcs.start[u + 1]):
            value = arcs.gain[e] - t * arcs.span[e] + h[arcs.head[e]]
            if value > h[u] + ROUNDING * size:
                h[u], policy[u] = value, e
                improved = True
    return improved


@compiled
def steepest_arcs(arcs: Arcs) -> Offsets:
    """Return the arc of largest gain per span out of each node; -1 where there is none."""
    policy = np.full(len(arcs.start) - 1, -1, dtype=np.int64)
    for u in range(len(policy)):
        for e in range(arcs.start[u], arcs.start[u + 1]):
            if (
                policy[u] < 0
                or arcs.gain[e] * arcs.span[policy[u]] > arcs.gain[policy[u]] * arcs.span[e]
            ):
                policy[u] = e
    return policy


@compiled
def greatest_below(ceiling: Floats, arcs: Arcs, length: Floats) -> Floats:
    """Return the greatest d <= ceiling with ``d[v] <= d[u] + length`` on every arc u -> v.

    The method is Dijkstra's, started at every node at once; no length is negative.
    """
    d = ceiling.copy()
    heap = [(d[u], u) for u in range(len(d))]
    heapq.heapify(heap)
    while heap:
        value, u = heapq.heappop(heap)
        if value > d[u]:
            continue
        for e in range(arcs.start[u], arcs.start[u + 1]):
            reached = value + length[e]
            if reached < d[arcs.head[e]]:
                d[arcs.head[e]] = reached
                heapq.heappush(heap, (reached, arcs.head[e]))
    return d


# ------------------------------------------------------------------- the same in arrays


@in_arrays(steepest_arcs)
def steepest_in_arrays(arcs: Arcs) -> Offsets:
    """Return the arc of largest gain per span out of each node."""
    return _best_arcs(arcs, arcs.gain / arcs.span)[1]


@in_arrays(howard_round)
def howard_in_arrays(
    active: Offsets,
    first: Offsets,
    arcs: Arcs,
    policy: Offsets,
    h: Floats,
    t: Floats,
    cycle: Offsets,
    mark: Offsets,
    forward: bool,
) -> Offsets:
    """Improve the values of every active component once, by jumps of 1, 2, 4, ... nodes.

    All arcs are satisfied at once and not in turn: rounds differ, what they end with does not.
    """
    n, component = len(h), np.repeat(np.arange(len(first) - 1), np.diff(first))
    lives = np.isin(component, active)
    follows = np.where(lives, arcs.head[policy], np.arange(n))
    gain, span = np.where(lives, arcs.gain[policy], 0.0), np.where(lives, arcs.span[policy], 0.0)
    low, jump = np.arange(n), follows
    for _ in range(n.bit_length()):
        low, jump = np.minimum(low, low[jump]), jump[jump]
    circling = np.unique(jump[lives])  # after n steps everybody goes round a cycle
    leads = circling[low[circling] == circling]
    total = np.bincount(low[circling], gain[circling], n)[leads]
    ratio = total / np.bincount(low[circling], span[circling], n)[leads]
    best, where = np.full(len(t), -np.inf), np.zeros(len(t), dtype=np.int64)
    np.maximum.at(best, component[leads], ratio)
    chosen = leads[ratio == best[component[leads]]][::-1]
    where[component[chosen]] = chosen
    better = active[best[active] > t[active]]
    moved = active[best[active] >= t[active] * (1 - 1e-14)]
    t[better] = best[better]
    for c in better.tolist():
        around = [int(where[c])]
        while int(follows[around[-1]]) != around[0]:
            around.append(int(follows[around[-1]]))
        cycle[first[c] : first[c + 1]] = -1
        cycle[first[c] : first[c] + len(around)] = policy[around]
    _follow_in_arrays(where[moved], follows, gain - t[component] * span, h)
    return _raise_in_arrays(active, component, t, arcs, policy, h)


def _follow_in_arrays(anchors: Offsets, follows: Offsets, rise: Floats, h: Floats) -> None:
    """Make the policy's inequalities equalities for all nodes whose policy leads to an anchor."""
    jump, above = follows.copy(), rise.copy()
    jump[anchors], above[anchors] = anchors, 0.0
    for _ in range(len(h).bit_length()):
        above += above[jump]
        jump = jump[jump]
    is_anchor = np.zeros(len(h), dtype=bool)
    is_anchor[anchors] = True
    led = is_anchor[jump] & ~is_anchor
    h[led] = above[led] + h[jump[led]]


def _raise_in_arrays(
    active: Offsets, component: Offsets, t: Floats, arcs: Arcs, policy: Offsets, h: Floats
) -> Offsets:
    """Satisfy every arc once, and let the arcs that ask for most be the policy."""
    degree = np.diff(arcs.start)
    of = np.repeat(component, degree)
    size = np.zeros(len(t))
    np.maximum.at(size, component, np.abs(h))
    np.maximum.at(size, of, np.abs(arcs.gain))
    value, arc = _best_arcs(arcs, arcs.gain - t[of] * arcs.span + h[arcs.head])
    rises = (value > h + ROUNDING * size[component]) & np.isin(component, active)
    h[rises], policy[rises] = value[rises], arc[rises]
    return np.asarray(active[np.isin(active, component[rises])])


def _best_arcs(arcs: Arcs, value: Floats) -> tuple[Floats, Offsets]:
    """Return the largest value of the arcs out of each node, and the first arc that has it."""
    degree = np.diff(arcs.start)
    some = degree > 0
    best, arc = np.full(len(degree), -np.inf), np.full(len(degree), -1, dtype=np.int64)
    if some.any():
        best[some] = np.maximum.reduceat(value, arcs.start[:-1][some])
    tail = np.repeat(np.arange(len(degree)), degree)
    largest = np.flatnonzero(value == best[tail])[::-1]
    arc[tail[largest]] = largest
    return best, arc


@in_arrays(greatest_below)
def greatest_in_arrays(ceiling: Floats, arcs: Arcs, length: Floats) -> Floats:
    """Return the greatest d, by passes over all arcs until nothing changes."""
    d, tail = ceiling.copy(), np.repeat(np.arange(len(ceiling)), np.diff(arcs.start))
    for _ in range(len(d)):
        before = d.copy()
        np.minimum.at(d, arcs.head, before[tail] + length)
        if (d == before).all():
            break
    return d
