"""The leaderboard: who is ahead, by how much, and on how much that rests."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from qrja.data import Contests, Floats, Judgments, Offsets
from qrja.ratings.intervals.bounds import Method, check_request, find_intervals
from qrja.ratings.intervals.clusters import FEWEST, find_clusters
from qrja.tables.out import build_frame

if TYPE_CHECKING:
    from qrja.ratings.door import Ratings


@dataclass(frozen=True)
class Row:
    """One line of a leaderboard."""

    rank: int
    contestant: Hashable
    rating: float
    contests: int
    component: int


def list_rows(ratings: Ratings) -> list[Row]:
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


def list_order(ratings: Ratings) -> Offsets:
    """Return the candidates, best first, component by component."""
    return np.lexsort((-ratings.solution.x, ratings.ranks, ratings.solution.components))


def count_appearances(problem: Contests | Judgments) -> Offsets:
    """Count the contests or judgments of each candidate."""
    if isinstance(problem, Contests):
        return np.bincount(problem.who, minlength=problem.n)
    return np.bincount(np.concatenate([problem.a, problem.b]), minlength=problem.n)


def tabulate(
    ratings: Ratings,
    level: float | None,
    resamples: int,
    seed: int,
    method: Method,
    shown: bool,
    kind: str | None,
    progress: Callable[[int, int], None] | None = None,
) -> Any:
    """Lay the leaderboard out, see :meth:`qrja.Ratings.table`."""
    order = list_order(ratings)
    show = _shower(ratings, shown)
    columns: dict[str, list[Any]] = {
        "rank": ratings.ranks[order].tolist(),
        "contestant": _alike([ratings.problem.names[i] for i in order]),
        "rating": show(ratings.solution.x[order]),
    }
    if level is not None:
        found = _bounds(ratings, level, resamples, seed, method, show, progress)
        columns |= {name: [values[i] for i in order] for name, values in found.items()}
    seen = last_seen(ratings.problem)
    columns["contests"] = ratings.appearances[order].tolist()
    if seen is not None:
        columns["last_seen"] = [seen[i] for i in order]
    columns["component"] = ratings.solution.components[order].tolist()
    return build_frame(columns, ratings.kind if kind is None else kind)


def _bounds(
    ratings: Ratings,
    level: float,
    resamples: int,
    seed: int,
    method: Method,
    show: Callable[[Floats], list[Any]],
    progress: Callable[[int, int], None] | None,
) -> dict[str, list[Any]]:
    names = ("low", "high", "rank_low", "rank_high", "tied_for_first")
    check_request(level, resamples, seed, method)
    clusters = find_clusters(ratings.problem)
    spare = clusters.spare_results(ratings.problem.components)
    if clusters.count < FEWEST or spare <= 0:
        return {name: [None] * clusters.n for name in names}
    found = find_intervals(ratings, level, resamples, seed, method, None, progress)
    values = (
        show(found.low),
        show(found.high),
        found.rank_low.tolist(),
        found.rank_high.tolist(),
        found.is_tied_for_first.tolist(),
    )
    return dict(zip(names, values, strict=True))


def _shower(ratings: Ratings, shown: bool) -> Callable[[Floats], list[Any]]:
    """Return how ratings are written: as texts, as ratios, or as the numbers they are."""
    if shown:
        return lambda values: [ratings.units.show(float(value)) for value in values]
    if ratings.units.kind == "ratio":
        return lambda values: np.exp(np.clip(values, -700, 700)).tolist()
    return lambda values: np.asarray(values).tolist()


def _alike(names: list[Hashable]) -> list[Hashable]:
    """Return names as a column of one type: texts, unless all are of one kind already."""
    return names if len({type(name) for name in names}) < 2 else [str(name) for name in names]


def last_seen(problem: Contests | Judgments) -> list[Any] | None:
    """Return the date (else the label) of the last contest of each, None for judgments."""
    if isinstance(problem, Judgments):
        return None
    last = np.zeros(problem.n, dtype=np.int64)
    np.maximum.at(last, problem.who, problem.contest_of_entry)
    if problem.date is None:
        return _alike([problem.labels[c] for c in last])
    days = problem.date.astype("datetime64[D]")
    exact = days if (days == problem.date).all() else problem.date
    return exact[last].tolist()  # type: ignore[no-any-return]
