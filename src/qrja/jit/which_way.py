"""Which way a kernel runs: interpreted at first, compiled from where that is less waiting.

Nobody knows beforehand how often a kernel will be called. So a small call is interpreted until the
kernel has taken as long as the compiler would, and is compiled from then on: at most twice the
wait of whoever knew. What is kept on disk is loaded after as long as that takes, which is little
where the compiler is loaded already. A large call, which could not be left half-way, is compiled at
once.

The variable ``QRJA_COMPILE`` in the environment decides instead if it is ``always`` or ``never``.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, cached_property
from hashlib import sha1
from pathlib import Path
from time import process_time
from typing import Any, TypeVar, cast

from qrja.interrupts import import_whole, undisturbed
from qrja.jit.interpreter import count_elements, interpret
from qrja.jit.kernel_source import KernelSource

SMALL = 100_000
"""Elements of all arrays given up to which a call is interpreted, mostly in less than a second:
p = 1 of 2,000 entries has 80,000."""
LARGE = 2_000_000
"""The same for those that have a form in arrays, which is some times slower and not a hundred."""
LONG = 500
"""Elements of all arrays given from which a form in arrays is quicker than a loop of Python: four
groups of 500 judgments took 8.4 s at p = 1.5 with 2,000, 3.1 with 1,000 and 2.9 with 500 or 250."""
LOADING, LOADING_ONE = 0.7, 0.01
"""Seconds of the processor for which kernels that are kept on disk may be interpreted: all together
what it takes to load the compiler and a dozen of them; each what it takes beside others."""
COMPILING, COMPILING_ARRAYS = 2.5, 8.0
"""Seconds for which each of those that are not kept may be: no more than compiling it takes, with
the loops that it calls and loading the compiler; and more in arrays, of which little is left then:
p = 0.5 of four groups of 500 entries took 12.9 and 11.5 s with 5, of which its loops took five, and
10.5 and 8.1 interpreted."""

WISH = os.environ.get("QRJA_COMPILE")

OUTER: dict[str, Any] = {"_nrt": False, "no_cfunc_wrapper": True}
INNER: dict[str, Any] = OUTER | {"no_cpython_wrapper": True}
VECTOR: dict[str, Any] = {"error_model": "numpy", "fastmath": {"contract"}}
ADDED_UP: dict[str, Any] = {"nogil": True, "fastmath": {"contract", "reassoc", "nsz"}}
Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Compile a function that allocates nothing and is called from Python."""
    return cast(Function, Kernel(function, OUTER))


def inner(function: Function) -> Function:
    """Compile a function that only kernels call: without a face for Python, in half the time."""
    return cast(Function, Kernel(function, INNER))


def tiny(function: Function) -> Function:
    """Compile a function of a line or two, for inner loops, where a call would cost."""
    return cast(Function, Kernel(function, INNER | {"forceinline": True}))


def compiled(function: Function) -> Function:
    """Compile a function that may allocate; dividing by 0 is an error."""
    return cast(Function, Kernel(function, {}))


def numeric(function: Function) -> Function:
    """Compile a function that may allocate; dividing by 0 gives infinity, as in NumPy."""
    return cast(Function, Kernel(function, {"error_model": "numpy"}))


def threaded(function: Function) -> Function:
    """Compile a function that may allocate and that threads run side by side."""
    return cast(Function, Kernel(function, {"nogil": True}))


def vector(function: Function) -> Function:
    """Compile a loop that threads run side by side, over several numbers at a time.

    Sums may be added up in any order. It is never interpreted: see :func:`may_compile`.
    """
    return cast(Function, Kernel(function, OUTER | VECTOR | ADDED_UP, is_interpreted=False))


def tiny_vector(function: Function) -> Function:
    """Compile a function of a line or two, for loops over several numbers at a time."""
    return cast(Function, Kernel(function, INNER | VECTOR | {"forceinline": True}))


def may_compile() -> bool:
    """Tell whether nobody has forbidden to compile anything."""
    return WISH != "never"


def load_compiler() -> Any:
    """Import the compiler, in spite of Ctrl-C."""
    return import_whole("qrja.jit.machine")


