"""``qrja report``: everything about a file's ratings in one page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from qrja.cli import options
from qrja.cli.error_kinds import interval_arguments
from qrja.cli.file_kinds import EMBEDDED
from qrja.cli.name_lists import parse_names
from qrja.cli.output import bars, say_json, wrote

if TYPE_CHECKING:
    from qrja.ratings import Ratings

Page = Annotated[
    Path, typer.Option("--out", "-o", metavar="FILE", help="Write the page here, an .html file.")
]
Title = Annotated[str | None, typer.Option(metavar="TEXT", help="The heading of the page.")]
BackTest = Annotated[
    bool | None,
    typer.Option(
        "--backtest/--no-backtest",
        help="Compare methods, too. Done if it takes seconds, unless said otherwise.",
        show_default=False,
    ),
]

Language = Annotated[
    str, typer.Option(metavar="CODE", help="Of the page's own words: en, de, fr or es.")
]
Logo = Annotated[
    Path | None, typer.Option(metavar="PICTURE", help="A picture for the head of the page.")
]
Link = Annotated[str | None, typer.Option(metavar="URL", help="A link for the head of the page.")]
StartList = Annotated[
    str | None,
    typer.Option(metavar="NAMES", help="Who is forecast from the start: 'Alice,Bob', or @FILE."),
]


@options.expand
def report(
    file: options.File,
    reading: options.Reading,
    modelling: options.Modelling,
    sampling: options.Sampling,
    out: Page = Path("report.html"),
    title: Title = None,
    backtest: BackTest = None,
    language: Language = "en",
    logo: Logo = None,
    link: Link = None,
    start_list: StartList = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Write a page with verdict, leaderboard, charts, explanations and a back-test.

    One file that needs no network: open it in a browser, send it by mail, print it.

    \b
    Examples:
      qrja report races.csv -o races.html
      qrja report dataset:football --title Football
      qrja report races.csv --language de --link https://example.org --start-list "Alice,Bob"
    """
    from qrja.cli.file_ratings import load_and_fit
    from qrja.cli.group_runs import tabs_beside
    from qrja.report import check_brand, check_ending, write_report

    check_ending(out)
    check_brand(language, logo, link)
    names = [] if start_list is None else parse_names(start_list)
    fitted = load_and_fit(file, reading, modelling, quiet)
    name = Path(file.removeprefix(EMBEDDED)).name if file != "-" else "standard input"
    compared = _compare(fitted.ratings, file, backtest, quiet)
    with bars(quiet) as progress:
        write_report(
            fitted.ratings,
            out,
            title=title if title is not None else f"Ratings: {name}",
            source=name,
            checksum=_checksum(file),
            summary=fitted.summary,
            language=language,
            logo=logo,
            link=link,
            start_list=names,
            tabs=tabs_beside(out),
            progress=progress,
            **compared,
            **interval_arguments(sampling),
        )
    wrote(out, quiet)
    if json:
        say_json({"report": str(out), "bytes": out.stat().st_size})


def _compare(ratings: Ratings, file: str, wanted: bool | None, quiet: bool) -> dict[str, Any]:
    """Back-test the fast rankers, or say why not."""
    from qrja.cli.ranker_trials import is_little, need_contests, try_rankers
    from qrja.data import Contests

    data = ratings.data
    if wanted:
        data = need_contests(data, file)
    if not isinstance(data, Contests):
        return {}
    if wanted or (wanted is None and is_little(data)):
        return {"backtest": try_rankers(data, file, quiet).to_dict()}
    why = "" if wanted is False else ", for it would take long"
    return {"no_backtest": f"No back-test was made{why}: qrja report --backtest makes one."}


def _checksum(file: str) -> str | None:
    """Return the sha256 of a file; stdin is gone once read, and embedded sets have their own."""
    from hashlib import sha256

    path = Path(file)
    return sha256(path.read_bytes()).hexdigest() if path.is_file() else None
