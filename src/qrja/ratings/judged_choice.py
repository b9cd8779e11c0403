"""The choice of p for judgments: the one by which some foretell the others best.

    for each p, each part of the folds:  fit the other judgments, compare x_a - x_b with y

Absolute errors favour a small p, whose optimum is a median, and squared ones a large p. So margins
are compared by both together:

    score(p) = (mean |error|) * sqrt(mean error^2)

Where order decides, it is by the share of judgments in the right order, and by that score among
equals. Which judgments foretell which is the business of :mod:`qrja.folds`.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from qrja.data import Judgments
from qrja.folds import Folds, deal
from qrja.metrics import Sums, score_judgments, total
from qrja.ratings.model import Model, ModelChoice
from qrja.solvers import solve_checked

POWERS = (2.0, 1.5, 1.0, 3.0)
"""What is tried; of equals the first."""


def choose_power(data: Judgments, model: Model, objective: str) -> tuple[Model, ModelChoice]:
    """Return a model with the p that predicts best.

    Examples
    --------
    >>> random = np.random.default_rng(1)
    >>> a = random.integers(6, size=300)
    >>> b = (a + random.integers(1, 6, size=300)) % 6
    >>> judged = Judgments.from_arrays(a, b, b - a + random.standard_t(1.5, 300))
    >>> model, choice = choose_power(judged, Model(), "margin")
    >>> print(choice)
    p = 1 predicts best of 2, 1.5, 1 and 3. Cross-validated in 5 folds: each judgment is predicted
    from those of the other folds.
    """
    folds = deal(data)
    found = {p: foretell(data, folds, p) for p in POWERS}
    best = min(POWERS, key=lambda p: _badness(found[p], objective))
    if not found[best].margins:
        told = "Nothing could be predicted, so that p = 2 is as good as any."
        return replace(model, p=2), ModelChoice(told, objective)
    *most, last = (f"{p:g}" for p in POWERS)
    sentence = f"p = {best:g} predicts best of {', '.join(most)} and {last}. {folds.sentence}"
    return replace(model, p=best), ModelChoice(sentence, objective)


def foretell(data: Judgments, folds: Folds, p: float) -> Sums:
    """Return how well ratings by a power foretell the judgments that they have not seen."""
    sums: list[Sums] = []
    for part in folds.parts:
        learned, asked = data.rows(part.learned), data.rows(part.predicted)
        x = solve_checked(learned, p).x.copy()
        x[np.bincount(learned.who, minlength=learned.n) == 0] = np.nan
        one = np.zeros(len(asked), dtype=np.int64)
        sums += score_judgments(asked.y, x[asked.a] - x[asked.b], one)
    return total(sums)


def _badness(sums: Sums, objective: str) -> tuple[float, float]:
    """Return what is least for the best p."""
    if not sums.margins:
        return math.inf, math.inf
    margin = sums.margin_l1 / sums.margins * math.sqrt(sums.margin_l2 / sums.margins)
    wrong = 1.0 - (sums.value("ordinal_accuracy") or 0.0)
    return (wrong, margin) if objective == "order" else (margin, wrong)
