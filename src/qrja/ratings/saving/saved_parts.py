"""The scores of members in a saved file, checked when they are read."""

from __future__ import annotations

from typing import Any

import numpy as np

from qrja.data import Contests, Judgments, floats
from qrja.errors import InputError
from qrja.parts import PartKind, PartScores, parts_in
from qrja.ratings.model import Model
from qrja.ratings.saving.archive import Archive
from qrja.ratings.saving.saved_values import checked_text


def describe_parts(parts: PartScores) -> dict[str, Any]:
    """Return the arrays of members; an infinite pull is written as 0."""
    told = np.concatenate([[parts.noise], parts.tau, np.where(parts.tau > 0, parts.pull, 0.0)])
    return {"members": parts.u, "parts": told}


def rebuild_asked_parts(told: Any) -> tuple[PartKind, ...]:
    """Make the parts of a model again."""
    if not isinstance(told, list) or not all(isinstance(one, list) and one for one in told):
        raise InputError("the parts of the model are no lists of columns")
    return tuple(PartKind(tuple(checked_text(name, "part") for name in one)) for one in told)


def rebuild_parts(
    archive: Archive, model: Model, problem: Contests | Judgments
) -> PartScores | None:
    """Make the scores of members again; none if the model has no parts."""
    if not model.parts:
        return None
    columns, many = parts_in(problem, model.parts), len(model.parts)
    u, told = floats(archive.array("members"), "member"), floats(archive.array("parts"), "part")
    if len(u) != len(columns) or len(told) != 1 + 2 * many:
        raise InputError(f"{len(columns)} members of {many} parts have {len(u)} scores")
    noise, tau, pull = float(told[0]), told[1 : many + 1], told[many + 1 :]
    if noise < 0 or (tau < 0).any() or ((tau > 0) & ~(pull > 0)).any():
        raise InputError("members differ by less than nothing, or are pulled by nothing")
    if u[~(tau > 0)[columns.of_part]].any():
        raise InputError("a member of a part whose members do not differ has a score")
    return PartScores(columns, u, np.where(tau > 0, pull, np.inf), tau, noise)
