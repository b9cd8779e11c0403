"""The judgments behind p = infinity: contests as stars, anchored candidates as grounds.

A contest of k entrants needs no pairs. With ``r_i = x_i - s_i``, all its errors are within t / w
exactly when some z lies within t / (2 w) of every r_i: one extra candidate z and k judgments of
weight 2 w.

An anchored candidate does not move. All that a component of free candidates is joined to become
one *ground*, a candidate of score 0, and their scores move into the margins. In a contest only
two anchored entrants matter to a free one, those with the largest and the smallest r: one judgment
each, of weight w. What two anchored candidates disagree by is a constant, and the worst constant
bounds the largest error from below.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from qrja.data import Contests, Floats, Index, Judgments, Offsets
from qrja.laplacian import exact_residuals
from qrja.solution import Demands
from qrja.solvers.demands import free_components


class Constant(NamedTuple):
    """The worst error between two anchored candidates: its size, and a flow of one unit of it."""

    error: float
    row: int  # of a judgment, or the entry of a contest
    other: int  # the other entry
    flow: float


NO_CONSTANT = Constant(0.0, 0, 0, 0.0)


@dataclass(frozen=True)
class Stars:
    """Judgments over the candidates and, after them, one node per contest, then the grounds.

    Parameters
    ----------
    n : int
        Number of candidates.
    a, b, y : array
        The rows: those of stars first, contest by contest.
    span : array of float
        1/w of each row.
    label : array of int
        The component of each node.
    ground : array of int
        The ground of each component, or -1.
    rays : int
        How many rows belong to stars.
    source, partner : array of int
        The judgment or the entry that each row stands for; the anchored entry, or -1.
    constant : Constant
        What is disagreed upon whatever x.
    """

    n: int
    a: Offsets
    b: Offsets
    y: Floats
    span: Floats
    label: Index
    ground: Offsets
    rays: int
    source: Offsets
    partner: Offsets
    constant: Constant

    @property
    def grounds(self) -> Offsets:
        """The grounds there are."""
        return self.ground[self.ground >= 0]

    def place(self, x: Floats) -> Floats:
        """Return a value per node: x, each contest's node half-way between extremes, 0."""
        at = np.concatenate([x, np.zeros(len(self.label) - self.n)])
        if self.rays:
            begin = np.flatnonzero(np.diff(self.b[: self.rays], prepend=-1))
            away = self.y[: self.rays] - x[self.a[: self.rays]]
            extremes = np.maximum.reduceat(away, begin), np.minimum.reduceat(away, begin)
            at[self.b[begin]] = -(extremes[0] + extremes[1]) / 2
        return at

    def residuals(self, x: Floats) -> Floats:
        """Return ``y - (x_a - x_b)`` of every row."""
        at = self.place(x)
        return np.asarray(self.y - at[self.a] + at[self.b])


def build_stars(problem: Contests | Judgments, demands: Demands) -> Stars:
    """Write a problem as judgments, one or three per entry.

    Examples
    --------
    >>> races = Contests.from_arrays([1, 1, 1], [*"abc"], [9, 7, 4])
    >>> free = np.array([True, True, False])
    >>> stars = build_stars(races, Demands(0.0, np.array([0.0, 0.0, 50.0]), free))
    >>> stars.a, stars.b, stars.y
    (array([0, 1, 0, 1, 0, 1]), array([3, 3, 4, 4, 4, 4]), array([ 0., -2., 55., 53., 55., 53.]))
    """
    whole = demands.free.all()
    label = problem.components if whole else free_components(problem, demands.free)
    if isinstance(problem, Judgments):
        return _from_judgments(problem, demands, label)
    return _from_contests(problem, demands, label)


