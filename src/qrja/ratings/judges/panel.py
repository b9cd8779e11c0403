"""The panel: a line for each judge, and how far all of them together can be relied on.

- severity: how much lower a judge's sheets are than the others', the candidates' ratings allowed
  for; judgments have none, as a margin has no level;
- spread: by how much a difference of 1 in the others' ratings shows in the judge's scores;
- noise: the standard deviation of a score (or a margin) around that, see
  :mod:`~qrja.ratings.judges.scales`;
- agreement: the correlation with the ratings of the others;
- side: how much the candidate named first is favoured, for judgments that are not written with the
  winner first.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from qrja.data import Floats, Problem, centre, sum_by
from qrja.errors import InputError
from qrja.plurals import count
from qrja.ratings.fitted import Fit
from qrja.ratings.judges.agreement_of_halves import Reliability, measure_reliability
from qrja.ratings.judges.marks import Marks, list_marks
from qrja.ratings.judges.scales import measure_scales
from qrja.ratings.words import Wording
from qrja.speech import Sentence, joined
from qrja.tables import Units
from qrja.tables.out import build_frame


@dataclass(frozen=True)
class JudgeLine:
    """One judge; None where that cannot be told."""

    judge: Hashable
    judgments: int
    severity: float | None
    spread: float | None
    noise: float | None
    agreement: float | None
    side: float | None
    surprise: str | None
    surprise_by: float | None


@dataclass(frozen=True, eq=False)
class JudgePanel:
    """The result of :meth:`qrja.Ratings.judges`.

    Parameters
    ----------
    lines : tuple of JudgeLine
        In the order in which the judges appear.
    reliability : Reliability
        Of all together.
    units : Units
        How to show a score.
    kind : str or None
        Of the table.

    Examples
    --------
    >>> import qrja
    >>> sheets = qrja.Contests.from_arrays(
    ...     "AAABBB", "xyzxyz", [3, 1, 2, 8, 4, 6], judge=["Ann"] * 3 + ["Bea"] * 3
    ... )
    >>> [(line.judge, line.severity) for line in qrja.fit(sheets).judges().lines]
    [('Ann', 2.0), ('Bea', -2.0)]
    """

    lines: tuple[JudgeLine, ...]
    reliability: Reliability
    units: Units
    kind: str | None = None

    def __getitem__(self, judge: Hashable) -> JudgeLine:
        """Return the line of a judge."""
        for line in self.lines:
            if line.judge == judge:
                return line
        raise KeyError(judge)

    def table(self, kind: str | None = None) -> Any:
        """Return the lines as a data frame, see :meth:`qrja.Ratings.table`."""
        names = JudgeLine.__dataclass_fields__
        columns = {name: [getattr(line, name) for line in self.lines] for name in names}
        return build_frame(columns, self.kind if kind is None else kind)

    def to_dict(self) -> dict[str, Any]:
        """Give everything as plain lists and dictionaries, for JSON."""
        return {
            "judges": [asdict(line) for line in self.lines],
            "panel": self.reliability.to_dict(),
        }

    def text(self) -> str:
        """Say it in words: how far the panel can be relied on, then a line for each judge."""
        header, rows = self.lay_out()
        width = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
        lines = [
            "  ".join(cell.ljust(size) for cell, size in zip(row, width, strict=True)).rstrip()
            for row in [header, *rows]
        ]
        return "\n".join([self.sentence, "", *lines])

    def lay_out(self) -> tuple[list[str], list[list[str]]]:
        """Return the header and the rows of the table as texts, without empty columns."""
        shown = [self._cells(line) for line in self.lines]
        header = ["judge", "judgments", "severity", "spread", "noise", "agreement", "side"]
        header.append("most surprising")
        kept = [at for at in range(len(header)) if at < 2 or any(row[at] for row in shown)]
        return [header[at] for at in kept], [[row[at] for at in kept] for row in shown]

    def __str__(self) -> str:
        return self.text()

    @cached_property
    def sentence(self) -> str:
        """How far the panel can be relied on."""
        return f"{self.reliance}."

    @property
    def reliance(self) -> Sentence:
        """The same as a part of a sentence."""
        found, told = self.reliability, []
        judges = Sentence("{judges}", judges=count(len(self.lines), "judge"))
        if not math.isnan(found.split_half):
            said = "a reliability of {whole:.2f} by split halves (which correlate by {halves:.2f})"
            told.append(Sentence(said, whole=found.split_half, halves=found.halves))
        if not math.isnan(found.reliability):
            said = "{share:.2f} by standard errors (separation {apart:.1f})"
            told.append(Sentence(said, share=found.reliability, apart=found.separation))
        if not told:
            return judges
        return Sentence("{judges}; the ratings have {told}", judges=judges, told=joined(", ", told))

    def _cells(self, line: JudgeLine) -> list[str]:
        say = Wording(self.units)
        by = "" if line.surprise_by is None else f" by {say.signed(line.surprise_by)}"
        return [
            str(line.judge),
            str(line.judgments),
            "" if line.severity is None else say.signed(line.severity),
            "" if line.spread is None else f"{line.spread:.2f}",
            "" if line.noise is None else say.amount(line.noise),
            "" if line.agreement is None else f"{line.agreement:.2f}",
            "" if line.side is None else say.signed(line.side),
            "" if line.surprise is None else f"{line.surprise}{by}",
        ]


def examine_judges(ratings: Fit, seed: int = 0) -> JudgePanel:
    """Look at every judge, see :meth:`qrja.Ratings.judges`."""
    problem = ratings.problem
    if problem.judge is None:
        raise InputError(
            f"these {problem.noun}s do not say who judged; name the column of judges as judge"
        )
    marks = list(list_marks(ratings))
    scales = measure_scales(problem, marks)
    severity, side = _severity(problem, ratings.solution.x), _side(problem, marks)
    given = np.bincount(problem.judge, minlength=len(marks))
    if not problem.directed:
        given = sum_by(problem.judge, problem.sizes.astype(float), len(marks)).astype(np.int64)
    lines = tuple(
        JudgeLine(
            label,
            int(given[j]),
            _number(severity[j]),
            _number(scales.spread[j]),
            # A margin has the noise of two entries.
            _number(math.sqrt(scales.noise[j] * (2.0 if problem.directed else 1.0))),
            _number(scales.agreement[j]),
            _number(side[j]),
            *_surprise(problem, marks[j], float(scales.spread[j])),
        )
        for j, label in enumerate(problem.judges)
    )
    reliability = measure_reliability(ratings, seed)
    return JudgePanel(lines, reliability, ratings.units, ratings.kind)


def _number(value: float) -> float | None:
    return None if math.isnan(value) else float(value) + 0.0


def _severity(problem: Problem, x: Floats) -> Floats:
    """Return how far below the average sheet of its group each judge's are, ratings allowed for."""
    assert problem.judge is not None
    if problem.directed:
        return np.full(len(problem.judges), np.nan)
    by = problem.judge[problem.contest_of_entry]
    used = problem.sizes[problem.contest_of_entry] > 1
    level = problem.score - x[problem.who]
    above = centre(level[used], problem.components[problem.who[used]])
    number = np.bincount(by[used], minlength=len(problem.judges))
    total = sum_by(by[used], above, len(number))
    mean = np.divide(total, number, out=np.full(len(number), np.nan), where=number > 0)
    return np.asarray(-(mean - np.nanmean(mean)) if number.any() else mean)


