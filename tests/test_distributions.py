"""Chances and quantiles agree with SciPy's, and SciPy is not loaded for a few of them."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from scipy import special

from qrja.distributions import (
    chi_square_quantile,
    digamma,
    normal_quantile,
    student_chance,
    student_quantile,
    tetragamma,
    trigamma,
)
from qrja.distributions.gammas import MANY

RANGES = [(0.5, 3.0), (3.0, 60.0), (60.0, MANY), (MANY, 1e7)]


def draw(low: float, high: float, count: int = 2_000) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(int(low))
    return np.exp(rng.uniform(np.log(low), np.log(high), count)), rng.uniform(1e-6, 1 - 1e-6, count)


def test_derivatives_of_log_gamma() -> None:
    x, _ = draw(1e-4, 1e6)
    np.testing.assert_allclose(digamma(x), special.digamma(x), rtol=1e-13, atol=1e-13)
    np.testing.assert_allclose(trigamma(x), special.polygamma(1, x), rtol=1e-13)
    np.testing.assert_allclose(tetragamma(x), special.polygamma(2, x), rtol=1e-13)


def test_normal_quantiles() -> None:
    _, chance = draw(1, 2)
    np.testing.assert_allclose(normal_quantile(chance), special.ndtri(chance), atol=1e-14)
    assert normal_quantile(0.25) == pytest.approx(special.ndtri(0.25), rel=1e-15)


@pytest.mark.parametrize(("low", "high"), RANGES)
def test_chi_square_quantiles(low: float, high: float) -> None:
    df, chance = draw(low, high)
    found = chi_square_quantile(df, chance)
    np.testing.assert_allclose(found, special.chdtri(df, chance), rtol=3e-12)


@pytest.mark.parametrize(("low", "high"), RANGES[:3])
def test_chances_of_student(low: float, high: float) -> None:
    df, _ = draw(low, high)
    t = np.random.default_rng(1).standard_t(2, len(df))
    np.testing.assert_allclose(student_chance(df, t), special.stdtr(df, t), rtol=3e-12)


@pytest.mark.parametrize(("low", "high"), RANGES[:3])
def test_quantiles_of_student(low: float, high: float) -> None:
    df, chance = draw(low, high)
    found = student_quantile(df, chance)
    np.testing.assert_allclose(found, special.stdtrit(df, chance), rtol=3e-12, atol=1e-15)
    assert student_quantile(7.0, 0.5) == 0


@pytest.mark.parametrize("df", [1e-6, 0.1, 1e12])
@pytest.mark.parametrize("chance", [0.0, 1e-30, 0.5, 1.0])
def test_numbers_far_out_are_those_of_scipy(df: float, chance: float) -> None:
    assert np.array_equal(chi_square_quantile(df, chance), special.chdtri(df, chance))
    assert np.array_equal(student_quantile(df, chance), special.stdtrit(df, chance), equal_nan=True)
    assert np.array_equal(normal_quantile([0.0, chance]), special.ndtri([0.0, chance]))


def test_shapes_are_broadcast() -> None:
    df, chance = np.array([[2.0], [30.0]]), np.array([0.1, 0.5, 0.9])
    np.testing.assert_allclose(chi_square_quantile(df, chance), special.chdtri(df, chance))
    np.testing.assert_allclose(
        student_quantile(df, chance), special.stdtrit(df, chance), atol=1e-15
    )
    np.testing.assert_allclose(student_chance(df, chance), special.stdtr(df, chance))


def test_few_numbers_are_found_without_scipy() -> None:
    code = (
        "import sys; import qrja.distributions as d\n"
        "d.chi_square_quantile(5.0, [0.1, 0.9]); d.student_quantile([3.0, 9.0], 0.9)\n"
        "d.student_chance(3.0, [0.1]); d.normal_quantile(0.3)\n"
        "assert 'scipy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
