"""Compiled: the decorators of the kernels, and the word that the first use takes time.

Kernels are compiled on first use and kept on disk after that, where there is a place that can be
written. Those that only read and write arrays they are given do without the counting of references
to arrays: it would cost more than the work. Those that return arrays hold Ctrl-C back, see
:mod:`qrja.interrupts`.

Whoever waits is told so, on stderr, once in a process and only when something is compiled; the
variable ``QRJA_QUIET`` in the environment keeps it silent.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import update_wrapper
from typing import Any, TypeAlias, TypeVar, cast

import numba
from numba.core import caching, event, types
from numba.extending import typeof_impl

from qrja.interrupts import undisturbed

# The type checker knows nothing of compiled types: there int and np.int64 are one.
Int: TypeAlias = Any
Float: TypeAlias = Any
Bool: TypeAlias = Any
Table: TypeAlias = Any
"""An array, of numbers or of the records in :mod:`qrja.solvers.l1.records`."""
Tables: TypeAlias = Any
"""A named tuple of arrays."""

OUTER: Any = {"_nrt": False, "no_cfunc_wrapper": True}
INNER: Any = OUTER | {"no_cpython_wrapper": True}
Kernel = TypeVar("Kernel", bound=Callable[..., Any])

# Not all options of the compiler are in its published types.
_njit: Any = numba.njit
_listen: Any = event.register
_type_of: Any = typeof_impl
_FunctionCache: Any = caching.FunctionCache

MESSAGE = "qrja: compiling its inner loops for this machine; some seconds, once, then kept on disk"
NO_PLACE = (
    "qrja: compiling its inner loops, some seconds in every run: neither its folder nor the home"
    " folder can be written; NUMBA_CACHE_DIR names another place to keep them"
)


def kernel(function: Kernel) -> Kernel:
    """Compile a function that allocates nothing and is called from Python."""
    return cast(Kernel, _compile(function, **OUTER))


def inner(function: Kernel) -> Kernel:
    """Compile a function that only kernels call: without a face for Python, in half the time."""
    return cast(Kernel, _compile(function, **INNER))


def tiny(function: Kernel) -> Kernel:
    """Compile a function of a line or two, for inner loops, where a call would cost."""
    return cast(Kernel, _compile(function, **INNER, forceinline=True))


def compiled(function: Kernel) -> Kernel:
    """Compile a function that may allocate; dividing by 0 is an error."""
    return cast(Kernel, Undisturbed(_compile(function)))


def numeric(function: Kernel) -> Kernel:
    """Compile a function that may allocate; dividing by 0 gives infinity, as in NumPy."""
    return cast(Kernel, Undisturbed(_compile(function, error_model="numpy")))


class Undisturbed:
    """A compiled function that may return arrays; called from Python, it holds Ctrl-C back.

    One that turns out to return numbers, or nothing, is in no danger: it is called directly then.
    """

    def __init__(self, function: Any) -> None:
        self.function, self.is_safe = function, False
        update_wrapper(self, function.py_func)

    def __call__(self, *arguments: Any) -> Any:
        """Call it, undisturbed."""
        if self.is_safe:
            return self.function(*arguments)
        answer = undisturbed(self.function, *arguments)
        self.is_safe = answer is None or isinstance(answer, int | float)
        return answer


def _seen_from_kernels(held: Undisturbed, context: Any) -> Any:
    """Let kernels call one another directly."""
    return types.Dispatcher(held.function)


_type_of.register(Undisturbed, _seen_from_kernels)


# ------------------------------------------------------------------- what is kept on disk


class _Kept(_FunctionCache):  # type: ignore[misc]
    """What was compiled before. A disk that is full or damaged only costs compiling again."""

    def load_overload(self, signature: Any, target: Any) -> Any:
        """Load what was compiled for some types, or None."""
        try:
            return super().load_overload(signature, target)
        except Exception:  # unpickling what is damaged raises almost anything
            with suppress(OSError):
                self.flush()
            return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep what was compiled, if there is room."""
        with suppress(OSError):  # an index without its data would tell of older ones
            undisturbed(super().save_overload, signature, result)


def _compile(function: Callable[..., Any], **options: Any) -> Any:
    dispatcher = _njit(**options)(function)
    with suppress(RuntimeError):  # no place to keep it
        dispatcher._cache = _Kept(function)  # what cache=True does, with a cache that forgives
    return dispatcher


class _Announcer(event.Listener):
    """Say once that something is compiled: the compiler tells, after a look at its cache."""

    def __init__(self) -> None:
        self.silent = False

    def on_start(self, event: Any) -> None:
        dispatcher = event.data["dispatcher"]
        silent = self.silent or os.environ.get("QRJA_QUIET")
        if not silent and dispatcher.py_func.__module__.startswith("qrja."):
            self.silent = True
            kept = isinstance(dispatcher._cache, _Kept)
            print(MESSAGE if kept else NO_PLACE, file=sys.stderr, flush=True)

    def on_end(self, event: Any) -> None:
        """Say nothing."""


_listen("numba:compile", _Announcer())
