"""Leaving out: what least squares would be without one judgment, study or contest, with no refit.

A group of results is a Laplacian L_g on its arms and a pull g there, at the ratings. With the
resistances R between its arms and ``J = I - 1/k``,

    G = -J R J / 2,     L_g = B B^T,     T = B^T G B,     t = B^+ g
    f = B (I - T)^-1 t,     x without it = x - L^+ f,     Q without it = Q - t^T (I - T)^-1 t

and the group's results are off what the others foretell by their residuals plus the differences
of ``G f``. Of one judgment T is its leverage, ``h = w R_ab``, and that error ``r / (1 - h)``. A
direction in which T is 1 is a bridge: nothing else tells it, and it is left out of both.

References
----------
R. D. Cook and S. Weisberg, Residuals and Influence in Regression, 1982.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from qrja.data import Floats, Offsets, Problem, centre, order_by

BRIDGE = 1e-8
"""What one less a leverage is where only rounding keeps it from 0."""
ROUNDING = 1e-12
"""Part of the largest eigenvalue that is rounding."""
Resistance = Callable[[Offsets, Offsets], Floats]


class Group(NamedTuple):
    """A group: its contests or judgments, its candidates, L_g on these, and the pull g."""

    rows: Offsets
    arms: Offsets
    laplacian: Floats
    pull: Floats


@dataclass(frozen=True, eq=False)
class Deletions:
    """Each group left out in turn.

    Parameters
    ----------
    of : array of int
        The group of each contest or judgment.
    start, arms, flow : array
        The candidates of group g are ``arms[start[g]:start[g + 1]]``, and f is flow there.
    q, df : array
        By how much Q, and its degrees of freedom, fall without the group. Q is the sum of squares
        that ratings minimise.
    error : array of float
        How far each entry is off what all other groups foretell, relative to its contest; of a
        judgment one half for a, the other for b. NaN where they foretell nothing.

    Examples
    --------
    >>> from qrja import Judgments, fit
    >>> rated = fit(Judgments.from_arrays("aab", "bbc", [1, 4, 2]))
    >>> rated.left_out.error
    array([-1.5,  1.5,  1.5, -1.5,  nan,  nan])
    >>> rated.left_out.q, rated.left_out.df
    (array([4.5, 4.5, 0. ]), array([1, 1, 0]))
    """

    of: Offsets
    start: Offsets
    arms: Offsets
    flow: Floats
    q: Floats
    df: Offsets
    error: Floats


def group_numbers(problem: Problem) -> Offsets:
    """Return the group of each contest or judgment: its study, else itself."""
    if problem.study is None:
        return np.arange(len(problem))
    return np.asarray(problem.study, dtype=np.int64)


def leave_one_out(problem: Problem, x: Floats, resistance: Resistance) -> Deletions:
    """Leave out each group of a problem in turn, at its least-squares ratings x.

    ``resistance`` is asked for those between candidates, two arrays of numbers.
    """
    of = group_numbers(problem)
    if problem.study is None and (problem.sizes == 2).all():
        return _leave_pairs(problem, x, resistance)
    count = int(of.max(initial=-1)) + 1
    error = centre(problem.score - x[problem.who], problem.contest_of_entry)
    groups = list_groups(problem, error)
    start = np.concatenate([[0], np.cumsum([len(group.arms) for group in groups])])
    between = _resistances_within(groups, resistance)
    flow, q, df = np.zeros(start[-1]), np.zeros(count), np.zeros(count, dtype=np.int64)
    for g, (group, table) in enumerate(zip(groups, between, strict=True)):
        inside = slice(start[g], start[g + 1])
        flow[inside], q[g], df[g] = _leave(group, table)
        _add_errors(problem, group, _centred(table) @ flow[inside], df[g], error)
    arms = np.concatenate([group.arms for group in groups]) if groups else np.zeros(0, np.int64)
    return Deletions(of, start, arms, flow, q, df, error)


def _leave_pairs(problem: Problem, x: Floats, resistance: Resistance) -> Deletions:
    """Leave out each of many judgments, or contests of two, at once."""
    rows, arms = np.arange(len(problem)), problem.who.astype(np.int64)
    off = judgment_errors(problem, x, resistance, rows)
    told = ~np.isnan(off)
    left = problem.score[0::2] - problem.score[1::2] - (x[arms[0::2]] - x[arms[1::2]])
    flow = problem.pair_weight * np.where(told, off, 0.0)
    sides = np.array([1.0, -1.0])
    return Deletions(
        rows,
        problem.start.astype(np.int64),
        arms,
        np.outer(flow, sides).ravel(),
        np.where(told, flow * left, 0.0),
        told.astype(np.int64),
        np.outer(off, 0.5 * sides).ravel(),
    )


def list_groups(problem: Problem, values: Floats, rows: Offsets | None = None) -> list[Group]:
    """List the groups of some rows, or of all.

    ``values`` of entries, centred in each contest, are what pulls.
    """
    of = group_numbers(problem)
    count = int(of.max(initial=-1)) + 1
    error = centre(values, problem.contest_of_entry)
    order = order_by(of) if rows is None else rows[order_by(of[rows])]
    ends = np.searchsorted(of[order], np.arange(count + 1))
    return [
        _group(problem, np.asarray(order[first:last]), error)
        for first, last in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)
        if rows is None or last > first
    ]


def _group(problem: Problem, rows: Offsets, error: Floats) -> Group:
    """Add up the Laplacians and pulls of some contests."""
    entries = [np.arange(problem.start[row], problem.start[row + 1]) for row in rows.tolist()]
    who = problem.who[np.concatenate(entries)]
    arms, place = np.unique(who, return_inverse=True)
    laplacian, pull, at = np.zeros((len(arms), len(arms))), np.zeros(len(arms)), 0
    for row, mine in zip(rows.tolist(), entries, strict=True):
        here = place[at : at + len(mine)]
        at += len(mine)
        w, k = float(problem.pair_weight[row]), len(mine)
        laplacian[np.ix_(here, here)] += w * (k * np.eye(k) - 1.0)
        pull[here] += w * k * error[mine]
    return Group(rows, arms.astype(np.int64), laplacian, pull)


def _resistances_within(groups: list[Group], resistance: Resistance) -> list[Floats]:
    """Return a table of resistances for each group, all asked for at once."""
    pairs = [np.triu_indices(len(group.arms), 1) for group in groups]
    ones = [group.arms[i] for group, (i, _) in zip(groups, pairs, strict=True)]
    others = [group.arms[j] for group, (_, j) in zip(groups, pairs, strict=True)]
    if not groups:
        return []
    found = resistance(np.concatenate(ones), np.concatenate(others))
    cuts = np.cumsum([len(one) for one in ones])[:-1]
    tables = []
    for group, (i, j), values in zip(groups, pairs, np.split(found, cuts), strict=True):
        table = np.zeros((len(group.arms), len(group.arms)))
        table[i, j] = table[j, i] = values
        tables.append(table)
    return tables


def _centred(table: Floats) -> Floats:
    rows = table - table.mean(axis=0)
    return np.asarray(-0.5 * (rows - rows.mean(axis=1)[:, None]))


def _leave(group: Group, table: Floats) -> tuple[Floats, float, int]:
    """Return f, and by how much Q and its degrees of freedom fall."""
    values, vectors = np.linalg.eigh(group.laplacian)
    some = values > ROUNDING * max(float(values.max(initial=0.0)), np.finfo(float).tiny)
    root = vectors[:, some] * np.sqrt(values[some])
    leverage, turned = np.linalg.eigh(root.T @ _centred(table) @ root)
    told = 1.0 - leverage > BRIDGE
    turned, freedom = turned[:, told], 1.0 - leverage[told]
    t = turned.T @ (vectors[:, some].T @ group.pull / np.sqrt(values[some]))
    return root @ (turned @ (t / freedom)), float((t * t / freedom).sum()), int(told.sum())


def _add_errors(problem: Problem, group: Group, change: Floats, df: int, error: Floats) -> None:
    """Turn residuals of a group into errors of what the others foretell of it."""
    for row in group.rows.tolist():
        mine = slice(int(problem.start[row]), int(problem.start[row + 1]))
        place = np.searchsorted(group.arms, problem.who[mine])
        moved = change[place]
        error[mine] += moved - moved.mean() if len(moved) else 0.0
        # A bridge is foretold by nobody; in a larger group the other directions still are.
        if df < len(group.arms) - 1:
            error[mine] = np.nan


def judgment_errors(problem: Problem, x: Floats, resistance: Resistance, rows: Offsets) -> Floats:
    """Return by how much some judgments differ from what all others say, NaN where those do not.

    Each is left out by itself: ``r / (1 - w R)``.

    Examples
    --------
    >>> from qrja import Judgments
    >>> twice = Judgments.from_arrays("aa", "bb", [1, 4])
    >>> half = lambda i, j: np.full(len(i), 0.5)
    >>> judgment_errors(twice, np.array([1.25, -1.25]), half, np.array([0, 1]))
    array([-3.,  3.])
    """
    a, b = problem.who[0::2][rows].astype(np.int64), problem.who[1::2][rows].astype(np.int64)
    left = problem.score[0::2][rows] - problem.score[1::2][rows] - (x[a] - x[b])
    freedom = 1.0 - problem.pair_weight[rows] * resistance(a, b)
    errors: Floats = np.full(len(rows), np.nan)
    np.divide(left, freedom, out=errors, where=freedom > BRIDGE)
    return errors
