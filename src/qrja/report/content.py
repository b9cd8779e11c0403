"""Gathering: all that a report shows, as one object that JSON can hold.

Contestants are numbered by their place in the leaderboard. Contests are kept whole, as margins to
their best score, 2 numbers an entry: explanations, meetings and forecasts of any contestants are
computed from them when the page is read, so the file grows with the entries and not with the pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from qrja.backtesting import outline
from qrja.data import Contests, Floats, Offsets
from qrja.errors import InputError
from qrja.ratings.board.leaderboard import last_seen, list_order
from qrja.ratings.intervals.clusters import Clusters, find_clusters
from qrja.ratings.words import word_of
from qrja.report.origin import describe
from qrja.report.timeline import trace

if TYPE_CHECKING:
    from qrja.ratings import Ratings
    from qrja.tables import Summary

DIGITS = 9
"""Significant digits of the numbers in a report."""
TOLD = 5
"""Leaders of whom every pair is explained in advance, if the loss is not the square."""


@dataclass(frozen=True)
class Wish:
    """What is asked of a report; see :func:`qrja.report.make_report`."""

    title: str
    source: str
    checksum: str | None
    summary: Summary | None
    backtest: Mapping[str, Any] | None
    no_backtest: str
    level: float
    resamples: int
    seed: int
    progress: Callable[[str, int, int], None] | None = None


def gather(ratings: Ratings, wish: Wish) -> dict[str, Any]:
    """Collect what a report on some ratings shows."""
    order = list_order(ratings)
    clusters = find_clusters(ratings.problem)
    units = ratings.units
    intervals = _intervals(ratings, wish)
    return {
        "title": wish.title,
        "source": wish.source,
        "word": word_of(ratings.problem),
        "units": {
            "kind": units.kind,
            "lower_is_better": units.lower_is_better,
            "decimals": units.decimals,
        },
        "trust": ratings.trust().to_dict(),
        "level": wish.level,
        "exact": ratings.solution.power == 2,
        "names": [str(ratings.problem.names[i]) for i in order],
        "board": _board(ratings, order, intervals),
        "hubs": _hubs(ratings, clusters, order),
        "history": trace(ratings, order, wish.progress and partial(wish.progress, "the past")),
        "noise": _noise(ratings, clusters, order),
        "told": _told(ratings, order),
        "backtest": None if wish.backtest is None else outline(wish.backtest),
        "no_backtest": wish.no_backtest or _say_no_backtest(ratings),
        "origin": describe(ratings, wish, intervals),
    }


def plain(values: Floats) -> list[float]:
    """Return numbers as JSON should hold them: whole ones without a point, others shortened.

    Examples
    --------
    >>> plain(np.array([480.0, 1 / 3, -0.0]))
    [480, 0.333333333, 0]
    """
    short = [float(f"{value:.{DIGITS}g}") for value in values.tolist()]
    return [int(value) if value.is_integer() and abs(value) < 1e15 else value for value in short]


def _say_no_backtest(ratings: Ratings) -> str:
    if isinstance(ratings.data, Contests):
        return "No back-test was made: qrja backtest compares methods on these data."
    return "Judgments have no order in time, so there is nothing to predict and to compare."


def _intervals(ratings: Ratings, wish: Wish) -> Any:
    """Return the intervals, or a sentence that says why there are none."""
    if ratings.problem.m == 0:
        return "nobody can be compared"
    try:
        return ratings.intervals(
            wish.level,
            resamples=wish.resamples,
            seed=wish.seed,
            progress=wish.progress and partial(wish.progress, "resampling"),
        )
    except InputError as error:
        # Wrong wishes are the caller's; too few results are a fact that the report states.
        if str(error).startswith(("level", "resamples", "seed")):
            raise
        return str(error)


def _board(ratings: Ratings, order: Offsets, intervals: Any) -> dict[str, Any]:
    board: dict[str, Any] = {
        "rank": ratings.ranks[order].tolist(),
        "rating": plain(ratings.solution.x[order]),
        "contests": ratings.appearances[order].tolist(),
        "group": ratings.solution.components[order].tolist(),
    }
    seen = last_seen(ratings.problem)
    if seen is not None:
        board["last"] = [str(seen[i]) for i in order]
    if not isinstance(intervals, str):
        board |= {
            "low": plain(intervals.low[order]),
            "high": plain(intervals.high[order]),
            "rank_low": intervals.rank_low[order].tolist(),
            "rank_high": intervals.rank_high[order].tolist(),
            "tied": intervals.is_tied_for_first[order].astype(int).tolist(),
        }
    return board


def _hubs(ratings: Ratings, clusters: Clusters, order: Offsets) -> dict[str, Any]:
    """Return who met in which contest (or judgment), and by how much they were behind its best."""
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    count = len(clusters.sizes)
    best = np.full(count, -np.inf)
    np.maximum.at(best, clusters.contest, clusters.score)
    problem = ratings.problem
    hubs: dict[str, Any] = {
        "size": clusters.sizes.tolist(),
        "who": place[clusters.who].tolist(),
        "score": plain(clusters.score - best[clusters.contest]),
    }
    if (clusters.weight != 1).any():
        hubs["weight"] = plain(clusters.weight)
    if isinstance(problem, Contests):
        hubs["label"] = [str(label) for label in problem.labels]
    return hubs


def _noise(ratings: Ratings, clusters: Clusters, order: Offsets) -> dict[str, Any] | None:
    """Return what forecasts need, None where nothing tells how far results stray."""
    try:
        noise = ratings.noise
    except InputError:
        return None
    return {
        "result": noise.result,
        "rating": noise.rating,
        "tail": noise.tail if np.isfinite(noise.tail) else None,
        "slope_known": noise.slope_known,
        "slope_once": noise.slope_once,
        "errors": noise.errors,
        "share": [float(f"{share:.4g}") for share in clusters.shares.squares[order].tolist()],
    }


def _told(ratings: Ratings, order: Offsets) -> dict[str, str]:
    """Explain the pairs of leaders, where the page cannot: for losses other than the square."""
    if ratings.solution.power in (2, np.inf):
        return {}
    names = [ratings.problem.names[i] for i in order[:TOLD]]
    told = {}
    for i, a in enumerate(names):
        for j, b in enumerate(names[:i]):
            try:
                told[f"{j},{i}"] = ratings.explain(b, a).text()
            except InputError:  # a loss that has no flow to explain
                return {}
    return told
