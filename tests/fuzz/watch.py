"""Watch a worker: a check that takes too long is a hang, a worker that ends is a dead process."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

from fuzz.kind import Case, Failure, Kind

TESTS = Path(__file__).parents[1]


class Lost(NamedTuple):
    """How a worker was lost."""

    how: str
    says: str


class Watch:
    """A worker, begun anew whenever it was lost.

    Examples
    --------
    >>> from fuzz.kinds import KINDS
    >>> with Watch() as watch:
    ...     case = {"judgments": [[0, 1, 3.0, 1.0]], "loss": "p=2"}
    ...     print(watch.judge(KINDS["solvers"], case))
    None
    """

    def __init__(self) -> None:
        self._worker: subprocess.Popen[str] | None = None
        self.figures: dict[str, Any] | None = None

    def __enter__(self) -> Watch:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._end()

    def judge(self, kind: Kind, case: Case) -> Failure | None:
        """Return what is wrong with a case, or None."""
        self.figures = None
        answer = self._ask([kind.name, case], kind.limit)
        if isinstance(answer, Lost):
            return Failure(f"{answer.how}{about(case)}", answer.says)
        category, says, self.figures = answer
        return None if category is None else Failure(category, says)

    def judge_many(
        self, kind: Kind, seed: int, first: int, count: int
    ) -> list[tuple[int, Failure]] | None:
        """Return the numbers that fail, and how; None if the worker was lost on the way."""
        answer = self._ask([kind.name, seed, first, count], kind.limit)
        if isinstance(answer, Lost):
            return None
        return [(number, Failure(category, says)) for number, category, says in answer]

    def _ask(self, question: list[Any], limit: float) -> Any:
        worker = self._worker = self._worker or self._begin()
        assert worker.stdin is not None
        assert worker.stdout is not None
        worker.stdin.write(json.dumps(question) + "\n")
        worker.stdin.flush()
        if not select.select([worker.stdout], [], [], limit)[0]:
            self._end()
            return Lost("hangs", f"not done after {limit:g} s")
        answer = worker.stdout.readline()
        if not answer:
            code = worker.wait()
            self._end()
            return Lost("dead process", f"exit code {code}")
        return json.loads(answer)

    def _begin(self) -> subprocess.Popen[str]:
        path = os.pathsep.join([str(TESTS), *filter(None, [os.environ.get("PYTHONPATH")])])
        return subprocess.Popen(
            [sys.executable, "-m", "fuzz.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "PYTHONPATH": path},
            start_new_session=True,
        )

    def _end(self) -> None:
        if self._worker is None:
            return
        with suppress(ProcessLookupError):  # with its children, of which some kinds have many
            os.killpg(self._worker.pid, signal.SIGKILL)
        self._worker.communicate()
        self._worker = None


def about(case: Case) -> str:
    """Say in a few words what a case was about, for the category."""
    told = case.get("loss") or case.get("what")
    return f" on {told.split(':')[0]}" if isinstance(told, str) else ""
