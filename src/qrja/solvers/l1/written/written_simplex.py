"""The dual simplex in x-space with every pair written out, a pivot being operations on arrays.

The same walk as :mod:`qrja.solvers.l1.kernels.pivot`, with a pair of judgments for every pair of a
contest: a tree pair that carries too much leaves, one side of it moves, past pairs that turn their
pull, to the one that uses the excess up. Pairs are perturbed by pseudo-random numbers of their own,
so no two are ever met at once. Trees that want to move as a whole go first: each leaves one less.
"""

from __future__ import annotations

import numpy as np

from qrja.data import Floats, Index, Offsets, grown, pairs_within
from qrja.solvers.l1.driver import OutOfRangeError, Progress
from qrja.solvers.l1.grid import Integers
from qrja.solvers.l1.written.written_forest import WrittenForest

MOST_PAIRS = 60_000
"""40 contests of 50 have 49,000: beyond, loops over contests are as fast, interpreted."""
MOST_NODES = 400
"""The table of who hangs on whom has a column for each."""
MOST_WEIGHT = 2.0**52
"""Sums of weights are added up as floats, which are exact below this."""
LIMIT = 1 << 60
NEAR = 32
"""Pairs among which the one that enters is looked for at first: the nearest so many."""


def written_fits(contestants: int, sizes: Offsets, weight: Integers) -> bool:
    """Tell whether contests are few enough, and what their pairs weigh."""
    pairs = sizes * (sizes - 1) // 2
    return bool(
        contestants <= MOST_NODES
        and pairs.sum() <= MOST_PAIRS
        and (pairs * weight.astype(np.float64)).sum() < MOST_WEIGHT
    )


