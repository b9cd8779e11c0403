"""From a FILE argument to ratings, with the notes that every such command prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qrja.cli.options import Reading
from qrja.cli.output import note, working
from qrja.cli.rank import warn_unproved

if TYPE_CHECKING:
    from qrja.ratings import Ratings


def load_and_fit(file: str, reading: Reading, p: float, quiet: bool) -> Ratings:
    """Read a file, rate its contestants, and note what was assumed on the way."""
    from qrja.cli.source import load
    from qrja.ratings import fit

    with working(f"reading {file}", quiet):
        table = load(file, reading)
    for line in table.summary.lines():
        note(line, quiet)
    with working("rating", quiet):
        ratings = fit(table, p=p)
    if ratings.solution.status != "optimal":
        note(warn_unproved(ratings.solution), quiet)
    return ratings
