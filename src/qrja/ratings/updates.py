"""Updates: what new, withdrawn or corrected results make of ratings.

An update solves the problem that a fit of everything would solve, for p = 1 and p = 2 started at
the ratings so far: the order in which results arrive does not matter, and nothing drifts. Other
losses are solved from the beginning, for their scores would depend on the start. Contests later
than all others are appended without touching what is there, which is what streams of results are
made of; contests in between are put in their place.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import replace
from itertools import count
from typing import Any, TypeVar

import numpy as np

from qrja.data import (
    Contests,
    Covariates,
    Dates,
    Index,
    Judgments,
    frozen,
    join_columns,
    span_groups,
)
from qrja.errors import InputError
from qrja.ratings.fitted import Fit, is_elsewhere
from qrja.ratings.past import walk
from qrja.ratings.words import number_in, number_of
from qrja.tables import Table, read_table
from qrja.tables.values import read_date, read_score, show_date

F = TypeVar("F", bound=Fit)


def update(ratings: F, more: Any) -> F:
    """Add contests or judgments, see :meth:`qrja.Ratings.update`."""
    _check_held(ratings, "update")
    added = _read(ratings, more)
    if isinstance(ratings.data, Contests) and isinstance(added, Contests):
        return ratings.refit(join_contests(ratings.data, added))
    if isinstance(ratings.data, Judgments) and isinstance(added, Judgments):
        return ratings.refit(join_judgments(ratings.data, added))
    raise InputError(
        f"the ratings are of {ratings.data.noun}s, and these are {added.noun}s; fit them apart"
    )


def remove(ratings: F, contest: Hashable) -> F:
    """Withdraw a contest, see :meth:`qrja.Ratings.remove`."""
    data = _contests(ratings, "remove")
    keep = np.ones(len(data), dtype=bool)
    keep[find_contest(data, contest)] = False
    return ratings.refit(data[keep])


def correct(ratings: F, contest: Hashable, contestant: Hashable, score: Any) -> F:
    """Correct one result, see :meth:`qrja.Ratings.correct`."""
    data = _contests(ratings, "correct")
    number, who = find_contest(data, contest), number_in(data, contestant)
    entry = int(data.start[number]) + _entry(data, number, who, contest, contestant)
    scores = data.score.copy()
    scores[entry] = read_score(score, ratings.units)
    return ratings.refit(replace(data, score=scores))


def as_of(ratings: F, date: Any) -> F:
    """Return the ratings of a day, see :meth:`qrja.Ratings.as_of`."""
    _check_held(ratings, "as_of")
    data = ratings.data
    if data.date is None:
        raise InputError(
            f"as_of needs dates, and these {data.noun}s have none; name the date column"
        )
    day = read_date(date)
    # A day is over when the next one begins.
    later = (day + 1 if _is_day(day) else day).astype("datetime64[s]")
    count = int(np.searchsorted(data.date, later, side="left" if _is_day(day) else "right"))
    if count == 0:
        verb = "was made" if data.directed else "took place"
        first = show_date(data.date[0])
        raise InputError(f"no {data.noun} {verb} by {date}; the first was on {first}")
    return next(walk(ratings, [count]))


def _is_day(date: np.datetime64) -> bool:
    return bool(np.datetime_data(date)[0] in ("D", "W", "M", "Y"))


# ---------------------------------------------------------------------- joining


def join_contests(data: Contests, added: Contests) -> Contests:
    """Put contests together, in time order.

    Examples
    --------
    >>> boston = Contests.from_arrays(["Boston"] * 2, ["Alice", "Bob"], [3, 1])
    >>> chicago = Contests.from_arrays(["Chicago"] * 2, ["Cid", "Bob"], [5, 4])
    >>> join_contests(boston, chicago).names
    ('Alice', 'Bob', 'Cid')
    """
    new = set(added.labels)
    if not new.isdisjoint(data.labels):  # a stream adds few: the many are not put into a set
        known = set(data.labels)
        label = next(it for it in added.labels if it in known)
        raise InputError(
            f"contest {label!r} is there already; correct or remove it, or give the new one"
            " another name"
        )
    if len(data) and len(added) and (data.date is None) != (added.date is None):
        some = "the new contests" if data.date is None else "the contests so far"
        raise InputError(f"only {some} have dates; date every contest or none")
    if len(added) == 0:
        return data
    number = dict(data.number)
    to, names = _number(number, data.names, added.names)
    who = to[added.who]
    date = None if data.date is None else _dates(data, added)
    labels, weight = data.labels + added.labels, np.append(data.weight, added.weight)
    score = np.append(data.score, added.score)
    covariates = _join_covariates(data, added)
    if date is None or len(data) == 0 or added.date[0] >= data.date[-1]:  # type: ignore[index]
        start = np.append(data.start, data.start[-1] + added.start[1:])
        # Both parts are checked, and appending keeps what was checked.
        joined = Contests._trusted(
            frozen(start),
            frozen(np.append(data.who, who)),
            frozen(score),
            names,
            labels,
            frozen(weight),
            date,
            data.pairs,
            *_join_judges(data, added),
            data.nouns,
            covariates,
        )
        joined.__dict__["number"] = number
        joined.__dict__["forest"] = span_groups(
            len(names), added.start, who, before=(data.forest, len(data))
        )
        return joined
    judge, judges = _join_judges(data, added)
    group = np.append(data.contest_of_entry, added.contest_of_entry + np.int32(len(data)))
    return Contests.from_numbers(
        group,
        np.append(data.who, who),
        score,
        names=names,
        labels=labels,
        weight=weight,
        date=date,
        pairs=data.pairs,
        judge=judge,
        judges=judges,
        nouns=data.nouns,
        covariates=covariates,
    )


def _join_covariates(data: Contests | Judgments, added: Contests | Judgments) -> Covariates:
    """Put the covariates of both together; those of new rows that were never asked for go."""
    if not len(added) or (not len(data) and not data.covariates):
        return data.covariates if len(data) else added.covariates
    return join_columns(data.covariates, added.covariates, data.noun)


def _join_judges(
    data: Contests | Judgments, added: Contests | Judgments
) -> tuple[Index | None, tuple[Hashable, ...]]:
    """Put the judges of both together, or say where they are not named."""
    if len(data) and len(added) and (data.judge is None) != (added.judge is None):
        noun = data.noun
        some = f"the new {noun}s" if data.judge is None else f"the {noun}s so far"
        raise InputError(f"only {some} name their judges; name them in every row or none")
    if data.judge is None or added.judge is None:
        return (added.judge, added.judges) if len(data) == 0 else (data.judge, data.judges)
    to, judges = _number(_numbered(data.judges), data.judges, added.judges)
    return np.append(data.judge, to[added.judge]).astype(np.int32), judges


def join_judgments(data: Judgments, added: Judgments) -> Judgments:
    """Put judgments together, in time order where they have dates.

    Examples
    --------
    >>> first = Judgments.from_arrays(["gas"], ["trash"], [3])
    >>> join_judgments(first, Judgments.from_arrays(["noise"], ["gas"], [1])).names
    ('gas', 'trash', 'noise')
    """
    to, names = _number(_numbered(data.names), data.names, added.names)
    judge, judges = _join_judges(data, added)
    _check_alike(data, added)
    study, studies = _join_groups((data.study, data.studies), (added.study, added.studies))
    topic, topics = _join_groups((data.topic, data.topics), (added.topic, added.topics))
    joined = Judgments(
        np.append(data.a, to[added.a]),
        np.append(data.b, to[added.b]),
        np.append(data.y, added.y),
        np.append(data.w, added.w),
        names,
        judge,
        judges,
        None if data.se is None or added.se is None else np.append(data.se, added.se),
        study,
        studies,
        topic=topic,
        topics=topics,
        nouns=data.nouns,
        covariates=_join_covariates(data, added),
    )
    if data.date is None or added.date is None:
        return joined
    date = np.append(data.date, added.date)
    time = np.argsort(date, kind="stable")
    return replace(joined.rows(time), date=date[time])


Groups = tuple[Index | None, tuple[Hashable, ...]]
"""The study or topic of each judgment, a number, and the labels."""


def _join_groups(before: Groups, added: Groups) -> Groups:
    """Put the studies or topics of both together, where both have some."""
    if before[0] is None or added[0] is None:
        return None, ()
    to, labels = _number(_numbered(before[1]), before[1], added[1])
    return np.append(before[0], to[added[0]]), labels


def _check_alike(data: Judgments, added: Judgments) -> None:
    """Check that both have standard errors, dates and topics, or neither, and own studies."""
    for what, before, now in (
        ("standard errors", data.se, added.se),
        ("studies", data.study, added.study),
        ("dates", data.date, added.date),
        ("topics", data.topic, added.topic),
    ):
        if data.m and added.m and (before is None) != (now is None):
            some = "the new judgments" if before is None else "the judgments so far"
            raise InputError(f"only {some} have {what}; give them in every row or none")
    known = set(data.studies)
    for label in added.studies:
        if label in known:
            raise InputError(
                f"study {label!r} is there already, and its contrasts are weighed together; fit"
                " all of them at once"
            )


def _numbered(names: tuple[Hashable, ...]) -> dict[Hashable, int]:
    return {name: number for number, name in enumerate(names)}


def _number(
    number: dict[Hashable, int], names: tuple[Hashable, ...], added: tuple[Hashable, ...]
) -> tuple[Index, tuple[Hashable, ...]]:
    """Return the number of each added name, and all names; newcomers join ``number`` in order."""
    fresh = tuple(name for name in added if name not in number)
    for name in fresh:
        number[name] = len(number)
    return np.array([number[name] for name in added], dtype=np.int32), names + fresh


def _dates(data: Contests, added: Contests) -> Dates:
    return frozen(np.append(data.date, added.date))  # type: ignore[arg-type]


# ---------------------------------------------------------------------- what is meant


def _read(ratings: Fit, more: Any) -> Contests | Judgments:
    if isinstance(more, Contests | Judgments):
        return more
    table = more if isinstance(more, Table) else read_table(more, **ratings.reading)
    before, now = ratings.units, table.units
    if (before.kind, before.lower_is_better) != (now.kind, now.lower_is_better):
        raise InputError(
            f"the scores so far are {before.kind}s, {_better(before.lower_is_better)}, and these"
            f" are {now.kind}s, {_better(now.lower_is_better)}; write them alike"
        )
    if table.unnamed and isinstance(table.problem, Contests) and isinstance(ratings.data, Contests):
        return _call_apart(table.problem, ratings.data.labels)
    return table.problem


def _call_apart(added: Contests, taken: Iterable[Hashable]) -> Contests:
    """Give a number to the labels that are there already, of contests that nobody named."""
    known, labels = set(taken), []
    for label in added.labels:
        numbers = (f"{label} ({k})" for k in count(2))
        free = label if label not in known else next(it for it in numbers if it not in known)
        known.add(free)
        labels.append(free)
    return replace(added, labels=tuple(labels))


def _better(lower: bool) -> str:
    return "lower is better" if lower else "higher is better"


def _check_held(ratings: Fit, what: str) -> None:
    if is_elsewhere(ratings.problem):
        raise InputError(
            f"{what} needs the entries themselves, and these ratings were made of data read in"
            " passes; change the files, and fit all of them again"
        )


def _contests(ratings: Fit, what: str) -> Contests:
    _check_held(ratings, what)
    if isinstance(ratings.data, Judgments):
        raise InputError(f"{what} is for contests, and these are judgments; fit the ones to keep")
    return ratings.data


def find_contest(data: Contests, contest: Hashable) -> int:
    """Return the number of a contest, or say which labels are close."""
    return number_of(data.labels, contest, "contest")


def _entry(data: Contests, number: int, who: int, contest: Hashable, contestant: Hashable) -> int:
    entrants = data.who[data.start[number] : data.start[number + 1]]
    found = np.flatnonzero(entrants == who)
    if not len(found):
        raise InputError(f"{contestant!r} was not in contest {contest!r}; add it as a contest")
    return int(found[0])
