"""Columns of entries: what is asked of them before they are grouped into contests."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any
from warnings import catch_warnings, simplefilter

import numpy as np
from numpy.typing import ArrayLike, NDArray

from qrja.data.arrays import Floats, Index, Offsets, S, same_length
from qrja.errors import InputError

Dates = NDArray[np.datetime64]


def first_repeat(group: Index, who: Index) -> int | None:
    """Return the first entry whose contestant the same contest lists earlier, or None.

    Examples
    --------
    >>> first_repeat(np.array([0, 0, 1, 0]), np.array([5, 6, 5, 5]))
    3
    """
    key = group.astype(np.int64) * (int(who.max(initial=0)) + 1) + who
    ordered = np.sort(key)  # several times as fast as the stable sort that finds the place
    if not (ordered[1:] == ordered[:-1]).any():
        return None
    order = np.argsort(key, kind="stable")
    later = order[1:][np.diff(key[order]) == 0]
    return int(later.min()) if len(later) else None


def best_rows(key: NDArray[np.integer[Any]], score: Floats) -> Offsets:
    """Return, in their order, the rows to keep for every key to occur once: each time the best.

    Of equal scores the first is kept.

    Examples
    --------
    >>> best_rows(np.array([5, 3, 5]), np.array([1.0, 2.0, 4.0]))
    array([1, 2])
    """
    order = np.lexsort((-score, key))
    return np.sort(order[np.append(True, np.diff(key[order]) != 0)[: len(key)]])


def renumber(who: Index, n: int) -> tuple[Index, Offsets]:
    """Renumber contestants by first appearance; return also the old number of each.

    Examples
    --------
    >>> renumber(np.array([7, 4, 7]), 9)
    (array([0, 1, 0], dtype=int32), array([7, 4]))
    """
    first = np.full(n, len(who), dtype=np.int64)
    np.minimum.at(first, who, np.arange(len(who)))
    seen = np.argsort(first, kind="stable")[: int((first < len(who)).sum())]
    number = np.empty(n, dtype=np.int32)
    number[seen] = np.arange(len(seen), dtype=np.int32)
    return number[who], seen


def first_seen_in_order(who: Index, n: int) -> bool:
    """Tell whether all of n contestants appear, numbered by first appearance.

    Examples
    --------
    >>> first_seen_in_order(np.array([0, 1, 0, 2]), 3), first_seen_in_order(np.array([1, 0]), 2)
    (True, False)
    """
    if not len(who):
        return n == 0
    newest = np.maximum.accumulate(who)
    return bool(
        who[0] == 0
        and who.min() == 0
        and newest[-1] == n - 1
        and np.diff(newest).max(initial=0) <= 1
    )


def as_dates(date: ArrayLike, noun: str = "contest") -> Dates:
    """Check a column of dates, to the second; each is of a ``noun``.

    Examples
    --------
    >>> as_dates(["2026-11-15"])
    array(['2026-11-15T00:00:00'], dtype='datetime64[s]')
    """
    try:
        given = np.array(date)
        if given.size and given.dtype.kind in "biufc":
            raise ValueError(f"{given.flat[0]} is a number")
        with catch_warnings():
            simplefilter("error")  # NumPy warns where it would drop a time zone
            dates = given.astype("datetime64[s]")
    except (TypeError, ValueError, OverflowError, UserWarning) as error:
        raise InputError(
            f"the dates are not all dates: {error}; write them as 2026-11-15"
        ) from None
    if dates.ndim != 1:
        raise InputError(f"the dates have {dates.ndim} dimensions; give one date per row")
    if np.isnat(dates).any():
        raise InputError(f"row {int(np.isnat(dates).argmax())}: no date; date every {noun} or none")
    return dates


def write_dates(dates: Dates) -> list[str]:
    """Write dates in ISO form, without the time where all are at midnight.

    Examples
    --------
    >>> write_dates(as_dates(["2026-11-15"]))
    ['2026-11-15']
    """
    days = dates.astype("datetime64[D]")
    return np.datetime_as_string(days if (days == dates).all() else dates).tolist()  # type: ignore[no-any-return]


def one_per_contest(
    values: NDArray[S], group: Index, contests: dict[Hashable, int], what: str
) -> NDArray[S]:
    """Reduce one value per row to one per contest, which all rows of the contest share.

    Examples
    --------
    >>> one_per_contest(np.array([2.0, 3.0, 2.0]), np.array([0, 1, 0]), {"May": 0, "June": 1}, "")
    array([2., 3.])
    """
    same_length(contest=group, **{what: values})
    result = np.empty(len(contests), dtype=values.dtype)
    result[group[::-1]] = values[::-1]
    differs = result[group] != values
    if differs.any():
        row = int(differs.argmax())
        label = list(contests)[group[row]]
        raise InputError(
            f"row {row}: contest {label!r} has two {what}s, {result[group[row]]} and {values[row]};"
            " give all its rows the same or name two contests"
        )
    return result
