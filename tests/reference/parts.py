"""Entries with parts, slowly: dense matrices, minimisers that know nothing of flows."""

from __future__ import annotations

import math

import numpy as np
from scipy.optimize import linprog, minimize
from tests.reference.terms import dense

from qrja import Contests, Judgments
from qrja.data import Floats
from qrja.losses import KnownLoss
from qrja.parts import PartScores


def members(problem: Contests | Judgments, parts: PartScores) -> Floats:
    """Write out who is in which entry, from the covariates alone."""
    known = {one.name: one for one in problem.covariates}
    table = np.zeros((problem.entries, len(parts.columns)))
    for j, (name, k) in enumerate(zip(parts.columns.names, parts.columns.of_part, strict=True)):
        for column in parts.columns.parts[k].columns:
            one = known[column]
            for e in range(problem.entries):
                cell = one.levels[int(one.values[e])] if one.levels else one.values[e]
                listed = cell.split(";") if isinstance(cell, str) else [cell]
                table[e, j] += sum(str(name) == str(it).strip().removesuffix(".0") for it in listed)
    return table


def least_cost(
    problem: Contests | Judgments,
    parts: PartScores,
    loss: KnownLoss,
    z: Floats | None = None,
    ridge: float = 0.0,
) -> float:
    """Return the least loss with the pulls of parts and the ridge of contestants."""
    pull = np.minimum(parts.pull, 1e12)[parts.columns.of_part]
    more = np.zeros((problem.entries, 0)) if z is None else z
    m, y, w = dense(problem, np.hstack([members(problem, parts), more]))
    held = np.concatenate([np.full(problem.n, ridge), pull, np.zeros(more.shape[1])])
    if loss.power == 1:
        return _least_absolute(m, y, w, held)

    def value(v: Floats) -> tuple[float, Floats]:
        r = y - m @ v
        cost = float(w @ loss.value(r)) + float(held @ v**2)
        return cost, -m.T @ (w * loss.slope(r)) + 2 * held * v

    begin = np.linalg.lstsq(m, y, rcond=None)[0]
    options = {"maxiter": 20000, "maxfun": 50000, "ftol": 1e-16, "gtol": 1e-12}
    return float(minimize(value, begin, jac=True, method="L-BFGS-B", options=options).fun)


def _least_absolute(m: Floats, y: Floats, w: Floats, held: Floats) -> float:
    """Solve linear programs whose squares are lines, drawn closer each time; the cost is exact.

    With ``v = sqrt(held) x`` no optimum is farther out than the root of the cost of 0. Lines miss
    at most the square of half their distance d: an optimum is within ``sqrt(pulled) d / 2``.
    """
    rows, n = m.shape
    root = np.sqrt(held)
    columns, pulled = m / np.where(held > 0, root, 1.0), np.flatnonzero(held)
    none = np.zeros((rows, len(pulled)))
    above = np.block([[columns, -np.eye(rows), none], [-columns, -np.eye(rows), none]])
    prices = np.concatenate([np.zeros(n), w, np.ones(len(pulled))])
    bounds = [(None, None)] * n + [(0, None)] * (rows + len(pulled))
    centre, reach, least = np.zeros(len(pulled)), math.sqrt(float(w @ np.abs(y))), math.inf
    while True:
        at = centre[:, None] + reach * np.linspace(-1, 1, 30)
        lines = np.zeros((at.size, len(prices)))
        of = np.repeat(np.arange(len(pulled)), at.shape[1])
        lines[np.arange(at.size), pulled[of]] = 2 * at.ravel()
        lines[np.arange(at.size), n + rows + of] = -1.0
        result = linprog(
            prices,
            A_ub=np.vstack([above, lines]),
            b_ub=np.concatenate([y, -y, at.ravel() ** 2]),
            bounds=bounds,
        )
        if result.status != 0:  # its digits are not enough
            return least
        v = result.x[:n]
        cost = float(w @ np.abs(y - columns @ v) + v[pulled] @ v[pulled])
        if not cost < least * (1 - 1e-9):
            return min(cost, least)
        centre, least = v[pulled], cost
        reach = min(1.1 * math.sqrt(len(pulled)) * reach / 29, reach / 4)


def deviance(
    problem: Contests, table: Floats, of_part: Floats, rho: Floats, *, own: float | None = None
) -> float:
    """Return -2 log of the restricted likelihood by the covariance of all scores, written out.

    For contests whose pairs are "additive": every entry weighs the same.
    """
    main, contest = np.eye(problem.n)[problem.who], np.eye(len(problem))[problem.contest_of_entry]
    covariance = np.eye(problem.entries) + (table * rho[of_part]) @ table.T
    fixed = np.hstack([main, contest])
    if own is not None:
        covariance, fixed = covariance + own * main @ main.T, contest
    u, s, _ = np.linalg.svd(fixed)
    rest = u[:, int((s > 1e-9 * s[0]).sum()) :]
    inside, left = rest.T @ covariance @ rest, rest.T @ problem.score
    loss = float(left @ np.linalg.solve(inside, left))
    return float(len(left) * math.log(loss) + np.linalg.slogdet(inside)[1])
