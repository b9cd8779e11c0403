"""Ratings of data that do not fit in memory: solved in passes, see :mod:`qrja.scale`."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from qrja.errors import InputError
from qrja.losses import Loss
from qrja.ratings.door import Ratings
from qrja.ratings.model import Model
from qrja.solvers import check_power, check_tolerance
from qrja.tables import check_reading

if TYPE_CHECKING:
    from qrja.scale import Pass

ALONE = ("wide", "sheet", "delimiter", "encoding", "covariates", "grades", "remote", "aliases")
"""Options of the reader that are for tables of one machine."""


def fit_far(
    data: Any,
    *,
    p: float | Literal["auto"],
    loss: Loss | None,
    tol: float | None,
    engine: str,
    staging: str | os.PathLike[str] | None,
    resume: bool,
    sample: int | None,
    sample_by: str | None,
    reading: Mapping[str, Any],
    refused: Mapping[str, Any],
    progress: Callable[[Pass], None] | None,
) -> Ratings:
    """Rate what an engine reads; see :func:`qrja.fit` for the parameters."""
    from qrja.scale import Aim, SampleRequest, solve_far

    said = {name: value for name, value in reading.items() if value is not None}
    asked = [*refused, *ALONE]
    for name in asked:
        value = refused.get(name, said.get(name))
        if value is not None and value is not False:
            raise InputError(
                f"{name} is {value!r}, and data read in passes do not take it; leave it out, or fit"
                " a part that fits in memory without engine"
            )
    check_reading(said)
    power = check_power(p if p != "auto" else 2)
    aim = Aim.of(power, loss, None if tol is None else check_tolerance(tol))
    if sample is None and sample_by is not None:
        raise InputError(f"sample_by is {sample_by!r}, and no sample is asked for; say sample=")
    drawing = None if sample is None else SampleRequest.of(sample, sample_by, aim)
    if drawing is not None and tol is None:
        aim = drawing.aim(aim)
    far = solve_far(
        data,
        aim,
        engine=engine,
        reading=said,
        staging=None if staging is None else Path(staging),
        resume=resume,
        sample=drawing,
        tell=progress,
    )
    model = Model(p=power, loss=loss, tol=aim.tol)
    problem: Any = far.problem
    return Ratings(problem, far.solution, far.units, model, problem, reading=said)
