"""One row per judgment: (a, b, y) and perhaps w; or (a, b, ratio), with y = log(ratio).

``y`` says by how much a is better than b; ``ratio`` how many units of b one unit of a is worth.
A judgment with a standard error weighs ``w / se^2``; that of a ratio is one of its logarithm.
Dated judgments are put in time order. A date or a topic that was only guessed is left alone where
its cells are none.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping

import numpy as np

from qrja.data import Dates, Floats, Index, Judgments, Offsets
from qrja.errors import InputError
from qrja.plurals import count
from qrja.speech import Sentence
from qrja.tables.reader_options import Options
from qrja.tables.shapes.covariate_columns import read_covariates
from qrja.tables.shapes.gaps import check_named
from qrja.tables.shapes.ledger import Ledger
from qrja.tables.sources import Loaded
from qrja.tables.values import (
    Kind,
    Scores,
    Units,
    number_names,
    parse_dates,
    parse_errors,
    parse_scores,
    parse_verdicts,
    parse_weights,
    units_of,
)


def read_judged(loaded: Loaded, options: Options, ledger: Ledger) -> tuple[Judgments, Units]:
    """Turn every row of a loaded table into a judgment."""
    if options.dnf is not None:
        raise InputError("dnf is a rule for contests, and this is a table of judgments")
    (a, b), names = number_names(loaded, ("a", "b"))
    role = "ratio" if "ratio" in loaded.types else "y"
    judged = _read_margins(loaded, options, ledger, role, (a, b), names)
    empty = np.flatnonzero((a < 0) & (b < 0) & np.isnan(judged.values))
    ledger.leave_out(empty, Sentence("empty row"))
    check_named(loaded, ledger, a=a, b=b)
    ledger.leave_out(np.flatnonzero(a == b), Sentence("judged against itself"))
    ledger.note(*judged.notes)
    for reason, rows in judged.missing.items():
        ledger.leave_out(rows, reason)
    ledger.check_any(role)
    y = _logarithms(loaded, ledger, judged) if role == "ratio" else judged.values
    lower = bool(options.lower_is_better)
    w = np.ones(loaded.rows)
    if "w" in loaded.types:
        w = parse_weights(loaded, "w", ledger.kept)
    rows = np.flatnonzero(ledger.kept)
    dates = _read_dates(loaded, options, ledger)
    if dates is not None:
        rows = rows[np.argsort(dates[rows], kind="stable")]
    both, used = _renumber(np.stack([a[rows], b[rows]], axis=1).ravel(), names)
    signed = (-y[rows] if lower else y[rows]) + 0.0
    kind: Kind = "ratio" if role == "ratio" else judged.kind
    judge, judges = _read_labels(loaded, ledger, rows, "judge")
    topic, topics = _read_labels(loaded, ledger, rows, "topic", "topic" in options.guessed)
    plain = Judgments(
        *(both[::2], both[1::2], signed, w[rows], used, judge, judges),
        date=None if dates is None else dates[rows],
        topic=topic,
        topics=topics,
        covariates=read_covariates(loaded, ledger, rows, options.covariates, "judgments"),
    )
    problem = _read_precision(loaded, ledger, rows, plain)
    return problem, units_of(kind, lower, problem)


def _read_margins(
    loaded: Loaded,
    options: Options,
    ledger: Ledger,
    role: str,
    sides: tuple[Index, Index],
    names: tuple[Hashable, ...],
) -> Scores:
    """Read by how much a is better: a number, a verdict in words, or 1 where nothing says it."""
    if role not in loaded.types:
        ledger.note(Sentence("no margins: every row counts 1 for the winner"))
        return Scores(np.ones(loaded.rows), "number")
    worded = loaded.types[role] == "VARCHAR" or options.names_winner
    if role == "y" and (worded or isinstance(options.grades, Mapping)):
        verdicts = parse_verdicts(loaded, *sides, names, options.grades, options.names_winner)
        if verdicts is not None:
            ledger.grades = verdicts.grades
            return Scores(
                verdicts.values, "number", verdicts.missing, (verdicts.note(options.grades),)
            )
    if options.grades is not None:
        raise InputError("grades are for verdicts in words, and these margins are numbers")
    return parse_scores(loaded, role, role)


def _read_precision(loaded: Loaded, ledger: Ledger, rows: Offsets, plain: Judgments) -> Judgments:
    """Weigh judgments by their standard errors and as parts of studies, where there are any."""
    se = parse_errors(loaded, ledger.kept)[rows] if "se" in loaded.types else None
    study, studies = _read_labels(loaded, ledger, rows, "study")
    try:
        problem = plain.with_errors(se, study, studies)
    except InputError as error:
        raise loaded.place.of_table(str(error)) from None
    if problem.m > plain.m:
        added = problem.m - plain.m
        ledger.note(
            Sentence(
                "added {added} that studies left out: margins and errors follow from the others,"
                " the arms of a study taken as equally precise where nothing says otherwise",
                added=count(added, "contrast"),
            )
        )
    return problem


def _read_dates(loaded: Loaded, options: Options, ledger: Ledger) -> Dates | None:
    """Read when each judgment was made, if there is a column of dates."""
    if "date" not in loaded.types:
        return None
    try:
        number, dates = parse_dates(loaded)
        undated = ledger.kept & (number < 0)
        if undated[ledger.kept].all():
            ledger.note("the date column is empty: judgments have no order in time")
            return None
        if undated.any():
            raise loaded.place.error(int(undated.argmax()), "no date; date every row or none")
    except InputError as error:
        if "date" not in options.guessed:
            raise
        ledger.note(f"the dates are not used: {error}")
        return None
    return dates[number]


def _read_labels(
    loaded: Loaded, ledger: Ledger, rows: Offsets, role: str, guessed: bool = False
) -> tuple[Index | None, tuple[Hashable, ...]]:
    """Give judges, studies or topics numbers, if there is a column of them."""
    if role not in loaded.types:
        return None, ()
    (of,), names = number_names(loaded, (role,))
    missing = ledger.kept & (of < 0)
    if missing[rows].all():
        return None, ()
    if missing.any() and guessed:
        ledger.note(f"the {role} is not used: some rows have none")
        return None, ()
    if missing.any():
        raise loaded.place.error(int(missing.argmax()), f"no {role}; name one in every row or none")
    return _renumber(of[rows], names)


def _logarithms(loaded: Loaded, ledger: Ledger, ratio: Scores) -> Floats:
    bad = ledger.kept & ~(ratio.values > 0)
    if loaded.skips and ratio.kind != "time":
        ledger.leave_out(np.flatnonzero(bad), Sentence("the ratio is not positive"))
        ledger.check_any("ratio")
    elif ratio.kind == "time" or bad.any():
        row = int(bad.argmax())
        raise loaded.place.error(
            row, f"the ratio is {loaded.text('ratio', row)}; give a positive number"
        )
    return np.log(np.where(ledger.kept, ratio.values, 1.0))  # 0 may stand where a row is left out


def _renumber(mentions: Index, names: tuple[Hashable, ...]) -> tuple[Index, tuple[Hashable, ...]]:
    """Renumber the names that are mentioned, in order; those of rows left out disappear."""
    first = np.full(len(names), len(mentions), dtype=np.int64)
    np.minimum.at(first, mentions, np.arange(len(mentions)))
    order = np.argsort(first, kind="stable")[: int((first < len(mentions)).sum())]
    number = np.empty(len(names), dtype=np.int32)
    number[order] = np.arange(len(order), dtype=np.int32)
    return number[mentions], tuple(names[k] for k in order.tolist())
