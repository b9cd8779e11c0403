"""The proof without pairs: the flow of a Newton step is known by formula, and so is its price.

On the pair i, j of a contest the flow is

    f_ij  =  w ( slope(e_i - e_j) + curvature(e_i - e_j) (turn_i - turn_j) )

with e and turn, one number per entry, of the last step: whoever has these two vectors has the flow
of all pairs. It leaves at a candidate what the linear solver left, computed afresh. With a ridge
that is absorbed there, at ``miss^2 / (4 ridge)``. Without one it is sent along a spanning tree
whose edges are pairs of contests, one per candidate: these few pairs carry their share on top, and
their terms are weighed anew. All terms are at least 0 (Fenchel and Young), so nothing cancels.

Rounding is counted in: a sum of k terms is trusted to k units in the last place of their size, the
tree carries that too, to either side, and every term is taken ``HIDDEN`` of its parts larger.
"""

from __future__ import annotations

import numpy as np

from qrja.data import Floats, Index, Offsets, sum_by
from qrja.laplacian import is_uneven, subtree_sums
from qrja.solution import UNIT
from qrja.solvers.convex.streamed.pair_blocks import PairBlocks
from qrja.solvers.convex.streamed.pair_sums import PairSums
from qrja.solvers.convex.streamed.stage import ContestStage, find_entries
from qrja.solvers.convex.streamed.weigher import Weighed, Weigher, Witness

HIDDEN = 2.0**-45
"""Share of its parts that rounding may hide in a term: powers are exact to ``2^-50 (2 + |t|)`` for
results of size ``2^t``."""
TRIES = 3
"""How often a flow is made smaller that passes the slopes of a bounded loss."""


