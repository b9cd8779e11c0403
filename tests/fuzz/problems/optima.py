"""Independent optima: whatever finds a smaller loss than the solver did, proves it wrong.

Least squares by elimination in 80 digits; piecewise linear losses by HiGHS; kinks rounded off by
ever less, and majorised by parabolas, which never raise the loss; smooth losses by Newton steps
from where the solver ended.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

import numpy as np

from fuzz.problems.exact import Exact, in_digits, raised

D = Decimal
Scores = list[Decimal]


def best_known(exact: Exact, x: Scores) -> Decimal:
    """Return the smallest objective that anyone finds, the solver included."""
    tried = [x]
    name, value = exact.loss
    if (name, value) == ("p", D(2)):
        tried.append(descend(exact, x, D(0), 3))
    elif exact.largest or name in ("insensitive", "pinball") or (name, value) == ("p", D(1)):
        if not exact.ridge:
            tried += linear_program(exact)
        if not exact.largest:
            for start in list(tried):
                tried.append(smoothed(exact, start))
    else:
        tried.append(
            smoothed(exact, x) if name == "p" and value < 2 else descend(exact, x, D(0), 60)
        )
    return min(exact.value(scores) for scores in tried)


def smoothed(exact: Exact, x: Scores) -> Scores:
    """Round the kinks off by ever less."""
    size = max((abs(r) for r in exact.residuals(x)), default=D(0)) or D(1)
    best = x
    for places in (1, 3, 5, 7, 10, 13):
        x = descend(exact, x, size.scaleb(-places), 15)
        best = min(best, x, key=exact.value)
    return best


def linear_program(exact: Exact) -> list[Scores]:
    """Minimise a piecewise linear loss by HiGHS, on scaled numbers."""
    from scipy.optimize import linprog

    m, n = len(exact.y), exact.n
    unit = float(max((abs(v) for v in [*exact.y, *exact.anchor.values()]), default=D(0))) or 1.0
    w = np.array([float(v) for v in exact.w])
    w = w / w.max(initial=1e-300)
    y = np.array([float(v) for v in exact.y]) / unit
    rows = np.zeros((m, n))
    rows[np.arange(m), exact.a] += 1.0
    rows[np.arange(m), exact.b] -= 1.0
    # Variables: the scores, then one bound per row, or one bound for all.
    spread = (1 / w)[:, None] if exact.largest else np.eye(m)
    up, down, eps = 1.0, 1.0, 0.0
    if exact.loss[0] == "pinball":
        up, down = float(exact.loss[1]), 1 - float(exact.loss[1])
    if exact.loss[0] == "insensitive":
        eps = float(exact.loss[1]) / unit
    above = np.hstack([-up * rows, -spread])
    below = np.hstack([down * rows, -spread])
    limit = np.concatenate([-up * y + eps, down * y + eps])
    cost = np.concatenate([np.zeros(n), [1.0] if exact.largest else w])
    held = {v: float(z) / unit for v, z in exact.anchor.items()}
    bounds = [(held[v], held[v]) if v in held else (None, None) for v in range(n)]
    bounds += [(0, None)] * spread.shape[1]
    found = linprog(cost, np.vstack([above, below]), limit, bounds=bounds)
    if found.x is None:
        return []
    x = [D(float(v)) * D(unit) for v in found.x[:n]]
    return [[exact.anchor.get(v, score) for v, score in enumerate(x)]]


@in_digits
def descend(exact: Exact, x: Scores, kink: Decimal, steps: int) -> Scores:
    """Take steps, halved until they help; those of rounded kinks help the rounded loss anyway."""
    x, free = list(x), [v for v in range(exact.n) if v not in exact.anchor]
    now = exact.value(x)
    for _ in range(steps):
        step = _step(exact, x, kink, free)
        for halvings in range(1 if kink else 30):
            trial = [v + s / 2**halvings for v, s in zip(x, step, strict=True)]
            there = exact.value(trial)
            if there < now:
                break
        if there >= now and not kink:
            break
        x, now = trial, there
    return x


def _step(exact: Exact, x: Scores, kink: Decimal, free: Sequence[int]) -> Scores:
    n = exact.n
    gradient = [2 * exact.ridge * (v - q) for v, q in zip(x, exact.prior, strict=True)]
    matrix = [[D(0)] * n for _ in range(n)]
    for v in range(n):
        matrix[v][v] += 2 * exact.ridge
    for a, b, w, r in zip(exact.a, exact.b, exact.w, exact.residuals(x), strict=True):
        s, c = derivatives(*exact.loss, r, kink)
        gradient[a] -= w * s
        gradient[b] += w * s
        for i, j, sign in ((a, a, 1), (b, b, 1), (a, b, -1), (b, a, -1)):
            matrix[i][j] += sign * w * c
    # The level of a component is free, and far out losses are flat: hold both by very little.
    least = max((matrix[v][v] for v in free), default=D(0)) * D("1e-45") or D(1)
    for v in free:
        matrix[v][v] += least
    solved = eliminate([[matrix[i][j] for j in free] for i in free], [-gradient[i] for i in free])
    step = [D(0)] * n
    for v, value in zip(free, solved, strict=True):
        step[v] = value
    return step


def derivatives(name: str, value: Decimal, r: Decimal, kink: Decimal) -> tuple[Decimal, Decimal]:
    """Return the slope of a loss and the curvature of a parabola for it, kinks rounded off."""
    if name == "huber":
        return (r, D(1)) if abs(r) <= value else (value.copy_sign(r), value / abs(r))
    if name == "logcosh":
        decay = (-2 * abs(r) / value).exp()
        tanh = (1 - decay) / (1 + decay)
        return (value * tanh).copy_sign(r), value * tanh / abs(r) if r else D(1)
    if name == "insensitive":
        (s, c), (t, d) = _rounded(r - value, kink), _rounded(r + value, kink)
        return (s + t) / 2, (c + d) / 2
    if name == "pinball":
        s, c = _rounded(r, kink)
        return s / 2 + value - D("0.5"), c / 2
    if value == 1:
        return _rounded(r, kink)
    t = (r * r + kink * kink).sqrt()
    if not t:
        return D(0), D(2) if value == 2 else D(0)
    bend = 1 if value < 2 else value - 1  # the parabola that majorises, or Newton's
    return value * raised(t, value - 1) * r / t, value * bend * raised(t, value) / t**2


def _rounded(r: Decimal, kink: Decimal) -> tuple[Decimal, Decimal]:
    t = (r * r + kink * kink).sqrt()
    return r / t, 1 / t


def eliminate(matrix: list[list[Decimal]], right: list[Decimal]) -> list[Decimal]:
    """Solve linear equations by Gauss.

    Examples
    --------
    >>> eliminate([[D(2), D(1)], [D(1), D(3)]], [D(3), D(4)])
    [Decimal('1'), Decimal('1')]
    """
    n = len(right)
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for i in range(n):
        top = max(range(i, n), key=lambda k: abs(rows[k][i]))
        rows[i], rows[top] = rows[top], rows[i]
        if not rows[i][i]:
            continue
        for k in range(i + 1, n):
            factor = rows[k][i] / rows[i][i]
            if factor:
                rows[k] = [u - factor * v for u, v in zip(rows[k], rows[i], strict=True)]
    x = [D(0)] * n
    for i in reversed(range(n)):
        known = sum((rows[i][j] * x[j] for j in range(i + 1, n)), D(0))
        x[i] = (rows[i][n] - known) / rows[i][i] if rows[i][i] else D(0)
    return x
