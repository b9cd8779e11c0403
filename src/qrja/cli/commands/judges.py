"""``qrja judges``: who judged, how severely, how widely and how noisily."""

from __future__ import annotations

from dataclasses import asdict

from qrja.cli import options
from qrja.cli.output import say_table, say_text, working

SURPRISE = "most surprising"
"""The last column, which is long."""


@options.expand
def judges(
    file: options.File,
    reading: options.Reading,
    modelling: options.Modelling,
    seed: options.Seed = 0,
    json: options.Json = False,
    out: options.AnswerOut = None,
    quiet: options.Quiet = False,
) -> None:
    """Look at the judges of FILE: severity, spread, noise, agreement, and the panel's reliability.

    Each judge is held to the ratings by the others. Severity: lower scores than theirs, the
    contestants allowed for. Spread: above 1, wider scores. Noise: what is left. Side: favour for
    the contestant named first. Nothing is applied to ratings.

    \b
    Examples:
      qrja judges wines.csv --contestant wine
      qrja judges wines.csv --contestant wine --out judges.csv
    """
    from qrja.cli.answer_forms import give
    from qrja.cli.file_ratings import load_and_fit

    ratings = load_and_fit(file, reading, modelling, quiet).ratings
    with working("comparing judges", quiet):
        panel = ratings.judges(seed=seed)
    if json or out is not None:
        give(panel, [asdict(line) for line in panel.lines], json, out, quiet)
        return
    say_text(f"{panel.sentence}\n")
    _print(*panel.lay_out())


def _print(header: list[str], rows: list[list[str]]) -> None:
    """Print the judges; what surprises most below the table, where it does not fit beside it."""
    from qrja.cli.output import fits

    left = ("judge", SURPRISE)
    if header[-1] != SURPRISE or fits(header, rows, left):
        say_table(header, rows, left=left)
        return
    say_table(header[:-1], [row[:-1] for row in rows], left=left)
    told = [f"  {row[0]}: {row[-1]}" for row in rows if row[-1]]
    say_text("\n".join(["", f"{SURPRISE}:", *told]))
