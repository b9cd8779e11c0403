"""What is asked of a fit, checked: numbers in range, and nothing that does not know of the rest."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping
from typing import Any

from qrja.data import Problem, as_float
from qrja.errors import InputError, nearest
from qrja.losses import Loss
from qrja.parts import PartKind, as_parts
from qrja.ratings.model.decay import check_half_life
from qrja.ratings.model.model import Known, Model
from qrja.ratings.precision import check_random_effects
from qrja.solvers import check_power, check_ridge, check_tolerance
from qrja.tables import Units
from qrja.terms import Term
from qrja.ties import Context, Speed, check_drift, check_per

Anchors = Mapping[Hashable, float | tuple[float, float]]
"""Ratings that are given, or measured: a value and its standard error."""


def check_model(
    units: Units,
    *,
    p: float,
    loss: Loss | None,
    half_life: float | str | None,
    ridge: float,
    prior: Known | None,
    anchors: Anchors | Iterable[tuple[Hashable, Any]] | None,
    tol: float,
    random_effects: str | None = None,
    terms: tuple[Term, ...] = (),
    drift: float | str | None = None,
    per: str | None = None,
    parts: Iterable[str] | str | None = None,
) -> Model:
    """Check what is asked of a fit; values of ratios become logarithms."""
    given = _join(anchors)
    measured = {name: _measured(name, it) for name, it in given.items() if isinstance(it, tuple)}
    exact = {name: it for name, it in given.items() if name not in measured}
    if measured and (loss is not None or p != 2 or random_effects is not None):
        raise InputError(
            f"anchor {next(iter(measured))!r} has a standard error; uncertain anchors are for p = 2"
            " without random effects"
        )
    if terms:
        _check_terms(terms, measured, random_effects)
    speed, context = check_drift(drift), check_per(per)
    if speed is not None and context is not None:
        raise InputError(
            f"drift is {speed}, and per is {context}; strengths move or differ: give one of them"
        )
    if (moves := speed if context is None else context) is not None:
        _check_moving(
            moves,
            p,
            loss=loss,
            half_life=half_life,
            ridge=ridge or None,
            random_effects=random_effects,
            measured=measured or None,
        )
    composed = as_parts(parts)
    if composed:
        _check_composed(
            composed,
            p,
            loss=loss,
            drift=speed,
            per=context,
            random_effects=random_effects,
            measured=measured or None,
            covariate_ridge=next((term.ridge for term in terms if term.ridge), None),
        )
    if prior is not None and not isinstance(prior, Mapping):
        raise InputError(
            f"prior is a {type(prior).__name__}; give a mapping from contestants to ratings"
        )
    return Model(
        p=check_power(p),
        loss=loss,
        half_life=check_half_life(half_life),
        ridge=check_ridge(ridge),
        prior=None if prior is None else _ratings(prior, "prior", units),
        anchors=_ratings(exact, "anchor", units) or None,
        tol=check_tolerance(tol),
        random_effects=check_random_effects(random_effects),
        terms=terms,
        drift=speed,
        per=context,
        parts=composed,
        measured={
            name: (value, measured[name][1])
            for name, value in _ratings(
                {name: value for name, (value, _) in measured.items()}, "anchor", units
            ).items()
        }
        or None,
    )


def _check_terms(
    terms: tuple[Term, ...], measured: Mapping[Hashable, Any], random_effects: str | None
) -> None:
    """Refuse what does not know of terms."""
    if measured:
        raise InputError(
            f"anchor {next(iter(measured))!r} has a standard error, and covariates are asked for;"
            " give its value alone, or leave the covariates out"
        )
    if random_effects is not None:
        raise InputError(
            f"random_effects is {random_effects!r}, and the covariate {str(terms[0])!r} is asked"
            " for; leave one of the two out"
        )


def _check_moving(moves: Speed | Context, p: float, **others: Any) -> None:
    """Refuse what does not know of strengths that move, in time or from context to context."""
    asked = f"{'drift' if moves.is_of_time else 'per'} is {moves}"
    if others["loss"] is None and not p >= 1:
        raise InputError(f"{asked}, and p is {p:g}; ties are for p of 1 or more")
    why = {
        "loss": "ties have the loss of results, a power: give p instead",
        "half_life": "both let the past count less: give one of them"
        if moves.is_of_time
        else "leave one of the two out",
        "ridge": "ties hold newcomers to themselves alone: leave the ridge out",
        "random_effects": "leave one of the two out",
        "measured": "a measured value is of no time: give it without its error, as an anchor",
    }
    for name, value in others.items():
        if value is not None:
            shown = next(iter(value)) if name == "measured" else value
            said = f"the anchor {shown!r} has a standard error" if name == "measured" else ""
            raise InputError(f"{asked}, and {said or f'{name} is {shown}'}; {why[name]}")


def _check_composed(parts: tuple[PartKind, ...], p: float, **others: Any) -> None:
    """Refuse what does not know of entries with parts."""
    asked = f"parts are {', '.join(map(str, parts))}"
    if others["loss"] is None and not 1 <= p < math.inf:
        raise InputError(f"{asked}, and p is {p:g}; parts are for a finite p of 1 or more")
    for name, value in others.items():
        if name == "loss" or value is None:
            continue
        shown = next(iter(value)) if name == "measured" else value
        said = f"the anchor {shown!r} has a standard error" if name == "measured" else ""
        raise InputError(f"{asked}, and {said or f'{name} is {shown}'}; leave one of the two out")


def check_measured(model: Model, problem: Problem) -> None:
    """Check that measured values are of candidates, and can be weighed against the judgments."""
    for name in model.measured or {}:
        if problem.se is None:
            raise InputError(
                f"anchor {name!r} has a standard error, and these {problem.noun}s have none to"
                " weigh it against; name the column of them as se"
            )
        if name not in problem.number:
            texts = [str(other) for other in problem.names]
            raise InputError(f"anchor {name!r} is not a candidate{nearest(str(name), texts)}")


def _measured(name: Hashable, given: tuple[Any, ...]) -> tuple[float, float]:
    value, se = (as_float(part) for part in given) if len(given) == 2 else (math.nan, math.nan)
    if not (math.isfinite(value) and 0 < se < math.inf):
        raise InputError(
            f"anchor {name!r} is {given!r}; give a rating, or a rating and its standard error"
        )
    return value, se


def _join(anchors: Anchors | Iterable[tuple[Hashable, Any]] | None) -> dict[Hashable, Any]:
    """Collect anchors, or say which candidate is given two values."""
    if anchors is None or isinstance(anchors, Mapping):
        return dict(anchors or {})
    joined: dict[Hashable, Any] = {}
    if not isinstance(anchors, Iterable):
        raise InputError(f"anchors is {anchors!r}; give a mapping from contestants to ratings")
    for pair in anchors:
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise InputError(f"anchor {pair!r} is not a pair; give (contestant, rating)")
        name, value = pair
        if not isinstance(name, Hashable):
            raise InputError(f"anchor {name!r} is a {type(name).__name__}; give a name")
        if joined.setdefault(name, value) != value:
            raise InputError(
                f"anchor {name!r} is given twice, as {joined[name]} and as {value}; keep one"
            )
    return joined


def _ratings(given: Known, what: str, units: Units) -> dict[Hashable, float]:
    if units.kind != "ratio":
        return dict(given)
    return {name: _logarithm(name, value, what) for name, value in given.items()}


def _logarithm(name: Hashable, value: float, what: str) -> float:
    number = as_float(value)
    if not 0 < number < math.inf:
        raise InputError(f"{what} {name!r} is {value!r}; ratios are positive numbers")
    return math.log(number)
