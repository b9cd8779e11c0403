"""Losses: what a residual costs, and the conjugate that proves lower bounds.

A loss f is a convex function of the residual ``t = y - (x_a - x_b)``, judged minus fitted margin.
Its conjugate ``f*(s) = sup_t (s t - f(t))`` bounds it from below by lines,
``f(t) >= s t - f*(s)`` (Fenchel and Young), with equality where s is the slope of f at t. A flow
that is conserved at every candidate sums these lines into a bound on every score at once, see
:mod:`qrja.solution`.

======================== ============================== ============================ =============
loss                     f(t)                           f*(s)                        slopes s
======================== ============================== ============================ =============
``Power(p)``             ``|t|^p``                      ``(p-1) (|s|/p)^(p/(p-1))``  all
``Power(1)``             ``|t|``                        ``0``                        [-1, 1]
``Huber(delta)``         ``t^2/2``, linear beyond delta ``s^2/2``                    [-delta, delta]
``LogCosh(scale)``       ``scale^2 log cosh(t/scale)``  binary entropy, see there    [-scale, scale]
``EpsilonInsensitive``   ``max(|t| - eps, 0)``          ``eps |s|``                  [-1, 1]
``Pinball(tau)``         ``tau t`` or ``(tau-1) t``     ``0``                        [tau-1, tau]
======================== ============================== ============================ =============

Any object with ``value``, ``slope`` and ``curvature`` is a loss too, see :class:`Loss`.

References
----------
Rockafellar, Convex Analysis, 1970, sections 12 and 31.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from scipy.special import xlog1py

from qrja.data import Floats, as_float
from qrja.errors import InputError


@runtime_checkable
class Loss(Protocol):
    """What a loss must be able to do: three functions of an array of residuals, elementwise.

    The function must be convex and its slope continuous; ``curvature`` is the second derivative,
    at least 0. The proof of optimality is then a vanishing gradient. A loss that also has
    ``conjugate`` (as those of this module have) is proved optimal by a flow.

    Examples
    --------
    >>> class Quartic:
    ...     def value(self, t):
    ...         return t**4
    ...
    ...     def slope(self, t):
    ...         return 4 * t**3
    ...
    ...     def curvature(self, t):
    ...         return 12 * t**2
    >>> isinstance(Quartic(), Loss)
    True
    """

    def value(self, t: Floats, /) -> Floats:
        """Return f(t)."""

    def slope(self, t: Floats, /) -> Floats:
        """Return f'(t)."""

    def curvature(self, t: Floats, /) -> Floats:
        """Return f''(t)."""


@runtime_checkable
class ConjugateLoss(Loss, Protocol):
    """A loss whose conjugate is known, so that a flow proves optimality."""

    @property
    def slopes(self) -> tuple[float, float]:
        """The least and the greatest slope of the loss: the domain of the conjugate."""

    def conjugate(self, s: Floats, /) -> Floats:
        """Return f*(s), infinite outside ``slopes``."""


@dataclass(frozen=True)
class Power:
    """The loss ``|t|^p`` for p >= 1.

    Examples
    --------
    >>> Power(1.5).value(np.array([-4.0, 1.0]))
    array([8., 1.])
    >>> Power(0.5)
    Traceback (most recent call last):
    qrja.errors.InputError: p is 0.5; a power is a convex loss for finite p of at least 1
    """

    p: float

    def __post_init__(self) -> None:
        if not 1 <= as_float(self.p) < math.inf:
            raise InputError(
                f"p is {self.p!r}; a power is a convex loss for finite p of at least 1"
            )
        # Whole numbers too: compiled code exists for floats only.
        object.__setattr__(self, "p", float(self.p))

    @property
    def slopes(self) -> tuple[float, float]:
        """All slopes, or [-1, 1] for p = 1."""
        return (-1.0, 1.0) if self.p == 1 else (-math.inf, math.inf)

    def value(self, t: Floats) -> Floats:
        """Return ``|t|^p``."""
        return raise_to(np.abs(t), self.p)

    def slope(self, t: Floats) -> Floats:
        """Return ``p |t|^(p-1) sign t``."""
        return self.p * np.sign(t) * raise_to(np.abs(t), self.p - 1)

    def curvature(self, t: Floats) -> Floats:
        """Return ``p (p-1) |t|^(p-2)``, infinite at 0 for 1 < p < 2."""
        if self.p == 1:
            return np.zeros_like(t)
        with np.errstate(divide="ignore"):
            return self.p * (self.p - 1) * raise_to(np.abs(t), self.p - 2)

    def conjugate(self, s: Floats) -> Floats:
        """Return ``(p-1) (|s|/p)^(p/(p-1))``; for p = 1, 0 on [-1, 1] and infinite outside."""
        if self.p == 1:
            return _indicator(s, self.slopes)
        with np.errstate(over="ignore"):
            return (self.p - 1) * raise_to(np.abs(s) / self.p, self.p / (self.p - 1))

    def __str__(self) -> str:
        return "|t|" if self.p == 1 else f"|t|^{self.p:g}"


