"""The timeline: the ratings as they were after part of the contests, or judgments.

They are cut into at most ``POINTS`` stretches of equally many. After each, everything so
far is rated; a contestant has a point where they took part in the stretch, and one at the end. Of
strengths that move the points are on their paths, as today's results have them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, count, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from qrja.data import Dates, Floats, Offsets
from qrja.ratings import cut_evenly, walk

if TYPE_CHECKING:
    from qrja.ratings import Ratings

POINTS = 40
"""Stretches, for least squares."""
FEWER = 15
"""Stretches, for the other losses, which take longer."""
DIGITS = 5
"""Significant digits: a line in a picture needs no more."""


def trace_all(
    ratings: Ratings, order: Offsets, progress: Callable[[int, int], None] | None = None
) -> dict[str, Any] | None:
    """Rate ever more results; None without dates: the order of rows need not be one in time.

    Parameters
    ----------
    ratings : Ratings
        Of all contests.
    order : array of int
        The contestants by their place in the leaderboard.
    progress : callable, optional
        Told how many stretches are rated, and how many there are.

    Returns
    -------
    dict or None
        ``when``: the date of the last contest rated at each point; ``point`` and ``rating``: for
        each contestant, where there is a value, and the values; ``moves``: whether these are of
        strengths that move.

    Examples
    --------
    >>> import qrja
    >>> days = np.array(["2026-05-01", "2026-05-08"], "datetime64[D]")
    >>> races = qrja.Contests.from_arrays([1, 1, 2, 2], "abac", [3, 1, 4, 2], days.repeat(2))
    >>> found = trace_all(qrja.fit(races), np.arange(3))
    >>> found["when"], found["point"][2]
    (['2026-05-01', '2026-05-08'], [1])
    """
    data = ratings.data
    if len(data) < 2 or data.date is None:
        return None
    cuts = cut_evenly(len(data), POINTS if ratings.model.is_square or ratings.paths else FEWER)
    points: list[list[int]] = [[] for _ in range(data.n)]
    values: list[list[float]] = [[] for _ in range(data.n)]
    seen = _along_paths(ratings, cuts) if ratings.paths else _rate_again(ratings, cuts)
    for point, (before, done), rated in zip(count(), pairwise(cuts), seen, strict=False):
        entries = slice(int(data.start[before]), int(data.start[done]))
        present = np.arange(data.n) if done == len(data) else np.unique(data.who[entries])
        for i in present.tolist():
            points[i].append(point)
            values[i].append(float(f"{rated[i]:.{DIGITS}g}"))
        if progress is not None:
            progress(point + 1, len(cuts) - 1)
    return {
        "when": _days(data.date[np.array(cuts[1:]) - 1]),
        "point": [points[i] for i in order],
        "rating": [values[i] for i in order],
        "moves": ratings.paths is not None,
    }


def _rate_again(ratings: Ratings, cuts: list[int]) -> Iterator[Floats]:
    """Yield the ratings of the first contests, NaN for those who had not appeared."""
    names = ratings.data.names
    for past in chain(walk(ratings, cuts[1:-1]), [ratings]):
        known = past.data.number
        x = past.solution.x
        yield np.array([x[known[name]] if name in known else np.nan for name in names])


def _along_paths(ratings: Ratings, cuts: list[int]) -> Iterator[Floats]:
    """Yield strengths that move as they were, with what is known of them today."""
    moved = ratings.paths
    assert moved is not None
    periods, x = moved.periods, np.full(ratings.data.n, np.nan)
    for before, done in pairwise(cuts):
        entries = slice(int(ratings.data.start[before]), int(ratings.data.start[done]))
        nodes = periods.of_entry[entries]  # in time order: the latest is written last
        x[periods.who[nodes]] = moved.x[nodes]
        yield x.copy()


def _days(dates: Dates) -> list[str]:
    return [str(day) for day in dates.astype("datetime64[D]")]
