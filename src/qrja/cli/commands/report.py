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
from qrja.errors import InputError
from qrja.speech import Sentence

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
    by: options.By = None,
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
    from qrja.report import check_brand, check_ending, write_report

    check_ending(out)
    check_brand(language, logo, link)
    names = [] if start_list is None else parse_names(start_list)
    parts, left_out = _rate(file, by, reading, modelling, backtest, quiet)
    name = Path(file.removeprefix(EMBEDDED)).name if file != "-" else "standard input"
    with bars(quiet) as progress:
        write_report(
            parts.pop("ratings"),
            out,
            title=title if title is not None else Sentence("Ratings: {name}", name=name),
            source=name,
            checksum=_checksum(file),
            language=language,
            logo=logo,
            link=link,
            start_list=names,
            progress=progress,
            **parts,
            **interval_arguments(sampling),
        )
    wrote(out, quiet)
    if json:
        answer = {"report": str(out), "bytes": out.stat().st_size}
        say_json(answer if by is None else answer | {"by": by, "left_out": left_out})


def _rate(
    file: str,
    by: str | None,
    reading: options.Reading,
    modelling: options.Modelling,
    backtest: bool | None,
    quiet: bool,
) -> tuple[dict[str, Any], dict[str, str]]:
    """Rate the file, or each of its groups; return what a report is made of, and who is in none."""
    from qrja.cli.group_runs import each_group, list_groups

    if by is None:
        return _rate_part(file, reading, modelling, backtest, quiet), {}
    found: dict[str, dict[str, Any]] = {}
    groups = list_groups(file, by, reading)
    left_out = each_group(
        by,
        groups,
        lambda label: found.update(
            {label: _rate_part(file, groups[label], modelling, backtest, quiet)}
        ),
        quiet,
    )
    kinds = ("ratings", "summary", "backtest", "no_backtest")
    return {kind: {label: one.get(kind) for label, one in found.items()} for kind in kinds}, {
        label: str(error) for label, error in left_out.items()
    }


def _rate_part(
    file: str,
    reading: options.Reading,
    modelling: options.Modelling,
    backtest: bool | None,
    quiet: bool,
) -> dict[str, Any]:
    from qrja.cli.file_ratings import load_and_fit

    fitted = load_and_fit(file, reading, modelling, quiet)
    compared = _compare(fitted.ratings, file, backtest, quiet)
    return {"ratings": fitted.ratings, "summary": fitted.summary, **compared}


def _compare(ratings: Ratings, file: str, wanted: bool | None, quiet: bool) -> dict[str, Any]:
    """Back-test the fast rankers, or say why not."""
    from qrja.cli.ranker_trials import is_little, try_rankers

    if wanted:
        return {"backtest": try_rankers(ratings.data, file, quiet).to_dict()}
    if wanted is None and is_little(ratings.data):
        try:
            return {"backtest": try_rankers(ratings.data, file, quiet).to_dict()}
        except InputError:  # too little to predict anything from: nobody asked for it
            return {}
    said = "No back-test was made: qrja report --backtest makes one."
    if wanted is None:
        said = "No back-test was made, for it would take long: qrja report --backtest makes one."
    return {"no_backtest": Sentence(said)}


def _checksum(file: str) -> str | None:
    """Return the sha256 of a file; stdin is gone once read, and embedded sets have their own."""
    from hashlib import sha256

    path = Path(file)
    return sha256(path.read_bytes()).hexdigest() if path.is_file() else None
