"""Brier scores of win probabilities, written to results/auto_brier.csv: python auto_brier.py.

Over all pairs of contestants seen before who did not tie, the mean of (probability - outcome)^2.
Elo and OpenSkill come twice: with their own probabilities, and with those that
:class:`qrja.adaptive.Chances` learns from their ratings as it does from those of qrja-auto.
"""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr

from auto import OTHERS, write
from problems import PAPER_SETS, fair
from qrja.adaptive import Chances
from qrja.data import Contest
from qrja.rankers import Auto, make_ranker

HEADER = ["set", "qrja-auto", "elo, own", "elo, learned", "openskill, own", "openskill, learned"]


def brier(truth: np.ndarray, chance: np.ndarray) -> tuple[float, int]:
    """Return the sum of squared errors over pairs that differ, and their number."""
    i, j = np.triu_indices(len(truth), 1)
    unequal = truth[i] != truth[j]
    i, j = i[unequal], j[unequal]
    return float(((chance[i, j] - (truth[i] > truth[j])) ** 2).sum()), len(i)


class Rated:
    """Elo or OpenSkill: own probabilities, and those learned from the past."""

    def __init__(self, name: str) -> None:
        self.name, self.ranker, self.chances = name, make_ranker(name), Chances()
        self.count: dict[int, int] = {}
        self.unit = 400 / np.log(10) if name == "elo" else 25 / 6

    def predict(self, who: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        x, n = self.ranker.scores(who), self._seen(who)
        if self.name == "elo":
            own = 1 / (1 + np.exp(-(x[:, None] - x) / self.unit))
        else:
            rated = [self.ranker._rating[i] for i in who.tolist()]
            mu, variance = np.array([r.mu for r in rated]), np.array([r.sigma**2 for r in rated])
            own = ndtr(
                (mu[:, None] - mu) / np.sqrt(2 * self.unit**2 + variance[:, None] + variance)
            )
        return own, self.chances.beats(x, n, self.unit)

    def _seen(self, who: np.ndarray) -> np.ndarray:
        return np.array([max(self.count.get(i, 0), 1) for i in who.tolist()], dtype=float)

    def learn(self, contest: Contest, known: np.ndarray) -> None:
        who = contest.who[known]
        if len(who) > 1:
            x = self.ranker.scores(who)
            self.chances.add(contest.score[known], x, self._seen(who), self.unit)
        self.ranker.learn(contest)
        for i in contest.who.tolist():
            self.count[i] = self.count.get(i, 0) + 1


def briers(name: str) -> list[str]:
    """Return the Brier scores on a set."""
    auto, others = Auto(), [Rated("elo"), Rated("openskill")]
    total, pairs = np.zeros(5), 0
    for contest in fair(name):
        known = np.isfinite(auto.scores(contest.who)) if len(contest) else np.zeros(0, dtype=bool)
        if known.sum() > 1:
            who, score = contest.who[known], contest.score[known]
            said = [auto.probabilities(who)] + [p for it in others for p in it.predict(who)]
            total += [brier(score, chance)[0] for chance in said]
            pairs += brier(score, said[0])[1]
        auto.learn(contest)
        for it in others:
            it.learn(contest, known)
    return [name, *(f"{value:.4f}" for value in total / pairs)]


if __name__ == "__main__":
    write("auto_brier.csv", HEADER, [briers(name) for name in [*PAPER_SETS, *OTHERS]])
