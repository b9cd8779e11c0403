"""Omissions: how far each judgment, study or contest is off the others, and what it does.

Leaving a group g out lets Q fall by ``Q_g`` and the degrees of freedom by ``k_g``
(:mod:`qrja.ratings.precision`). In errors that are known, or else seen in what is left,

    studentised = sign sqrt(Q_g / k_g) / s,     s = 1,   or   s^2 = (Q - Q_g) / (df - k_g)

which for one judgment is its residual over the standard error of it. Its chance is that of a
chi-square, or of an F. Ratings without the group are ``x - L^+ f``. All is by squares, whatever
the loss; contests count as their pairs weigh. With scaled errors the chance is that of an F exactly
where pairs weigh as they are precise: for judgments, contests of one size, and pairs of 1/k each.
In contests of different sizes whose pairs weigh the same it is near to that.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import Any, NamedTuple

import numpy as np

from qrja.data import Floats, Offsets, centre
from qrja.errors import InputError
from qrja.ratings.fitted import Fit
from qrja.ratings.intervals import Errors
from qrja.ratings.precision import measure_misfit
from qrja.ratings.ranks import rank_within
from qrja.tables.out import build_frame

ROUNDING = 1e-12
"""A share of the squares that is rounding."""


class Omission(NamedTuple):
    """What one group is off the others, and what the ratings would be without it.

    Parameters
    ----------
    label : hashable
        The contest, the study, or the number of the judgment.
    a, b : hashable or None
        Of a judgment, the two.
    said, foretold : float or None
        Of a judgment, its margin and what all others foretell of it.
    studentised : float
        How far it is off, in standard errors; of groups of several without a sign.
    df : int
        Its independent margins that others foretell.
    p : float
        The chance of as much.
    moved : hashable
        Whose rating changes most without it.
    by : float
        By how much that rating changes.
    rank, rank_without : int
        The rank of that contestant, with and without it.
    reordered : int
        How many contestants have another rank without it.
    """

    label: Hashable
    a: Hashable | None
    b: Hashable | None
    said: float | None
    foretold: float | None
    studentised: float
    df: int
    p: float
    moved: Hashable
    by: float
    rank: int
    rank_without: int
    reordered: int


class Surprise(NamedTuple):
    """How far each group is off: studentised, and the chance of as much."""

    studentised: Floats
    p: Floats


def measure_surprise(ratings: Fit, errors: Errors | None = None) -> Surprise:
    """Measure how far each group is off all others.

    Examples
    --------
    >>> import qrja
    >>> judged = qrja.Judgments.from_arrays("aaa", "bbb", [1, 1, 4], se=[1, 1, 1])
    >>> measure_surprise(qrja.fit(judged)).studentised.round(3)
    array([-1.225, -1.225,  2.449])
    """
    from scipy.special import chdtrc, fdtrc  # takes a while to load

    out, problem = ratings.left_out, ratings.problem
    errors = errors or ("scaled" if problem.se is None else "known")
    k = np.maximum(out.df, 1)
    if errors == "known":
        if problem.se is None:
            raise InputError(
                f"errors are 'known', and no {problem.noun} has a standard error; give se, or take"
                " errors='scaled'"
            )
        return Surprise(_signed(ratings, np.sqrt(out.q / k)), chdtrc(k, out.q))
    misfit = measure_misfit(*ratings.model.ground(problem, ratings.squares))
    left, total = misfit.df - out.df, misfit.q if problem.directed else _sum_of_squares(ratings)
    rest = np.maximum(total - out.q, 0.0)
    # Where the others agree to rounding, nothing tells how far is far.
    told = (left > 0) & (rest > ROUNDING * total)
    ratio: Floats = np.full(len(k), np.nan)
    np.divide(out.q / k, rest / np.maximum(left, 1), out=ratio, where=told)
    p = np.where(told, fdtrc(k, np.maximum(left, 1), np.where(told, ratio, 0.0)), np.nan)
    return Surprise(_signed(ratings, np.sqrt(ratio)), p)


def list_omissions(ratings: Fit, most: int | None, errors: Errors | None = None) -> list[Omission]:
    """List what each group is off and does, the worst first."""
    out, surprise = ratings.left_out, measure_surprise(ratings, errors)
    told = np.flatnonzero((out.df > 0) & ~np.isnan(surprise.p))
    size = np.round(np.abs(surprise.studentised[told]), 9)
    chosen = told[np.argsort(-size, kind="stable")][:most]
    without = _ratings_without(ratings, chosen)
    return [_omission(ratings, int(g), surprise, x) for g, x in zip(chosen, without.T, strict=True)]


def tabulate_omissions(
    ratings: Fit, most: int | None, errors: Errors | None, kind: str | None
) -> Any:
    """Lay omissions out, see :meth:`qrja.Ratings.omissions`."""
    rows = list_omissions(ratings, most, errors)
    names = [name for name in Omission._fields if name not in _absent(ratings)]
    columns = {name: [getattr(row, name) for row in rows] for name in names}
    columns[_word(ratings)] = columns.pop("label")
    order = [_word(ratings), *(name for name in columns if name != _word(ratings))]
    return build_frame(
        {name: columns[name] for name in order}, ratings.kind if kind is None else kind
    )


def _word(ratings: Fit) -> str:
    return ratings.problem.noun if ratings.problem.study is None else "study"


def _absent(ratings: Fit) -> tuple[str, ...]:
    """Name the columns that only single judgments have."""
    if ratings.problem.directed and ratings.problem.study is None:
        return ()
    return ("a", "b", "said", "foretold")


def _sum_of_squares(ratings: Fit) -> float:
    problem, x = ratings.problem, ratings.squares
    left = centre(problem.score - x[problem.who], problem.contest_of_entry)
    rays = problem.pair_weight * problem.sizes
    return float(rays[problem.contest_of_entry] @ left**2)


def _signed(ratings: Fit, size: Floats) -> Floats:
    """Give a judgment by itself the sign of its error: whether it says more than the others."""
    out, problem = ratings.left_out, ratings.problem
    if not problem.directed or problem.study is not None:
        return size
    return np.asarray(size * np.where(out.error[0::2] < 0, -1.0, 1.0))


def _ratings_without(ratings: Fit, groups: Offsets) -> Floats:
    """Return the ratings of least squares without each group, a column each."""
    out = ratings.left_out
    # Measured values are a node more, the ground.
    flow = np.zeros((ratings.covariance.n, len(groups)))
    for column, g in enumerate(groups.tolist()):
        inside = slice(int(out.start[g]), int(out.start[g + 1]))
        flow[out.arms[inside], column] = out.flow[inside]
    change = ratings.covariance.solve(flow)[: ratings.problem.n]
    return np.asarray(ratings.squares[:, None] - change)


def _omission(ratings: Fit, g: int, surprise: Surprise, x: Floats) -> Omission:
    problem, before = ratings.problem, ratings.squares
    moved = int(np.abs(x - before).argmax())
    old, new = (rank_within(one, problem.components) for one in (before, x))
    label: Hashable = problem.labels[g] if problem.study is None else _study(ratings, g)
    omission = Omission(
        label,
        None,
        None,
        None,
        None,
        float(surprise.studentised[g]),
        int(ratings.left_out.df[g]),
        float(surprise.p[g]),
        problem.names[moved],
        float(x[moved] - before[moved]),
        int(old[moved]),
        int(new[moved]),
        int((old != new).sum()),
    )
    if not problem.directed or problem.study is not None:
        return omission
    a, b = problem.who[2 * g], problem.who[2 * g + 1]
    said = float(problem.score[2 * g] - problem.score[2 * g + 1])
    told = {"a": problem.names[a], "b": problem.names[b]}
    return omission._replace(**told, said=said, foretold=float(x[a] - x[b]))


def _study(ratings: Fit, g: int) -> Hashable:
    studies: tuple[Hashable, ...] = getattr(ratings.problem, "studies", ())
    return studies[g] if g < len(studies) else g


def is_unlikely(p: float | None, count: int, level: float = 0.05) -> bool:
    """Tell whether a chance is small even for the worst of so many.

    Examples
    --------
    >>> is_unlikely(0.001, 10), is_unlikely(0.001, 100), is_unlikely(None, 1)
    (True, False, False)
    """
    return p is not None and not math.isnan(p) and p * count < level
