"""``qrja report``: everything about a file's ratings in one page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from qrja.cli import options
from qrja.cli.output import note, say_json, working
from qrja.cli.rank import warn_unproved

Page = Annotated[
    Path, typer.Option("--out", "-o", metavar="FILE", help="Write the page here, an .html file.")
]
Title = Annotated[str | None, typer.Option(metavar="TEXT", help="The heading of the page.")]
Level = Annotated[float, typer.Option(metavar="SHARE", help="Of the intervals, such as 0.95.")]
Resamples = Annotated[int, typer.Option(metavar="N", help="Of the contests, for the intervals.")]
Seed = Annotated[int, typer.Option(metavar="N", help="Of the resampling.")]


@options.expand
def report(
    file: options.File,
    reading: options.Reading,
    out: Page = Path("report.html"),
    p: options.P = 2.0,
    title: Title = None,
    level: Level = 0.95,
    resamples: Resamples = 200,
    seed: Seed = 0,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Write a page with verdict, leaderboard, charts and explanations.

    One file that needs no network: open it in a browser, send it by mail, print it.

    \b
    Examples:
      qrja report races.csv -o races.html
      qrja report dataset:football --title Football
    """
    from qrja.cli.source import EMBEDDED, load
    from qrja.ratings import fit
    from qrja.report import write_report
    from qrja.report.making import check_ending

    check_ending(out)
    with working(f"reading {file}", quiet):
        table = load(file, reading)
    for line in table.summary.lines():
        note(line, quiet)
    with working("rating", quiet):
        ratings = fit(table, p=p)
    if ratings.solution.status != "optimal":
        note(warn_unproved(ratings.solution), quiet)
    name = Path(file.removeprefix(EMBEDDED)).name if file != "-" else "standard input"
    with working("writing the report", quiet):
        write_report(
            ratings,
            out,
            title=title if title is not None else f"Ratings: {name}",
            source=name,
            checksum=_checksum(file),
            summary=table.summary,
            level=level,
            resamples=resamples,
            seed=seed,
        )
    note(f"wrote {out}", quiet)
    if json:
        say_json({"report": str(out), "bytes": out.stat().st_size})


def _checksum(file: str) -> str | None:
    """Return the sha256 of a file; stdin is gone once read, and embedded sets have their own."""
    from hashlib import sha256

    path = Path(file)
    return sha256(path.read_bytes()).hexdigest() if path.is_file() else None
