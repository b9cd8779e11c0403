"""``qrja report``: everything about a file's ratings in one page."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from qrja.cli import options
from qrja.cli.output import say_json, working, wrote

Page = Annotated[
    Path, typer.Option("--out", "-o", metavar="FILE", help="Write the page here, an .html file.")
]
Title = Annotated[str | None, typer.Option(metavar="TEXT", help="The heading of the page.")]


@options.expand
def report(
    file: options.File,
    reading: options.Reading,
    modelling: options.Modelling,
    sampling: options.Sampling,
    out: Page = Path("report.html"),
    title: Title = None,
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
    from qrja.cli.fitted import load_and_fit
    from qrja.cli.source import EMBEDDED
    from qrja.report import write_report
    from qrja.report.making import check_ending

    check_ending(out)
    fitted = load_and_fit(file, reading, modelling, quiet)
    name = Path(file.removeprefix(EMBEDDED)).name if file != "-" else "standard input"
    with working("writing the report", quiet):
        write_report(
            fitted.ratings,
            out,
            title=title if title is not None else f"Ratings: {name}",
            source=name,
            checksum=_checksum(file),
            summary=fitted.summary,
            **asdict(sampling),
        )
    wrote(out, quiet)
    if json:
        say_json({"report": str(out), "bytes": out.stat().st_size})


def _checksum(file: str) -> str | None:
    """Return the sha256 of a file; stdin is gone once read, and embedded sets have their own."""
    from hashlib import sha256

    path = Path(file)
    return sha256(path.read_bytes()).hexdigest() if path.is_file() else None
