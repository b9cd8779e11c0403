"""Duplicates: several rows of one contestant in one contest come down to one."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
from numpy.typing import NDArray

from qrja._arrays import Floats, Index, Offsets
from qrja.tables.ledger import Ledger
from qrja.tables.options import Duplicates
from qrja.tables.summary import count, numbered

_SAID = {
    "best": "the better row is kept",
    "first": "the first row is kept",
    "last": "the last row is kept",
    "mean": "their mean is taken",
}
_NAMED = 5


def settle_duplicates(
    ledger: Ledger,
    group: Index,
    who: Index,
    values: Floats,
    names: tuple[Hashable, ...],
    labels: tuple[Hashable, ...],
    rule: Duplicates,
) -> Offsets:
    """Return the rows to use, one for each contestant in a contest; ``"mean"`` edits values."""
    rows = np.flatnonzero(ledger.kept)
    key = group[rows].astype(np.int64) * max(len(names), 1) + who[rows]
    ordered = np.sort(key)
    if not (ordered[1:] == ordered[:-1]).any():
        return rows
    by_key = np.argsort(key, kind="stable")
    begins = np.flatnonzero(np.r_[True, np.diff(key[by_key]) != 0])
    runs = [rows[run] for run in np.split(by_key, begins[1:]) if len(run) > 1]
    runs.sort(key=lambda run: int(run[0]))
    described = [_describe(ledger, run, group, who, names, labels) for run in runs[:_NAMED]]
    if rule == "error":
        raise ledger.place.error(
            int(runs[0][1]), f"{described[0]}; keep one row, or choose which counts"
        )
    unused = np.zeros(ledger.rows, dtype=bool)
    for run in runs:
        chosen = _choose(run, values, rule)
        unused[run[run != chosen]] = True
    if rule != "mean":
        ledger.leave_out(np.flatnonzero(unused), "duplicate")
    more = f", and {len(runs) - _NAMED} more" if len(runs) > _NAMED else ""
    ledger.warnings.append(f"{', '.join(described)}{more}; {_SAID[rule]}")
    return rows[~unused[rows]]


def _choose(run: Offsets, values: Floats, rule: Duplicates) -> int:
    if rule == "mean":
        values[run[0]] = values[run].mean()
    if rule == "best":
        return int(run[values[run].argmax()])
    return int(run[-1] if rule == "last" else run[0])


def _describe(
    ledger: Ledger,
    run: NDArray[np.int64],
    group: Index,
    who: Index,
    names: tuple[Hashable, ...],
    labels: tuple[Hashable, ...],
) -> str:
    times = "twice" if len(run) == 2 else count(len(run), "time")
    where = numbered(ledger.place.word, ledger.place.numbers(run.tolist()))
    return f"{names[who[run[0]]]!r} is {times} in contest {labels[group[run[0]]]!r} ({where})"
