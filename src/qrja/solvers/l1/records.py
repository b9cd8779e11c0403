"""The records that the l1 kernels work on: plain numpy arrays, one of each kind, all growable.

A record is what a pivot touches together, so that it lies in one line of the cache. Indices are
-1 where there is nothing.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from qrja.data import Index
from qrja.solvers.l1.grid import Integers

TREE = np.dtype(
    [
        ("flow", "i8"),  # what the tree pair above the node must pull
        ("cap", "i8"),  # what it can pull; 0 at a root
        ("parent", "i4"),
        ("own", "i4"),  # the node's entry in its tree pair
        ("other", "i4"),  # the parent's entry in it
        ("size", "i4"),  # work of moving the subtree
        ("child", "i4"),  # first child; children are a doubly linked list
        ("left", "i4"),
        ("right", "i4"),
    ],
    align=True,
)
"""A node's place in the forest."""

NODE = np.dtype(
    [
        ("hi", "i8"),  # score, exact
        ("lo", "i8"),  # its perturbation
        ("mark", "i8"),  # equal to the stamp if the node moves
        ("first", "i4"),  # the node's entries have the slots first : first + size
        ("size", "i4"),
        ("room", "i4"),
        ("region", "i4"),  # where the node lies, once there are regions
    ],
    align=True,
)
"""A node's score, entries and region."""

REGION = np.dtype(
    [
        ("seen", "i8"),  # equal to the stamp if one of its nodes moves
        ("inner", "i8"),  # equal to the stamp if it and all regions next to it move as a whole
        ("moving", "i4"),  # number of its nodes that move
        ("size", "i4"),  # number of its nodes
        ("first", "i4"),  # the regions next to it are borders[first : stop]
        ("stop", "i4"),
    ],
    align=True,
)
"""Nodes that meet each other and few others: see :mod:`qrja.solvers.l1.regions`."""

WORK = np.dtype(
    [
        ("change", "i8"),  # to be added to the flow of the node and all the way up
        ("listed", "i8"),  # equal to the stamp if the node is among the seeds
        ("reached", "i8"),  # equal to the stamp if the node is on the way up from one
        ("bucket", "i4"),  # where the node waits to be repaired
        ("before", "i4"),
        ("after", "i4"),
        ("waiting", "i4"),  # children whose changes have yet to arrive
        ("seed", "i4"),  # list of the nodes at rest with a change
        ("path", "i4"),  # list of the nodes above them
    ],
    align=True,
)
"""The queue, pending changes, marks and lists of nodes."""

ENTRY = np.dtype(
    [
        ("node", "i4"),
        ("contest", "i4"),
        ("slot", "i4"),  # among those of its node
        ("count", "i4"),  # number of contestants that it stands for
    ],
    align=True,
)
"""A contestant, or several seen once, in one contest."""

SLOT = np.dtype(
    [
        ("up", "i8"),  # how far all may drift before the entry can meet its neighbour above
        ("down", "i8"),  # and below
        ("above", "i4"),  # the nodes of these neighbours; -1 if there is none
        ("below", "i4"),
        ("place", "i4"),
    ],
    align=True,
)
"""An entry of a node: where it stands in its contest, and what it knows of its neighbours there."""

PLACE = np.dtype(
    [
        ("score", "i8"),
        ("jitter", "i8"),  # perturbation of the entry
        ("entry", "i4"),
        ("node", "i4"),
        ("contest", "i4"),
        ("slot", "i4"),
    ],
    align=True,
)
"""A place in the order of a contest by residual: whose it is; the residual is hi - score."""

FIELD = np.dtype([("weight", "i8"), ("first", "i4"), ("size", "i4")], align=True)
"""A contest: what a pair weighs; its places are ``first : first + size``."""

PAIR = np.dtype([("i", "i4"), ("j", "i4"), ("sign", "i4")], align=True)
"""A pair with residual exactly zero outside the forest, and its sign."""

CROSSED = np.dtype(
    [
        ("hi", "i8"),
        ("lo", "i8"),
        ("pull", "i8"),  # twice the weight
        ("i", "i4"),  # its ends: entries of contests; twice the edge of a judgment
        ("j", "i4"),
        ("moving", "i4"),  # their nodes
        ("resting", "i4"),
    ],
    align=True,
)
"""A pair that the moving nodes cross, and at which distance."""

