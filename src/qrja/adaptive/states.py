"""States: means and covariances of what moves, those seen last together and the others apart.

A state is the strength of a contestant, or what a part or a term of an entry adds. Covariances are
kept of the ``room`` states that were seen last. Whoever gives way keeps a mean and a variance.

Time passes for a state when it is looked at: until then it is that of when it was last seen, in the
light of all results since, which is the same in the end.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qrja.adaptive.drifts import Drift, Steps
from qrja.adaptive.entry_parts import State
from qrja.data import Floats, Offsets, grown

PART = 0.5
"""The variance of a part of an entry, in those of a contestant."""
TERM = 1.0
"""The variance of what a term adds, where it adds a typical amount, in those of an error."""


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
        self.P = np.zeros((len(drifts), 0, 0))
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
        self.P[:, slots, slots] = self.variance[cold].T

    def _make_room(self, n: int) -> None:
        have = len(self._holder)
        if n <= have:
            return
        size = min(max(n, 2 * have, 16), max(self.room, n))
        P, x = (
            np.zeros((len(self.drifts), size, size)),
            np.zeros((*self.x.shape[:1], size, self.x.shape[2])),
        )
        P[:, :have, :have], x[:, :have] = self.P, self.x
        self.P, self.x = P, x
        more = np.zeros(size - have, dtype=np.int64)
        self._holder, self._stamp = np.append(self._holder, more), np.append(self._stamp, more)

    def cool(self, at: Offsets) -> None:
        """Forget the covariances of some states; the last ones move into the slots left free."""
        for number in at[self.slot[at] >= 0].tolist():
            s, last = int(self.slot[number]), self.used - 1
            self.mean[number], self.variance[number] = self.x[:, s], self.P[:, s, s]
            if s != last:
                self.P[:, s, : self.used] = self.P[:, last, : self.used]
                self.P[:, : self.used, s] = self.P[:, : self.used, last]
                self.P[:, s, s] = self.P[:, last, last]
                self.x[:, s] = self.x[:, last]
                self._holder[s], self._stamp[s] = self._holder[last], self._stamp[last]
                self.slot[self._holder[s]] = s
            self.P[:, last, : self.used] = 0.0
            self.P[:, : self.used, last] = 0.0
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
        found[hot] = self.P[:, slot[hot], slot[hot]].T
        return found

    def steps(self, at: Offsets, today: float | None) -> tuple[Floats, Floats]:
        """Return by what states shrink until a day, and the variance that they gain."""
        moving = ((self.seen[at] > 0) & ~self._is_term[at]).astype(np.float64)
        days = np.zeros(len(at)) if today is None else np.maximum(today - self._when[at], 0.0)
        return self._steps(moving * days, moving)

    def pass_time(self, at: Offsets, today: float | None) -> None:
        """Let time pass for some states, distinct ones and all hot or all cold, until a day."""
        from qrja.adaptive.kernels import tracking as kernels

        shrink, add = self.steps(at, today)
        slot = self.slot[at]
        if (slot >= 0).all():
            kernels.move(self.P, self.x, self.used, slot, shrink, add)
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
