"""Repeats: how alike a judge decides on a pair seen twice, the second time with sides swapped.

    d = y_1 + y_2'  (y_2' of the swapped pair),     noise = sqrt(mean d^2 / 2)

the standard deviation of one answer of one judge, by what nobody but the judge can have changed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from qrja.league.panels.ballots import Ballot


@dataclass(frozen=True)
class Repeats:
    """What came of pairs that judges saw twice.

    Parameters
    ----------
    pairs : int
        How many.
    reversed : int
        How many were decided for one item first, and for the other the second time.
    noise : float
        Of one answer, in units of the scale (logarithms for ratios); NaN if there are none.
    """

    pairs: int
    reversed: int
    noise: float

    def to_dict(self) -> dict[str, Any]:
        """Give it as plain values, for JSON."""
        return {**vars(self), "noise": None if math.isnan(self.noise) else self.noise}


def find_repeats(ballots: Sequence[Ballot], *, ratio: bool = False) -> Repeats:
    """Compare what each judge said of the same pair, one time and the next.

    Examples
    --------
    >>> twice = [Ballot("1.1", "Ann", "tea", "gin", 2.0), Ballot("7.1", "Ann", "gin", "tea", -1.0)]
    >>> find_repeats(twice)
    Repeats(pairs=1, reversed=0, noise=0.707...)
    """
    last: dict[tuple[str, frozenset[str]], float] = {}
    differences: list[float] = []
    reversed_ = 0
    for one in ballots:
        if one.y is None:
            continue
        y = math.log(one.y) if ratio else one.y
        y = y if one.a < one.b else -y  # as if the first by name stood on the left
        before = last.get((one.judge, one.pair))
        if before is not None:
            differences.append(y - before)
            reversed_ += y * before < 0
        last[one.judge, one.pair] = y
    squares = sum(d * d for d in differences)
    noise = math.sqrt(squares / (2 * len(differences))) if differences else math.nan
    return Repeats(len(differences), reversed_, noise)
