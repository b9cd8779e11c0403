"""Compiled: sweeps of many fits at once over the contests so far.

Members that share their half-lives share the weights of entries and are kept side by side, a lane
each. With a the weight of an entry, u its share of the contestant's weight and r = g - x - t its
residual, a sweep solves for every contest, then for every contestant,

    t_c = sum_i (w_ic (g_ic - x_i) - F u_ic x_i) / sum_i (w_ic + F u_ic)
    x_i = sum_c (w_ic (g_ic - t_c) - F u_ic t_c) / (sum_c w_ic + F + Z)

with w = a min(1, delta / |r|), F = field L and Z = zero L. For least squares (delta infinite) each
is the minimiser of :mod:`qrja.adaptive.objective` in its block; for Huber's loss that of a parabola
which lies above it and touches it. So no sweep ever raises the objective.

Everywhere x has a table for each set of half-lives, with a row per contestant and a column per
lane, and t one with a row per contest; ``reading`` says which row of g a lane reads, ``delta``
where its loss turns linear, ``field`` and ``zero`` what pulls toward the fields met and toward 0.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from qrja.jit import in_arrays, kernel, numeric, tiny, tiny_vector

LEAST = 2.0**-20
"""However many contests of one's own followed, an entry keeps this share of its weight."""
FORGOTTEN = 12.0
"""Half-lives after which a contest is left out."""


@kernel
def welcome(
    start: Any, who: Any, ordinal: Any, g: Any, reading: Any, field: Any, zero: Any, x: Any, t: Any
) -> None:
    """Begin the newest contest at what is known of its field, and newcomers by their one result."""
    c = len(start) - 2
    for h in range(len(x)):
        for l in range(len(reading)):
            r, level, known = reading[l], 0.0, 0
            for e in range(start[c], start[c + 1]):
                if ordinal[e] > 0:
                    level += g[r, e] - x[h, who[e], l]
                    known += 1
            level /= max(known, 1)
            t[h, c, l] = level
            own = 1.0 + field[l] + zero[l]
            for e in range(start[c], start[c + 1]):
                if ordinal[e] == 0:
                    x[h, who[e], l] = (g[r, e] - (1.0 + field[l]) * level) / own


@in_arrays(welcome, beyond=0)
def _welcome(
    start: Any, who: Any, ordinal: Any, g: Any, reading: Any, field: Any, zero: Any, x: Any, t: Any
) -> None:
    entries = slice(start[-2], start[-1])
    who, known = who[entries], ordinal[entries] > 0
    g = g[reading, entries].T
    level = (g[known] - x[:, who[known]]).sum(axis=1) / max(int(known.sum()), 1)
    t[:, len(start) - 2] = level
    own = (g[~known] - (1.0 + field) * level[:, None]) / (1.0 + field + zero)
    x[:, who[~known]] = own


@numeric
def refit(
    start: Any,
    who: Any,
    ordinal: Any,
    count: Any,
    weight: Any,
    day: Any,
    rates: Any,
    fading: Any,
    first: Any,
    g: Any,
    reading: Any,
    delta: Any,
    field: Any,
    zero: Any,
    x: Any,
    t: Any,
    often: float,
    sweeps: int,
) -> None:
    """Lower the objectives of all members that are due, in place.

    ``rates`` has a row for each set of half-lives, one over those in contests and in days;
    ``fading`` has what is left after so many contests of one's own, and ``first`` the first contest
    that counts, which moves on.
    """
    contests, n, lanes = len(start) - 1, x.shape[1], x.shape[2]
    longest, robust = 0, False
    for c in range(contests):
        longest = max(longest, start[c + 1] - start[c])
    for l in range(lanes):
        robust = robust or delta[l] < np.inf
    a, u = np.empty(len(who)), np.empty(len(who))
    total, counting = np.zeros(n), np.empty(n, np.int64)
    above, below, w = np.empty((n, lanes)), np.empty((n, lanes)), np.empty((longest, lanes))
    scratch = np.empty((3, lanes))
    for h in range(len(rates)):
        begin = first[h]
        while begin < contests and _age(begin, contests, day, rates[h]) >= FORGOTTEN:
            begin += 1
        first[h] = begin
        if contests % (1 + int((contests - begin) / often)) != 0:
            continue
        m = 0
        for c in range(begin, contests):
            fresh = weight[c] * 2.0 ** -_age(c, contests, day, rates[h])
            for e in range(start[c], start[c + 1]):
                i = who[e]
                later = count[i] - 1 - ordinal[e]
                a[e] = fresh * fading[h, min(later, fading.shape[1] - 1)]
                if total[i] == 0.0:
                    counting[m] = i
                    m += 1
                total[i] += a[e]
        for e in range(start[begin], len(who)):
            u[e] = a[e] / total[who[e]]
        for _ in range(sweeps):
            _sweep(
                begin, start, who, g, reading, a, u, delta, robust, field, zero, x[h], t[h],
                counting[:m], above, below, scratch, w,
            )  # fmt: skip
        for k in range(m):
            total[counting[k]] = 0.0


