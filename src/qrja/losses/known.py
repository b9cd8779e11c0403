"""What solvers ask of a loss: every loss here answers for itself, none is known by its name.

- Is it even, ``f(t) = f(-t)``? Contests need that: their pairs have no direction.
- Is it strictly convex? Then the optimum is unique.
- Is it a power ``|t|^p``? Then it is homogeneous, and any unit of the residuals will do.
- Where does its slope jump? A loss with kinks is piecewise linear and goes to an interior point,
  one without to Newton's method; ``smoothed_by`` says what that sees instead.
- What are its slopes and its conjugate? They make the proof.

A loss of the user's that answers none of this is wrapped in one that does, with care.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from qrja.data import Floats
from qrja.losses.protocols import ConjugateLoss, Loss

HIDDEN = 2.0**-50
"""Share of its parts that rounding may hide in a sum of three, each the result of a few steps."""


class Kink(NamedTuple):
    """The slope of a loss jumps up by ``jump`` at the residual ``at``."""

    at: float
    jump: float


class InUnit(NamedTuple):
    """A loss as it is in another unit, but for a factor of that unit to the power ``degree``.

    There is none where only the largest error counts, or for p < 1.
    """

    loss: KnownLoss | None
    degree: float


class KnownLoss(ABC):
    """A convex loss of which everything is known that solvers ask.

    A new loss is a subclass, a frozen dataclass of numbers with a ``word``: it is then solved,
    proved, saved and read from the command line as those of this package are.

    Examples
    --------
    >>> from qrja.losses import Pinball, Power
    >>> Power(1.5).is_strict, Power(1.5).kinks
    (True, ())
    >>> Pinball(0.9).is_even, Pinball(0.9).kinks
    (False, (Kink(at=0.0, jump=1.0),))
    """

    word: ClassVar[str] = ""
    """Its name on the command line, as in ``huber:2``; without one it cannot be saved either."""
    smoothed_by: ClassVar[Literal["root", "square"]] = "square"
    """What Newton's method sees: ``f(sqrt(t^2 + eps^2))``, for an even loss that rises from 0 on;
    or ``f(t) + eps t^2 / 2``, for any."""

    @property
    def is_even(self) -> bool:
        """Whether ``f(t) = f(-t)``."""
        return True

    @property
    def is_strict(self) -> bool:
        """Whether f is strictly convex, so that no two optima exist."""
        return False

    @property
    def power(self) -> float | None:
        """p, if f is ``|t|^p``."""
        return None

    @property
    def kinks(self) -> tuple[Kink, ...]:
        """All kinks of a piecewise linear loss; none of a smooth one."""
        return ()

    @property
    def window(self) -> float | None:
        """The width within which f is ``t^2 / 2`` and beyond which it is straight, if it is."""
        return None

    @property
    def formula(self) -> tuple[str, float, float] | None:
        """Its compiled form, if there is one, for passes over pairs that are not written out.

        A name in :mod:`qrja.solvers.convex.streamed.kernels.formulas`, the power that it has there,
        and the residual at which it bends.
        """
        return None

    @property
    def has_conjugate(self) -> bool:
        """Whether slopes and conjugate are known, so that a flow proves optimality."""
        return True

    def in_unit(self, unit: float) -> InUnit | None:
        """Return g and d with ``f(unit t) = unit^d g(t)``; None if nothing is gained by it.

        Examples
        --------
        >>> from qrja.losses import Huber, Power
        >>> Power(1.5).in_unit(0.25), Huber(2).in_unit(0.25)
        (InUnit(loss=Power(p=1.5), degree=1.5), InUnit(loss=Huber(delta=8.0), degree=2.0))
        """
        return None

    @property
    @abstractmethod
    def slopes(self) -> tuple[float, float]:
        """The least and the greatest slope of the loss: the domain of the conjugate."""

    @abstractmethod
    def value(self, t: Floats) -> Floats:
        """Return f(t)."""

    @abstractmethod
    def slope(self, t: Floats) -> Floats:
        """Return f'(t); at a kink, anything between the slopes on either side."""

    @abstractmethod
    def curvature(self, t: Floats) -> Floats:
        """Return f''(t), 0 at a kink."""

    @abstractmethod
    def conjugate(self, s: Floats) -> Floats:
        """Return f*(s), infinite outside ``slopes``."""

    def shortfall(self, t: Floats, s: Floats) -> Floats:
        """Bound ``f(t) + f*(s) - s t`` from above: what the line of slope s proves too little at t.

        It is 0 where s is the slope at t. As much as rounding may hide in the sum is added to it.

        Examples
        --------
        >>> from qrja.losses import Power
        >>> Power(1).shortfall(np.array([3.0, 3.0]), np.array([1.0, 0.5]))
        array([0. , 1.5])
        """
        value, star, line = self.value(t), self.conjugate(s), s * t
        missing = (value - line) + star
        hidden = HIDDEN * (np.abs(value) + np.abs(star) + np.abs(line))
        return np.maximum(missing, 0.0) + np.where(missing == 0, 0.0, hidden)

    def cost_of_rounding(self, size: Floats) -> Floats:
        """Return what errors of this size cost at most where judgments agree.

        Examples
        --------
        >>> from qrja.losses import EpsilonInsensitive, Power
        >>> Power(2).cost_of_rounding(np.array([0.1])).round(9)
        array([0.01])
        >>> EpsilonInsensitive(5).cost_of_rounding(np.array([0.1]))
        array([0.1])
        """
        if self.kinks:
            # At the edge of a tube they cost as much as they do with no tube at all.
            low, high = self.slopes
            return max(-low, high) * size
        return np.maximum(self.value(size), self.value(-size))


@dataclass(frozen=True)
class OwnLoss(KnownLoss):
    """A loss of the user's: what it does not say is taken for no."""

    given: Loss

    @property
    def is_even(self) -> bool:
        """As far as five residuals tell."""
        t = np.array([1e-3, 0.5, 1.0, 7.0, 1e3])
        return bool(np.allclose(self.given.value(t), self.given.value(-t), rtol=1e-9))

    @property
    def has_conjugate(self) -> bool:
        """Whether the loss has ``conjugate`` and ``slopes``."""
        return isinstance(self.given, ConjugateLoss)

    @property
    def slopes(self) -> tuple[float, float]:
        """Those of the given loss."""
        assert isinstance(self.given, ConjugateLoss)
        return self.given.slopes

    def value(self, t: Floats) -> Floats:
        """Return f(t)."""
        return self.given.value(t)

    def slope(self, t: Floats) -> Floats:
        """Return f'(t)."""
        return self.given.slope(t)

    def curvature(self, t: Floats) -> Floats:
        """Return f''(t)."""
        return self.given.curvature(t)

    def conjugate(self, s: Floats) -> Floats:
        """Return f*(s)."""
        assert isinstance(self.given, ConjugateLoss)
        return self.given.conjugate(s)

    def __str__(self) -> str:
        return str(self.given)


def complete(loss: Loss) -> KnownLoss:
    """Return a loss that answers whatever solvers ask.

    Examples
    --------
    >>> from qrja.losses import Huber
    >>> complete(Huber(2))
    Huber(delta=2)
    """
    return loss if isinstance(loss, KnownLoss) else OwnLoss(loss)


def indicator(s: Floats, slopes: tuple[float, float]) -> Floats:
    """Return 0 within the slopes and infinity outside: the conjugate of lines through 0."""
    return np.where((s < slopes[0]) | (s > slopes[1]), np.inf, 0.0)
