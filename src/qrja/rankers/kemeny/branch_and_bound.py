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
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qrja.data import Floats, Index
from qrja.rankers.kemeny.cycle_cuts import CycleCuts
from qrja.rankers.kemeny.kernels import orders, relaxation

Relation = NDArray[np.bool_]
"""``relation[a, b]``: a is before b."""
Order = NDArray[np.integer[Any]]
"""Contestants, the first first."""
Net = NDArray[np.int64]
"""``D[a, b]``: wins of a over b less wins of b over a."""

NO_PAIRS = np.zeros((0, 2), dtype=np.int32)

ROUNDING = 1e-6
"""Bounds are sums of thousands of floats; costs are whole numbers."""
BALANCE = 7.0
"""Step of x against step of the prices, for weights of mean 1. On fields of 80 of the paper's set
Codeforces, 2 and 20 take a fifth longer."""
MOST_TRIPLES = 20_000
"""Cycles of three to begin with; others are cut where they are violated. A tenth or ten times as
many take about as long."""
LEAST = 1e-3
"""By how much a cycle must be violated to become a cut; 1e-2 and 1e-4 take a quarter and a half
longer."""
SLACK = 0.3
"""Cuts further off than this, and without a price, sit out. On the same fields, 0.1 and 1 take a
quarter longer: cuts come back too late, or cost time for nothing."""
TRIALS = 8
"""Pairs tried before branching on one of them; 3 do as well on these fields, 20 take twice as
long."""


@dataclass
class Node:
    """A part of the search: pairs settled so far, where its relaxation stands, what it proves."""

    before: Relation
    x: Floats
    y: Floats
    bound: float = 0.0

    @classmethod
    def of(cls, graph: Majorities) -> Node:
        """Return the node that holds all orders."""
        return cls(np.zeros(graph.D.shape, dtype=bool), np.zeros(len(graph.w)), np.zeros(0))


class Majorities:
    """Net majorities as a graph: one arc from the winner to the loser of each pair that has one.

    Parameters
    ----------
    D : array
        Net majorities.
    also : sequence of (int, int)
        Pairs without a majority that get an arc of weight 0.
    """

    def __init__(self, D: Net, also: NDArray[np.integer[Any]] = NO_PAIRS) -> None:
        self.D = D
        pairs = np.concatenate([np.argwhere(D > 0), also]).astype(np.int32)
        self.tail, self.head = np.ascontiguousarray(pairs.T)
        self.w = D[self.tail, self.head].astype(np.float64)
        self.arc_of = np.full(D.shape, -1, dtype=np.int32)
        self.arc_of[self.tail, self.head] = np.arange(len(pairs))

    def short_cycles(self) -> CycleCuts:
        """Return the cuts to begin with: cycles of three."""
        triples = relaxation.three_cycles(self.tail, self.head, self.arc_of, MOST_TRIPLES)
        cuts = CycleCuts()
        cuts.add(np.arange(0, triples.size + 1, 3), triples.ravel(), np.ones(triples.size))
        return cuts


