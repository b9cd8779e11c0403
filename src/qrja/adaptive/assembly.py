"""Assembly: all members side by side, fits that look back, trackers and followers that do not.

Trackers learn what covariates add beside strengths, exactly; fits and followers learn scores from
which that is taken off, as known when a contest was held, and have it added to what they predict.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from qrja.adaptive.fits import Fits
from qrja.adaptive.followers import Followers, Pace, without_pauses
from qrja.adaptive.members import Grid, Member
from qrja.adaptive.tracking import Drift, Trackers, as_day
from qrja.adaptive.transforms import TRANSFORMS, Spreads, transform_scores
from qrja.data import Contest, Fixture, Floats, Index

READINGS = tuple(TRANSFORMS)


@dataclass(frozen=True)
class Tracked:
    """A member that tracks: how scores are read, and how strengths move."""

    transform: str
    drift: Drift


@dataclass(frozen=True)
class Following:
    """A member that follows: how scores are read, and how fast."""

    transform: str
    pace: Pace


AnyMember = Member | Tracked | Following


class Assembly:
    """The members of a grid, and one for each drift and for each pace with each transform.

    Parameters
    ----------
    grid : Grid
        The fits.
    drifts : sequence of Drift
        The trackers.
    paces : sequence of Pace
        The followers.
    sweeps : int
        Of the fits, after every contest.
    dated : bool
        Whether contests have dates; else members that count days are left out.

    Examples
    --------
    >>> grid = Grid(transforms=("raw",), half_lives=((20, 5),))
    >>> members = Assembly(grid, [Drift(0.5)], dated=False)
    >>> members.learn(Contest("May", np.array([7, 4]), np.array([9.0, 7.0])))
    >>> len(members), members.predict(Fixture(np.array([7, 4]))).shape
    (13, (2, 13))
    """

    def __init__(
        self,
        grid: Grid,
        drifts: Sequence[Drift],
        paces: Sequence[Pace] = (),
        *,
        sweeps: int = 3,
        dated: bool = True,
    ) -> None:
        self.grid = grid if dated else grid.undated()
        self.drifts = [drift for drift in drifts if dated or drift.clock != "days"]
        self.fits = Fits(self.grid, sweeps)
        self.trackers = Trackers(self.drifts, len(READINGS))
        self.paces = list(paces) if dated else without_pauses(paces)
        self.followers = Followers(self.paces, len(READINGS))
        self.members: tuple[AnyMember, ...] = (
            *self.grid.members,
            *(Tracked(name, drift) for drift in self.drifts for name in READINGS),
            *(Following(name, pace) for pace in self.paces for name in READINGS),
        )
        self._added: tuple[Fixture, Floats] | None = None
        self._rows = [READINGS.index(name) for name in self.grid.transforms]
        self._panels = [READINGS.index(panel.transform) for panel in self.grid.panels]

    def __len__(self) -> int:
        return len(self.members)

    @property
    def spreads(self) -> Spreads:
        """The standard deviations of the contests so far."""
        return self.fits.spreads

    @property
    def units(self) -> Floats:
        """What a unit of each reading is worth in scores."""
        return np.array([self.spreads.unit(name) for name in READINGS])

    def predict(self, fixture: Fixture) -> Floats:
        """Return what each member (column) expects of each entry (row), in units of scores.

        Contestants never seen are NaN.
        """
        tracked, added = self.trackers.predict(fixture)
        self._added = fixture, added
        fitted = self.fits.predict(fixture.who)
        followed = self.followers.predict(fixture.who, as_day(fixture.date))
        if self.drifts and fixture.covariates:
            shift = added.mean(axis=1)
            followed = followed + shift[:, None]
            shift = (shift * self.units)[:, self._panels]
            fitted = fitted + np.repeat(shift, fitted.shape[1] // len(self._panels), axis=1)
        moving = np.concatenate([_even(tracked), followed], axis=1) * self.units
        return np.hstack([fitted, moving.reshape(len(fitted), len(self) - fitted.shape[1])])

    def learn(self, contest: Contest) -> None:
        """Take in a contest; nobody may be in it twice."""
        self.spreads.add(contest.score)
        read = transform_scores(contest.score, self.spreads.typical)
        g = strength = np.array([read[name] for name in READINGS])
        if self.drifts and contest.covariates:
            strength = g - self._not_strength(contest.fixture).mean(axis=1).T
        self.fits.learn_read(contest, strength[self._rows])
        if self.drifts:
            self.trackers.learn(contest, g)
        if self.paces:
            self.followers.learn(contest.who, strength, as_day(contest.date))

    def _not_strength(self, fixture: Fixture) -> Floats:
        """Return what is expected of entries besides strength; it was just asked for."""
        if self._added is None or not self._added[0].is_of(fixture):
            self._added = fixture, self.trackers.predict(fixture)[1]
        return self._added[1]

    def worth(self, term: str) -> tuple[float, float]:
        """Return what a term is worth in scores, and a standard error, rather too large than small.

        They are those of the drift in the middle of all, by what it makes of the term.
        """
        if not self.drifts:
            return 0.0, float("inf")
        value, variance = self.trackers.term(term)
        raw = value[:, READINGS.index("raw")]
        middle = int(np.argsort(raw)[len(raw) // 2])
        return float(raw[middle]), float(np.sqrt(variance[middle])) * self.spreads.typical

    def appearances(self, who: Index) -> Floats:
        """Return in how many contests each took part."""
        return self.fits.appearances(who)


def _even(x: Floats) -> Floats:
    """Round to 2^-40 of the largest in a column: who has the same history has the same score then.

    Matrix products add up in an order that hangs on the place in the matrix.

    Examples
    --------
    >>> found = _even(np.array([[0.3], [0.1 + 0.2], [2.0]]))
    >>> bool(found[0] == found[1])
    True
    """
    largest = np.nanmax(np.abs(x), axis=0, initial=0.0)
    quantum = 2.0 ** (np.frexp(largest)[1] - 40)
    return np.asarray(np.round(x / quantum) * quantum)