class WrittenSimplex:
    """What :class:`~qrja.solvers.l1.contest_simplex.ContestSimplex` is, for few; see above.

    Every contestant is a node of its own, by its number.
    """

    def __init__(self, begin: Integers | None = None) -> None:
        self.written = WrittenForest()
        self.node_count = self.rows = self.size = self.pivots = 0
        self.contest_count = 0
        self.hi, self.lo = np.zeros(0, np.int64), np.zeros(0, np.int64)
        self.is_known = np.zeros(0, bool)
        # Of pairs: their ends, as nodes and as rows, margin, weight and the sign of the residual.
        self.a, self.b = np.zeros(0, np.int64), np.zeros(0, np.int64)
        self.row_a, self.row_b = np.zeros(0, np.int64), np.zeros(0, np.int64)
        self.y_hi, self.y_lo = np.zeros(0, np.int64), np.zeros(0, np.int64)
        self.w, self.sign = np.zeros(0), np.zeros(0, np.int64)
        # Of rows: contestant, score, contest.
        self.who, self.score = np.zeros(0, np.int64), np.zeros(0, np.int64)
        self.field = np.zeros(0, np.int64)
        self._pairs_of: list[list[Offsets]] = []
        self._rng = np.random.default_rng(0)
        if begin is not None:
            self._meet(len(begin))
            self.hi[: len(begin)], self.is_known[:] = begin, True

    @property
    def node_of(self) -> Index:
        """The node of each contestant: itself, or -1 of one never seen."""
        return np.where(self.is_known, np.arange(self.node_count), -1).astype(np.int32)

    @property
    def offset(self) -> Integers:
        """What contestants are above their nodes."""
        return np.zeros(self.node_count, np.int64)

    @property
    def node_scores(self) -> Integers:
        """The score of each node."""
        return self.hi[: self.node_count]

    # ------------------------------------------------------------------ contests enter

    def extend(self, sizes: Offsets, who: Index, score: Integers, weight: Integers) -> None:
        """Append contests: their sizes, contestants, scores, and what a pair of each weighs."""
        self._meet(max(int(who.max(initial=-1)) + 1, self.node_count))
        entrant: Offsets = who.astype(np.int64)
        self._place(sizes, entrant, score)
        first, self.rows = self.rows, self.rows + len(entrant)
        field = self.contest_count + np.repeat(np.arange(len(sizes)), sizes)
        self.contest_count += len(sizes)
        for name, values in {"who": entrant, "score": score, "field": field}.items():
            table = grown(getattr(self, name), self.rows)
            table[first : self.rows] = values
            setattr(self, name, table)
        one, other = pairs_within(sizes)
        pair = np.repeat(weight, sizes).astype(np.float64)[one]
        self._add_pairs(first + one, first + other, pair)

    def _meet(self, n: int) -> None:
        self.written.meet(n)
        self.hi, self.lo = grown(self.hi, n), grown(self.lo, n)
        self.is_known = grown(self.is_known, n)[:n]
        self._pairs_of += [[] for _ in range(self.node_count, n)]
        self.node_count = n

    def _place(self, sizes: Offsets, who: Offsets, score: Integers) -> None:
        """Give newcomers their first scores, contest by contest."""
        if self.is_known[who].all():
            return
        for rows in np.split(np.arange(len(who)), np.cumsum(sizes)[:-1]):
            mine, value = who[rows], score[rows]
            known = self.is_known[mine]
            residual = self.hi[mine] - value
            level = np.sort(residual[known])[known.sum() // 2] if known.any() else 0
            self.hi[mine[~known]] = value[~known] + level
            self.is_known[mine] = True

    def _add_pairs(self, one: Offsets, other: Offsets, weight: Floats) -> None:
        new = slice(self.size, self.size + len(one))
        self.size = new.stop
        a, b = self.who[one], self.who[other]
        y_hi = self.score[one] - self.score[other]
        y_lo = self._rng.integers(-(1 << 40), 1 << 40, len(one))
        over = self.hi[a] - self.hi[b] - y_hi
        below = self.lo[a] - self.lo[b] - y_lo
        sign = np.where(over != 0, np.sign(over), np.sign(below))
        sign[sign == 0] = 1
        columns = {"a": a, "b": b, "row_a": one, "row_b": other, "y_hi": y_hi, "y_lo": y_lo}
        for name, values in {**columns, "w": weight, "sign": sign}.items():
            table = grown(getattr(self, name), self.size)
            table[new] = values
            setattr(self, name, table)
        number = np.arange(new.start, new.stop)
        ends, twice = np.concatenate([a, b]), np.concatenate([number, number])
        order = np.argsort(ends, kind="stable")
        heads = np.flatnonzero(np.diff(ends[order], prepend=-1))
        for v, mine in zip(
            ends[order[heads]].tolist(), np.split(twice[order], heads[1:]), strict=False
        ):
            self._pairs_of[v].append(mine)

    # ------------------------------------------------------------------ pivots

    def run(self, progress: Progress | None = None) -> None:
        """Pivot until no tree pair carries too much; nobody waits so long as to be told."""
        g = self._slopes(self.sign[: self.size])
        self._farthest = max(
            int(np.abs(at[: self.node_count]).max(initial=0)) for at in (self.hi, self.lo)
        )
        while True:
            flow = self.written.flows(g)
            v = self._next(flow)
            if v < 0:
                return
            self._pivot(v, float(flow[v]), g)
            self.pivots += 1

    def _slopes(self, pull: Floats | Integers) -> Floats:
        """Return what pairs that pull so much for each unit of weight add to each node."""
        pull, n = pull * self.w[: self.size], self.node_count
        up, down = (
            np.bincount(self.a[: self.size], pull, n),
            np.bincount(self.b[: self.size], pull, n),
        )
        return np.asarray(up - down, dtype=np.float64)

    def _next(self, flow: Floats) -> int:
        """Return the node whose pair is to leave, a root first; -1 when none carries too much."""
        forest, n = self.written, self.node_count
        over = np.abs(flow) - forest.cap[:n]
        some = np.flatnonzero(over > 0)
        if not len(some):
            return -1
        excess = over[some]
        loose = np.where(forest.parent[some] < 0, excess, 0.0)
        if loose.any():
            return int(some[loose.argmax()])
        sizes = forest.size[some]
        smaller = np.minimum(sizes, n - sizes)
        return int(some[(excess**2 / smaller).argmax()])

    def _pivot(self, v: int, flow: float, g: Floats) -> None:
        forest = self.written
        d = 1 if flow > 0 else -1
        need = abs(flow) - float(forest.cap[v])
        moved, low = forest.below(v), v
        if forest.parent[v] >= 0:
            leaving = int(forest.pair[v])
            root = forest.cut(v, moved)
            rest = forest.below(root)
            self._turn(leaving, d if self.a[leaving] == v else -d, g)
            if len(rest) < len(moved):
                moved, low, d = rest, root, -d
        move = np.zeros(self.node_count, dtype=np.int64)
        move[moved] = d
        step_hi, step_lo, entering = self._search(moved, move, need, g)
        self.hi[moved] += d * step_hi
        self.lo[moved] += d * step_lo
        self._check_range(max(abs(step_hi), abs(step_lo)))
        a, b = int(self.a[entering]), int(self.b[entering])
        low, above = (a, b) if move[a] else (b, a)
        forest.hang(moved, low, above, entering, float(self.w[entering]))

    def _check_range(self, step: int) -> None:
        """Raise where a score left the range of the integers; looked at where it may have."""
        self._farthest += step
        if self._farthest > LIMIT:
            ends = self.hi[: self.node_count], self.lo[: self.node_count]
            self._farthest = max(int(np.abs(each).max()) for each in ends)
            if self._farthest > LIMIT:
                raise OutOfRangeError

    def _turn(self, pair: int, sign: int, g: Floats) -> None:
        """Give one pair another sign."""
        change = float((sign - self.sign[pair]) * self.w[pair])
        self.sign[pair] = sign
        g[self.a[pair]] += change
        g[self.b[pair]] -= change

    def _search(
        self, moved: Offsets, move: Offsets, need: float, g: Floats
    ) -> tuple[int, int, int]:
        """Turn the nearest pairs ahead whose pulls use up the need; return how far, and the last.

        That one enters the forest.
        """
        pairs = self._incident(moved)
        against = move[self.b[pairs]] - move[self.a[pairs]]  # 0 between two that move
        pairs = pairs[self.sign[pairs] * against > 0]
        a, b, sign = self.a[pairs], self.b[pairs], self.sign[pairs]
        hi = sign * (self.hi[a] - self.hi[b] - self.y_hi[pairs])
        pull, near = 2 * self.w[pairs], NEAR
        close: Offsets | slice = slice(None)
        while near < len(hi):
            close = np.flatnonzero(hi <= np.partition(hi, near - 1)[near - 1])
            if pull[close].sum() >= need:
                break
            near *= 4
            close = slice(None)
        if isinstance(close, np.ndarray):
            pairs, a, b, sign = pairs[close], a[close], b[close], sign[close]
            hi, pull = hi[close], pull[close]
        lo = sign * (self.lo[a] - self.lo[b] - self.y_lo[pairs])
        order = np.lexsort((lo, hi))
        last = int(np.searchsorted(np.cumsum(pull[order]), need))
        turned, entering = order[:last], int(order[last])
        if last:
            change = -sign[turned] * pull[turned]
            self.sign[pairs[turned]] = -sign[turned]
            np.add.at(g, a[turned], change)
            np.add.at(g, b[turned], -change)
        pair = int(pairs[entering])
        self._turn(pair, 0, g)
        return int(hi[entering]), int(lo[entering]), pair

    def _incident(self, nodes: Offsets) -> Offsets:
        """Return the pairs of some nodes; one between two of them may be there twice."""
        found = []
        for v in nodes.tolist():
            mine = self._pairs_of[v]
            if len(mine) > 1:
                self._pairs_of[v] = mine = [np.concatenate(mine)]
            found += mine
        return np.concatenate(found) if len(found) != 1 else found[0]

    # ------------------------------------------------------------------ proof

    def prove(self) -> Floats:
        """Return what each pair pulls, checked to be a proof of optimality."""
        n, pull, residual = self.node_count, self._pulls(), self._residuals()
        a, b = self.a[: self.size], self.b[: self.size]
        is_proof = (
            (np.bincount(a, pull, n) == np.bincount(b, pull, n)).all()
            and (np.abs(pull) <= self.w[: self.size]).all()
            and (np.sign(pull) * residual == np.abs(residual)).all()
        )
        if not is_proof:
            raise RuntimeError("the l1 simplex stopped at a point that is not optimal")
        return pull

    def _pulls(self) -> Floats:
        forest, n = self.written, self.node_count
        flow = forest.flows(self._slopes(self.sign[: self.size]))
        pull: Floats = self.sign[: self.size] * self.w[: self.size]
        child = np.flatnonzero(forest.parent[:n] >= 0)
        pair = forest.pair[child]
        pull[pair] = np.where(self.a[pair] == child, flow[child], -flow[child])
        return pull

    def _residuals(self) -> Integers:
        a, b = self.a[: self.size], self.b[: self.size]
        return np.asarray(self.hi[a] - self.hi[b] - self.y_hi[: self.size])

    def loss(self, pull: Integers | Floats) -> float:
        """Return the loss, in units of scores times weights."""
        return float((self.w[: self.size] * np.abs(self._residuals())).sum())

    def limits(self) -> tuple[Index, Index, Integers]:
        """List what every optimum obeys: node ``low`` rises at most ``gap`` more than ``high``.

        Of each contest, neighbours by residual are enough.
        """
        near = np.arange(self.size)
        if self.size > self.contest_count:
            rank = self._ranks()
            apart = rank[self.row_a[: self.size]] - rank[self.row_b[: self.size]]
            near = np.flatnonzero(np.abs(apart) <= 1)
        pull, w = self._pulls()[near], self.w[near]
        a, b = self.a[near], self.b[near]
        residual = self.hi[a] - self.hi[b] - self.y_hi[near]
        # A pair that could pull a down more than it does is not above its margin, anywhere.
        under, over = pull < w, pull > -w
        low = np.concatenate([a[under], b[over]]).astype(np.int32)
        high = np.concatenate([b[under], a[over]]).astype(np.int32)
        return low, high, np.concatenate([-residual[under], residual[over]])

    def _ranks(self) -> Offsets:
        """Return the rank of each row among the distinct residuals of its contest."""
        field = self.field[: self.rows]
        residual = self.hi[self.who[: self.rows]] - self.score[: self.rows]
        order = np.lexsort((residual, field))
        steps = (np.diff(residual[order], prepend=0) != 0) | (np.diff(field[order], prepend=-1) > 0)
        rank = np.empty(self.rows, dtype=np.int64)
        rank[order] = np.cumsum(steps)
        return rank

    def pull_of_rows(self, pull: Integers | Floats) -> Floats:
        """Return what each row pulls."""
        size = slice(0, self.size)
        return np.asarray(
            np.bincount(self.row_a[size], pull, self.rows)
            - np.bincount(self.row_b[size], pull, self.rows)
        )

    def flow(self, start: Offsets) -> Floats:
        """Return the flow of all pairs, in units of weights: they are in order."""
        return -self.prove()
