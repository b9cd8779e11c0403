"""Compiled: the decorator of the l1 kernels.

Kernels are compiled on first use and kept on disk after that. They only read and write arrays that
they are given, so the counting of references to arrays is switched off: it would cost more than
the work itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def kernel(function: Kernel) -> Kernel:
    """Compile a function that allocates nothing."""
    return cast(Kernel, numba.njit(cache=True, _nrt=False)(function))


def inlined(function: Kernel) -> Kernel:
    """Compile a function into each of its callers: for inner loops, where a call would cost."""
    return cast(Kernel, numba.njit(cache=True, _nrt=False, inline="always")(function))
