"""Compiled: the decorators of the kernels, and the word that the first use takes time.

Kernels are compiled on first use and kept on disk after that. Those that only read and write arrays
they are given do without the counting of references to arrays: it would cost more than the work.

Whoever waits is told so, on stderr, once in a process and only when something is compiled; the
variable ``QRJA_QUIET`` in the environment keeps it silent.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar, cast

import numba
from numba.core import event

# The type checker knows nothing of compiled types: there int and np.int64 are one.
Int: TypeAlias = Any
Float: TypeAlias = Any
Bool: TypeAlias = Any
Table: TypeAlias = Any
"""An array, of numbers or of the records in :mod:`qrja.solvers.l1.records`."""
Tables: TypeAlias = Any
"""A named tuple of arrays."""

OUTER: Any = {"cache": True, "_nrt": False, "no_cfunc_wrapper": True}
INNER: Any = OUTER | {"no_cpython_wrapper": True}
Kernel = TypeVar("Kernel", bound=Callable[..., Any])

# Not all options of the compiler are in its published types.
_compile: Any = numba.njit
_listen: Any = event.register

MESSAGE = "qrja: compiling its inner loops for this machine; some seconds, once, then kept on disk"


def kernel(function: Kernel) -> Kernel:
    """Compile a function that allocates nothing and is called from Python."""
    return cast(Kernel, _compile(**OUTER)(function))


def inner(function: Kernel) -> Kernel:
    """Compile a function that only kernels call: without a face for Python, in half the time."""
    return cast(Kernel, _compile(**INNER)(function))


def tiny(function: Kernel) -> Kernel:
    """Compile a function of a line or two, for inner loops, where a call would cost."""
    return cast(Kernel, _compile(**INNER, forceinline=True)(function))


def compiled(function: Kernel) -> Kernel:
    """Compile a function that may allocate; dividing by 0 is an error."""
    return cast(Kernel, _compile(cache=True)(function))


def numeric(function: Kernel) -> Kernel:
    """Compile a function that may allocate; dividing by 0 gives infinity, as in NumPy."""
    return cast(Kernel, _compile(cache=True, error_model="numpy")(function))


class _Announcer(event.Listener):
    """Say once that something is compiled: the compiler tells, after a look at its cache."""

    def __init__(self) -> None:
        self.silent = bool(os.environ.get("QRJA_QUIET"))

    def on_start(self, event: Any) -> None:
        function = event.data["dispatcher"].py_func
        if not self.silent and function.__module__.startswith("qrja."):
            self.silent = True
            print(MESSAGE, file=sys.stderr, flush=True)

    def on_end(self, event: Any) -> None:
        """Say nothing."""


_listen("numba:compile", _Announcer())
