"""Shared terms, slowly: linear programs, least squares and a minimiser on dense matrices."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog, minimize

from qrja import Contests, Judgments
from qrja.data import Floats
from qrja.losses import Power


def dense(problem: Contests | Judgments, z: Floats) -> tuple[Floats, Floats, Floats]:
    """Write out [A Z], y and w, a row for each pair; z is a row for each entry."""
    rows, y, w = [], [], []
    for c in range(len(problem)):
        entries = range(int(problem.start[c]), int(problem.start[c + 1]))
        for i in entries:
            for j in entries:
                if i < j:
                    row = np.zeros(problem.n + z.shape[1])
                    row[problem.who[i]] += 1
                    row[problem.who[j]] -= 1
                    row[problem.n :] = z[i] - z[j]
                    rows.append(row)
                    y.append(problem.score[i] - problem.score[j])
                    w.append(problem.pair_weight[c])
    return np.array(rows), np.array(y), np.array(w)


def least_loss(problem: Contests | Judgments, z: Floats, p: float) -> tuple[float, Floats]:
    """Return the least loss, and a beta that has it."""
    m, y, w = dense(problem, z)
    n, k = problem.n, m.shape[1]
    if p == 2:
        root = np.sqrt(w)
        found = np.linalg.lstsq(m * root[:, None], y * root, rcond=None)[0]
        return float(w @ (y - m @ found) ** 2), found[n:]
    if p in (1, np.inf):
        each = len(y) if p == 1 else 1
        slack = np.eye(len(y)) if p == 1 else np.ones((len(y), 1)) / w[:, None]
        cost = np.append(np.zeros(k), w if p == 1 else [1.0])
        above = np.block([[m, -slack], [-m, -slack]])
        bounds = [(None, None)] * k + [(0, None)] * each
        result = linprog(cost, A_ub=above, b_ub=np.append(y, -y), bounds=bounds)
        if result.status != 0:  # its digits are not enough
            return np.nan, np.full(k - n, np.nan)
        return float(result.fun), result.x[n:k]
    loss = Power(p)

    def value(v: Floats) -> tuple[float, Floats]:
        r = y - m @ v
        return float(w @ loss.value(r)), -m.T @ (w * loss.slope(r))

    begin = np.linalg.lstsq(m, y, rcond=None)[0]
    options = {"maxiter": 5000, "ftol": 1e-15, "gtol": 1e-12}
    result = minimize(value, begin, jac=True, method="L-BFGS-B", options=options)
    return float(result.fun), result.x[n:]


def least_pulled_loss(problem: Contests | Judgments, z: Floats, p: float, pull: Floats) -> float:
    """Return the least of the loss and ``sum pull beta^2``: a quadratic program, or a minimiser."""
    m, y, w = dense(problem, z)
    n, k = problem.n, m.shape[1]
    ridge = np.append(np.zeros(n), pull)
    if p == 2:
        rows = np.vstack([m * np.sqrt(w)[:, None], np.diag(np.sqrt(ridge))])
        goal = np.append(y * np.sqrt(w), np.zeros(k))
        found = np.linalg.lstsq(rows, goal, rcond=None)[0]
        return float(w @ (y - m @ found) ** 2 + ridge @ found**2)
    if p in (1, np.inf):
        return _by_lines(m, y, w, p, ridge)
    loss = Power(p)

    def value(v: Floats) -> tuple[float, Floats]:
        r = y - m @ v
        slope = -m.T @ (w * loss.slope(r)) + 2 * ridge * v
        return float(w @ loss.value(r) + ridge @ v**2), slope

    begin = np.linalg.lstsq(m, y, rcond=None)[0]
    options = {"maxiter": 5000, "maxfun": 50_000, "ftol": 1e-15, "gtol": 1e-12}
    return float(minimize(value, begin, jac=True, method="L-BFGS-B", options=options).fun)


def _by_lines(m: Floats, y: Floats, w: Floats, p: float, ridge: Floats) -> float:
    """Solve a linear program whose squares are 30 lines each, drawn closer six times."""
    n, pulled = m.shape[1], np.flatnonzero(ridge)
    each = len(y) if p == 1 else 1
    slack = np.eye(len(y)) if p == 1 else np.ones((len(y), 1)) / w[:, None]
    cost = np.concatenate([np.zeros(n), w if p == 1 else [1.0], np.ones(len(pulled))])
    none = np.zeros((len(y), len(pulled)))
    above = np.block([[m, -slack, none], [-m, -slack, none]])
    bounds = [(None, None)] * n + [(0, None)] * (each + len(pulled))
    centre, reach = np.zeros(len(pulled)), 20.0
    for _ in range(6):
        lines, most = [], []
        for k, j in enumerate(pulled):
            for c in centre[k] + reach * np.linspace(-1, 1, 30):
                line = np.zeros(len(cost))
                line[j], line[n + each + k] = 2 * ridge[j] * c, -1.0
                lines.append(line)
                most.append(ridge[j] * c**2)
        result = linprog(
            cost,
            A_ub=np.vstack([above, *lines]),
            b_ub=np.concatenate([y, -y, most]),
            bounds=bounds,
        )
        centre, reach = result.x[pulled], reach / 7
    # From below, lines miss a square of the distance between two of them.
    return float(result.fun)


def least_huber_loss(
    m: Floats, y: Floats, w: Floats, delta: float, held: Floats
) -> tuple[float, Floats]:
    """Return the least of Huber's loss, and ``sum held v^2``, and a v that has it.

    Newton's method: residuals within delta are squares, those beyond are lines. An infinite delta
    makes all of them squares.
    """

    def value(v: Floats) -> float:
        r = np.abs(y - m @ v)
        within = np.minimum(r, delta)
        return float(w @ (within * (r - within / 2)) + held @ v**2)

    v, step = np.linalg.lstsq(m, y, rcond=None)[0], 1.0
    for _ in range(500):
        r = y - m @ v
        slope = 2 * held * v - m.T @ (w * np.clip(r, -delta, delta))
        curved = m.T @ ((w * (np.abs(r) <= delta))[:, None] * m) + np.diag(2 * held)
        # Where no residual curves, the step is as long as the slope says.
        for direction in (np.linalg.lstsq(curved, slope, rcond=1e-12)[0], slope / w.sum()):
            step = 1.0
            while step > 1e-12 and not value(v - step * direction) < value(v):
                step /= 2
            if step > 1e-12:
                v = v - step * direction
                break
        else:
            break
    return value(v), v
