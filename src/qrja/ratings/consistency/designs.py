"""Designs: results of the same arms taken together, and the contrasts that they measure.

A design is a set of arms that one or more judgments, studies or contests compare. It measures the
contrasts of its k arms to the first of them, with the precision that these groups have together:

    margins m_d = (L_d)^+ (sum of pulls),     covariance of contrasts = B_d (L_d)^+ B_d^T

Who is anchored is one node, the ground, and anchored values are taken out of the margins. All
contrasts of all designs lie side by side; a pair of nodes is a combination of them, and so is the
margin that a cycle should have as 0.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import block_diag, coo_array, csr_array, diags_array

from qrja.data import Floats, Mask, Offsets, Problem, sum_by
from qrja.ratings.precision import list_groups
from qrja.solution import Demands


class ArmPairs(NamedTuple):
    """A pair of arms within a design: nodes, contrasts (their numbers and signs), conductance."""

    low: Offsets
    high: Offsets
    contrasts: csr_array
    conductance: Floats


class Designs(NamedTuple):
    """All contrasts of all designs.

    ``margin`` and ``covariance`` are theirs; ``between`` is the misfit of designs around ratings
    and ``independent`` how many contrasts there are. ``n`` counts the nodes, the ground being last.
    """

    n: int
    margin: Floats
    covariance: csr_array
    steps: ArmPairs
    between: float

    @property
    def independent(self) -> int:
        """Number of contrasts."""
        return len(self.margin)


def find_designs(problem: Problem, demands: Demands, x: Floats) -> Designs:
    """Take results of the same arms together.

    Examples
    --------
    >>> from qrja import Judgments
    >>> from qrja.solvers import demands_on
    >>> judged = Judgments.from_arrays("aab", "bbc", [1, 3, 5])
    >>> designs = find_designs(judged, demands_on(judged), np.zeros(3))
    >>> designs.margin, designs.covariance.diagonal()
    (array([-2., -5.]), array([0.5, 1. ]))
    """
    node = np.where(demands.free, np.arange(problem.n), problem.n)
    known = np.where(demands.free, 0.0, demands.goal)
    is_plain = _are_plain(problem)
    first = _plain_pairs(problem, np.flatnonzero(is_plain), node, known, x)
    found, size = [first], len(first.margin)
    for arms, laplacian, pull in _pool(problem, np.flatnonzero(~is_plain)):
        inverse: Floats = np.linalg.pinv(laplacian, hermitian=True, rcond=1e-12).astype(np.float64)
        found.append(_design(arms, laplacian, inverse, inverse @ pull, node, known, x, size))
        size += len(arms) - 1
    parts = [one.steps for one in found]
    place = np.concatenate([part.place for part in parts])
    row = np.repeat(np.arange(len(place)), 2)
    some = place.ravel() >= 0
    sign = np.concatenate([part.sign for part in parts]).ravel()[some]
    contrasts = coo_array((sign, (row[some], place.ravel()[some])), shape=(len(place), size))
    one, other, conductance = (
        np.concatenate(column)
        for column in zip(*((p.one, p.other, p.conductance) for p in parts), strict=True)
    )
    return Designs(
        problem.n + 1,
        np.concatenate([one.margin for one in found]),
        csr_array(block_diag([one.covariance for one in found], format="csr")),
        ArmPairs(one, other, contrasts.tocsr(), conductance),
        sum(one.between for one in found),
    )


class _Steps(NamedTuple):
    """Pairs of arms: nodes, the contrasts that each is (-1 for none) with their signs."""

    one: Offsets
    other: Offsets
    place: Offsets
    sign: Floats
    conductance: Floats


class _Part(NamedTuple):
    margin: Floats
    covariance: Any
    steps: _Steps
    between: float


def _are_plain(problem: Problem) -> Mask:
    """Tell which rows compare two arms and stand for themselves."""
    plain = problem.sizes == 2
    if problem.study is not None:
        plain &= np.bincount(problem.study)[problem.study] == 1
    return np.asarray(plain)


def _plain_pairs(problem: Problem, rows: Offsets, node: Offsets, known: Floats, x: Floats) -> _Part:
    """Take judgments of the same two together, all pairs at once; each is one contrast."""
    entry = problem.start[rows]
    a, b = problem.who[entry].astype(np.int64), problem.who[entry + 1].astype(np.int64)
    # The contrast is that of the higher number to the lower.
    margin = np.where(a > b, 1.0, -1.0) * (problem.score[entry] - problem.score[entry + 1])
    low, high, w = np.minimum(a, b), np.maximum(a, b), problem.pair_weight[rows]
    key, place = np.unique(low * problem.n + high, return_inverse=True)
    low, high = np.divmod(key, problem.n)
    weight = sum_by(place, w, len(key))
    mean = sum_by(place, w * margin, len(key)) / weight
    turn = np.where(node[low] <= node[high], 1.0, -1.0)
    steps = _Steps(
        np.minimum(node[low], node[high]),
        np.maximum(node[low], node[high]),
        np.stack([np.full(len(key), -1), np.arange(len(key))], axis=1),
        np.stack([turn, -turn], axis=1),
        weight,
    )
    between = float(weight @ (mean - (x[high] - x[low])) ** 2)
    return _Part(mean - (known[high] - known[low]), diags_array(1.0 / weight), steps, between)


def _design(
    arms: Offsets,
    laplacian: Floats,
    inverse: Floats,
    means: Floats,
    node: Offsets,
    known: Floats,
    x: Floats,
    first: int,
) -> _Part:
    """Give a design of several arms its contrasts: that of arm t is ``first + t - 1``."""
    left, nodes = means - x[arms], node[arms]
    contrast = np.hstack([-np.ones((len(arms) - 1, 1)), np.eye(len(arms) - 1)])
    i, j = np.triu_indices(len(arms), 1)
    turn = np.where(nodes[i] <= nodes[j], 1.0, -1.0)
    steps = _Steps(
        np.minimum(nodes[i], nodes[j]),
        np.maximum(nodes[i], nodes[j]),
        np.stack([np.where(i > 0, first + i - 1, -1), first + j - 1], axis=1),
        np.stack([turn, -turn], axis=1),
        1.0 / (inverse[i, i] + inverse[j, j] - 2.0 * inverse[i, j]),
    )
    covariance = contrast @ inverse @ contrast.T
    between = float(left @ laplacian @ left)
    return _Part(contrast @ (means - known[arms]), covariance, steps, between)


def _pool(problem: Problem, rows: Offsets) -> list[tuple[Offsets, Floats, Floats]]:
    """Return arms, Laplacian and pull of each design of several arms."""
    pooled: dict[tuple[int, ...], list[Floats]] = {}
    for group in list_groups(problem, problem.score, rows):
        if len(group.arms) < 2:
            continue
        key = tuple(group.arms.tolist())
        if key in pooled:
            pooled[key][0] += group.laplacian
            pooled[key][1] += group.pull
        else:
            pooled[key] = [group.laplacian.copy(), group.pull.copy()]
    return [(np.array(arms), laplacian, pull) for arms, (laplacian, pull) in pooled.items()]


class Pairs(NamedTuple):
    """Distinct pairs of nodes: the steps of each taken together, by conductance.

    ``shares`` has a row per pair and a column per contrast; ``first`` is the first step of each.
    """

    low: Offsets
    high: Offsets
    shares: csr_array
    first: Offsets
    of: Offsets


def pair_up(designs: Designs) -> Pairs:
    """Take the steps between the same two nodes together; a step to itself is none."""
    steps = designs.steps
    proper = np.flatnonzero(steps.low != steps.high)
    key = steps.low[proper] * designs.n + steps.high[proper]
    found, first, place = np.unique(key, return_index=True, return_inverse=True)
    total = sum_by(place, steps.conductance[proper], len(found))
    part = steps.conductance[proper] / total[place]
    add = coo_array((part, (place, proper)), shape=(len(found), len(steps.low))).tocsr()
    of = np.full(len(steps.low), -1)
    of[proper] = place
    return Pairs(*np.divmod(found, designs.n), csr_array(add @ steps.contrasts), proper[first], of)
