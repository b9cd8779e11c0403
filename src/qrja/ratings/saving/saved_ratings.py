"""Ratings in a file: what is written of them, and how they are made again from it.

The flow and the set of optima are not written: they are as large as the pairs, seldom asked for,
and found anew.
"""

from __future__ import annotations

import os
from collections.abc import Hashable
from dataclasses import asdict, replace
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from qrja import losses
from qrja.data import (
    CONTESTED,
    JUDGED,
    Contests,
    Covariate,
    Covariates,
    Judgments,
    Nouns,
    Pairs,
    floats,
    frozen,
    indices,
)
from qrja.errors import InputError
from qrja.ratings.fitted import Fit, at_zero, is_elsewhere
from qrja.ratings.model import HalfLife, Model, ModelChoice
from qrja.ratings.precision import check_random_effects
from qrja.ratings.saving.archive import Archive, opened, pack
from qrja.ratings.saving.saved_labels import label, unlabel, unlabels
from qrja.ratings.saving.saved_parts import describe_parts, rebuild_asked_parts, rebuild_parts
from qrja.ratings.saving.saved_values import (
    checked_count,
    checked_fields,
    checked_number,
    checked_rows,
    checked_text,
    checked_word,
    written,
)
from qrja.solution import Solution
from qrja.solvers import check_power, check_ridge, check_tolerance
from qrja.tables import CANDIDATES, EVENTS, Units, check_reading
from qrja.tables.out import FRAME_KINDS, FileVersion, as_path, held, save_whole
from qrja.tables.values import Kind
from qrja.terms import Estimates, Term, columns_for
from qrja.ties import Context, Paths, Speed, tie_columns

_PROVED = ("objective", "lower_bound", "gap", "status", "certificate", "optimum", "loss")
_TOLD = ("iterations", "seconds", "norm")
_GROUPED = {"judges": "judge", "studies": "study", "topics": "topic"}
"""The labels of what contests and judgments are of, and the array that says which is whose."""
MOST_DECIMALS = 30
"""Digits after the point of a rating; a forged number of them would fill the memory."""


def save(ratings: Fit, path: str | os.PathLike[str]) -> None:
    """Write ratings into a file, see :meth:`qrja.Ratings.save`."""
    data = ratings.data
    arrays: dict[str, NDArray[Any]] = {
        "x": ratings.solution.x,
        "components": ratings.solution.components,
    }
    header = {
        "names": [label(name) for name in data.names],
        "units": asdict(ratings.units),
        "model": describe_model(ratings.model),
        "kind": ratings.kind,
        "reading": ratings.reading,
        "wide": ratings.wide,
        "nouns": [data.nouns.event, data.nouns.candidate],
        "choice": None
        if ratings.choice is None
        else [str(ratings.choice), ratings.choice.objective],
        "solution": {name: written(getattr(ratings.solution, name)) for name in (*_PROVED, *_TOLD)},
    }
    if is_elsewhere(data):
        header["elsewhere"] = [len(data), data.entries, data.directed]
        arrays["appearances"] = ratings.appearances
    elif isinstance(data, Contests):
        header["labels"], header["pairs"] = [label(one) for one in data.labels], data.pairs
        arrays |= {"start": data.start, "who": data.who, "score": data.score, "weight": data.weight}
    else:
        arrays |= {"a": data.a, "b": data.b, "y": data.y, "w": data.w}
        if data.se is not None:
            arrays["se"] = data.se
    if data.date is not None:
        arrays["date"] = data.date.astype("datetime64[s]").astype(np.int64)
    for many, one in _GROUPED.items() if not is_elsewhere(data) else ():
        if (of := getattr(data, one)) is not None:
            arrays[one] = of
            header[many] = [label(name) for name in getattr(data, many)]
    if data.covariates:
        known = [[one.name, [label(it) for it in one.levels]] for one in data.covariates]
        header["covariates"] = known
        arrays["covariates"] = np.concatenate([one.values for one in data.covariates])
    if ratings.terms is not None:
        header["terms"], arrays["beta"] = list(ratings.terms.names), ratings.terms.beta
    if (moved := ratings.solution.moved) is not None:
        width = moved.periods.width
        header["drift"] = [moved.tau, moved.noise, None if np.isinf(width) else width]
        arrays["paths"], arrays["ties"] = moved.x, moved.weight
    if ratings.solution.parts is not None:
        arrays |= describe_parts(ratings.solution.parts)
    content = pack(header, arrays)
    place = as_path(path)
    with held(place):
        ratings.stored.check(place)
        save_whole(place, lambda part: part.write_bytes(content))
        ratings.stored.note(place)


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


# ---------------------------------------------------------------------- reading


