"""What a board says of strengths that move: how fast, and who broke with the past."""

from __future__ import annotations

from typing import Any

from qrja.ratings.fitted import Fit
from qrja.ratings.form.breaks import find_breaks
from qrja.speech import Count, Numeral, Sentence

TOLD = 5
"""Breaks that a board names."""


def say_form(fit: Fit) -> list[Sentence]:
    """Say how fast strengths move, and which of them broke; nothing where they stay.

    Examples
    --------
    >>> import qrja
    >>> made = qrja.datasets.synthetic_races(races=40, entrants=6, field=4, turnover=0)
    >>> for line in say_form(qrja.fit(made.contests, drift="0.1 per contest")):
    ...     print(line)
    strengths move by 0.100 a contest; ratings are those of the latest period
    """
    paths = fit.solution.moved
    if paths is None or fit.model.drift is None:
        return []
    if not paths.tau:
        return [Sentence("strengths were not seen to move; ratings are those of all results")]
    amount = Numeral(fit.units.show(paths.tau).removeprefix("+"))
    template = (
        "strengths move by {amount} a year, as learned; ratings are those of the latest period"
        if paths.learned and paths.unit == "year"
        else "strengths move by {amount} a contest, as learned; ratings are those of the latest"
        " period"
        if paths.learned
        else "strengths move by {amount} a year; ratings are those of the latest period"
        if paths.unit == "year"
        else "strengths move by {amount} a contest; ratings are those of the latest period"
    )
    found = find_breaks(fit)
    told = [Sentence(template, amount=amount), *(one.say(fit) for one in found[:TOLD])]
    if len(found) > TOLD:
        told.append(Sentence("... and {many} more", many=Count(len(found) - TOLD, "break")))
    return told


def describe_form(fit: Fit) -> dict[str, Any] | None:
    """Give the same for JSON."""
    paths = fit.solution.moved
    if paths is None or fit.model.drift is None:
        return None
    return {
        "tau": paths.tau,
        "per": paths.unit,
        "learned": paths.learned,
        "noise": paths.noise,
        "periods": len(paths.periods),
        "breaks": [one.to_dict() for one in find_breaks(fit)],
    }
