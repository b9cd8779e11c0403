"""Compiled: how good the predictions of many members are of one contest.

    right[m]     = pairs that member m puts in order, a tie counting half
    loss[s, m]   = sum over pairs of |(y_i - y_j) - scale_s (q_im - q_jm)|

Of a field of more than FEW, each entrant is compared with OFFSETS others, evenly spread over the
listing; the sum of absolute differences follows from sorted errors, whatever the size.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from qrja.jit import compiled, in_arrays

FEW = 300
"""Entrants up to which every pair is looked at."""
OFFSETS = 100


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


@compiled
def add_briers(y: Any, x: Any, lack: Any, doubts: Any, steeps: Any, briers: Any) -> None:
    """Add to ``briers``, by doubt and steepness, the squared errors of the chances to win."""
    k = len(y)
    apart = OFFSETS if k > FEW else k // 2
    for step in range(apart):
        offset = 1 + (step * (k // 2 - 1) // (OFFSETS - 1) if k > FEW else step)
        # Of an even field, the offset of half of it meets every pair twice.
        for i in range(k // 2 if 2 * offset == k else k):
            j = (i + offset) % k
            if y[i] == y[j]:
                continue
            up = 1.0 if y[i] > y[j] else -1.0
            for d in range(len(doubts)):
                z = up * (x[i] - x[j]) / np.sqrt(1.0 + doubts[d] * (lack[i] + lack[j]))
                for s in range(len(steeps)):
                    wrong = 1.0 / (1.0 + np.exp(min(steeps[s] * z, 700.0)))
                    briers[d, s] += wrong * wrong


@in_arrays(add_briers, beyond=0)
def _add_briers(y: Any, x: Any, lack: Any, doubts: Any, steeps: Any, briers: Any) -> None:
    k, here = len(y), np.arange(len(y))
    for step in range(OFFSETS if k > FEW else k // 2):
        offset = 1 + (step * (k // 2 - 1) // (OFFSETS - 1) if k > FEW else step)
        one = here[: k // 2] if 2 * offset == k else here
        other = (one + offset) % k
        up = np.sign(y[one] - y[other])
        z = up * (x[one] - x[other]) / np.sqrt(1.0 + doubts[:, None] * (lack[one] + lack[other]))
        wrong = 1.0 / (1.0 + np.exp(np.minimum(steeps[:, None] * z[:, None], 700.0)))
        briers += np.where(up == 0, 0.0, wrong**2).sum(axis=2)
