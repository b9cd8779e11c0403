"""Compiled: a kernel as code of this machine, and the word that making it takes time.

Kernels are compiled when first called this way and kept on disk after that, where there is a place
that can be written. Those that only read and write arrays they are given do without the counting
of references to arrays: it would cost more than the work.

Whoever waits is told so, on stderr, once in a process and only when something is compiled; the
variable ``QRJA_QUIET`` in the environment keeps it silent.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numba
from numba.core import caching, event, types
from numba.extending import typeof_impl

from qrja.interrupts import undisturbed
from qrja.jit.kernel_source import KernelSource

# Not all options of the compiler are in its published types.
_njit: Any = numba.njit
_listen: Any = event.register
_forget: Any = event.unregister
_type_of: Any = typeof_impl
_FunctionCache: Any = caching.FunctionCache

MESSAGE = "qrja: compiling its inner loops for this machine; some seconds, once, then kept on disk"
NO_PLACE = (
    "qrja: compiling its inner loops, some seconds in every run: neither its folder nor the home"
    " folder can be written; NUMBA_CACHE_DIR names another place to keep them"
)


def _seen_from_kernels(kernel: KernelSource, context: Any) -> Any:
    """Let kernels call one another directly."""
    return types.Dispatcher(kernel.machine)


_type_of.register(KernelSource, _seen_from_kernels)


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


def compile_function(function: Callable[..., Any], **options: Any) -> Any:
    """Return what is compiled, or loaded, for the types of the arguments of each call."""
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


_announcer = _Announcer()
_listen("numba:compile", _announcer)


class Compilation(event.Listener):
    """What is compiled on purpose, while this is entered: counted, and not announced."""

    def __init__(self) -> None:
        self.count = 0
        self.folder: str | None = None

    def __enter__(self) -> Compilation:
        self._was_silent, _announcer.silent = _announcer.silent, True
        _listen("numba:compile", self)
        return self

    def __exit__(self, *raised: object) -> None:
        _forget("numba:compile", self)
        _announcer.silent = self._was_silent

    def on_start(self, event: Any) -> None:
        """Count a loop of ours, and see where it will be kept."""
        dispatcher = event.data["dispatcher"]
        if dispatcher.py_func.__module__.startswith("qrja."):
            self.count += 1
            if isinstance(dispatcher._cache, _Kept):
                beside = str(Path(__file__).parents[1])
                path = str(dispatcher._cache.cache_path)
                self.folder = beside if path.startswith(beside) else str(Path(path).parent)

    def on_end(self, event: Any) -> None:
        """Do nothing."""
