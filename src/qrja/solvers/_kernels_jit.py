"""Compiled: the decorator of the l1 kernels.

Kernels are compiled on first use and kept on disk after that. They only read and write arrays that
they are given, so the counting of references to arrays is switched off: it would cost more than
the work itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar, cast

import numba

# The type checker knows nothing of compiled types: there int and np.int64 are one.
Int: TypeAlias = Any
Float: TypeAlias = Any
Bool: TypeAlias = Any
Table: TypeAlias = Any
"""An array, of numbers or of the records in :mod:`qrja.solvers._l1_records`."""

OUTER: Any = {"cache": True, "_nrt": False, "no_cfunc_wrapper": True}
INNER: Any = OUTER | {"no_cpython_wrapper": True}
Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def kernel(function: Kernel) -> Kernel:
    """Compile a function that allocates nothing and is called from Python."""
    return cast(Kernel, numba.njit(**OUTER)(function))


def inner(function: Kernel) -> Kernel:
    """Compile a function that only kernels call: without a face for Python, in half the time."""
    return cast(Kernel, numba.njit(**INNER)(function))


def tiny(function: Kernel) -> Kernel:
    """Compile a function of a line or two, for inner loops, where a call would cost."""
    return cast(Kernel, numba.njit(**INNER, forceinline=True)(function))
