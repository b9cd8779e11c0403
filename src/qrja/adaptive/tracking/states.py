"""States: means and covariances of what moves, those seen last together and the others apart.

A state is the strength of a contestant, or what a part or a term of an entry adds. Covariances are
kept of the ``room`` states that were seen last. Whoever gives way keeps a mean and a variance.

Time passes for a state when it is looked at: until then it is that of when it was last seen, in the
light of all results since, which is the same in the end.

What a margin takes from the covariances is a column times itself. Some columns are kept beside,

    covariance = P - U U'

and taken off together: one product of matrices costs much less than as many passes over P.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qrja.adaptive.tracking.drifts import Drift, Steps
from qrja.adaptive.tracking.entry_parts import State
from qrja.data import Floats, Offsets, grown

PART = 0.5
"""The variance of a part of an entry, in those of a contestant."""
TERM = 1.0
"""The variance of what a term adds, where it adds a typical amount, in those of an error."""
DELAY = 24
"""Columns kept beside: more save little, and each margin looks at all of them."""


class States:
    """What is known of states, by setting (drift) and reading.

    Parameters
    ----------
    drifts : sequence of Drift
        How strengths move, a setting each.
    readings : int
        How many readings of scores there are.
    room : int
        States whose covariances are kept.

    Examples
    --------
    >>> states = States([Drift(0.5)], readings=1, room=2)
    >>> at = states.find([("who", 7), ("who", 4)], np.ones(2))
    >>> states.heat(at)
    >>> states.variances(at)
    array([[0.5],
           [0.5]])
    """

    def __init__(self, drifts: Sequence[Drift], readings: int, room: int) -> None:
        self.drifts, self.room = tuple(drifts), room
        self.numbers: dict[State, int] = {}
        self._steps = Steps(self.drifts)
        self._P = np.zeros((len(drifts), 0, 0))
        self._U = np.zeros((len(drifts), DELAY, 0))
        self._columns = 0
        self.x = np.zeros((len(drifts), 0, readings))
        self.slot = np.zeros(0, dtype=np.int64)
        self.used = 0
        self.seen = np.zeros(0, dtype=np.int64)
        self.mean = np.zeros((0, len(drifts), readings))
        self.variance = np.zeros((0, len(drifts)))
        self._when = np.zeros(0)
        self._is_term = np.zeros(0, dtype=np.bool_)
        self._holder = np.zeros(0, dtype=np.int64)
        self._stamp = np.zeros(0, dtype=np.int64)
        self._clock = 0

    def find(self, states: Sequence[State], h: Floats) -> Offsets:
        """Return the numbers of states, with those never seen among them as newcomers."""
        before, numbers = len(self.numbers), self.numbers
        at = np.array([numbers.setdefault(it, len(numbers)) for it in states], dtype=np.int64)
        n = len(numbers)
        if n == before:
            return at
        self.mean, self.variance = grown(self.mean, n), grown(self.variance, n)
        self.slot, self.seen = grown(self.slot, n), grown(self.seen, n)
        self._when, self._is_term = grown(self._when, n), grown(self._is_term, n)
        self.slot[before:n] = -1
        prior = np.array([drift.prior for drift in self.drifts])
        sizes = {name: h[at == at[k]] for k, (kind, name) in enumerate(states) if kind == "term"}
        for (kind, name), number in zip(states, at.tolist(), strict=True):
            if number < before:
                continue
            self._is_term[number] = kind == "term"
            if kind == "term":
                self.variance[number] = TERM / float(np.mean(sizes[name] ** 2))
            else:
                self.variance[number] = prior if kind == "who" else PART * prior
        return at

    def heat(self, at: Offsets) -> None:
        """Keep covariances of some states, distinct ones, from here on."""
        self._clock += 1
        cold = at[self.slot[at] < 0]
        hot = self.slot[at[self.slot[at] >= 0]]
        self._stamp[hot] = self._clock
        if not len(cold):
            return
        lacking = self.used + len(cold) - self.room
        if lacking > 0:
            oldest = np.argsort(self._stamp[: self.used], kind="stable")[:lacking]
            self.cool(self._holder[oldest])
        self._make_room(self.used + len(cold))
        slots = np.arange(self.used, self.used + len(cold))
        self.used += len(cold)
        self.slot[cold], self._holder[slots] = slots, cold
        self._stamp[slots] = self._clock
        self.x[:, slots] = self.mean[cold].transpose(1, 0, 2)
        self._P[:, slots, slots] = self.variance[cold].T

    def _make_room(self, n: int) -> None:
        have = len(self._holder)
        if n <= have:
            return
        size = min(max(n, 2 * have, 16), max(self.room, n))
        settings = len(self.drifts)
        P, U = np.zeros((settings, size, size)), np.zeros((settings, DELAY, size))
        x = np.zeros((settings, size, self.x.shape[2]))
        P[:, :have, :have], U[:, :, :have], x[:, :have] = self._P, self._U, self.x
        self._P, self._U, self.x = P, U, x
        more = np.zeros(size - have, dtype=np.int64)
        self._holder, self._stamp = np.append(self._holder, more), np.append(self._stamp, more)

    @property
    def covariances(self) -> Floats:
        """The covariances by setting, of the states in use and of room for more."""
        from qrja.adaptive.tracking.kernels import trackers as kernels

        n, q = self.used, self._columns
        if q:
            kernels.take_off(self._P, self._U, n, q)
            self._columns = 0
        return self._P

    def learn(self, start: Offsets, at: Offsets, h: Floats, y: Floats, noise: float) -> None:
        """Take in what entries came to, by reading: entry e is ``h`` of ``at`` from start[e] on.

        All these states are hot.
        """
        from qrja.adaptive.tracking.kernels import trackers as kernels

        self._columns = kernels.learn_exactly(
            self._P, self._U, self._columns, self.x, self.used, start, self.slot[at], h, y, noise
        )

    def cool(self, at: Offsets) -> None:
        """Forget the covariances of some states; the last ones move into the slots left free."""
        leaving = at[self.slot[at] >= 0]
        self.mean[leaving], self.variance[leaving] = self.means(leaving), self.variances(leaving)
        P, U, q = self._P, self._U, self._columns
        for number in leaving.tolist():
            s, last = int(self.slot[number]), self.used - 1
            if s != last:
                P[:, s, : self.used] = P[:, last, : self.used]
                P[:, : self.used, s] = P[:, : self.used, last]
                P[:, s, s] = P[:, last, last]
                U[:, :q, s], self.x[:, s] = U[:, :q, last], self.x[:, last]
                self._holder[s], self._stamp[s] = self._holder[last], self._stamp[last]
                self.slot[self._holder[s]] = s
            P[:, last, : self.used] = 0.0
            P[:, : self.used, last] = 0.0
            U[:, :q, last] = 0.0
            self.slot[number], self.used = -1, last

    def means(self, at: Offsets) -> Floats:
        """Return means, a row for each state, then settings and readings."""
        found, slot = self.mean[at], self.slot[at]
        hot = slot >= 0
        found[hot] = self.x[:, slot[hot]].transpose(1, 0, 2)
        return found

    def variances(self, at: Offsets) -> Floats:
        """Return variances, a row for each state, a column for each setting."""
        found, slot = self.variance[at], self.slot[at]
        hot = slot >= 0
        there, q = slot[hot], self._columns
        found[hot] = (self._P[:, there, there] - (self._U[:, :q, there] ** 2).sum(axis=1)).T
        return found

    def steps(self, at: Offsets, today: float | None) -> tuple[Floats, Floats]:
        """Return by what states shrink until a day, and the variance that they gain."""
        moving = ((self.seen[at] > 0) & ~self._is_term[at]).astype(np.float64)
        days = np.zeros(len(at)) if today is None else np.maximum(today - self._when[at], 0.0)
        return self._steps(moving * days, moving)

    def pass_time(self, at: Offsets, today: float | None) -> None:
        """Let time pass for some states, distinct ones and all hot or all cold, until a day."""
        from qrja.adaptive.tracking.kernels import trackers as kernels

        shrink, add = self.steps(at, today)
        slot = self.slot[at]
        if (slot >= 0).all():
            kernels.move(self._P, self._U, self._columns, self.x, self.used, slot, shrink, add)
        else:
            self.mean[at] *= shrink[:, :, None]
            self.variance[at] = self.variance[at] * shrink**2 + add
        self.seen[at] += 1
        if today is not None:
            self._when[at] = today

    def begin(self, at: Offsets, mean: Floats) -> None:
        """Give newcomers a mean, by setting and reading."""
        self.mean[at] = mean
        hot = self.slot[at]
        self.x[:, hot[hot >= 0]] = mean[:, None]