class PairWeigher(Weigher):
    """Weighs scores against the flow of the step that led to them."""

    def __init__(self, stage: ContestStage, sums: PairSums | PairBlocks) -> None:
        super().__init__(stage)
        self.sums = sums
        self.exactly = PairBlocks(stage.start, stage.folded.count, stage.weight, stage.loss)
        self._tree: tuple[Index, Index, Offsets, Offsets] | None = None

    def weigh(self, x: Floats, e: Floats, turn: Floats, eps: Floats) -> Weighed:
        """Weigh scores x after a step from residuals e with a smoothing eps of each component."""
        stage = self.stage
        unit, moved = stage.of_contests(stage.unit), stage.residuals(x)
        steepest = self._steepest(unit)
        scale = np.ones(stage.count + 1)
        for _ in range(TRIES):
            found = self.sums.shortfalls(
                e,
                turn,
                moved,
                stage.of_contests(eps),
                unit,
                steepest,
                stage.of_contests(scale),
            )
            witness = Witness(
                e,
                turn,
                stage.of_contests(eps),
                unit,
                steepest,
                stage.of_contests(scale),
                (np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)),
                np.zeros(0),
            )
            leak = stage.by_candidate(found.leaving)
            doubt = self.digits * stage.by_candidate(found.through)
            cost = stage.by_component(found.value)
            excess = stage.by_component(found.excess) + HIDDEN * stage.by_component(found.size)
            if stage.demands.ridge > 0:
                more, over = self._absorb(x, leak, doubt), np.zeros(stage.count + 1)
                cost = cost + stage.of_candidates(stage.ridge * stage.away(x) ** 2)
            else:
                more, over = self._route(moved, leak, doubt, witness)
            if not (over > 1).any():
                break
            scale = np.where(over > 1, scale / (over * (1 + 1e-12)), scale)
        excess = np.where(over > 1, np.inf, excess + more)
        # Those that nobody can move pay what they pay.
        excess[stage.count] = 0.0
        slip = UNIT * (np.abs(x[stage.who]) + np.abs(stage.score)) / unit[stage.contest]
        return Weighed(cost, excess, stage.by_component(found.through * slip), witness)

    def flow(self, witness: Witness) -> Floats:
        """Write the flow of all pairs out, in units, for weights of 1."""
        stage = self.stage
        one, other = stage.folded.ends
        contest = stage.contest[one]
        flow = self.exactly.flow(
            witness.e[one] - witness.e[other],
            witness.turn[one] - witness.turn[other],
            witness.eps[contest],
            witness.unit[contest],
            witness.steepest[contest],
            witness.scale[contest],
        )
        low, high = np.minimum(*witness.ends), np.maximum(*witness.ends)
        first, size = stage.start[contest_of := stage.contest[low]], stage.size[contest_of]
        before = np.concatenate([[0], np.cumsum(stage.size * (stage.size - 1) // 2)])[contest_of]
        i, j = low - first, high - first
        pair = before + i * (2 * size - i - 1) // 2 + (j - i - 1)
        np.add.at(flow, pair, np.where(witness.ends[0] == low, 1.0, -1.0) * witness.extra)
        return flow

    def _route(
        self, moved: Floats, leak: Floats, doubt: Floats, witness: Witness
    ) -> tuple[Floats, Floats]:
        """Send what leaves candidates along a tree; return its price, and the overshoot of slopes.

        Both are per component; the witness is told what the pairs of the tree carry.
        """
        stage, count = self.stage, self.stage.folded.count
        parent, child, one, other = self._find_tree(witness.e)
        below, unsure = (subtree_sums(np.append(0.0, v), parent)[child] for v in (leak, doubt))
        contest = stage.contest[one]
        mass = stage.weight[contest] * count[one] * count[other]
        unit, most = witness.unit[contest], witness.steepest[contest]
        flow = self.exactly.flow(
            witness.e[one] - witness.e[other],
            witness.turn[one] - witness.turn[other],
            witness.eps[contest],
            unit,
            most,
            witness.scale[contest],
        )
        r = moved[one] - moved[other]
        extra, doubted = -below / mass, np.abs(unsure / mass) + 1e-300
        witness.ends, witness.extra = (one, other), extra
        group = stage.group[contest]
        over = np.zeros(stage.count + 1)
        np.maximum.at(over, group, (np.abs(flow + extra) + doubted) / most)

        def term(carried: Floats) -> Floats:
            value, star = self.exactly.value_and_conjugate(r, np.clip(carried, -most, most), unit)
            parts = value + star + np.abs(carried * r)
            return np.asarray(np.maximum(value + star - carried * r, 0.0) + HIDDEN * parts)

        worst = np.maximum(term(flow + extra + doubted), term(flow + extra - doubted))
        # What these pairs cost without it has been counted; it is at least 0 and stays there.
        return sum_by(group, mass * worst, stage.count + 1), over

    def _find_tree(self, e: Floats) -> tuple[Index, Index, Offsets, Offsets]:
        """Return parents, those who have one, and the entries of child and parent in a contest.

        Node 0 is whoever is anchored, candidate v is node v + 1. Pairs of a bounded loss that are
        far apart carry all they can: there neighbours in the order of residuals are joined.
        """
        if self._tree is None:
            stage = self.stage
            node = np.where(stage.demands.free[stage.who], stage.who + 1, 0).astype(np.int32)
            bounded = np.isfinite(stage.loss.slopes[1])
            self._tree = self._span_neighbours(node, e) if bounded else self._span_contests(node)
        return self._tree

    def _span_neighbours(self, node: Index, e: Floats) -> tuple[Index, Index, Offsets, Offsets]:
        stage = self.stage
        order = np.lexsort((e, stage.contest))
        joined = stage.contest[order[:-1]] == stage.contest[order[1:]]
        one, other = order[:-1][joined], order[1:][joined]
        if is_uneven(stage.weight):
            heavy_last = np.argsort(stage.weight[stage.contest[one]], kind="stable")
            one, other = one[heavy_last], other[heavy_last]
        members = node[np.stack([one, other], axis=1).ravel()]
        pairs = np.arange(0, len(members) + 1, 2)
        parent, child, pair = self._span(stage.problem.n + 1, pairs, members)
        one, other = one[pair], other[pair]
        turned = node[one] != child
        return parent, child, np.where(turned, other, one), np.where(turned, one, other)

    def _span_contests(self, node: Index) -> tuple[Index, Index, Offsets, Offsets]:
        stage = self.stage
        start, members, contests = stage.start, node, np.arange(len(stage.size))
        if is_uneven(stage.weight):
            # Of several ways to join two parts the last one is taken: the heaviest contest.
            contests = np.argsort(stage.weight, kind="stable")
            sizes = stage.size[contests]
            start = np.concatenate([[0], np.cumsum(sizes)])
            shift = np.repeat(stage.start[contests] - start[:-1], sizes)
            members = node[np.arange(len(node)) + shift]
        parent, child, group = self._span(stage.problem.n + 1, start, members)
        one, other = (
            find_entries(stage.start, node, contests[group], sought)
            for sought in (child, parent[child])
        )
        return parent, child, one, other