def read_file(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read the fields of a fit from a file, see :func:`qrja.load`."""
    place, stored = as_path(path), FileVersion()
    with opened(place, stored) as archive:
        return {**_rebuild(archive), "stored": stored}


def _rebuild(archive: Archive) -> dict[str, Any]:
    header = checked_fields(
        archive.header, "the header", ("names", "units", "model", "kind", "reading", "solution")
    )
    names = unlabels(header["names"], "name")
    data = _rebuild_data(archive, names)
    model = rebuild_model(header["model"])
    weighed = model.weigh(data)
    solution = _rebuild_solution(archive, names, model, weighed)
    problem, solution = at_zero(weighed, solution)
    return {
        "problem": problem,
        "solution": solution,
        "units": _rebuild_units(header["units"]),
        "model": model,
        "data": data,
        "kind": checked_word(header["kind"], "kind", (None, *FRAME_KINDS)),
        "reading": _rebuild_reading(header["reading"]),
        "choice": _rebuild_choice(header.get("choice")),  # older files have none
        "wide": checked_word(header.get("wide", False), "wide", (False, True)) is True,
    }


def _rebuild_solution(
    archive: Archive, names: tuple[Hashable, ...], model: Model, problem: Contests | Judgments
) -> Solution:
    told = checked_fields(archive.header["solution"], "solution", (*_PROVED, *_TOLD))
    x = floats(archive.array("x"), "rating")
    components = indices(archive.array("components"), max(len(names), 1), "component")
    if len(x) != len(names) or len(components) != len(names):
        raise InputError(f"{len(names)} names have {len(x)} ratings")
    norm = told["norm"]
    solution = Solution(
        x=x,
        names=names,
        components=components,
        objective=checked_number(told["objective"], "objective", infinite=True),
        lower_bound=checked_number(told["lower_bound"], "lower_bound", infinite=True),
        gap=checked_number(told["gap"], "gap", infinite=True),
        status=checked_word(told["status"], "status", ("optimal", "inexact", "local")),
        certificate=checked_word(told["certificate"], "certificate", ("flow", "gradient", "none")),
        optimum=checked_text(told["optimum"], "optimum"),
        loss=checked_text(told["loss"], "loss"),
        iterations=checked_count(told["iterations"], "iterations"),
        seconds=checked_number(told["seconds"], "seconds", least=0.0),
        norm=None if norm is None else checked_number(norm, "norm", infinite=True, least=0.0),
        minimised=model.minimised(problem),
        _flow=lambda: model.solve(problem).flow(),
        _face=None
        if is_elsewhere(problem) or not _has_face(model)
        else lambda: model.solve(problem).face().numbered,
        terms=_rebuild_terms(archive, model, problem),
        parts=rebuild_parts(archive, model, problem),
    )
    if model.tied_by is None:
        return solution
    return _rebuild_paths(archive, model, problem, solution)


def _rebuild_paths(
    archive: Archive, model: Model, problem: Contests | Judgments, solution: Solution
) -> Solution:
    """Return a solution with its paths, whose periods are cut again."""
    from qrja.solvers.drifting import hold_periods

    tied_by = model.tied_by
    assert tied_by is not None
    ((tau, noise, width),) = checked_rows([archive.header.get("drift")], "drift", 3)
    tau = checked_number(tau, "drift", least=0.0)
    width = np.inf if width is None else checked_number(width, "the width of periods", least=0.0)
    periods = tied_by.cut(problem, tied_by.times(problem), width)
    x, weight = floats(archive.array("paths"), "path"), floats(archive.array("ties"), "tie")
    if len(x) != len(periods) or len(weight) != len(periods.earlier):
        raise InputError(f"{len(periods)} periods have {len(x)} ratings, {len(weight)} ties")
    if len(weight) and not weight.min() > 0:
        raise InputError("a tie weighs nothing")
    paths = Paths(
        periods,
        x,
        weight,
        tau,
        checked_number(noise, "noise", least=0.0),
        tied_by.unit_for(problem),
        learned=tied_by.tau is None,
    )
    tied = paths.tie(problem)
    terms = solution.terms
    whole = replace(
        solution,
        x=x,
        names=tied.names,
        components=tied.components,
        minimised=replace(model, anchors=hold_periods(tied, model.anchors)).minimised(tied),
        terms=None
        if terms is None
        else Estimates(tie_columns(terms.columns, len(weight)), terms.beta),
        _flow=lambda: _tied(model, problem).flow(),
    )
    return replace(solution, moved=paths, tied=whole)


def _tied(model: Model, problem: Contests | Judgments) -> Solution:
    found = model.solve(problem).tied
    assert found is not None
    return found


def _rebuild_terms(
    archive: Archive, model: Model, problem: Contests | Judgments
) -> Estimates | None:
    if "terms" not in archive.header:
        return None
    columns, told = columns_for(problem, model.terms), archive.header["terms"]
    names = [checked_text(name, "term") for name in told] if isinstance(told, list) else []
    known = {name: k for k, name in enumerate(columns.names)}
    beta = floats(archive.array("beta"), "term")
    if not names or len(beta) != len(names) or not known.keys() >= set(names):
        raise InputError(f"the terms {told!r} are not those of the covariates")
    return Estimates(columns.only([known[name] for name in names]), beta)


def _has_face(model: Model) -> bool:
    return (
        not model.terms
        and model.tied_by is None
        and not model.parts
        and model.loss is None
        and model.p == 1
        and model.ridge == 0
        and model.prior is None
    )


def _rebuild_elsewhere(archive: Archive, names: tuple[Hashable, ...]) -> Any:
    """Make again what is known of data that were read in passes."""
    from qrja.scale import FarProblem

    ((contests, entries, directed),) = checked_rows([archive.header["elsewhere"]], "elsewhere", 3)
    directed = checked_word(directed, "directed", (False, True)) is True
    components = indices(archive.array("components"), max(len(names), 1), "component")
    appearances = archive.array("appearances").astype(np.int64)
    if len(appearances) != len(names) or (appearances < 0).any():
        raise InputError(f"{len(names)} names have {len(appearances)} counts of contests")
    return FarProblem(
        names,
        components,
        appearances,
        checked_count(contests, "contests"),
        checked_count(entries, "entries"),
        directed,
        _rebuild_nouns(archive.header, JUDGED if directed else CONTESTED),
    )


def _rebuild_data(archive: Archive, names: tuple[Hashable, ...]) -> Contests | Judgments:
    header = archive.header
    if "elsewhere" in header:
        return _rebuild_elsewhere(archive, names)  # type: ignore[no-any-return]
    labels: dict[str, Any] = {
        name: unlabels(header[name], what) for name, what in _GROUPED.items() if name in header
    }
    for of, name in _GROUPED.items():
        if (of in labels) != (name in archive):
            raise InputError(f"{of} are named, and the array {name!r} does not say whose is what")
    optional: dict[str, Any] = archive.some(("judge", "se", "study", "topic"))
    optional["covariates"] = _rebuild_covariates(archive)
    date = None
    if "date" in archive:
        date = frozen(archive.array("date").astype(np.int64).astype("datetime64[s]"))
    if "labels" not in header:
        a, b, y, w = (archive.array(name) for name in "abyw")
        nouns = _rebuild_nouns(header, JUDGED)
        return Judgments(a, b, y, w, names, **optional, **labels, date=date, nouns=nouns)
    return Contests(
        archive.array("start"),
        archive.array("who"),
        archive.array("score"),
        names,
        unlabels(header["labels"], "label"),
        archive.array("weight"),
        date,
        checked_word(header.get("pairs"), "pairs", get_args(Pairs)),
        **optional,
        **labels,
        nouns=_rebuild_nouns(header, CONTESTED),
    )


def _rebuild_nouns(header: dict[str, Any], usual: Nouns) -> Nouns:
    """Return what the candidates are called; older files do not say, and only known words count."""
    if "nouns" not in header:
        return usual
    ((event, candidate),) = checked_rows([header["nouns"]], "nouns", 2)
    return Nouns(
        checked_word(event, "what compares", (usual.event, *EVENTS)),
        checked_word(candidate, "what is rated", (usual.candidate, *CANDIDATES)),
    )


def _rebuild_covariates(archive: Archive) -> Covariates:
    if "covariates" not in archive.header:  # older files have none
        return ()
    told = checked_rows(archive.header["covariates"], "covariates", 2)
    values = archive.array("covariates")
    if not told or len(values) % len(told):
        raise InputError(f"{len(told)} covariates have {len(values)} values")
    values = values.reshape(len(told), -1)
    return tuple(
        Covariate(checked_text(name, "covariate"), column, unlabels(levels, "level"))
        for (name, levels), column in zip(told, values, strict=True)
    )


def _rebuild_units(told: Any) -> Units:
    told = checked_fields(told, "units", ("kind", "lower_is_better", "decimals"))
    kinds = get_args(Kind)
    return Units(
        checked_word(told["kind"], "the kind of the units", kinds),
        checked_word(told["lower_is_better"], "lower_is_better", (False, True)) is True,
        checked_count(told["decimals"], "decimals", MOST_DECIMALS),
        checked_word(told.get("written", "number"), "what scores are written as", kinds),
        checked_text(told.get("word", ""), "what scores count"),
    )


def _rebuild_reading(told: Any) -> dict[str, Any]:
    reading = checked_fields(told, "reading", ())
    check_reading(reading)
    for name, value in reading.items():
        parts = value if isinstance(value, list) else [value]
        if name == "aliases" and isinstance(value, dict):
            parts = list(value.values())
        for part in parts:
            if not isinstance(part, bool | int | float | None):
                checked_text(part, name)
    return reading


def _rebuild_choice(told: Any) -> ModelChoice | None:
    if told is None:
        return None
    ((sentence, objective),) = checked_rows([told], "choice", 2)
    return ModelChoice(
        checked_text(sentence, "choice"),
        checked_word(objective, "what it was chosen by", ("margin", "order")),
    )


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
    if not tau:
        raise InputError("drift is 0, which moves nothing")
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