def _side(problem: Problem, marks: list[Marks]) -> Floats:
    """Return how much each judge favours the candidate named first, where that is a place."""
    nothing = np.full(len(marks), np.nan)
    if not problem.directed or (problem.score[0::2] >= 0).all():
        return nothing
    favour = [(m.score - m.rating)[0::2] * 2.0 for m in marks]
    return np.array([each.mean() if len(each) > 1 else np.nan for each in favour])


def _surprise(problem: Problem, mark: Marks, spread: float) -> tuple[str | None, float | None]:
    """Name the mark that is furthest from what the others say, on the judge's scale."""
    if mark.spare < 2 or math.isnan(spread):
        return None, None
    off = mark.score - spread * mark.rating
    worst = int(np.abs(off).argmax())
    entry, hub = mark.entry[worst], problem.contest_of_entry[mark.entry[worst]]
    if not problem.directed:
        assert problem.judge is not None
        label, who = problem.labels[hub], problem.names[problem.who[entry]]
        own = label == problem.judges[problem.judge[hub]]  # all that the judge said
        return f"{who}" if own else f"{who} in {label}", float(off[worst])
    a, b = (problem.names[i] for i in problem.who[problem.start[hub] : problem.start[hub + 1]])
    about = "" if problem.topic is None else f" ({problem.topics[problem.topic[hub]]})"
    return f"{a} against {b}{about}", float(2.0 * off[worst - worst % 2])
