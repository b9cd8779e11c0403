"""Any loss as least squares: other weights for which the same ratings are best.

    weight_i = w_i f'(r_i) / r_i  at the residuals r of the optimum; for a power, w_i |r_i|^(p - 2)

x minimises both, so what explains least squares explains the loss, with the weights that residuals
have there.
"""

from __future__ import annotations

import numpy as np

from qrja.data import Floats, Judgments
from qrja.errors import InputError
from qrja.solution import Solution

FLOOR = 1e-6
"""Residuals below this share of the largest margin count as it: the weight of a residual of 0
would be infinite for p < 2, and 0 for p > 2."""

LEAST = 1e-13
"""Weights below this share of the largest one count as it: the graph must hold together."""


def as_least_squares(judgments: Judgments, solution: Solution) -> Judgments:
    """Return the judgments with the weights for which the same x is the least-squares optimum.

    Examples
    --------
    >>> from qrja import solve
    >>> j = Judgments.from_arrays("abac", "bccb", [1, 1, 5, 2])
    >>> x = solve(j, p=1.5).x
    >>> bool(np.allclose(solve(as_least_squares(j, solve(j, p=1.5)), p=2).x, x, atol=1e-5))
    True
    """
    r = judgments.y - solution.x[judgments.a] + solution.x[judgments.b]
    small = FLOOR * max(float(np.abs(judgments.y).max(initial=0.0)), np.finfo(float).tiny)
    size = np.maximum(np.abs(r), small)
    p = solution.power
    if p == np.inf:
        raise InputError(
            "p = inf is decided by the worst judgments alone; fit with a finite p to explain"
        )
    if p is not None:
        # Relative to the largest residual, so that no power overflows.
        weight = judgments.w * (size / size.max(initial=small)) ** (p - 2)
    else:
        weight = _slopes(solution) / size
    if not weight.any() and solution.minimised is not None and solution.minimised.loss is not None:
        # Judgments that agree have no slope; a smooth loss is least squares there.
        weight = judgments.w * solution.minimised.loss.curvature(np.zeros(len(judgments)))
    if not weight.any() and len(weight):
        raise InputError(
            f"the loss {solution.loss} forgives every error here, so nothing fixes the difference;"
            " fit with p = 2 to explain"
        )
    weight = np.maximum(weight, LEAST * float(weight.max(initial=0.0)))
    return Judgments(judgments.a, judgments.b, judgments.y, weight, judgments.names)


def _slopes(solution: Solution) -> Floats:
    """Return ``|w f'(r)|``, which is the certifying flow of any loss."""
    try:
        return np.abs(solution.flow())
    except ValueError:
        raise InputError(
            f"the loss {solution.loss} has no flow to explain; fit with p = 2 or another power"
        ) from None
