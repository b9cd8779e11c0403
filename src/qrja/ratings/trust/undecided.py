"""Whether the order of the ratings hangs on a choice among optima (p = 1).

Two that are neighbours on the leaderboard are undecided where ``x_a - x_b`` is positive at one
optimum and negative at another, see :mod:`qrja.solution.optima`.
"""

from __future__ import annotations

from qrja.ratings.board import describe_optima
from qrja.ratings.trust.findings import Case, Check, Finding
from qrja.speech import Sentence, joined


def check_optima(case: Case) -> Check:
    """Say whose order depends on which optimum is taken."""
    several = describe_optima(case.ratings)
    if several is None or not several.number:
        return
    yield Finding(
        "optima",
        "note",
        several.number,
        Sentence("the order of some depends on which optimum is taken"),
        joined("", [several.sentence, "."]),
        Sentence("Read such neighbours as level; p = 2, or any p above 1, has one optimum only."),
        several.to_dict(),
    )
