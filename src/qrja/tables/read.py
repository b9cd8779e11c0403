"""Read a table: open the source, find the columns, load them, and turn rows into a problem."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from inspect import signature
from typing import Any

from qrja.data import Contests, Judgments, Pairs
from qrja.display import block, listing, tag
from qrja.errors import InputError, QRJAWarning, nearest
from qrja.plurals import count
from qrja.speech import Sentence
from qrja.tables.header_nouns import find_counted, find_nouns
from qrja.tables.reader_options import Duplicates, Options, check_options, check_words
from qrja.tables.roles import ROLES, Shape
from qrja.tables.shapes import (
    ChosenColumns,
    Ledger,
    SeveralColumnsError,
    choose_columns,
    choose_wide,
    covariate_roles,
    find_covariates,
    read_entries,
    read_judged,
    read_matches,
    recognise_wide,
)
from qrja.tables.sources import FILE, Dealt, Loaded, Source, open_source, stripped
from qrja.tables.steps import (
    condition_columns,
    join_columns,
    parse_condition,
    pick_rows,
    read_aliases,
    rename,
    unpivot,
)
from qrja.tables.summary import LeftOut, Summary
from qrja.tables.values import Units, tell_lookalikes, write_grades
from qrja.terms import IF_ANY


@dataclass(frozen=True)
class Table:
    """A table that was read.

    Parameters
    ----------
    problem : Contests or Judgments
        The data, bigger is better.
    units : Units
        What the scores were written in.
    summary : Summary
        What became of every row.
    unnamed : bool
        Whether the contests have no names of their own, as matches without a date: they are then
        called by their place in the table.
    grades : dict
        What each verdict counts, if the judgments are in words.
    reading : dict
        The options of :func:`read_table` that it was read by, where they are not the defaults: what
        is added later is read in the same way.
    """

    problem: Contests | Judgments
    units: Units
    summary: Summary
    unnamed: bool = False
    grades: dict[str, float] = field(default_factory=dict, hash=False)
    reading: dict[str, Any] = field(default_factory=dict, hash=False)

    @property
    def wide(self) -> bool:
        """Whether contests and contestants are its rows and columns, or the other way round."""
        return self.summary.counted == "cell" and not self.problem.directed

    def __repr__(self) -> str:
        told = f"{self.summary.used:,} of {count(self.summary.rows, 'row')}"
        return f"Table({self.problem!r}, units={self.units.kind}, {told})"

    def _repr_html_(self) -> str:
        return block(tag("b", repr(self.problem)), listing(self.summary.lines()))


_Reader = Callable[[Loaded, Options, Ledger], tuple[Contests | Judgments, Units]]
_READERS: dict[Shape, _Reader] = {
    "entries": read_entries,
    "matches": read_matches,
    "judgments": read_judged,
}


_TEXTS = ("where", "wide", "sheet", "delimiter", "encoding")
"""Options besides columns that are texts."""


def read_table(
    source: Any,
    *,
    contest: str | None = None,
    contestant: str | None = None,
    score: str | None = None,
    date: str | None = None,
    weight: str | None = None,
    a: str | None = None,
    b: str | None = None,
    y: str | None = None,
    w: str | None = None,
    ratio: str | None = None,
    judge: str | None = None,
    se: str | None = None,
    study: str | None = None,
    topic: str | None = None,
    home: str | None = None,
    away: str | None = None,
    home_score: str | None = None,
    away_score: str | None = None,
    lower_is_better: bool | None = None,
    dnf: str | None = None,
    left_out: str | None = None,
    on_error: str = "stop",
    duplicates: Duplicates = "auto",
    aliases: str | Mapping[str, str] | None = None,
    pairs: Pairs = "unit",
    scale: str | None = None,
    where: str | None = None,
    wide: str | None = None,
    grades: str | Mapping[str, float] | None = None,
    sheet: str | int | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    covariates: Iterable[str] | None = None,
    remote: bool = False,
) -> Table:
    r"""Read a table of contests, of matches or of judgments, from a file or a data frame.

    Parameters
    ----------
    source : path, list of paths, "-", binary file or data frame
        CSV, TSV, JSON lines or Parquet, also packed by gzip; .xlsx and .ods; ``"-"`` is stdin.
        Several files: a list, a folder, a pattern such as ``"race*.csv"``, or a ZIP archive. Data
        frames of pandas, polars (eager or lazy) and pyarrow.
    contest, contestant, score, date, weight : str, optional
        Columns of a table with one row per entrant; several, ``"event,distance"``, name a contest
        or a contestant together. Columns not given are guessed from the header, and the guess is
        noted; an empty name says that there is no such column.
    home, away, home_score, away_score : str, optional
        Columns of a table with one row per match; ``date`` and ``weight`` go with them.
    a, b, y, w, ratio : str, optional
        Columns of a table with one row per judgment; ``w`` is how much it counts, its importance.
    judge : str, optional
        Who made each judgment, or gave each score: then what each judge said of a contest is a
        contest of its own, and without a column of contests each judge's scores are one.
    se : str, optional
        The standard error of each judgment, which then weighs ``w / se^2``; or of each entrant's
        score, see :meth:`qrja.Contests.with_errors`: the contests become judgments. Several
        columns, ``"stat,syst"``, make one: the root of the sum of their squares.
    study : str, optional
        Of judgments: those that are contrasts of one study, whose errors hang together.
    topic : str, optional
        Of judgments: what each is about, such as a prompt or a task; ``date`` goes with them, too.
    lower_is_better : bool, optional
        Assumed for times and for columns called so, and not for other numbers.
    dnf : str, optional
        ``"worst+X"``: an entrant without a score gets the worst of the contest, made worse by X.
        By default such rows are left out, as are always those who did not start (DNS).
    left_out : str, optional
        Words among the scores that say there is none, besides those known: ``"Sturz,o.W."``.
    on_error : {"stop", "skip"}
        What to do with a score that cannot be read, or a name that is missing: refuse the table, or
        leave the row out.
    duplicates : {"auto", "best", "first", "last", "mean", "error"}
        Which row counts when a contestant is in one contest more than once: "auto" is their mean
        where four in five entrants have several, and the best where few do.
    aliases : mapping, path or "alike", optional
        Spellings that stand for another name: a file with a spelling and a name a line; ``"alike"``
        reads names as one that differ by capitals, accents, blanks and the order of words only.
    pairs : {"unit", "mean", "additive"}
        What a pair of a contest weighs, see :class:`qrja.Contests`.
    scale : {"log", "sd", "mad", "range", "rank"}, optional
        Of contests: on what scale scores compare. The logarithm, so that ratings are in percent; or
        divided by the standard deviation, the median absolute deviation or the range of their
        contest; or the share of the field beaten.
    where : str, optional
        Which rows to read, ``"category = 'F' and km >= 10"``: columns compared by =, !=, <, <=, >,
        >=, in (...) and is empty, joined by and, or, not and parentheses.
    wide : {"contestants", "contests", "ratios", "margins"}, optional
        What the columns of a wide table are, or the cells of a square one; recognised if not given,
        where names tell it. The ``score`` then names the columns to read, ``"A,B,C"``, if not all.
        An empty text says that the table is not wide.
    grades : str or mapping, optional
        What verdicts such as ``A>>B`` count, ``"A>>B=3,A>B=1"``; unless given, in equal steps.
        With ``"fitted"`` :func:`qrja.fit` fits them to the data.
    sheet : str or int, optional
        Which sheet of a spreadsheet: its name, or its number from 1.
    delimiter, encoding : str, optional
        Of a CSV file; recognised if not given.
    covariates : list of str, optional
        Further columns to keep for :func:`qrja.fit`: numbers, or levels; ``"home"`` is the home
        side of a match, a column ``neutral`` being recognised. Of matches and judgments a column
        may be there for each side, ``home_rest`` and ``away_rest`` for ``"rest"``. ``"home?"`` is
        the home side if the table has one: for :func:`qrja.backtest`.
    remote : bool
        Whether Parquet may be fetched from ``https://``, ``s3://`` and the like, by DuckDB's
        extension httpfs. Nothing else makes qrja use a network.

    Returns
    -------
    Table

    Raises
    ------
    InputError
        For every mistake in the table, with place, value and remedy.

    Examples
    --------
    >>> import io
    >>> races = b"race,runner,time\nBoston,Alice,4:00:00\nBoston,Bob,4:11:00\nBoston,Cid,DNF\n"
    >>> table = read_table(io.BytesIO(races))
    >>> table.problem
    Contests(contests=1, n=2, entries=2, m=1)
    >>> table.units.show(660)
    '+11:00'
    >>> print(*table.summary.lines(), sep="\n")
    read 3 rows, used 2
    left out 1 row: DNF (line 4)
    guessed from the header: contest is 'race', contestant is 'runner', score is 'time'
    the scores are times: lower is taken to be better
    """
    said = locals().copy()  # every option by its name, as long as there is nothing else
    del said["source"]
    return _read(source, said)


def _is_allowed(remote: object) -> bool:
    if not isinstance(remote, bool):
        raise InputError(f"remote is {remote!r}; give True or False")
    return remote


def read_results(source: Any, **options: Any) -> Table:
    r"""Read results that join others, as :func:`read_table`: a contest may have a single entrant.

    Others of the same contest may be there already, or come later.

    Examples
    --------
    >>> import io
    >>> read_results(io.BytesIO(b"race,runner,time\nBoston,Cid,4:20:00\n")).problem
    Contests(contests=1, n=1, entries=1, m=0)
    """
    check_reading(options)
    usual = signature(read_table).parameters.values()
    said = {one.name: one.default for one in usual if one.name != "source"}
    return _read(source, said | options, alone=True)


def _read(source: Any, said: dict[str, Any], *, alone: bool = False) -> Table:
    """Read a table by all options of :func:`read_table`."""
    sheet = said["sheet"]
    said["sheet"] = str(sheet) if isinstance(sheet, int) else sheet
    rules = ("lower_is_better", "dnf", "duplicates", "pairs", "grades", "scale")
    options = replace(check_options(*(said[name] for name in rules)), alone=alone)
    if isinstance(options.grades, Mapping):
        said["grades"] = write_grades(options.grades)
    given = {role: name for role, name in said.items() if role in ROLES and name is not None}
    for what, text in {**given, **{name: said[name] for name in _TEXTS}}.items():
        if text is not None and not isinstance(text, str):
            raise InputError(f"{what} is {text!r}; give a text")
    words, meant = check_words(said["left_out"], said["on_error"]), read_aliases(said["aliases"])
    said["aliases"] = dict(meant) if isinstance(meant, Mapping) else meant
    remote = _is_allowed(said.pop("remote"))  # asked for once: not kept for updates
    opening = said["delimiter"], said["encoding"], said["sheet"]
    with open_source(source, *opening, remote) as opened:
        try:
            chosen = _choose(opened, given, said["wide"])
        except InputError as error:
            raise opened.place.of_table(str(error)) from None
        options = replace(
            options,
            low_column=chosen.low_column(),
            names_winner=chosen.names_winner(),
            season=chosen.season(opened.columns),
            guessed=frozenset(chosen.guessed),
        )
        if said["covariates"] is not None:
            options = _with_covariates(opened, chosen, options, said)
        loaded, apart = _load(opened, chosen, said["where"], covariate_roles(options.covariates))
        loaded = replace(loaded, left_out=words, skips=said["on_error"] == "skip")
        loaded, renamed = rename(loaded, meant)
        nouns, part = find_nouns(chosen), isinstance(source, Dealt)
        ledger = Ledger(loaded.place, loaded.rows, apart=apart, part=part, nouns=nouns)
        spoken_for = {name for columns in options.covariates.values() for name in columns}
        others = tuple(name for name in opened.columns if name not in spoken_for)
        ledger.note(*loaded.notes, *chosen.notes(others, nouns), *renamed)
        if not loaded.rows:
            raise opened.place.of_table("the table has no rows; write one for each result")
        if options.scale is not None and chosen.shape != "entries":
            raise InputError("scale is for contests of several entrants, and this table has pairs")
        problem, units = _READERS[chosen.shape](loaded, options, ledger)
        units = replace(units, word=find_counted(chosen))
        nouns = nouns.as_judged() if problem.directed else nouns
        if nouns != problem.nouns:
            problem = problem.with_nouns(nouns)
        unnamed = chosen.shape == "matches" and getattr(problem, "date", None) is None
        # Of dealt rows, whoever dealt them looks at all names together.
        if not isinstance(source, Dealt) and (alike := tell_lookalikes(problem.names)):
            ledger.note(alike)
        graded = dict(ledger.grades)
        return Table(problem, units, ledger.summary(), unnamed, graded, _not_as_usual(said))


def _choose(source: Source, given: dict[str, str], wide: str | None) -> ChosenColumns:
    """Give the columns their roles: of a long table if they fit one, else of a wide one."""
    if wide:
        return choose_wide(source, given, wide)
    try:
        return choose_columns(source.columns, given)
    except SeveralColumnsError:
        raise
    except InputError:
        if FILE in source.columns and not given.get("contest"):
            with suppress(InputError):
                return choose_columns(source.columns, given | {"contest": FILE}, ("contest",))
        recognised = recognise_wide(source, given) if wide is None else None
        if recognised is None:
            raise
        return recognised


def _with_covariates(
    source: Source, chosen: ChosenColumns, options: Options, said: dict[str, Any]
) -> Options:
    """Find the columns of covariates."""
    asked = said["covariates"]
    said["covariates"] = [asked] if isinstance(asked, str) else list(asked)
    if chosen.spread and said["covariates"] != [IF_ANY]:
        raise source.place.of_table(
            "covariates are columns of their own, and this table is wide; write a row per entrant"
        )
    try:
        found = find_covariates(
            source.columns,
            chosen.shape,
            said["covariates"],
            chosen.first_won(),
            lambda column, words: _holds(source, column, words),
        )
    except InputError as error:
        raise source.place.of_table(str(error)) from None
    return replace(options, covariates=found)


def _holds(source: Source, column: str, words: Collection[str]) -> bool:
    """Tell whether a column holds some words and nothing else, more than one of them."""
    text = f"lower(coalesce({stripped('cell::VARCHAR')}, ''))"
    rows = source.load({"cell": column}).database.execute(f"SELECT DISTINCT {text} FROM loaded")
    found = {str(text).removesuffix(".0") for (text,) in rows.fetchmany(len(words) + 1)}
    return found <= set(words) and len(found) > 1


def _load(
    source: Source, chosen: ChosenColumns, where: str | None, more: dict[str, str]
) -> tuple[Loaded, list[LeftOut]]:
    """Load the columns of a long table, of the rows that are wanted; tell which are not."""
    condition = parse_condition(where) if where else None
    looked_at = {} if condition is None else condition_columns(condition, source.columns)
    loaded = join_columns(source.load(chosen.column | looked_at | more))
    if chosen.spread:
        loaded = unpivot(loaded, chosen.column, chosen.spread)
    if condition is None:
        return loaded, []
    picked, gone = pick_rows(loaded, condition, looked_at)
    if not len(gone):
        return picked, []
    return picked, [
        LeftOut(
            Sentence("not {where}", where=str(where)), loaded.place.numbers(gone.tolist()), True
        )
    ]


def _not_as_usual(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options that are not at their defaults."""
    usual = signature(read_table).parameters
    return {name: value for name, value in options.items() if value != usual[name].default}


