"""What a loss must be able to do, and what one may do besides."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from qrja.data import Floats


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
