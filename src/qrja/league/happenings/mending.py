"""Results that were wrong: corrected, withdrawn or removed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from qrja.errors import InputError, nearest
from qrja.league.payloads import checked_comment, checked_name, checked_value
from qrja.league.state import NOTHING, OTHER, Effect, State
from qrja.ratings.saving import checked_fields


def correct(state: State, payload: Mapping[str, Any], number: int) -> Effect:
    """Let a result, or a judgment, be another one."""
    if "judgment" in payload:
        return _correct_judgment(state, payload)
    fields = checked_fields(payload, "the correction", ("contest", "contestant", "score"))
    contest = state.contest(checked_name(fields["contest"], "contest"))
    who = state.called(checked_name(fields["contestant"], "contestant"))
    if who not in contest.results:
        close = nearest(who, contest.results)
        raise InputError(f"{who!r} was not in contest {contest.label!r}{close or '; add it'}")
    results = dict(contest.results)
    if fields["score"] is None:
        del results[who]
    else:
        results[who] = checked_value(fields["score"], "score")
    if not results:
        raise InputError(
            f"{who!r} has the only result of contest {contest.label!r}; remove the contest"
        )
    state.contests[contest.label] = contest.with_results(results)
    return OTHER


def _correct_judgment(state: State, payload: Mapping[str, Any]) -> Effect:
    fields = checked_fields(payload, "the correction", ("judgment", "y"))
    key = _judgment_key(state, fields["judgment"])
    y = checked_value(fields["y"], "margin")
    held = state.judgments[key]
    comment = checked_comment(fields["comment"]) if "comment" in fields else held.comment
    state.judgments[key] = replace(held, y=y, comment=comment)
    return OTHER


def _judgment_key(state: State, told: Any) -> str:
    key = checked_name(told, "judgment")
    if key not in state.judgments:
        raise InputError(f"there is no judgment {key!r}; look at the log for its key")
    return key


def remove(state: State, payload: Mapping[str, Any], number: int) -> Effect:
    """Let a contest, a judgment or a pass be gone."""
    if "judgment" in payload:
        del state.judgments[_judgment_key(state, payload["judgment"])]
    elif "pass" in payload:
        key = checked_name(payload["pass"], "pass")
        if state.passes.pop(key, None) is None:
            raise InputError(f"there is no pass {key!r}; look at the log for its key")
        return NOTHING
    else:
        label = checked_fields(payload, "the removal", ("contest",))["contest"]
        del state.contests[state.contest(checked_name(label, "contest")).label]
    return OTHER
