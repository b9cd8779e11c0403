"""The run: draw, judge, count by category, and make the first failure of each category small."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import nullcontext
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
    sorts: Counter[str] = field(default_factory=Counter)

    def to_dict(self, known: set[tuple[str, str]]) -> dict[str, Any]:
        """Give it as plain data, for JSON."""
        return {
            "tried": self.tried,
            "seconds": round(self.seconds, 1),
            "figures": self.figures,
            "sorts": dict(sorted(self.sorts.items())),
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
    watch: Watch | None = None,
) -> Tally:
    """Try cases of one kind until trials or seconds are spent.

    Case number i of a seed is the same in every run. What is known is counted, not made small. The
    worker is one of its own unless there is one that several runs share.
    """
    tally, begun = Tally(kind.name), time.monotonic()
    with Watch() if watch is None else nullcontext(watch) as watch:
        while tally.tried != trials and time.monotonic() - begun < seconds:
            count = min(kind.together, trials - tally.tried) if trials else kind.together
            if kind.case(seed, tally.tried) is None:
                break
            for number, failure in _failing(kind, seed, tally, count, watch):
                if failure.category in tally.failed:
                    tally.failed[failure.category].count += 1
                    continue
                case = kind.case(seed, number)
                assert case is not None
                if (kind.name, failure.category) not in known:
                    tell(f"{kind.name}: case {number}: {failure}")
                    case, failure = _smaller(kind, case, failure, watch, shrinking)
                tally.failed[failure.category] = Found(1, case, failure.says)
    tally.seconds = time.monotonic() - begun
    return tally


def _failing(
    kind: Kind, seed: int, tally: Tally, count: int, watch: Watch
) -> Iterator[tuple[int, Failure]]:
    """Try the next cases, all at once if the worker survives that, and yield those that fail."""
    first, tally.tried = tally.tried, tally.tried + count
    failed = watch.judge_many(kind, seed, first, count) if count > 1 else None
    if failed is not None:
        yield from failed
        return
    for number in range(first, first + count):
        case = kind.case(seed, number)
        assert case is not None
        failure = watch.judge(kind, case)
        if watch.figures:
            tally.figures.append(watch.figures)
        if kind.sorts:
            tally.sorts[str(case[kind.sorts])] += 1
        if failure is not None:
            yield number, failure


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
