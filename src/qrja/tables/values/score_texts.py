"""Wording: texts among the scores that are no plain numbers, each distinct one read once.

They are clock times, spelled times, words such as DNF, numbers with decimal commas or thousands
separators, or mistakes. The table ``told`` holds the distinct spellings of a column (``spelling``),
stripped (``text``), and the first row of each (``row``).
"""

from __future__ import annotations

import re

import numpy as np

from qrja.data import Floats, Offsets
from qrja.speech import Sentence
from qrja.tables.sources import Columns, Loaded, stripped
from qrja.tables.values.decimals import styled_number
from qrja.tables.values.missing_words import folded, meaning_of
from qrja.tables.values.times import clock_seconds, spelled_seconds

MISSING = frozenset(
    {"DNF", "DNS", "DNQ", "DQ", "DSQ", "DISQ", "NC", "RET", "WD"}
    | {"", "NA", "N/A", "NULL", "NONE", "\\N", "-", "--", "–", "—"}
)
"""Texts that say there is no score, in capitals and without dots."""
_FRACTION = re.compile(r"([+-]?\d+)\s*/\s*(\d+)", re.ASCII)


def parse_wording(
    loaded: Loaded, role: str, what: str, values: Floats
) -> tuple[dict[str, Offsets], bool, Offsets]:
    """Fill ``values`` where they are NaN because the text is no plain number.

    Returns
    -------
    missing, timed, bad
        The rows without a score by reason; whether there are times; the first row of each text
        that could not be read.
    """
    told = _tell(loaded, role, f"{role}_value IS NULL", clock_seconds("text"))
    seconds = told["value"]
    reasons: dict[str, list[int]] = {}
    fractions: dict[int, float] = {}
    dressed = []
    for k in np.flatnonzero(np.isnan(seconds)).tolist():
        text = told["text"][k]
        reason = _reason_of(text, what, loaded.left_out)
        if reason is not None:
            reasons.setdefault(reason, []).append(k)
        elif (fraction := read_fraction(text)) is not None:
            fractions[k] = fraction
        elif (spelled := spelled_seconds(text)) is not None:
            seconds[k] = spelled
        else:
            dressed.append(k)
    rows, which = _rows_of_texts(loaded, role, told)
    values[rows] = seconds[which]
    for k, fraction in fractions.items():
        values[rows[which == k]] = fraction
    missing = {reason: rows[np.isin(which, kinds)] for reason, kinds in reasons.items()}
    timed = not np.isnan(seconds).all()
    bad = told["row"][dressed]
    return missing, timed, _parse_dressed(loaded, role, values, bad) if dressed else bad


def _parse_dressed(loaded: Loaded, role: str, values: Floats, dressed: Offsets) -> Offsets:
    """Read the numbers of a column again, in the style that the whole column shows."""
    _tell(loaded, role, "true", "NULL::DOUBLE")
    told = _fetch(loaded, styled_number(loaded))
    rows, which = _rows_of_texts(loaded, role, told)
    number = told["value"][which]
    known = ~np.isnan(number)
    values[rows[known]] = number[known]
    return dressed[np.isnan(values[dressed])]


def _tell(loaded: Loaded, role: str, where: str, value: str) -> Columns:
    """Make the table ``told`` from some rows of a column, and fetch it with a value per text."""
    loaded.database.execute(
        f"""CREATE OR REPLACE TEMP TABLE told AS
        SELECT spelling, row, coalesce({stripped("spelling")}, '') AS text
        FROM (SELECT {role} AS spelling, min(rowid) AS row FROM loaded
              WHERE {where} GROUP BY {role})"""
    )
    return _fetch(loaded, value)


def _fetch(loaded: Loaded, value: str) -> Columns:
    told = loaded.fetch(f"SELECT row, text, {value} AS value FROM told ORDER BY row")
    told["value"] = np.ma.filled(told["value"], np.nan).astype(np.float64)
    return told


def _rows_of_texts(loaded: Loaded, role: str, told: Columns) -> tuple[Offsets, Offsets]:
    """Return the rows of all texts in ``told``, and for each the number of its text."""
    found = loaded.fetch(
        f"""SELECT loaded.rowid AS row, told.row AS first
        FROM loaded JOIN told ON {role} IS NOT DISTINCT FROM spelling ORDER BY loaded.rowid"""
    )
    return found["row"], np.searchsorted(told["row"], found["first"])


def _reason_of(text: str, what: str, left_out: frozenset[str]) -> str | None:
    """Say why there is no score, None if there may be one."""
    word = text.upper().replace(".", "") or text
    if word in MISSING:
        return _reason(word, what)
    return text if folded(text) in left_out else meaning_of(text)


def read_fraction(text: str) -> float | None:
    """Read a fraction of two whole numbers.

    Examples
    --------
    >>> read_fraction("3/4"), read_fraction("1/0"), read_fraction("3/4/2024")
    (0.75, None, None)
    """
    match = _FRACTION.fullmatch(text)
    return int(match[1]) / int(match[2]) if match and int(match[2]) else None


def _reason(word: str, what: str) -> str:
    if word.isalpha() and word not in ("NA", "NULL", "NONE"):
        return word
    return no_value(what)


def no_value(what: str) -> Sentence:
    """Say that a row has no score, or no margin."""
    return Sentence("no score") if what == "score" else Sentence("no {what}", what=what)


def time_notes(loaded: Loaded, role: str) -> tuple[str, ...]:
    """Say how times were read where they could mean something else."""
    clock = f"{role}_value IS NULL AND contains({role}, ':')"
    plain, short, long = loaded.database.execute(
        f"""SELECT count({role}_value),
            arg_min({role}, rowid) FILTER ({clock} AND {role} NOT LIKE '%:%:%'),
            count_if({clock} AND {role} LIKE '%:%:%') FROM loaded"""
    ).fetchall()[0]
    notes = []
    if plain:
        notes.append(Sentence("plain numbers among the times are taken as seconds"))
    if short:
        said = "times such as {short} are taken as minutes and seconds"
        if long:
            said = (
                "times such as {short} are taken as minutes and seconds, beside others with hours"
            )
        notes.append(Sentence(said, short=short.strip()))
    return tuple(notes)
