"""The content: all that a report shows, as one object that JSON can hold.

Contestants are numbered by their place in the leaderboard. Contests are kept whole, as margins to
their best score, 2 numbers an entry: explanations, meetings and forecasts of any contestants are
computed from them when the page is read, so the file grows with the entries and not with the pairs.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from qrja.backtesting import outline
from qrja.data import Floats, Offsets, Problem, usual_weight
from qrja.errors import InputError
from qrja.ratings import number_in
from qrja.ratings.board import last_seen, list_order
from qrja.ratings.intervals import Intervals, find_intervals
from qrja.ratings.predict import find_level, rating_shares
from qrja.report.member_boards import list_boards
from qrja.report.origin import describe, list_beside
from qrja.report.phrases import find_book, script_phrases
from qrja.report.timeline import trace_all
from qrja.report.wish import Wish
from qrja.speech import Sentence

if TYPE_CHECKING:
    from qrja.ratings import Ratings

DIGITS = 9
"""Significant digits of the numbers in a report."""
TOLD = 5
"""Leaders of whom every pair is explained in advance, if the loss is not the square."""


def gather(ratings: Ratings, wish: Wish) -> dict[str, Any]:
    """Collect what a report on some ratings shows."""
    order = list_order(ratings)
    units = ratings.units
    intervals = _intervals(ratings, wish)
    return {
        "title": wish.title,
        "source": wish.source,
        "language": wish.language,
        "words": script_phrases(wish.language),
        "logo": wish.logo,
        "link": wish.link,
        "chosen": _chosen(ratings, order, wish),
        "usual": _usual_level(ratings),
        "nouns": _nouns(ratings),
        "units": {
            "kind": units.kind,
            "lower_is_better": units.lower_is_better,
            "decimals": units.decimals,
        },
        "trust": ratings.trust().to_dict(),
        "level": wish.sampling.level,
        "usual_weight": usual_weight(ratings.data),
        "exact": ratings.solution.power == 2,
        "names": [str(ratings.problem.names[i]) for i in order],
        "board": _board(ratings, order, intervals),
        "beside": list_beside(ratings),
        "members": list_boards(ratings, wish.sampling.level),
        "hubs": _hubs(ratings.problem, order),
        "history": trace_all(ratings, order, wish.progress and partial(wish.progress, "the past")),
        "noise": _noise(ratings, order),
        "told": _told(ratings, order, wish.language),
        "backtest": None if wish.backtest is None else outline(wish.backtest),
        "no_backtest": wish.no_backtest
        or Sentence("No back-test was made: qrja backtest compares methods on these data."),
        "origin": describe(ratings, wish, intervals),
    }


def _chosen(ratings: Ratings, order: Offsets, wish: Wish) -> list[int]:
    """Return the places, in the leaderboard, of those who are compared from the start."""
    place = {int(i): k for k, i in enumerate(order)}
    return [place[number_in(ratings.problem, name)] for name in wish.start_list]


def _nouns(ratings: Ratings) -> dict[str, Any]:
    """Return what those who are rated are called, and what compares them."""
    nouns = ratings.problem.nouns
    return {
        "event": nouns.event,
        "candidate": nouns.candidate,
        "of_things": nouns.of_things,
        "judged": nouns.judged,
    }


def _usual_level(ratings: Ratings) -> float | None:
    """Return what an average contestant of the largest group scores, where that is usual."""
    if ratings.units.kind not in ("number", "time"):  # the page adds levels to ratings
        return None
    try:
        noise = ratings.noise
    except InputError:
        return None
    shares = rating_shares(ratings)
    found = find_level(ratings, 0, float(np.median(noise.spread(shares)))) if len(shares) else None
    return None if found is None else found.value


def plain(values: Floats) -> list[float]:
    """Return numbers as JSON should hold them: whole ones without a point, others shortened.

    Examples
    --------
    >>> plain(np.array([480.0, 1 / 3, -0.0]))
    [480, 0.333333333, 0]
    """
    short = [float(f"{value:.{DIGITS}g}") for value in values.tolist()]
    return [int(value) if value.is_integer() and abs(value) < 1e15 else value for value in short]


def _intervals(ratings: Ratings, wish: Wish) -> Intervals | str:
    """Return the intervals, or a sentence that says why there are none."""
    if ratings.problem.m == 0:
        return Sentence("nobody can be compared")
    progress = wish.progress and partial(wish.progress, "resampling")
    try:
        return find_intervals(ratings, wish.sampling, progress)
    except InputError as error:  # too few results: a fact that the report states
        said = error.args[0] if error.args else error
        return said if isinstance(said, str) else str(error)


def _board(ratings: Ratings, order: Offsets, intervals: Intervals | str) -> dict[str, Any]:
    board: dict[str, Any] = {
        "rank": ratings.ranks[order].tolist(),
        "rating": plain(ratings.solution.x[order]),
        "contests": ratings.appearances[order].tolist(),
        "group": ratings.solution.components[order].tolist(),
    }
    seen = last_seen(ratings.problem)
    if seen is not None and getattr(ratings.problem, "date", None) is not None:
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


def _hubs(problem: Problem, order: Offsets) -> dict[str, Any]:
    """Return who met in which contest (or judgment), and by how much they were behind its best."""
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    best = np.full(len(problem), -np.inf)
    np.maximum.at(best, problem.contest_of_entry, problem.score)
    hubs: dict[str, Any] = {
        "size": problem.sizes.tolist(),
        "who": place[problem.who].tolist(),
        "score": plain(problem.score - best[problem.contest_of_entry]),
    }
    if (problem.pair_weight != 1).any():
        hubs["weight"] = plain(problem.pair_weight)
    if not problem.directed:  # judgments are called by their number
        hubs["label"] = [str(label) for label in problem.labels]
    return hubs


def _noise(ratings: Ratings, order: Offsets) -> dict[str, Any] | None:
    """Return what forecasts need, None where nothing tells how far results stray."""
    try:
        noise = ratings.noise
    except InputError:
        return None
    shares = rating_shares(ratings)
    return {
        "result": noise.result,
        "rating": noise.rating,
        "tail": noise.tail if np.isfinite(noise.tail) else None,
        "slope_known": noise.slope_known,
        "slope_once": noise.slope_once,
        # A judgment errs on both of its sides.
        "errors": noise.errors // 2 if ratings.problem.directed else noise.errors,
        "share": [float(f"{share:.4g}") for share in shares[order].tolist()],
    }


def _told(ratings: Ratings, order: Offsets, language: str) -> dict[str, str]:
    """Explain the pairs of leaders, where the page cannot: for losses other than the square."""
    if ratings.solution.power in (2, np.inf):
        return {}
    names = [ratings.problem.names[i] for i in order[:TOLD]]
    told = {}
    for i, a in enumerate(names):
        for j, b in enumerate(names[:i]):
            try:
                told[f"{j},{i}"] = find_book(language).say(ratings.explain(b, a).text())
            except InputError:  # a loss that has no flow to explain
                return {}
    return told
