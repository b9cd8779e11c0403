"""Blocks: arcs and nodes of some components, numbered so that each component lies in one piece.

Components that are solved together share the arrays; every sum is over a component of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from qrja.data import Floats, Index, Mask, Offsets, S, sum_by
from qrja.laplacian.network.kernels import arcs


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

    @cached_property
    def sizes(self) -> Offsets:
        """Number of nodes of each component."""
        return np.diff(self.start)

    def imbalance(self, flow: Floats) -> Floats:
        """Return what leaves each node less what enters it, ``A^T f``."""
        return np.asarray(arcs.imbalance(self.n, self.a, self.b, flow))

    def differences(self, x: Floats) -> Floats:
        """Return ``A x``, the fitted margins."""
        return x[self.a] - x[self.b]

    def residuals(self, x: Floats, rest: Floats) -> Floats:
        """Return ``y - A x - A rest``, where ``rest`` is what x lost to rounding."""
        return np.asarray(arcs.residuals(self.a, self.b, self.y, x, rest))

    def respond(self, change: Floats, slope: Floats, curvature: Floats) -> tuple[Floats, Floats]:
        """Return how residuals answer a change of x, ``dr = -A dx``, and the flow ``g + D dr``."""
        turn, flow = arcs.respond(self.a, self.b, change, slope, curvature)
        return turn, flow

    def level(self, x: Floats) -> Floats:
        """Return the constant by which each component of x is off.

        The ground of an anchored component is 0. Where there is no anchor, judgments do not see
        the constant, and the best one has ``sum (x - target) = 0``.
        """
        grounded = self.ground >= 0
        offset = x - self.target
        offset[self.ground[grounded]] = 0.0
        level = np.add.reduceat(offset, self.start[:-1]) / (self.sizes - grounded)
        level[self.anchored] = x[self.ground[self.anchored]]
        return np.asarray(level)

    def settle(self, x: Floats) -> Floats:
        """Fix the constant of each component, see :meth:`level`."""
        x = x - self.spread(self.level(x))
        x[self.ground[self.ground >= 0]] = 0.0
        return x

    def spread(self, values: NDArray[S]) -> NDArray[S]:
        """Return the component's value of each node."""
        return np.asarray(values.repeat(self.sizes))

    def select(self, chosen: Mask) -> tuple[Block, Mask, Mask]:
        """Keep some components; return also which arcs and which nodes stayed."""
        arcs = chosen[self.groups.index_of_all]
        nodes = np.repeat(chosen, self.sizes)
        local = np.cumsum(nodes) - 1
        number = np.cumsum(chosen) - 1
        ground = self.ground[chosen]
        block = Block(
            Groups(
                offsets(np.diff(self.groups.first)[chosen]),
                number[self.groups.held[arcs[self.m :]]],
            ),
            local[self.a[arcs]].astype(np.int32),
            local[self.b[arcs]].astype(np.int32),
            self.y[arcs],
            self.w[arcs],
            int(arcs[: self.m].sum()),
            offsets(np.diff(self.start)[chosen]),
            np.where(ground >= 0, local[ground], -1),
            self.anchored[chosen],
            self.target[nodes],
            self.nodes[nodes],
            self.arcs[arcs[: self.m]],
        )
        return block, arcs, nodes


def offsets(sizes: Offsets) -> Offsets:
    """Return where groups of such sizes begin, and where the last one ends."""
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
