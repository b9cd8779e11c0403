"""Exchange rates: one unit of a is worth ``exp(x_a - x_b)`` units of b.

Ratio judgments ("one unit of a is worth 3 of b") live as logarithms, so differences of ratings are
logarithms of rates. Rates from one rating are consistent: going through a third candidate gains
nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from qrja.errors import InputError
from qrja.ratings.fitted import Fit
from qrja.tables.out import build_frame


def tabulate_rates(ratings: Fit, kind: str | None) -> Any:
    """Lay the exchange rates out, the most valuable candidates first."""
    if ratings.units.kind != "ratio":
        raise InputError(
            f"exchange rates need judgments that are ratios, and these are {ratings.units.kind}s;"
            " give the column of ratios as ratio"
        )
    x, label = ratings.solution.x, ratings.solution.components
    order = np.lexsort((-x, label))
    names = [str(ratings.problem.names[i]) for i in order]
    columns: dict[str, list[Any]] = {"one unit of": names}
    for name, j in zip(names, order, strict=True):
        rate = np.exp(np.clip(x[order] - x[j], -700, 700))
        same = label[order] == label[j]
        columns[name] = [
            float(v) if ok else None for v, ok in zip(rate.round(12), same, strict=True)
        ]
    return build_frame(columns, ratings.kind if kind is None else kind)
