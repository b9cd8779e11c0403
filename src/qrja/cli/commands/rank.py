"""``qrja rank``: a leaderboard from a file."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from qrja.cli import options
from qrja.cli.error_kinds import interval_arguments, tell_errors
from qrja.cli.output import bars, note, say, say_json, say_table, wrote
from qrja.errors import InputError
from qrja.plurals import count
from qrja.speech import plural

if TYPE_CHECKING:
    from qrja.ratings import Ratings, Wording
    from qrja.ratings.board import Line, Standings
    from qrja.ratings.members import MemberLine

SHOWN = 5
"""Leaderboards shown on a screen; a file or JSON holds all of them."""
SHOWN_MEMBERS = 10
"""Members of a part that are shown, unless --top says how many."""
TOLD_FROM = 20
"""Contests that it takes to compare losses; of fewer the back-tests need not even be loaded."""
LOOKED_AT = 20_000
"""Contests up to which their scales are compared: some hundredths of a second."""

WithIntervals = Annotated[
    bool,
    typer.Option("--intervals/--no-intervals", help="How far ratings may be from the truth."),
]
Columns = Annotated[
    str | None,
    typer.Option(
        metavar="A,B,...", help="Columns of --out, in this order. A wrong name lists them all."
    ),
]
MinContests = Annotated[
    int,
    typer.Option(min=0, metavar="N", help="Who has fewer contests is shown apart, without a rank."),
]
Save = Annotated[
    Path | None,
    typer.Option(
        metavar="NAME.qrja", help="Save the ratings, for qrja update and as FILE of any command."
    ),
]
Against = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Differences from NAME with their standard errors, instead of the board; '*': all.",
    ),
]
EngineName = Annotated[
    str | None,
    typer.Option(
        "--engine",
        metavar="NAME",
        help="Read Parquet that does not fit in memory in passes: local, or spark.",
    ),
]
Master = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        help="With --engine spark: the cluster (spark://host:7077, yarn, sc://host:15002).",
    ),
]
Staging = Annotated[
    Path | None,
    typer.Option(metavar="FOLDER", help="With --engine: keep the shards there for the next time."),
]
Resume = Annotated[
    bool, typer.Option("--resume", help="Go on from where a run with this --staging was stopped.")
]
Tolerance = Annotated[
    float | None, typer.Option(metavar="GAP", help="With --engine: the relative gap to reach.")
]
Sample = Annotated[
    int | None,
    typer.Option(
        min=1, metavar="M", help="With --engine: rate M drawn judgments, proved over all (p 1, 2)."
    ),
]
SampleBy = Annotated[
    str | None,
    typer.Option(metavar="HOW", help="How --sample draws: lewis (by importance) or uniform."),
]


@options.expand
def rank(
    file: options.File,
    reading: options.Reading,
    modelling: options.Modelling,
    sampling: options.Sampling,
    intervals: WithIntervals = True,
    against: Against = None,
    top: options.Top = None,
    min_contests: MinContests = 0,
    save: Save = None,
    json: options.Json = False,
    out: options.Out = None,
    columns: Columns = None,
    raw: options.Raw = False,
    engine: EngineName = None,
    master: Master = None,
    staging: Staging = None,
    resume: Resume = False,
    tol: Tolerance = None,
    sample: Sample = None,
    sample_by: SampleBy = None,
    quiet: options.Quiet = False,
) -> None:
    """Print a leaderboard: rank, contestant, rating, and how sure that is.

    Ratings are in the units of the scores; the average contestant has 0. The true rating is
    between low and high with a probability of 95 % (see --level), the true rank within ranks.
    With --against, differences from one contestant, with the standard errors of the model.

    \b
    Examples:
      qrja rank races.csv
      qrja rank dataset:football --top 5 --half-life "365 days" --out board.html
      qrja rank races.csv --p 1 --save league.qrja
      qrja rank races/ --engine local --staging shards/ --p 1
    """
    from qrja.cli.file_ratings import load_and_fit, save_ratings

    board_only = {"--min-contests": min_contests, "--columns": columns, "--raw": raw}
    if against is not None and (beside := [name for name, given in board_only.items() if given]):
        raise InputError(
            f"--against prints differences, without {beside[0]}; leave one of them out"
        )
    far: dict[str, Any] = {"staging": staging, "resume": resume or None, "tol": tol}
    far |= {"sample": sample, "sample_by": sample_by}
    if master is not None and engine != "spark":
        raise InputError("--master goes with --engine spark")
    if engine is not None:
        from qrja.cli.file_ratings import fit_in_passes

        fitted = fit_in_passes(file, engine, master, reading, modelling, far, quiet)
        # Contests read anew for intervals take longer than the ratings: only if asked for.
        intervals = intervals and sampling.resamples is not None
    elif asked := [name for name, value in far.items() if value is not None]:
        option = asked[0].replace("_", "-")
        raise InputError(f"--{option} goes with --engine local or spark")
    else:
        fitted = load_and_fit(file, reading, modelling, quiet)
    if save is not None:
        save_ratings(fitted.ratings, save, quiet)
    if against is not None:
        give_differences(fitted.ratings, against, sampling, top, json, out, quiet)
        return
    standings = tabulate(fitted.ratings, sampling if intervals else None, quiet, min_contests)
    if fitted.summary is not None and engine is None and not quiet:
        advise(fitted.ratings, reading, modelling)
    if out is not None:
        from qrja.cli.name_lists import parse_names
        from qrja.ratings.board import write_board

        chosen = None if columns is None else parse_names(columns)
        write_board(standings, out, chosen, top=top, raw=raw)
        wrote(out, quiet)
    if json:
        summary = None if fitted.summary is None else fitted.summary.to_dict()
        say_json(fitted.to_dict() | standings.to_dict(top) | {"summary": summary})
    elif out is None:
        print_boards(standings, top, quiet)


def advise(ratings: Ratings, reading: options.Reading, modelling: options.Modelling) -> None:
    """Name the option that would rate better, where that is soon seen and none was asked for."""
    from qrja.cli.file_ratings import given

    if reading.scale is None and len(ratings.problem) <= LOOKED_AT:
        from qrja.ratings.trust import advise_scale

        if told := advise_scale(ratings):
            note(f"hint: {told}", False)
            return
    if not given(modelling) and len(ratings.data) >= TOLD_FROM:
        from qrja.backtesting import try_quickly

        found = try_quickly(ratings.data, ratings.solution.x)
        if found is not None and found.advice:
            note(f"hint: {found.sentence} {found.advice}", False)


def give_differences(
    ratings: Ratings,
    against: str,
    sampling: options.Sampling,
    top: int | None,
    json: bool,
    out: Path | None,
    quiet: bool,
) -> None:
    """Print or write differences of ratings, each with its standard error."""
    from qrja.ratings import number_in
    from qrja.tables import write_table

    names = ratings.problem.names
    one = None if against == "*" else names[number_in(ratings.problem, against)]
    asked = interval_arguments(sampling)
    if asked.get("method", "model") != "model":
        raise InputError(
            f"--errors is {sampling.errors!r}, and differences have the errors of the model; choose"
            " known or scaled"
        )
    columns = ratings.differences(
        one, level=sampling.level, errors=asked.get("errors"), kind="dict"
    )
    columns = {name: values[:top] for name, values in columns.items()}
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    if out is not None:
        write_table(columns, out)
        wrote(out, quiet)
    if json:
        statistics = ratings.statistics().to_dict()
        say_json({"against": one, "differences": rows, "statistics": statistics})
    elif out is None:
        show = ratings.units.show
        cells = [
            [
                *(str(row["a"]), str(row["b"]), show(row["difference"])),
                *(show(row["se"]).removeprefix("+"), show(row["low"]), show(row["high"])),
            ]
            for row in rows
        ]
        say_table(list(columns), cells, left=("a", "b"))


def tabulate(
    ratings: Ratings, sampling: options.Sampling | None, quiet: bool, least: int = 0
) -> Standings:
    """Return the lines of the leaderboard, with intervals where there are some."""
    from qrja.ratings.board import Standings

    asked: dict[str, Any] = {"level": None} if sampling is None else interval_arguments(sampling)
    with bars(quiet) as tell:
        told_of = tell and partial(tell, "resampling")
        columns = ratings.table(kind="dict", min_contests=least, progress=told_of, **asked)
    standings = Standings.of(ratings, columns)
    if sampling is not None and (told := tell_errors(ratings, sampling)):
        note(told, quiet)
    if sampling is not None and standings.lines and not standings.have_intervals:
        note(f"no intervals: {standings.lacking}", quiet)
    if standings.optima is not None and standings.optima.sentence:
        note(standings.optima.sentence, quiet)
    return standings


def print_boards(standings: Standings, top: int | None, quiet: bool) -> None:
    """Print the leaderboard of each group of contestants that compare."""
    boards, single = standings.boards, {id(one[0]) for one in standings.boards if len(one) == 1}
    groups = [one for one in standings.ranked if id(one[0]) not in single]
    if len(boards) > 1:
        note(
            _warn_apart(standings.say, [one for one in boards if len(one) > 1], len(single)), quiet
        )
    for number, one in enumerate(groups[:SHOWN], start=1):
        if len(groups) > 1:
            say(f"Group {number} of {len(groups)}: {count(len(one), standings.say.who)}")
        say_table(*lay_out(standings, one[:top]), left=[standings.say.who])
        if len(one) > len(one[:top]):
            say(f"... and {len(one) - len(one[:top])} more")
        if number < min(len(groups), SHOWN):
            say()
    if len(groups) > SHOWN:
        say(f"... and {len(groups) - SHOWN} more groups; --out FILE or --json holds them all")
    for at, told in enumerate([*standings.terms, *standings.form]):
        say(f"{'' if at else chr(10)}{told}")
    for part, lines in standings.members.items():
        say()
        print_members(standings, part, lines, top)
    if few := [line for line in standings.few if id(line) not in single]:
        say(f"\nNot ranked, with fewer {standings.say.words} than --min-contests asks for:")
        say_table(*lay_out(standings, few[:top]), left=[standings.say.who])
        if len(few) > len(few[:top]):
            say(f"... and {len(few) - len(few[:top])} more")


def print_members(
    standings: Standings, part: str, lines: list[MemberLine], top: int | None
) -> None:
    """Print the board of a part."""
    show, shown = standings.show, lines[: SHOWN_MEMBERS if top is None else top]
    sure = bool(lines) and lines[0].low is not None
    header = ["rank", part, "adds", *(["low", "high"] if sure else []), "entries"]
    rows = [
        [
            *(str(line.rank), str(line.member), show(line.rating)),
            *(show(end) for end in (line.low, line.high) if end is not None),
            str(line.entries),
        ]
        for line in shown
    ]
    say_table(header, rows, left=[part])
    if len(lines) > len(shown):
        say(f"... and {len(lines) - len(shown)} more")


def lay_out(standings: Standings, lines: list[Line]) -> tuple[list[str], list[list[str]]]:
    """Return the header and the rows of some lines of one leaderboard, as texts."""
    from qrja.ratings.board import show_span

    show, sure = standings.show, standings.have_intervals
    stated = sure and "se" in standings.lines[0]
    header = ["rank", standings.say.who, "rating", *(["se"] if stated else [])]
    header += ["low", "high", "ranks"] if sure else []
    rows = []
    for line in lines:
        row = [
            "-" if line["rank"] is None else str(line["rank"]),
            str(line["contestant"]),
            show(line["rating"]),
        ]
        if stated:
            row.append(standings.show_error(line["se"]))
        if sure:
            row += [show(line["low"]), show(line["high"]), show_span(line)]
        rows.append([*row, str(line["contests"])])
    return [*header, standings.say.words], rows


def _warn_apart(words: Wording, groups: list[list[Line]], alone: int) -> str:
    told = []
    if len(groups) > 1:
        who = f"{len(groups)} groups of {plural(words.who)}"
        told.append(f"{who} {words.never_met}, not even through others")
    if alone:
        told.append(f"{words.met_nobody(alone)} and {'is' if alone == 1 else 'are'} not ranked")
    return f"warning: {'; '.join(told)}; ratings compare within a group only"
