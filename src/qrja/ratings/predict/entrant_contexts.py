"""Contexts of a start list: before which voter, on which surface entrants meet.

    expected result = what ratings say + the effect of the context

An entrant who was never seen in that context, or of whom none is said, may differ by as much as
contestants do: the spread says so.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from qrja.data import Floats, Index
from qrja.ratings.fitted import Fit
from qrja.ties import Contexts


class InContext(NamedTuple):
    """What contexts add to each entrant, and to the variance of the result; notes on it."""

    added: Floats
    variance: Floats
    notes: list[str]


def add_contexts(ratings: Fit, who: Index, said: list[dict[str, Any]] | None) -> InContext:
    """Return what the contexts of entrants change; numbers below 0 are of newcomers."""
    moved = ratings.moved
    added, variance = np.zeros(len(who)), np.zeros(len(who))
    if moved is None or not isinstance(moved.periods, Contexts) or ratings.model.per is None:
        return InContext(added, variance, [])
    nodes, notes, unknown = moved.periods, [], False
    labels = {str(label): k for k, label in enumerate(nodes.labels)}
    name = ratings.model.per.name
    for at, i in enumerate(who.tolist()):
        variance[at] = moved.tau**2
        value = None if said is None else said[at].get(name)
        unknown |= value is None
        if i < 0 or value is None:
            continue
        level = labels.get(f"{value:g}" if isinstance(value, float) else str(value))
        own = nodes.nodes_of(i)
        found = own[nodes.level[own] == level] if level is not None else own[:0]
        if len(found):
            added[at] = float(moved.x[found[0]] - moved.latest[i])
            both = ratings.path_covariance.of_nodes(
                np.array([found[0], nodes.last[i]], dtype=np.int32), np.array([i, i])
            )
            variance[at] = float(both[0] - both[1])
            amount = ratings.units.show(float(added[at]))
            notes.append(f"{name} {value} adds {amount} for {ratings.problem.names[i]}")
    if unknown:
        first = ratings.problem.names[max(int(who[0]), 0)]
        notes.append(f"no {name} is said; write '{first} ({name}={nodes.labels[0]})' for one")
    return InContext(added, variance, notes)
