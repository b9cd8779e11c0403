"""The trust report: what the ratings rest on, and where they are weak.

Each check is a function from the ratings to findings, a finding is one sentence with a number and
a suggestion, and the verdict on top is decided by the warnings:

- who can be compared at all, and what single contest or contestant holds groups together;
- who has too few results;
- how much of the margins no rating can explain, and how much of that goes round in circles;
- whether the errors that were stated account for that;
- whose order depends on which of several optima is taken;
- which results are the most surprising, and which contests or judges are out of line;
- where direct and indirect evidence disagree, and which result all others contradict;
- whether contests are on one scale, and whether names look alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from qrja.display import Markup, block, listing, remark, safe, tag
from qrja.plurals import count
from qrja.ratings.fitted import Fit
from qrja.ratings.trust.disagreements import check_omissions, check_splits
from qrja.ratings.trust.findings import Case, Finding, Level, spare_margins
from qrja.ratings.trust.fit_checks import (
    check_circles,
    check_contests,
    check_fit,
    check_surprises,
    check_terms,
)
from qrja.ratings.trust.graph_checks import check_few_results, check_groups, check_links
from qrja.ratings.trust.name_check import check_names
from qrja.ratings.trust.panel_check import check_judges
from qrja.ratings.trust.residuals import Residuals
from qrja.ratings.trust.scale_check import check_scales
from qrja.ratings.trust.stated_errors import check_stated_errors
from qrja.ratings.trust.undecided import check_optima
from qrja.ratings.words import Wording
from qrja.speech import Sentence, joined

CHECKS = (
    check_groups,
    check_links,
    check_few_results,
    check_fit,
    check_stated_errors,
    check_optima,
    check_terms,
    check_circles,
    check_surprises,
    check_contests,
    check_splits,
    check_omissions,
    check_judges,
    check_scales,
    check_names,
)
"""In the order of the report."""


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

    def __repr__(self) -> str:
        return f"TrustReport({self.verdict!r}, {count(len(self.findings), 'finding')})"

    def _repr_html_(self) -> str:
        marks = {"good": "\u2713", "note": "\u2022", "warning": "\u26a0"}
        lines = []
        for finding in self.findings:
            sentence = f"{marks[finding.level]} {finding.sentence}"
            lines.append(tag("b", sentence) if finding.level == "warning" else sentence)
            if finding.suggestion:
                lines[-1] = Markup(f"{safe(lines[-1])}{remark(finding.suggestion)}")
        return block(tag("b", self.verdict), listing(lines, marked=False))

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


def examine(ratings: Fit) -> TrustReport:
    """Check ratings; see :meth:`qrja.Ratings.trust`.

    Examples
    --------
    >>> import qrja
    >>> examine(qrja.fit(qrja.datasets.marathons(example=3), p=2)).level
    'note'
    """
    problem = ratings.problem
    left = Residuals(problem, np.asarray(ratings.solution.x))
    case = Case(ratings, left, Wording.of(ratings))
    findings = tuple(finding for check in CHECKS for finding in check(case))
    level: Level = "good"
    for finding in findings:
        level = max(level, finding.level, key=("good", "note", "warning").index)
    return TrustReport(_verdict(case, findings), level, findings)


def _verdict(case: Case, findings: tuple[Finding, ...]) -> Sentence:
    problem = case.ratings.problem
    if problem.m == 0:
        return case.say.either(
            "Nothing to rate: no contest compares two contestants.",
            "Nothing to rate: there are no {events} that compare two {candidates}.",
        )
    short = [finding.short for finding in findings if finding.level == "warning"]
    warnings = joined("; ", short)
    if any(finding.kind == "groups" and finding.level == "warning" for finding in findings):
        return Sentence("Not one ranking: {warnings}.", warnings=warnings)
    if short:
        return Sentence("Use with care: {warnings}.", warnings=warnings)
    return Sentence(
        "Sound: {who} in one ranking, {spare} more than needed, a typical margin is off by"
        " {error}.",
        who=count(problem.n, case.say.who),
        spare=count(spare_margins(case), "margin"),
        error=case.say.error(case.left.typical_margin_error),
    )
