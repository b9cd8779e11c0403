"""Smaller cases that still fail: take parts away, make numbers simple, as long as it fails.

References
----------
Zeller and Hildebrandt, Simplifying and isolating failure-inducing input, IEEE Transactions on
Software Engineering 28, 2002.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

from fuzz.kind import Case


def fewer(parts: Any) -> Iterator[Any]:
    """Yield a sequence without a half, a quarter, ... of it, and never nothing.

    Examples
    --------
    >>> list(fewer("abcd"))
    ['cd', 'ab', 'bcd', 'acd', 'abd', 'abc']
    """
    size = len(parts) // 2
    while size:
        for first in range(0, len(parts), size):
            kept = parts[:first] + parts[first + size :]
            if len(kept):
                yield kept
        size //= 2


def simpler_numbers(number: float) -> Iterator[float]:
    """Yield simpler numbers close by.

    Examples
    --------
    >>> list(simpler_numbers(3.14159))
    [1.0, 3.0, 3.14]
    >>> list(simpler_numbers(1.0))
    []
    """
    tried = {float(number)}
    for simple in (1.0, float(f"{number:.1g}"), float(f"{number:.3g}")):
        if simple not in tried and len(repr(simple)) <= len(repr(float(number))) and number:
            tried.add(simple)
            yield simple


def shrink(
    case: Case,
    smaller: Callable[[Case], Iterator[Case]],
    fails: Callable[[Case], bool],
    seconds: float = 20.0,
) -> Case:
    """Return a case that fails and has no smaller one that does, or as far as time allows.

    Examples
    --------
    >>> halves = lambda case: ({"rows": rows} for rows in fewer(case["rows"]))
    >>> shrink({"rows": list(range(20))}, halves, lambda case: {3, 11} <= set(case["rows"]))
    {'rows': [3, 11]}
    """
    end = time.monotonic() + seconds
    progress = True
    while progress and time.monotonic() < end:
        progress = False
        for candidate in smaller(case):
            if time.monotonic() > end:
                break
            if fails(candidate):
                case, progress = candidate, True
                break
    return case