@in_arrays(refit, beyond=0)
def _refit(
    start: Any,
    who: Any,
    ordinal: Any,
    count: Any,
    weight: Any,
    day: Any,
    rates: Any,
    fading: Any,
    first: Any,
    g: Any,
    reading: Any,
    delta: Any,
    field: Any,
    zero: Any,
    x: Any,
    t: Any,
    often: float,
    sweeps: int,
) -> None:
    contests, sizes = len(start) - 1, np.diff(start)
    later = count[who] - 1 - ordinal
    # Squares take less than Huber's loss.
    lanes = [some for some in (delta == np.inf, delta < np.inf) if some.any()]
    for h in range(len(rates)):
        age, first[h] = _ages(day, rates[h])
        if contests % (1 + int((contests - first[h]) / often)):
            continue
        a = _weights(age, sizes, weight, later, fading[h])
        entries = Counting.of(first[h], start, who, a, x.shape[1])
        for some in lanes:
            own = g[reading[some], start[first[h]] : start[-1]].T
            x_some, t_some = x[h][:, some], t[h, first[h] : contests, some].T
            numbers = delta[some], field[some], zero[some]
            _sweep_in_arrays(entries, np.ascontiguousarray(own), *numbers, x_some, t_some, sweeps)
            x[h][:, some], t[h, first[h] : contests, some] = x_some, t_some.T


def weigh(
    start: Any,
    who: Any,
    ordinal: Any,
    count: Any,
    weight: Any,
    day: Any,
    rates: Any,
    fading: Any,
) -> tuple[Any, int]:
    """Return the weights of all entries by one set of half-lives, and the first that counts."""
    age, first = _ages(day, rates)
    return _weights(age, np.diff(start), weight, count[who] - 1 - ordinal, fading), first


def _ages(day: Any, rates: Any) -> tuple[Any, int]:
    """Return how many half-lives ago each contest was, and the first that counts."""
    age = np.arange(len(day) - 1.0, -1.0, -1.0) * rates[0] + (day[-1] - day) * rates[1]
    return age, int((-age).searchsorted(-FORGOTTEN, "right"))


def _weights(age: Any, sizes: Any, weight: Any, later: Any, fading: Any) -> Any:
    """Return what entries weigh, ``later`` being how many more of their contestants there are."""
    fresh = (weight * 2.0**-age).repeat(sizes)
    return fresh * fading[np.minimum(later, len(fading) - 1)]


@tiny
def _age(c: Any, contests: Any, day: Any, rates: Any) -> Any:
    """Return how many half-lives ago a contest was."""
    return (contests - 1 - c) * rates[0] + (day[contests - 1] - day[c]) * rates[1]


@tiny_vector
def _sweep(
    first: Any,
    start: Any,
    who: Any,
    g: Any,
    reading: Any,
    a: Any,
    u: Any,
    delta: Any,
    robust: Any,
    field: Any,
    zero: Any,
    x: Any,
    t: Any,
    counting: Any,
    above: Any,
    below: Any,
    scratch: Any,
    w: Any,
) -> None:
    """Solve for every contest and then for every contestant once.

    One array is written in each loop over lanes: of more, the compiler fears that they overlap.
    Whoever has no other entry follows the level wherever it goes, and is solved for along with it:
    what is left of such an entry is how much Z minds.
    """
    lanes, contests = x.shape[1], len(start) - 1
    top, bottom, read = scratch[0], scratch[1], scratch[2]
    for i in counting:
        for l in range(lanes):
            above[i, l] = 0.0
            below[i, l] = field[l] + zero[l]
    for c in range(first, contests):
        for l in range(lanes):
            top[l] = 0.0
            bottom[l] = 0.0
        for e in range(start[c], start[c + 1]):
            i, k, ue, ae = np.uintp(who[e]), e - start[c], u[e], a[e]
            for l in range(lanes):
                read[l] = g[reading[l], e]
            for l in range(lanes):
                w[k, l] = ae
            if robust:
                for l in range(lanes):
                    w[k, l] = ae / max(1.0, abs(read[l] - x[i, l] - t[c, l]) / delta[l])
            if ue == 1.0:
                for l in range(lanes):
                    minds = zero[l] / (w[k, l] + field[l] + zero[l])
                    top[l] += minds * w[k, l] * read[l]
                    bottom[l] += minds * (w[k, l] + field[l])
            else:
                for l in range(lanes):
                    top[l] += w[k, l] * (read[l] - x[i, l]) - field[l] * ue * x[i, l]
                for l in range(lanes):
                    bottom[l] += w[k, l] + field[l] * ue
        for l in range(lanes):
            t[c, l] = top[l] / bottom[l]
        for e in range(start[c], start[c + 1]):
            i, k, ue = np.uintp(who[e]), e - start[c], u[e]
            for l in range(lanes):
                read[l] = g[reading[l], e]
            for l in range(lanes):
                above[i, l] += w[k, l] * (read[l] - t[c, l]) - field[l] * ue * t[c, l]
            for l in range(lanes):
                below[i, l] += w[k, l]
    for l in range(lanes):
        top[l] = 0.0
    for i in counting:
        for l in range(lanes):
            x[i, l] = above[i, l] / below[i, l]
        for l in range(lanes):
            top[l] += x[i, l]
    # Only Z minds where the mean is, and sweeps are slow at it: scores move to mean 0 at once.
    for l in range(lanes):
        top[l] /= max(len(counting), 1)
    for i in counting:
        for l in range(lanes):
            x[i, l] -= top[l]
    for c in range(first, contests):
        for l in range(lanes):
            t[c, l] += top[l]