@dataclass(frozen=True)
class Huber:
    """Half the square of a residual up to ``delta``, a straight line beyond.

    Examples
    --------
    >>> Huber(2).value(np.array([-1.0, 5.0]))
    array([0.5, 8. ])
    """

    delta: float

    def __post_init__(self) -> None:
        _check_positive("delta", self.delta)

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
        return 0.5 * s * s + _indicator(s, self.slopes)

    def __str__(self) -> str:
        return f"Huber({self.delta:g})"


@dataclass(frozen=True)
class LogCosh:
    """A smooth Huber loss: ``t^2/2`` near 0, ``scale |t|`` less a constant far away.

    Examples
    --------
    >>> LogCosh(2).value(np.array([0.1, 100.0])).round(3)
    array([5.00000e-03, 1.97227e+02])
    """

    scale: float

    def __post_init__(self) -> None:
        _check_positive("scale", self.scale)

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
        z = np.clip(s / self.scale, -1.0, 1.0)
        small = np.clip(z, -0.5, 0.5)
        # Two forms of the same; the first keeps its digits near 0, the second exists at 1.
        near = small * np.arctanh(small) + 0.5 * np.log1p(-small * small)
        far = 0.5 * (xlog1py(1.0 + z, z) + xlog1py(1.0 - z, -z))
        return self.scale**2 * np.where(np.abs(z) <= 0.5, near, far) + _indicator(s, self.slopes)

    def __str__(self) -> str:
        return f"LogCosh({self.scale:g})"


@dataclass(frozen=True)
class EpsilonInsensitive:
    """No loss up to ``eps``, then the distance beyond it.

    Examples
    --------
    >>> EpsilonInsensitive(0.5).value(np.array([-0.4, 2.0]))
    array([0. , 1.5])
    """

    eps: float

    def __post_init__(self) -> None:
        if not 0 <= as_float(self.eps) < math.inf:
            raise InputError(f"eps is {self.eps!r}; give a finite number of at least 0")

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
        return self.eps * np.abs(s) + _indicator(s, self.slopes)

    def __str__(self) -> str:
        return f"EpsilonInsensitive({self.eps:g})"


@dataclass(frozen=True)
class Pinball:
    """Weigh a judged margin above the fitted one by ``tau``, one below it by ``1 - tau``.

    The fit is the tau-quantile of what is judged rather than its median: ``Pinball(0.9)`` looks
    for margins that nine judgments in ten stay below. It is the only loss here that knows the
    direction of a judgment, so it needs :class:`~qrja.Judgments`.

    Examples
    --------
    >>> Pinball(0.9).value(np.array([-1.0, 1.0])).round(3)
    array([0.1, 0.9])
    """

    tau: float

    def __post_init__(self) -> None:
        if not 0 < as_float(self.tau) < 1:
            raise InputError(f"tau is {self.tau!r}; give a number between 0 and 1")

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
        return _indicator(s, self.slopes)

    def __str__(self) -> str:
        return f"Pinball({self.tau:g})"


def raise_to(base: Floats, exponent: float) -> Floats:
    """Return ``base ** exponent`` for base >= 0; roots make quarter powers five times as fast.

    Examples
    --------
    >>> raise_to(np.array([4.0, 16.0]), 1.25).round(4)
    array([ 5.6569, 32.    ])
    """
    quarters = 4 * exponent
    if quarters != round(quarters) or abs(quarters) > 16:
        return base**exponent
    whole, rest = divmod(round(abs(quarters)), 4)
    root = np.sqrt(base) if rest else base
    factors = [base] * whole + ([root] if rest >= 2 else [])
    factors += [np.sqrt(root)] if rest % 2 else []
    product = np.ones_like(base) if not factors else factors[0]
    for factor in factors[1:]:
        product = product * factor
    return 1.0 / product if exponent < 0 else product


def _indicator(s: Floats, slopes: tuple[float, float]) -> Floats:
    return np.where((s < slopes[0]) | (s > slopes[1]), np.inf, 0.0)


def _check_positive(name: str, value: float) -> None:
    if not 0 < as_float(value) < math.inf:
        raise InputError(f"{name} is {value!r}; give a positive number")
