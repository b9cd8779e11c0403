"""Losses with kinks on small problems, in fractions: whatever the scales, nothing is rounded.

Judgments whose residual stands at a kink tie their candidates together; the others pull with the
slope of the piece that their residual is on. So the loss, and a ridge with it, is minimised by

1. moving a group of candidates tied together to where its pulls add up to 0, or to the first
   residual on the way that reaches a kink: it ties two groups;
2. where all groups rest, the flow in the ties follows from conservation: the tie that would have
   to carry most beyond the slopes on either side of its kink is cut.

Every move lowers the loss. That none ties a circle is what a perturbation of the margins, far
below anything a float could show, is for. A problem of a hundred judgments takes some tenths of a
second, so this is for those on which floats have failed.

From far away a smooth loss of bounded slopes, such as Huber's, looks like two lines that meet at 0,
and is solved as if it were: where margins are so large that floats failed, nobody could tell.

References
----------
R. Fletcher, Practical Methods of Optimization, chapters 8 and 10, 1987.
"""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np

from qrja.data import Floats, Judgments
from qrja.losses import KnownLoss
from qrja.solution import Demands

MOVES = 60
"""Moves allowed for each judgment and candidate; two or three are needed."""
SHAKEN = 2.0**-200
"""Share of the margins that a perturbation takes at most."""


