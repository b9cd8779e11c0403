"""The problem as arcs between nodes, cut into components that are solved in their own scale.

A judgment is an arc (a, b) with margin y and weight w. What is fixed from outside hangs on a
*ground* node of score 0, one for each component that has any:

- an anchored candidate is the ground itself; its value moves into the margins of its judgments;
- a ridge ``lambda (x_v - prior_v)^2`` is an arc (v, ground) with margin prior_v and quadratic loss.

So everything is one graph again, known up to a constant per component; the constant is found
afterwards, by centring or by setting the ground to 0. Judgments between two anchored candidates
cost what they cost and take no part.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from qrja.data import Floats, Index, Mask, Offsets
from qrja.laplacian.compensated import exact_residuals
from qrja.laplacian.network.blocks import Block, Groups, offsets

ALONE = 4096
"""Components with so many arcs are solved one at a time, smaller ones all together."""


@dataclass(frozen=True, eq=False)
class Network:
    """Arcs between the n candidates and the ground nodes n, n + 1, ...

    Parameters
    ----------
    n : int
        Number of candidates.
    a, b, y, w : array
        Arcs with the loss; both ends are -1 where both candidates are anchored.
    ridge : float
        The weight of the ridge, 0 for none.
    goal : array of float
        Per candidate, the anchored value or the prior (0 without either).
    free : array of bool
        Whether each candidate is to be solved for.
    label : array of int
        The component of each node, -1 for candidates that are not nodes.
    """

    n: int
    a: Index
    b: Index
    y: Floats
    w: Floats
    ridge: float
    goal: Floats
    free: Mask
    label: Index

    def blocks(self) -> Iterator[Block]:
        """Yield the components: large ones alone, small ones in one batch."""
        arcs = np.flatnonzero(self.a >= 0)
        label = self.label[self.a[arcs]]
        size = np.bincount(label, minlength=int(self.label.max(initial=-1)) + 1)
        alone = size >= ALONE
        if not alone.any():
            if len(arcs):
                yield self._block(arcs, label, size > 0)
            return
        if (~alone & (size > 0)).any():
            small = ~alone[label]
            yield self._block(arcs[small], label[small], ~alone & (size > 0))
        for large in np.flatnonzero(alone):
            inside = label == large
            yield self._block(arcs[inside], label[inside], np.arange(len(size)) == large)

    def _block(self, arcs: Offsets, label: Index, chosen: Mask) -> Block:
        count = int(chosen.sum())
        number = np.full(len(chosen), -1, dtype=np.int64)
        number[chosen] = np.arange(count)
        group = number[label]
        if count > 1:
            order = np.argsort(group, kind="stable")
            arcs, group = arcs[order], group[order]
        inside = (self.label >= 0) & chosen[self.label]
        nodes = np.flatnonzero(inside)
        nodes = nodes[np.argsort(number[self.label[nodes]], kind="stable")]
        local = np.full(len(self.label), -1, dtype=np.int32)
        local[nodes] = np.arange(len(nodes), dtype=np.int32)
        node_group = number[self.label[nodes]]
        ground = np.full(count, -1, dtype=np.int64)
        ground[node_group[nodes >= self.n]] = np.flatnonzero(nodes >= self.n)
        held = np.flatnonzero(nodes < self.n) if self.ridge > 0 else np.zeros(0, dtype=np.int64)
        target = np.zeros(len(nodes))
        target[held] = self.goal[nodes[held]]
        anchored = np.zeros(count, dtype=bool)
        anchored[group[(self.a[arcs] >= self.n) | (self.b[arcs] >= self.n)]] = True
        return Block(
            groups=Groups(offsets(np.bincount(group, minlength=count)), node_group[held]),
            a=np.concatenate([local[self.a[arcs]], held]).astype(np.int32),
            b=np.concatenate([local[self.b[arcs]], ground[node_group[held]]]).astype(np.int32),
            y=np.concatenate([self.y[arcs], target[held]]),
            w=np.concatenate([self.w[arcs], np.full(len(held), self.ridge)]),
            m=len(arcs),
            start=offsets(np.bincount(node_group, minlength=count)),
            ground=ground,
            anchored=anchored,
            target=target,
            nodes=nodes,
            arcs=arcs,
        )


def build_network(
    arcs: tuple[Index, Index, Floats, Floats],
    ridge: float,
    goal: Floats,
    free: Mask,
    label: Index,
) -> Network:
    """Hang anchors and ridge on ground nodes.

    ``arcs`` are a, b, y, w; ``label`` numbers the components of the free candidates and is -1 for
    all others; see :class:`Network` for the rest.
    """
    n = len(free)
    a, b, y, w = arcs
    count = int(label.max(initial=-1)) + 1
    # One more than there are, so that the label -1 finds a component without a ground.
    hung = np.append(np.full(count, ridge > 0), False)
    if not free.all():
        fixed = np.where(free, 0.0, goal)
        y = exact_residuals(y, fixed[a], fixed[b])
        for one, other in ((a, b), (b, a)):
            hung[label[one[free[one] & ~free[other]]]] = True
        ground = np.where(hung, n + np.cumsum(hung) - 1, -1)
        a, b = (
            np.where(free[one], one, np.where(free[other], ground[label[other]], -1))
            for one, other in ((a, b), (b, a))
        )
    label = np.concatenate([label, np.flatnonzero(hung)]).astype(np.int32)
    return Network(n, a.astype(np.int32), b.astype(np.int32), y, w, ridge, goal, free, label)
