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

Huber's slopes end at delta, where nothing can be added. So they are made smaller by the share
``l = 2 max |phi| / delta``, and phi with them. With r for ``e_i - e_j``, of every pair that costs

    at most   l delta (|r| - delta)  where |r| > delta,   +  l^2 h^2 + d^2  -  (1 - l) d (r - h)

and the last, too, is summed over entries: ``d (r - h)`` is phi_i times what r has more than h.
"""

from __future__ import annotations

import numpy as np

from qrja.data import Floats, Index, Offsets, sum_by
from qrja.laplacian import subtree_sums
from qrja.solution import UNIT
from qrja.solvers.convex.streamed.stage import ContestStage
from qrja.solvers.convex.streamed.swept.near_sums import NearSums
from qrja.solvers.convex.streamed.swept.swept_sums import Measured, SweptSums
from qrja.solvers.convex.streamed.weigher import Weighed, Weigher, Witness


class SweptWeigher(Weigher):
    """Weighs scores against their own slopes; ``turn`` of its witnesses is phi."""

    def __init__(self, stage: ContestStage, sums: SweptSums | NearSums) -> None:
        super().__init__(stage)
        self.sums = sums
        # How exact the sums of a contest are they tell themselves.
        self.digits -= 2.0**-52 * float(stage.size.max(initial=0))
        self._paths: tuple[Index, Index, Offsets, Floats] | None = None

    def weigh(self, x: Floats, e: Floats, turn: Floats, eps: Floats) -> Weighed:
        """Weigh scores x, whatever step led to them."""
        stage = self.stage
        unit, moved = stage.of_contests(stage.unit), stage.residuals(x)
        found = self.sums.measure(moved, unit)
        leak = stage.by_candidate(found.slope)
        doubt = (found.error + self.digits) * stage.by_candidate(found.through)
        cost = stage.by_component(found.value)
        excess = found.error * stage.by_component(found.size) + 2.0**-53 * len(moved) * cost
        phi, every, steepest = np.zeros(len(moved)), np.ones(len(unit)), self._steepest(unit)
        scale = np.ones(stage.count + 1)
        if stage.demands.ridge > 0:
            excess = excess + self._absorb(x, leak, doubt)
            cost = cost + stage.of_candidates(stage.ridge * stage.away(x) ** 2)
        else:
            phi, unsure = self._pass_on(leak, doubt)
            if stage.loss.power is not None:
                excess = excess + self._price(moved, phi, unsure)
            else:
                scale, more = self._price_of_half_squares(moved, phi, unsure, found, cost)
                excess = excess + more
                phi = stage.of_contests(scale)[stage.contest] * phi
        excess[stage.count] = 0.0
        nobody = np.zeros(0, dtype=np.int64)
        scale = stage.of_contests(scale)
        witness = Witness(
            moved, phi, 0 * every, unit, steepest, scale, (nobody, nobody), np.zeros(0)
        )
        slip = UNIT * (np.abs(x[stage.who]) + np.abs(stage.score)) / unit[stage.contest]
        return Weighed(cost, excess, stage.by_component(found.through * slip), witness)

    def flow(self, witness: Witness) -> Floats:
        """Write the flow of all pairs out, in units, for weights of 1."""
        one, other = self.stage.folded.ends
        contest, loss = self.stage.contest[one], self.stage.loss
        unit = np.ones(len(one)) if loss.power else witness.unit[contest]
        slope = loss.slope(unit * (witness.e[one] - witness.e[other])) * unit ** (1 - self.stage.p)
        turn = witness.turn[one] - witness.turn[other]
        return np.asarray(witness.scale[contest] * slope + turn)

    def _pass_on(self, leak: Floats, doubt: Floats) -> tuple[Floats, Floats]:
        """Return phi, which mends a leak, and by how much it may be off; per entry."""
        stage = self.stage
        parent, child, entry, sign = self._find_paths()
        contests = np.zeros(len(stage.size))
        doubt = doubt + len(leak) * 2.0**-52 * np.abs(leak)
        below, unsure = (
            subtree_sums(np.concatenate([[0.0], contests, v]), parent)[child] for v in (leak, doubt)
        )
        # Slopes of pairs add up to 0: where nobody is anchored, what one side of the tree leaves
        # is what the other lacks, and the side that is surer tells.
        group = stage.group[stage.contest[entry]]
        every, doubted = (stage.of_candidates(v)[group] for v in (leak, doubt))
        rest = (1 + 2.0**-30) * doubted - unsure
        anchored = np.zeros(stage.count + 1, dtype=bool)
        anchored[stage.group[stage.contest[~stage.demands.free[stage.who]]]] = True
        turned = ~anchored[group] & (rest < unsure)
        below = np.where(turned, below - every, below)
        unsure = np.where(turned, rest, unsure)
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
            even = pairs * mean ** (0.5 * (1 + a))
            # Where few entries carry nearly all of it, ``|phi_i - phi_j|^(1 + a)`` is at most
            # ``2^a (|phi_i|^(1 + a) + |phi_j|^(1 + a))``.
            single = sum_by(contest, count * most ** (1 + a), size)
            few = 2**a * stage.weight * stage.entrants * single
            price = 2 ** (1 - a) / ((1 + a) * p**a) * np.minimum(even, few)
        return sum_by(stage.group, (1 + 2.0**-40) * price, stage.count + 1)

    def _price_of_half_squares(
        self, moved: Floats, phi: Floats, unsure: Floats, found: Measured, cost: Floats
    ) -> tuple[Floats, Floats]:
        """Return what slopes are made smaller by, and what that and mending cost at most."""
        stage, count, contest = self.stage, self.stage.folded.count, self.stage.contest
        assert isinstance(self.sums, NearSums)
        unit, size = stage.of_contests(stage.unit), len(stage.size)
        most = np.abs(phi) + unsure
        squares = stage.weight * stage.entrants * sum_by(contest, count * most**2, size)
        squares = sum_by(stage.group, squares, stage.count + 1)
        less = np.zeros(stage.count + 1)
        np.maximum.at(less, stage.group[contest], 2 * most / self._steepest(unit)[contest])
        total = sum_by(contest, count * moved, size)[contest]
        apart = stage.weight[contest] * count * (stage.entrants[contest] * moved - total)
        turned = stage.by_component(phi * (apart - found.slope))
        doubted = stage.by_component(
            unsure * np.abs(apart - found.slope)
            + most * (len(moved) * 2.0**-52 * np.abs(apart) + found.error * found.through)
        )
        beyond = stage.by_component(self.sums.beyond(moved, unit)) + found.error * cost
        price = less * beyond + 2 * less**2 * cost + squares - (1 - less) * turned + doubted
        return 1 - less, np.where(less > 1, np.inf, (1 + 2.0**-30) * np.maximum(price, 0.0))
