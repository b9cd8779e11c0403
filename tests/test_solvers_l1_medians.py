"""A start nearer to the optimum: nodes at the medians of their judgments, by a slow twin."""

from __future__ import annotations

import numpy as np
import pytest

from qrja import Judgments, solve
from qrja.solvers.l1 import IntegerPairs
from qrja.solvers.l1.pairwise import pair_simplex
from qrja.solvers.l1.pairwise.pair_simplex import PairSimplex
from reference.absolute import least_absolute
from reference.graphs import power_loss


def random_pairs(n: int, m: int, seed: int) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, n, (2, m)).astype(np.int32)
    b = np.where(a == b, (b + 1) % n, b).astype(np.int32)
    return a, b, rng.integers(-50, 50, m), rng.integers(1, 5, m)


def wanted(v: int, x: np.ndarray, pairs: tuple[np.ndarray, ...]) -> int:
    """Where v would go: the end of the weighted median that is nearer to where it is."""
    a, b, y, w = pairs
    wishes = np.concatenate([(x[b] + y)[a == v], (x[a] - y)[b == v]])
    weight = np.concatenate([w[a == v], w[b == v]])

    def loss(at: int) -> int:
        return int((weight * np.abs(wishes - at)).sum())

    least = min(loss(at) for at in wishes)
    best = [int(at) for at in wishes if loss(at) == least]
    if min(best) <= x[v] <= max(best):
        return int(x[v])
    return min(best, key=lambda at: abs(at - x[v]))


@pytest.mark.parametrize("seed", range(8))
def test_each_goes_to_the_median_of_its_judgments(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pair_simplex, "FEW", 0)
    monkeypatch.setattr(pair_simplex, "SWEEPS", 2)
    n = 12
    pairs = random_pairs(n, 150, seed)
    begin = np.random.default_rng(seed).integers(-30, 30, n)
    x = begin.copy()
    for v in [*range(n), *range(n)]:
        x[v] = wanted(v, x, pairs)
    np.testing.assert_array_equal(PairSimplex(n, *pairs, begin).scores(), x)


@pytest.mark.parametrize("optimum", ["greatest", "central"])
@pytest.mark.parametrize("seed", range(4))
def test_some_rows_of_sorted_pairs_are_solved_as_they_would_be_alone(
    optimum: str, seed: int
) -> None:
    n = 15
    a, b, y, w = random_pairs(n, 300, seed)
    low, high, y = np.minimum(a, b), np.maximum(a, b), np.where(a < b, y, -y) / 4
    order = np.lexsort((y, high, low))
    low, high, y, w = low[order], high[order], y[order], w[order]
    pairs = IntegerPairs.of(low, high, y)
    assert pairs is not None
    rows = np.flatnonzero(np.random.default_rng(seed).random(300) < 0.5).astype(np.int32)
    found = pairs.solve(n, rows, w, np.zeros(n), optimum)  # type: ignore[arg-type]
    alone = Judgments(low[rows], high[rows], y[rows], w[rows].astype(float), tuple(range(n)))
    assert found == pytest.approx(solve(alone, 1, optimum=optimum).x, abs=1e-9)  # type: ignore[arg-type]
    assert power_loss(alone, found, 1) == pytest.approx(least_absolute(alone), rel=1e-9)


def test_margins_of_a_grid_that_no_longer_fits_get_another() -> None:
    low, high = np.array([0, 0]), np.array([1, 2])
    whole = IntegerPairs.of(low, high, np.array([1.0, 2.0]))
    assert IntegerPairs.of(low, high, np.array([3.0, 2.0]), whole).grid is whole.grid
    assert IntegerPairs.of(low, high, np.array([0.5, 2.0]), whole).grid.scale == 10
    assert IntegerPairs.of(low, high, np.array([1 / 3, 0.1]), whole).grid.scale == 1


def test_weights_that_add_up_to_too_much_are_refused() -> None:
    pairs = IntegerPairs.of(np.array([0]), np.array([1]), np.array([1.0]))
    rows, heavy = np.array([0], np.int32), np.array([2**62])
    assert pairs.solve(2, rows, heavy, np.zeros(2), "central") is None
