"""Losses of bounded slopes: however wrong a judgment is, it pulls no harder than that."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from qrja.data import Floats, as_float
from qrja.errors import InputError
from qrja.losses.known import InUnit, Kink, KnownLoss, indicator

STRAIGHT = 1e50
"""A loss that bends off only there is a square for residuals of the size of 1, to every digit."""


@dataclass(frozen=True)
class Huber(KnownLoss):
    """Half the square of a residual up to ``delta``, a straight line beyond.

    Examples
    --------
    >>> Huber(2).value(np.array([-1.0, 5.0]))
    array([0.5, 8. ])
    """

    word = "huber"
    smoothed_by = "root"
    delta: float

    def __post_init__(self) -> None:
        _check_positive("delta", self.delta)

    @property
    def window(self) -> float:
        """Delta."""
        return float(self.delta)

    @property
    def formula(self) -> tuple[str, float, float]:
        """That of half squares which become lines."""
        return "HUBER", 2.0, self.delta

    @property
    def slopes(self) -> tuple[float, float]:
        """[-delta, delta]."""
        return -self.delta, self.delta

    def value(self, t: Floats) -> Floats:
        """Return ``t^2/2`` up to delta and ``delta (|t| - delta/2)`` beyond."""
        within = np.minimum(np.abs(t), self.delta)
        return within * (np.abs(t) - 0.5 * within)

    def slope(self, t: Floats) -> Floats:
        """Return t, held within [-delta, delta]."""
        return np.clip(t, -self.delta, self.delta)

    def curvature(self, t: Floats) -> Floats:
        """Return 1 up to delta and 0 beyond."""
        return (np.abs(t) <= self.delta).astype(np.float64)

    def conjugate(self, s: Floats) -> Floats:
        """Return ``s^2/2`` on [-delta, delta], infinite outside."""
        return 0.5 * s * s + indicator(s, self.slopes)

    def in_unit(self, unit: float) -> InUnit:
        """With delta in that unit; beyond ``STRAIGHT`` it is a square all the same."""
        return InUnit(Huber(min(self.delta / unit, STRAIGHT)), 2.0)

    def __str__(self) -> str:
        return f"Huber({self.delta:g})"


@dataclass(frozen=True)
class LogCosh(KnownLoss):
    """A smooth Huber loss: ``t^2/2`` near 0, ``scale |t|`` less a constant far away.

    Examples
    --------
    >>> LogCosh(2).value(np.array([0.1, 100.0])).round(3)
    array([5.00000e-03, 1.97227e+02])
    """

    word = "logcosh"
    smoothed_by = "root"
    is_strict = True
    scale: float

    def __post_init__(self) -> None:
        _check_positive("scale", self.scale)

    @property
    def formula(self) -> tuple[str, float, float]:
        """That of logarithms of hyperbolic cosines."""
        return "LOG_COSH", 2.0, self.scale

    @property
    def slopes(self) -> tuple[float, float]:
        """[-scale, scale]."""
        return -self.scale, self.scale

    def value(self, t: Floats) -> Floats:
        """Return ``scale^2 log cosh(t / scale)``."""
        z = np.abs(t) / self.scale
        small = np.minimum(z, 1.0)
        # Both forms are exact; the first keeps its digits near 0, the second never overflows.
        near = np.log1p(2.0 * np.sinh(0.5 * small) ** 2)
        far = z + np.log1p(np.exp(-2.0 * z)) - math.log(2.0)
        return self.scale**2 * np.where(z <= 1.0, near, far)

    def slope(self, t: Floats) -> Floats:
        """Return ``scale tanh(t / scale)``."""
        return self.scale * np.tanh(t / self.scale)

    def curvature(self, t: Floats) -> Floats:
        """Return ``1 / cosh(t / scale)^2``."""
        decay = np.exp(-np.abs(t) / self.scale)
        return (2.0 * decay / (1.0 + decay * decay)) ** 2

    def conjugate(self, s: Floats) -> Floats:
        """Return ``scale^2 ((1+z) log(1+z) + (1-z) log(1-z)) / 2`` with ``z = s / scale``."""
        from scipy.special import xlog1py  # takes longer to load than all losses

        z = np.clip(s / self.scale, -1.0, 1.0)
        small = np.clip(z, -0.5, 0.5)
        # Two forms of the same; the first keeps its digits near 0, the second exists at 1.
        near = small * np.arctanh(small) + 0.5 * np.log1p(-small * small)
        far = 0.5 * (xlog1py(1.0 + z, z) + xlog1py(1.0 - z, -z))
        return self.scale**2 * np.where(np.abs(z) <= 0.5, near, far) + indicator(s, self.slopes)

    def in_unit(self, unit: float) -> InUnit:
        """With its scale in that unit; beyond ``STRAIGHT`` it is a square all the same."""
        return InUnit(LogCosh(min(self.scale / unit, STRAIGHT)), 2.0)

    def __str__(self) -> str:
        return f"LogCosh({self.scale:g})"


@dataclass(frozen=True)
class EpsilonInsensitive(KnownLoss):
    """No loss up to ``eps``, then the distance beyond it.

    Examples
    --------
    >>> EpsilonInsensitive(0.5).value(np.array([-0.4, 2.0]))
    array([0. , 1.5])
    """

    word = "insensitive"
    eps: float

    def __post_init__(self) -> None:
        if not 0 <= as_float(self.eps) < math.inf:
            raise InputError(f"eps is {self.eps!r}; give a finite number of at least 0")

    @property
    def kinks(self) -> tuple[Kink, ...]:
        """At the two edges of the tube."""
        return Kink(self.eps, 1.0), Kink(-self.eps, 1.0)

    @property
    def slopes(self) -> tuple[float, float]:
        """[-1, 1]."""
        return -1.0, 1.0

    def value(self, t: Floats) -> Floats:
        """Return ``max(|t| - eps, 0)``."""
        return np.maximum(np.abs(t) - self.eps, 0.0)

    def slope(self, t: Floats) -> Floats:
        """Return the sign of t beyond eps and 0 within."""
        return np.sign(t) * (np.abs(t) > self.eps)

    def curvature(self, t: Floats) -> Floats:
        """Return 0, the curvature everywhere but at the two kinks."""
        return np.zeros_like(t)

    def conjugate(self, s: Floats) -> Floats:
        """Return ``eps |s|`` on [-1, 1], infinite outside."""
        return self.eps * np.abs(s) + indicator(s, self.slopes)

    def __str__(self) -> str:
        return f"EpsilonInsensitive({self.eps:g})"


@dataclass(frozen=True)
class Pinball(KnownLoss):
    """Weigh a judged margin above the fitted one by ``tau``, one below it by ``1 - tau``.

    The fit is the tau-quantile of what is judged rather than its median: ``Pinball(0.9)`` looks
    for margins that nine judgments in ten stay below. It is the only loss here that knows the
    direction of a judgment, so it needs :class:`~qrja.Judgments`.

    Examples
    --------
    >>> Pinball(0.9).value(np.array([-1.0, 1.0])).round(3)
    array([0.1, 0.9])
    """

    word = "pinball"
    kinks = (Kink(0.0, 1.0),)
    tau: float

    def __post_init__(self) -> None:
        if not 0 < as_float(self.tau) < 1:
            raise InputError(f"tau is {self.tau!r}; give a number between 0 and 1")

    @property
    def is_even(self) -> bool:
        """For the median only."""
        return self.tau == 0.5

    @property
    def slopes(self) -> tuple[float, float]:
        """[tau - 1, tau]."""
        return self.tau - 1.0, self.tau

    def value(self, t: Floats) -> Floats:
        """Return ``tau t`` for t >= 0 and ``(tau - 1) t`` for t < 0."""
        return np.maximum(self.tau * t, (self.tau - 1.0) * t)

    def slope(self, t: Floats) -> Floats:
        """Return tau above 0, ``tau - 1`` below, and the middle of the two at 0."""
        return np.select([t > 0, t < 0], [self.tau, self.tau - 1.0], self.tau - 0.5)

    def curvature(self, t: Floats) -> Floats:
        """Return 0, the curvature everywhere but at the kink."""
        return np.zeros_like(t)

    def conjugate(self, s: Floats) -> Floats:
        """Return 0 on [tau - 1, tau], infinite outside."""
        return indicator(s, self.slopes)

    def __str__(self) -> str:
        return f"Pinball({self.tau:g})"


def _check_positive(name: str, value: float) -> None:
    if not 0 < as_float(value) < math.inf:
        raise InputError(f"{name} is {value!r}; give a positive number")
