"""Scores: a column of numbers or of times becomes an array of floats; gaps become reasons.

Numbers are cast in SQL; only when some text is no plain number is the column looked at again:
for times, for words such as DNF, for decimal commas and thousands separators.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from qrja._arrays import LARGEST, Floats, Offsets
from qrja.errors import InputError
from qrja.tables.database import Loaded, stripped
from qrja.tables.numbers import styled_number
from qrja.tables.times import clock_seconds, spelled_seconds

Mask = NDArray[np.bool_]
Masked = Any
"""A numpy masked array, whose types say little."""

WEIGHTS = frozenset({"weight", "w"})
MISSING = frozenset(
    {"DNF", "DNS", "DNQ", "DQ", "DSQ", "DISQ", "NC", "RET", "WD"}
    | {"NA", "N/A", "NULL", "NONE", "-", "--", "–", "—"}
)
"""Texts that say there is no score, in capitals and without dots."""


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
        values = _fetch(loaded, f"epoch({role})" if clock else f"{role}::DOUBLE")
        gaps = np.flatnonzero(np.ma.getmaskarray(values))
        scores = _scores(values, "time" if clock else "number", {f"no {what}": gaps})
    else:
        values = _fetch(loaded, f"{role}_value")
        odd = np.ma.getmaskarray(values).any()
        scores = _parse_odd(loaded, role, what, values) if odd else _scores(values, "number", {})
    _check_finite(loaded, role, scores, what)
    return scores


def parse_weights(loaded: Loaded, role: str, kept: Mask) -> Floats:
    """Parse a column of weights: positive numbers, none missing in the rows that are kept."""
    scores = parse_scores(loaded, role, "weight")
    bad = kept & ~(scores.values > 0) if scores.kind == "number" else kept
    if bad.any():
        raise _bad_weight(loaded, role, int(bad.argmax()))
    return scores.values


def _parse_odd(loaded: Loaded, role: str, what: str, numbers: Masked) -> Scores:
    """Parse a column in which some texts are no plain numbers."""
    loaded.database.execute(
        f"""CREATE OR REPLACE TEMP TABLE odd AS
        SELECT row, text, {clock_seconds("text")} AS seconds
        FROM (SELECT rowid AS row, {stripped(role)} AS text FROM loaded
              WHERE {role}_value IS NULL)"""
    )
    values = numbers.filled(np.nan)
    clock = loaded.fetch("SELECT row, seconds FROM odd WHERE seconds IS NOT NULL")
    values[clock["row"]] = clock["seconds"]
    missing, spelled = _parse_words(loaded, role, what, values)
    kind: Literal["number", "time"] = "time" if len(clock["row"]) or spelled else "number"
    return Scores(values, kind, missing, _time_notes(loaded, role) if kind == "time" else ())


def _time_notes(loaded: Loaded, role: str) -> tuple[str, ...]:
    """Say how times were read where they could mean something else."""
    plain, short, long = loaded.database.execute(
        f"""SELECT (SELECT count({role}_value) FROM loaded),
            arg_min(text, row) FILTER (text NOT LIKE '%:%:%'), count_if(text LIKE '%:%:%')
        FROM odd WHERE seconds IS NOT NULL"""
    ).fetchall()[0]
    notes = []
    if plain:
        notes.append("plain numbers among the times are taken as seconds")
    if short and not long:
        notes.append(f"times such as {short} are taken as minutes and seconds")
    return tuple(notes)


def _parse_words(
    loaded: Loaded, role: str, what: str, values: Floats
) -> tuple[dict[str, Offsets], bool]:
    """Parse what is neither number nor clock: no score, a spelled time, a number in dress."""
    rest = loaded.fetch("SELECT row, text FROM odd WHERE seconds IS NULL ORDER BY row")
    missing: dict[str, list[int]] = {}
    dressed = []
    spelled = False
    for row, text in zip(rest["row"].tolist(), rest["text"].tolist(), strict=True):
        word = "" if text is None else text.upper().replace(".", "")
        if text is None or word in MISSING:
            missing.setdefault(_reason(word, what), []).append(row)
        elif (seconds := spelled_seconds(text)) is not None:
            values[row], spelled = seconds, True
        else:
            dressed.append(row)
    if dressed:
        _parse_dressed(loaded, role, values, np.array(dressed))
    return {reason: np.array(rows) for reason, rows in missing.items()}, spelled


def _parse_dressed(loaded: Loaded, role: str, values: Floats, left: Offsets) -> None:
    """Read the numbers of a column again, in the style that the column shows."""
    again = _fetch(loaded, styled_number(loaded, stripped(role)))
    numbers = ~np.ma.getmaskarray(again)
    values[numbers] = again.data[numbers]
    bad = left[~numbers[left]]
    if len(bad):
        row = int(bad[0])
        if role in WEIGHTS:
            raise _bad_weight(loaded, role, row)
        raise loaded.place.error(
            row,
            f"{loaded.text(role, row)!r} is neither a number nor a time like 4:10:00;"
            " correct it, or leave it empty to leave the row out",
        )


def _bad_weight(loaded: Loaded, role: str, row: int) -> InputError:
    found = loaded.text(role, row)
    said = "missing" if found is None else repr(found)
    return loaded.place.error(row, f"the weight is {said}; give a positive number")


def _reason(word: str, what: str) -> str:
    return word if word.isalpha() and word not in ("NA", "NULL", "NONE") else f"no {what}"


def _check_finite(loaded: Loaded, role: str, scores: Scores, what: str) -> None:
    allowed = np.abs(scores.values) <= LARGEST
    for rows in scores.missing.values():
        allowed[rows] = True
    if not allowed.all():
        row = int(np.argmin(allowed))
        if role in WEIGHTS:
            raise _bad_weight(loaded, role, row)
        raise loaded.place.error(
            row,
            f"the {what} is {scores.values[row]:g}; give a"
            f" {'smaller' if np.isfinite(scores.values[row]) else 'finite'} number,"
            " or leave it empty to leave the row out",
        )


def _scores(values: Masked, kind: Literal["number", "time"], missing: dict[str, Offsets]) -> Scores:
    filled = values.filled(np.nan).astype(np.float64)
    return Scores(filled, kind, {reason: rows for reason, rows in missing.items() if len(rows)})


def _fetch(loaded: Loaded, sql: str) -> Masked:
    return np.ma.asarray(loaded.fetch(f"SELECT {sql} AS value FROM loaded")["value"])
