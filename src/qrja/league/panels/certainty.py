r"""Certainty: how well items are known by their comparisons, and what one more would add.

With ``K = (L + t I)^{-1}``, L the Laplacian of all comparisons, one more of i and j,
``d = e_i - e_j``, lowers the total variance by

    gain = |K d|^2 / (1 + d^T K d)

whatever its outcome: the rule of :mod:`qrja.ratings.suggest`, where t > 0 stands for what is known
of an item before it is compared, so that items that nobody saw and groups that never met come
first. Each comparison that comes or goes changes K, and ``H = K K``, by a matrix of small rank:

    u = K d,  s = 1/w + d^T u:    K' = K - u u^T / s,
    H' = H - (u v^T + v u^T) / s + (u^T u) u u^T / s^2,    v = K u

so that a question of a panel of hundreds of items is answered in a few milliseconds.

References
----------
F. Pukelsheim, Optimal Design of Experiments, 1993 (A-optimality). J. Sherman and W. J. Morrison,
Adjustment of an inverse matrix, 1950.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

import numpy as np

from qrja.data import Floats

KNOWN = 0.1
"""t: as if items differed by about three times the noise of a comparison, before any."""
MANY = 500
"""Items up to which K is kept; each of more is taken as if it were compared with the rest at
large, and the least compared ones are looked at."""
OFTEN = 2000
"""Changes after which K is found anew, so that rounding does not add up."""

Pair = tuple[str, str]


class Certainty:
    """What is known of some items by comparisons, following them as they come and go.

    Examples
    --------
    >>> known = Certainty()
    >>> known.follow(["tea", "milk", "gin"], [("tea", "milk")])
    >>> gain = known.gains()
    >>> bool(gain[0, 2] > gain[0, 1]), known.load
    (True, array([1., 1., 0.]))
    """

    def __init__(self) -> None:
        self.names: tuple[str, ...] = ()
        self.load: Floats = np.zeros(0)
        self._listed: tuple[str, ...] = ()
        self._met: Counter[Pair] = Counter()
        self._k: Floats | None = None
        self._h: Floats | None = None
        self._changes = 0

    def follow(self, names: Sequence[str], compared: Iterable[Pair]) -> None:
        """Take in which items there are, and all comparisons of them."""
        listed = tuple(names)
        there = set(listed)
        met = Counter((min(a, b), max(a, b)) for a, b in compared if a in there and b in there)
        change = met - self._met, self._met - met
        much = sum(map(len, change)) > len(listed) or self._changes > OFTEN
        if listed != self._listed or much or len(listed) > MANY:
            self._begin(listed, met)
        else:
            for sign, pairs in zip((1.0, -1.0), change, strict=True):
                for (a, b), times in pairs.items():
                    self._change(self._number[a], self._number[b], sign * times)
        self._met = met

    def _begin(self, listed: tuple[str, ...], met: Counter[Pair]) -> None:
        number = {name: i for i, name in enumerate(listed)}
        both = np.array([[number[a], number[b]] for a, b in met], dtype=np.int64).reshape(-1, 2)
        times = np.array(list(met.values()), dtype=np.float64)
        load = np.bincount(both.ravel(), np.repeat(times, 2), len(listed)).astype(np.float64)
        self._listed, self._changes, self._k, self._h = listed, 0, None, None
        kept = np.sort(np.argsort(load, kind="stable")[:MANY])
        self.names, self.load = tuple(listed[i] for i in kept), load[kept]
        self._number = {name: i for i, name in enumerate(self.names)}
        if len(listed) <= MANY:
            weights = np.zeros((len(listed), len(listed)))
            weights[both[:, 0], both[:, 1]] = times
            weights += weights.T
            inverse: Floats = np.linalg.inv(np.diag(load + KNOWN) - weights).astype(np.float64)
            self._k, self._h = inverse, inverse @ inverse

    def _change(self, i: int, j: int, weight: float) -> None:
        """Let a comparison come, or go."""
        assert self._k is not None
        assert self._h is not None
        u = self._k[i] - self._k[j]
        s = 1 / weight + u[i] - u[j]
        v = (self._k * u).sum(axis=1)  # not by the library of matrices, whose threads cost more
        both = np.outer(u, v)
        square = np.outer(u, u)
        self._h -= (both + both.T) / s - (u * u).sum() / s**2 * square
        self._k -= square / s
        self.load[[i, j]] += weight
        self._changes += 1

    def gains(self) -> Floats:
        """Return by how much a comparison of each two would lower the total variance."""
        if self._k is None or self._h is None:
            k = 1 / (self.load + KNOWN)
            return np.asarray(((k**2)[:, None] + k**2) / (1 + k[:, None] + k))
        h, k = np.diag(self._h), np.diag(self._k)
        far = h[:, None] + h - 2 * self._h
        near = k[:, None] + k - 2 * self._k
        return np.asarray(far / (1 + near))

    def allow(self, asked: Collection[str], closed: Iterable[frozenset[str]]) -> np.ndarray:
        """Return which pairs, each once, are of items that are asked about and not closed."""
        open_ = np.array([name in asked for name in self.names], dtype=bool)
        allowed = np.triu(open_[:, None] & open_, k=1)
        for pair in closed:
            where = sorted(self._number[name] for name in pair if name in self._number)
            if len(where) == 2:
                allowed[where[0], where[1]] = False
        return np.asarray(allowed)