def read_contests(source: Any, **options: Any) -> Contests:
    r"""Read a table of contests; as :func:`read_table`, with warnings issued.

    Examples
    --------
    >>> import io
    >>> read_contests(io.BytesIO(b"race,runner,time\nBoston,Ann,4:00:00\nBoston,Bob,4:11:00\n"))
    Contests(contests=1, n=2, entries=2, m=1)
    """
    problem = _read_and_warn(source, options)
    if not isinstance(problem, Contests):
        raise InputError("the table holds judgments, not contests; use read_judgments")
    return problem


def read_judgments(source: Any, **options: Any) -> Judgments:
    r"""Read a table of judgments; as :func:`read_table`, with warnings issued.

    Examples
    --------
    >>> import io
    >>> read_judgments(io.BytesIO(b"a,b,y\ngas,trash,3\ngas,noise,1\n"))
    Judgments(n=3, m=2)
    """
    problem = _read_and_warn(source, options)
    if not isinstance(problem, Judgments):
        raise InputError("the table holds contests, not judgments; use read_contests")
    return problem


def _read_and_warn(source: Any, options: dict[str, Any]) -> Contests | Judgments:
    check_reading(options)
    table = read_table(source, **options)
    for warning in table.summary.warnings:
        warnings.warn(warning, QRJAWarning, stacklevel=3)
    return table.problem


def check_reading(options: Iterable[str], others: Iterable[str] = ()) -> None:
    """Check names of options that are passed on to :func:`read_table`; ``others`` may be meant.

    Examples
    --------
    >>> check_reading(["contest", "contestent"])
    Traceback (most recent call last):
    qrja.errors.InputError: there is no option 'contestent'; did you mean 'contestant'?
    """
    known = set(signature(read_table).parameters) - {"source"}
    for name in options:
        if name not in known:
            raise InputError(
                f"there is no option {name!r}{nearest(name, sorted({*known, *others}))}"
            )
