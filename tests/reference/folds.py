"""Cross-validation as it is told: fit the others, ask for each judgment, add up one by one."""

from __future__ import annotations

from collections.abc import Callable, Hashable

import numpy as np

import qrja
from qrja.folds import Folds
from qrja.metrics import Sums

Rate = Callable[[qrja.Judgments], dict[Hashable, float]]


def rate_by_power(p: float) -> Rate:
    """Ratings by name, as ``qrja rank --p`` gives them."""

    def rate(judged: qrja.Judgments) -> dict[Hashable, float]:
        found = qrja.fit(judged, p=p)
        return dict(zip(found.problem.names, found.solution.x.tolist(), strict=True))

    return rate


def win_likelihood(judged: qrja.Judgments, ridge: float, theta: np.ndarray) -> float:
    """The Bradley-Terry log-likelihood, judgment by judgment; a tie is half a win of each."""
    value = -ridge / 2 * float(theta @ theta)
    for a, b, y, w in zip(judged.a, judged.b, judged.y, judged.w, strict=True):
        won = 0.5 + np.sign(y) / 2
        gap = theta[a] - theta[b]
        value -= w * (won * np.log1p(np.exp(-gap)) + (1 - won) * np.log1p(np.exp(gap)))
    return float(value)


def cross_validate(judged: qrja.Judgments, folds: Folds, rate: Rate) -> Sums:
    """Sums over all judgments, each predicted by ratings of those it is predicted from."""
    total = Sums()
    for learned, predicted in folds.parts:
        rating = rate(judged[learned])
        for row in predicted.tolist():
            a, b = judged.names[judged.a[row]], judged.names[judged.b[row]]
            if a not in rating or b not in rating:
                continue
            y, told = float(judged.y[row]), rating[a] - rating[b]
            if abs(told) < 1e-9:
                told = 0.0
            right = 0.5 if told == 0 else float((told > 0) == (y > 0))
            error = y - told
            total += Sums(
                int(y != 0),
                right if y else 0.0,
                int(y != 0 and told == 0),
                0,
                1,
                abs(error),
                error**2,
            )
    return total
