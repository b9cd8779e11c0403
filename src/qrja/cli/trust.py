"""``qrja trust``: what the ratings of a file rest on."""

from __future__ import annotations

from qrja.cli import options
from qrja.cli.output import say, say_json, working


@options.expand
def trust(
    file: options.File,
    reading: options.Reading,
    p: options.P = 2.0,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Check what ratings of FILE rest on: a verdict, then one finding a line.

    Marks: + good, - worth knowing, ! a warning. Below a finding is what to do about it.

    \b
    Examples:
      qrja trust races.csv
      qrja trust dataset:football --json
    """
    from qrja.cli.fitted import load_and_fit

    ratings = load_and_fit(file, reading, p, quiet)
    with working("checking", quiet):
        report = ratings.trust()
    if json:
        say_json(report.to_dict())
    else:
        say(report.text())
