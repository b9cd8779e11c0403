"""The run: draw, judge, count by category, and make the first failure of each category small."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from fuzz.kind import Case, Failure, Kind
from fuzz.shrink import shrink
from fuzz.watch import Watch


@dataclass
class Found:
    """One category of failures: how often, and the first case, made small."""

    count: int
    case: Case
    says: str


@dataclass
class Tally:
    """What came of one kind."""

    kind: str
    tried: int = 0
    seconds: float = 0.0
    failed: dict[str, Found] = field(default_factory=dict)
    figures: list[dict[str, Any]] = field(default_factory=list)

    def to_dict(self, known: set[tuple[str, str]]) -> dict[str, Any]:
        """Give it as plain data, for JSON."""
        return {
            "tried": self.tried,
            "seconds": round(self.seconds, 1),
            "figures": self.figures,
            "failed": {
                category: {
                    "count": found.count,
                    "known": (self.kind, category) in known,
                    "says": found.says,
                    "case": found.case,
                }
                for category, found in sorted(self.failed.items())
            },
        }


def run(
    kind: Kind,
    seed: int,
    *,
    trials: int | None = None,
    seconds: float = float("inf"),
    shrinking: float = 20.0,
    known: frozenset[tuple[str, str]] = frozenset(),
    tell: Callable[[str], None] = lambda line: None,
) -> Tally:
    """Try cases of one kind until trials or seconds are spent.

    Case number i of a seed is the same in every run. What is known is counted, not made small.
    """
    tally, begun = Tally(kind.name), time.monotonic()
    with Watch() as watch:
        while tally.tried != trials and time.monotonic() - begun < seconds:
            case = kind.case(seed, tally.tried)
            if case is None:
                break
            failure = watch.judge(kind, case)
            tally.tried += 1
            if watch.figures:
                tally.figures.append(watch.figures)
            if failure is None:
                continue
            if failure.category in tally.failed:
                tally.failed[failure.category].count += 1
                continue
            if (kind.name, failure.category) not in known:
                tell(f"{kind.name}: case {tally.tried - 1}: {failure}")
                case, failure = _smaller(kind, case, failure, watch, shrinking)
            tally.failed[failure.category] = Found(1, case, failure.says)
    tally.seconds = time.monotonic() - begun
    return tally


def _smaller(
    kind: Kind, case: Case, failure: Failure, watch: Watch, seconds: float
) -> tuple[Case, Failure]:
    """Return a small case of the same category, and what is said of it."""
    last = failure

    def fails(smaller: Case) -> bool:
        nonlocal last
        again = watch.judge(kind, smaller)
        if again is None or again.category != failure.category:
            return False
        last = again
        return True

    if failure.category.startswith("hangs"):
        return case, failure
    return shrink(case, kind.shrink, fails, seconds), last
