"""What comes in: results in any form become the draft of an event.

Files and data frames go through the reader of tables, rows as JSON lines, so that columns are
guessed and mistakes named as everywhere; what is typed by itself is read by itself, which takes
microseconds. What was guessed, assumed or left out stands in the summary.
"""

from __future__ import annotations

import io
import json
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from hashlib import sha256
from itertools import count
from typing import Any

from qrja.data import Contests, Covariate, Judgments
from qrja.errors import InputError, nearest
from qrja.league.events import Draft
from qrja.league.payloads import (
    HeldContest,
    HeldJudgment,
    check_said,
    checked_contest,
    checked_judgment,
    describe_units,
)
from qrja.league.state import State
from qrja.ratings import Ratings, fit_grades, wants_fitted_grades
from qrja.tables import Summary, Table, Units, read_results
from qrja.tables.values import read_number, read_score, units_of
from qrja.terms import HOME

NUMBERS = Units()
ROW = ("contest", "contestant", "score", "date")
"""What the parts of a row without names are."""


@dataclass(frozen=True)
class Incoming:
    """Results that are to be added.

    Parameters
    ----------
    contests, judgments : tuple
        One of them is empty.
    units : Units
        What scores are in.
    reading : dict
        How they were read.
    unnamed : bool
        Whether contests nobody named are called by their place, and apart from others.
    summary : Summary or None
        What became of every row of a table.
    """

    contests: tuple[HeldContest, ...] = ()
    judgments: tuple[HeldJudgment, ...] = ()
    units: Units = NUMBERS
    reading: Mapping[str, Any] | None = None
    unnamed: bool = False
    summary: Summary | None = None

    @property
    def fingerprint(self) -> str:
        """What two requests to add the same have in common, whatever is there already."""
        return Draft("added", self._payload(self.contests)).fingerprint

    def draft(self, state: State) -> Draft:
        """Return the event that adds them to a state."""
        if self.judgments:
            return Draft("judged", self._payload(()))
        if self.unnamed:
            return Draft("added", self._payload(_call_apart(self.contests, state)))
        return Draft("added", self._payload(_as_there(one, state) for one in self.contests))

    def _payload(self, contests: Iterable[HeldContest]) -> dict[str, Any]:
        told: dict[str, Any] = {"units": describe_units(self.units)}
        if self.reading:
            told["reading"] = dict(self.reading)
        if self.judgments:
            return told | {"judgments": [one.to_dict() for one in self.judgments]}
        return told | {"contests": [one.to_dict() for one in contests]}

    def only_new(self, state: State) -> Incoming:
        """Leave out results that a state holds already, score by score alike."""
        left = [_only_new(one, state) for one in self.contests]
        kept = tuple(one for one in left if one.results)
        if self.contests and not kept:
            raise InputError("every one of these results is there already; there is nothing to add")
        return replace(self, contests=kept)


def _only_new(given: HeldContest, state: State) -> HeldContest:
    held = state.contests.get(given.label)
    if held is None:
        return given
    there = held.results
    kept = {
        name: score
        for name, score in given.results.items()
        if there.get(state.called(name)) != score
    }
    return given.with_results(kept)


def _as_there(given: HeldContest, state: State) -> HeldContest:
    """Give results of a contest that is there its date and its judge, where they name none."""
    held = state.contests.get(given.label)
    if held is None:
        return given
    return replace(given, date=given.date or held.date, judge=given.judge or held.judge)


def _call_apart(given: Sequence[HeldContest], state: State) -> list[HeldContest]:
    """Give a number to the labels that are there already, of contests that nobody named."""
    known, called = set(state.contests), []
    for one in given:
        numbers = (f"{one.label} ({k})" for k in count(2))
        free = (
            one.label if one.label not in known else next(it for it in numbers if it not in known)
        )
        known.add(free)
        called.append(replace(one, label=free))
    return called


# ---------------------------------------------------------------------- in any form


def read_incoming(given: Any, state: State, options: Mapping[str, Any]) -> Incoming:
    """Read results in any form: a file, a data frame, rows, or a problem already built."""
    if isinstance(given, Ratings):
        return of_problem(given.data, given.units, given.reading)
    if isinstance(given, Contests | Judgments):
        return of_problem(given, state.units or units_of("number", False, given), {})
    if not isinstance(given, Table):
        how = {**_alike(state), **options}
        given = read_results(_as_source(given), **how)
    table = fit_grades(given) if wants_fitted_grades(given) else given
    read = of_problem(table.problem, table.units, table.reading)
    return replace(read, unnamed=table.unnamed, summary=table.summary)


def _alike(state: State) -> dict[str, Any]:
    """Return how tables are read that join those there are."""
    how = {} if state.is_empty else dict(state.reading)
    if state.asked:
        how["covariates"] = list(state.asked)
    units = state.units
    if not state.is_empty and units is not None and units.kind in ("number", "time"):
        how.setdefault("lower_is_better", units.lower_is_better)
    return how


