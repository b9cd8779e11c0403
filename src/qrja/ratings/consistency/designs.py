"""Designs: results of the same arms taken together, and the contrasts that they measure.

A design is a set of arms that one or more judgments, studies or contests compare. It measures the
contrasts of its k arms to the first of them, with the precision that these groups have together:

    margins m_d = (L_d)^+ (sum of pulls),     covariance of contrasts = B_d (L_d)^+ B_d^T

Who is anchored is one node, the ground, and anchored values are taken out of the margins. All
contrasts of all designs lie side by side; a pair of nodes is a combination of them, and so is the
margin that a cycle should have as 0.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse import block_diag, coo_array, csr_array

from qrja.data import Floats, Offsets, Problem, sum_by
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
    margins, blocks, parts, between, first = [], [], [], 0.0, 0
    for arms, laplacian, pull in _pool(problem):
        inverse: Floats = np.linalg.pinv(laplacian, hermitian=True, rcond=1e-12).astype(np.float64)
        left = inverse @ pull - x[arms]
        between += float(left @ laplacian @ left)
        means = inverse @ pull - known[arms]
        contrast = np.hstack([-np.ones((len(arms) - 1, 1)), np.eye(len(arms) - 1)])
        margins.append(contrast @ means)
        blocks.append(contrast @ inverse @ contrast.T)
        parts.append(_steps(node[arms], inverse, first))
        first += len(arms) - 1
    if not parts:
        return Designs(problem.n + 1, np.zeros(0), csr_array((0, 0)), _join(parts, 0), 0.0)
    covariance = csr_array(block_diag(blocks, format="csr"))
    return Designs(problem.n + 1, np.concatenate(margins), covariance, _join(parts, first), between)


def _pool(problem: Problem) -> list[tuple[Offsets, Floats, Floats]]:
    """Return arms, Laplacian and pull of each design."""
    pooled: dict[tuple[int, ...], list[Floats]] = {}
    for group in list_groups(problem, problem.score):
        if len(group.arms) < 2:
            continue
        key = tuple(group.arms.tolist())
        if key in pooled:
            pooled[key][0] += group.laplacian
            pooled[key][1] += group.pull
        else:
            pooled[key] = [group.laplacian.copy(), group.pull.copy()]
    return [(np.array(arms), laplacian, pull) for arms, (laplacian, pull) in pooled.items()]


class _Part(NamedTuple):
    one: Offsets
    other: Offsets
    place: Offsets
    sign: Floats
    conductance: Floats


def _steps(nodes: Offsets, inverse: Floats, first: int) -> _Part:
    """List the pairs of a design; arm t > 0 is contrast ``first + t - 1``, arm 0 none."""
    i, j = np.triu_indices(len(nodes), 1)
    between = inverse[i, i] + inverse[j, j] - 2.0 * inverse[i, j]
    turn = np.where(nodes[i] <= nodes[j], 1.0, -1.0)
    place = np.stack([np.where(i > 0, first + i - 1, -1), first + j - 1], axis=1)
    sign = np.stack([turn, -turn], axis=1)
    low, high = np.minimum(nodes[i], nodes[j]), np.maximum(nodes[i], nodes[j])
    return _Part(low, high, place, sign, 1.0 / between)


def _join(parts: list[_Part], size: int) -> ArmPairs:
    if not parts:
        none = np.zeros(0, np.int64)
        return ArmPairs(none, none, csr_array((0, 0)), np.zeros(0))
    one, other, place, sign, conductance = (
        np.concatenate(column) for column in zip(*parts, strict=True)
    )
    row = np.repeat(np.arange(len(one)), 2)
    some = place.ravel() >= 0
    where = row[some], place.ravel()[some]
    contrasts = coo_array((sign.ravel()[some], where), shape=(len(one), size)).tocsr()
    return ArmPairs(one, other, contrasts, conductance)


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
