"""Candidates who met the same others with the same outcome are one node.

Two runners of one race only were judged against each other and against all others of that race, and
each judgment of one is that of the other, up to the seconds between them. In general u and v are
twins if there is a single judgment between them, of margin o and weight w, and for each other k

    the judgments of (u, k)  are those of (v, k),  with margins larger by o, weights the same.

Exchanging ``x_u`` with ``x_v + o`` then changes no loss. So the middle of an optimum and of what it
is after the exchange is an optimum too, with ``x_u - x_v = o``; and as that saves what the judgment
between them cost, it holds at every optimum. Twins share one node with offsets, and a flow of the
node is shared by its members by weight. Who may be a twin is found by sums of pseudo-random numbers
over all judgments, in time proportional to them; that they are is then checked one by one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qrja.data import Floats, Index, Mask
from qrja.solvers.l1.grid import Integers

Hashes = NDArray[np.uint64]
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)


@dataclass(frozen=True, eq=False)
class Twins:
    """Judgments between nodes, each of which is a candidate or several twins."""

    node_of: Index
    offset: Integers
    """Candidate i has the score of node ``node_of[i]`` and this."""
    first: Index
    """A candidate of each node, whose offset is 0."""
    kept: Mask
    """Which judgments are between two nodes; those within one hold exactly."""
    a: Index
    b: Index
    y: Integers
    w: Integers
    """The kept ones, between nodes."""

    @property
    def count(self) -> int:
        """The number of nodes."""
        return len(self.first)

    def scores(self, of_nodes: Integers) -> Integers:
        """Return the scores of candidates, given those of nodes."""
        return of_nodes[self.node_of] + self.offset

    def flow(self, of_kept: Floats) -> Floats:
        """Return the flow of all judgments, given that of those between nodes."""
        out = np.zeros(len(self.kept))
        out[self.kept] = of_kept
        return out

    def are_proved(self, margin_of: Index) -> bool:
        """Check one by one what was found by hashes.

        ``margin_of`` numbers what the kept judgments say, equal for equal ones of two nodes. Each
        member of one node must have said that once of each member of the other, in equal weight.
        """
        size = np.bincount(self.node_of, minlength=self.count)
        pairs = size[self.a] * size[self.b]
        times = np.bincount(margin_of)[margin_of]
        total = added_up(margin_of, self.w)[margin_of]
        return bool(((pairs == 1) | ((times == pairs) & (total == times * self.w))).all())


def no_twins(n: int, a: Index, b: Index, y: Integers, w: Integers) -> Twins:
    """Return judgments as they are: each candidate is a node."""
    each = np.arange(n, dtype=np.int32)
    return Twins(each, np.zeros(n, np.int64), each, np.ones(len(y), bool), a, b, y, w)


def find_twins(n: int, a: Index, b: Index, y: Integers, w: Integers) -> Twins:
    """Find candidates who are twins for all that hashes can tell.

    Examples
    --------
    Two of a race of four have been in another one, the others are one node:

    >>> a, b = np.array([0, 0, 0, 1, 1, 2, 0]), np.array([1, 2, 3, 2, 3, 3, 1])
    >>> y = np.array([1, 2, 4, 1, 3, 2, 9])
    >>> twins = find_twins(4, a, b, y, np.ones(7, dtype=int))
    >>> twins.node_of, twins.offset
    (array([0, 1, 2, 2], dtype=int32), array([ 0,  0,  0, -2]))
    """
    name = mixed(np.arange(1, n + 1, dtype=np.uint64))
    others = name.copy()
    np.add.at(others, a, name[b])
    np.add.at(others, b, name[a])
    leader = leaders(others)
    inside = leader[a] == leader[b]
    if not inside.any():
        return no_twins(n, a, b, y, w)
    offset = np.zeros(n, dtype=np.int64)
    from_a, from_b = inside & (leader[a] == a), inside & (leader[b] == b)
    offset[b[from_a]], offset[a[from_b]] = -y[from_a], y[from_b]
    leader = leaders(outcomes(name, inside, (a, b, y - offset[a] + offset[b], w)) ^ name[leader])
    offset -= offset[leader]
    return collapse(leader, offset, (a, b, y, w))


def added_up(key: Index, value: Integers) -> Integers:
    """Add up whole numbers of each key, exactly."""
    total = np.zeros(int(key.max(initial=-1)) + 1, dtype=np.int64)
    np.add.at(total, key, value)
    return total


def mixed(value: Hashes) -> Hashes:
    """Return a pseudo-random number for each number."""
    value = value * GOLDEN
    value = (value ^ (value >> np.uint64(30))) * MIX_1
    value = (value ^ (value >> np.uint64(27))) * MIX_2
    return value ^ (value >> np.uint64(31))


def leaders(key: Hashes) -> Index:
    """Return for each the first with the same key."""
    _, first, of = np.unique(key, return_index=True, return_inverse=True)
    return first[of].astype(np.int32)


def outcomes(name: Hashes, inside: Mask, judgments: tuple[Any, ...]) -> Hashes:
    """Add up, for each candidate, who was met, with which margin and weight.

    Margins are those beyond the offsets; of those ``inside``, whoever was met is the same.
    """
    a, b, y, w = judgments
    met = np.where(inside, np.uint64(0), name[[b, a]])
    margin = mixed(np.stack([y, -y]).view(np.uint64))
    said = mixed(met + margin * MIX_1) + mixed(w.astype(np.uint64)) * MIX_2
    total = np.zeros_like(name)
    np.add.at(total, a, mixed(said[0]))
    np.add.at(total, b, mixed(said[1]))
    return total


def collapse(leader: Index, offset: Integers, judgments: tuple[Any, ...]) -> Twins:
    """Give those of each leader one node, if what was said among them agrees."""
    a, b, y, w = judgments
    first, node_of = np.unique(leader, return_inverse=True)
    inside = leader[a] == leader[b]
    home, within = node_of[a], y - offset[a] + offset[b]
    # Each two of a node are judged once, in equal weight, as far apart as their offsets.
    size = np.bincount(node_of)
    times = np.bincount(home[inside], minlength=len(size))
    total = added_up(np.append(home[inside], len(size)), np.append(w[inside], 0))
    agrees = times == size * (size - 1) // 2
    agrees[home[inside & ((within != 0) | (total[home] != times[home] * w))]] = False
    is_split = ~agrees[node_of]
    if is_split.any():
        leader = np.where(is_split, np.arange(len(leader)), leader)
        offset = np.where(is_split, 0, offset)
        first, node_of = np.unique(leader, return_inverse=True)
    node = node_of.astype(np.int32)
    kept = node[a] != node[b]
    one, other, margin = node[a][kept], node[b][kept], (y - offset[a] + offset[b])[kept]
    return Twins(node, offset, first.astype(np.int32), kept, one, other, margin, w[kept])
