"""Ratings of a state, and ratings that follow it.

    data(state) = contests by (date, first arrival), judgments by arrival;   ratings = fit(data)

The data are a function of the state alone, and so are the ratings, whichever way they were reached:
contests that come last are appended to what is there, anything else is put in its place, and both
are solved from the ratings so far where the start does not show.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from qrja.data import Contests, Index, Judgments, column_of
from qrja.errors import EmptyLeagueError
from qrja.league.payloads import HeldContest, HeldJudgment
from qrja.league.state import Effect, State
from qrja.ratings import Ratings
from qrja.tables import Units
from qrja.tables.values import units_of


def rate(state: State) -> Ratings:
    """Fit the model of a state to its data, from the beginning.

    Examples
    --------
    >>> state = State(units=Units())
    >>> state.contests["Boston"] = HeldContest("Boston", {"Ann": 3.0, "Bob": 1.0})
    >>> rate(state).solution.x
    array([ 1., -1.])
    """
    data = collect(state)
    return Ratings.of(
        data,
        _units(state, data),
        state.model.known_to(data),
        reading=_reading(state),
        choice=state.choice,
    )


def follow(ratings: Ratings, state: State, effects: Iterable[Effect]) -> Ratings:
    """Return the ratings of a state, from those before some events had these effects."""
    told = list(effects)
    if not any(one.other or one.added for one in told):
        return ratings
    if any(one.other for one in told):
        after = _refit(ratings, state)
    else:
        after = ratings.update(_gather(state, [label for one in told for label in one.added]))
    model = state.model.known_to(after.data)
    if model != after.model or state.choice != after.choice:
        return rate(state)  # of another model, or an anchored contestant has come
    return replace(after, units=_units(state, after.data))


def _refit(ratings: Ratings, state: State) -> Ratings:
    data = collect(state)
    if state.model.known_to(data) != ratings.model:
        return rate(state)
    return replace(ratings, reading=_reading(state)).refit(data)


def _reading(state: State) -> dict[str, Any]:
    """Return how tables are read that join those there are, covariates among their columns."""
    if not state.asked:
        return state.reading
    return state.reading | {"covariates": list(state.asked)}


def collect(state: State) -> Contests | Judgments:
    """Return the contests or the judgments of a state, in their order."""
    if state.is_empty:
        raise EmptyLeagueError("the league holds no results yet; add some first")
    return _gather(state, None)


def _gather(state: State, wanted: Iterable[str] | None) -> Contests | Judgments:
    if state.judgments:
        judged = state.judgments
        return judgments_of(judged.values() if wanted is None else (judged[key] for key in wanted))
    held = state.contests
    given = held.values() if wanted is None else (held[label] for label in wanted)
    return contests_of(given, state)


def contests_of(given: Iterable[HeldContest], state: State) -> Contests:
    """Return contests in time order."""
    held = list(given)
    sizes = np.array([len(one.results) for one in held])
    names: dict[str, int] = {}
    who = [names.setdefault(name, len(names)) for one in held for name in one.results]
    score = [value for one in held for value in one.results.values()]
    dated = held[0].date is not None
    judge, judges = _numbered([one.judge for one in held])
    known = {
        name: [one.known(name, who) for one in held for who in one.results] for name in state.asked
    }
    return Contests.from_numbers(
        np.repeat(np.arange(len(held), dtype=np.int32), sizes),
        np.array(who, dtype=np.int32),
        np.array(score, dtype=np.float64),
        names=tuple(names),
        labels=tuple(one.label for one in held),
        weight=np.array([one.weight for one in held], dtype=np.float64),
        date=np.array([one.date for one in held], dtype="datetime64[s]") if dated else None,
        pairs=state.pairs,
        judge=judge,
        judges=judges,
        covariates=tuple(column_of(name, values) for name, values in known.items()),
    )


def judgments_of(given: Iterable[HeldJudgment]) -> Judgments:
    """Return judgments in time order, those without dates in the order in which they came."""
    held = sorted(given, key=lambda one: one.date or "")
    names: dict[str, int] = {}
    both = [names.setdefault(name, len(names)) for one in held for name in (one.a, one.b)]
    judge, judges = _numbered([one.judge for one in held])
    study, studies = _numbered([one.study for one in held])
    topic, topics = _numbered([one.topic for one in held])
    dates = [one.date for one in held if one.date is not None]
    errors = [one.se for one in held if one.se is not None]
    return Judgments(
        np.array(both[0::2], dtype=np.int32),
        np.array(both[1::2], dtype=np.int32),
        np.array([one.y for one in held]),
        np.array([one.w for one in held]),
        tuple(names),
        judge,
        judges,
        np.array(errors) if errors else None,
        study,
        studies,
        np.array(dates, dtype="datetime64[s]") if dates else None,
        topic,
        topics,
    )


def _numbered(labels: list[str | None]) -> tuple[Index | None, tuple[str, ...]]:
    """Give labels numbers by first appearance; there are some for all, or for none."""
    number: dict[str, int] = {}
    found = [number.setdefault(label, len(number)) for label in labels if label is not None]
    return (np.array(found, dtype=np.int32), tuple(number)) if found else (None, ())


def _units(state: State, data: Contests | Judgments) -> Units:
    """Return the units with as many digits as the margins of the data need."""
    units = state.units or Units()
    found = units_of(units.kind, units.lower_is_better, data)
    return replace(found, written=units.written, word=units.word)
