"""Fits: all members of a grid, brought up to date after every contest.

Each member minimises its objective (:mod:`qrja.adaptive.objective`) over all contests so far. After
a contest the scores before it are a start that is nearly right, so a few sweeps are enough: they
are not carried to the end, and do not depend on when anybody asks.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from qrja.adaptive.members import WIDTH, Grid
from qrja.adaptive.objective import Objective
from qrja.adaptive.trackers import as_day
from qrja.adaptive.transforms import Spreads, transform_scores
from qrja.data import Contest, Floats, Index, Offsets, best_rows, grown

SWEEPS = 3
"""Sweeps after a contest; 24 change the accuracy on Chess and Marathon by less than .001."""
OFTEN = 100
"""Contests, times the mean size of a field, that count up to which every new one is followed by
sweeps, and twice as many up to which every second one is: of many contests, one more changes
little, and sweeping takes its time."""
FORGOTTEN = 12
"""Half-lives after which a contest is left out."""


@dataclass(eq=False)
class FitEntries:
    """The entries so far: arrays with room to grow, of which the first ``size`` are in use."""

    start: Offsets
    who: Index
    ordinal: Offsets
    g: Floats
    size: int = 0
    contests: int = 0

    @classmethod
    def none(cls, transforms: int) -> FitEntries:
        """Return room for a few entries."""
        return cls(
            np.zeros(2, dtype=np.int64),
            np.zeros(1, dtype=np.int32),
            np.zeros(1, dtype=np.int64),
            np.zeros((transforms, 1)),
        )

    def append(self, who: Index, ordinal: Offsets, g: Floats) -> None:
        """Add the entries of a contest."""
        end = self.size + len(who)
        self.who, self.ordinal = grown(self.who, end), grown(self.ordinal, end)
        self.g = grown(self.g.T, end).T
        self.start = grown(self.start, self.contests + 2)
        self.who[self.size : end], self.ordinal[self.size : end] = who, ordinal
        self.g[:, self.size : end] = g
        self.contests, self.size = self.contests + 1, end
        self.start[self.contests] = end


class Fits:
    """The members of a grid, learning contests one by one.

    Parameters
    ----------
    grid : Grid
        Which members.
    sweeps : int
        Of every member after every contest.

    Examples
    --------
    >>> fits = Fits(Grid(transforms=("raw",), losses=(math.inf,), half_lives=((20, 5),)))
    >>> fits.learn(Contest("May", np.array([7, 4]), np.array([9.0, 7.0])))
    >>> fits.predict(np.array([7, 4, 1])).shape
    (3, 8)
    >>> fits.predict(np.array([7, 4, 1]))[:, 0].round(2)
    array([ 1.,  -1.,  nan])
    """

    def __init__(self, grid: Grid, sweeps: int = SWEEPS) -> None:
        self.grid, self.sweeps = grid, sweeps
        self.spreads = Spreads()
        self._reading = np.array([grid.transforms.index(it.transform) for it in grid.panels])
        self._by_half_lives = by_half_lives(grid)
        self._numbers: dict[int, int] = {}
        self._count = np.zeros(0, dtype=np.int64)
        self._weight = np.zeros(0)
        self._day = np.zeros(0)
        self._entries = FitEntries.none(len(grid.transforms))
        self._x = np.zeros((len(grid.panels), 0, WIDTH))
        self._t = np.zeros((len(grid.panels), 0, WIDTH))

    @property
    def contests(self) -> int:
        """How many contests were learned."""
        return self._entries.contests

    def learn(self, contest: Contest) -> None:
        """Take in a contest and bring all members up to date."""
        kept = best_rows(contest.who, contest.score)
        if not len(kept):
            return
        who, score = contest.who[kept], contest.score[kept]
        self.spreads.add(score)
        found = transform_scores(score, self.spreads.typical)
        g = np.array([found[name] for name in self.grid.transforms])
        self.learn_read(replace(contest, who=who, score=score), g)

    def learn_read(self, contest: Contest, g: Floats) -> None:
        """Take in a contest of which scores were read, a row for each transform.

        Its spread is known already, and nobody is in it twice.
        """
        who = self._number(contest.who)
        self._entries.append(who, self._count[who], g)
        self._count[who] += 1
        self._weight = grown(self._weight, self.contests)
        self._weight[self.contests - 1] = contest.weight
        self._day = grown(self._day, self.contests)
        day, before = as_day(contest.date), self._day[self.contests - 2] if self.contests > 1 else 0
        self._day[self.contests - 1] = before if day is None else day
        self._t = _more(self._t, self.contests)
        self._sweep()

    def _number(self, given: Index) -> Index:
        """Return the numbers of contestants by first appearance, with room for new ones."""
        numbers = self._numbers
        who = np.array([numbers.setdefault(i, len(numbers)) for i in given.tolist()], np.int32)
        self._count = grown(self._count, len(numbers))
        self._x = _more(self._x, len(numbers))
        return who

    def _sweep(self) -> None:
        from qrja.adaptive.kernels import members as kernels

        at, n = self._entries, len(self._numbers)
        start, who, ordinal = at.start[: at.contests + 1], at.who[: at.size], at.ordinal[: at.size]
        ridge = np.array(self.grid.ridges)
        pulls = self.grid.field * ridge, self.grid.zero * ridge
        kernels.welcome(start, who, ordinal, at.g, self._reading, *pulls, self._x, self._t)
        often = OFTEN * at.size / at.contests
        for half_lives, panels in self._by_half_lives.items():
            first, age, halve = self._age(*half_lives)
            if at.contests % (1 + int((at.contests - first) / often)):
                continue
            a = self._weigh(first, age, halve, 1 / half_lives[1])
            for p in panels:
                x, t = self._x[p, :n], self._t[p, : at.contests]
                delta = self._delta(p)
                kernels.sweep(first, start, who, self._g(p), a, delta, *pulls, x, t, self.sweeps)

    def _age(self, half_life: float, own: float, days: float) -> tuple[int, Floats, float]:
        """Return the first contest that counts, all their ages, and the half-lives in a unit."""
        contests = self.contests
        age, halve = np.arange(contests - 1.0, -1.0, -1.0), 1 / half_life
        if days < math.inf:
            age, halve = self._day[contests - 1] - self._day[:contests], 1 / days
        first = int(np.searchsorted(-age, -FORGOTTEN / halve, "right")) if halve else 0
        return first, age, halve

    def _weigh(self, first: int, age: Floats, halve: float, own: float) -> Floats:
        """Return the weights of the entries, 0 of contests before the first that counts."""
        from qrja.adaptive.kernels import members as kernels

        at, a = self._entries, np.zeros(self._entries.size)
        start, who, ordinal = at.start[: at.contests + 1], at.who[: at.size], at.ordinal[: at.size]
        weight = self._weight[: at.contests]
        kernels.weigh(first, start, who, ordinal, self._count, weight, age, halve, own, a)
        return a

    def _g(self, p: int) -> Floats:
        at = self._entries
        return at.g[self._reading[p], : at.size]

    def _delta(self, p: int) -> float:
        panel = self.grid.panels[p]
        if panel.huber == math.inf:
            return math.inf
        return panel.huber * self.spreads.typical / self.spreads.unit(panel.transform)

    def objective(self, m: int) -> tuple[Objective, Floats]:
        """Return what a member minimises, and its scores, of all who still count."""
        p, ridge = m // WIDTH, self.grid.ridges[m % WIDTH]
        panel, at = self.grid.panels[p], self._entries
        first, age, halve = self._age(*panel.half_lives)
        a = self._weigh(first, age, halve, 1 / panel.own_half_life)
        begin = int(at.start[first])
        sizes = np.diff(at.start[first : at.contests + 1])
        counting, who = np.unique(at.who[begin : at.size], return_inverse=True)
        objective = Objective(
            np.repeat(np.arange(len(sizes)), sizes),
            who.astype(np.int32),
            self._g(p)[begin:],
            a[begin:],
            self._delta(p),
            self.grid.field * ridge,
            self.grid.zero * ridge,
        )
        return objective, self._x[p, counting, m % WIDTH]

    def appearances(self, who: Index) -> Floats:
        """Return in how many contests each took part."""
        places = [self._numbers.get(i, -1) for i in np.asarray(who).tolist()]
        return np.append(self._count[: len(self._numbers)], 0)[places].astype(np.float64)

    def predict(self, who: Index) -> Floats:
        """Return the score of each contestant (row) by each member (column), in units of scores.

        Those never seen are NaN.
        """
        places = np.array([self._numbers.get(i, -1) for i in np.asarray(who).tolist()], np.int64)
        units = np.array([self.spreads.unit(name) for name in self.grid.transforms])[self._reading]
        found = np.full((len(places), len(units), WIDTH), np.nan)
        seen = places >= 0
        found[seen] = (self._x[:, places[seen]] * units[:, None, None]).transpose(1, 0, 2)
        return found.reshape(len(places), len(self.grid))


def by_half_lives(grid: Grid) -> dict[tuple[float, float, float], list[int]]:
    """Return the numbers of the panels, by their half-lives: these share their weights."""
    found: dict[tuple[float, float, float], list[int]] = {}
    for p, panel in enumerate(grid.panels):
        found.setdefault(panel.half_lives, []).append(p)
    return found


def _more(table: Floats, size: int) -> Floats:
    """Make room in the second of three dimensions."""
    if size <= table.shape[1]:
        return table
    return np.ascontiguousarray(grown(table.transpose(1, 0, 2), size).transpose(1, 0, 2))
