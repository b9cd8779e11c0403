"""Histories: the path of a contestant, period by period, with what it may be off by.

All results have a say, later ones too: a path is what is known today of the strength of that time.
What was known then is ``ratings.as_of(date)``.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from qrja.data import check_level
from qrja.errors import InputError
from qrja.ratings.fitted import Fit
from qrja.ratings.form.calendar import Calendar
from qrja.ratings.words import number_in
from qrja.tables.out import build_frame


@dataclass(frozen=True)
class Stage:
    """One period of a contestant: when, how good, and how many results."""

    when: Hashable
    time: float
    rating: float
    low: float | None
    high: float | None
    contests: int


def list_stages(fit: Fit, who: Hashable, level: float = 0.95) -> list[Stage]:
    """List the periods of a contestant, the first one first.

    The intervals are those of squares with the same speed, around the path that was found.

    Examples
    --------
    >>> import qrja
    >>> made = qrja.datasets.synthetic_races(races=40, entrants=6, field=4, turnover=0)
    >>> ratings = qrja.fit(made.contests, drift="0.1 per contest")
    >>> stages = list_stages(ratings, "racer 1")
    >>> bool(stages[-1].rating == ratings.solution.x[0])
    True
    """
    from scipy.special import ndtri, stdtrit

    check_level(level)
    paths = fit.solution.moved
    if paths is None or not paths.is_of_time:
        raise InputError(
            "these ratings do not move, so they have no history of their own; fit with drift='auto'"
        )
    i = number_in(fit.problem, who)
    nodes = paths.periods.nodes_of(i)
    df, known = fit.misfit.df, fit.problem.se is not None
    reach = np.full(len(nodes), np.nan)
    if known or df > 0:
        upper = 0.5 * (1 + level)
        quantile = float(ndtri(upper) if known else stdtrit(df, upper))
        variance = fit.path_covariance.of_nodes(nodes, np.full(len(nodes), i))
        reach = quantile * np.sqrt(variance)
    calendar, count = Calendar(fit), paths.results_of(nodes)
    return [
        Stage(
            calendar.when(float(paths.periods.time[node])),
            float(paths.periods.time[node]),
            float(paths.x[node]),
            None if np.isnan(off) else float(paths.x[node] - off),
            None if np.isnan(off) else float(paths.x[node] + off),
            int(many),
        )
        for node, off, many in zip(nodes.tolist(), reach.tolist(), count.tolist(), strict=True)
    ]


def tabulate_history(fit: Fit, who: Hashable, level: float, kind: str | None) -> Any:
    """Return the periods of a contestant as a table, see :meth:`qrja.Ratings.history`."""
    stages = list_stages(fit, who, level)
    columns: dict[str, list[Any]] = {
        "when": [stage.when for stage in stages],
        "rating": [stage.rating for stage in stages],
        "low": [stage.low for stage in stages],
        "high": [stage.high for stage in stages],
        "contests": [stage.contests for stage in stages],
    }
    return build_frame(columns, fit.kind if kind is None else kind)
