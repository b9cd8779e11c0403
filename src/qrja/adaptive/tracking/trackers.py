"""Trackers: strengths that move, followed from contest to contest and never looked back at.

Each :class:`~qrja.adaptive.Drift` is Kalman's filter of its model, which is exact for squares:
after a contest, means and covariances are those of all results so far, in a time that does not grow
with the past. The level of a contest is anything, so only differences within it count.
By how much each entry is ahead of the mean of those before it, k - 1 numbers whose errors do
not hang together, says all that a contest of k does; each is learned by itself, in compiled code.

Fields of more than ``field`` (:data:`FIELD`) tell their level so well that errors of two hardly
hang together: there each entry is learned by itself, with the level known. A newcomer begins at the
mean of the field that it appears in.

References
----------
R. E. Kalman, A new approach to linear filtering and prediction problems, 1960.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qrja.adaptive.tracking.drifts import Drift
from qrja.adaptive.tracking.entry_parts import EntryParts, take_apart
from qrja.adaptive.tracking.states import States
from qrja.data import Contest, Fixture, Floats, Offsets

ROOM = 400
"""States whose covariances are kept: every team of many leagues, and a table of some megabytes."""
FIELD = 100
"""Entrants up to which a contest is learned with covariances: more cost more than they tell."""


class Trackers:
    """Several drifts, which learn contests one by one.

    Parameters
    ----------
    drifts : sequence of Drift
        A setting each.
    readings : int
        How many readings of scores are learned side by side: they share covariances.
    room : int
        States whose covariances are kept.
    field : int
        Entrants up to which a contest is learned with covariances.

    Examples
    --------
    >>> both = Trackers([Drift(0.5), Drift(2.0)])
    >>> both.learn(Contest("May", np.array([7, 4]), np.array([9.0, 7.0])))
    >>> both.predict(Fixture(np.array([7, 4, 1])))[0][:, :, 0].round(2)
    array([[ 0.33,  0.67],
           [-0.33, -0.67],
           [  nan,   nan]])
    """

    def __init__(
        self, drifts: Sequence[Drift], readings: int = 1, room: int = ROOM, field: int = FIELD
    ) -> None:
        self.drifts, self.readings, self._field = tuple(drifts), readings, field
        self.states = States(drifts, readings, room)
        self._made: tuple[Fixture, EntryParts] | None = None

    def predict(self, fixture: Fixture) -> tuple[Floats, Floats]:
        """Return what is expected of entries, by setting and reading, and what is not strength.

        Contestants never seen are NaN.
        """
        made, states = self._take_apart(fixture), self.states
        at = np.array([states.numbers.get(it, -1) for it in made.states], dtype=np.int64)
        value = np.zeros((len(at), len(self.drifts), self.readings))
        seen, first = at >= 0, made.start[:-1]
        shrink, _ = states.steps(at[seen], as_day(fixture.date))
        value[seen] = states.means(at[seen]) * shrink[:, :, None] * made.h[seen, None, None]
        added = (np.add.reduceat(value, first) if len(made) else value) - value[first]
        return np.where(seen[first, None, None], value[first], np.nan) + added, added

    def term(self, name: str) -> tuple[Floats, Floats]:
        """Return what a term is worth, by setting and reading, and its variance by setting.

        Of a term that nothing is known of, they are 0 and infinite.
        """
        number = self.states.numbers.get(("term", name))
        if number is None:
            shape = len(self.drifts), self.readings
            return np.zeros(shape), np.full(len(self.drifts), np.inf)
        at = np.array([number])
        return self.states.means(at)[0], self.states.variances(at)[0]

    def learn(self, contest: Contest, g: Floats | None = None) -> None:
        """Take in a contest; ``g`` are readings of its scores, a row each."""
        if not len(contest):
            return
        made, states = self._take_apart(contest.fixture), self.states
        read = np.atleast_2d(contest.score if g is None else g).T
        at = states.find(made.states, made.h)
        distinct, noise = np.unique(at), 1.0 / max(contest.weight, 1e-9)
        crowded = len(made) > self._field or len(distinct) > states.room
        (states.cool if crowded else states.heat)(distinct)
        new = states.seen[at[made.start[:-1]]] == 0
        states.pass_time(distinct, as_day(contest.date))
        who = at[made.start[:-1]]
        if new.any() and not new.all():
            states.begin(np.unique(who[new]), states.means(who[~new]).mean(axis=0))
        if crowded:
            self._learn_crowd(made, at, read, noise)
        else:
            states.learn(made.start, at, made.h, np.ascontiguousarray(read), noise)

    def _take_apart(self, fixture: Fixture) -> EntryParts:
        """Say what entries are made of; it is asked before a contest, and again to learn it."""
        if self._made is None or not self._made[0].is_of(fixture):
            self._made = fixture, take_apart(fixture)
        return self._made[1]

    def _learn_crowd(self, made: EntryParts, at: Offsets, read: Floats, noise: float) -> None:
        """Learn entries one by one, at the level that all of them together tell."""
        from qrja.adaptive.tracking.kernels import trackers as kernels

        states, first = self.states, made.start[:-1]
        h = made.h[:, None, None]
        said = np.add.reduceat(states.mean[at] * h, first)
        precision = 1 / (noise + np.add.reduceat(states.variance[at] * h[:, 0] ** 2, first))
        left = read[:, None, :] - said
        level = (left * precision[:, :, None]).sum(axis=0) / precision.sum(axis=0)[:, None]
        kernels.learn_field(
            states.mean, states.variance, made.start, at, made.h, read[:, None, :] - level, noise
        )


def as_day(date: np.datetime64 | None) -> float | None:
    """Return a date in days, or None.

    Examples
    --------
    >>> as_day(np.datetime64("1970-01-02T12:00"))
    1.5
    """
    if date is None:
        return None
    return float((date - np.datetime64(0, "s")) / np.timedelta64(1, "D"))
