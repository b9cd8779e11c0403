"""Judges in words: who is erratic, who favours a side, who decides against all others.

A judge is named only for what chance would do in one of a hundred panels of as many judges J:

    noise^2 > (that of the others) chi^2_f(1 - .01/J) / f,    |side| > z(1 - .005/J) noise / sqrt(m)

with f = m - 1, m being how many comparisons the judge gave. A comparison has no level, so that
nobody is strict or lenient about it; sheets of scores have one, and severity is told.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import gammaincinv, ndtri

from qrja.league.panels.ballots import Ballot
from qrja.league.panels.repeats import Repeats, find_repeats
from qrja.ratings.judges import JudgeLine

FEW = 8
"""Comparisons below which nothing is said of a judge."""
WIDE = 1.5
"""A spread beyond this, or below its inverse, is named."""


@dataclass(frozen=True)
class JudgeNote:
    """One judge, as an organiser sees them.

    Parameters
    ----------
    judge : str
        The name.
    votes, passes : int
        Comparisons, and how often the judge could not tell.
    line : JudgeLine or None
        What was measured, see :meth:`qrja.Ratings.judges`; None without a vote.
    repeats : Repeats
        How alike the judge decided twice.
    words : tuple of str
        What strikes; nothing if all is as usual.
    """

    judge: str
    votes: int
    passes: int
    line: JudgeLine | None
    repeats: Repeats
    words: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Give it as plain values, for JSON."""
        line = {} if self.line is None else vars(self.line)
        measured = {name: line.get(name) for name in ("spread", "noise", "agreement", "side")}
        return {
            "judge": self.judge,
            "votes": self.votes,
            "passes": self.passes,
            **measured,
            "repeats": self.repeats.to_dict(),
            "words": list(self.words),
        }


def describe_judges(
    ballots: Sequence[Ballot],
    lines: Sequence[JudgeLine],
    invited: Sequence[str] = (),
    *,
    ratio: bool = False,
) -> list[JudgeNote]:
    """Describe everybody who was invited or gave a ballot.

    Examples
    --------
    >>> describe_judges([Ballot("1.1", "Ann", "tea", "gin", None)], [], ["Bea"])[0].words
    ('gave nothing yet',)
    """
    given: dict[str, list[Ballot]] = {name: [] for name in invited}
    for one in ballots:
        given.setdefault(one.judge, []).append(one)
    measured = {str(line.judge): line for line in lines}
    return [
        _describe(name, own, measured, find_repeats(own, ratio=ratio))
        for name, own in given.items()
    ]


def _describe(
    name: str, own: Sequence[Ballot], lines: Mapping[str, JudgeLine], repeats: Repeats
) -> JudgeNote:
    votes, line = sum(one.y is not None for one in own), lines.get(name)
    words: tuple[str, ...] = ("too few comparisons to say more",)
    if not own:
        words = ("gave nothing yet",)
    elif line is not None and votes >= FEW:
        words = tuple(_strikes(line, lines, repeats))
    return JudgeNote(name, votes, len(own) - votes, line, repeats, words)


def _strikes(line: JudgeLine, lines: Mapping[str, JudgeLine], repeats: Repeats) -> list[str]:
    """Say what strikes about a judge."""
    told: list[str] = []
    judges, m = len(lines), line.judgments
    r = line.agreement
    if r is not None and r < -2 / math.sqrt(m):
        told.append("decides against the others: perhaps the sides were mixed up")
    elif r is not None and r < 2 / math.sqrt(m):
        told.append("does not follow the others")
    others = _noise_of_others(line, lines)
    if line.noise is not None and others > 0:
        most = 2 * gammaincinv((m - 1) / 2, 1 - 0.01 / judges) / (m - 1)
        if line.noise**2 > most * others:
            told.append("erratic")
    if repeats.pairs >= 3 and 2 * repeats.alike < repeats.pairs:
        told.append("decides otherwise when asked again")
    chance = ndtri(1 - 0.005 / judges) * (line.noise or math.inf) / math.sqrt(m)
    if line.side is not None and abs(line.side) > chance:
        told.append("favours the left" if line.side > 0 else "favours the right")
    if line.spread is not None and line.spread > WIDE:
        told.append("uses large steps")
    elif line.spread is not None and 0 < line.spread < 1 / WIDE:
        told.append("uses small steps")
    return told


def _noise_of_others(line: JudgeLine, lines: Mapping[str, JudgeLine]) -> float:
    """Return the mean square noise of the other judges, each as they gave comparisons."""
    known = [it for it in lines.values() if it is not line and it.noise is not None]
    if not known:
        return 0.0
    weight = np.array([it.judgments for it in known], dtype=np.float64)
    noise = np.array([it.noise for it in known], dtype=np.float64)
    return float(np.average(noise**2, weights=weight))
