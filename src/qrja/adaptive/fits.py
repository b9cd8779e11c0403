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
from qrja.adaptive.tracking import as_day
from qrja.adaptive.transforms import Spreads, transform_scores
from qrja.data import Contest, Floats, Index, Offsets, best_rows, grown

SWEEPS = 3
"""Sweeps after a contest; 24 change the accuracy on Chess and Marathon by less than .001."""
OFTEN = 100
"""Contests, times the root of the mean size of a field, that count up to which every new one is
followed by sweeps, and twice as many up to which every second one is: of many contests, one more
changes little, and sweeping takes its time."""


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
        lives = list(dict.fromkeys(it.half_lives for it in grid.panels))
        side = [it for it in grid.panels if it.half_lives == lives[0]]
        self._reading = np.repeat([grid.transforms.index(it.transform) for it in side], WIDTH)
        self._huber = np.repeat([it.huber for it in side], WIDTH)
        self._ridge = np.tile(grid.ridges, len(side))
        # Member m is lane ``lane[m]`` of the half-lives ``life[m]``.
        self._life = np.repeat([lives.index(it.half_lives) for it in grid.panels], WIDTH)
        self._lane = np.empty(len(grid), dtype=np.int64)
        for h in range(len(lives)):
            self._lane[self._life == h] = np.arange(len(self._ridge))
        self._rates = np.array([(1 / contests, 1 / days) for contests, _, days in lives])
        faded = [_fade(own) for _, own, _ in lives]
        longest = max(map(len, faded), default=1)
        self._fading = np.array([np.pad(it, (0, longest - len(it)), "edge") for it in faded])
        self._first = np.zeros(len(lives), dtype=np.int64)
        self._numbers: dict[int, int] = {}
        self._count = np.zeros(0, dtype=np.int64)
        self._weight = np.zeros(0)
        self._day = np.zeros(0)
        self._entries = FitEntries.none(len(grid.transforms))
        self._x = np.zeros((len(lives), 0, len(self._ridge)))
        self._t = np.zeros((len(lives), 0, len(self._ridge)))

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

        at, often = self._entries, OFTEN * math.sqrt(self._entries.size / self.contests)
        pulls = self.grid.field * self._ridge, self.grid.zero * self._ridge
        start, who, ordinal, count, weight, day = self._past()
        kernels.welcome(start, who, ordinal, at.g, self._reading, *pulls, self._x, self._t)
        kernels.refit(
            start, who, ordinal, count, weight, day, self._rates, self._fading, self._first,
            at.g, self._reading, self._deltas(), *pulls, self._x, self._t, often, self.sweeps,
        )  # fmt: skip

    def _past(self) -> tuple[Offsets, Index, Offsets, Offsets, Floats, Floats]:
        """Return the entries by contest, and what of their age decides what they weigh."""
        at = self._entries
        start, who, ordinal = at.start[: at.contests + 1], at.who[: at.size], at.ordinal[: at.size]
        return (
            start, who, ordinal, self._count, self._weight[: at.contests], self._day[: at.contests]
        )  # fmt: skip

    def _units(self) -> Floats:
        """Return what a unit of each lane's reading is worth in scores."""
        units = [self.spreads.unit(name) for name in self.grid.transforms]
        return np.asarray(np.array(units)[self._reading], dtype=np.float64)

    def _deltas(self) -> Floats:
        """Return where the loss of each lane turns linear, in its reading of scores."""
        return self._huber * self.spreads.typical / self._units()

    def objective(self, m: int) -> tuple[Objective, Floats]:
        """Return what a member minimises, and its scores, of all who still count."""
        from qrja.adaptive.kernels import members as kernels

        at, h, lane = self._entries, self._life[m], self._lane[m]
        ridge = self._ridge[lane]
        a, first = kernels.weigh(*self._past(), self._rates[h], self._fading[h])
        begin = int(at.start[first])
        sizes = np.diff(at.start[first : at.contests + 1])
        counting, who = np.unique(at.who[begin : at.size], return_inverse=True)
        objective = Objective(
            np.repeat(np.arange(len(sizes)), sizes),
            who.astype(np.int32),
            at.g[self._reading[lane], begin : at.size],
            a[begin:],
            float(self._deltas()[lane]),
            self.grid.field * ridge,
            self.grid.zero * ridge,
        )
        return objective, self._x[h, counting, lane]

    def appearances(self, who: Index) -> Floats:
        """Return in how many contests each took part."""
        places = [self._numbers.get(i, -1) for i in np.asarray(who).tolist()]
        return np.append(self._count[: len(self._numbers)], 0)[places].astype(np.float64)

    def predict(self, who: Index) -> Floats:
        """Return the score of each contestant (row) by each member (column), in units of scores.

        Those never seen are NaN.
        """
        places = np.array([self._numbers.get(i, -1) for i in np.asarray(who).tolist()], np.int64)
        found, seen = np.full((len(places), len(self.grid)), np.nan), places >= 0
        x = self._x[:, places[seen]] * self._units()
        found[seen] = x[self._life, :, self._lane].T
        return found


def _fade(own: float) -> Floats:
    """Return what is left of an entry after so many later contests of one's own."""
    from qrja.adaptive.kernels.members import LEAST

    size = 1 if own == math.inf else 1 + math.ceil(-math.log2(LEAST) * own)
    return np.maximum(2.0 ** (-np.arange(size) / own), LEAST)


def _more(table: Floats, size: int) -> Floats:
    """Make room in the second of three dimensions."""
    if size <= table.shape[1]:
        return table
    return np.ascontiguousarray(grown(table.transpose(1, 0, 2), size).transpose(1, 0, 2))
