"""p = 1 by linear programs, and all of its optima."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_array

from qrja import Judgments
from reference.graphs import incidence


def absolute_program(problem: Judgments) -> tuple[np.ndarray, np.ndarray, np.ndarray, list]:
    """min sum w t with |x_a - x_b - y| <= t as a linear program in (x, t): cost, rows, right."""
    A, identity = incidence(problem), np.eye(problem.m)
    rows = np.vstack([np.hstack([A, -identity]), np.hstack([-A, -identity])])
    cost = np.append(np.zeros(problem.n), problem.w)
    bounds = [(None, None)] * problem.n + [(0, None)] * problem.m
    return cost, rows, np.append(problem.y, -problem.y), bounds


def least_absolute(problem: Judgments) -> float:
    """The least sum of absolute errors, by HiGHS."""
    if not problem.m:
        return 0.0
    cost, rows, right, bounds = absolute_program(problem)
    return linprog(cost, rows, right, bounds=bounds).fun


def largest_dual(problem: Judgments) -> float:
    """The largest f . y of conserved flows |f| <= w, by HiGHS: the l1 optimum of large problems."""
    rows, m = np.append(problem.a, problem.b), problem.m
    values = np.append(np.ones(m), -np.ones(m))
    balance = coo_array((values, (rows, np.tile(np.arange(m), 2))), shape=(problem.n, m))
    limits = np.stack([-problem.w, problem.w], axis=1)
    right = np.zeros(problem.n)
    return -linprog(-problem.y, A_eq=balance.tocsr(), b_eq=right, bounds=limits).fun


def largest_differences(problem: Judgments) -> np.ndarray:
    """The largest x_a - x_b over all l1 optima, a linear program for each pair of a component."""
    n, label = problem.n, problem.components
    D = np.where(label[:, None] == label[None, :], 0.0, np.inf)
    if not problem.m:
        return D
    cost, rows, right, bounds = absolute_program(problem)
    best = linprog(cost, rows, right, bounds=bounds).fun
    rows, right = np.vstack([rows, cost]), np.append(right, best + 1e-9 * (1 + best))
    for a in range(n):
        for b in range(n):
            if a != b and label[a] == label[b]:
                aim = np.zeros_like(cost)
                aim[a], aim[b] = -1, 1
                D[a, b] = -linprog(aim, rows, right, bounds=bounds).fun
    return D


def greatest_optimum(D: np.ndarray) -> np.ndarray:
    """The pointwise greatest x <= 0, from the largest differences."""
    return D.min(axis=1, initial=np.inf)


def central_optimum(D: np.ndarray, label: np.ndarray, rounds: int = 8) -> np.ndarray:
    """Half way between greatest and least; then rounds half way to the middle of what is free."""
    x = (greatest_optimum(D) - greatest_optimum(D.T)) / 2
    free = D + D.T > 1e-6
    for _ in range(rounds):
        apart = x[:, None] - x[None, :]
        up = np.where(free, D - apart, np.inf).min(axis=1, initial=1e300)
        down = np.where(free, D.T + apart, np.inf).min(axis=1, initial=1e300)
        x = x + (up - down) / 4
    means = [x[label == label[i]].mean() for i in range(len(x))]
    return x - np.array(means)
