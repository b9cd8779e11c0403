"""A flow that conserves: what turns the flow of an inexact solution into a proof.

What is left of the flow at the nodes is sent over a spanning forest of the heaviest pairs, those on
which a change of flow costs least.
"""

from __future__ import annotations

from qrja.data import Floats
from qrja.laplacian.network.kernels import forests
from qrja.laplacian.network.reweighted import Laplacian


def balance(laplacian: Laplacian, weight: Floats, flow: Floats) -> Floats:
    """Return the flow with its imbalance sent over the heaviest spanning forest."""
    block, pairs = laplacian.block, laplacian.pairs
    conductance = laplacian.conductance(weight)
    forest = forests.heaviest_forest(block.n, pairs.low, pairs.high, conductance)
    order, parent, pair = forests.root_forest(block.n, pairs.low, pairs.high, forest)
    arc = forests.heaviest_arcs(pairs.of, weight, len(pairs.low))[pair]
    flow = flow.copy()
    # Once for the imbalance, once for the rounding of the first time.
    for _ in range(2):
        forests.drain(order, parent, arc, block.a, block.imbalance(flow), flow)
    return flow
