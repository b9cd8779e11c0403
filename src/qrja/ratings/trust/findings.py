"""The trust report: what the ratings rest on, and where they are weak.

Each check is a function from the ratings to findings, a finding is one sentence with a number and
a suggestion, and the verdict on top is decided by the warnings:

- who can be compared at all, and what single contest or contestant holds groups together;
- who has too few results;
- how much of the margins no rating can explain, and how much of that goes round in circles;
- which results are the most surprising, and which contests are out of line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from qrja.data import Contests, Judgments
from qrja.plurals import count
from qrja.ratings.trust.residuals import Residuals
from qrja.ratings.words import Wording, word_of

if TYPE_CHECKING:
    from qrja.ratings.door import Ratings

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


@dataclass(frozen=True)
class TrustReport:
    """Whether ratings can be trusted; ``str()`` says it in words.

    Parameters
    ----------
    verdict : str
        One line.
    level : {"good", "note", "warning"}
        The worst of the findings.
    findings : tuple of Finding
        In the order of the checks; ``report["bridges"]`` is the one of that kind.

    Examples
    --------
    >>> import qrja
    >>> report = qrja.fit(qrja.datasets.marathons(), p=2).trust()
    >>> report["few results"].sentence
    '1 of 3 contestants (33%) has a single result, Charlie: one day decides their rating.'
    """

    verdict: str
    level: Level
    findings: tuple[Finding, ...]

    def text(self) -> str:
        """Say it in words: the verdict, then one paragraph per finding, warnings marked."""
        marks = {"good": "+", "note": "-", "warning": "!"}
        lines = [self.verdict, ""]
        for finding in self.findings:
            lines.append(f"{marks[finding.level]} {finding.sentence}")
            if finding.suggestion:
                lines.append(f"    {finding.suggestion}")
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.text()

    def __getitem__(self, kind: str) -> Finding:
        """Return the finding of a kind."""
        for finding in self.findings:
            if finding.kind == kind:
                return finding
        raise KeyError(kind)

    def to_dict(self) -> dict[str, Any]:
        """Give everything as plain lists and dictionaries, for JSON."""
        return {
            "verdict": self.verdict,
            "level": self.level,
            "findings": [
                {
                    "kind": finding.kind,
                    "level": finding.level,
                    "number": finding.number,
                    "sentence": finding.sentence,
                    "suggestion": finding.suggestion,
                    "details": finding.details,
                }
                for finding in self.findings
            ],
        }


@dataclass(frozen=True, eq=False)
class Case:
    """What every check looks at: the ratings, their residuals, and how to speak of them."""

    ratings: Ratings
    left: Residuals
    say: Wording

    def name(self, i: int) -> str:
        """Return the name of a contestant."""
        return str(self.ratings.problem.names[i])

    def contest(self, c: int) -> str:
        """Name a contest or a judgment in a sentence."""
        problem = self.ratings.problem
        if isinstance(problem, Contests):
            return self.say.called(problem.labels[c])
        names = problem.names
        return f"the judgment of {names[problem.a[c]]} and {names[problem.b[c]]} (row {c})"


def report(ratings: Ratings) -> TrustReport:
    """Check ratings; see :meth:`qrja.Ratings.trust`.

    Examples
    --------
    >>> import qrja
    >>> report(qrja.fit(qrja.datasets.marathons(example=3), p=2)).level
    'note'
    """
    from qrja.ratings.trust.fit_checks import (
        check_circles,
        check_contests,
        check_fit,
        check_surprises,
    )
    from qrja.ratings.trust.graph_checks import check_few_results, check_groups, check_links

    problem = ratings.problem
    left = Residuals(problem, np.asarray(ratings.solution.x))
    case = Case(ratings, left, Wording(ratings.units, word_of(problem)))
    checks = (
        check_groups,
        check_links,
        check_few_results,
        check_fit,
        check_circles,
        check_surprises,
        check_contests,
    )
    findings = tuple(finding for check in checks for finding in check(case))
    level: Level = "good"
    for finding in findings:
        level = max(level, finding.level, key=("good", "note", "warning").index)
    return TrustReport(_verdict(case, findings), level, findings)


def _verdict(case: Case, findings: tuple[Finding, ...]) -> str:
    problem = case.ratings.problem
    if problem.m == 0:
        return f"Nothing to rate: no {case.say.word} compares two contestants."
    warnings = [finding.short for finding in findings if finding.level == "warning"]
    if any(finding.kind == "groups" and finding.level == "warning" for finding in findings):
        return f"Not one ranking: {'; '.join(warnings)}."
    if warnings:
        return f"Use with care: {'; '.join(warnings)}."
    error = case.say.error(case.left.typical_margin_error)
    return (
        f"Sound: {count(problem.n, 'contestant')} in one ranking,"
        f" {count(spare_margins(case), 'margin')} more than needed,"
        f" a typical margin is off by {error}."
    )


def spare_margins(case: Case) -> int:
    """Count the independent margins beyond those that it takes to rate everybody once."""
    problem = case.ratings.problem
    if isinstance(problem, Contests):
        margins = int(np.maximum(problem.sizes - 1, 0).sum())
    else:
        margins = problem.m
    return margins - (problem.n - groups(problem))


def groups(problem: Contests | Judgments) -> int:
    """Count the groups that cannot be compared with each other."""
    return int(problem.components.max(initial=-1)) + 1
