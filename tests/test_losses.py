"""Losses: values, slopes and curvatures agree, and conjugates are conjugates."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrja import InputError
from qrja.losses import ConjugateLoss, EpsilonInsensitive, Huber, LogCosh, Pinball, Power

LOSSES = [
    Power(1),
    Power(1.01),
    Power(1.5),
    Power(2),
    Power(3),
    Power(12),
    Huber(0.7),
    LogCosh(1.3),
    EpsilonInsensitive(0.5),
    Pinball(0.2),
]
SMOOTH = [loss for loss in LOSSES if not isinstance(loss, EpsilonInsensitive | Pinball)][1:]
everywhere = pytest.mark.parametrize("loss", LOSSES, ids=str)
small = st.floats(-5, 5)


@everywhere
@given(t=small, s=small)
def test_fenchel_and_young(loss: ConjugateLoss, t: float, s: float) -> None:
    least, greatest = loss.slopes
    s = min(max(s, least), greatest)
    value, conjugate = loss.value(np.array([t]))[0], loss.conjugate(np.array([s]))[0]
    assert value + conjugate >= s * t - 1e-9 * (1 + value + abs(conjugate))


@everywhere
@given(t=small)
def test_the_slope_attains_equality(loss: ConjugateLoss, t: float) -> None:
    at = np.array([t])
    s = loss.slope(at)
    value, conjugate = loss.value(at)[0], loss.conjugate(s)[0]
    assert value + conjugate == pytest.approx(s[0] * t, rel=1e-6, abs=1e-9)


@everywhere
def test_the_conjugate_is_infinite_beyond_the_slopes(loss: ConjugateLoss) -> None:
    least, greatest = loss.slopes
    if np.isfinite(greatest):
        beyond = loss.conjugate(np.array([least - 0.1, greatest + 0.1]))
        assert np.isinf(beyond).all()


@everywhere
def test_the_conjugate_agrees_with_brute_force(loss: ConjugateLoss) -> None:
    t = np.linspace(-40, 40, 400_001)
    least, greatest = (max(loss.slopes[0], -0.9), min(loss.slopes[1], 0.9))
    for s in np.linspace(0.9 * least, 0.9 * greatest, 7):
        brute = np.max(s * t - loss.value(t))
        assert loss.conjugate(np.array([s]))[0] == pytest.approx(brute, abs=1e-6)


@pytest.mark.parametrize("loss", SMOOTH, ids=str)
def test_slope_and_curvature_are_derivatives(loss: ConjugateLoss) -> None:
    t, h = np.array([-2.3, -0.4, 0.31, 1.9]), 1e-6
    slope = (loss.value(t + h) - loss.value(t - h)) / (2 * h)
    np.testing.assert_allclose(loss.slope(t), slope, rtol=1e-5, atol=1e-8)
    curvature = (loss.slope(t + h) - loss.slope(t - h)) / (2 * h)
    np.testing.assert_allclose(loss.curvature(t), curvature, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Power(0.5), "p is 0.5; a power is a convex loss for finite p of at least 1"),
        (lambda: Huber(0), "delta is 0"),
        (lambda: LogCosh(-1), "scale is -1"),
        (lambda: Pinball(1.0), "tau is 1"),
    ],
)
def test_bad_parameters_are_refused(make: object, message: str) -> None:
    with pytest.raises(InputError) as caught:
        make()
    assert message in str(caught.value)
