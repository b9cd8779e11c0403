"""Commands of the real command line, as forked children of a warm process.

A child begins with everything imported and the inner loops loaded, so that a command takes tens of
milliseconds. The process that forks must have no threads: it reads no tables itself.
"""

from __future__ import annotations

import ctypes
import gc
import os
import re
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from fuzz.kind import Failure

TIMED_OUT = 1000
"""The exit code of a command that had to be killed."""


@dataclass(frozen=True)
class Ran:
    """A command that has ended: its exit code (minus the signal, if one ended it) and its words."""

    code: int
    out: str
    err: str
    seconds: float


@cache
def warm_up() -> None:
    """Import what the commands need and load the inner loops."""
    import duckdb  # noqa: F401

    import qrja
    import qrja.cli

    races = qrja.datasets.marathons(example=1)
    for p in (1, 1.5, 2, float("inf")):
        qrja.solve(races, p=p)


class Child:
    """A command that is running."""

    def __init__(
        self,
        arguments: Sequence[str],
        folder: Path,
        prepare: Callable[[], None] = lambda: None,
    ) -> None:
        warm_up()
        self.streams = [folder / f".{time.monotonic_ns()}.{name}" for name in ("out", "err")]
        self.begun = time.monotonic()
        for stream in self.streams:
            stream.touch()
        # What the child does before the command begins is not to be interrupted.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        self.pid = os.fork()
        if self.pid == 0:
            self._run(list(arguments), folder, prepare)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def _run(self, arguments: list[str], folder: Path, prepare: Callable[[], None]) -> None:
        code = 70
        try:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            os.setsid()
            die_with_parent()
            os.chdir(folder)
            for number, stream in enumerate(self.streams, start=1):
                os.dup2(os.open(stream, os.O_WRONLY), number)
            prepare()
            from qrja.__main__ import main

            with suppress(KeyboardInterrupt):  # one that came too early
                signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
            main(arguments)
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 0
        except BaseException:
            traceback.print_exc()
        finally:
            # As at the end of any process; but what its parent would do then is not its own.
            threading._shutdown()  # type: ignore[attr-defined]
            gc.collect()
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)

    def send(self, number: int) -> None:
        """Send a signal to the command and its workers, as a terminal does, if not too late."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)

    def wait(self, limit: float = 60.0) -> Ran:
        """Wait for the end, or make one."""
        end = self.begun + limit
        while True:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                code = os.waitstatus_to_exitcode(status)
                break
            if time.monotonic() > end:
                os.kill(self.pid, signal.SIGKILL)
                os.waitpid(self.pid, 0)
                code = TIMED_OUT
                break
            time.sleep(0.002)
        seconds = time.monotonic() - self.begun
        out, err = (stream.read_text("utf-8", "replace") for stream in self.streams)
        for stream in self.streams:
            stream.unlink()
        return Ran(code, out, err, seconds)


def die_with_parent() -> None:
    """End this process when its parent ends, in whatever group it is (Linux, prctl)."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def command(
    arguments: Sequence[str],
    folder: Path,
    prepare: Callable[[], None] = lambda: None,
    limit: float = 60.0,
) -> Ran:
    """Run a command in a folder; ``prepare`` runs in the child before it."""
    return Child(arguments, folder, prepare).wait(limit)


def check_manners(ran: Ran, what: str) -> None:
    """A command ends in time and of itself, with an answer or one line of its own words."""
    if ran.code == TIMED_OUT:
        raise Failure(f"hangs: {what}", f"not done after {ran.seconds:.0f} s")
    if ran.code < 0:
        raise Failure(f"dead process: {what}", f"signal {-ran.code}")
    if "Traceback" in ran.err:
        raise Failure(f"traceback: {what}", ran.err[-400:])
    if told := re.search(r"qrja: unexpected (\w+):", ran.err):
        raise Failure(f"unexpected {told[1]}: {what}", ran.err[-400:])
    if ran.code not in (0, 1, 2, 130):
        raise Failure(f"odd exit code: {what}", f"{ran.code}: {ran.err[-300:]}")