def _as_source(given: Any) -> Any:
    """Write rows and columns of plain Python as JSON lines; leave all else to the reader."""
    if isinstance(given, Mapping):
        columns = {str(name): list(values) for name, values in _columns(given)}
        rows: Iterable[Any] = (
            dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)
        )
        if len({len(values) for values in columns.values()}) > 1:
            raise InputError("the columns have different lengths; give one value for each row")
    elif isinstance(given, list | tuple) and given and not isinstance(given[0], str):
        rows = (_as_row(row, number) for number, row in enumerate(given, start=1))
    else:
        return given
    lines = "\n".join(json.dumps(row, default=_as_json, allow_nan=False) for row in rows)
    source = io.BytesIO(lines.encode())
    source.name = "results"  # which messages begin with
    return source


def _columns(given: Mapping[Any, Any]) -> Iterable[tuple[Any, Iterable[Any]]]:
    for name, values in given.items():
        # One row, or columns of several.
        single = isinstance(values, str | int | float | date) or values is None
        yield name, [values] if single else values


def _as_row(row: Any, number: int) -> dict[str, Any]:
    if isinstance(row, Mapping):
        return {str(name): value for name, value in row.items()}
    if isinstance(row, tuple | list) and 3 <= len(row) <= len(ROW):
        return dict(zip(ROW, row, strict=False))
    raise InputError(
        f"row {number} is {row!r}; give a dictionary, or (contest, contestant, score) and perhaps a"
        " date"
    )


def _as_json(value: Any) -> Any:
    """Write what JSON does not know: dates as texts, numbers of other libraries as numbers."""
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return value.total_seconds()
    item = getattr(value, "item", None)
    return item() if callable(item) else str(value)


# ---------------------------------------------------------------------- of a problem


def of_problem(
    problem: Contests | Judgments, units: Units, reading: Mapping[str, Any] | None
) -> Incoming:
    """Return the contests or the judgments of a problem.

    Examples
    --------
    >>> races = Contests.from_arrays(["Boston"] * 2, ["Ann", "Bob"], [3, 1])
    >>> of_problem(races, Units(), {}).contests
    (HeldContest(label='Boston', results={'Ann': 3.0, 'Bob': 1.0}, date=None, ...),)
    """
    if problem.covariates and isinstance(problem, Judgments):
        raise InputError(
            f"the judgments have the covariate {problem.covariates[0].name!r}, and a league keeps"
            " those of contests only; read them without"
        )
    # Which covariates there are stands in the contests themselves.
    reading = {name: it for name, it in (reading or {}).items() if name != "covariates"}
    names = _texts(problem.names, "contestants")
    judges = _texts(problem.judges, "judges")
    by = None if problem.judge is None else [judges[k] for k in problem.judge.tolist()]
    if isinstance(problem, Judgments):
        told = tuple(_judgments(problem, names, by))
        return Incoming(judgments=told, units=units, reading=reading)
    labels = _texts(problem.labels, "contests")
    dates = None if problem.date is None else [str(day) for day in problem.date]
    who, score = problem.who.tolist(), problem.score.tolist()
    start, weight = problem.start.tolist(), problem.weight.tolist()
    known = {one.name: _values(one) for one in problem.covariates}
    contests = tuple(
        HeldContest(
            labels[c],
            {names[who[i]]: score[i] for i in range(start[c], start[c + 1])},
            None if dates is None else dates[c],
            weight[c],
            None if by is None else by[c],
            {
                name: {names[who[i]]: values[i] for i in range(start[c], start[c + 1])}
                for name, values in known.items()
                if name != HOME or any(values[start[c] : start[c + 1]])
            },
        )
        for c in range(len(labels))
        if start[c] < start[c + 1]
    )
    return Incoming(contests, units=units, reading=reading)


def _values(one: Covariate) -> list[float | str]:
    """Return the values of a covariate as a league keeps them: numbers, or words."""
    if not one.levels:
        return list(one.values.tolist())
    words = [str(level) for level in one.levels]
    return [words[k] for k in one.values.astype(int).tolist()]


def _judgments(
    problem: Judgments, names: Sequence[str], judges: Sequence[str] | None
) -> Iterable[HeldJudgment]:
    studies, topics = _texts(problem.studies, "studies"), _texts(problem.topics, "topics")
    a, b, y, w = (column.tolist() for column in (problem.a, problem.b, problem.y, problem.w))
    for i in range(problem.m):
        yield HeldJudgment(
            names[a[i]],
            names[b[i]],
            y[i],
            w[i],
            None if judges is None else judges[i],
            None if problem.se is None else float(problem.se[i]),
            None if problem.study is None else studies[int(problem.study[i])],
            None if problem.date is None else str(problem.date[i]),
            None if problem.topic is None else topics[int(problem.topic[i])],
        )


