"""Elimination without subtraction, against fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from qrja.laplacian.network.kernels.small_mesh import solve_mesh
from qrja.laplacian.star_mesh import StarMesh


def solve_in_fractions(weight: np.ndarray, b: list[Fraction]) -> list[Fraction]:
    """Solve ``L x = b`` by Gauss, the last node held at 0."""
    n = len(b) - 1
    rows = [[-Fraction(weight[i, j]) for j in range(n)] + [b[i]] for i in range(n)]
    for i in range(n):
        rows[i][i] = sum((Fraction(v) for v in weight[i]), Fraction(0))
    for i in range(n):
        for k in range(n):
            if k != i:
                factor = rows[k][i] / rows[i][i]
                rows[k] = [u - factor * v for u, v in zip(rows[k], rows[i], strict=True)]
    return [row[n] / row[i] for i, row in enumerate(rows)] + [Fraction(0)]


@pytest.mark.parametrize("seed", range(8))
def test_weights_however_far_apart_keep_their_digits(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 7
    weight = 10.0 ** rng.uniform(-20, 20, (n, n)) * (rng.random((n, n)) < 0.7)
    weight = np.triu(weight, 1) + np.triu(weight, 1).T + 1e-25 * (1 - np.eye(n))
    b = rng.normal(size=n)
    b[-1] = -b[:-1].sum()
    exact = solve_in_fractions(weight, [*map(Fraction, b[:-1]), -sum(map(Fraction, b[:-1]))])
    x = StarMesh(weight).solve(b)
    far = max(abs(float(v)) for v in exact)
    np.testing.assert_allclose(x - x[-1], [float(v) for v in exact], atol=1e-9 * far)


def test_components_are_solved_apart() -> None:
    weight = np.zeros((4, 4))
    weight[0, 1] = weight[1, 0] = 2.0
    weight[2, 3] = weight[3, 2] = 1e-30
    x = StarMesh(weight).solve(np.array([1.0, -1.0, 1.0, -1.0]))
    assert x[0] - x[1] == 0.5
    assert x[2] - x[3] == pytest.approx(1e30)


@pytest.mark.parametrize("seed", range(20))
def test_the_compiled_elimination_is_the_same(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 12))
    lows, highs = np.triu_indices(n, 1)
    some = rng.random(len(lows)) < 0.5
    lows, highs = lows[some].astype(np.int32), highs[some].astype(np.int32)
    conductance = 10.0 ** rng.uniform(-20, 20, len(lows))
    b = np.zeros(n)
    np.add.at(b, lows, 1.0 + np.arange(len(lows)))  # whole numbers: every component sums to 0
    np.add.at(b, highs, -1.0 - np.arange(len(lows)))
    weight = np.zeros((n, n))
    weight[lows, highs] = conductance
    x, work, order = np.empty(n), np.empty((n + 4, n)), np.empty(n, dtype=np.int32)
    solve_mesh(lows, highs, conductance, b, work, order, x)
    np.testing.assert_allclose(x, StarMesh(weight + weight.T).solve(b), rtol=1e-12)
