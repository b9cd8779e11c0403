"""The process in which checks run: a case a line comes in, a verdict a line goes out.

It may hang or die; whoever watches it notices (``watch``).
"""

from __future__ import annotations

import json
import os
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


def serve() -> None:
    """Answer until nobody asks. What checks print is kept apart from the answers."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.environ["QRJA_QUIET"] = "1"
    warnings.simplefilter("ignore")
    for line in sys.stdin:
        kind, case = json.loads(line)
        print(json.dumps(verdict(kind, case)), file=answers, flush=True)


if __name__ == "__main__":
    serve()
