"""How a league is rated and called, and what its panel is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, get_args

from qrja.data import Pairs
from qrja.errors import InputError, nearest
from qrja.league.panels import checked_item, checked_pass, checked_rules
from qrja.league.payloads import checked_name, listed
from qrja.league.state import NOTHING, OTHER, Effect, State, columns_of_model
from qrja.ratings import Model, ModelChoice
from qrja.ratings.saving import checked_fields, checked_text, checked_word, rebuild_model
from qrja.terms import HOME


def change_model(state: State, payload: Mapping[str, Any], number: int) -> Effect:
    """Let the league be rated otherwise."""
    fields = checked_fields(payload, "the model", ("model", "pairs"))
    model = rebuild_model(fields["model"])
    _check_columns(state, model)
    pairs = checked_word(fields["pairs"], "pairs", get_args(Pairs))
    said = fields.get("choice")
    choice = None
    if said is not None:
        told = checked_fields(said, "choice", ("sentence", "objective"))
        objective = checked_word(told["objective"], "objective", ("margin", "order"))
        choice = ModelChoice(checked_text(told["sentence"], "choice"), objective)
    state.model, state.pairs, state.choice = model, pairs, choice
    return OTHER


def _check_columns(state: State, model: Model) -> None:
    """Check that the covariates of a model are known of all contests there are."""
    columns = columns_of_model(model)
    if columns and state.judgments:
        raise InputError(
            f"the model has the covariate {columns[0]!r}, and judgments of a league have none;"
            " leave it out"
        )
    for name in columns:
        if state.contests and name not in state.covariates and name != HOME:
            have = nearest(name, state.covariates) or "; remove them and add them with it"
            raise InputError(f"the contests so far have no covariate {name!r}{have}")


def entitle(state: State, payload: Mapping[str, Any], number: int) -> Effect:
    """Let the league have a title."""
    state.title = checked_name(payload.get("title"), "title")
    return NOTHING


def empanel(state: State, payload: Mapping[str, Any], number: int) -> Effect:
    """Let a panel be asked by these rules."""
    rules = checked_rules(payload)
    if state.contests:
        raise InputError(
            "the league holds contests, and a panel gives judgments; make a league of its own"
        )
    if state.judgments and state.units is not None:
        was = state.rules or replace(
            rules, scale="ratio" if state.units.kind == "ratio" else "slider"
        )
        if was.is_ratio != rules.is_ratio or (state.rules and was.span != rules.span):
            raise InputError(
                f"the votes so far are on the scale {was.scale}, which the panel keeps; change"
                " its words, or make a league of its own"
            )
    state.rules = rules
    return NOTHING


def list_items(state: State, payload: Mapping[str, Any], number: int) -> Effect:
    """Let items come, or change."""
    given = listed(payload, "items", checked_item)
    called = [state.called(one.name) for one in given]
    if len(set(called)) < len(called):
        raise InputError("an item is there twice; list it once")
    if state.contests:
        raise InputError("the league holds contests, and items are for a panel of judges")
    for name, one in zip(called, given, strict=True):
        state.items[name] = replace(one, name=name)
    return NOTHING


def unlist_items(state: State, payload: Mapping[str, Any], number: int) -> Effect:
    """Let items be asked about no more."""
    names = listed(payload, "items", lambda told: checked_name(told, "item"))
    for name in map(state.called, names):
        if name not in state.items:
            raise InputError(f"there is no item {name!r}{nearest(name, state.items)}")
    for name in map(state.called, names):
        state.items[name] = replace(state.items[name], retired=True)
    return NOTHING


def pass_over(state: State, payload: Mapping[str, Any], number: int) -> Effect:
    """Let a judge have no answer to a pair."""
    held = checked_pass(payload)
    a, b = state.called(held.a), state.called(held.b)
    for name in (a, b):
        if name not in state.items:
            raise InputError(f"there is no item {name!r}{nearest(name, state.items)}")
    state.passes[f"{number}.1"] = replace(held, a=a, b=b)
    return NOTHING
