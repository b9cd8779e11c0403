"""Which pairs the best orders of a component agree on, found and proven.

The best order is rarely the only one. A pair is

    open      if two best orders were found that disagree on it
    settled   if it is proven that none puts it the other way round
    neither   if all best orders found agree and the proof was given up

Orders that reverse the same majorities differ only where no chain of kept majorities leads from
one contestant to the other, so each best order found stands for many. More are found by drifting
over orders of equal cost. Proofs come from the prices of the relaxation, and, pair by pair, from a
search for a best order with the pair the other way round. Only pairs next to each other need
asking: the others follow by transitivity. A question is nearly always answered at once where the
bound is within 1 of the cost; where it is not, the search splits at the pair most in doubt first.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

import numpy as np

from qrja.rankers.kemeny.branch_and_bound import (
    ROUNDING,
    LeastCost,
    Majorities,
    Net,
    Node,
    Order,
    OrderSearch,
    Relation,
)
from qrja.rankers.kemeny.cycle_cuts import CycleCuts
from qrja.rankers.kemeny.kernels import orders

SWEEPS = 4000
"""Sweeps of the local search before anything is proven. On fields of 80 of the paper's set
Codeforces, 1000 find the best order as well; they are a small part of the time."""
VISITS = 1000
"""Sweeps over orders of the least cost; with 250, what they miss is left to the search, which takes
three times as long and gives some proofs up. 4000 gain nothing."""
ENDLESS = 10**9
MOST_UNANSWERED = 2
"""Pairs of a node that may be neither found turned nor settled before it is split: a question
without an answer costs as much as a split."""
TURNING = 400
"""Sweeps in search of an order with a pair turned."""
MOST_SPLITS = 100
"""Splits after which the proof is given up."""


@dataclass(frozen=True, eq=False)
class BestOrders:
    """The best orders of a component.

    Parameters
    ----------
    order : array of int
        One of them; the best one found, if a time limit struck.
    cost, bound : int
        What it costs, and what every order is proven to cost at least.
    always : array of bool
        ``always[a, b]``: a is before b in all best orders found.
    settled : array of bool
        ``settled[a, b]``: a is before b in all best orders.
    """

    order: Order
    cost: int
    bound: int
    always: Relation
    settled: Relation


class AgreementSearch(OrderSearch):
    """Look for best orders that disagree with those found so far.

    ``always`` holds what all agree on; a node in which all of it is settled has nothing new.
    """

    def __init__(
        self, graph: Majorities, cuts: CycleCuts, always: Relation, cost: int, deadline: float
    ) -> None:
        super().__init__(graph, cuts, cost, deadline)
        self.always = always
        self.neighbours = always & ~has_between(always)

    def accept(self, order: Order, cost: int) -> None:
        """Strike what does not hold in this order."""
        struck = self.always & ~orders.implied_by(self.D, order)
        if struck.any():
            self.always ^= struck
            self.neighbours = self.always & ~has_between(self.always)

    def has_nothing(self, node: Node) -> bool:
        """Tell whether all that is agreed on is settled."""
        return not (self.always & ~node.before).any()

    def branch(self, node: Node) -> list[Node]:
        """Ask for its pairs one by one while that answers; else split at the pair most in doubt."""
        if self.limit - node.bound >= 1:
            return super().branch(node)
        unanswered = np.zeros_like(self.always)
        while (asked := self.neighbours & ~node.before & ~unanswered).any():
            if time.thread_time() > self.deadline:
                return [node]
            heaviest = np.where(asked, self.D, -self.limit - 1).argmax()
            pair = divmod(int(heaviest), len(self.D))
            if self.may_turn(node, *pair):
                unanswered[pair] = True
                if unanswered.sum() == MOST_UNANSWERED:
                    break
            elif self.always[pair]:
                node.before[pair] = True
                if not orders.close(node.before):
                    return []
        return [] if self.has_nothing(node) else super().branch(node)

    def may_turn(self, node: Node, first: int, second: int) -> bool:
        """Tell whether a node may hold orders with a pair turned, none of which has been found.

        An order with the pair turned is looked for before its part is proven to be empty: where the
        pair is open after all, that is soon found.
        """
        turned = self.part(node, second, first)
        if turned is None:
            return False
        forced = self.D.copy()
        forced[second, first] += self.limit + 1
        forced[first, second] -= self.limit + 1
        order, _ = orders.search_orders(
            forced, self.rounded(turned.x), TURNING, 10, 15, self._state
        )
        cost = orders.cost_of(self.D, order)
        if cost <= self.limit:
            self.accept(order, cost)
        may_hold = self.always[first, second] and self.tighten(turned, rounds=6, steps=120)
        return bool(may_hold and self.always[first, second])


def best_orders(D: Net, deadline: float) -> BestOrders:
    """Find a best order, prove it, and tell what all best orders agree on.

    Examples
    --------
    >>> D = np.array([[0, 3, -1], [-3, 0, 1], [1, -1, 0]])      # a cycle: reverse either one
    >>> optimum = best_orders(D, deadline=float("inf"))
    >>> optimum.cost, optimum.bound, np.argwhere(optimum.settled).tolist()
    (1, 1, [[0, 1]])
    """
    graph = Majorities(D)
    guess = np.argsort(-np.sign(D).sum(axis=1), kind="stable")
    guess, cost = orders.search_orders(D, guess, SWEEPS, 10, 15, orders.seeded())
    search = LeastCost(graph, guess, cost, deadline)
    root = Node.of(graph)
    unfinished = search.run(root, ENDLESS)
    order, cost = search.order, search.cost
    bound = min([math.ceil(node.bound - ROUNDING) for node in unfinished], default=cost)
    always = orders.implied_by(D, order)
    orders.narrow(D, order, cost, always, VISITS, 5, orders.seeded())
    settled = np.zeros_like(always)
    if bound >= cost:
        start = Node(np.zeros_like(always), root.x, root.y)
        settled = agree(D, search.cuts, start, always, cost, deadline)
    return BestOrders(order, cost, min(bound, cost), always, settled)


def agree(
    D: Net, cuts: CycleCuts, start: Node, always: Relation, cost: int, deadline: float
) -> Relation:
    """Return the pairs on which all best orders are proven to agree.

    What best orders turn out not to agree on is struck from ``always``. Neighbours without a
    majority get an arc of weight 0, so that the relaxation can tell what turning them costs.
    """
    neighbours = always & ~has_between(always)
    graph = Majorities(D, np.argwhere(neighbours & (D == 0)))
    start.x = np.concatenate([start.x, np.zeros(len(graph.w) - len(start.x))])
    search = AgreementSearch(graph, cuts, always, cost, deadline)
    unfinished = search.run(start, MOST_SPLITS)
    settled = always.copy()
    for node in unfinished:
        settled &= node.before
    return settled


def has_between(relation: Relation) -> Relation:
    """Return the pairs of a transitive relation with somebody in between.

    Examples
    --------
    >>> has_between(np.array([[0, 1, 1], [0, 0, 1], [0, 0, 0]], dtype=bool))[0]
    array([False, False,  True])
    """
    as_numbers = relation.astype(np.float32)
    between: Relation = as_numbers @ as_numbers > 0
    return between
