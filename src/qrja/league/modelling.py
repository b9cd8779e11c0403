"""Modelling: how a league is rated becomes an event.

The arguments of :func:`qrja.fit` are checked, and a choice by the past is made, when the model is
changed: the event holds what was found, so that whoever reads the log rates alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from inspect import signature
from typing import Any

from qrja.data import Contests, Judgments, check_pairs
from qrja.errors import InputError, nearest
from qrja.league.events import Draft
from qrja.league.incoming import Incoming, of_problem
from qrja.league.state import State
from qrja.ratings import Model, ModelChoice, Ratings, check_model, fit
from qrja.ratings.saving import describe_model
from qrja.tables import Units
from qrja.terms import Term, as_terms, pull_terms

MODEL = (*("p", "loss", "half_life", "ridge", "prior", "anchors", "pairs", "objective"), "tol")
"""The arguments of a fit that a league keeps; with random_effects, drift, covariates and parts."""
KEPT = (*MODEL, "random_effects", "drift", "per", "parts", "home", "covariates", "covariate_ridge")


def draft_model(state: State, data: Contests | Judgments | None, asked: Mapping[str, Any]) -> Draft:
    """Return the event that changes the model of a state.

    Examples
    --------
    >>> draft_model(State(), None, {"halflife": 3})
    Traceback (most recent call last):
    qrja.errors.InputError: a model has no 'halflife'; did you mean 'half_life'?
    """
    for name in asked:
        if name not in KEPT:
            raise InputError(f"a model has no {name!r}{nearest(name, KEPT)}")
    auto = asked.get("p") == "auto"
    pairs = asked.get("pairs") or ("mean" if auto else "unit")
    check_pairs(pairs)
    model, choice = _choose(data, asked) if auto else (_check(state, asked), None)
    told = choice and {"sentence": str(choice), "objective": choice.objective}
    return Draft("modelled", {"model": describe_model(model), "pairs": pairs, "choice": told})


def drafts_of(ratings: Ratings) -> tuple[Incoming, Draft]:
    """Return the events that make a league of ratings: their results, and their model."""
    given = of_problem(ratings.data, ratings.units, ratings.reading)
    chosen = ratings.choice
    told = chosen and {"sentence": str(chosen), "objective": chosen.objective}
    pairs = getattr(ratings.data, "pairs", "unit")
    model = {"model": describe_model(ratings.model), "pairs": pairs, "choice": told}
    return given, Draft("modelled", model)


def _check(state: State, asked: Mapping[str, Any]) -> Model:
    usual = signature(check_model).parameters
    given = {"p": 2, "ridge": 0.0, "tol": 1e-9, **asked, "terms": _terms(asked)}
    wanted: dict[str, Any] = {name: given.get(name) for name in usual if name != "units"}
    return check_model(state.units or Units(), **wanted)


def _terms(asked: Mapping[str, Any]) -> tuple[Term, ...]:
    home = asked.get("home")
    if home not in (None, False, True):
        raise InputError(f"home is {home!r}; give True, each result says who is at home")
    terms = as_terms(asked.get("covariates"), home=home is True)
    return pull_terms(terms, asked.get("covariate_ridge"))


def _choose(
    data: Contests | Judgments | None, asked: Mapping[str, Any]
) -> tuple[Model, ModelChoice | None]:
    if data is None:
        raise InputError(
            "p is 'auto', and the league holds no past to choose by; add results first"
        )
    fitted = fit(data, **asked)
    return fitted.model, fitted.choice
