"""Compiled: a kernel as code of this machine, and the word that making it takes time.

Kernels are compiled when first called this way and kept on disk after that, where there is a place
that can be written. Those that only read and write arrays they are given do without the counting
of references to arrays: it would cost more than the work.

Whoever waits is told so, on stderr, once in a process and only when something is compiled: that it
begins, on a terminal how many were made and how long that has taken, and both in the end. The
variable ``QRJA_QUIET`` in the environment keeps it silent.
"""

from __future__ import annotations

import atexit
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import perf_counter
from typing import Any

import numba
from numba.core import caching, event, types
from numba.extending import typeof_impl

from qrja.interrupts import undisturbed
from qrja.jit.fingerprint import fingerprint
from qrja.jit.kernel_source import KernelSource
from qrja.plurals import count

# Not all options of the compiler are in its published types.
_njit: Any = numba.njit
_listen: Any = event.register
_forget: Any = event.unregister
_type_of: Any = typeof_impl
_FunctionCache: Any = caching.FunctionCache

MESSAGE = "qrja: compiling inner loops for this machine, once{ahead}; they are kept on disk"
NO_PLACE = (
    "qrja: compiling inner loops, in every run{ahead}: neither its folder nor the home folder can"
    " be written; NUMBA_CACHE_DIR names another place to keep them"
)
EACH = 0.25
"""Seconds that a loop takes on a free core, about: 0.15 of the 78 of p = 1, 0.37 of all, some 200.
What is needed later is not known beforehand: an estimate is of the loops made with the first."""


def _seen_from_kernels(kernel: KernelSource, context: Any) -> Any:
    """Let kernels call one another directly."""
    return types.Dispatcher(kernel.machine)


_type_of.register(KernelSource, _seen_from_kernels)


# ------------------------------------------------------------------- what is kept on disk


class _Kept(_FunctionCache):  # type: ignore[misc]
    """What was compiled before. A disk that is full or damaged only costs compiling again.

    It is kept by the source of all files that it was made from.
    """

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        with suppress(OSError):  # frozen: the program as a whole is the source
            made_from = fingerprint(Path(function.__code__.co_filename))
            self._cache_file._source_stamp = self._cache_file._source_stamp, made_from

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
    """Say that something is compiled, and how long it took: the compiler tells when it begins."""

    def __init__(self) -> None:
        self.silent = False
        self.count, self.seconds = 0, 0.0
        self._depth, self._began = 0, 0.0

    @property
    def is_heard(self) -> bool:
        """Whether anybody wants to know."""
        return not (self.silent or os.environ.get("QRJA_QUIET"))

    def on_start(self, event: Any) -> None:
        dispatcher = event.data["dispatcher"]
        if self.silent or not is_ours(dispatcher):
            return
        if self._depth == 0:
            self._began = perf_counter()
        self._depth += 1
        if self.count == 0 and self._depth == 1 and self.is_heard:
            kept = isinstance(dispatcher._cache, _Kept)
            message = MESSAGE if kept else NO_PLACE
            told = message.format(ahead=_estimate(dispatcher.py_func))
            print(told, file=sys.stderr, flush=True)
            atexit.register(self.conclude)

    def on_end(self, event: Any) -> None:
        """Count what is made; on a terminal, tell how far it is."""
        if self.silent or not is_ours(event.data["dispatcher"]):
            return
        self.count, self._depth = self.count + 1, self._depth - 1
        if self._depth == 0:
            self.seconds += perf_counter() - self._began
            if self.is_heard and sys.stderr.isatty():
                print(f"\r{self.summary} so far", end="\r", file=sys.stderr, flush=True)

    @property
    def summary(self) -> str:
        """How many loops were made in how long."""
        return f"qrja: compiled {count(self.count, 'inner loop')} in {self.seconds:.1f} s"

    def conclude(self) -> None:
        """Tell what it came to."""
        if self.count and self.is_heard:
            over = " " * len(" so far") if sys.stderr.isatty() else ""
            print(f"{self.summary}{over}", file=sys.stderr, flush=True)


def _estimate(function: Callable[..., Any]) -> str:
    """Say how many loops are made with the first, and about how long that takes."""
    kernel = function.__globals__.get(function.__name__)
    if not isinstance(kernel, KernelSource):
        return ""
    loops = sum(not it.is_kept for it in kernel.reach())
    return f" ({max(loops, 1)} to begin with, about {max(loops * EACH, 1.0):.0f} s)"


def is_ours(dispatcher: Any) -> bool:
    """Tell whether a function is a loop of this package."""
    return bool(dispatcher.py_func.__module__.startswith("qrja."))


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
        if is_ours(dispatcher):
            self.count += 1
            if isinstance(dispatcher._cache, _Kept):
                beside = str(Path(__file__).parents[1])
                path = str(dispatcher._cache.cache_path)
                self.folder = beside if path.startswith(beside) else str(Path(path).parent)

    def on_end(self, event: Any) -> None:
        """Do nothing."""
