"""Standings: a leaderboard as lines of plain values, one board for each group that compares.

What a screen, a file and JSON show is made of the same lines.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from math import isfinite
from typing import Any

from qrja.ratings.board.leaderboard import BOUNDS, show_again
from qrja.ratings.board.several_optima import SeveralOptima, describe_optima
from qrja.ratings.board.term_lines import list_terms, say_terms
from qrja.ratings.fitted import Fit, is_elsewhere
from qrja.ratings.form import describe_effects, describe_form, say_effects, say_form
from qrja.ratings.intervals import find_clusters
from qrja.ratings.members import MemberLine, describe_members, list_members, say_members
from qrja.ratings.words import Wording
from qrja.speech import Sentence

Line = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Standings:
    """The lines of a table of ratings, and what they are lines of.

    Parameters
    ----------
    fit : Fit
        Which ratings.
    lines : list of dict
        One per candidate, by component and rank; ``low`` and the like only where there are
        intervals.

    Examples
    --------
    >>> import qrja
    >>> ratings = qrja.fit(qrja.datasets.marathons(example=2))
    >>> standings = Standings.of(ratings, ratings.table(level=None))
    >>> [(line["rank"], line["contestant"]) for line in standings.boards[0]]
    [(1, 'Alice'), (2, 'Bob'), (3, 'Charlie')]
    >>> standings.to_dict(top=1)["components"][0]["size"]
    3
    """

    fit: Fit
    lines: list[Line]

    @classmethod
    def of(cls, fit: Fit, columns: Mapping[str, list[Any]]) -> Standings:
        """Read the lines of a table, ``ratings.table(kind="dict")``."""
        low = columns.get("low")
        left_out = BOUNDS if low and low[0] is None else ()
        names = [name for name in columns if name not in left_out]
        rows = zip(*(columns[name] for name in names), strict=True)
        return cls(fit, [dict(zip(names, row, strict=True)) for row in rows])

    @cached_property
    def boards(self) -> list[list[Line]]:
        """The lines of each component, the largest first."""
        return [list(group) for _, group in groupby(self.lines, lambda line: line["component"])]

    @cached_property
    def few(self) -> list[Line]:
        """The lines of those with fewer contests than were asked for; they are not ranked."""
        return [line for line in self.lines if line.get("few")]

    @cached_property
    def ranked(self) -> list[list[Line]]:
        """The lines of each component without those."""
        kept = [[line for line in board if not line.get("few")] for board in self.boards]
        return [board for board in kept if board]

    @property
    def say(self) -> Wording:
        """The words for what is rated."""
        return Wording.of(self.fit)

    @property
    def have_intervals(self) -> bool:
        """Whether the lines say how sure they are."""
        return bool(self.lines) and "low" in self.lines[0]

    @property
    def lacking(self) -> str:
        """What there would have to be for intervals, in words; nothing if there is enough."""
        problem, free = self.fit.problem, self.fit.demands.free
        if is_elsewhere(problem):
            return "the data were read in passes, and are not in memory"
        return find_clusters(problem, free=free).lacking(problem.components, problem.nouns)

    @cached_property
    def optima(self) -> SeveralOptima | None:
        """What depends on which optimum is taken, where there are several."""
        return describe_optima(self.fit)

    @cached_property
    def terms(self) -> list[Sentence]:
        """What shared terms are worth, and at which values of theirs ratings are."""
        return say_terms(self.fit)

    @cached_property
    def form(self) -> list[Sentence]:
        """How fast strengths move or differ, and which of them broke with the past."""
        return [*say_form(self.fit), *say_effects(self.fit), *say_members(self.fit)]

    @cached_property
    def members(self) -> dict[str, list[MemberLine]]:
        """The board of each part of entries whose members differ, with or without intervals."""
        parts = self.fit.parts
        if parts is None:
            return {}
        found = list_members(self.fit, level=0.95 if self.have_intervals else None)
        return {name: lines for name, lines in found.items() if any(line.rating for line in lines)}

    def columns(self, top: int | None = None) -> dict[str, list[Any]]:
        """Return the best of each board as columns, for a file."""
        kept = [line for board in self.boards for line in board[:top]]
        return {name: [line[name] for line in kept] for name in self.lines[0]}

    def show(self, value: float) -> str:
        """Write a rating of a line in its units."""
        return show_again(self.fit.units, value)

    def show_error(self, se: float) -> str:
        """Write a standard error in the units of the ratings, as a factor for ratios."""
        return self.fit.units.show(se).removeprefix("+")

    def to_dict(self, top: int | None = None) -> dict[str, Any]:
        """Give the solution, and the best of each board, as plain lists and dictionaries."""
        solution = self.fit.solution
        proved = ("objective", "lower_bound", "gap")
        return {
            "loss": solution.loss,
            # p < 1 proves nothing: there is no gap. p = 200 may cost more than a float holds.
            **{name: _finite(getattr(solution, name)) for name in proved},
            "status": solution.status,
            "units": self.fit.units.kind,
            "statistics": self.fit.misfit.to_dict()
            if self.fit.model.is_square and not is_elsewhere(self.fit.problem)
            else None,
            "terms": [line.to_dict() for line in list_terms(self.fit)],
            "drift": describe_form(self.fit),
            "contexts": describe_effects(self.fit),
            "parts": describe_members(self.fit),
            "optima": None if (several := self.optima) is None else several.to_dict(),
            "components": [
                {
                    "size": len(board),
                    "leaderboard": [_without_component(line) for line in board[:top]],
                }
                for board in self.ranked
            ],
            "few_contests": [_without_component(line) for line in self.few],
        }


def _without_component(line: Line) -> Line:
    return {name: value for name, value in line.items() if name != "component"}


def _finite(value: float) -> float | None:
    return value if isfinite(value) else None
