"""Closures: by how much margins round a cycle miss adding up to 0, in standard errors.

    off = y_ab + y_bc + ... + y_za,     var off = c^T V c

with y the direct evidence on each pair, all its meetings together, and V their covariance: pairs
that share a study of several arms, or a contest, are correlated. Where errors are scaled, V is
times Q / df. A cycle inside one study closes by itself and says nothing.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from qrja.data import Floats, whole_number
from qrja.errors import InputError
from qrja.ratings.consistency.cycle_search import search_cycles
from qrja.ratings.consistency.designs import Designs, Pairs, find_designs, pair_up
from qrja.ratings.fitted import Fit
from qrja.ratings.intervals import Errors, find_standard_errors
from qrja.tables.out import build_frame

MOST_PAIRS = 20_000
"""Pairs who met in contests or judgments, up to which cycles are looked for."""
CLOSED = 1e-9
"""Share of the variances round a cycle below which its variance is rounding; and standard errors
that are."""


class Closure(NamedTuple):
    """A cycle that does not close.

    Parameters
    ----------
    contestants : tuple
        In order, turned so that the margins add up to more than 0.
    margins : tuple of float
        Of each over the next, of the last over the first.
    off, se : float
        What they add up to, and its standard error.
    z : float
        The one over the other.
    """

    contestants: tuple[Hashable, ...]
    margins: tuple[float, ...]
    off: float
    se: float
    z: float


def list_closures(
    ratings: Fit, most: int | None, longest: int = 5, errors: Errors | None = None
) -> list[Closure]:
    """List the cycles that close worst, the worst first."""
    longest = whole_number(longest, "longest", 3)
    standard = find_standard_errors(ratings, errors)
    problem, demands, x = ratings.model.ground(ratings.problem, ratings.squares)
    met = int((problem.sizes * (problem.sizes - 1) // 2).sum())
    if met > MOST_PAIRS:
        raise InputError(
            f"{met:,} pairs met, too many to look for cycles among; rate fewer {problem.noun}s"
        )
    designs = find_designs(problem, demands, x)
    pairs = pair_up(designs)
    names = (*problem.names, "the anchors")
    scale = standard.factor * np.sqrt(_unit(ratings))
    found: list[Closure] = []
    for cycles in search_cycles(designs.n, pairs.low, pairs.high, longest):
        columns = csr_array(cycles.matrix(len(pairs.low)))
        off, variance = _sums(designs, pairs, columns)
        z = np.divide(off, scale * np.sqrt(variance), out=np.zeros(len(off)), where=variance > 0)
        margin = np.asarray(pairs.shares @ designs.margin)
        for row in np.argsort(-np.round(np.abs(z), 9), kind="stable")[:most].tolist():
            if abs(z[row]) < CLOSED:
                break
            said = cycles.sign[row] * margin[cycles.pair[row]]
            se = float(scale * np.sqrt(variance[row]))
            found.append(_turned(names, cycles.nodes[row].tolist(), said.tolist(), se))
    found.sort(key=lambda one: -round(one.z, 9))
    return found[:most]


def _unit(ratings: Fit) -> float:
    """Return the variance of what conducts 1: 1 for judgments, for contests that of their pairs."""
    multiple = ratings.covariance.multiple
    if multiple is None:
        raise InputError(
            "contests of unequal sizes have no covariance of pairs; look at the triangles of trust"
        )
    return multiple


def _sums(designs: Designs, pairs: Pairs, columns: csr_array) -> tuple[Floats, Floats]:
    """Return what margins round each cycle add up to, and the variance of that."""
    turned = csr_array(columns.T @ pairs.shares)
    variance = np.asarray(csr_array(turned @ designs.covariance).multiply(turned).sum(axis=1))
    apart = csr_array(abs(turned)).multiply(abs(turned)) @ designs.covariance.diagonal()
    variance = variance.ravel()
    return np.asarray(turned @ designs.margin), np.where(variance > CLOSED * apart, variance, 0.0)


def _turned(names: tuple[Hashable, ...], nodes: list[int], said: list[float], se: float) -> Closure:
    """Name a cycle, turned so that its margins add up to more than 0."""
    off = sum(said)
    if off < 0:
        nodes, said = nodes[:1] + nodes[:0:-1], [-one for one in reversed(said)]
    return Closure(tuple(names[i] for i in nodes), tuple(said), abs(off), se, abs(off) / se)


def tabulate_closures(
    ratings: Fit, most: int | None, longest: int, errors: Errors | None, kind: str | None
) -> Any:
    """Lay out the cycles that close worst, see :meth:`qrja.Ratings.cycles`."""
    rows = list_closures(ratings, most, longest, errors)
    columns: dict[str, list[Any]] = {
        "cycle": [" - ".join(map(str, one.contestants)) for one in rows],
        "length": [len(one.contestants) for one in rows],
        "off": [one.off for one in rows],
        "se": [one.se for one in rows],
        "z": [one.z for one in rows],
    }
    return build_frame(columns, ratings.kind if kind is None else kind)