def _texts(labels: Sequence[Hashable], what: str) -> list[str]:
    """Write labels as texts, which have to stay apart."""
    texts = [str(label) for label in labels]
    if len(set(texts)) < len(texts) and len(set(labels)) == len(labels):
        twice = next(text for text in texts if texts.count(text) > 1)
        raise InputError(f"two {what} are both written {twice!r}; give them names of their own")
    return texts


# ---------------------------------------------------------------------- one by one


def one_contest(
    state: State,
    label: str,
    results: Mapping[str, Any],
    *,
    date: Any = None,
    weight: float = 1.0,
    judge: str | None = None,
    lower_is_better: bool | None = None,
    home: str | None = None,
    covariates: Mapping[str, Mapping[str, Any]] | None = None,
) -> Incoming:
    """Read one contest, scores as a table has them."""
    if not isinstance(results, Mapping):
        raise InputError(
            f"the results of {label!r} are a {type(results).__name__}; give a mapping from"
            " contestants to scores"
        )
    known = _known_of(results, home, covariates)
    if not state.is_empty and state.reading.get("scale"):
        rows = [
            {"contest": label, "contestant": who, "score": it}
            | {name: values[at] for name, values in known.items()}
            for at, (who, it) in enumerate(results.items())
        ]
        given = {"date": date, "judge": judge, "weight": None if weight == 1.0 else weight}
        more = {name: value for name, value in given.items() if value is not None}
        return read_incoming([row | more for row in rows], state, {})
    units = _units_for(state, list(results.values()), lower_is_better)
    scores = [
        [name, read_score(score, units, f"the score of {name!r}")]
        for name, score in results.items()
    ]
    told = {
        "contest": label,
        "results": scores,
        "weight": weight,
    }
    told |= {} if date is None else {"date": str(date)}
    told |= {} if judge is None else {"judge": judge}
    told |= {"covariates": known} if known else {}
    return Incoming((checked_contest(told),), units=units)


def _known_of(
    results: Mapping[str, Any],
    home: str | None,
    covariates: Mapping[str, Mapping[str, Any]] | None,
) -> dict[str, list[Any]]:
    """Return what is known of entrants, a value for each; who is not said to be at home is not."""
    said = dict(covariates or {})
    if home is not None:
        if HOME in said:
            raise InputError("who is at home is said twice, by home and by covariates; say it once")
        said[HOME] = {home: 1.0}
    for name, values in said.items():
        if not isinstance(values, Mapping):
            raise InputError(
                f"the covariate {name!r} is {values!r}; give a mapping from contestants to values"
            )
        for who in values:
            if who not in results:
                is_home = name == HOME
                shown = f"the home side {who!r}" if is_home else f"{name!r} is said of {who!r}, who"
                raise InputError(f"{shown} is none of the results{nearest(str(who), results)}")
        if name == HOME:
            said[name] = dict.fromkeys(results, 0.0) | dict(values)
        check_said(name, said[name], results)
    return {name: [values[who] for who in results] for name, values in said.items()}


def one_judgment(
    state: State,
    a: str,
    b: str,
    y: Any,
    *,
    judge: str | None = None,
    w: float = 1.0,
    date: Any = None,
    topic: str | None = None,
    comment: str | None = None,
    ratio: bool = False,
) -> Incoming:
    """Read one judgment: a is better than b by y, or worth y of it."""
    kind = "ratio" if ratio else "number"
    units = state.units if state.units is not None and not state.is_empty else Units(kind)  # type: ignore[arg-type]
    told: dict[str, Any] = {"a": a, "b": b, "y": read_margin(y, units), "w": w}
    more = {"judge": judge, "topic": topic, "date": None if date is None else str(date)}
    more["comment"] = comment
    told |= {name: value for name, value in more.items() if value is not None}
    return Incoming(judgments=(checked_judgment(told),), units=units)


def read_margin(y: Any, units: Units) -> float:
    """Read a margin as a table of judgments has it: that of a ratio is its logarithm."""
    from math import log

    if units.kind != "ratio":
        return read_score(y, units)
    ratio = read_score(y, Units())
    if ratio <= 0:
        raise InputError(f"the ratio is {y!r}; give a positive number")
    return log(ratio)


def _units_for(state: State, scores: Sequence[Any], lower: bool | None) -> Units:
    """Return the units of the league; those of its first results are seen by how they are written.

    Clock times are times, and lower ones better.
    """
    if state.units is not None and not state.is_empty:
        return state.units
    clocks = any(isinstance(it, str) and ":" in it and read_number(it) is not None for it in scores)
    kind = "time" if clocks else "number"
    return Units(kind, clocks if lower is None else lower, written=kind)  # type: ignore[arg-type]


def fingerprint(drafts: Iterable[Draft | Incoming]) -> str:
    """Return what two writes that ask for the same have in common."""
    return sha256("".join(one.fingerprint for one in drafts).encode()).hexdigest()
