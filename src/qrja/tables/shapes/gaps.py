"""Gaps: rows without a score are left out, or take the worst score of their contest and more."""

from __future__ import annotations

import numpy as np

from qrja.data import Floats, Index, Offsets
from qrja.errors import InputError
from qrja.plurals import count
from qrja.speech import Sentence
from qrja.tables.reader_options import Options
from qrja.tables.shapes.ledger import Ledger
from qrja.tables.sources import Loaded, shorten
from qrja.tables.values import NEVER_STARTED, UNREAD, Scores


def is_lower_better(kind: str, options: Options, ledger: Ledger) -> bool:
    """Decide whether lower scores are better, and say so if it was assumed."""
    if options.dnf is not None and options.dnf.is_time and kind != "time":
        raise InputError("dnf adds a time, but the scores are numbers; give worst+X with a number")
    if options.lower_is_better is not None:
        return options.lower_is_better
    if kind == "time":
        ledger.note(Sentence("the scores are times: lower is taken to be better"))
    elif options.low_column is not None:
        ledger.note(
            Sentence(
                "the scores are called {column}: lower is taken to be better",
                column=shorten(options.low_column),
            )
        )
    return kind == "time" or options.low_column is not None


def check_named(loaded: Loaded, ledger: Ledger, **columns: Index) -> None:
    """Check that every row that is kept names its contest, its contestant, ..., or leave it out."""
    unnamed = {what: ledger.kept & (numbers < 0) for what, numbers in columns.items()}
    if loaded.skips:  # such as the totals below a table
        for what, rows in unnamed.items():
            ledger.leave_out(np.flatnonzero(rows), Sentence("no {what}", what=what))
        return
    first = [(int(rows.argmax()), what) for what, rows in unnamed.items() if rows.any()]
    if first:
        row, what = min(first, key=lambda it: it[0])
        raise loaded.place.error(row, f"the {what} is empty; give it a name")


def fill_gaps(
    scores: Scores, values: Floats, group: Index, options: Options, ledger: Ledger
) -> None:
    """Leave out the rows without a score, or fill ``values`` there by the rule of ``dnf``."""
    gaps = [(reason, rows[ledger.kept[rows]]) for reason, rows in scores.missing.items()]
    if options.dnf is None:
        for reason, rows in gaps:
            ledger.leave_out(rows, reason)
        ledger.check_any("score")
        return
    worst = _worst(values, group, ledger)
    filled = 0
    for reason, rows in gaps:
        if _took_no_part(reason, ledger):
            ledger.leave_out(rows, reason)
            continue
        values[rows] = worst[group[rows]] - options.dnf.amount
        alone = ~np.isfinite(values[rows])
        nothing = Sentence("{reason} in a contest without any score", reason=reason)
        ledger.leave_out(rows[alone], nothing)
        filled += len(rows) - int(alone.sum())
    ledger.check_any("score")
    if filled:
        ledger.note(
            Sentence(
                "{filled} without a score: taken as the worst of the contest, made worse",
                filled=count(filled, "row"),
            )
        )


def _took_no_part(reason: str, ledger: Ledger) -> bool:
    """Tell whether somebody did not start, or nobody knows: the rule is for those who did."""
    if reason in NEVER_STARTED or reason == UNREAD:
        return True
    return reason == "no score" and ledger.place.counted == "cell"


def _worst(values: Floats, group: Index, ledger: Ledger) -> Floats:
    rows: Offsets = np.flatnonzero(ledger.kept & ~np.isnan(values))
    worst = np.full(int(group.max(initial=-1)) + 1, np.inf)
    np.minimum.at(worst, group[rows], values[rows])
    return worst
