"""The proof for powers, without pairs: the flow is the slopes, and a little that mends them.

On the pair i, j of a contest, w and e in units, the flow is

    f_ij  =  w ( h(e_i - e_j) + phi_i - phi_j ),        h(t) = p |t|^(p - 1) sign t

The slopes h alone are worth exactly the loss, and leave at a candidate the gradient, which sweeps
find. With a ridge that is absorbed there. Without one, whoever has too much passes it on into a
contest, and whoever lacks it takes it out: along a tree whose nodes are candidates and contests,
z_i goes into a contest at entry i and the z of a contest add up to 0. Within it z is spread over
all pairs,

    phi_i = -z_i / (w M count_i),        M = sum of count,

which costs, d being phi_i - phi_j,

    p <= 2:   at most  d^2 / 2  times the curvature of the conjugate at the steepest slope
    p > 2:    at most  2^(1 - a) |d|^(1 + a) / ((1 + a) p^a),  a = 1 / (p - 1)     (Hoelder)

of every pair, and sums of d^2 over pairs need only ``M sum count phi^2``. Sums that may be off by
some are carried along the tree to either side.
"""

from __future__ import annotations

import numpy as np

from qrja.data import Floats, Index, Offsets, sum_by
from qrja.laplacian import subtree_sums
from qrja.solution import UNIT
from qrja.solvers.convex.streamed.stage import ContestStage
from qrja.solvers.convex.streamed.swept.swept_sums import SweptSums
from qrja.solvers.convex.streamed.weigher import Weighed, Weigher, Witness


class SweptWeigher(Weigher):
    """Weighs scores against their own slopes; ``turn`` of its witnesses is phi."""

    def __init__(self, stage: ContestStage, sums: SweptSums) -> None:
        super().__init__(stage)
        self.sums = sums
        self._paths: tuple[Index, Index, Offsets, Floats] | None = None

    def weigh(self, x: Floats, e: Floats, turn: Floats, eps: Floats) -> Weighed:
        """Weigh scores x, whatever step led to them."""
        stage = self.stage
        unit, moved = stage.of_contests(stage.unit), stage.residuals(x)
        found = self.sums.measure(moved)
        leak = stage.by_candidate(found.slope)
        doubt = (found.error + self.digits) * stage.by_candidate(found.through)
        cost = stage.by_component(found.value)
        excess = (found.error + 2.0**-53 * len(moved)) * cost
        phi = np.zeros(len(moved))
        if stage.demands.ridge > 0:
            excess = excess + self._absorb(x, leak, doubt)
            cost = cost + stage.of_candidates(stage.ridge * stage.away(x) ** 2)
        else:
            phi, unsure = self._pass_on(leak, doubt)
            excess = excess + self._price(moved, phi, unsure)
        excess[stage.count] = 0.0
        nobody = np.zeros(0, dtype=np.int64)
        every = np.ones(len(unit))
        witness = Witness(
            moved, phi, 0 * every, unit, 1e300 * every, every, (nobody, nobody), np.zeros(0)
        )
        slip = UNIT * (np.abs(x[stage.who]) + np.abs(stage.score)) / unit[stage.contest]
        return Weighed(cost, excess, stage.by_component(found.through * slip), witness)

    def flow(self, witness: Witness) -> Floats:
        """Write the flow of all pairs out, in units, for weights of 1."""
        one, other = self.stage.folded.ends
        slope = self.stage.loss.slope(witness.e[one] - witness.e[other])
        return np.asarray(slope + (witness.turn[one] - witness.turn[other]))

    def _pass_on(self, leak: Floats, doubt: Floats) -> tuple[Floats, Floats]:
        """Return phi, which mends a leak, and by how much it may be off; per entry."""
        stage = self.stage
        parent, child, entry, sign = self._find_paths()
        contests = np.zeros(len(stage.size))
        below, unsure = (
            subtree_sums(np.concatenate([[0.0], contests, v]), parent)[child] for v in (leak, doubt)
        )
        phi, off = np.zeros(len(stage.who)), np.zeros(len(stage.who))
        phi[entry], off[entry] = -sign * below, unsure
        mass = (stage.weight * stage.entrants)[stage.contest] * stage.folded.count
        return phi / mass, off / mass

    def _find_paths(self) -> tuple[Index, Index, Offsets, Floats]:
        """Return parents, those who have one, the entry that joins them, 1 for candidates below.

        Node 0 is whoever is anchored, then come contests and then candidates, who join the lower
        number. Entries of large and heavy contests are last: of several the last one is taken.
        """
        if self._paths is None:
            stage = self.stage
            free, first = stage.demands.free[stage.who], 1 + len(stage.size)
            node = np.where(free, first + stage.who, 0).astype(np.int32)
            strength = stage.weight * stage.entrants
            entry = np.argsort(strength[stage.contest], kind="stable")
            members = np.stack([node[entry], 1 + stage.contest[entry]], axis=1).ravel()
            pairs = np.arange(0, len(members) + 1, 2)
            parent, child, pair = self._span(first + stage.problem.n, pairs, members)
            self._paths = parent, child, entry[pair], np.where(child < first, -1.0, 1.0)
        return self._paths

    def _price(self, moved: Floats, phi: Floats, unsure: Floats) -> Floats:
        """Return what mending costs at most, per component."""
        stage, p = self.stage, self.stage.p
        size, contest, count = len(stage.size), stage.contest, stage.folded.count
        most = np.abs(phi) + unsure
        squares = stage.weight * stage.entrants * sum_by(contest, count * most**2, size)
        longest, steepest = np.zeros(size), np.zeros(size)
        # Centred, they reach to either side of 0.
        np.maximum.at(longest, contest, 2 * np.abs(moved))
        np.maximum.at(steepest, contest, 2 * most)
        if p <= 2:
            slope = longest ** (p - 1) + steepest / p
            price = squares / (2 * p * (p - 1)) * slope ** ((2 - p) / (p - 1))
        else:
            a = 1 / (p - 1)
            pairs = 0.5 * stage.weight * stage.entrants**2
            mean = np.divide(squares, pairs, out=np.zeros(size), where=pairs > 0)
            price = 2 ** (1 - a) / ((1 + a) * p**a) * pairs * mean ** (0.5 * (1 + a))
        return sum_by(stage.group, (1 + 2.0**-40) * price, stage.count + 1)
