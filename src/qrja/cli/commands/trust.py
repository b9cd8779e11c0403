"""``qrja trust``: what the ratings of a file rest on."""

from __future__ import annotations

from qrja.cli import options
from qrja.cli.output import working


@options.expand
def trust(
    file: options.File,
    reading: options.Reading,
    modelling: options.Modelling,
    json: options.Json = False,
    out: options.AnswerOut = None,
    quiet: options.Quiet = False,
) -> None:
    """Check what ratings of FILE rest on: a verdict, then one finding a line.

    Marks: + good, - worth knowing, ! a warning. Below a finding is what to do about it.

    \b
    Examples:
      qrja trust races.csv
      qrja trust dataset:football --json
    """
    from qrja.cli.answer_forms import give
    from qrja.cli.file_ratings import load_and_fit

    ratings = load_and_fit(file, reading, modelling, quiet).ratings
    with working("checking", quiet):
        report = ratings.trust()
    rows = [
        {
            "kind": finding.kind,
            "level": finding.level,
            "number": finding.number,
            "sentence": finding.sentence,
            "suggestion": finding.suggestion,
        }
        for finding in report.findings
    ]
    give(report, rows, json, out, quiet)
