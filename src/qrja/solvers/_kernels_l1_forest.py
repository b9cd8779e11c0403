"""Compiled: a forest of tight pairs, its flows, and the queue of pairs that carry too much.

Every node v is joined to its parent by a tree pair of capacity ``cap``, or is a root of capacity
0. With g the slope of the loss of all pairs outside the forest,

    flow[v] = - sum of g over the subtree of v

is what the tree pair above v must pull for the subtree to be at rest; at a root it is the pull
that is missing. The forest is optimal when ``|flow| <= cap`` everywhere.

A violated node waits in a bucket queue, ordered by ``violation^2 / size of the smaller side``,
where size is the work of moving it: how much a pivot is likely to gain for its work. Buckets are
half powers of two, so the order is approximate, and every operation takes constant time.
"""

from __future__ import annotations

import math

import numpy as np

from qrja.solvers._kernels_jit import Float, Int, Table, inner

BUCKET_OF_ONE = 128


@inner
def new_stamp(control: Table) -> Int:
    """Clear all marks at once and return the value that sets one."""
    control[0].stamp += 1
    return control[0].stamp


@inner
def link(forest: Table, v: Int, parent: Int) -> None:
    """Put v among the children of ``parent``."""
    first = forest[parent].child
    forest[v].parent = parent
    forest[v].right = first
    forest[v].left = -1
    forest[parent].child = v
    if first >= 0:
        forest[first].left = v


@inner
def unlink(forest: Table, v: Int) -> None:
    """Take v from the children of its parent."""
    left, right = forest[v].left, forest[v].right
    if left >= 0:
        forest[left].right = right
    else:
        forest[forest[v].parent].child = right
    if right >= 0:
        forest[right].left = left


@inner
def bucket_of(gain: Float) -> Int:
    """Return the bucket of a positive gain."""
    mantissa, exponent = math.frexp(gain)
    return BUCKET_OF_ONE + 2 * exponent + (1 if mantissa >= 0.75 else 0)


@inner
def requeue(forest: Table, work: Table, head: Table, control: Table, v: Int) -> None:
    """Put v where its violation belongs in the queue, after any change of its flow or capacity."""
    violation = abs(forest[v].flow) - forest[v].cap
    new = -1
    if violation > 0:
        size = np.int64(forest[v].size)
        if forest[v].parent >= 0:
            size = min(size, control[0].size - size)
        new = bucket_of(float(violation) * float(violation) / float(max(size, np.int64(1))))
    put_in_bucket(work, head, control, v, new)


@inner
def put_in_bucket(work: Table, head: Table, control: Table, v: Int, new: Int) -> None:
    """Move v to another bucket; -1 is none."""
    old = work[v].bucket
    if new == old:
        return
    if old >= 0:
        before, after = work[v].before, work[v].after
        if before >= 0:
            work[before].after = after
        else:
            head[old] = after
        if after >= 0:
            work[after].before = before
    work[v].bucket = new
    if new >= 0:
        first = head[new]
        work[v].before = -1
        work[v].after = first
        head[new] = v
        if first >= 0:
            work[first].before = v
        control[0].top = max(control[0].top, new)


@inner
def most_violated(head: Table, control: Table) -> Int:
    """Return a node of the highest bucket, or -1 when no pair carries too much."""
    top = control[0].top
    while top >= 0 and head[top] < 0:
        top -= 1
    control[0].top = top
    return head[top] if top >= 0 else -1


@inner
def next_to_repair(forest: Table, head: Table, control: Table) -> Int:
    """Return the node whose pair is to leave, or -1 when no pair carries too much.

    A tree whose root misses a pull wants to move as a whole. Its pairs may be repaired before
    that, and mostly this is quicker; but then its parts can creep past each other in tiny steps
    for ever. So the roots have their turn when patience is over: each leaves one tree less.
    """
    if control[0].loose > control[0].patience:
        while control[0].scan < forest.size:
            v = control[0].scan
            control[0].scan += 1
            if forest[v].parent < 0 and forest[v].flow != 0:
                return v
        control[0].loose, control[0].scan = 0, 0
    return most_violated(head, control)


@inner
def root_of(forest: Table, v: Int) -> Int:
    """Walk up to the root."""
    while forest[v].parent >= 0:
        v = forest[v].parent
    return v


@inner
def collect(forest: Table, work: Table, mark: Table, root: Int, stamp: Int) -> Int:
    """List the subtree of ``root`` as moving, parents first; mark it; return its node count."""
    work[0].moving = root
    mark[root] = stamp
    count, done = 1, 0
    while done < count:
        v = forest[work[done].moving].child
        done += 1
        while v >= 0:
            mark[v] = stamp
            work[count].moving = v
            count += 1
            v = forest[v].right
    return count