def _from_judgments(problem: Judgments, demands: Demands, label: Index) -> Stars:
    free, n = demands.free, problem.n
    a, b, y, span = problem.a.astype(np.int64), problem.b.astype(np.int64), problem.y, 1 / problem.w
    rows, constant = np.arange(problem.m), NO_CONSTANT
    if not free.all():
        fixed = np.where(free, 0.0, demands.goal)
        y = exact_residuals(y, fixed[a], fixed[b])
        rows = np.flatnonzero(free[a] | free[b])
        still = np.flatnonzero(~free[a] & ~free[b])
        if len(still):
            worst = still[np.argmax(np.abs(y[still]) / span[still])]
            size = float(abs(y[worst]) / span[worst])
            constant = Constant(size, int(worst), -1, float(np.sign(y[worst]) / span[worst]))
        a, b, y, span = a[rows], b[rows], y[rows], span[rows]
    joined = np.concatenate([label[a[~free[b]]], label[b[~free[a]]]])
    label, ground = _hang(label, n, joined)
    ends = np.where(free[a], a, ground[label[b]]), np.where(free[b], b, ground[label[a]])
    nobody = np.full(len(a), -1)
    return Stars(n, *ends, y, span, label, ground, 0, rows, nobody, constant)


def _from_contests(problem: Contests, demands: Demands, label: Index) -> Stars:
    free, n, of = demands.free[problem.who], problem.n, problem.contest_of_entry
    weight = problem.pair_weight
    rays = np.flatnonzero(free)
    home = np.flatnonzero(np.diff(of[rays], prepend=-1))
    number = np.zeros(len(problem), dtype=np.int64)
    number[of[rays[home]]] = np.arange(len(home))
    # The best score of a contest becomes 0: its node takes up any shift, and digits are saved.
    score = problem.score[rays]
    best = np.maximum.reduceat(score, home) if len(home) else score
    label = np.concatenate([label, label[problem.who[rays[home]]]])
    rows = [(rays, n + number[of[rays]], score - best[number[of[rays]]], 0.5 / weight[of[rays]])]
    partners, constant = [np.full(len(rays), -1)], NO_CONSTANT
    if not free.all():
        top, bottom, constant = _anchored_extremes(problem, demands)
        for entry in (top, bottom):
            met = rays[entry[of[rays]] >= 0]
            partner = entry[of[met]]
            held = demands.goal[problem.who[partner]]
            y = exact_residuals(held, problem.score[partner], problem.score[met])
            rows.append((met, np.full(len(met), -1), y, 1 / weight[of[met]]))
            partners.append(partner)
    source, b, y, span = (np.concatenate(parts) for parts in zip(*rows, strict=True))
    a, partner = problem.who[source].astype(np.int64), np.concatenate(partners)
    label, ground = _hang(label, len(label), label[a[b < 0]])
    b = np.where(b < 0, ground[label[a]], b)
    return Stars(n, a, b, y, span, label, ground, len(rays), source, partner, constant)


def _anchored_extremes(problem: Contests, demands: Demands) -> tuple[Offsets, Offsets, Constant]:
    """Return, per contest, the anchored entries of largest and smallest r, and the worst pair."""
    entry = np.flatnonzero(~demands.free[problem.who])
    contest = problem.contest_of_entry[entry]
    r = demands.goal[problem.who[entry]] - problem.score[entry]
    order = np.lexsort((r, contest))
    entry, contest, r = entry[order], contest[order], r[order]
    first = np.flatnonzero(np.diff(contest, prepend=-1))
    last = np.append(first[1:], len(entry)) - 1
    top, bottom = (np.full(len(problem), -1) for _ in range(2))
    top[contest[last]], bottom[contest[first]] = entry[last], entry[first]
    error = problem.pair_weight[contest[first]] * (r[last] - r[first])
    if not (error > 0).any():
        return top, bottom, NO_CONSTANT
    worst = int(np.argmax(error))
    low, high = int(entry[first[worst]]), int(entry[last[worst]])
    weight = float(problem.pair_weight[contest[first[worst]]])
    # The residual y - (x_a - x_b) of the pair (low, high) is r_high - r_low, which is positive.
    return top, bottom, Constant(float(error[worst]), low, high, weight)


def _hang(label: Index, size: int, joined: Index) -> tuple[Index, Offsets]:
    """Add one ground for each of the labels that are joined to an anchored candidate."""
    hung = np.unique(joined)
    ground = np.full(int(label.max(initial=-1)) + 1, -1)
    ground[hung] = size + np.arange(len(hung))
    return np.concatenate([label, hung]).astype(np.int32), ground


