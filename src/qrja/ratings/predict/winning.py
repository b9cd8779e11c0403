"""Winning: the probability that one result is better than another."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import ndtr, stdtr, stdtrit

from qrja.data import Floats

NODES = 64
"""Equally likely values of one result over which the chance of the other is averaged."""


def beats(margin: Floats, mine: Floats, theirs: Floats, tail: float) -> Floats:
    """Return the probability of each to win by an expected margin, with these spreads.

    Examples
    --------
    >>> beats(np.array([0.0, 5.0]), np.array([3.0, 3.0]), np.array([4.0, 4.0]), math.inf).round(3)
    array([0.5  , 0.841])
    """
    levels = (np.arange(NODES) + 0.5) / NODES
    least = np.finfo(np.float64).tiny
    if tail == math.inf:
        return np.asarray(ndtr(margin / np.maximum(np.hypot(mine, theirs), least)))
    unit = math.sqrt(tail / (tail - 2))
    nodes = stdtrit(tail, levels) / unit
    total = np.zeros(len(margin))
    for node in nodes:
        total += stdtr(tail, (margin + mine * node) / np.maximum(theirs, least) * unit)
    return np.asarray(total / NODES)
