"""The kinds of pictures, a function each: it brings the numbers, :mod:`qrja.plots` draws them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from qrja.data import Offsets, check_level, plain_list, whole_number
from qrja.errors import InputError, nearest
from qrja.plots import (
    IntervalRow,
    draw_critical,
    draw_intervals,
    draw_league,
    draw_lines,
    draw_network,
    draw_reliability,
)
from qrja.ratings.board import list_order
from qrja.ratings.fitted import Fit
from qrja.ratings.form import list_stages
from qrja.ratings.intervals import IntervalRequest, Intervals, are_possible, find_intervals
from qrja.ratings.past import trace
from qrja.ratings.pictures.alike_runs import find_runs
from qrja.ratings.pictures.meetings import count_meetings
from qrja.ratings.predict import forecast_past, learn_noise
from qrja.ratings.words import Wording, number_in

Progress = Callable[[int, int], None]
BANDS = 3
"""Lines that are drawn with their intervals; of more they would hide each other."""


@dataclass(frozen=True)
class PictureWish:
    """What a picture should show, see :meth:`qrja.Ratings.plot`."""

    kind: str = "ratings"
    top: int | None = None
    who: Iterable[Hashable] | None = None
    reference: Hashable | None = None
    request: IntervalRequest = field(default_factory=IntervalRequest)
    progress: Progress | None = None
    ax: Any = None
    title: str | None = None

    @property
    def place(self) -> dict[str, Any]:
        """Where to draw, and under which title."""
        return {"ax": self.ax, "title": self.title}


def draw(ratings: Fit, wish: PictureWish) -> Any:
    """Draw a picture and return its figure."""
    if wish.kind not in KINDS:
        hint = nearest(str(wish.kind), KINDS) or f"; choose one of {', '.join(KINDS)}"
        raise InputError(f"no kind of plot {wish.kind!r}{hint}")
    check_level(wish.request.level)
    if wish.reference is not None and wish.kind not in ("forest", "ratings"):
        raise InputError(f"a reference is for a forest, not for the kind {wish.kind!r}; leave it")
    return KINDS[wish.kind](ratings, wish)


def _draw_ratings(ratings: Fit, wish: PictureWish) -> Any:
    if wish.reference is not None:
        return _draw_forest(ratings, wish)
    who, sure = _chosen(ratings, wish, 20), _intervals(ratings, wish)
    rows = [
        IntervalRow(
            ratings.problem.names[i],
            float(ratings.solution.x[i]),
            None if sure is None else float(sure.low[i]),
            None if sure is None else float(sure.high[i]),
            int(ratings.ranks[i]),
        )
        for i in who
    ]
    return draw_intervals(rows, ratings.units, **wish.place)


def _draw_forest(ratings: Fit, wish: PictureWish) -> Any:
    """Draw differences from a reference, the best of its group unless one is named."""
    names, x, sure = ratings.problem.names, ratings.solution.x, _intervals(ratings, wish)
    first = None if wish.reference is None else number_in(ratings.problem, wish.reference)
    who = _chosen(ratings, wish, 20, None if first is None else int(_labels(ratings)[first]))
    base = int(who[0]) if first is None and len(who) else first
    rows = []
    for i in who:
        if base is not None and i != base:
            bounds = (None, None) if sure is None else sure.difference(names[i], names[base])
            rows.append(IntervalRow(names[i], float(x[i] - x[base]), *bounds))
    reference = None if base is None else names[base]
    return draw_intervals(rows, ratings.units, reference=reference, **wish.place)


def _draw_history(ratings: Fit, wish: PictureWish) -> Any:
    lines = trace(ratings, [ratings.problem.names[i] for i in _chosen(ratings, wish, 6)])
    dated = getattr(ratings.data, "date", None) is not None
    counted = Wording.of(ratings).words
    bands = _bands(ratings, wish, lines)
    return draw_lines(lines, ratings.units, dated=dated, counted=counted, bands=bands, **wish.place)


def _bands(
    ratings: Fit, wish: PictureWish, lines: dict[Hashable, list[tuple[Any, float]]]
) -> dict[Hashable, list[tuple[float, float]]]:
    """Return how far strengths that move may be off, beside each point of few lines."""
    if ratings.paths is None or len(lines) > BANDS:
        return {}
    stages = {name: list_stages(ratings, name, wish.request.level) for name in lines}
    return {
        name: [(one.low, one.high) for one in found if one.low is not None and one.high is not None]
        for name, found in stages.items()
    }


def _draw_league(ratings: Fit, wish: PictureWish) -> Any:
    who = _chosen(ratings, wish, 10)
    sure, x = _needed_intervals(ratings, wish), ratings.solution.x
    names = [ratings.problem.names[i] for i in who]
    cells = [
        [(float(x[i] - x[j]), *sure.difference(a, b)) for j, b in zip(who, names, strict=True)]
        for i, a in zip(who, names, strict=True)
    ]
    return draw_league(names, cells, ratings.units, **wish.place)


def _draw_network(ratings: Fit, wish: PictureWish) -> Any:
    who = _chosen(ratings, wish, 25)
    names = [ratings.problem.names[i] for i in who]
    return draw_network(names, count_meetings(ratings.problem, who), **wish.place)


def _draw_critical(ratings: Fit, wish: PictureWish) -> Any:
    who, sure = _chosen(ratings, wish, 20), _needed_intervals(ratings, wish)
    names = [ratings.problem.names[i] for i in who]
    runs = find_runs(len(who), lambda i, j: sure.difference(names[i], names[j]))
    values = [float(ratings.solution.x[i]) for i in who]
    return draw_critical(names, values, runs, ratings.units, **wish.place)


def _draw_reliability(ratings: Fit, wish: PictureWish) -> Any:
    noise = getattr(ratings, "noise", None) or learn_noise(ratings)
    return draw_reliability(forecast_past(ratings, noise).bins(), **wish.place)


KINDS: dict[str, Callable[[Fit, PictureWish], Any]] = {
    "ratings": _draw_ratings,
    "forest": _draw_forest,
    "history": _draw_history,
    "league": _draw_league,
    "network": _draw_network,
    "critical": _draw_critical,
    "reliability": _draw_reliability,
}


def _labels(ratings: Fit) -> Any:
    return ratings.solution.components


def _chosen(ratings: Fit, wish: PictureWish, usual: int, group: int | None = None) -> Offsets:
    """Return who is drawn, best first: those named, or the best of the largest group."""
    order = list_order(ratings)
    top = usual if wish.top is None else whole_number(wish.top, "top", 1)
    if wish.who is None:
        return np.asarray(order[_labels(ratings)[order] == (group or 0)][:top])
    asked = [wish.who] if isinstance(wish.who, str) else plain_list(wish.who)
    wanted = {number_in(ratings.problem, name) for name in asked}
    return np.array([i for i in order if i in wanted], dtype=np.int64)


def _intervals(ratings: Fit, wish: PictureWish) -> Intervals | None:
    if not are_possible(ratings, wish.request):
        return None
    return find_intervals(ratings, wish.request, wish.progress)


def _needed_intervals(ratings: Fit, wish: PictureWish) -> Intervals:
    return find_intervals(ratings, wish.request, wish.progress)