class OrderSearch(ABC):
    """Look for orders that cost at most ``limit`` until none is left to be found.

    Parameters
    ----------
    graph : Majorities
        What to order.
    cuts : CycleCuts
        Those known; they grow.
    limit : int
        Cost above which orders are of no interest; :meth:`accept` may lower it.
    deadline : float
        Reading of ``time.thread_time`` at which to stop.
    """

    def __init__(self, graph: Majorities, cuts: CycleCuts, limit: int, deadline: float) -> None:
        self.D, self.w, self.arc_of = graph.D, graph.w, graph.arc_of
        self.tail, self.head = graph.tail, graph.head
        self.cuts, self.limit, self.deadline = cuts, limit, deadline
        self._state = orders.seeded()
        self._balance = BALANCE / graph.w.mean()

    @abstractmethod
    def accept(self, order: Order, cost: int) -> None:
        """Take note of an order within the limit."""

    def has_nothing(self, node: Node) -> bool:
        """Tell whether a node has nothing to be found although it is not empty."""
        return False

    def run(self, root: Node, most_splits: int) -> list[Node]:
        """Search what a node holds; return the parts that were not finished."""
        stack = [root] if self.tighten(root, rounds=40, steps=200) else []
        splits = 0
        while stack and splits < most_splits and time.thread_time() < self.deadline:
            node = stack.pop()
            if node.bound <= self.limit + ROUNDING and not self.has_nothing(node):
                parts = self.branch(node)
                stack += parts
                splits += len(parts) > 1
        return stack

    def tighten(self, node: Node, rounds: int, steps: int) -> bool:
        """Raise the bound of a node; return whether it may still hold an order to be found."""
        for _ in range(rounds):
            last = node.bound
            if not self.advance(node, steps):
                return False
            self.round(node.x)
            fresh = self.separate(node.x)
            if (node.bound < last + 0.05 and fresh < 20) or time.thread_time() > self.deadline:
                break
        return node.bound <= self.limit + ROUNDING

    def advance(self, node: Node, steps: int) -> bool:
        """Solve the relaxation a little further and settle pairs; return as ``tighten`` does."""
        low = node.before[self.head, self.tail].astype(np.float64)
        high = 1.0 - node.before[self.tail, self.head]
        y = np.zeros(len(self.cuts))
        y[: len(node.y)] = node.y
        x = np.clip(node.x, low, high)
        active = (y > 0) | (relaxation.shortfall(*self.cuts.all(), x) > -SLACK)
        rows = self.cuts.some(active)
        x, prices = relaxation.primal_dual_steps(
            self.w, low, high, *rows, x, y[active], self._balance, steps
        )
        bound, left = relaxation.price(self.w, low, high, *rows, prices)
        y[:] = 0
        y[active] = prices
        node.x, node.y, node.bound = x, y, max(node.bound, bound)
        return node.bound <= self.limit + ROUNDING and self.settle(node, bound, left, low == high)

    def settle(self, node: Node, bound: float, left: Floats, done: NDArray[np.bool_]) -> bool:
        """Settle pairs whose price lifts the bound above the limit; False at a contradiction."""
        room = self.limit + ROUNDING - bound
        kept, turned = ~done & (left > room), ~done & (-left > room)
        if not (kept.any() or turned.any()):
            return True
        node.before[self.tail[kept], self.head[kept]] = True
        node.before[self.head[turned], self.tail[turned]] = True
        return bool(orders.close(node.before))

    def round(self, x: Floats) -> None:
        """Round x to an order and improve it; it may be one to be found."""
        order, cost = orders.search_orders(self.D, self.rounded(x), 20, 10, 15, self._state)
        if cost <= self.limit:
            self.accept(order, cost)

    def rounded(self, x: Floats) -> Order:
        """Return the order of the leads: in how many pairs each is ahead less behind, by x."""
        lead = np.bincount(self.tail, 1 - 2 * x, len(self.D))
        lead -= np.bincount(self.head, 1 - 2 * x, len(self.D))
        return np.argsort(-lead, kind="stable")

    def separate(self, x: Floats) -> int:
        """Add the cycles that x keeps whole; return how many are new."""
        length = np.full(self.D.shape, relaxation.FAR)
        # A trifle on each step prefers short cycles among equals.
        length[self.tail, self.head] = x + 1e-6
        length[self.head, self.tail] = 1 - x + 1e-6
        found = relaxation.violated_cycles(self.tail, self.head, length, self.arc_of, LEAST)
        return self.cuts.add(*found)

    def in_doubt(self, node: Node) -> Index:
        """Return the arcs not settled, those first that the relaxation cannot decide on."""
        done = node.before[self.tail, self.head] | node.before[self.head, self.tail]
        doubt = np.minimum(node.x, 1 - node.x) * np.sqrt(np.maximum(self.w, 1))
        ranked = np.argsort(-doubt, kind="stable")
        return np.asarray(ranked[~done[ranked]], dtype=np.int32)

    def branch(self, node: Node) -> list[Node]:
        """Split a node at the pair that lifts the bounds most; return what is left of it.

        A pair of which one side turns out to be empty is settled, and the node stays whole.
        """
        best, split, settled = -1.0, [node], False
        for arc in self.in_doubt(node)[:TRIALS]:
            pair = int(self.tail[arc]), int(self.head[arc])
            if node.before[pair] or node.before[pair[::-1]]:
                continue
            both = self.part(node, *pair), self.part(node, *pair[::-1])
            parts = [part for part in both if part is not None]
            if not parts:
                return []
            if len(parts) == 1:
                node, settled = parts[0], True
                continue
            lift, other = (max(part.bound - node.bound, 0.01) for part in parts)
            if lift * other > best:
                best, split = lift * other, parts
        if settled:
            split = [node]
        elif len(split) == 1:
            return self.finish(node)
        alive = [part for part in split if self.tighten(part, rounds=6, steps=120)]
        return sorted(alive, key=lambda part: -part.bound)

    def part(self, node: Node, first: int, second: int) -> Node | None:
        """Return the part of a node with ``first`` before ``second``, or None if it is empty."""
        before = node.before.copy()
        before[first, second] = True
        if not orders.close(before):
            return None
        part = Node(before, node.x, node.y, node.bound)
        return part if self.advance(part, steps=60) else None

    def finish(self, node: Node) -> list[Node]:
        """Look at the one order, up to open pairs, that is left where all pairs are settled."""
        order = np.argsort(-node.before.sum(axis=1), kind="stable")
        cost = orders.cost_of(self.D, order)
        if cost <= self.limit:
            self.accept(order, cost)
        return []


class LeastCost(OrderSearch):
    """Look for the best order."""

    def __init__(self, graph: Majorities, order: Order, cost: int, deadline: float) -> None:
        super().__init__(graph, graph.short_cycles(), cost - 1, deadline)
        self.order, self.cost = order, cost

    def accept(self, order: Order, cost: int) -> None:
        """Keep it, and look for better ones only."""
        self.order, self.cost, self.limit = order, cost, cost - 1
