"""Whether the judges can be relied on: the reliability of the panel, and who is out of line.

See :mod:`qrja.ratings.judges` for what is measured.
"""

from __future__ import annotations

import math

import numpy as np

from qrja.ratings.judges import JudgeLine, JudgePanel, examine_judges
from qrja.ratings.trust.findings import Case, Check, Finding
from qrja.ratings.words import listed, spoken
from qrja.speech import Sentence, joined

FEWEST = 3
"""Judges of whom one can be out of line with the others."""
LOW = 0.7
"""A reliability below which ratings are much the luck of who judged."""
NOISY = 2.5
"""Times the usual noise from which a judge is named."""
FEW = 5
"""Judgments that it takes to speak of a judge."""


def check_judges(case: Case) -> Check:
    """Say how far the panel can be relied on, and which judges are out of line."""
    problem = case.ratings.problem
    if problem.judge is None or len(problem.judges) < FEWEST:
        return
    panel = examine_judges(case.ratings)
    known = [line for line in panel.lines if line.judgments >= FEW]
    told = [*_noisy(known), *_against(case, known)]
    reliability = panel.reliability.split_half
    low = reliability < LOW
    yield Finding(
        "judges",
        "note" if told or low else "good",
        reliability,
        Sentence("the judges agree little") if low else Sentence("judges out of line"),
        joined("", [joined("; ", [panel.reliance, *_severe(case, panel), *told]), "."]),
        Sentence(
            "Look at them with qrja judges; weighing judges by their noise seldom makes ratings"
            " better."
        )
        if told
        else "",
        panel.to_dict(),
    )


def _noisy(lines: list[JudgeLine]) -> list[Sentence]:
    noises = [line.noise for line in lines if line.noise is not None]
    usual = float(np.median(noises)) if noises else 0.0
    found = [str(line.judge) for line in lines if line.noise and line.noise > NOISY * usual > 0]
    said = "{judges} {many:is/are} beyond {noisy:g} times the usual noise"
    return [Sentence(said, judges=listed(found), many=len(found), noisy=NOISY)] if found else []


def _against(case: Case, lines: list[JudgeLine]) -> list[Sentence]:
    found = [str(one.judge) for one in lines if one.agreement is not None and one.agreement < 0]
    said = (
        "{judges} {many:orders/order} the contestants against the others",
        "{judges} {many:orders/order} {candidates} against the others",
    )
    return [case.say.either(*said, judges=listed(found), many=len(found))] if found else []


def _severe(case: Case, panel: JudgePanel) -> list[Sentence]:
    known = [(line.severity, line.judge) for line in panel.lines if line.severity is not None]
    if not known:
        return []
    (least, mild), (most, harsh) = min(known), max(known)
    if case.say.is_nothing(most - least) or math.isnan(most):
        return []
    amount = case.say.amount(most - least)
    said = "{harsh} is more severe than {mild} by {amount}"
    return [Sentence(said, harsh=spoken(harsh), mild=spoken(mild), amount=amount)]
