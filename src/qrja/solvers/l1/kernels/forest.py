"""Compiled: a forest of tight pairs, its flows, and the queue of pairs that carry too much.

Every node v is joined to its parent by a tree pair of capacity ``cap``, or is a root of capacity
0. With g the slope of the loss of all pairs outside the forest,

    flow[v] = - sum of g over the subtree of v

is what the tree pair above v must pull for the subtree to be at rest; at a root it is the pull
that is missing. The forest is optimal when ``|flow| <= cap`` everywhere.

A violated node waits in a bucket queue, ordered by ``violation^3 / size^2`` of the smaller side,
where size is the work of moving it. A pivot is likely to gain ``violation^2 / size``: ordered by
that, pivots are few and long; by the gain for their work, many and short. What lies between takes
the least time, a sixth less than the first on the paper's sets. Buckets are half powers of two, so
the order is approximate, and every operation takes constant time.
"""

from __future__ import annotations

import math

import numpy as np

from qrja.jit import Float, Int, Table, Tables, inner

BUCKET_OF_ONE = 128


@inner
def new_stamp(control: Table) -> Int:
    """Clear all marks at once and return the value that sets one."""
    control[0].stamp += 1
    return control[0].stamp


@inner
def link(tree: Table, v: Int, parent: Int) -> None:
    """Put v among the children of ``parent``."""
    first = tree[parent].child
    tree[v].parent = parent
    tree[v].right = first
    tree[v].left = -1
    tree[parent].child = v
    if first >= 0:
        tree[first].left = v


@inner
def unlink(tree: Table, v: Int) -> None:
    """Take v from the children of its parent."""
    left, right = tree[v].left, tree[v].right
    if left >= 0:
        tree[left].right = right
    else:
        tree[tree[v].parent].child = right
    if right >= 0:
        tree[right].left = left


@inner
def bucket_of(gain: Float) -> Int:
    """Return the bucket of a positive gain."""
    mantissa, exponent = math.frexp(gain)
    return BUCKET_OF_ONE + 2 * exponent + (1 if mantissa >= 0.75 else 0)


@inner
def requeue(forest: Tables, v: Int) -> None:
    """Put v where its violation belongs in the queue, after any change of its flow or capacity."""
    tree = forest.tree
    violation = abs(tree[v].flow) - tree[v].cap
    new = -1
    if violation > 0:
        size = np.int64(tree[v].size)
        if tree[v].parent >= 0:
            size = min(size, forest.control[0].size - size)
        work = float(max(size, np.int64(1)))
        new = bucket_of(float(violation) * float(violation) * float(violation) / (work * work))
    put_in_bucket(forest, v, new)


@inner
def put_in_bucket(forest: Tables, v: Int, new: Int) -> None:
    """Move v to another bucket; -1 is none."""
    work, head, control = forest.work, forest.head, forest.control
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
def most_violated(forest: Tables) -> Int:
    """Return a node of the highest bucket, or -1 when no pair carries too much."""
    head, control = forest.head, forest.control
    top = control[0].top
    while top >= 0 and head[top] < 0:
        top -= 1
    control[0].top = top
    return head[top] if top >= 0 else -1


@inner
def next_to_repair(forest: Tables) -> Int:
    """Return the node whose pair is to leave, or -1 when no pair carries too much.

    A tree whose root misses a pull wants to move as a whole. Its pairs may be repaired before
    that, and mostly this is quicker; but then its parts can creep past each other in tiny steps
    for ever. So the roots have their turn when patience is over: each leaves one tree less.
    """
    tree, control = forest.tree, forest.control
    if control[0].loose > control[0].patience:
        while control[0].scan < tree.size:
            v = control[0].scan
            control[0].scan += 1
            if tree[v].parent < 0 and tree[v].flow != 0:
                return v
        control[0].loose, control[0].scan = 0, 0
    return most_violated(forest)


@inner
def root_of(tree: Table, v: Int) -> Int:
    """Walk up to the root."""
    while tree[v].parent >= 0:
        v = tree[v].parent
    return v


@inner
def collect(forest: Tables, nodes: Table, root: Int) -> Int:
    """List the subtree of ``root`` as moving, parents first; mark it; return its node count."""
    tree, moving = forest.tree, forest.moving
    stamp = new_stamp(forest.control)
    moving[0] = root
    nodes[root].mark = stamp
    count, done = 1, 0
    while done < count:
        v = tree[moving[done]].child
        done += 1
        while v >= 0:
            nodes[v].mark = stamp
            moving[count] = v
            count += 1
            v = tree[v].right
    return count


@inner
def cut(tree: Table, v: Int) -> Int:
    """Make v the root of its subtree; the flows above it do not change. Return the old root."""
    size = tree[v].size
    unlink(tree, v)
    u = np.int64(tree[v].parent)
    root = u
    while u >= 0:
        tree[u].size -= size
        root = u
        u = tree[u].parent
    tree[v].parent = -1
    tree[v].own = -1
    tree[v].other = -1
    tree[v].cap = 0
    return root


@inner
def reroot(forest: Tables, v: Int, root: Int) -> None:
    """Turn the pairs between v and ``root`` around, so that v becomes the root."""
    tree = forest.tree
    total, whole = tree[root].flow, tree[root].size
    above, own, other, cap = np.int64(-1), np.int32(-1), np.int32(-1), np.int64(0)
    flow, size = total, whole
    while True:
        parent = np.int64(tree[v].parent)
        old_own, old_other, old_cap = tree[v].own, tree[v].other, tree[v].cap
        old_flow, old_size = tree[v].flow, tree[v].size
        if parent >= 0:
            unlink(tree, v)
        if above >= 0:
            link(tree, v, above)
        else:
            tree[v].parent = -1
        tree[v].own, tree[v].other, tree[v].cap = own, other, cap
        tree[v].flow, tree[v].size = flow, size
        requeue(forest, v)
        if parent < 0:
            break
        above, own, other, cap = v, old_other, old_own, old_cap
        flow, size = total - old_flow, whole - old_size
        v = parent


@inner
def send_seeds(forest: Tables, seeds: Int) -> None:
    """Send the changes of the seeds up their paths, each shared step once."""
    tree, work = forest.tree, forest.work
    stamp = new_stamp(forest.control)
    count = 0
    for k in range(seeds):
        v = np.int64(work[k].seed)
        if work[v].reached == stamp:
            continue
        work[v].waiting = 0
        while v >= 0 and work[v].reached != stamp:
            work[v].reached = stamp
            work[count].path = v
            count += 1
            v = tree[v].parent
            if v >= 0:
                if work[v].reached == stamp:
                    work[v].waiting += 1
                else:
                    work[v].waiting = 1
    for k in range(count):
        v = np.int64(work[k].path)
        # Climb from a node with nothing to wait for, as far as it was the last to arrive.
        while v >= 0 and work[v].waiting == 0:
            work[v].waiting = -1
            amount, parent = work[v].change, tree[v].parent
            if parent >= 0:
                work[parent].waiting -= 1
                work[parent].change += amount
            if amount != 0:
                work[v].change = 0
                tree[v].flow += amount
                requeue(forest, v)
            v = parent


@inner
def note(forest: Tables, seeds: Int, v: Int, amount: Int) -> Int:
    """Add to the pending change of a node at rest, and list it once as a seed."""
    work, stamp = forest.work, forest.control[0].stamp
    work[v].change += amount
    if work[v].listed != stamp:
        work[v].listed = stamp
        work[seeds].seed = v
        seeds += 1
    return seeds
