"""Compiled: how good the predictions of many members are of one contest.

    right[m]     = pairs that member m puts in order, a tie counting half
    loss[s, m]   = sum over pairs of |(y_i - y_j) - scale_s (q_im - q_jm)|

    brier[s, m]  = sum over pairs that differ of (chance - outcome)^2, of chances by steepness s

Of a field of more than FEW, each entrant is compared with OFFSETS others, evenly spread over the
listing; the sum of absolute differences follows from sorted errors, whatever the size.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from qrja.jit import compiled, in_arrays, kernel, numeric

FEW = 300
"""Entrants up to which every pair is looked at."""
OFFSETS = 100
SOME = 12
"""Others that each entrant meets where chances are judged, which cost an exponential each."""
MOST = 30.0
"""The largest surprise: a chance of nothing that comes all the same is not punished without end."""


@compiled
def count_right(y: Any, q: Any, right: Any) -> None:
    """Add to ``right`` the pairs that each column of q puts in the order of y."""
    k, members = q.shape
    if k <= FEW:
        for i in range(k):
            for j in range(i):
                _compare(y, q, i, j, members, right)
        return
    for step in range(OFFSETS):
        apart = 1 + step * (k // 2 - 1) // (OFFSETS - 1)
        for i in range(k):
            _compare(y, q, i, (i + apart) % k, members, right)


@in_arrays(count_right, beyond=0)
def _count_right(y: Any, q: Any, right: Any) -> None:
    for one, other in _pairs_of(len(y)):
        up = np.sign(y[one] - y[other])[:, None]
        ahead = up * (q[one] - q[other])
        right += ((ahead > 0) + 0.5 * ((ahead == 0) & (up != 0))).sum(axis=0)


def _pairs_of(k: int) -> Iterator[tuple[Any, Any]]:
    """Yield the two of each pair that is looked at, some hundred pairs at a time."""
    here = np.arange(k)
    if k > FEW:
        for step in range(OFFSETS):
            yield here, (here + 1 + step * (k // 2 - 1) // (OFFSETS - 1)) % k
        return
    for i in range(1, k):
        yield here[i : i + 1], here[:i]


@compiled
def _compare(y: Any, q: Any, i: Any, j: Any, members: Any, right: Any) -> None:
    if y[i] == y[j]:
        return
    up = 1.0 if y[i] > y[j] else -1.0
    for m in range(members):
        d = up * (q[i, m] - q[j, m])
        right[m] += 1.0 if d > 0 else (0.5 if d == 0 else 0.0)


@compiled
def add_losses(y: Any, q: Any, scales: Any, loss: Any) -> None:
    """Add to ``loss``, a row per scale and a column per member, the absolute errors of margins."""
    k, members = q.shape
    if k == 2:
        for m in range(members):
            for s in range(len(scales)):
                loss[s, m] += abs(y[0] - y[1] - scales[s] * (q[0, m] - q[1, m]))
        return
    error = np.empty(k)
    for m in range(members):
        for s in range(len(scales)):
            for i in range(k):
                error[i] = y[i] - scales[s] * q[i, m]
            error.sort()
            total = 0.0
            for i in range(k):
                total += (2 * i - k + 1) * error[i]
            loss[s, m] += total


@in_arrays(add_losses, beyond=0)
def _add_losses(y: Any, q: Any, scales: Any, loss: Any) -> None:
    k = len(y)
    signs = (2.0 * np.arange(k) - k + 1)[:, None]
    for s, scale in enumerate(scales):
        errors = y[:, None] - scale * q
        errors.sort(axis=0)
        loss[s] += (signs * errors).sum(axis=0)


@numeric
def add_briers(y: Any, q: Any, steep: float, briers: Any) -> None:
    """Add to ``briers`` the squared errors of each column of q as a bet, by steepness.

    Chances are 1 / (1 + exp(-s d)) of a difference d; row r of ``briers`` has s = steep 2^(r/2), so
    that every second exponential is the square of another. Of a larger field, each entrant meets
    SOME others, evenly spread over the listing.
    """
    k, members = q.shape
    half, rows = k // 2, len(briers)
    for step in range(min(half, SOME)):
        offset = 1 + (step if half <= SOME else step * (half - 1) // (SOME - 1))
        # Of an even field, the offset of half of it meets every pair twice.
        for i in range(half if 2 * offset == k else k):
            j = (i + offset) % k
            if y[i] == y[j]:
                continue
            up = steep if y[i] > y[j] else -steep
            for m in range(members):
                z = min(up * (q[i, m] - q[j, m]), 700.0)
                one, other = np.exp(z), np.exp(min(z * np.sqrt(2.0), 700.0))
                for r in range(0, rows, 2):
                    wrong = 1.0 / (1.0 + one)
                    briers[r, m] += wrong * wrong
                    wrong = 1.0 / (1.0 + other)
                    briers[r + 1, m] += wrong * wrong
                    one *= one
                    other *= other


@in_arrays(add_briers, beyond=0)
def _add_briers(y: Any, q: Any, steep: float, briers: Any) -> None:
    k, steeps = len(y), steep * 2.0 ** (np.arange(len(briers)) / 2)
    half = k // 2
    for step in range(min(half, SOME)):
        offset = 1 + (step if half <= SOME else step * (half - 1) // (SOME - 1))
        one = np.arange(half if 2 * offset == k else k)
        other = (one + offset) % k
        up = np.sign(y[one] - y[other])[:, None]
        z = np.minimum(steeps[:, None, None] * (up * (q[one] - q[other])), 700.0)
        briers += np.where(up == 0, 0.0, 1.0 / (1.0 + np.exp(z)) ** 2).sum(axis=1)


@compiled
def add_surprises(y: Any, x: Any, lack: Any, doubts: Any, steeps: Any, surprises: Any) -> None:
    """Add to ``surprises``, by doubt and steepness, minus the logarithms of chances that came."""
    k = len(y)
    half = k // 2
    for step in range(min(half, SOME)):
        offset = 1 + (step if half <= SOME else step * (half - 1) // (SOME - 1))
        for i in range(half if 2 * offset == k else k):
            j = (i + offset) % k
            if y[i] == y[j]:
                continue
            up = 1.0 if y[i] > y[j] else -1.0
            for d in range(len(doubts)):
                z = up * (x[i] - x[j]) / np.sqrt(1.0 + doubts[d] * (lack[i] + lack[j]))
                for s in range(len(steeps)):
                    w = min(-steeps[s] * z, MOST)
                    surprises[d, s] += w if w > 40.0 else np.log1p(np.exp(w))


@in_arrays(add_surprises, beyond=0)
def _add_surprises(y: Any, x: Any, lack: Any, doubts: Any, steeps: Any, surprises: Any) -> None:
    k = len(y)
    half = k // 2
    for step in range(min(half, SOME)):
        offset = 1 + (step if half <= SOME else step * (half - 1) // (SOME - 1))
        one = np.arange(half if 2 * offset == k else k)
        other = (one + offset) % k
        up = np.sign(y[one] - y[other])
        z = up * (x[one] - x[other]) / np.sqrt(1.0 + doubts[:, None] * (lack[one] + lack[other]))
        w = np.minimum(-steeps[:, None] * z[:, None], MOST)
        surprises += np.where(up == 0, 0.0, np.logaddexp(0.0, w)).sum(axis=2)


@kernel
def add_products(gain: Any, products: Any) -> None:
    """Add the products of gains to those of each member with itself and the earlier ones."""
    for i in range(len(gain)):
        for j in range(i + 1):
            products[i, j] += gain[i] * gain[j]


@in_arrays(add_products, beyond=0)
def _add_products(gain: Any, products: Any) -> None:
    products += np.tril(np.outer(gain, gain))
