"""History: the ratings as they were after part of the contests.

The contests are cut into at most ``POINTS`` stretches of equally many. After each, everything so
far is rated; a contestant has a point where they took part in the stretch, and one at the end.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from qrja.data import Contests, Floats, Offsets

if TYPE_CHECKING:
    from qrja.ratings import Ratings

POINTS = 40
"""Stretches, for least squares."""
FEWER = 15
"""Stretches, for the other losses, which take longer."""
DIGITS = 5
"""Significant digits: a line in a picture needs no more."""


def trace(
    ratings: Ratings, order: Offsets, progress: Callable[[int, int], None] | None = None
) -> dict[str, Any] | None:
    """Rate ever more contests; None for judgments, which have no order in time.

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
        ``done``: contests rated at each point; ``when``: the date of the last of them, or None;
        ``point`` and ``rating``: for each contestant, where there is a value, and the values.

    Examples
    --------
    >>> import qrja
    >>> found = trace(qrja.fit(qrja.datasets.marathons(example=2)), np.arange(3))
    >>> found["done"], found["point"][2], found["rating"][2]
    ([1, 2, 3], [2], [-480.0])
    """
    data = ratings.data
    if not isinstance(data, Contests) or len(data) < 2:
        return None
    most = min(POINTS if ratings.model.is_square else FEWER, len(data))
    steps = np.unique(np.linspace(0, len(data), most + 1).astype(int))[1:]
    found: tuple[list[list[int]], list[list[float]]] = (
        [[] for _ in range(data.n)],
        [[] for _ in range(data.n)],
    )
    before = 0
    for point, done in enumerate(steps.tolist()):
        last = done == len(data)
        x = ratings.solution.x if last else _rate(ratings, data[:done])
        entries = slice(int(data.start[before]), int(data.start[done]))
        present = np.arange(data.n) if last else np.unique(data.who[entries])
        for i in present.tolist():
            found[0][i].append(point)
            found[1][i].append(float(f"{x[i]:.{DIGITS}g}"))
        before = done
        if progress is not None:
            progress(point + 1, len(steps))
    return {
        "done": steps.tolist(),
        "when": None if data.date is None else _days(data, steps),
        "point": [found[0][i] for i in order],
        "rating": [found[1][i] for i in order],
    }


def _rate(ratings: Ratings, first: Contests) -> Floats:
    """Rate the first contests alone; contestants are numbered as in the whole."""
    model = ratings.model
    known = set(first.names)
    if model.anchors is not None:
        # An anchor that has not yet appeared says nothing about those who have.
        seen = {name: value for name, value in model.anchors.items() if name in known}
        model = replace(model, anchors=seen or None)
    if model.prior is not None:
        model = replace(model, prior={k: v for k, v in model.prior.items() if k in known})
    return model.solve(model.weigh(first)).x


def _days(data: Contests, steps: Offsets) -> list[str]:
    assert data.date is not None
    return [str(day) for day in data.date[steps - 1].astype("datetime64[D]")]
