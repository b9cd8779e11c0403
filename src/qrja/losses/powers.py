"""Powers: ``|t|^p``, the only losses for which the unit of the residuals does not matter."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from qrja.data import Floats, as_float
from qrja.errors import InputError
from qrja.losses.known import HIDDEN, InUnit, Kink, KnownLoss, indicator


@dataclass(frozen=True)
class Power(KnownLoss):
    """The loss ``|t|^p`` for p >= 1.

    Examples
    --------
    >>> Power(1.5).value(np.array([-4.0, 1.0]))
    array([8., 1.])
    >>> Power(0.5)
    Traceback (most recent call last):
    qrja.errors.InputError: p is 0.5; a power is a convex loss for finite p of at least 1
    """

    word = "power"
    p: float

    def __post_init__(self) -> None:
        if not 1 <= as_float(self.p) < math.inf:
            raise InputError(
                f"p is {self.p!r}; a power is a convex loss for finite p of at least 1"
            )
        # Whole numbers too: compiled code exists for floats only.
        object.__setattr__(self, "p", float(self.p))

    @property
    def is_strict(self) -> bool:
        """For p > 1."""
        return self.p > 1

    @property
    def power(self) -> float:
        """The power p."""
        return self.p

    def in_unit(self, unit: float) -> InUnit | None:
        """Itself, of degree p; p = 1 is solved in whole numbers, for which any unit will do."""
        return InUnit(self, self.p) if self.p > 1 else None

    @property
    def formula(self) -> tuple[str, float, float] | None:
        """That of smooth powers."""
        return ("POWER", self.p, 1.0) if self.p > 1 else None

    @property
    def kinks(self) -> tuple[Kink, ...]:
        """One at 0, for p = 1."""
        return (Kink(0.0, 2.0),) if self.p == 1 else ()

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
            return indicator(s, self.slopes)
        with np.errstate(over="ignore"):
            return (self.p - 1) * raise_to(np.abs(s) / self.p, self.p / (self.p - 1))

    def shortfall(self, t: Floats, s: Floats) -> Floats:
        """Bound ``f(t) + f*(s) - s t``; for p = 2 it is ``(t - s/2)^2``, where nothing cancels.

        For p = 1 and slopes within [-1, 1] the conjugate is 0.
        """
        if self.p == 1 and float(np.abs(s).max(initial=0.0)) <= 1:
            value, line = np.abs(t), s * t
            missing = value - line
            # With a slope of 1 both are the same number, and nothing is hidden.
            return np.where(missing == 0, 0.0, missing + HIDDEN * (value + np.abs(line)))
        if self.p != 2:
            return super().shortfall(t, s)
        return (np.abs(t - 0.5 * s) + HIDDEN * np.abs(s)) ** 2

    def __str__(self) -> str:
        return "|t|" if self.p == 1 else f"|t|^{self.p:g}"


def raise_to(base: Floats, exponent: float) -> Floats:
    """Return ``base ** exponent`` for base >= 0; roots make quarter powers five times as fast.

    Examples
    --------
    >>> raise_to(np.array([4.0, 16.0]), 1.25).round(4)
    array([ 5.6569, 32.    ])
    """
    if exponent == 1:
        return base
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
