"""Compiled: the decorators of the kernels, and the word that the first use takes time.

Kernels are compiled on first use and kept on disk after that. Those of the simplex only read and
write arrays that they are given, so the counting of references to arrays is switched off: it would
cost more than the work itself.

Whoever waits is told so, on stderr, once in a process and only when something is compiled; the
variable ``QRJA_QUIET`` in the environment keeps it silent.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
from numba.core import event

Kernel = TypeVar("Kernel", bound=Callable[..., Any])

# Not all options of the compiler are in its published types.
_compile: Any = numba.njit
_listen: Any = event.register

MESSAGE = "qrja: compiling its inner loops for this machine; some seconds, once, then kept on disk"


def kernel(function: Kernel) -> Kernel:
    """Compile a function that allocates nothing."""
    return cast(Kernel, _compile(cache=True, _nrt=False)(function))


def inlined(function: Kernel) -> Kernel:
    """Compile a function into each of its callers: for inner loops, where a call would cost."""
    return cast(Kernel, _compile(cache=True, _nrt=False, inline="always")(function))


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
