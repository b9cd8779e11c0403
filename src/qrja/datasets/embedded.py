"""The embedded sets as contests: football matches, classifier accuracies, three little marathons.

Each set is a table first (``*_columns``, all that its file holds) and contests second (what can
be ranked). Where rows of the table are left out of the contests, the docstring says which and why.
"""

from __future__ import annotations

from typing import Any, Literal

from qrja.data import Contests
from qrja.datasets.embedded_files import read_columns
from qrja.errors import InputError
from qrja.tables.values import time_score

Example = Literal[1, 2, 3]

MARATHON_ORDERS: dict[Example, dict[str, str]] = {
    1: {
        "mean": "Alice > Charlie > Bob",
        "median": "Alice > Charlie > Bob",
        "qrja": "Alice > Bob > Charlie",
    },
    2: {
        "mean": "Charlie > Alice = Bob",
        "median": "Charlie > Alice > Bob",
        "qrja": "Alice > Bob > Charlie",
    },
    3: {
        "mean": "Alice > Bob > Charlie",
        "median": "Alice > Charlie > Bob",
        "qrja": "Alice > Bob > Charlie",
    },
}
"""How the mean time, the median time and QRJA (p = 1 and p = 2 alike) order the runners of each
example of :func:`marathons`, fastest first."""


def football() -> Contests:
    """Load the matches of five European football leagues, 2013/14 to 2016/17.

    A match is a contest of two, scored by goals. Clubs of different leagues never meet, so each
    league is a component of its own: scores of clubs from two leagues do not compare.

    Notes
    -----
    The table has 6,508 rows. Four have no goals, and are left out: each repeats a fixture of its
    season that is listed, with its goals, on another date, and would have both clubs play twice
    on one day. See ``docs/datasets.md`` for what else is odd.

    Examples
    --------
    >>> matches = football()
    >>> matches
    Contests(contests=6504, n=116, entries=13008, m=6504)
    >>> matches.labels[0]
    '2013-07-20 FK Austria Wien - FC Admira Wacker'
    >>> int(matches.components.max()) + 1
    5
    """
    rows = zip(*football_columns().values(), strict=True)
    played = [row for row in rows if None not in row]
    return Contests.from_arrays(
        [f"{date} {home} - {away}" for date, _, home, away, *_ in played for _ in range(2)],
        [club for _, _, home, away, *_ in played for club in (home, away)],
        [goals for *_, home_goals, away_goals in played for goals in (home_goals, away_goals)],
        date=[date for date, *_ in played for _ in range(2)],
    )


def classifiers() -> Contests:
    """Load the accuracies of four time-series classifiers on the data sets they were run on.

    A data set is a contest; a classifier scores its accuracy, averaged over 30 resamples.

    Notes
    -----
    On 30 of the data sets only WEASEL-2.0 was run. They are kept as contests of one, which carry
    no judgment. But they do enter a plain mean accuracy, as the races that only one runner ran.

    Examples
    --------
    >>> classifiers()
    Contests(contests=142, n=4, entries=478, m=672)
    """
    table = classifiers_columns()
    return Contests.from_arrays(table["dataset"], table["classifier"], table["accuracy"])


def marathons(example: Example = 1) -> Contests:
    """Load one of three little examples, in which averaging times goes wrong.

    1. Charlie ran only the fast course of Chicago, and so has a better mean and median than Bob,
       who beat him there.
    2. Alice and Charlie never met; only Bob, who met both, can tell who is faster.
    3. All three have their median time in Boston, so the median looks at no other race.

    ``MARATHON_ORDERS`` says how the mean, the median and QRJA order the runners.

    References
    ----------
    Xu, Zhang, Cheng and Conitzer, "Aggregating Quantitative Relative Judgments: From Social Choice
    to Ranking Prediction", NeurIPS 2024, section 2.

    Examples
    --------
    >>> marathons(example=1)
    Contests(contests=3, n=3, entries=7, m=5)
    """
    table = marathons_columns(example)
    scores = [time_score(text) for text in table["time"]]
    return Contests.from_arrays(table["race"], table["runner"], scores)


def football_columns() -> dict[str, list[Any]]:
    """Return the table behind :func:`football`; a goal is None where the source has none."""
    return read_columns("football.csv.gz", home_goals=_goals, away_goals=_goals)


def classifiers_columns() -> dict[str, list[Any]]:
    """Return the table behind :func:`classifiers`."""
    return read_columns("classifiers.csv.gz", accuracy=float)


def marathons_columns(example: Example) -> dict[str, list[Any]]:
    """Return the table behind one example of :func:`marathons`; the times are text."""
    if example not in MARATHON_ORDERS:
        raise InputError(f"example is {example!r}; choose one of 1, 2, 3")
    table = read_columns("marathons.csv", example=int)
    which = table.pop("example")
    return {
        name: [value for value, number in zip(column, which, strict=True) if number == example]
        for name, column in table.items()
    }


def _goals(text: str) -> int | None:
    return int(text) if text else None
