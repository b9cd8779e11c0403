"""Ctrl-C at a safe moment: held back while compiled code runs, and answered by one process.

A signal becomes an exception at whatever line of Python runs next. Compiled code that returns an
array runs one, to make the array, and takes no notice of an exception there: the process dies, or
a ``SystemError`` comes out. So the handlers of signals wait outside, and are called afterwards.
"""

from __future__ import annotations

import _thread
import atexit
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from threading import Event, Timer, get_ident, main_thread
from typing import Any

SIGNALS = tuple(
    int(getattr(signal, name))
    for name in ("SIGINT", "SIGTERM", "SIGALRM", "SIGHUP")
    if hasattr(signal, name)
)
"""Those whose handlers are known to raise: Ctrl-C, the end of a service, a limit of time."""

INTERRUPTED = 130
"""The exit code after Ctrl-C, by the custom of shells."""

# The functions behind those of ``signal``, which take 5 microseconds to make enumerations.
try:
    _plain: Any = import_module("_signal")
except ImportError:  # not CPython
    _plain = signal
_get, _set = _plain.getsignal, _plain.signal

_holding = False
"""Whether signals are held back at this moment."""


def undisturbed(function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """Call a function; what signals make Python do is done after it.

    Takes 2 microseconds, and nothing to speak of within another such call.

    Examples
    --------
    >>> undisturbed(max, 2, 3)
    3
    """
    global _holding
    # Python handles signals in the main thread only.
    if _holding or get_ident() != main_thread().ident:
        return function(*arguments, **options)
    came: list[tuple[int, Any]] = []
    handlers = {number: it for number in SIGNALS if callable(it := _get(number))}

    def remember(number: int, frame: Any) -> None:
        came.append((number, frame))

    try:
        for number in handlers:
            _set(number, remember)
        _holding = True
        return function(*arguments, **options)
    finally:
        # First: the next line may raise what comes from now on.
        _holding = False
        try:
            _give_back([*handlers.items()])
        finally:
            _answer(came, handlers)


def _give_back(handlers: list[tuple[int, Any]]) -> None:
    """Set all handlers, whatever those raise that are set already: else their signals are lost."""
    try:
        while handlers:
            _set(*handlers[-1])
            handlers.pop()
    finally:
        if handlers:
            _give_back(handlers)


def _answer(came: list[tuple[int, Any]], handlers: dict[int, Any]) -> None:
    """Call the handlers of all signals that came, whatever those raise that are called before."""
    for at, (number, frame) in enumerate(came):
        try:
            handlers[number](number, frame)
        except BaseException:
            _answer(came[at + 1 :], handlers)
            raise


def import_whole(name: str) -> Any:
    """Import a module that Ctrl-C must not leave half imported.

    Half of a compiler cannot be imported again, and half of a database ends the process.

    Examples
    --------
    >>> import_whole("math").floor(2.5)
    2
    """
    return undisturbed(import_module, name)


@contextmanager
def raised_by_queries() -> Iterator[None]:
    """Raise Ctrl-C as Python does, where a database tells it by an error.

    Examples
    --------
    >>> try:
    ...     with raised_by_queries():
    ...         raise RuntimeError("Query interrupted")
    ... except KeyboardInterrupt:
    ...     print("as by Python")
    as by Python
    """
    try:
        yield
    except RuntimeError as error:
        if str(error) == "Query interrupted":
            raise KeyboardInterrupt from None
        raise


@contextmanager
def deaf_children() -> Iterator[None]:
    """Let processes begun here be deaf to Ctrl-C, which a terminal sends to all of them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def answer_ctrl_c(work: Callable[[], None]) -> None:
    """Do the work of this process, which ends on Ctrl-C, whenever it comes, by a line and code 130.

    What is begun here ends the process in any case: while it does, Ctrl-C has no effect. It may
    come while this is prepared, and while this ends: so all of it is tried.
    """
    try:
        try:
            _hear_all()
            work()
        finally:
            _set(signal.SIGINT, _plain.SIG_IGN)
    except KeyboardInterrupt:
        _set(signal.SIGINT, _plain.SIG_IGN)
        print("qrja: interrupted", file=sys.stderr)
        raise SystemExit(INTERRUPTED) from None


def _hear_all() -> None:
    """Let no Ctrl-C be lost."""
    came = Event()

    def interrupt(number: int, frame: Any) -> None:
        came.set()
        signal.default_int_handler(number, frame)

    # Who began this process may have decided otherwise, as for jobs in the background.
    if _get(signal.SIGINT) is signal.default_int_handler:
        _set(signal.SIGINT, interrupt)
    sys.unraisablehook = partial(_hear_destructor, came)


@contextmanager
def ended_by_code() -> Iterator[None]:
    """End this process by its exit code, whatever Ctrl-C came upon.

    If that was code made of text, as named tuples are, ``python -m`` would end the process by the
    signal, although the program had answered it.
    """
    answered_it = Event()
    atexit.register(_end_at_once, answered_it)  # first, so that it is called last
    try:
        yield
    except SystemExit as end:
        if end.code == INTERRUPTED:
            answered_it.set()
        raise


def _end_at_once(interrupted: Event) -> None:
    if interrupted.is_set():
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
        os._exit(INTERRUPTED)


def _hear_destructor(interrupted: Event, unraisable: Any) -> None:
    """Where Python cannot raise, in a destructor, Ctrl-C would be lost: let it come once more.

    What it left half made cannot be taken apart properly either, which is nobody's concern.
    """
    if isinstance(unraisable.exc_value, KeyboardInterrupt):
        Timer(0.01, _thread.interrupt_main).start()
    elif not interrupted.is_set():
        sys.__unraisablehook__(unraisable)
