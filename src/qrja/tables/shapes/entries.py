"""One row per entrant: (contest, contestant, score), and perhaps a date and a weight.

With a judge in every row, what each judge said of a contest is a contest of its own. With a
standard error in every row the contests become judgments, see :meth:`qrja.Contests.with_errors`.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from functools import partial

import numpy as np

from qrja.data import Contests, Floats, Index, Judgments, Offsets, write_dates
from qrja.errors import InputError
from qrja.plurals import count
from qrja.speech import Sentence
from qrja.tables.reader_options import Options
from qrja.tables.shapes.covariate_columns import read_covariates
from qrja.tables.shapes.duplicates import settle_duplicates
from qrja.tables.shapes.error_columns import weigh_by_errors
from qrja.tables.shapes.gaps import check_named, fill_gaps, is_lower_better
from qrja.tables.shapes.ledger import Ledger
from qrja.tables.shapes.sheets import number_both, split_by_judge
from qrja.tables.sources import Loaded, shorten
from qrja.tables.values import (
    SAID,
    Dates,
    Kind,
    Units,
    number_names,
    parse_dates,
    parse_errors,
    parse_scores,
    parse_weights,
    rescale,
    units_of,
)


def read_entries(
    loaded: Loaded, options: Options, ledger: Ledger
) -> tuple[Contests | Judgments, Units]:
    """Group the rows of a loaded table into contests."""
    (group,), labels = number_names(loaded, ("contest",), blocks=True)
    (who,), names = number_names(loaded, ("contestant",))
    scores = parse_scores(loaded, "score")
    ledger.note(*scores.notes)
    empty = np.flatnonzero((group < 0) & (who < 0) & np.isnan(scores.values))
    ledger.leave_out(empty, Sentence("empty row"))
    check_named(loaded, ledger, contest=group, contestant=who)
    lower = is_lower_better(scores.kind, options, ledger)
    dates, labelled = None, len(labels)
    if "date" in loaded.types:
        group, labels, dates = split_by_date(loaded, ledger, group, labels)
    sheets = split_by_judge(loaded, ledger, group, labels)
    group, labels = sheets.group, sheets.labels
    dates = None if dates is None else dates[sheets.contest]
    weight = np.ones(len(labels))
    if "weight" in loaded.types:
        weight = _weight_of_contest(loaded, ledger, group, labels)
    values = (-scores.values if lower else scores.values) + 0.0
    fill_gaps(scores, values, group, options, ledger)
    se = _read_errors(loaded, options, ledger)
    # Means of scores with errors of their own would need other errors.
    rule = "best" if se is not None and options.duplicates == "auto" else options.duplicates
    several = int(ledger.kept.sum())
    rows = settle_duplicates(ledger, group, who, values, names, labels, rule)
    if len(rows) < several and options.season:
        contest, season = map(shorten, options.season)
        ledger.note(
            Sentence(
                "contests are told apart by {contest} alone; if its names come again in another"
                " {season}, name both columns, with a comma between them, as the contest",
                contest=contest,
                season=season,
            )
        )
    if len(rows) < loaded.rows:
        group, who, values = group[rows], who[rows], values[rows]
    values, kind = _scaled(loaded, options, ledger, values, group, scores.kind, lower, rows)
    build = partial(
        Contests.from_numbers,
        group,
        who,
        names=names,
        labels=labels,
        weight=weight,
        date=dates,
        pairs=options.pairs,
        judge=sheets.judge,
        judges=sheets.judges,
        covariates=read_covariates(loaded, ledger, rows, options.covariates, "entries"),
        checked=True,
    )
    contests = build(values)
    if not options.alone:
        _check_informative(ledger, contests, split=len(labels) > labelled)
    units = replace(units_of(kind, lower, contests), written=scores.kind)
    if se is None:
        return contests, units
    # Errors in the place of scores come out in the order of the entries.
    return weigh_by_errors(ledger, contests, build(se[rows]).score), units


def _scaled(
    loaded: Loaded,
    options: Options,
    ledger: Ledger,
    values: Floats,
    group: Index,
    kind: Kind,
    lower: bool,
    rows: Offsets,
) -> tuple[Floats, Kind]:
    """Put scores on the scale that was asked for; return what they are in then."""
    if options.scale is None:
        return values, kind
    if "se" in loaded.types:
        raise InputError("scale changes scores, and these have standard errors; scale both before")
    ledger.note(SAID[options.scale])
    scaled = rescale(options.scale, values, group, lower)
    lost = np.isnan(scaled)
    if lost.any():
        row, found = int(rows[lost.argmax()]), values[lost.argmax()]
        raise loaded.place.error(
            row,
            f"the score is {-found if lower else found:g}; the logarithmic scale needs positive"
            " scores, correct it or choose another scale",
        )
    return scaled, "percent" if options.scale == "log" else "number"


def _read_errors(loaded: Loaded, options: Options, ledger: Ledger) -> Floats | None:
    if "se" not in loaded.types:
        return None
    if options.duplicates == "mean":
        raise InputError(
            "duplicates is 'mean', and scores have standard errors; choose best, first or last, or"
            " average the rows beforehand"
        )
    return parse_errors(loaded, ledger.kept)


def _check_informative(ledger: Ledger, contests: Contests, *, split: bool) -> None:
    """Count the contests that compare nobody; raise if there are no others."""
    small = int((contests.sizes < 2).sum())
    if small == len(contests):
        why = "; check which columns are the contest and the contestant"
        if split:
            why = (
                ": rows of one contest with different dates are different contests;"
                " give them one date, or give the date an empty name to ignore it"
            )
        raise ledger.place.of_table(f"no contest has two contestants with a score{why}")
    if small:
        said = "{small} with fewer than two entrants, comparing nobody"
        ledger.note(Sentence(said, small=count(small, ledger.nouns.event)))


def split_by_date(
    loaded: Loaded, ledger: Ledger, group: Index, labels: tuple[Hashable, ...]
) -> tuple[Index, tuple[Hashable, ...], Dates | None]:
    """Tell contests of one label apart by their dates; return group, labels and dates anew."""
    number, dates = parse_dates(loaded)
    kept = ledger.kept
    if (number[kept] < 0).all():
        ledger.note(Sentence("the date column is empty: contests are in order of appearance"))
        return group, labels, None
    if (number[kept] < 0).any():
        row = int((kept & (number < 0)).argmax())
        raise loaded.place.error(row, "no date; date every row or none")
    first = np.zeros(len(labels), dtype=np.int32)
    first[group[kept][::-1]] = number[kept][::-1]
    if (first[group[kept]] == number[kept]).all():
        return group, labels, dates[first]
    return _split(ledger, group, number, labels, dates)


def _split(
    ledger: Ledger, group: Index, number: Index, labels: tuple[Hashable, ...], dates: Dates
) -> tuple[Index, tuple[Hashable, ...], Dates]:
    anew, old, date = number_both(ledger.kept, group, number)
    several = np.bincount(old, minlength=len(labels)) > 1
    ledger.note(
        Sentence(
            "{labels} with several dates: each date is a contest of its own",
            labels=count(int(several.sum()), "contest label"),
        )
    )
    dated = dates[date]
    days = write_dates(dated)
    texts = tuple(
        f"{labels[k]} ({day})" if several[k] else labels[k]
        for k, day in zip(old.tolist(), days, strict=True)
    )
    return anew, texts, dated


def _weight_of_contest(
    loaded: Loaded, ledger: Ledger, group: Index, labels: tuple[Hashable, ...]
) -> Floats:
    weights = parse_weights(loaded, "weight", ledger.kept)
    rows: Offsets = np.flatnonzero(ledger.kept)
    weight = np.ones(len(labels))
    weight[group[rows][::-1]] = weights[rows][::-1]
    differs = rows[weight[group[rows]] != weights[rows]]
    if len(differs):
        row = int(differs[0])
        raise loaded.place.error(
            row,
            f"contest {shorten(labels[group[row]])} has two weights, {weight[group[row]]:g} and"
            f" {weights[row]:g}; give all its rows the same",
        )
    return weight
