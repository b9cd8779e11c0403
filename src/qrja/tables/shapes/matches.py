"""One row per match of two, with both scores: each row is a contest of its own.

A standard error is that of the margin; those of both scores, in two columns, make one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable

import numpy as np

from qrja.data import Contests, Floats, Index, Judgments, Offsets, write_dates
from qrja.plurals import count
from qrja.speech import Sentence
from qrja.tables.reader_options import Options
from qrja.tables.shapes.covariate_columns import read_covariates
from qrja.tables.shapes.error_columns import weigh_by_errors
from qrja.tables.shapes.gaps import check_named, is_lower_better
from qrja.tables.shapes.ledger import Ledger
from qrja.tables.sources import Loaded, Place, shorten
from qrja.tables.values import (
    UNREAD,
    Dates,
    Kind,
    Scores,
    Units,
    number_names,
    parse_dates,
    parse_errors,
    parse_scores,
    parse_weights,
    units_of,
)


def read_matches(
    loaded: Loaded, options: Options, ledger: Ledger
) -> tuple[Contests | Judgments, Units]:
    """Turn every row of a loaded table into a contest of two."""
    (home, away), names = number_names(loaded, ("home", "away"))
    scores = [parse_scores(loaded, f"{side}_score", f"{side} score") for side in ("home", "away")]
    ledger.note(*scores[0].notes, *scores[1].notes)
    played = ~np.isnan(scores[0].values) | ~np.isnan(scores[1].values)
    ledger.leave_out(np.flatnonzero((home < 0) & (away < 0) & ~played), Sentence("empty row"))
    check_named(loaded, ledger, home=home, away=away)
    _check_two(loaded, ledger, home, away, names)
    kind: Kind = "time" if any(side.kind == "time" for side in scores) else "number"
    lower = is_lower_better(kind, options, ledger)
    values = [(-side.values if lower else side.values) + 0.0 for side in scores]
    _fill_gaps(scores, values, options, ledger)
    dates = _dates(loaded, ledger) if "date" in loaded.types else None
    weights = np.ones(loaded.rows)
    if "weight" in loaded.types:
        weights = parse_weights(loaded, "weight", ledger.kept)
    rows = np.flatnonzero(ledger.kept)
    labels = _labels(ledger.place, rows, home, away, names, dates)
    known = read_covariates(loaded, ledger, rows, options.covariates, "matches")

    def build(one: Floats, other: Floats) -> Contests:
        return Contests.from_numbers(
            np.repeat(np.arange(len(rows), dtype=np.int32), 2),
            np.stack([home[rows], away[rows]], axis=1).ravel(),
            np.stack([one[rows], other[rows]], axis=1).ravel(),
            names=names,
            labels=labels,
            weight=weights[rows],
            date=None if dates is None else dates[rows],
            pairs=options.pairs,
            covariates=known,
            checked=True,
        )

    contests = build(values[0], values[1])
    units = units_of(kind, lower, contests)
    if "se" not in loaded.types:
        return contests, units
    # The error of a margin is shared by both sides. In the place of scores it comes out in order.
    shared = parse_errors(loaded, ledger.kept) / np.sqrt(2.0)
    return weigh_by_errors(ledger, contests, build(shared, shared).score), units


def _check_two(
    loaded: Loaded, ledger: Ledger, home: Index, away: Index, names: tuple[Hashable, ...]
) -> None:
    alone = ledger.kept & (home == away)
    if alone.any():
        row = int(alone.argmax())
        raise loaded.place.error(
            row, f"{shorten(names[home[row]])} plays against itself; name two different contestants"
        )


def _fill_gaps(
    scores: list[Scores], values: list[Floats], options: Options, ledger: Ledger
) -> None:
    """Leave out matches without both scores; or a missing score is the other one, made worse."""
    known = [side.copy() for side in values]
    filled = 0
    for side, other in ((0, 1), (1, 0)):
        for reason, rows in scores[side].missing.items():
            if options.dnf is None or reason == UNREAD:
                ledger.leave_out(rows, reason)
                continue
            values[side][rows] = known[other][rows] - options.dnf.amount
            neither = Sentence("{reason}, nor another score", reason=reason)
            ledger.leave_out(rows[np.isnan(known[other][rows])], neither)
            filled += int(ledger.kept[rows].sum())
    ledger.check_any("score on both sides")
    if filled:
        ledger.note(
            Sentence(
                "{filled}: taken as the score of the other side, made worse",
                filled=count(filled, "missing score"),
            )
        )


def _dates(loaded: Loaded, ledger: Ledger) -> Dates | None:
    number, dates = parse_dates(loaded)
    undated = ledger.kept & (number < 0)
    if undated[ledger.kept].all():
        ledger.note(Sentence("the date column is empty: matches are in the order of the table"))
        return None
    if undated.any():
        raise loaded.place.error(int(undated.argmax()), "no date; date every row or none")
    return dates[number]


def _labels(
    place: Place,
    rows: Offsets,
    home: Index,
    away: Index,
    names: tuple[Hashable, ...],
    dates: Dates | None,
) -> tuple[str, ...]:
    """Call a match by its two sides and its date, or else the place of its row."""
    if dates is None:
        tails = [f"{place.word} {number}" for number in place.numbers(rows.tolist())]
    else:
        tails = write_dates(dates[rows])
    labels = [
        f"{names[a]} v {names[b]}, {tail}"
        for a, b, tail in zip(home[rows].tolist(), away[rows].tolist(), tails, strict=True)
    ]
    # The second match of a day gets a name of its own, by which it can be corrected.
    seen: Counter[str] = Counter()
    for at, label in enumerate(labels):
        seen[label] += 1
        if seen[label] > 1:
            labels[at] = f"{label} ({seen[label]})"
    return tuple(labels)
