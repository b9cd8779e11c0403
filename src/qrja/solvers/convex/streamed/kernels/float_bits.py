"""Floats taken apart: exponent and mantissa, by the bits, so that loops over them become vectors.

A positive number is ``2^k m`` with m between the roots of 1/2 and of 2. The library of C would do
the same, one number at a time; these few instructions do eight at once. Only compiled code calls
them, and whoever imports this loads the compiler.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.extending import intrinsic


class _Layout(NamedTuple):
    """How a float is laid out in bits."""

    float: Any
    whole: Any
    mantissa: int
    one: int
    root_half: int
    magic: int
    """A whole number below 2^mantissa, or-ed to these bits, is 2^mantissa more as a float."""


_SHORT = _Layout(ir.FloatType(), ir.IntType(32), 23, 0x3F800000, 0x3F3504F3, 0x4B000000)
_LONG = _Layout(
    ir.DoubleType(),
    ir.IntType(64),
    52,
    0x3FF0000000000000,
    0x3FE6A09E667F3BCD,
    0x4330000000000000,
)


def _layout(kind: Any) -> _Layout:
    return _SHORT if kind == types.float32 else _LONG


def _shift(builder: Any, x: Any, it: _Layout) -> Any:
    """Return the bits of x, moved so that numbers from the root of 1/2 on have the exponent 0."""
    return builder.add(builder.bitcast(x, it.whole), ir.Constant(it.whole, it.one - it.root_half))


def _exponent(context: Any, x: Any) -> Any:
    """Return k of ``x = 2^k m``, plus 2^23 + 127, or 2^52 + 1023 in double precision."""
    it = _layout(x)

    def generate(_: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        k = builder.lshr(_shift(builder, arguments[0], it), ir.Constant(it.whole, it.mantissa))
        return builder.bitcast(builder.or_(k, ir.Constant(it.whole, it.magic)), it.float)

    return x(x), generate


def _mantissa(context: Any, x: Any) -> Any:
    """Return m of ``x = 2^k m``."""
    it = _layout(x)

    def generate(_: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        below = ir.Constant(it.whole, (1 << it.mantissa) - 1)
        rest = builder.and_(_shift(builder, arguments[0], it), below)
        return builder.bitcast(builder.add(rest, ir.Constant(it.whole, it.root_half)), it.float)

    return x(x), generate


def _times_power_of_two(context: Any, y: Any, k: Any) -> Any:
    """Return ``2^k y``, for k to which 1.5 times 2^mantissa was added: it rounds k, too."""
    it = _layout(y)

    def generate(_: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        bits = builder.bitcast(arguments[1], it.whole)
        shifted = builder.shl(bits, ir.Constant(it.whole, it.mantissa))
        return builder.bitcast(
            builder.add(builder.bitcast(arguments[0], it.whole), shifted), it.float
        )

    return y(y, y), generate


# Compiled code calls them without the context, which the type checker does not know.
exponent: Any = intrinsic(_exponent)
mantissa: Any = intrinsic(_mantissa)
times_power_of_two: Any = intrinsic(_times_power_of_two)
