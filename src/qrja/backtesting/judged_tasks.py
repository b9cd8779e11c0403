"""Rankers tried on judgments: learn some of them, predict the others, part by part.

    for each part of the folds:  x = the scores that the others give;  compare x_a - x_b with y

A ranker learns the judgments of a part at once (:class:`qrja.rankers.Batched`); one of your own
that cannot is told them one by one, each as a contest of two.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from time import process_time

import numpy as np

from qrja.backtesting.journal import Entry, Journal
from qrja.backtesting.outcome import Run
from qrja.data import Contest, Floats, Judgments, Mask
from qrja.errors import QRJAError
from qrja.folds import Folds, Part
from qrja.metrics import score_judgments
from qrja.rankers import Batched, Ranker, TwoScaled

JUDGED = ("qrja-l1", "qrja-p1.5", "qrja-l2", "qrja-p3", "bradley-terry", "mean-margin")
"""Rankers compared on judgments unless others are named; Elo, too, where dates give an order."""


@dataclass(frozen=True, eq=False)
class JudgedTask:
    """One ranker over all parts; continues from its journal, which has a line for each."""

    name: str
    make: Callable[[], Ranker]
    judgments: Judgments
    folds: Folds
    journal: Path | None = None
    of: str = ""

    @property
    def steps(self) -> int:
        """Return the number of parts."""
        return len(self.folds.parts)

    def run(self, tell: Callable[[int], None]) -> tuple[Run, ...]:
        """Learn, predict and score part by part, from where the journal ends."""
        with Journal(self.journal, self.of) as journal:
            tell(len(journal.entries))
            for part in self.folds.parts[len(journal.entries) :]:
                journal.append(self._try_part(part))
                tell(len(journal.entries))
        sums = tuple(one for entry, _ in journal.entries for one in entry)
        return (Run(sums, sum(seconds for _, seconds in journal.entries)),)

    def _try_part(self, part: Part) -> Entry:
        begun, ranker = process_time(), self.make()
        learned, asked = self.judgments.rows(part.learned), self.judgments.rows(part.predicted)
        learn_all(ranker, learned)
        seen = np.bincount(learned.who, minlength=learned.n) > 0
        everybody = np.arange(learned.n, dtype=np.int32)
        order = _differences(self.name, ranker.scores(everybody), seen, asked)
        apart = None
        if isinstance(ranker, TwoScaled):
            apart = _differences(self.name, ranker.margins(everybody), seen, asked)
        unit = self.folds.unit[part.predicted]
        sums = score_judgments(
            asked.y, order, unit - unit.min(), apart=apart, margins=ranker.quantitative
        )
        return sums, process_time() - begun


def learn_all(ranker: Ranker, judgments: Judgments) -> None:
    """Let a ranker learn judgments, at once if it can.

    Examples
    --------
    >>> from qrja.rankers import make_ranker
    >>> ranker = make_ranker("qrja-l2")
    >>> learn_all(ranker, Judgments.from_arrays("ab", "bc", [2, 1]))
    >>> ranker.scores(np.array([0, 1, 2])).round(3)
    array([ 1.667, -0.333, -1.333])
    """
    if isinstance(ranker, Batched):
        ranker.learn_all(judgments)
        return
    for row, label in enumerate(judgments.labels):
        both = slice(2 * row, 2 * row + 2)
        score, weight = judgments.score[both], float(judgments.w[row])
        ranker.learn(Contest(label, judgments.who[both], score, weight=weight))


def _differences(name: str, x: Floats, seen: Mask, asked: Judgments) -> Floats:
    """Return predicted margins, NaN where one of the two was not seen."""
    missing = seen & ~np.isfinite(x)
    if missing.any():
        at = int(missing.argmax())
        raise QRJAError(
            f"ranker {name!r} predicts {x[at]} for {asked.names[at]!r}, who has been seen; give a"
            " finite score"
        )
    known = np.where(seen, x, np.nan)
    return np.asarray(known[asked.a] - known[asked.b])


def fingerprint_folds(judgments: Judgments, folds: Folds) -> str:
    """Return a checksum of what is said and of how it is dealt.

    Examples
    --------
    >>> from qrja.folds import deal
    >>> judged = Judgments.from_arrays("abc", "bca", [2, 1, 1])
    >>> fingerprint_folds(judged, deal(judged)) == fingerprint_folds(judged, deal(judged, folds=2))
    False
    """
    digest = sha256(repr((judgments.names, folds.split)).encode())
    for column in (judgments.a, judgments.b, judgments.y, judgments.w, folds.unit):
        digest.update(np.ascontiguousarray(column).tobytes())
    for part in folds.parts:
        digest.update(part.learned.tobytes() + b"|" + part.predicted.tobytes())
    return digest.hexdigest()
