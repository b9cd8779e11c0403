"""The comparison graph: who is joined to whom, and what is known only up to a constant.

Candidates are nodes; a judgment is an edge; a contest joins all its entrants. Two candidates can
be compared exactly when a path joins them, so every component carries a free constant: it is
fixed by centring the component at 0.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from qrja.data.arrays import Floats, Index, Offsets, sum_by

FEW = 400
"""Nodes and members up to which they are joined one by one, in a third of the time."""
SOME = 20_000
"""The same up to which they are joined in rounds, by arithmetic on arrays: sooner than a search is
loaded, which does it in half the time."""
FEW_ARROWS = 2_000
"""Nodes and arrows up to which they are followed one by one: sooner than what else does it is
loaded."""
MANY_ARROWS, _searched = 100_000, 0
"""The same, all together: as many as are searched while SciPy's search is loaded."""
FEW_ARROWS_BESIDE_SCIPY = 250
"""The same where that is loaded already."""


def components(n: int, start: Offsets, members: Index) -> Index:
    """Label each of ``n`` nodes with its component, the largest being 0.

    Parameters
    ----------
    n : int
        Number of nodes.
    start, members : array of int
        Group g joins the nodes ``members[start[g]:start[g + 1]]``.

    Examples
    --------
    >>> components(5, np.array([0, 2, 4, 6]), np.array([0, 1, 3, 4, 4, 2]))
    array([1, 1, 0, 0, 0], dtype=int32)
    """
    if n + len(members) <= FEW:
        return _largest_first(_join(n, start.tolist(), members.tolist()))
    if len(members) == 2 * (len(start) - 1) and (np.diff(start) == 2).all():
        return _largest_first(_join_pairs(n, members[0::2], members[1::2]))
    if n + len(members) <= SOME:
        return _largest_first(_join_at_once(n, start, members))
    # Not at the top: it takes a while to load, and tables are read without it.
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    # A node per group, joined to its members, connects them without any pair.
    ends = np.concatenate([np.zeros(n, dtype=np.int64), start])
    size = n + len(start) - 1
    groups = csr_array((np.ones(len(members)), members, ends), shape=(size, size))
    _, label = connected_components(groups, directed=False)
    return _largest_first(label[:n])


def count_components(n: int, start: Offsets, members: Index) -> int:
    """Count the components of ``n`` nodes that groups join, see :func:`components`.

    Examples
    --------
    >>> count_components(5, np.array([0, 2, 4, 6]), np.array([0, 1, 3, 4, 4, 2]))
    2
    """
    return int(components(n, start, members).max(initial=-1)) + 1


def _join(n: int, start: list[int], members: list[int]) -> Index:
    """Label nodes by joining the members of each group, one by one; the lowest node leads."""
    leader = list(range(n))
    for first, last in pairwise(start):
        for node in members[first:last]:
            one, other = members[first], node
            while leader[one] != one:
                leader[one] = one = leader[leader[one]]
            while leader[other] != other:
                leader[other] = other = leader[leader[other]]
            leader[max(one, other)] = min(one, other)
    label, count = np.empty(n, dtype=np.int32), 0
    for node, above in enumerate(leader):  # whoever leads has a label before those who follow
        label[node] = count if above == node else label[above]
        count += above == node
    return label


def _join_at_once(n: int, start: Offsets, members: Index) -> Index:
    """Label nodes by hanging them, group by group, on the lowest that any of a group hangs on.

    Whatever a node hangs on hangs with it, and ways up are halved: as many rounds as the logarithm
    of the longest way, mostly.
    """
    sizes = np.diff(start)
    members = members[np.repeat(sizes > 1, sizes)]
    sizes = sizes[sizes > 1]
    first = np.cumsum(sizes) - sizes
    above, before = np.arange(n), np.full(n, -1)
    while len(members) and (above != before).any():
        before, on = above.copy(), above[members]
        low = np.repeat(np.minimum.reduceat(on, first), sizes)
        np.minimum.at(above, members, low)
        np.minimum.at(above, on, low)
        above = above[above[above]]
    _, label = np.unique(above, return_inverse=True)
    return label.astype(np.int32)


