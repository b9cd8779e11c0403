"""Differences of ratings with their standard errors, as a table.

    x_a - x_b,     se^2 = C_aa + C_bb - 2 C_ab

with the covariance C of the model, see :mod:`~qrja.ratings.intervals.classical`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from itertools import combinations
from typing import Any

import numpy as np

from qrja.data import check_level, plain_list
from qrja.errors import InputError
from qrja.ratings.board.leaderboard import list_order
from qrja.ratings.fitted import Fit
from qrja.ratings.intervals import Errors, find_standard_errors
from qrja.ratings.words import Wording, number_in
from qrja.tables.out import build_frame

MOST = 500
"""Candidates of whom all pairs are listed."""
Pairs = list[tuple[int, int]]


def tabulate_differences(
    ratings: Fit,
    against: Hashable | None,
    pairs: Iterable[tuple[Hashable, Hashable]] | None,
    level: float,
    errors: Errors | None,
    kind: str | None,
) -> Any:
    """Lay differences out, see :meth:`qrja.Ratings.differences`."""
    check_level(level)
    standard = find_standard_errors(ratings, errors)
    chosen = _choose(ratings, against, pairs)
    i, j = (np.array([pair[side] for pair in chosen], dtype=np.int64) for side in (0, 1))
    names, x = ratings.problem.names, ratings.solution.x
    difference, se = x[i] - x[j], standard.of_differences(i, j)
    reach = standard.quantile(level) * se
    columns: dict[str, list[Any]] = {
        "a": [names[k] for k in i],
        "b": [names[k] for k in j],
        "difference": difference.tolist(),
        "se": se.tolist(),
        "low": (difference - reach).tolist(),
        "high": (difference + reach).tolist(),
    }
    return build_frame(columns, ratings.kind if kind is None else kind)


def _choose(
    ratings: Fit,
    against: Hashable | None,
    pairs: Iterable[tuple[Hashable, Hashable]] | None,
) -> Pairs:
    """Return the pairs that are asked for, by number."""
    names, label = ratings.problem.names, ratings.solution.components
    order = list_order(ratings).tolist()
    if pairs is not None:
        if against is not None:
            raise InputError("against and pairs both say which differences; give one of them")
        return [_pair(ratings, pair) for pair in plain_list(pairs, "pair")]
    if against is not None:
        one = number_in(ratings.problem, against)
        return [(k, one) for k in order if k != one and label[k] == label[one]]
    if len(names) > MOST:
        raise InputError(
            f"{len(names):,} candidates have too many differences to list; name one of them as"
            " against, or the pairs"
        )
    return [(k, m) for k, m in combinations(order, 2) if label[k] == label[m]]


def _pair(ratings: Fit, pair: Any) -> tuple[int, int]:
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        raise InputError(f"the pair {pair!r} is none; give two names")
    a, b = (number_in(ratings.problem, name) for name in pair)
    if ratings.solution.components[a] != ratings.solution.components[b]:
        raise InputError(
            f"{pair[0]!r} and {pair[1]!r} cannot be compared: no chain of"
            f" {Wording.of(ratings).words} joins them"
        )
    return a, b
