"""What contestants, their levels and shared terms leave of members, to learn variances by.

    S = C - C_x (L + ridge)^+ C_x^T,      s = M^T W r,      yy = r^T W r

with M the columns of members, relative to the mean of each contest, W the weights, r what the
contestants alone leave of the scores, and C, C_x the products of columns with themselves and with
those of contestants. Columns of shared terms are seen the same way and taken out last.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array, hstack

from qrja.data import Contests, Floats, Judgments, Offsets
from qrja.laplacian import BorderedLaplacian
from qrja.parts import PartColumns
from qrja.solution import Demands
from qrja.terms import TermColumns

ROUGH = 1e-4
"""How far systems are solved from where they stood: variances need no more digits."""
ROUNDING = 1e-9
"""Of a column what is left of it by rounding, where the rest explains it fully."""


@dataclass(frozen=True, eq=False)
class SeenThrough:
    """S, s, yy and the degrees of freedom beside what was taken out."""

    matrix: Floats
    s: Floats
    squares: float
    df: int


def look_through(
    problem: Contests | Judgments,
    columns: PartColumns,
    demands: Demands,
    terms: TermColumns | None,
    *,
    own: bool,
) -> SeenThrough:
    """Take contestants, unless they are members too, and terms out of the columns of members."""
    z, n = _terms(problem, terms), problem.n
    border = csr_array(hstack([columns.entries, z], format="csr"))
    none = np.zeros(n + border.shape[1])
    plain = BorderedLaplacian(problem, border, none, demands.free)
    score = problem.score - demands.goal[problem.who]
    if own:
        whole, at = plain.matrix, np.arange(plain.size)
        residual = plain.residual(score, none)
    else:
        pull = np.full(n, demands.ridge)
        only = BorderedLaplacian(problem, csr_array((problem.entries, 0)), pull, demands.free)
        rows = plain.columns_of(np.arange(n, plain.size))
        x = only.fit(score)
        explained = only.solve(rows[:n])
        whole = rows[n:] - rows[:n].T @ explained
        residual = only.residual(score, x)
        at = np.arange(n, plain.size)
    s = plain.right_side(residual)[at]
    squares = float(plain.rays @ residual**2)
    if not own:
        squares += demands.ridge * float(x @ x)
    whole = 0.5 * (whole + whole.T)
    members = len(s) - z.shape[1]
    df = count_free(problem, demands, z.shape[1], own=own)
    if z.shape[1]:
        block, across = whole[members:, members:], whole[members:, :members]
        share = np.linalg.solve(block, np.column_stack([across, s[members:]]))
        squares -= float(s[members:] @ share[:, -1])
        s = s[:members] - across.T @ share[:, -1]
        whole = whole[:members, :members] - across.T @ share[:, :-1]
    whole, s = whole[:members, :members], s[:members]
    nothing = np.diag(whole) <= ROUNDING * plain.diagonal[at[:members]]
    whole = np.where(nothing[:, None] | nothing, 0.0, whole)
    return SeenThrough(np.asarray(whole), np.where(nothing, 0.0, s), squares, df)


def count_free(problem: Contests | Judgments, demands: Demands, terms: int, *, own: bool) -> int:
    """Return the degrees of freedom that contestants and terms leave."""
    if own or demands.ridge > 0:
        return problem.independent - terms
    label = problem.components
    floating = len(np.setdiff1d(label, label[~demands.free]))
    return problem.independent - int(demands.free.sum()) + floating - terms


def see_in_steps(
    problem: Contests | Judgments,
    columns: PartColumns,
    demands: Demands,
    terms: TermColumns | None,
    groups: list[Offsets],
    *,
    own: bool,
    rounds: int,
    probes: int,
    close: float,
    least: float,
    most: float,
) -> tuple[Floats, float]:
    """Return rho of each group and s, with no matrix written out; see :mod:`variances`."""
    z, n, first = _terms(problem, terms), problem.n, 0 if own else problem.n
    border = csr_array(hstack([columns.entries, z], format="csr"))
    size = n + border.shape[1]
    score = problem.score - demands.goal[problem.who]
    df = count_free(problem, demands, z.shape[1], own=own)
    known = problem.se is not None
    signs = np.random.default_rng(0).choice([-1.0, 1.0], (size - first - z.shape[1], probes))
    right = np.zeros((size, probes))
    right[first : size - z.shape[1]] = signs
    plain = BorderedLaplacian(problem, border, np.zeros(size), demands.free)
    usual = np.array([float(np.median(plain.diagonal[first + group])) for group in groups])
    v, guess = np.zeros(size), np.zeros_like(right)
    rho, noise = 1.0 / np.maximum(usual, np.finfo(np.float64).tiny), 1.0
    for _ in range(rounds):
        alive = rho > 0
        pull = np.append(np.full(n, 0.0 if own else demands.ridge), np.zeros(size - n))
        for k, group in enumerate(groups):
            pull[first + group] = 1.0 / rho[k] if alive[k] else 1e12 * usual[k]
        system = plain.pulled(pull)
        v = v + system.solve(system.gradient(system.residual(score, v), v)[:, None], ROUGH)[:, 0]
        residual = system.residual(score, v)
        squares = float(system.rays @ residual**2) + float(pull @ v**2)
        noise = 1.0 if known else math.sqrt(max(squares, np.finfo(np.float64).tiny) / max(df, 1))
        guess = guess + system.solve(right - system.product(guess), ROUGH)
        found = guess[first : size - z.shape[1]]
        traces = (signs * found).mean(axis=1)
        last = rho.copy()
        for k, group in enumerate(groups):
            told = len(group) - float(traces[group].sum()) * pull[first + group[0]]
            if alive[k]:
                rho[k] = float(v[first + group] @ v[first + group]) / noise**2 / max(told, 1e-9)
                rho[k] = min(rho[k], most / usual[k])
                if rho[k] < least / usual[k] or told < least * len(group):
                    rho[k] = 0.0
        both = (rho > 0) & (last > 0)
        if (both == (last > 0)).all() and np.all(np.abs(np.log(rho[both] / last[both])) < close):
            break
    return rho, noise


def _terms(problem: Contests | Judgments, terms: TermColumns | None) -> csr_array:
    if terms is None:
        return csr_array((problem.entries, 0))
    return csr_array(terms.z)
