"""Compiled: products with a Laplacian whose pairs are listed node by node."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from qrja.data import Floats, Index, Offsets, order_by, sum_by
from qrja.jit import compiled, in_arrays, kernel


class Rows(NamedTuple):
    """The pairs seen from either end: those of node i are ``start[i]:start[i + 1]``."""

    start: Offsets
    neighbour: Index
    pair: Index


@compiled
def adjacency(n: int, lows: Index, highs: Index) -> Rows:
    """Return the pairs of every node."""
    start = np.zeros(n + 1, np.int64)
    for k in range(len(lows)):
        start[lows[k] + 1] += 1
        start[highs[k] + 1] += 1
    start = np.cumsum(start)
    place = start[:-1].copy()
    neighbour, pair = np.empty(2 * len(lows), np.int32), np.empty(2 * len(lows), np.int32)
    for k in range(len(lows)):
        high = highs[k]
        neighbour[place[high]], pair[place[high]] = lows[k], k
        place[high] += 1
    for k in range(len(lows)):
        low = lows[k]
        neighbour[place[low]], pair[place[low]] = highs[k], k
        place[low] += 1
    return Rows(start, neighbour, pair)


@in_arrays(adjacency)
def _adjacency(n: int, lows: Index, highs: Index) -> Rows:
    ends, pair = np.concatenate([highs, lows]), np.tile(np.arange(len(lows), dtype=np.int32), 2)
    order = order_by(ends)
    start = np.concatenate([[0], np.cumsum(np.bincount(ends, minlength=n))]).astype(np.int64)
    neighbour = np.concatenate([lows, highs])[order].astype(np.int32)
    return Rows(start, neighbour, pair[order])


def _row_of(rows: Rows) -> Offsets:
    """Return the row of each entry."""
    return np.repeat(np.arange(len(rows.start) - 1), np.diff(rows.start))


@compiled
def lay_weights(rows: Rows, conductance: Floats) -> Any:
    """Return the weight of each entry of the rows, and the sum of each row."""
    value, diagonal = np.empty(len(rows.pair)), np.zeros(len(rows.start) - 1)
    for i in range(len(diagonal)):
        for e in range(rows.start[i], rows.start[i + 1]):
            value[e] = conductance[rows.pair[e]]
            diagonal[i] += value[e]
    return value, diagonal


@in_arrays(lay_weights)
def _lay_weights(rows: Rows, conductance: Floats) -> tuple[Floats, Floats]:
    value = conductance[rows.pair]
    return value, sum_by(_row_of(rows), value, len(rows.start) - 1)


@kernel
def multiply(rows: Rows, value: Floats, x: Floats, out: Floats) -> None:
    """Multiply by the Laplacian in the form of differences, which cancels nothing."""
    for i in range(len(out)):
        total, own = 0.0, x[i]
        for e in range(rows.start[i], rows.start[i + 1]):
            total += value[e] * (own - x[rows.neighbour[e]])
        out[i] = total


@in_arrays(multiply)
def _multiply(rows: Rows, value: Floats, x: Floats, out: Floats) -> None:
    row = _row_of(rows)
    out[:] = sum_by(row, value * (x[row] - x[rows.neighbour]), len(out))