def is_ready(kernel: Any) -> bool:
    """Tell whether a kernel runs compiled, or would without waiting for the compiler."""
    return WISH != "never" and (WISH == "always" or kernel.is_awake or kernel.is_kept)


def in_arrays(
    kernel: Any, beyond: int = LONG, suits: Callable[..., bool] | None = None
) -> Callable[[Function], Function]:
    """Give a kernel a form in arrays: the same result up to rounding, without a loop.

    It is taken ``beyond`` so many elements, from where it is quicker: of kernels with loops within
    loops, sooner. ``suits`` tells of the arguments of a call whether it is for them at all.
    """

    def give(function: Function) -> Function:
        kernel.array_form, kernel.array_from = function, beyond
        kernel.array_suits = suits
        return function

    return give


@contextmanager
def compiling_all() -> Iterator[Any]:
    """Compile whatever is called; yields what tells ``count`` and the ``folder`` of it."""
    global WISH
    before, WISH = WISH, "always"
    try:
        with load_compiler().Compilation() as work:
            yield work
    finally:
        WISH = before


class Kernel(KernelSource):
    """A function that is interpreted or compiled, see above.

    Compiled code that returns arrays holds Ctrl-C back, see :mod:`qrja.interrupts`. One that turns
    out to return numbers, or nothing, is in no danger: it is called directly then.
    """

    spent_by_all = 0.0
    has_compiler = False

    def __init__(
        self, function: Callable[..., Any], options: dict[str, Any], is_interpreted: bool = True
    ) -> None:
        super().__init__(function, options)
        self.is_interpreted = is_interpreted
        self.spent = 0.0
        self.is_awake, self.is_safe = False, not self.allocates

    @cached_property
    def machine(self) -> Any:
        """The compiled function; what is kept on disk is loaded when it is called."""
        return load_compiler().compile_function(self.function, **self.options)

    def __call__(self, *arguments: Any) -> Any:
        """Run it, one way or the other."""
        if self.is_interpreted and (
            WISH == "never" or not (self.is_awake or self._must_wake(arguments))
        ):
            return self._interpret(arguments)
        self.is_awake = Kernel.has_compiler = True
        if self.is_safe:
            return self.machine(*arguments)
        answer = undisturbed(self.machine, *arguments)
        self.is_safe = answer is None or isinstance(answer, int | float)
        return answer

    def _must_wake(self, arguments: tuple[Any, ...]) -> bool:
        in_arrays = self.has_array_form(arguments)
        if WISH == "always" or count_elements(arguments) > (LARGE if in_arrays else SMALL):
            return True
        if not self.is_kept:
            return self.spent >= (COMPILING_ARRAYS if in_arrays else COMPILING)
        return Kernel.spent_by_all >= LOADING or (Kernel.has_compiler and self.spent >= LOADING_ONE)

    @cached_property
    def is_kept(self) -> bool:
        """Whether the compiler has kept something for it."""
        return is_kept(self.function)

    def _interpret(self, arguments: tuple[Any, ...]) -> Any:
        begin = process_time()
        try:
            return interpret(self, arguments)
        finally:
            seconds = process_time() - begin
            self.spent += seconds
            Kernel.spent_by_all += seconds


def is_kept(function: Callable[..., Any]) -> bool:
    """Tell whether the compiler kept something for a function, wherever it keeps things."""
    code = function.__code__
    home = Path(code.co_filename)
    pattern = f"{home.stem}.{function.__qualname__}-{code.co_firstlineno}.*.nbi"
    return any(next(place.glob(pattern), None) is not None for place in _places(home.parent))


@cache
def _places(folder: Path) -> tuple[Path, ...]:
    """Return where the compiler may have kept the functions of a folder.

    Beside them; else in the home folder, or where the variable of the compiler says, below a name
    that is unlike those of other folders.
    """
    named = os.environ.get("NUMBA_CACHE_DIR")
    homes = [
        os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser(),
        Path("~/Library/Caches").expanduser(),
    ]
    elsewhere = [Path(named)] if named else [Path(home) / "numba" for home in homes]
    apart = f"{folder.name}_{sha1(str(folder).encode(), usedforsecurity=False).hexdigest()}"
    beside = () if named else (folder / "__pycache__",)
    return (*beside, *(place / apart for place in elsewhere))
