"""Contestants who are called otherwise: renamed, or found to be somebody else.

Whoever was is found by the old name too, as long as the event that said so stands.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from qrja.errors import InputError, nearest
from qrja.league.payloads import checked_name
from qrja.league.state import OTHER, Effect, State
from qrja.ratings.saving import checked_fields


def rename(state: State, payload: Mapping[str, Any], number: int) -> Effect:
    """Let a contestant have another name."""
    fields = checked_fields(payload, "the renaming", ("from", "to"))
    old = _known(state, checked_name(fields["from"], "contestant"))
    new = checked_name(fields["to"], "contestant")
    if new in set(state.names()):
        raise InputError(f"{new!r} is there already; merge {old!r} into it if both are one")
    state.aliases.pop(new, None)
    _call(state, old, new)
    return OTHER


def merge(state: State, payload: Mapping[str, Any], number: int) -> Effect:
    """Let two contestants be one."""
    fields = checked_fields(payload, "the merging", ("from", "into"))
    one = _known(state, checked_name(fields["from"], "contestant"))
    into = _known(state, checked_name(fields["into"], "contestant"))
    if one == into:
        raise InputError(f"{one!r} is {into!r} already; name two contestants")
    for contest in state.contests.values():
        if one in contest.results and into in contest.results:
            raise InputError(
                f"{one!r} and {into!r} both took part in contest {contest.label!r}; they are"
                " two, or one of these results is to be withdrawn first"
            )
    for key, judgment in state.judgments.items():
        if {judgment.a, judgment.b} == {one, into}:
            raise InputError(
                f"{one!r} and {into!r} are compared in judgment {key}; remove it first"
            )
    state.passes = {
        key: held for key, held in state.passes.items() if {held.a, held.b} != {one, into}
    }
    if into in state.items:
        state.items.pop(one, None)
    _call(state, one, into)
    return OTHER


def _known(state: State, name: str) -> str:
    known = set(state.names())
    found = state.called(name)
    if found not in known:
        raise InputError(f"there is no contestant {name!r}{nearest(name, sorted(known))}")
    return found


def _call(state: State, old: str, new: str) -> None:
    """Put one name in the place of another, wherever it stands."""
    for label, contest in state.contests.items():
        if old in contest.results:
            state.contests[label] = contest.called(lambda who: new if who == old else who)
    for key, one in state.judgments.items():
        if old in (one.a, one.b):
            a, b = (new if who == old else who for who in (one.a, one.b))
            state.judgments[key] = replace(one, a=a, b=b)
    for key, passed in state.passes.items():
        if old in (passed.a, passed.b):
            a, b = (new if who == old else who for who in (passed.a, passed.b))
            state.passes[key] = replace(passed, a=a, b=b)
    listed = (replace(it, name=new) if it.name == old else it for it in state.items.values())
    state.items = {it.name: it for it in listed}
    for alias, meant in state.aliases.items():
        if meant == old:
            state.aliases[alias] = new
    state.aliases[old] = new
