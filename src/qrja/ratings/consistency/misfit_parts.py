"""Parts of the misfit: within repeated meetings, round short cycles, round longer ones.

With y the contrasts of designs (:mod:`~qrja.ratings.consistency.designs`), V their covariance and C
columns that should have ``C^T y = 0``, the chi-square of all of them together is

    Q_C = (C^T y)^T (C^T V C)^+ (C^T y),     degrees of freedom = rank C

Taken for ever more columns (the same pair in different designs, then triangles, then cycles of 4
and 5, then all) its growth splits Q, and the growth of the rank splits its degrees of freedom: all
parts add up. What is left within designs belongs to repeated meetings as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from qrja.data import Floats
from qrja.ratings.consistency.cycle_search import search_cycles
from qrja.ratings.consistency.designs import Designs, Pairs, find_designs, pair_up
from qrja.ratings.fitted import Fit
from qrja.ratings.precision import Misfit, measure_misfit

KINDS = ("triangles", "cycles of 4 and 5")
LONGEST = 5
"""Pairs of the longest cycle that is called short."""
MOST_CONTRASTS = 800
"""Contrasts of designs up to which the misfit is split: matrices of that size are decomposed."""
RANK = 1e-9
"""Share of the largest eigenvalue from which one counts: sums of cycles are whole numbers."""


@dataclass(frozen=True)
class MisfitPart:
    """One part of Q: where it goes round, and its degrees of freedom."""

    kind: str
    q: float
    df: int

    @property
    def p(self) -> float:
        """The chance of as much if errors are as stated."""
        return Misfit(self.q, self.df).p

    def to_dict(self) -> dict[str, Any]:
        """Give the numbers for JSON."""
        return asdict(self) | {"p": None if self.df == 0 else self.p}


def split_misfit(ratings: Fit) -> tuple[MisfitPart, ...]:
    """Split Q and its degrees of freedom; nothing where that is not defined, or takes long.

    Examples
    --------
    >>> import qrja
    >>> judged = qrja.Judgments.from_arrays("aabc", "bbca", [1, 3, 1, -6], se=[1, 1, 1, 1])
    >>> for part in split_misfit(qrja.fit(judged)):
    ...     print(part.kind, round(part.q, 9), part.df)
    repeated meetings 2.0 1
    triangles 3.6 1
    cycles of 4 and 5 0.0 0
    longer cycles 0.0 0
    """
    fixed = replace(ratings.model, random_effects=None, p=2, loss=None)
    weighed = fixed.weigh(ratings.data)
    if fixed.ridge > 0 or not weighed.directed:
        return ()
    problem, demands, x = fixed.ground(weighed, fixed.solve(weighed).x)
    whole = measure_misfit(problem, demands, x)
    if whole.df <= 0 or problem.n > MOST_CONTRASTS:
        return ()
    designs = find_designs(problem, demands, x)
    if designs.independent > MOST_CONTRASTS:
        return ()
    # Contrasts of designs, less those that fix the ratings.
    between = designs.independent - (problem.independent - whole.df)
    return _parts(designs, whole, between)


def _parts(designs: Designs, whole: Misfit, between: int) -> tuple[MisfitPart, ...]:
    seen = [_chi_square(designs, gram) for gram in _spans(designs, pair_up(designs))]
    parts = [
        MisfitPart(kind, max(after.q - before.q, 0.0), after.df - before.df)
        for kind, before, after in zip(KINDS, seen, seen[1:], strict=False)
    ]
    longer_df = between - seen[-1].df
    longer = max(designs.between - seen[-1].q, 0.0) if longer_df else 0.0
    rest_df = whole.df - longer_df - sum(part.df for part in parts)
    rest = whole.q - longer - sum(part.q for part in parts)
    repeats = MisfitPart("repeated meetings", max(rest, 0.0), rest_df)
    return repeats, *parts, MisfitPart("longer cycles", longer, longer_df)


def _spans(designs: Designs, pairs: Pairs) -> Iterator[Floats]:
    """Yield ``C C^T`` for ever more columns: repeated pairs, triangles, cycles of 4 and 5."""
    steps = designs.steps.contrasts
    again = steps[np.flatnonzero(pairs.of < 0)]  # a step from an anchor to an anchor
    proper = np.flatnonzero(pairs.of >= 0)
    doubled = csr_array(steps[proper] - steps[pairs.first[pairs.of[proper]]])
    gram = (again.T @ again + doubled.T @ doubled).toarray()
    yield gram
    edge = steps[pairs.first]
    found = search_cycles(designs.n, pairs.low, pairs.high, LONGEST)
    for lengths in (found[:1], found[1:]):
        for cycles in lengths:
            turned = csr_array(edge.T @ cycles.matrix(len(pairs.low)))
            gram = gram + (turned @ turned.T).toarray()
        yield gram


def _chi_square(designs: Designs, gram: Floats) -> Misfit:
    """Return Q_C and the rank of C, from ``C C^T``."""
    values, vectors = np.linalg.eigh(gram)
    basis = vectors[:, values > RANK * max(float(values.max(initial=0.0)), RANK)]
    if not basis.shape[1]:
        return Misfit(0.0, 0)
    off = basis.T @ designs.margin
    spread = basis.T @ (designs.covariance @ basis)
    return Misfit(float(off @ np.linalg.solve(spread, off)), basis.shape[1])