class Counting(NamedTuple):
    """The entries that count by one set of half-lives, by contest and by contestant."""

    who: Any
    a: Any
    """What each weighs, ``u`` as a share of all of its contestant, and which are ``alone``."""
    u: Any
    alone: Any
    sizes: Any
    """Of contests; the ``places`` at which they begin, and whether all of them ``are_pairs``."""
    places: Any
    are_pairs: bool
    by_who: Any
    """Their order by contestant, the ``heads`` of each there, and who these contestants are."""
    heads: Any
    there: Any

    @classmethod
    def of(cls, first: int, start: Any, who: Any, a: Any, n: int) -> Counting:
        """Look at the entries of the contests from number ``first`` on."""
        begin, sizes = start[first], np.diff(start[first:])
        who, a = who[begin:], a[begin:]
        u = (a / np.bincount(who, a, minlength=n)[who])[:, None]
        alone = u == 1.0
        by_who = np.argsort(who, kind="stable")
        heads = np.flatnonzero(np.diff(who[by_who], prepend=-1))
        are_pairs = len(who) == 2 * len(sizes) and bool((sizes == 2).all())
        return cls(
            who, a[:, None], u, alone if alone.any() else None, sizes, start[first:-1] - begin,
            are_pairs, by_who, heads, who[by_who[heads]],
        )  # fmt: skip

    def by_contest(self, values: Any) -> Any:
        """Sum over the entries of each contest; of pairs, much sooner than ``reduceat`` does."""
        if self.are_pairs:
            return values[0::2] + values[1::2]
        return np.add.reduceat(values, self.places)

    def by_contestant(self, values: Any) -> Any:
        """Sum over the entries of each contestant."""
        return np.add.reduceat(values.take(self.by_who, axis=0), self.heads)

    def spread(self, values: Any) -> Any:
        """Give each entry the value of its contest."""
        return values.repeat(2 if self.are_pairs else self.sizes, axis=0)


def _sweep_in_arrays(
    entries: Counting, g: Any, delta: Any, field: Any, zero: Any, x: Any, t: Any, sweeps: int
) -> None:
    """Sweep in place; what does not differ between lanes is a column."""
    alone, there = entries.alone, entries.there
    # Only errors that are large change what entries weigh, from sweep to sweep.
    is_fixed, pulls = not (delta < np.inf).any(), bool(field.any())
    w = entries.a
    for sweep in range(sweeps):
        at = x.take(entries.who, axis=0)
        if not is_fixed:
            off = g - at
            off -= entries.spread(t)
            np.abs(off, out=off)
            off /= delta
            w = entries.a / np.maximum(1.0, off, out=off)
        if sweep == 0 or not is_fixed:
            pull, stiff = w * g, w + field * entries.u if pulls else w
            minds = None if alone is None else np.where(alone, zero / (stiff + zero), 1.0)
            bottom = entries.by_contest(stiff if minds is None else minds * stiff)
            top = entries.by_contest(pull if minds is None else minds * pull)
            follows = stiff if minds is None else np.where(alone, 0.0, stiff)
            above = entries.by_contestant(pull) if is_fixed else 0.0
            below = entries.by_contestant(w) + (field + zero)
        at *= follows
        t[:] = (top - entries.by_contest(at)) / bottom
        level = entries.spread(t)
        level *= stiff
        np.subtract(0.0 if is_fixed else pull, level, out=level)
        found = (above + entries.by_contestant(level)) / below
        mean = found.sum(axis=0) / len(there)
        found -= mean
        x[there] = found
        t += mean
