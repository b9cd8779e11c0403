"""The process in which checks run: a case a line comes in, a verdict a line goes out.

Or a seed and numbers come in, and the verdicts of those that failed go out.

It may hang or die; whoever watches it notices (``watch``).
"""

from __future__ import annotations

import json
import os
import signal
import sys
import warnings

from fuzz.kind import Failure
from fuzz.kinds import KINDS


def verdict(kind: str, case: dict[str, object]) -> list[object]:
    """Return category and words of a failure, or nothing of both, and figures."""
    try:
        return [None, None, KINDS[kind].check(case)]
    except Failure as failure:
        return [failure.category, failure.says, failure.figures]


def verdicts(kind: str, seed: int, first: int, count: int) -> list[list[object]]:
    """Draw cases and return number, category and words of those that fail."""
    told = []
    for number in range(first, first + count):
        case = KINDS[kind].case(seed, number)
        if case is not None and (answer := verdict(kind, case))[0] is not None:
            told.append([number, *answer[:2]])
    return told


def serve() -> None:
    """Answer until nobody asks. What checks print is kept apart from the answers."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.environ["QRJA_QUIET"] = "1"
    warnings.simplefilter("ignore")
    # Whatever is begun in the background of a shell ignores Ctrl-C otherwise.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for line in sys.stdin:
        kind, *asked = json.loads(line)
        answer = verdict(kind, *asked) if len(asked) == 1 else verdicts(kind, *asked)
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    serve()
