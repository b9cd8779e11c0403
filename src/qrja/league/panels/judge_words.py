"""Judges in words: who is erratic, who favours a side, who decides against all others.

A judge is named only for what chance rarely does to any of J judges, z being the normal quantile
at 1 - .005/J and m how many comparisons the judge gave (of 675 simulated judges who were all alike,
in 75 panels, 9 were named):

    erratic     noise^2 > (that of the others) chi^2_{m-1}(1 - .01/J) / (m - 1), less side^2
    a side      |side| > z noise / sqrt(m)
    apart       atanh r + z / sqrt(m - 3) < atanh(a third of the usual r)      (r: agreement)

A comparison has no level, so that nobody is strict or lenient about it.
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

FEW = 10
"""Comparisons below which nothing is said of a judge."""
OTHERS = 3
"""Judges whose middle is what is usual: of fewer, one may be the odd one."""


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
        What the judge said of pairs seen twice.
    words : tuple of str
        What strikes; nothing if all is as usual.
    """

    judge: str
    votes: int
    passes: int
    line: JudgeLine | None
    repeats: Repeats
    words: tuple[str, ...]

    @property
    def strikes(self) -> bool:
        """Whether there is something to look at, beyond that there is little to see."""
        return bool(self.words) and self.votes >= FEW

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
    z = float(ndtri(1 - 0.005 / judges))
    if line.agreement is not None and _is_apart(line, lines, z):
        mixed = line.agreement < -1 / math.sqrt(m)
        against = "decides against the others: perhaps the sides were mixed up"
        told.append(against if mixed else "does not follow the others")
    others = _noise_of_others(line, lines)
    if line.noise is not None and others > 0:
        most = 2 * gammaincinv((m - 1) / 2, 1 - 0.01 / judges) / (m - 1)
        if _own_noise(line) > most * others:
            told.append("erratic")
    if repeats.pairs >= 3 and 2 * repeats.reversed > repeats.pairs:
        told.append("decides otherwise when asked again")
    noise = math.sqrt(max(_own_noise(line), others))  # few votes may look too quiet
    if line.side is not None and abs(line.side) > z * noise / math.sqrt(m) > 0:
        told.append("favours the left" if line.side > 0 else "favours the right")
    return told


def _is_apart(line: JudgeLine, lines: Mapping[str, JudgeLine], z: float) -> bool:
    """Tell whether a judge agrees with the others by less than a third of what is usual."""
    known = [it.agreement for it in lines.values() if it is not line and it.agreement is not None]
    if len(known) < OTHERS or line.agreement is None:
        return False
    usual = max(float(np.median(known)), 0.0)
    own = math.atanh(min(max(line.agreement, -0.999), 0.999))
    return own + z / math.sqrt(line.judgments - 3) < math.atanh(min(usual, 0.999) / 3)


def _noise_of_others(line: JudgeLine, lines: Mapping[str, JudgeLine]) -> float:
    """Return the mean square noise of the other judges, each as they gave comparisons."""
    known = [it for it in lines.values() if it is not line and it.noise is not None]
    if not known:
        return 0.0
    weight = np.array([it.judgments for it in known], dtype=np.float64)
    return float(np.average([_own_noise(it) for it in known], weights=weight))


def _own_noise(line: JudgeLine) -> float:
    """Return the mean square noise of a judge; leaning to a side is another matter.

    The mean of m votes is off by ``noise^2 / m`` without any leaning.
    """
    square = (line.noise or 0.0) ** 2
    lean = max((line.side or 0.0) ** 2 - square / line.judgments, 0.0)
    return max(square - lean, 0.0)
