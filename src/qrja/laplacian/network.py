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
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from qrja.data import Floats, Index, Offsets, S, sum_by
from qrja.laplacian.kernels import graph as kernels

Mask = NDArray[np.bool_]

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
            groups=Groups(_offsets(np.bincount(group, minlength=count)), node_group[held]),
            a=np.concatenate([local[self.a[arcs]], held]).astype(np.int32),
            b=np.concatenate([local[self.b[arcs]], ground[node_group[held]]]).astype(np.int32),
            y=np.concatenate([self.y[arcs], target[held]]),
            w=np.concatenate([self.w[arcs], np.full(len(held), self.ridge)]),
            m=len(arcs),
            start=_offsets(np.bincount(node_group, minlength=count)),
            ground=ground,
            anchored=anchored,
            target=target,
            nodes=nodes,
            arcs=arcs,
        )


class Groups:
    """Arcs by component: sums over components, and values of components spread over arcs.

    The arcs with the loss come first, sorted by component; those of the ridge follow.

    Examples
    --------
    >>> groups = Groups(np.array([0, 2, 3]), np.zeros(0, dtype=np.int64))
    >>> groups.sum(np.array([1.0, 2.0, 4.0])), groups.spread(np.array([7.0, 8.0]))
    (array([3., 4.]), array([7., 7., 8.]))
    """

    def __init__(self, first: Offsets, held: Offsets) -> None:
        self.first = first
        self.held = held
        self.count = len(first) - 1

    @cached_property
    def index(self) -> Offsets:
        """The component of each arc with the loss."""
        return np.repeat(np.arange(self.count), np.diff(self.first))

    @cached_property
    def index_of_all(self) -> Offsets:
        """The component of each arc."""
        return np.concatenate([self.index, self.held])

    def sum(self, terms: Floats) -> Floats:
        """Sum over each component; ``terms`` are of all arcs or of those with the loss."""
        m = int(self.first[-1])
        if self.count == 1:
            return np.array([terms.sum()])
        total = sum_by(self.index, terms[:m], self.count)
        return total + sum_by(self.held, terms[m:], self.count) if len(terms) > m else total

    def max(self, terms: Floats) -> Floats:
        """Return the largest term of each component; ``terms`` are of the arcs with the loss."""
        return np.maximum.reduceat(terms, self.first[:-1])

    def spread(self, values: Floats) -> Floats:
        """Return the component's value of each arc with the loss, ready to broadcast."""
        return values if self.count == 1 else values[self.index]

    def spread_over_all(self, values: NDArray[S]) -> NDArray[S]:
        """Return the component's value of each arc, ready to broadcast."""
        return values if self.count == 1 else np.asarray(values[self.index_of_all])


@dataclass(frozen=True, eq=False)
class Block:
    """One component, or a batch of small ones, with nodes and arcs renumbered.

    Parameters
    ----------
    groups : Groups
        The components of the arcs.
    a, b, y, w : array
        The arcs: first those with the loss, sorted by component, then those of the ridge.
    m : int
        How many arcs carry the loss.
    start : array of int
        The nodes of component c are ``start[c]:start[c + 1]``.
    ground : array of int
        The ground node of each component, or -1.
    anchored : array of bool
        Whether arcs with the loss lead to the ground of each component.
    target : array of float
        Where the ridge pulls each node, 0 without one.
    nodes, arcs : array of int
        The numbers of nodes and loss arcs in the network.
    """

    groups: Groups
    a: Index
    b: Index
    y: Floats
    w: Floats
    m: int
    start: Offsets
    ground: Offsets
    anchored: Mask
    target: Floats
    nodes: Offsets
    arcs: Offsets

    @property
    def n(self) -> int:
        """Number of nodes."""
        return len(self.nodes)

    def imbalance(self, flow: Floats) -> Floats:
        """Return what leaves each node less what enters it, ``A^T f``."""
        return np.asarray(kernels.imbalance(self.n, self.a, self.b, flow))

    def differences(self, x: Floats) -> Floats:
        """Return ``A x``, the fitted margins."""
        return x[self.a] - x[self.b]

    def residuals(self, x: Floats, rest: Floats) -> Floats:
        """Return ``y - A x - A rest``, where ``rest`` is what x lost to rounding."""
        return np.asarray(kernels.residuals(self.a, self.b, self.y, x, rest))

    def level(self, x: Floats) -> Floats:
        """Return the constant by which each component of x is off.

        The ground of an anchored component is 0. Where there is no anchor, judgments do not see
        the constant, and the best one has ``sum (x - target) = 0``.
        """
        grounded = self.ground >= 0
        offset = x - self.target
        offset[self.ground[grounded]] = 0.0
        level = np.add.reduceat(offset, self.start[:-1]) / (np.diff(self.start) - grounded)
        level[self.anchored] = x[self.ground[self.anchored]]
        return np.asarray(level)

    def settle(self, x: Floats) -> Floats:
        """Fix the constant of each component, see :meth:`level`."""
        x = x - self.spread(self.level(x))
        x[self.ground[self.ground >= 0]] = 0.0
        return x

    def spread(self, values: NDArray[S]) -> NDArray[S]:
        """Return the component's value of each node."""
        return np.repeat(values, np.diff(self.start))

    def select(self, chosen: Mask) -> tuple[Block, Mask, Mask]:
        """Keep some components; return also which arcs and which nodes stayed."""
        arcs = chosen[self.groups.index_of_all]
        nodes = np.repeat(chosen, np.diff(self.start))
        local = np.cumsum(nodes) - 1
        number = np.cumsum(chosen) - 1
        ground = self.ground[chosen]
        block = Block(
            Groups(
                _offsets(np.diff(self.groups.first)[chosen]),
                number[self.groups.held[arcs[self.m :]]],
            ),
            local[self.a[arcs]].astype(np.int32),
            local[self.b[arcs]].astype(np.int32),
            self.y[arcs],
            self.w[arcs],
            int(arcs[: self.m].sum()),
            _offsets(np.diff(self.start)[chosen]),
            np.where(ground >= 0, local[ground], -1),
            self.anchored[chosen],
            self.target[nodes],
            self.nodes[nodes],
            self.arcs[arcs[: self.m]],
        )
        return block, arcs, nodes


def _offsets(sizes: Offsets) -> Offsets:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


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


def exact_residuals(y: Floats, left: Floats, right: Floats) -> Floats:
    """Return ``y - (left - right)``, rounded once.

    Margins that agree up to a billionth leave residuals that plain subtraction would fill with
    rounding; the error of each subtraction is a float itself and is put back (Knuth's two-sum).

    Examples
    --------
    >>> exact_residuals(np.array([1.0]), np.array([1.0]), np.array([1e-20]))
    array([1.e-20])
    """
    fitted = left - right
    shadow = fitted - left
    lost = (left - (fitted - shadow)) - (right + shadow)
    rest = y - fitted
    shadow = rest - y
    lost_again = (y - (rest - shadow)) - (fitted + shadow)
    return rest + (lost_again - lost)