class ActiveSet:
    """Where the candidates stand, which judgments tie them, and on which piece the others are.

    Examples
    --------
    >>> from qrja.losses import Pinball
    >>> j = Judgments.from_arrays("aa", "bb", [1.0, 70.0], [1e18, 1.0])
    >>> demands = Demands(0.0, np.zeros(2), np.ones(2, dtype=bool))
    >>> x, flow = ActiveSet(j, Pinball(0.3), demands, np.zeros(2)).solve()
    >>> x[0] - x[1], flow
    (np.float64(1.0), array([-0.3,  0.3]))
    """

    def __init__(
        self, problem: Judgments, loss: KnownLoss, demands: Demands, start: Floats
    ) -> None:
        self.problem, self.ridge, n = problem, Fraction(demands.ridge), problem.n
        fixed = [Fraction(v) if not f else Fraction(0) for v, f in _pairs(demands)]
        # All anchored candidates are the ground, node n, of score 0.
        node = [v if free else n for v, free in enumerate(demands.free.tolist())]
        ends = problem.a.tolist(), problem.b.tolist()
        self.a, self.b = ([node[v] for v in side] for side in ends)
        shake = _perturbation(problem)
        self.y = [
            Fraction(y) - fixed[a] + fixed[b] + more
            for y, a, b, more in zip(problem.y.tolist(), *ends, shake, strict=True)
        ]
        self.w = [Fraction(w) for w in problem.w.tolist()]
        self.fixed, self.free = fixed, demands.free.tolist()
        self.goal = [Fraction(v) for v in demands.goal.tolist()] + [Fraction(0)]
        self.x = [Fraction(v) for v in np.where(demands.free, start, 0.0).tolist()]
        self.x += [Fraction(0)]
        jumps = _jumps(loss)
        self.kinks, self.slopes = [at for at, _ in jumps], [Fraction(loss.slopes[0])]
        for _, jump in jumps:
            self.slopes.append(self.slopes[-1] + jump)
        self.piece = [sum(r > at for at in self.kinks) for r in map(self._residual, self._arcs())]
        self.tied: dict[int, int] = {}
        self.arcs_of: list[list[int]] = [[] for _ in range(n + 1)]
        for i in self._arcs():
            if self.a[i] != self.b[i]:
                self.arcs_of[self.a[i]].append(i)
                self.arcs_of[self.b[i]].append(i)

    def solve(self) -> tuple[Floats, Floats] | None:
        """Return the scores and the flow of each judgment, or None if it takes too long."""
        for _ in range(MOVES * (len(self.a) + len(self.x))):
            order, parent, group = self._groups()
            pull = self._pulls()
            if self._move(order, group, pull):
                continue
            flow = self._flow(order, parent, pull)
            if not self._cut(flow):
                x = [float(v) for v in self._settled()]
                return np.array(x), np.array([float(v) for v in flow])
        return None

    def _settled(self) -> list[Fraction]:
        """Return the scores, of mean 0 in components that have neither ridge nor anchor."""
        x = [x + f for x, f in zip(self.x, self.fixed, strict=False)]
        if self.ridge:
            return x
        label = self.problem.components.tolist()
        held = {c for c, free in zip(label, self.free, strict=True) if not free}
        for c in set(label) - held:
            members = [v for v, other in enumerate(label) if other == c]
            mean = sum((x[v] for v in members), Fraction(0)) / len(members)
            for v in members:
                x[v] -= mean
        return x

    def _arcs(self) -> range:
        return range(len(self.a))

    def _residual(self, i: int) -> Fraction:
        residual: Fraction = self.y[i] - (self.x[self.a[i]] - self.x[self.b[i]])
        return residual

    def _groups(self) -> tuple[list[int], list[int], list[int]]:
        """Return the nodes in an order from the roots down, the tie above each, and its group."""
        size = len(self.x)
        order, parent, group = [], [-1] * size, [-1] * size
        for root in [size - 1, *range(size - 1)]:
            if group[root] >= 0:
                continue
            group[root], walk = root, [root]
            for v in walk:
                for i in self.arcs_of[v]:
                    other = self.b[i] if self.a[i] == v else self.a[i]
                    if i in self.tied and group[other] < 0:
                        group[other], parent[other] = root, i
                        walk.append(other)
            order += walk
        return order, parent, group

    def _pulls(self) -> list[Fraction]:
        """Return the slope of the loss in the score of each node, ties left out."""
        pull = [Fraction(0)] * len(self.x)
        for v, free in enumerate(self.free):
            if free:
                pull[v] = 2 * self.ridge * (self.x[v] - self.goal[v])
        for i in self._arcs():
            if i not in self.tied:
                f = self.w[i] * self.slopes[self.piece[i]]
                pull[self.a[i]] -= f
                pull[self.b[i]] += f
        return pull

    def _move(self, order: list[int], group: list[int], pull: list[Fraction]) -> bool:
        """Move the first group that does not rest; tell whether there was one."""
        total: dict[int, Fraction] = {}
        members: dict[int, list[int]] = {}
        for v in order:
            total[group[v]] = total.get(group[v], Fraction(0)) + pull[v]
            members.setdefault(group[v], []).append(v)
        ground = len(self.x) - 1
        moving = next((c for c, g in total.items() if g and c != ground), None)
        if moving is None:
            return False
        up, inside = total[moving] < 0, set(members[moving])
        room = abs(total[moving]) / (2 * self.ridge * len(inside)) if self.ridge else None
        room, tie = self._reach(inside, up, room)
        for v in inside:
            self.x[v] += room if up else -room
        if tie is not None:
            self.tied[tie[0]] = tie[1]
        return True

    def _reach(
        self, inside: set[int], up: bool, room: Fraction | None
    ) -> tuple[Fraction, tuple[int, int] | None]:
        """Return how far a group can go, at most ``room``, and the judgment and kink it meets."""
        tie = None
        for v in inside:
            for i in self.arcs_of[v]:
                other = self.b[i] if self.a[i] == v else self.a[i]
                if other in inside:
                    continue
                falls = (self.a[i] == v) == up
                kink = self.piece[i] - 1 if falls else self.piece[i]
                if not 0 <= kink < len(self.kinks):
                    continue
                distance = abs(self._residual(i) - self.kinks[kink])
                if room is None or distance < room:
                    room, tie = distance, (i, kink)
        assert room is not None  # a convex loss of at least 0 has no way down without an end
        return room, tie

    def _flow(self, order: list[int], parent: list[int], pull: list[Fraction]) -> list[Fraction]:
        """Return the flow of every judgment; that of ties follows from conservation."""
        flow = [self.w[i] * self.slopes[self.piece[i]] for i in self._arcs()]
        left = list(pull)
        for v in reversed(order):
            i = parent[v]
            if i >= 0:
                is_first = self.a[i] == v
                flow[i] = left[v] if is_first else -left[v]
                left[self.b[i] if is_first else self.a[i]] += left[v]
        return flow

    def _cut(self, flow: list[Fraction]) -> bool:
        """Cut the tie that carries most beyond what it may; tell whether there was one."""
        worst, most = None, Fraction(0)
        for i, kink in self.tied.items():
            low, high = self.w[i] * self.slopes[kink], self.w[i] * self.slopes[kink + 1]
            beyond = max(flow[i] - high, low - flow[i])
            if beyond > most:
                worst, most = i, beyond
        if worst is None:
            return False
        kink = self.tied.pop(worst)
        self.piece[worst] = kink + (flow[worst] > self.w[worst] * self.slopes[kink + 1])
        return True


def _jumps(loss: KnownLoss) -> list[tuple[Fraction, Fraction]]:
    """Return where the slope jumps, and by how much; a smooth loss as it looks from afar."""
    if loss.kinks:
        return sorted((Fraction(at), Fraction(jump)) for at, jump in loss.kinks)
    low, high = map(Fraction, loss.slopes)
    return [(Fraction(0), high - low)]


def _pairs(demands: Demands) -> list[tuple[float, bool]]:
    return list(zip(demands.goal.tolist(), demands.free.tolist(), strict=True))


def _perturbation(problem: Judgments) -> list[Fraction]:
    """Return numbers far below the last digit of any margin, all different."""
    dice = random.Random(problem.m)
    sizes = [abs(y) for y in problem.y.tolist() if y]
    scale = Fraction(min(sizes, default=1.0)) * Fraction(SHAKEN)
    return [scale * Fraction(dice.random()) for _ in range(problem.m)]
