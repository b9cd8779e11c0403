"""Scores with standard errors: entrants are compared in pairs, weighed by the errors of both."""

from __future__ import annotations

from qrja.data import Contests, Floats, Judgments
from qrja.errors import InputError
from qrja.plurals import count
from qrja.speech import Sentence
from qrja.tables.shapes.ledger import Ledger


def weigh_by_errors(ledger: Ledger, contests: Contests, se: Floats) -> Judgments:
    """Take contests as judgments of the errors of their entries, and say so."""
    try:
        judged = contests.with_errors(se)
    except InputError as error:
        raise ledger.place.of_table(str(error)) from None
    ledger.note(
        Sentence(
            "scores have standard errors: {contests} taken as {judgments} between entrants, weighed"
            " by the errors of both",
            contests=count(len(contests), "contest"),
            judgments=count(judged.m, "judgment"),
        )
    )
    return judged
