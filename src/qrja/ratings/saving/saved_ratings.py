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

from qrja.data import Contests, Judgments, floats, indices
from qrja.errors import InputError
from qrja.ratings.fitted import Fit, at_zero, is_elsewhere
from qrja.ratings.model import Model, ModelChoice
from qrja.ratings.saving.archive import Archive, opened, pack
from qrja.ratings.saving.saved_data import describe_data, rebuild_data
from qrja.ratings.saving.saved_labels import label, unlabels
from qrja.ratings.saving.saved_model import describe_model, rebuild_model
from qrja.ratings.saving.saved_parts import describe_parts, rebuild_parts
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
from qrja.tables import Units, check_reading
from qrja.tables.out import FRAME_KINDS, FileVersion, as_path, held, save_whole
from qrja.tables.values import Kind
from qrja.terms import Estimates, columns_for
from qrja.ties import Paths, tie_columns

_PROVED = ("objective", "lower_bound", "gap", "status", "certificate", "optimum", "loss")
_TOLD = ("iterations", "seconds", "norm")
MOST_DECIMALS = 30
"""Digits after the point of a rating; a forged number of them would fill the memory."""


def save(ratings: Fit, path: str | os.PathLike[str]) -> None:
    """Write ratings into a file, see :meth:`qrja.Ratings.save`."""
    arrays: dict[str, NDArray[Any]] = {
        "x": ratings.solution.x,
        "components": ratings.solution.components,
    }
    header = {
        "names": [label(name) for name in ratings.data.names],
        "units": asdict(ratings.units),
        "model": describe_model(ratings.model),
        "kind": ratings.kind,
        "reading": ratings.reading,
        "wide": ratings.wide,
        "nouns": [ratings.data.nouns.event, ratings.data.nouns.candidate],
        "choice": None
        if ratings.choice is None
        else [str(ratings.choice), ratings.choice.objective],
        "solution": {name: written(getattr(ratings.solution, name)) for name in (*_PROVED, *_TOLD)},
    }
    told, of_data = describe_data(ratings)
    header, arrays = header | told, arrays | of_data
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
    data = rebuild_data(archive, names)
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
