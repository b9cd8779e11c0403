"""Results that come: contests, results of contests that are there, judgments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from qrja.errors import InputError
from qrja.league.payloads import (
    HeldContest,
    HeldJudgment,
    check_said,
    checked_contest,
    checked_judgment,
    checked_reading,
    checked_units,
    listed,
)
from qrja.league.state import OTHER, Effect, State, columns_of_model
from qrja.tables import Units
from qrja.tables.values import show_date
from qrja.terms import HOME


def add_contests(state: State, payload: Mapping[str, Any], number: int) -> Effect:
    """Let contests come, or results of contests that are there."""
    if state.judgments:
        raise InputError("the league holds judgments, and these are contests; keep them apart")
    units, reading = _check_units(state, payload)
    given = [_joined(state, one) for one in listed(payload, "contests", checked_contest)]
    labels = {one.label for one in given}
    if len(labels) < len(given):
        raise InputError("a contest is there twice; give all its results together")
    new = tuple(one.label for one in given if one.label not in state.contests)
    known = _check_covariates(state, given)
    columns = set(state.covariates) == set(known) or not state.contests
    state.units, state.reading, state.covariates = units, reading, known
    state.contests.update((one.label, one) for one in given)
    return Effect(added=new) if len(new) == len(given) and columns else OTHER


def _check_covariates(state: State, given: Sequence[HeldContest]) -> dict[str, bool]:
    """Check that all contests have the same covariates; who is at home may be left unsaid."""
    known = dict(state.covariates) if state.contests else {}
    wanted = set(known if state.contests else columns_of_model(state.model)) - {HOME}
    for at, one in enumerate(given):
        words = {
            name: any(isinstance(value, str) for value in values.values())
            for name, values in one.covariates.items()
        }
        if at == 0 and not state.contests:
            wanted |= words.keys() - {HOME}
        for name in sorted(wanted ^ (words.keys() - {HOME})):
            whose = "the contests so far have" if state.contests or at else "the model has"
            has, none = ("no", "it") if name in words else ("the", "none")
            raise InputError(
                f"{whose} {has} covariate {name!r}, and {one.label!r} has {none}; give it to every"
                " contest, or to none"
            )
        for name, is_words in words.items():
            if name != HOME:
                check_said(name, one.covariates[name], one.results)
            if known.setdefault(name, is_words) != is_words or (name == HOME and is_words):
                kind = "numbers" if is_words else "words"
                raise InputError(
                    f"the covariate {name!r} has been {kind}, and is not for {one.label!r}; give"
                    f" {kind}"
                )
    return known


def _joined(state: State, given: HeldContest) -> HeldContest:
    """Return a contest with its results so far and those that come."""
    called = given.called(state.called) if state.aliases else given
    if len(called.results) < len(given.results):
        both = [state.called(name) for name in given.results]
        twice = next(name for name in both if both.count(name) > 1)
        raise InputError(
            f"contest {given.label!r} lists {twice!r} twice, once by another name; keep one"
        )
    held = state.contests.get(given.label)
    if held is None:
        _check_alike(state, given)
        return called
    for what in ("date", "weight", "judge"):
        there, here = (_written(getattr(one, what)) for one in (held, given))
        if there != here:
            raise InputError(
                f"contest {given.label!r} is there with {what} {there or 'none'}, and now with"
                f" {here or 'none'}; write it alike, or give this one another name"
            )
    for name in called.results:
        if name in held.results:
            raise InputError(
                f"contest {given.label!r} has a result of {name!r} already; correct it, or give"
                " the new contest another name"
            )
    if state.reading.get("scale") not in (None, "log"):
        raise InputError(
            f"contest {given.label!r} is there already, and its scores were scaled together;"
            " remove it and add the whole of it"
        )
    return held.joined(called)


def _written(told: str | float | None) -> str:
    """Write a date, a weight or a judge as people do; nothing for none."""
    if told is None:
        return ""
    return f"{told:g}" if isinstance(told, float) else show_date(told)


def _check_alike(state: State, given: HeldContest) -> None:
    other = next(iter(state.contests.values()), None)
    for what, plural in (("date", "dates"), ("judge", "judges")):
        if other and (getattr(other, what) is None) != (getattr(given, what) is None):
            no, one = ("no ", "one") if getattr(other, what) is None else ("", "none")
            raise InputError(
                f"the contests so far have {no}{plural}, and {given.label!r} has {one}; give"
                f" every contest a {what}, or none"
            )


def add_judgments(state: State, payload: Mapping[str, Any], number: int) -> Effect:
    """Let judgments come."""
    if state.contests:
        raise InputError("the league holds contests, and these are judgments; keep them apart")
    if columns := columns_of_model(state.model):
        raise InputError(
            f"the model has the covariate {columns[0]!r}, and judgments of a league have none;"
            " change the model first"
        )
    units, reading = _check_units(state, payload)
    given = {
        f"{number}.{k}": replace(one, a=state.called(one.a), b=state.called(one.b))
        for k, one in enumerate(listed(payload, "judgments", checked_judgment), start=1)
    }
    _check_judgments(state, given)
    state.units, state.reading = units, reading
    state.judgments |= given
    dated = next(iter(given.values())).date is not None
    return OTHER if dated else Effect(added=tuple(given))


def _check_judgments(state: State, given: Mapping[str, HeldJudgment]) -> None:
    """Check that all have judges, errors and studies or none, and studies of their own."""
    first = next(iter((state.judgments or given).values()))
    parts = (
        *(("judge", "judges"), ("se", "standard errors"), ("study", "studies")),
        *(("date", "dates"), ("topic", "topics")),
    )
    known = {one.study for one in state.judgments.values()} if first.study else set()
    for one in given.values():
        if one.a == one.b:
            raise InputError(f"{one.a!r} is judged against itself, by two names; name two")
        for what, plural in parts:
            if (getattr(one, what) is None) != (getattr(first, what) is None):
                raise InputError(f"only some judgments have {plural}; give them to all or none")
        if one.study is not None and one.study in known:
            raise InputError(
                f"study {one.study!r} is there already, and its contrasts are weighed together;"
                " give the new one another name"
            )


def _check_units(state: State, payload: Mapping[str, Any]) -> tuple[Units, dict[str, Any]]:
    """Check that scores are in the units of those so far, if there are any."""
    units, now = checked_units(payload.get("units")), state.units
    reading = checked_reading(payload.get("reading", {}))
    if now is None or state.is_empty:
        return units, reading
    if (now.kind, now.lower_is_better) != (units.kind, units.lower_is_better):
        raise InputError(
            f"the scores so far are {_words(now)}, and these are {_words(units)}; write them alike"
        )
    return now, state.reading


def _words(units: Units) -> str:
    better = "lower is better" if units.lower_is_better else "higher is better"
    return f"{units.kind}s, {better}"
