"""History: how ratings grew, contest by contest.

The rating of a contestant after the first k contests is that of ``fit(contests[:k])``: what a
reader of that day would have seen, nothing of what came later.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from qrja.data import Contests
from qrja.errors import InputError
from qrja.ratings.words import number_of

if TYPE_CHECKING:
    from qrja.ratings.door import Ratings


def trace(
    ratings: Ratings, who: Iterable[Hashable], points: int = 40
) -> dict[Hashable, list[tuple[Any, float]]]:
    """Return the ratings of some contestants at up to ``points`` times.

    Parameters
    ----------
    ratings : Ratings
        Of contests; judgments have no order in time.
    who : names
        Whose history.
    points : int
        At how many times, spread evenly over the contests.

    Returns
    -------
    dict
        For each contestant, pairs (when, rating) from the first contest of theirs on; ``when`` is
        a date, or the number of contests if they have no dates.

    Examples
    --------
    >>> import qrja
    >>> ratings = qrja.fit(qrja.datasets.marathons(example=1))
    >>> [(count, round(rating)) for count, rating in trace(ratings, ["Bob"])["Bob"]]
    [(1, -330), (2, -285), (3, -34)]
    """
    if not isinstance(ratings.data, Contests):
        raise InputError("a history needs contests, and these are judgments, which have no time")
    data = ratings.data
    names = [data.names[number_of(data.names, name)] for name in who]
    found: dict[Hashable, list[tuple[Any, float]]] = {name: [] for name in names}
    for count in _times(len(data), points):
        known = _rate_first(ratings, count)
        when = count if data.date is None else data.date[count - 1].item()
        for name in names:
            if name in known:
                found[name].append((when, known[name]))
    return found


def _times(contests: int, points: int) -> list[int]:
    """Spread numbers of contests evenly, the last one being all of them."""
    count = min(contests, max(points, 2))
    times = np.linspace(contests / count, contests, count).round()
    return [int(time) for time in np.unique(times)]


def _rate_first(ratings: Ratings, count: int) -> dict[Hashable, float]:
    """Rate the first contests; those whom an anchor or prior names may not have begun yet."""
    from qrja.ratings.entrance import rate

    data = ratings.data
    assert isinstance(data, Contests)
    solution = rate(data[:count], ratings.units, ratings.model).solution
    return dict(zip(solution.names, solution.x.tolist(), strict=True))
