"""The order that reverses the least majority, and the proof: branch and bound over pairs.

    minimise over orders   sum of D[b, a] over pairs with a placed before b and D[b, a] > 0

1. A local search that drifts over equally good orders finds a candidate, nearly always the best.
2. The linear relaxation has x in [0, 1] for each majority and a cut for each cycle; cuts are added
   where they are violated. It is solved by first-order steps, which unlike a simplex method go on
   from where they were when cuts are added or pairs are settled. Its prices need not be optimal:
   any prices prove a lower bound, so nothing depends on a tolerance.
3. What a price says on top of the bound settles pairs: an order that reverses (or keeps) a
   majority whose price would lift the bound above the limit is not looked for any more. Settled
   pairs are closed under transitivity.
4. Where bound and cost differ by one or more (costs are whole numbers), branch on a pair, chosen
   by trying several.

The same search answers whether an order with b before a can be as good as the best, and so tells
the pairs that history settles from those it leaves open.

References
----------
M. Grötschel, M. Jünger and G. Reinelt, A cutting plane algorithm for the linear ordering problem,
1984.
A. Chambolle and T. Pock, A first-order primal-dual algorithm for convex problems, 2011.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qrja._arrays import Floats, Index
from qrja.rankers import _kernels_kemeny as kernels
from qrja.rankers._cuts import Cuts

Relation = NDArray[np.bool_]
"""``relation[a, b]``: a is before b."""
Net = NDArray[np.int64]
"""``D[a, b]``: wins of a over b less wins of b over a."""

ROUNDING = 1e-6
"""Bounds are sums of thousands of floats; costs are whole numbers."""
BALANCE = 7.0
"""Step of x against step of the prices, for weights of mean 1; found by trial."""
MOST_TRIPLES = 20_000
"""Cycles of three to begin with; others are cut where they are violated."""
LEAST = 1e-3
"""By how much a cycle must be violated to become a cut."""
SLACK = 0.3
"""Cuts further off than this, and without a price, sit out."""
TRIALS = 8
"""Pairs tried before branching on one of them."""


@dataclass
class Node:
    """A part of the search: pairs settled so far, where its relaxation stands, what it proves."""

    before: Relation
    x: Floats
    y: Floats
    bound: float = 0.0


class Search:
    """Look for an order that costs at most ``limit``, or prove that there is none.

    Parameters
    ----------
    D : array
        Net majorities.
    order : array
        An order to start from.
    deadline : float
        Reading of ``time.perf_counter`` at which to stop.
    """

    def __init__(self, D: Net, order: Index, deadline: float) -> None:
        self.D, self.order, self.deadline = D, order, deadline
        self.tail, self.head = (ends.astype(np.int32) for ends in np.nonzero(D > 0))
        self.w = D[self.tail, self.head].astype(np.float64)
        self.arc_of = np.full(D.shape, -1, dtype=np.int32)
        self.arc_of[self.tail, self.head] = np.arange(len(self.w))
        self.cost = kernels.cost_of(D, order)
        self.limit = self.cost - 1
        self.nodes = 0
        self._guide, self._forced = D, None
        self._state = seeded()
        self._balance = BALANCE / self.w.mean()
        triples = kernels.three_cycles(self.tail, self.head, self.arc_of, MOST_TRIPLES)
        self.cuts = Cuts()
        self.cuts.add(np.arange(0, triples.size + 1, 3), triples.ravel(), np.ones(triples.size))
        self.root = Node(np.zeros(D.shape, dtype=bool), np.zeros(len(self.w)), np.zeros(0))

    def run(self) -> float:
        """Lower ``limit`` until nothing is below; return the lower bound that is proven."""
        stack = [self.root] if self.tighten(self.root, rounds=40, steps=200) else []
        while stack and time.perf_counter() < self.deadline:
            node = stack.pop()
            if node.bound <= self.limit + ROUNDING:
                stack += self.branch(node)
        return min([node.bound for node in stack], default=self.limit + 1)

    def tighten(self, node: Node, rounds: int, steps: int) -> bool:
        """Raise the bound of a node; return whether it may still hold an order to be found."""
        for _ in range(rounds):
            last = node.bound
            if not self.advance(node, steps):
                return False
            self.offer(node.x)
            fresh = self.separate(node.x)
            if node.bound < last + 0.05 and fresh < 20 or time.perf_counter() > self.deadline:
                break
        return node.bound <= self.limit + ROUNDING

    def advance(self, node: Node, steps: int) -> bool:
        """Solve the relaxation a little further and settle pairs; return as ``tighten`` does."""
        low = node.before[self.head, self.tail].astype(np.float64)
        high = 1.0 - node.before[self.tail, self.head]
        y = np.zeros(len(self.cuts))
        y[: len(node.y)] = node.y
        x = np.clip(node.x, low, high)
        active = (y > 0) | (kernels.shortfall(*self.cuts.all(), x) > -SLACK)
        rows = self.cuts.some(active)
        x, prices = kernels.primal_dual_steps(
            self.w, low, high, *rows, x, y[active], self._balance, steps
        )
        bound, left = kernels.price(self.w, low, high, *rows, prices)
        y[:] = 0
        y[active] = prices
        node.x, node.y, node.bound = x, y, max(node.bound, bound)
        return node.bound <= self.limit + ROUNDING and self.settle(node, bound, left, low == high)

    def settle(self, node: Node, bound: float, left: Floats, done: NDArray[np.bool_]) -> bool:
        """Settle the pairs whose price lifts the bound above the limit; False at a contradiction."""
        room = self.limit + ROUNDING - bound
        kept, turned = ~done & (left > room), ~done & (-left > room)
        if not (kept.any() or turned.any()):
            return True
        node.before[self.tail[kept], self.head[kept]] = True
        node.before[self.head[turned], self.tail[turned]] = True
        return bool(kernels.close(node.before))

    def offer(self, x: Floats) -> None:
        """Round x to an order, improve it, and keep it where it is within the limit."""
        lead = np.bincount(self.tail, 1 - 2 * x, len(self.D))
        lead -= np.bincount(self.head, 1 - 2 * x, len(self.D))
        rounded = np.argsort(-lead, kind="stable")
        order, _ = kernels.search_orders(self._guide, rounded, 20, 10, 15, self._state)
        cost = kernels.cost_of(self.D, order)
        if cost <= self.limit and self._obeys(order):
            self.order, self.cost = order, cost
            self.limit = cost - 1 if self._forced is None else -1

    def _obeys(self, order: Index) -> bool:
        if self._forced is None:
            return True
        first, second = self._forced
        return bool((order == first).argmax() < (order == second).argmax())

    def separate(self, x: Floats) -> int:
        """Add the cycles that x keeps whole; return how many are new."""
        length = np.full(self.D.shape, kernels.FAR)
        # A trifle on each step prefers short cycles among equals.
        length[self.tail, self.head] = x + 1e-6
        length[self.head, self.tail] = 1 - x + 1e-6
        if self._forced is not None:
            length[self._forced] = 1e-6
        found = kernels.violated_cycles(self.tail, self.head, length, self.arc_of, LEAST)
        return self.cuts.add(*found)

    def branch(self, node: Node) -> list[Node]:
        """Split a node in two at the pair that lifts the bounds most; return what is left."""
        self.nodes += 1
        done = node.before[self.tail, self.head] | node.before[self.head, self.tail]
        doubt = np.where(done, -1, np.minimum(node.x, 1 - node.x) * np.sqrt(self.w))
        best, split = -1.0, []
        for arc in np.argsort(-doubt, kind="stable")[: min(TRIALS, int((~done).sum()))]:
            pair = self.tail[arc], self.head[arc]
            parts = [self.part(node, *pair), self.part(node, *pair[::-1])]
            lifts = [self.limit + 1 - node.bound if p is None else p.bound - node.bound for p in parts]
            merit = max(lifts[0], 0.01) * max(lifts[1], 0.01)
            if merit > best:
                best, split = merit, [part for part in parts if part is not None]
            if not split:
                break
        alive = [part for part in split if self.tighten(part, rounds=6, steps=120)]
        return sorted(alive, key=lambda part: -part.bound)

    def part(self, node: Node, first: int, second: int) -> Node | None:
        """Return the part of a node with ``first`` before ``second``, or None if it is empty."""
        before = node.before.copy()
        before[first, second] = True
        if not kernels.close(before):
            return None
        part = Node(before, node.x, node.y, node.bound)
        return part if self.advance(part, steps=60) else None


def seeded() -> NDArray[np.uint64]:
    """Return the state of a random generator, always the same."""
    return np.array([88172645463325252], dtype=np.uint64)