def squares_of_stars(problem: Contests | Judgments, demands: Demands, stars: Stars) -> Judgments:
    """Return judgments between the nodes with the least-squares scores of the problem.

    The squares of a contest's pairs, ``sum (r_i - r_j)^2``, are k times those of its star.
    """
    names = tuple(range(len(stars.label)))
    if isinstance(problem, Judgments):
        a, b = stars.a.astype(np.int32), stars.b.astype(np.int32)
        return Judgments(a, b, stars.y, 1 / stars.span, names)
    of, rays = problem.contest_of_entry, slice(stars.rays)
    node, base = np.full(len(problem), -1), np.zeros(len(problem))
    contest = of[stars.source[rays]]
    node[contest], base[contest] = stars.b[rays], problem.score[stars.source[rays]]
    entry = np.flatnonzero(node[of] >= 0)
    who, of = problem.who[entry], of[entry]
    free = demands.free[who]
    a = np.where(free, who, stars.ground[stars.label[node[of]]]).astype(np.int32)
    y = exact_residuals(problem.score[entry], base[of], np.where(free, 0.0, -demands.goal[who]))
    b = node[of].astype(np.int32)
    return Judgments(a, b, y, (problem.pair_weight * problem.sizes)[of], names)


def flow_of_judgments(
    problem: Contests | Judgments, stars: Stars, flow: Floats, share: float
) -> Floats:
    """Write a flow on the rows, and ``share`` of the constant, as one on the judgments.

    What leaves a contest's node equals what enters it. Matching the two in the order of entries
    gives a flow on fewer pairs than there are entries.
    """
    constant = stars.constant
    if isinstance(problem, Judgments):
        total = np.zeros(problem.m)
        total[stars.source] = flow
        if share:
            total[constant.row] += share * constant.flow
        return total
    one, other, much = _match_rays(stars, flow)
    direct = np.flatnonzero(stars.partner >= 0)
    one = np.concatenate([one, stars.source[direct], [constant.row] if share else []])
    other = np.concatenate([other, stars.partner[direct], [constant.other] if share else []])
    much = np.concatenate([much, flow[direct], [share * constant.flow] if share else []])
    return _on_pairs(problem, one.astype(np.int64), other.astype(np.int64), much)


def _match_rays(stars: Stars, flow: Floats) -> tuple[Offsets, Offsets, Floats]:
    """Split the flow through contests' nodes into flows from one entry to another."""
    out: list[tuple[int, int, float]] = []
    row = np.flatnonzero(flow[: stars.rays])
    for group in np.split(row, np.flatnonzero(np.diff(stars.b[row])) + 1):
        leaving = [[int(stars.source[i]), float(flow[i])] for i in group if flow[i] > 0]
        entering = [[int(stars.source[i]), float(-flow[i])] for i in group if flow[i] < 0]
        while leaving and entering:
            much = min(leaving[-1][1], entering[-1][1])
            out.append((int(leaving[-1][0]), int(entering[-1][0]), much))
            for side in (leaving, entering):
                side[-1][1] -= much
                if side[-1][1] <= 0:
                    side.pop()
    if not out:
        return np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0)
    one, other, amount = zip(*out, strict=True)
    return np.array(one), np.array(other), np.array(amount)


def _on_pairs(problem: Contests, one: Offsets, other: Offsets, much: Floats) -> Floats:
    """Add up flows from entry to entry on the pairs, in the order of ``to_judgments()``."""
    contest = problem.contest_of_entry[one]
    k, begin = problem.sizes[contest], problem.start[contest]
    i, j = np.minimum(one, other) - begin, np.maximum(one, other) - begin
    pairs = problem.sizes * (problem.sizes - 1) // 2
    before = np.cumsum(pairs) - pairs
    total = np.zeros(problem.m)
    place = before[contest] + i * k - i * (i + 1) // 2 + j - i - 1
    np.add.at(total, place, np.where(one < other, much, -much))
    return total
