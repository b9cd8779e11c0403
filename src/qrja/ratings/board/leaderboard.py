"""The leaderboard: who is ahead, by how much, and on how much that rests."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qrja.data import Floats, Index, Offsets, Problem, whole_number
from qrja.ratings.fitted import Fit, is_elsewhere
from qrja.ratings.intervals import (
    ClassicalIntervals,
    IntervalRequest,
    are_possible,
    find_intervals,
)
from qrja.ratings.ranks import rank_within
from qrja.tables import Units
from qrja.tables.out import build_frame

BOUNDS = ("low", "high", "rank_low", "rank_high", "tied_for_first")
"""The columns of intervals."""
RANKS = ("rank_low", "rank_high", "tied_for_first")
"""Those that say nothing of who is not ranked."""
LARGEST = 700.0
"""The logarithm of the largest ratio that is written."""


@dataclass(frozen=True)
class Row:
    """One line of a leaderboard."""

    rank: int
    contestant: Hashable
    rating: float
    contests: int
    component: int


def list_rows(ratings: Fit) -> list[Row]:
    """List the rows of a leaderboard, see :meth:`qrja.Ratings.leaderboard`."""
    return [
        Row(
            rank=int(ratings.ranks[i]),
            contestant=ratings.problem.names[i],
            rating=float(ratings.solution.x[i]),
            contests=int(ratings.appearances[i]),
            component=int(ratings.solution.components[i]),
        )
        for i in list_order(ratings)
    ]


def list_order(ratings: Fit) -> Offsets:
    """Return the candidates, best first, component by component."""
    return np.lexsort((-ratings.solution.x, ratings.ranks, ratings.solution.components))


def tabulate(
    ratings: Fit,
    request: IntervalRequest | None,
    *,
    least: int = 0,
    shown: bool = False,
    kind: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Any:
    """Lay the leaderboard out, see :meth:`qrja.Ratings.table`."""
    few = ratings.appearances < whole_number(least, "min_contests", 0)
    label = _apart(ratings.solution.components, few)
    ranks = rank_within(ratings.solution.x, label)
    order = np.lexsort((-ratings.solution.x, ranks, few, ratings.solution.components))
    show = _shower(ratings.units, shown)
    columns: dict[str, list[Any]] = {
        "rank": _unless(few, ranks, order),
        "contestant": _alike([ratings.problem.names[i] for i in order]),
        "rating": show(ratings.solution.x[order]),
    }
    if request is not None:
        found = _bounds(ratings, request, show, progress, label)
        for name, values in found.items():
            hidden = few if name in RANKS else np.zeros(len(few), dtype=bool)
            columns[name] = _unless(hidden, values, order)
    seen = last_seen(ratings.problem)
    columns["contests"] = ratings.appearances[order].tolist()
    if seen is not None:
        columns["last_seen"] = [seen[i] for i in order]
    columns["component"] = ratings.solution.components[order].tolist()
    if few.any():
        columns["few"] = few[order].tolist()
    return build_frame(columns, ratings.kind if kind is None else kind)


def _bounds(
    ratings: Fit,
    request: IntervalRequest,
    show: Callable[[Floats], list[Any]],
    progress: Callable[[int, int], None] | None,
    label: Index,
) -> dict[str, list[Any]]:
    problem = ratings.problem
    if not are_possible(ratings, request):
        return {name: [None] * problem.n for name in BOUNDS}
    found = replace(find_intervals(ratings, request, progress), components=label)
    values = (
        show(found.low),
        show(found.high),
        found.rank_low.tolist(),
        found.rank_high.tolist(),
        found.is_tied_for_first.tolist(),
    )
    columns = dict(zip(BOUNDS, values, strict=True))
    # Of the logarithm for ratios: a factor has no symmetric error.
    return {"se": found.se.tolist()} | columns if isinstance(found, ClassicalIntervals) else columns


def _apart(components: Index, few: NDArray[np.bool_]) -> Index:
    """Let those with few results be ranked among themselves, so that others are without them.

    Examples
    --------
    >>> _apart(np.array([0, 0, 1], dtype=np.int32), np.array([False, True, False]))
    array([0, 2, 1], dtype=int32)
    """
    groups = int(components.max(initial=-1)) + 1
    return np.where(few, components + groups, components).astype(np.int32)


def _unless(hidden: NDArray[np.bool_], values: Any, order: Offsets) -> list[Any]:
    """Return values in an order, None where they are hidden."""
    plain = np.asarray(values).tolist() if isinstance(values, np.ndarray) else values
    return [None if hidden[i] else plain[i] for i in order]


def _shower(units: Units, shown: bool) -> Callable[[Floats], list[Any]]:
    """Return how ratings are written: as texts, as ratios, or as the numbers they are."""
    if shown:
        return lambda values: [units.show(float(value)) for value in values]
    if units.kind == "ratio":
        return lambda values: np.exp(np.clip(values, -LARGEST, LARGEST)).tolist()
    return lambda values: np.asarray(values).tolist()


def show_again(units: Units, value: float) -> str:
    """Write a number of the table as a text: ratios stand there where ratings are logarithms."""
    return units.show(math.log(value) if units.kind == "ratio" else value)


def _alike(names: list[Hashable]) -> list[Hashable]:
    """Return names as a column of one type: texts, unless all are of one kind already."""
    return names if len({type(name) for name in names}) < 2 else [str(name) for name in names]


def last_seen(problem: Problem) -> list[Any] | None:
    """Return the date (else the label) of the last contest of each, None if judgments have none."""
    if is_elsewhere(problem) or (problem.directed and problem.date is None):
        return None
    last = np.zeros(problem.n, dtype=np.int64)
    last[problem.who] = problem.contest_of_entry  # in rising order: the last is what stays
    if problem.date is None:
        return _alike([problem.labels[c] for c in last])
    days = problem.date.astype("datetime64[D]")
    exact = days if (days == problem.date).all() else problem.date
    return exact[last].tolist()  # type: ignore[no-any-return]
