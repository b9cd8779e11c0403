"""Ctrl-C: raised at a safe moment, by every handler, and never lost."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import qrja.cli
from qrja import interrupts
from qrja.__main__ import main
from qrja.interrupts import deaf_children, undisturbed
from qrja.laplacian.network.kernels.arcs import imbalance
from qrja.tables.sources import Database


@pytest.fixture(autouse=True)
def handlers() -> Iterator[None]:
    """Begin with Python's handlers, which jobs in the background lack; put back what there was."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler), sys.unraisablehook
    yield
    signal.signal(signal.SIGINT, before[0])
    sys.unraisablehook = before[1]


def test_the_function_ends_before_ctrl_c_is_raised() -> None:
    done = []

    def work() -> None:
        signal.raise_signal(signal.SIGINT)
        done.append(signal.getsignal(signal.SIGINT))

    with pytest.raises(KeyboardInterrupt):
        undisturbed(work)
    assert done != [signal.default_int_handler]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_the_handler_of_the_user_is_called_with_what_came() -> None:
    calls: list[Any] = []
    signal.signal(signal.SIGINT, lambda number, frame: calls.append(number))
    assert undisturbed(lambda: (signal.raise_signal(signal.SIGINT), len(calls))) == (None, 0)
    assert calls == [signal.SIGINT]


def test_every_signal_is_answered_whatever_another_raises() -> None:
    calls: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda number, frame: calls.append(number))

    def work() -> None:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGINT):
            signal.raise_signal(number)

    try:
        with pytest.raises(KeyboardInterrupt):
            undisturbed(work)
        assert calls == [signal.SIGTERM]
    finally:
        signal.signal(signal.SIGTERM, before)


def test_a_signal_that_comes_while_handlers_come_back_loses_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def ended(number: int, frame: Any) -> None:
        """Do nothing, as a service that ends at its leisure."""

    before = signal.signal(signal.SIGTERM, ended)
    plain = interrupts._set
    left = [signal.SIGINT, signal.SIGTERM]

    def set_and_raise(number: int, handler: Any) -> None:
        plain(number, handler)
        if handler in (ended, signal.default_int_handler) and number in left:
            left.remove(signal.Signals(number))
            raise KeyboardInterrupt

    monkeypatch.setattr(interrupts, "_set", set_and_raise)
    try:
        with pytest.raises(KeyboardInterrupt):
            undisturbed(int)
        assert not left
        assert signal.getsignal(signal.SIGTERM) is ended
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGTERM, before)


def test_an_error_is_not_lost_and_handlers_come_back() -> None:
    with pytest.raises(ZeroDivisionError):
        undisturbed(lambda: 1 / 0)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_calls_within_a_call_wait_for_its_end() -> None:
    done: list[str] = []

    def work() -> None:
        undisturbed(signal.raise_signal, signal.SIGINT)
        done.append("the rest")

    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            undisturbed(work)
        with pytest.raises(ZeroDivisionError):
            undisturbed(lambda: undisturbed(lambda: 1 / 0))
    assert done == ["the rest", "the rest"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_signal_that_is_ignored_stays_ignored() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    undisturbed(signal.raise_signal, signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN


def test_threads_are_let_through() -> None:
    answers: list[int] = []
    thread = threading.Thread(target=lambda: answers.append(undisturbed(max, 3, 5)))
    thread.start()
    thread.join()
    assert answers == [5]


def interrupted(seconds: float, function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function, and interrupt it after so many seconds."""
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    return function(*arguments)


def test_compiled_code_that_returns_an_array_survives_a_signal() -> None:
    arcs = np.zeros(4_000_000, np.int64)
    ends, flow = arcs + 1, np.ones(len(arcs))
    imbalance(2, arcs[:1], ends[:1], flow[:1])  # loaded
    for _ in range(3):  # it dies at once without
        with pytest.raises(KeyboardInterrupt):
            interrupted(0.001, imbalance, 2, arcs, ends, flow)
    assert imbalance(2, arcs, ends, flow).tolist() in ([-4e6, 4e6], [4e6, -4e6])


LONG = "SELECT sum(a.range * b.range) FROM range(50000) a, range(5000) b"


def test_a_query_that_is_interrupted_raises_as_python_does() -> None:
    with Database(".") as database:
        database.execute("SELECT 1")
        with pytest.raises(KeyboardInterrupt):
            interrupted(0.02, database.execute, LONG)
        assert database.execute("SELECT 6 * 7").fetchall() == [(42,)]


def test_ctrl_c_outside_of_a_command_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(qrja.cli, "main", lambda arguments: signal.raise_signal(signal.SIGINT))
    with pytest.raises(SystemExit) as ended:
        main([])
    assert ended.value.code == 130
    assert capsys.readouterr().err == "qrja: interrupted\n"
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN


PROGRAM = """
import sys
from qrja.interrupts import ended_by_code
with ended_by_code():
    try:
        exec("raise KeyboardInterrupt")
    except KeyboardInterrupt:
        print("interrupted")
        sys.exit(130)
"""


def test_a_module_interrupted_in_code_made_of_text_ends_by_its_code(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "program"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stdout == "interrupted\n"
    assert done.returncode == 130


def test_ctrl_c_that_cannot_be_raised_comes_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    def command(arguments: list[str] | None) -> None:
        sys.unraisablehook(SimpleNamespace(exc_value=KeyboardInterrupt()))  # type: ignore[arg-type]
        while True:
            pass

    monkeypatch.setattr(qrja.cli, "main", command)
    with pytest.raises(SystemExit) as ended:
        main([])
    assert ended.value.code == 130


@pytest.mark.parametrize("interrupted", [True, False])
def test_what_is_half_made_at_ctrl_c_fails_in_silence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], interrupted: bool
) -> None:
    class HalfMade:
        def __init__(self) -> None:
            signal.raise_signal(signal.SIGINT if interrupted else signal.SIGCHLD)
            self.handle = 1 / 0

        def __del__(self) -> None:
            print(self.handle)

    def command(arguments: list[str] | None) -> None:
        with suppress(ZeroDivisionError):
            HalfMade()

    monkeypatch.setattr(
        sys, "__unraisablehook__", lambda what: print(what.exc_value, file=sys.stderr)
    )
    monkeypatch.setattr(qrja.cli, "main", command)
    with suppress(SystemExit):
        main([])
    said = capsys.readouterr().err
    assert said == "qrja: interrupted\n" if interrupted else "no attribute 'handle'" in said


def test_children_are_deaf_and_the_parent_is_not() -> None:
    with deaf_children():
        assert signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
