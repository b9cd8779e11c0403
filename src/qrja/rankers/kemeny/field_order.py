"""The best orders of a field, put together from those of its components.

Where no cycle of majorities runs through a pair, its majority is never reversed. So the strongly
connected components can be ordered one by one, and their costs add up. What best orders agree on
does not add up so simply: two contestants of different components may be ordered through a third
component, by a chain that differs from one of its best orders to the next. Chains of pairs settled
within and majorities between components settle most pairs; the rest is asked of the whole field.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse.csgraph import connected_components

from qrja.data import Floats, Index
from qrja.rankers.kemeny.agreement import VISITS, BestOrders, agree, best_orders
from qrja.rankers.kemeny.branch_and_bound import Majorities, Net, Node, Order
from qrja.rankers.kemeny.kernels import orders


def order_field(D: Net, deadline: float) -> BestOrders:
    """Return the best orders of a field of any size, connected or not.

    Examples
    --------
    >>> D = np.array([[0, 1, 0], [-1, 0, 2], [0, -2, 0]])
    >>> best = order_field(D, deadline=float("inf"))
    >>> best.order.tolist(), best.cost, bool(best.settled[0, 2])
    ([0, 1, 2], 0, True)
    """
    n = len(D)
    if n < 2:
        nothing = np.zeros((n, n), dtype=np.bool_)
        return BestOrders(np.arange(n, dtype=np.int32), 0, 0, nothing, nothing)
    _, label = connected_components((D > 0).astype(np.int8), connection="strong")
    across = label[:, None] != label[None, :]
    settled, agreed = across & (D > 0), across.copy()
    cost = bound = 0
    rank = np.zeros(n)
    for component in np.flatnonzero(np.bincount(label) > 1):
        inside = np.flatnonzero(label == component)
        square = np.ix_(inside, inside)
        best = best_orders(np.ascontiguousarray(D[square]), deadline)
        settled[square], agreed[square] = best.settled, best.always
        rank[inside[best.order]] = np.arange(len(inside))
        cost, bound = cost + best.cost, bound + best.bound
    orders.close(settled)
    order = join(D, label, rank)
    always = orders.implied_by(D, order) & agreed
    orders.narrow(D, order, cost, always, VISITS, 5, orders.seeded())
    doubtful = always & ~settled
    if bound == cost and doubtful.any() and not doubtful[~across].any():
        cuts = Majorities(D).short_cycles()
        settled |= agree(D, cuts, Node(settled, np.zeros(0), np.zeros(0)), always, cost, deadline)
    return BestOrders(order, cost, bound, always, settled & always)


def join(D: Net, label: Index, rank: Floats) -> Order:
    """Order all by component and, within each, by rank.

    Who has more contestants down the chains of majorities comes first, oneself included: whoever
    leads to a component has all of it and oneself besides. Those of one component have equally
    many, and so come together.

    Examples
    --------
    >>> D = np.array([[0, -1, 1], [1, 0, 0], [-1, 0, 0]])
    >>> join(D, np.array([1, 0, 2]), np.zeros(3))
    array([1, 0, 2])
    """
    reach = D > 0
    orders.close(reach)
    np.fill_diagonal(reach, True)
    return np.lexsort((rank, label, -reach.sum(axis=1)))
