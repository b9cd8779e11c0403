"""The timeline: the ratings as they were after part of the contests, or judgments.

They are cut into at most ``POINTS`` stretches of equally many. After each, everything so
far is rated; a contestant has a point where they took part in the stretch, and one at the end.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from qrja.data import Dates, Offsets
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
        each contestant, where there is a value, and the values.

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
    cuts = cut_evenly(len(data), POINTS if ratings.model.is_square else FEWER)
    points: list[list[int]] = [[] for _ in range(data.n)]
    values: list[list[float]] = [[] for _ in range(data.n)]
    fits = chain(walk(ratings, cuts[1:-1]), [ratings])
    for point, ((before, done), past) in enumerate(zip(pairwise(cuts), fits, strict=True)):
        entries = slice(int(data.start[before]), int(data.start[done]))
        present = np.arange(data.n) if past is ratings else np.unique(data.who[entries])
        for i in present.tolist():
            rating = past.solution.x[past.data.number[data.names[i]]]
            points[i].append(point)
            values[i].append(float(f"{rating:.{DIGITS}g}"))
        if progress is not None:
            progress(point + 1, len(cuts) - 1)
    return {
        "when": _days(data.date[np.array(cuts[1:]) - 1]),
        "point": [points[i] for i in order],
        "rating": [values[i] for i in order],
    }


def _days(dates: Dates) -> list[str]:
    return [str(day) for day in dates.astype("datetime64[D]")]
