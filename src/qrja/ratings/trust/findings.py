"""Findings: what a check of ratings says, and the case that it looks at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from qrja.data import Problem
from qrja.ratings.fitted import Fit
from qrja.ratings.trust.residuals import Residuals
from qrja.ratings.words import Wording, spoken
from qrja.speech import Sentence

Level = Literal["good", "note", "warning"]


@dataclass(frozen=True)
class Finding:
    """One finding.

    Parameters
    ----------
    kind : str
        Such as ``"groups"`` or ``"bridges"``; a kind occurs once in a report.
    level : {"good", "note", "warning"}
        How much it matters.
    number : float
        What was counted or measured.
    short : str
        A few words for the verdict.
    sentence : str
        The finding, with its number.
    suggestion : str
        What to do about it; empty if nothing needs doing.
    details : dict
        Names and numbers behind it, for JSON.
    """

    kind: str
    level: Level
    number: float
    short: str
    sentence: str
    suggestion: str = ""
    details: dict[str, Any] = field(default_factory=dict)


Check = Iterator[Finding]
"""What a check yields: nothing where it does not apply."""


@dataclass(frozen=True, eq=False)
class Case:
    """What every check looks at: the ratings, their residuals, and how to speak of them."""

    ratings: Fit
    left: Residuals
    say: Wording

    def name(self, i: int) -> str:
        """Return the name of a contestant."""
        return str(self.ratings.problem.names[i])

    def contest(self, c: int) -> str:
        """Name a contest or a judgment in a sentence."""
        problem = self.ratings.problem
        if not problem.directed:
            return self.say.called(problem.labels[c])
        a, b = (problem.names[i] for i in problem.who[problem.start[c] : problem.start[c + 1]])
        return judgment_called(a, b, problem.labels[c])


def judgment_called(a: object, b: object, row: object) -> Sentence:
    """Name a judgment in a sentence."""
    said = "the judgment of {a} and {b} (row {row})"
    return Sentence(said, a=spoken(a), b=spoken(b), row=spoken(row))


def spare_margins(case: Case) -> int:
    """Count the independent margins beyond those that it takes to rate everybody once."""
    problem = case.ratings.problem
    return problem.independent - (problem.n - groups(problem))


def groups(problem: Problem) -> int:
    """Count the groups that cannot be compared with each other."""
    return int(problem.components.max(initial=-1)) + 1