@inner
def cut(forest: Table, v: Int) -> Int:
    """Make v the root of its subtree; the flows above it do not change. Return the old root."""
    size = forest[v].size
    unlink(forest, v)
    u = np.int64(forest[v].parent)
    root = u
    while u >= 0:
        forest[u].size -= size
        root = u
        u = forest[u].parent
    forest[v].parent = -1
    forest[v].own = -1
    forest[v].other = -1
    forest[v].cap = 0
    return root


@inner
def reroot(forest: Table, work: Table, head: Table, control: Table, v: Int, root: Int) -> None:
    """Turn the pairs between v and ``root`` around, so that v becomes the root."""
    total, whole = forest[root].flow, forest[root].size
    above, own, other, cap = np.int64(-1), np.int32(-1), np.int32(-1), np.int64(0)
    flow, size = total, whole
    while True:
        parent = np.int64(forest[v].parent)
        old_own, old_other, old_cap = forest[v].own, forest[v].other, forest[v].cap
        old_flow, old_size = forest[v].flow, forest[v].size
        if parent >= 0:
            unlink(forest, v)
        if above >= 0:
            link(forest, v, above)
        else:
            forest[v].parent = -1
        forest[v].own, forest[v].other, forest[v].cap = own, other, cap
        forest[v].flow, forest[v].size = flow, size
        requeue(forest, work, head, control, v)
        if parent < 0:
            break
        above, own, other, cap = v, old_other, old_own, old_cap
        flow, size = total - old_flow, whole - old_size
        v = parent


@inner
def send_seeds(
    forest: Table, work: Table, mark: Table, head: Table, control: Table, seeds: Int
) -> None:
    """Send the changes of the seeds up their paths, each shared step once."""
    stamp = new_stamp(control)
    count = 0
    for k in range(seeds):
        v = np.int64(work[k].seed)
        if mark[v] == stamp:
            continue
        work[v].waiting = 0
        while v >= 0 and mark[v] != stamp:
            mark[v] = stamp
            work[count].path = v
            count += 1
            v = forest[v].parent
            if v >= 0:
                if mark[v] == stamp:
                    work[v].waiting += 1
                else:
                    work[v].waiting = 1
    for k in range(count):
        v = np.int64(work[k].path)
        # Climb from a node with nothing to wait for, as far as it was the last to arrive.
        while v >= 0 and work[v].waiting == 0:
            work[v].waiting = -1
            amount, parent = work[v].change, forest[v].parent
            if parent >= 0:
                work[parent].waiting -= 1
                work[parent].change += amount
            if amount != 0:
                work[v].change = 0
                forest[v].flow += amount
                requeue(forest, work, head, control, v)
            v = parent


@inner
def note(forest: Table, work: Table, seeds: Int, v: Int, amount: Int, stamp: Int) -> Int:
    """Add to the pending change of a node at rest, and list it once as a seed."""
    work[v].change += amount
    if work[v].listed != stamp:
        work[v].listed = stamp
        work[seeds].seed = v
        seeds += 1
    return seeds


@inner
def join(
    u: Int,
    v: Int,
    i: Int,
    j: Int,
    cap: Int,
    moved: Int,
    seeds: Int,
    mark: Table,
    work: Table,
    forest: Table,
    head: Table,
    control: Table,
) -> None:
    """Tie node u of the tree with root ``moved`` to node v of another by a pair, the smaller below.

    ``i`` and ``j`` are the ends of the pair at u and v. The changes noted at the seeds, outside the
    moved tree, are sent on the way.
    """
    fixed = root_of(forest, v)
    is_below = forest[moved].size <= forest[fixed].size
    if is_below:
        seeds = note(forest, work, seeds, v, forest[moved].flow, control[0].stamp)
    send_seeds(forest, work, mark, head, control, seeds)
    if is_below:
        low, above, root, own, other = u, v, moved, i, j
    else:
        low, above, root, own, other = v, u, fixed, j, i
    reroot(forest, work, head, control, low, root)
    link(forest, low, above)
    forest[low].own, forest[low].other, forest[low].cap = own, other, cap
    requeue(forest, work, head, control, low)
    size, gained = forest[low].size, np.int64(0) if is_below else forest[low].flow
    while above >= 0:
        forest[above].size += size
        if gained != 0:
            forest[above].flow += gained
            requeue(forest, work, head, control, above)
        above = np.int64(forest[above].parent)
