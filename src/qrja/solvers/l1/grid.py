"""Floats become exact integers: scores and margins, and weights.

Decimal fractions are exact: if every value is the double nearest to ``k / 10^d``, the integers k
stand for them without any rounding. Differences of such doubles are off by their last bits; they
go to the same integers, and the errors are kept. Other floats go to a grid of a power of two, so
fine that it is exact for all but the smallest values.

The kernels compute with int64. Scores take up at most ``SCORE_BITS`` bits, counted from an origin
in their own contest; what they leave free becomes steps between neighbouring values, so that an
optimum in the middle of a face has a place on the grid too.
Weights are scaled so that all of them together, over all pairs, stay below ``2^WEIGHT_BITS``: a
flow is a signed sum of them, and twice a flow still fits.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from qrja.data import Floats, distinct_values, dot

Integers = NDArray[np.int64]

SCORE_BITS = 57
"""Leaves a factor of 8 between the largest margin and the largest score of a node, 2^60."""
STEP_BITS = 30
"""Steps between neighbouring values, at most."""
WEIGHT_BITS = 61
FINE_BITS = 34
"""Bits of the smallest weight where weights have to be rounded."""
ROUGH_BITS = 44
"""Bits of a double that survive a few operations."""
DIGITS = 9
"""Decimal places tried."""
DENOMINATOR = 10**6
"""Largest denominator of a weight that is recognised as a fraction."""


@dataclass(frozen=True)
class IntegerGrid:
    """Integers that stand for differences of floats.

    ``v - origin`` becomes ``(rint(v scale 2^inner) - rint(origin scale 2^inner)) 2^outer``: both
    are rounded, to nothing less than they are if the grid is exact, before they are subtracted.

    Examples
    --------
    >>> scores = np.array([1000.1, 1002.5])
    >>> grid = IntegerGrid.of(scores, scores[[0, 0]])
    >>> grid.scale, grid.is_exact
    (10, True)
    >>> grid.integers(scores, scores[[0, 0]]) // 2**grid.outer
    array([ 0, 24])
    """

    scale: int
    """A power of ten; 1 on a grid of powers of two."""
    inner: int
    """Bits of the grid of powers of two; 0 for decimal fractions."""
    outer: int
    """Bits for steps in between."""
    is_exact: bool
    """Whether nothing was rounded in the values that the grid was made for."""
    is_decimal: bool = True
    """Whether it is a grid of decimal fractions, not of powers of two."""

    @property
    def unit(self) -> float:
        """What stands for 1."""
        return math.ldexp(float(self.scale), self.inner + self.outer)

    @property
    def is_snapped(self) -> bool:
        """Whether rounding errors of decimal fractions were left out."""
        return self.is_decimal and not self.is_exact

    @property
    def slack(self) -> int:
        """Integers up to this one may be rounding errors, of a few last bits."""
        return 0 if self.is_exact or self.is_snapped else 1 << max(SCORE_BITS - ROUGH_BITS, 0)

    @classmethod
    def of(
        cls, values: Floats, origin: Floats, score_bits: int = SCORE_BITS, *, snap: bool = True
    ) -> IntegerGrid:
        """Choose a grid whose integers take up at most ``score_bits`` bits.

        With ``snap``, values within rounding errors of decimal fractions are taken for these.
        """
        digits, is_exact = decimals(values)
        if digits is not None and (snap or is_exact):
            spare = score_bits - _bits(cls(10**digits, 0, 0, is_exact).integers(values, origin))
            if spare >= 0:
                return cls(10**digits, 0, min(spare, STEP_BITS), is_exact)
        # No double needs more than 53 bits; int64 has room for 62 before the subtraction.
        # Beyond 2^1000 the unit itself would pass the range of floats.
        inner = min(62 - int(np.frexp(np.abs(values).max(initial=0.0))[1]), 1000 - STEP_BITS)
        spare = score_bits - _bits(cls(1, inner, 0, False, False).integers(values, origin))
        inner, outer = inner + min(spare, 0), min(max(spare, 0), STEP_BITS)
        scaled = np.ldexp(values, inner)
        return cls(1, inner, outer, bool((np.rint(scaled) == scaled).all()), False)

    def integers(self, values: Floats, origin: Floats) -> Integers:
        """Return the integers that stand for ``values - origin``."""
        return (self._rounded(values) - self._rounded(origin)) << self.outer

    def _rounded(self, values: Floats) -> Integers:
        return np.rint(np.ldexp(values * float(self.scale), self.inner)).astype(np.int64)

    def errors(self, values: Floats) -> Floats:
        """Return by how much values exceed the integers that stand for them, exactly."""
        if self.is_exact:
            return np.zeros_like(values)
        back = np.ldexp(self._rounded(values).astype(np.float64), -self.inner) / self.scale
        return (values - back) * self.unit

    def holds(self, values: Floats, origin: Floats, score_bits: int = SCORE_BITS) -> bool:
        """Tell whether later values are as exact as the first, and not too large."""
        if np.abs(values - origin).max(initial=0.0) * self.unit >= 2.0**score_bits:
            return False
        largest = np.ldexp(np.abs(values).max(initial=0.0) * self.scale, self.inner)
        if largest >= 2.0 ** (53 if self.is_decimal else 62):
            return False
        if not self.is_exact and not self.is_decimal:
            return True
        back = np.ldexp(self._rounded(values).astype(np.float64), -self.inner) / self.scale
        noise = 0.0 if self.is_exact else 8 * 2.0**-53 * float(np.abs(values).max(initial=0.0))
        return bool((np.abs(back - values) <= noise).all())


def _bits(integers: Integers) -> int:
    return int(np.abs(integers).max(initial=0)).bit_length()


def decimals(values: Floats) -> tuple[int | None, bool]:
    """Return how many decimal places write all values, and whether they do so exactly.

    A double is taken for the decimal fraction that it is nearest to, as it was when it was read. A
    double within some last bits of one, of the largest value, is taken for the result of a
    subtraction; to be told from any other number it must not have too many digits.

    Examples
    --------
    >>> decimals(np.array([7.0, 2.5])), decimals(np.array([1.3 - 1.1])), decimals(np.array([1 / 3]))
    ((1, True), (1, False), (None, False))
    """
    largest = float(np.abs(values).max(initial=0.0))
    noise = 8 * 2.0**-53 * largest
    for digits in range(DIGITS + 1):
        power = 10.0**digits
        if largest * power >= 2.0**53:
            break
        error = np.abs(np.rint(values * power) / power - values).max(initial=0.0)
        if error == 0:
            return digits, True
        if error <= noise and noise * power <= 2.0**-10:
            return digits, False
    return None, False


def weight_scale(weights: Floats, pairs: Floats) -> tuple[float, bool]:
    """Choose the number that turns weights into integers.

    Parameters
    ----------
    weights : array
        Distinct or not; positive.
    pairs : array
        How many pairs have each weight.

    Returns
    -------
    scale, is_exact
        ``scale * weights`` are, or are rounded to, integers whose sum over all pairs is below
        ``2^WEIGHT_BITS``; exact if they are proportional to the weights.

    Examples
    --------
    >>> weight_scale(np.array([0.5, 0.2]), np.array([3.0, 1.0]))
    (10.0, True)
    """
    total = dot(weights, pairs)
    values = distinct_values(weights[pairs > 0])
    if not len(values):
        return 1.0, True
    if len(values) <= 1000:
        for base in (1.0, float(values[0])):
            denominator = _common_denominator(values, base, 2.0 ** (WEIGHT_BITS - 1) / total)
            if denominator is not None:
                return denominator / base, True
    # No finer than needed: what is left over lets the total grow.
    bits = min(WEIGHT_BITS - 2 - math.frexp(total)[1], FINE_BITS - math.frexp(values[0])[1])
    return math.ldexp(1.0, bits), False


def integer_weights(weights: Floats, scale: float, is_exact: bool) -> Integers:
    """Return the integers that stand for weights, at least 1.

    Where they have to be rounded it is downwards: a flow within them is within the weights.

    Examples
    --------
    >>> integer_weights(np.array([0.3]), 10.0, True), integer_weights(np.array([0.39]), 10.0, False)
    (array([3]), array([3]))
    """
    scaled = weights * scale
    return np.maximum(np.rint(scaled) if is_exact else np.floor(scaled), 1.0).astype(np.int64)


def fits_scale(weights: Floats, scale: float, is_exact: bool) -> bool:
    """Tell whether weights that came later are as exact as the first.

    Examples
    --------
    >>> fits_scale(np.array([0.3]), 10.0, True), fits_scale(np.array([0.25]), 10.0, True)
    (True, False)
    """
    if is_exact:
        return bool((np.rint(weights * scale) / scale == weights).all())
    return bool((weights * scale >= 2.0 ** (FINE_BITS - 2)).all())


def _common_denominator(weights: Floats, base: float, most: float) -> int | None:
    """Return what turns all ``weights / base`` into integers, if it is at most ``most * base``."""
    denominator = 1
    for weight in weights.tolist():
        fraction = Fraction(weight / base).limit_denominator(DENOMINATOR)
        if fraction <= 0 or float(fraction) * base != weight:
            return None
        denominator = math.lcm(denominator, fraction.denominator)
        if denominator >= most * base:
            return None
    return denominator
