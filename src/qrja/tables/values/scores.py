"""Scores: a column of numbers or of times becomes an array of floats; gaps become reasons.

Numbers are cast in SQL; only when some text is no plain number is the column looked at again:
for times, for words such as DNF, for decimal commas and thousands separators.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from qrja.data import LARGEST, Floats, Offsets
from qrja.errors import InputError
from qrja.tables.roles import holding, root
from qrja.tables.sources import Loaded, shorten
from qrja.tables.values.missing_words import UNREAD
from qrja.tables.values.score_texts import no_value, parse_wording, time_notes

Mask = NDArray[np.bool_]
Masked = Any
"""A numpy masked array, whose types say little."""

_LISTED = 8
WEIGHTS = holding("weights", "errors")
"""The roles whose cells must be positive numbers."""


@dataclass(frozen=True)
class Scores:
    """A parsed column.

    Parameters
    ----------
    values : array of float
        NaN where there is none.
    kind : {"number", "time"}
        Times are in seconds.
    missing : dict
        The reason (``"DNF"``, ``"no score"``) -> the rows without a value.
    """

    values: Floats
    kind: Literal["number", "time"]
    missing: dict[str, Offsets] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def parse_scores(loaded: Loaded, role: str, what: str = "score") -> Scores:
    """Parse the column of a role.

    Raises
    ------
    InputError
        At the first text that is neither a number nor a time nor a word for "none", and at the
        first NaN or infinity.
    """
    kind = loaded.types[role]
    if kind != "VARCHAR":
        clock = kind in ("INTERVAL", "TIME", "TIME_NS")
        if loaded.plain is not None:
            values = np.array(loaded.plain[role], dtype=np.float64)
        else:
            values = _fetch(loaded, f"epoch({role})" if clock else f"{role}::DOUBLE")
        gaps = np.flatnonzero(_is_missing(values))
        scores = _scores(values, "time" if clock else "number", {no_value(what): gaps})
    else:
        values = _fetch(loaded, f"{role}_value")
        odd = _is_missing(values).any()
        scores = _parse_texts(loaded, role, what, values) if odd else _scores(values, "number", {})
    _check_finite(loaded, role, scores, what)
    return scores


def parse_weights(loaded: Loaded, role: str, kept: Mask) -> Floats:
    """Parse a column of weights: positive numbers, none missing in the rows that are kept."""
    scores = parse_scores(loaded, role, "weight")
    bad = kept & ~(scores.values > 0) if scores.kind == "number" else kept
    if bad.any():
        raise _bad_weight(loaded, role, int(bad.argmax()))
    return scores.values


def parse_errors(loaded: Loaded, kept: Mask) -> Floats:
    """Parse the columns of standard errors: the root of the sum of their squares, positive."""
    roles = [role for role in loaded.types if root(role) == "se"]
    squares = np.zeros(loaded.rows)
    for role in roles:
        scores = parse_scores(loaded, role, "standard error")
        bad = kept & ~(scores.values >= 0) if scores.kind == "number" else kept
        if bad.any():
            raise _bad_weight(loaded, role, int(bad.argmax()))
        squares += scores.values**2
    bad = kept & ~(squares > 0)
    if bad.any():
        raise _bad_weight(loaded, roles[0], int(bad.argmax()))
    return np.sqrt(squares)


def _parse_texts(loaded: Loaded, role: str, what: str, numbers: Masked) -> Scores:
    """Parse a column in which some texts are no plain numbers."""
    values = numbers.filled(np.nan)
    missing, timed, bad = parse_wording(loaded, role, what, values)
    if len(bad) and loaded.skips and root(role) not in WEIGHTS:
        known = np.concatenate([*missing.values(), np.zeros(0, dtype=np.int64)])
        missing[UNREAD] = np.setdiff1d(np.flatnonzero(np.isnan(values)), known)
    elif len(bad):
        raise _unreadable(loaded, role, bad.tolist(), any_read=bool(np.isfinite(values).any()))
    return Scores(
        values,
        "time" if timed else "number",
        missing,
        time_notes(loaded, role) if timed else (),
    )


def _unreadable(loaded: Loaded, role: str, rows: list[int], *, any_read: bool) -> InputError:
    row = rows[0]
    if root(role) in WEIGHTS:
        return _bad_weight(loaded, role, row)
    found = shorten(loaded.text(role, row) or "")
    if any_read and len(rows) > 1:
        others = [shorten(loaded.text(role, it) or "") for it in rows]
        listed = ", ".join(
            f"{text} ({loaded.place.of(it)})"
            for text, it in zip(others[1:_LISTED], rows[1:_LISTED], strict=True)
        )
        more = f" and {len(rows) - _LISTED} more" if len(rows) > _LISTED else ""
        remedy = (
            f", nor {'is' if len(rows) == 2 else 'are'} {listed}{more}; correct them, or name them"
            ' as words for no score, such as --left-out "Aufg.,Abandon"'
        )
    elif any_read:
        remedy = "; correct it, or leave it empty to leave the row out"
    else:
        remedy = f", nor is anything in its column; is that the column of the {_said(role)}?"
    return loaded.place.error(row, f"{found} is neither a number nor a time like 4:10:00{remedy}")


def _said(role: str) -> str:
    return {"y": "margins", "ratio": "ratios"}.get(role, f"{role.replace('_', ' ')}s")


def _bad_weight(loaded: Loaded, role: str, row: int) -> InputError:
    found = loaded.text(role, row)
    said = "missing" if found is None else shorten(found)
    what = "standard error" if root(role) == "se" else "weight"
    return loaded.place.error(row, f"the {what} is {said}; give a positive number")


def _check_finite(loaded: Loaded, role: str, scores: Scores, what: str) -> None:
    allowed = np.abs(scores.values) <= LARGEST
    for rows in scores.missing.values():
        allowed[rows] = True
    if not allowed.all():
        row = int(np.argmin(allowed))
        if root(role) in WEIGHTS:
            raise _bad_weight(loaded, role, row)
        raise loaded.place.error(
            row,
            f"the {what} is {scores.values[row]:g}; give a"
            f" {'smaller' if np.isfinite(scores.values[row]) else 'finite'} number,"
            " or leave it empty to leave the row out",
        )


def _is_missing(values: Masked) -> Mask:
    """Tell which values are masked: none of a plain array."""
    return np.broadcast_to(np.asarray(getattr(values, "mask", False)), values.shape)


def _scores(values: Masked, kind: Literal["number", "time"], missing: dict[str, Offsets]) -> Scores:
    filled = values.filled(np.nan) if hasattr(values, "mask") else values
    filled = np.asarray(filled, dtype=np.float64)
    return Scores(filled, kind, {reason: rows for reason, rows in missing.items() if len(rows)})


def _fetch(loaded: Loaded, sql: str) -> Masked:
    return np.ma.asarray(loaded.fetch(f"SELECT {sql} AS value FROM loaded")["value"])
