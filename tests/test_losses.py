"""Each loss against its definition, its derivatives and a brute-force conjugate."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from qrja.errors import InputError
from qrja.losses import (
    ConjugateLoss,
    EpsilonInsensitive,
    Huber,
    LogCosh,
    Loss,
    Pinball,
    Power,
    raise_to,
)

LOSSES = [
    Power(1),
    Power(1.01),
    Power(1.5),
    Power(2),
    Power(3),
    Power(50),
    Huber(0.7),
    LogCosh(1.3),
    EpsilonInsensitive(0.4),
    EpsilonInsensitive(0),
    Pinball(0.5),
    Pinball(0.9),
    Pinball(0.01),
]
SMOOTH = [Power(1.5), Power(2), Power(3), Power(7.3), LogCosh(1.3), Huber(0.7)]
BY_NAME = {"argvalues": LOSSES, "ids": [str(loss) for loss in LOSSES]}
residuals = st.floats(-4, 4, allow_subnormal=False)


def definition(loss: Loss, t: float) -> float:
    match loss:
        case Power(p):
            return abs(t) ** p
        case Huber(delta):
            return t * t / 2 if abs(t) <= delta else delta * (abs(t) - delta / 2)
        case LogCosh(scale):
            return scale**2 * math.log(math.cosh(t / scale))
        case EpsilonInsensitive(eps):
            return max(abs(t) - eps, 0.0)
        case Pinball(tau):
            return tau * t if t >= 0 else (tau - 1) * t
    raise AssertionError(loss)


@pytest.mark.parametrize("loss", **BY_NAME)
def test_values_follow_the_definition(loss: Loss) -> None:
    t = np.linspace(-4, 4, 81)
    expected = [definition(loss, float(v)) for v in t]
    np.testing.assert_allclose(loss.value(t), expected, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("loss", SMOOTH, ids=str)
def test_slope_and_curvature_are_derivatives(loss: Loss) -> None:
    t = np.array([-3.1, -0.9, -0.2, 0.3, 0.5, 2.7])
    h = 1e-6
    slope = (loss.value(t + h) - loss.value(t - h)) / (2 * h)
    curvature = (loss.slope(t + h) - loss.slope(t - h)) / (2 * h)
    np.testing.assert_allclose(loss.slope(t), slope, rtol=1e-7, atol=1e-7)
    np.testing.assert_allclose(loss.curvature(t), curvature, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("loss", **BY_NAME)
def test_slopes_stay_within_their_range(loss: ConjugateLoss) -> None:
    low, high = loss.slopes
    slope = loss.slope(np.linspace(-30, 30, 301))
    assert (slope >= low).all()
    assert (slope <= high).all()
    assert (np.diff(slope) >= -1e-15).all()


@pytest.mark.parametrize("loss", **BY_NAME)
@given(t=residuals, s=residuals)
def test_a_line_never_crosses_the_loss(loss: ConjugateLoss, t: float, s: float) -> None:
    value, conjugate = loss.value(np.array([t])), loss.conjugate(np.array([s]))
    size = abs(s * t) + value[0] + (conjugate[0] if np.isfinite(conjugate[0]) else 0.0)
    rounding = 1e-14 * size + np.finfo(np.float64).tiny  # products as small as that lose digits
    assert value[0] + conjugate[0] >= s * t - rounding


@pytest.mark.parametrize("loss", **BY_NAME)
@given(t=residuals)
def test_the_line_of_the_slope_touches(loss: ConjugateLoss, t: float) -> None:
    at = np.array([t])
    s = loss.slope(at)
    gap = loss.value(at) + loss.conjugate(s) - s * at
    assert abs(gap[0]) <= 1e-12 * (1 + loss.value(at)[0] + abs(s[0] * t))


@pytest.mark.parametrize("loss", **BY_NAME)
@pytest.mark.parametrize("share", [0.03, 0.31, 0.5, 0.77, 0.98])
def test_conjugate_is_the_greatest_excess_of_a_line(loss: ConjugateLoss, share: float) -> None:
    # Slopes that the loss takes within the bounds of the search.
    low, high = (max(-1.0, loss.slopes[0]), min(1.0, loss.slopes[1]))
    s = low + share * (high - low)
    found = minimize_scalar(
        lambda t: float(loss.value(np.array([t]))[0] - s * t),
        bounds=(-60, 60),
        method="bounded",
        options={"xatol": 1e-12, "maxiter": 2000},
    )
    assert loss.conjugate(np.array([s]))[0] == pytest.approx(-found.fun, abs=1e-7)


@pytest.mark.parametrize(
    "loss",
    [Power(1), Huber(0.7), LogCosh(1.3), EpsilonInsensitive(0.4), Pinball(0.9)],
    ids=str,
)
def test_conjugate_is_infinite_outside_the_slopes(loss: ConjugateLoss) -> None:
    low, high = loss.slopes
    s = np.array([low * (1 + 1e-9), low, high, high * (1 + 1e-9)])
    assert np.isfinite(loss.conjugate(s)).tolist() == [False, True, True, False]


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_log_cosh_keeps_its_digits_and_never_overflows(scale: float) -> None:
    loss = LogCosh(scale)
    tiny, huge = np.array([1e-7 * scale]), np.array([1e6 * scale])
    assert loss.value(tiny)[0] == pytest.approx(0.5e-14 * scale**2, rel=1e-12)
    assert loss.conjugate(tiny)[0] == pytest.approx(0.5e-14 * scale**2, rel=1e-12)
    assert loss.value(huge)[0] == pytest.approx(scale**2 * (1e6 - math.log(2)), rel=1e-12)
    assert loss.curvature(huge)[0] == 0
    assert loss.conjugate(np.array([scale]))[0] == pytest.approx(scale**2 * math.log(2))


@pytest.mark.parametrize("quarters", range(-16, 17))
def test_quarter_powers_by_roots(quarters: int) -> None:
    base = np.array([1e-30, 0.3, 1.0, 7.0, 1e20])
    np.testing.assert_allclose(raise_to(base, quarters / 4), base ** (quarters / 4), rtol=1e-14)


@pytest.mark.parametrize("exponent", [0.2, 1.01, -0.495, 49.0])
def test_other_powers(exponent: float) -> None:
    base = np.array([0.3, 1.0, 7.0])
    np.testing.assert_allclose(raise_to(base, exponent), base**exponent, rtol=1e-15)


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda: Power(0.99), "p is 0.99; a power is a convex loss for finite p of at least 1"),
        (lambda: Power(math.inf), "p is inf; a power"),
        (lambda: Power(math.nan), "p is nan; a power"),
        (lambda: Huber(0), "delta is 0; give a positive number"),
        (lambda: Huber(-1), "delta is -1; give a positive number"),
        (lambda: LogCosh(math.inf), "scale is inf; give a positive number"),
        (lambda: LogCosh(math.nan), "scale is nan; give a positive number"),
        (lambda: EpsilonInsensitive(-0.5), "eps is -0.5; give a finite number of at least 0"),
        (lambda: Pinball(0), "tau is 0; give a number between 0 and 1"),
        (lambda: Pinball(1.5), "tau is 1.5; give a number between 0 and 1"),
    ],
)
def test_parameters_that_make_no_loss(build: object, words: str) -> None:
    with pytest.raises(InputError) as error:
        build()  # type: ignore[operator]
    assert words in str(error.value)


def test_every_loss_is_a_loss_and_has_a_name() -> None:
    assert all(isinstance(loss, ConjugateLoss) for loss in LOSSES)
    assert [str(loss) for loss in LOSSES[:2]] == ["|t|", "|t|^1.01"]
    assert str(Pinball(0.9)) == "Pinball(0.9)"
    assert not isinstance(3.0, Loss)
