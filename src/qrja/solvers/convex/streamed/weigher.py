"""What weighs scores of contests without their pairs: what any such proof needs and gives.

Scores are weighed against a flow that is known by formula. What it leaves at a candidate is
absorbed by the ridge, at ``miss^2 / (4 ridge)``, or travels along a tree: each way of weighing has
its own flow, and its own tree.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from qrja.data import Floats, Index, Offsets, graph
from qrja.laplacian import Neighbours, search_tree
from qrja.solvers.convex.streamed.stage import ContestStage


@dataclass(eq=False)
class Witness:
    """What gives the flow of all pairs by formula: residuals and turns of entries, per contest eps.

    ``extra`` is what the pairs of entries ``ends`` carry on top.
    """

    e: Floats
    turn: Floats
    eps: Floats
    unit: Floats
    steepest: Floats
    scale: Floats
    ends: tuple[Offsets, Offsets]
    extra: Floats


@dataclass(frozen=True, eq=False)
class Weighed:
    """Of each component, in its units: the loss, what may be saved of it, what rounding costs."""

    cost: Floats
    excess: Floats
    rounding: Floats
    witness: Witness


class Weigher(ABC):
    """Weighs scores against a flow."""

    def __init__(self, stage: ContestStage) -> None:
        self.stage = stage
        per_candidate = np.bincount(stage.who).max(initial=0)
        self.digits = 2.0**-52 * (float(stage.size.max(initial=0)) + float(per_candidate) + 8)

    @abstractmethod
    def weigh(self, x: Floats, e: Floats, turn: Floats, eps: Floats) -> Weighed:
        """Weigh scores x after a step from residuals e with a smoothing eps of each component."""

    @abstractmethod
    def flow(self, witness: Witness) -> Floats:
        """Write the flow of all pairs out, in units, for weights of 1."""

    def _steepest(self, unit: Floats) -> Floats:
        """Return the greatest slope of a pair, per contest, in units."""
        high = self.stage.loss.slopes[1]
        if not np.isfinite(high):
            return np.full(len(unit), 1e300)
        return np.asarray(high * unit ** (1 - self.stage.p))

    def _absorb(self, x: Floats, leak: Floats, doubt: Floats) -> Floats:
        """Let the ridge take up what leaves candidates; return what that costs components."""
        stage, ridge = self.stage, self.stage.ridge
        miss = np.abs(leak - 2 * ridge * stage.away(x)) + doubt
        price = np.divide(miss**2, 4 * ridge, out=np.zeros_like(miss), where=ridge > 0)
        return stage.of_candidates(price)

    def _span(self, n: int, start: Offsets, members: Index) -> tuple[Index, Index, Index]:
        """Return the parents of a forest, those who have one, and the group that joins them."""
        forest = graph.span_groups(n, start, members)
        edges = Neighbours.of(n, forest.one, forest.other, np.ones(len(forest.one)))
        parent = search_tree(edges, forest.label)
        up = parent[forest.one] == forest.other
        return parent, np.where(up, forest.one, forest.other), forest.group
