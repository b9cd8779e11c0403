"""The model in a saved file, as leagues write it too: described for JSON, and made again."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import asdict
from typing import Any

from qrja import losses
from qrja.errors import InputError
from qrja.ratings.model import HalfLife, Model
from qrja.ratings.precision import check_random_effects
from qrja.ratings.saving.saved_labels import label, unlabel
from qrja.ratings.saving.saved_parts import rebuild_asked_parts
from qrja.ratings.saving.saved_values import (
    checked_fields,
    checked_number,
    checked_rows,
    checked_text,
    checked_word,
    written,
)
from qrja.solvers import check_power, check_ridge, check_tolerance
from qrja.terms import Term
from qrja.ties import Context, Speed, is_speed


def describe_model(model: Model) -> dict[str, Any]:
    """Write a model as plain lists and dictionaries, for JSON."""
    return {
        "p": written(float(model.p)),
        "loss": None if model.loss is None else losses.describe(model.loss),
        "half_life": None if model.half_life is None else asdict(model.half_life),
        "ridge": model.ridge,
        "prior": _describe_known(model.prior),
        "anchors": _describe_known(model.anchors),
        "tol": model.tol,
        "random_effects": model.random_effects,
        "measured": [[label(name), *pair] for name, pair in (model.measured or {}).items()],
        "terms": [list(term.parts) for term in model.terms],
        "term_ridges": [term.ridge for term in model.terms],
        "drift": None if model.drift is None else asdict(model.drift),
        "per": None if model.per is None else model.per.name,
        "parts": [list(part.columns) for part in model.parts],
    }


def _describe_known(known: Any) -> list[Any] | None:
    if known is None:
        return None
    return [[label(name), float(value)] for name, value in known.items()]


def rebuild_model(told: Any) -> Model:
    """Make a model again from what :func:`describe_model` wrote."""
    needed = ("p", "loss", "half_life", "ridge", "prior", "anchors", "tol")
    told = checked_fields(told, "model", needed)
    return Model(
        p=check_power(checked_number(told["p"], "p", infinite=True)),
        loss=_rebuild_loss(told["loss"]),
        half_life=_rebuild_half_life(told["half_life"]),
        ridge=check_ridge(checked_number(told["ridge"], "ridge")),
        prior=_rebuild_known(told["prior"], "prior"),
        anchors=_rebuild_known(told["anchors"], "anchor"),
        tol=check_tolerance(checked_number(told["tol"], "tol")),
        random_effects=check_random_effects(told.get("random_effects")),  # older files have none
        measured={
            unlabel(name): (checked_number(value, "anchor"), checked_number(se, "se", least=0.0))
            for name, value, se in checked_rows(told.get("measured", []), "measured", 3)
        }
        or None,
        terms=_rebuild_asked(told.get("terms", []), told.get("term_ridges")),
        drift=_rebuild_speed(told.get("drift")),  # older files have none
        per=None if told.get("per") is None else Context(checked_text(told["per"], "per")),
        parts=rebuild_asked_parts(told.get("parts", [])),
    )


def _rebuild_speed(told: Any) -> Speed | None:
    if told is None:
        return None
    told = checked_fields(told, "drift", ("tau", "unit"))
    unit = checked_word(told["unit"], "the unit of drift", (None, "year", "contest"))
    if told["tau"] is None:
        return Speed(None, unit)
    tau = checked_number(told["tau"], "drift", least=0.0)
    if not is_speed(tau):
        raise InputError(f"drift is {tau:g}, at which nothing moves, or all")
    return Speed(tau, unit)


def _rebuild_asked(told: Any, ridges: Any) -> tuple[Term, ...]:
    if not isinstance(told, list) or not all(isinstance(parts, list) and parts for parts in told):
        raise InputError("the terms of the model are no lists of covariates")
    ridges = [0.0] * len(told) if ridges is None else ridges  # older files have none
    if not isinstance(ridges, list) or len(ridges) != len(told):
        raise InputError(f"{len(told)} terms of the model have the ridges {ridges!r}")
    return tuple(
        Term(
            tuple(checked_text(part, "term") for part in parts),
            checked_number(ridge, "the ridge of a term", least=0.0),
        )
        for parts, ridge in zip(told, ridges, strict=True)
    )


def _rebuild_loss(told: Any) -> losses.KnownLoss | None:
    if told is None:
        return None
    told = checked_fields(told, "loss", ("name",))
    numbers = {k: checked_number(it, k) for k, it in told.items() if k != "name"}
    return losses.restore({"name": checked_text(told["name"], "loss"), **numbers})


def _rebuild_half_life(told: Any) -> HalfLife | None:
    if told is None:
        return None
    told = checked_fields(told, "half_life", ("length", "unit"))
    length = checked_number(told["length"], "half_life", least=0.0)
    unit = checked_word(told["unit"], "the unit of half_life", (None, "day", "contest"))
    if not length:
        raise InputError("half_life is 0, which is no time")
    return HalfLife(length, unit)


def _rebuild_known(told: Any, what: str) -> dict[Hashable, float] | None:
    if told is None:
        return None
    rows = checked_rows(told, what, 2)
    return {unlabel(name): checked_number(value, what) for name, value in rows}