CONTROL = np.dtype(
    [
        ("stamp", "i8"),  # marks equal to it are set, any others are not
        ("top", "i8"),  # no bucket above this one holds a node
        ("size", "i8"),  # work of moving all nodes
        ("zeros", "i8"),  # number of pairs listed as zeros
        ("ties", "i8"),  # number of pairs listed as ties
        ("found", "i8"),  # number of pairs crossed
        ("total", "i8"),  # sum of their pulls
        ("far_hi", "i8"),  # distance beyond which no pair is crossed
        ("far_lo", "i8"),
        ("loose", "i8"),  # pivots on pairs of trees whose root misses a pull
        ("patience", "i8"),  # so many, and the roots have their turn
        ("scan", "i8"),  # which of them is next
        ("touched", "i8"),  # number of moving entries that something near was found for
        ("drift", "i8"),  # sum of the steps after which no distance was measured again
        ("entries", "i8"),
        ("length", "f8"),  # sum over contests of the range of their residuals
        ("rate", "f8"),  # what all entries together cross in a small step, divided by the step
    ],
    align=True,
)
"""Counters, a single record."""

PATIENCE = 2
"""Pivots per node for which trees that want to move as a whole may wait. It guards against creeping
without end: 2, 8 and 100 take the same pivots on Codeforces (10,478), F1 and races; 0 takes 21 %
more on Codeforces, 19 % on races."""
BUCKETS = 512
"""Number of buckets of the queue, half powers of two: more than the range of a gain."""
STEP_COST = 4
"""Work of moving a node, in units of the work of moving one of its entries. From 1 to 16 the pivots
on Codeforces, F1 and races change by less than 7 %."""

LEAVING = np.dtype([("offset", "i8"), ("group", "i4"), ("node", "i4")], align=True)
"""A contestant about to leave a group: its score above the group's, and its node after that."""

EDGE = np.dtype(
    [
        ("a", "i4"),
        ("b", "i4"),
        ("way_a", "i4"),  # the edge as seen from a
        ("way_b", "i4"),
        ("first", "i4"),  # the margins between a and b are margins[first : first + size], rising
        ("size", "i4"),
        ("passed", "i4"),  # how many of them lie below x_a - x_b
        ("is_tree", "i4"),  # whether the next one is in the forest
    ],
    align=True,
)
"""All judgments between two nodes."""

MARGIN = np.dtype([("hi", "i8"), ("lo", "i8"), ("weight", "i8")], align=True)
"""The margin of a judgment, perturbed, and its weight."""

WAY = np.dtype([("up", "i8"), ("down", "i8"), ("node", "i4"), ("edge", "i4")], align=True)
"""An edge as seen from a node v: the next margins above and below x_v - x_u, and u."""

WISH = np.dtype([("rise", "i8"), ("weight", "i8")], align=True)
"""By how much a judgment wants a node to rise."""

REACH = np.dtype([("up", "i8"), ("down", "i8")], align=True)
"""How far all may drift before a node can meet somebody above, and below."""


class Forest(NamedTuple):
    """The forest, its queue and the lists that a pivot fills."""

    tree: NDArray[np.void]
    work: NDArray[np.void]
    moving: Index
    crossed: NDArray[np.void]
    ties: NDArray[np.void]
    head: Index
    control: NDArray[np.void]


LINKS = ("parent", "own", "other", "child", "left", "right")


def bare_forest(n: int, ties: int = 0) -> Forest:
    """Make a forest of n single nodes, with nothing in the queue."""
    tree, work, control = np.zeros(n, TREE), np.zeros(n, WORK), np.zeros(1, CONTROL)
    for link in LINKS:
        tree[link] = -1
    work["bucket"] = -1
    control["top"] = -1
    moving, head = np.empty(n, np.int32), np.full(BUCKETS, -1, np.int32)
    crossed = np.empty(1 << 15, CROSSED)
    return Forest(tree, work, moving, crossed, np.zeros(ties, PAIR), head, control)


class ContestTables(NamedTuple):
    """All that the kernels know of contests."""

    forest: Forest
    nodes: NDArray[np.void]
    slots: NDArray[np.void]
    entries: NDArray[np.void]
    places: NDArray[np.void]
    fields: NDArray[np.void]
    slope: Integers
    touched: Index
    zeros: NDArray[np.void]
    regions: NDArray[np.void]
    borders: Index
    reach: NDArray[np.void]


class PairTables(NamedTuple):
    """All that the kernels know of judgments between pairs."""

    forest: Forest
    nodes: NDArray[np.void]
    ways: NDArray[np.void]
    edges: NDArray[np.void]
    margins: NDArray[np.void]
    reach: NDArray[np.void]