def _join_pairs(n: int, one: Index, other: Index) -> Index:
    """Label nodes by hanging, in rounds, the leader of one end of a pair on that of the other.

    Each round leaves fewer leaders, and only pairs whose leaders differ are looked at again: few of
    a dense graph, after the first.
    """
    leader = np.arange(n, dtype=np.int32)
    while len(one):
        high, low = leader[one], leader[other]
        apart = high != low
        one, other, high, low = one[apart], other[apart], high[apart], low[apart]
        np.minimum.at(leader, np.maximum(high, low), np.minimum(high, low))
        above = leader[leader]
        while (above != leader).any():
            leader, above = above, above[above]
    leads = leader == np.arange(n)
    label: Index = (np.cumsum(leads, dtype=np.int32) - 1)[leader]
    return label


def strong_components(n: int, tail: Index | Offsets, head: Index | Offsets) -> Index:
    """Label nodes that reach one another along arrows, by the lowest node of each class.

    Examples
    --------
    >>> strong_components(4, np.array([0, 1, 2, 2]), np.array([1, 0, 1, 3]))
    array([0, 0, 1, 2], dtype=int32)
    """
    global _searched
    is_loaded = "scipy.sparse.csgraph" in sys.modules or _searched > MANY_ARROWS
    if n + len(tail) <= (FEW_ARROWS_BESIDE_SCIPY if is_loaded else FEW_ARROWS):
        _searched += n + len(tail)
        label = np.array(_reach_mutually(n, tail.tolist(), head.tolist()), dtype=np.int32)
    else:
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        # tocsr() adds up repeated arrows, on which the search would not end.
        arrows = coo_array((np.ones(len(tail)), (tail, head)), shape=(n, n)).tocsr()
        _, label = connected_components(arrows, directed=True, connection="strong")
    _, first, which = np.unique(label, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int32)
    rank[np.argsort(first)] = np.arange(len(first), dtype=np.int32)
    return np.asarray(rank[which])


def _reach_mutually(n: int, tail: list[int], head: list[int]) -> list[int]:
    """Label strong components by two searches: forward, then backward from the last one left."""
    onward: list[list[int]] = [[] for _ in range(n)]
    back: list[list[int]] = [[] for _ in range(n)]
    for one, other in zip(tail, head, strict=True):
        onward[one].append(other)
        back[other].append(one)
    left, seen = [], [False] * n
    for root in range(n):
        path = [] if seen[root] else [(root, iter(onward[root]))]
        seen[root] = True
        while path:
            node, rest = path[-1]
            following = next((other for other in rest if not seen[other]), None)
            if following is None:
                left.append(path.pop()[0])
            else:
                seen[following] = True
                path.append((following, iter(onward[following])))
    label = [-1] * n
    for root in reversed(left):
        queue = [root] if label[root] < 0 else []
        for node in queue:  # it grows meanwhile
            label[node] = root
            new = [other for other in back[node] if label[other] < 0]
            for other in new:
                label[other] = root
            queue += new
    return label


def _largest_first(label: Index) -> Index:
    """Renumber labels by falling size."""
    sizes = np.bincount(label, minlength=1)
    order = np.argsort(-sizes, kind="stable")
    rank = np.empty(len(sizes), dtype=np.int32)
    rank[order] = np.arange(len(sizes), dtype=np.int32)
    return np.asarray(rank[label])


def first_of(label: Index) -> Index:
    """Return the first node of each component."""
    first = np.empty(int(label.max(initial=-1)) + 1, dtype=np.int32)
    first[label[::-1]] = np.arange(len(label), dtype=np.int32)[::-1]
    return first


class SpanningForest(NamedTuple):
    """A spanning forest of large groups: edge k joins two members of ``group[k]``."""

    label: Index
    """The component of each node, the largest being 0."""
    one: Index
    other: Index
    group: Index


def span_groups(
    n: int, start: Offsets, members: Index, before: tuple[SpanningForest, int] | None = None
) -> SpanningForest:
    """Join the members of each group, with one edge for each join of two components.

    In every round each component that meets a lower-numbered one in some group is joined to it, so
    that at least half of those not yet complete disappear. A round reads the members in order: on
    large groups that is several times as fast as a search, which jumps.

    Parameters
    ----------
    n : int
        Number of nodes.
    start, members : array of int
        As for :func:`components`.
    before : SpanningForest and int, optional
        A forest of some of the nodes, the first ones, and the number of its groups: these groups
        follow.

    Examples
    --------
    >>> forest = span_groups(5, np.array([0, 3, 5]), np.array([0, 1, 2, 4, 3]))
    >>> forest.label, len(forest.one)
    (array([0, 0, 0, 1, 1], dtype=int32), 3)
    >>> span_groups(5, np.array([0, 2]), np.array([2, 3]), before=(forest, 2)).label
    array([0, 0, 0, 0, 0], dtype=int32)
    """
    group = np.flatnonzero(np.diff(start) > 0).astype(np.int32)
    first = start[np.append(group, len(start) - 1)]
    low, host = (np.empty(len(group), dtype=np.int32) for _ in range(2))
    root, edges = np.arange(n, dtype=np.int32), [np.zeros((3, 0), dtype=np.int32)]
    if before is not None:
        forest, groups = before
        group += groups
        root[: len(forest.label)] = first_of(forest.label)[forest.label]
        edges = [np.stack(forest[1:])]
    while root.any():  # until all are joined to node 0, or nothing more can be
        entry, meeting = np.full(n, -1, dtype=np.int64), np.empty(n, dtype=np.int32)
        for some, entries in slabs(first):
            sizes = np.diff(first[some.start : some.stop + 1])
            label = root[members[entries]]
            low[some] = np.minimum.reduceat(label, first[some] - entries.start)
            home = label == np.repeat(low[some], sizes)
            apart = np.flatnonzero(~home)
            if not len(apart):
                continue
            # Any entry of a label will do, the last one written stays; so will any of the lowest.
            entry[label[apart]] = apart + entries.start
            of = np.repeat(np.arange(some.start, some.stop, dtype=np.int32), sizes)
            latest = np.flatnonzero(entry >= entries.start)
            meeting[latest] = of[entry[latest] - entries.start]
            host[of[home]] = members[entries][home]
        joining = np.flatnonzero(entry >= 0)
        if not len(joining):
            break
        at, of = entry[joining], meeting[joining]
        edges.append(np.stack([members[at], host[of], group[of]]))
        root = _follow(n, joining, low[of])[root]
    number = np.cumsum(root == np.arange(n), dtype=np.int32) - 1
    return SpanningForest(_largest_first(number[root]), *np.concatenate(edges, axis=1))


def slabs(start: Offsets, size: int = 2**18) -> Iterator[tuple[slice, slice]]:
    """Cut groups, one after the other, into ranges of some ``size`` members that fit a cache.

    Yields the groups and the members of each range; a group is never cut.

    Examples
    --------
    >>> [members for _, members in slabs(np.array([0, 2, 3, 7, 8]), size=3)]
    [slice(0, 3, None), slice(3, 7, None), slice(7, 8, None)]
    """
    low = 0
    while low < len(start) - 1:
        high = int(np.searchsorted(start, start[low] + size, side="right")) - 1
        high = max(high, low + 1)
        yield slice(low, high), slice(int(start[low]), int(start[high]))
        low = high


def _follow(n: int, nodes: Offsets, onto: Index) -> Index:
    """Return where each of n nodes ends when ``nodes`` point to lower ones, and these likewise."""
    end = np.arange(n, dtype=np.int32)
    end[nodes] = onto
    while True:
        further = end[end]
        if (further == end).all():
            return end
        end = further


def centre(x: Floats, label: Index | Offsets) -> Floats:
    """Shift every component, or contest, of ``x`` to mean 0; a table column by column.

    Examples
    --------
    >>> centre(np.array([1.0, 3.0, 7.0]), np.array([0, 0, 1]))
    array([-1.,  1.,  0.])
    """
    if not x.size:
        return x
    if x.ndim == 2:
        return _centre_table(x, label)
    size = np.maximum(np.bincount(label), 1)  # a number may be nobody's
    return np.asarray(x - (sum_by(label, x, 0) / size)[label])


def _centre_table(x: Floats, label: Index | Offsets) -> Floats:
    """Centre each column, all in one pass over groups that follow one another."""
    steps = np.diff(label)
    if (steps < 0).any():
        order, centred = np.argsort(label, kind="stable"), np.empty_like(x)
        centred[order] = _centre_table(x[order], label[order])
        return centred
    if len(x) % 2 == 0 and (steps[0::2] == 0).all() and (steps[1::2] > 0).all():
        return _centre_pairs(x)
    first = np.concatenate([[0], np.flatnonzero(steps) + 1])
    size = np.diff(first, append=len(x))
    mean = np.add.reduceat(x, first, axis=0) / size[:, None]
    return np.asarray(x - (mean if len(size) == 1 else np.repeat(mean, size, axis=0)))


def _centre_pairs(x: Floats) -> Floats:
    """Centre rows two by two, as matches are, without a table in between."""
    centred = np.empty_like(x)
    half = np.subtract(x[0::2], x[1::2], out=centred[0::2])
    half *= 0.5
    np.negative(half, out=centred[1::2])
    return centred
