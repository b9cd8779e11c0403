"""The array kinds of the package, and the two things done to every array at the door."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from qrja.errors import InputError

Index = NDArray[np.int32]
"""Numbers of candidates or components."""
Offsets = NDArray[np.int64]
"""Positions in other arrays."""
Floats = NDArray[np.float64]
"""Scores, margins, weights."""
S = TypeVar("S", bound=np.generic)


def number_labels(
    labels: Iterable[Hashable],
    numbers: dict[Hashable, int],
    what: str = "label",
    *,
    per_row: int = 1,
) -> Index:
    """Give labels the numbers 0, 1, ... in order of first appearance; ``numbers`` grows with them.

    ``per_row`` labels come from each row of the user's table, which messages count.

    Examples
    --------
    >>> numbers = {}
    >>> number_labels(["Bob", "Alice", "Bob"], numbers)
    array([0, 1, 0], dtype=int32)
    >>> list(numbers)
    ['Bob', 'Alice']
    """
    listed = plain_list(labels)
    for at, label in enumerate(listed):
        if label is None or label != label:
            raise InputError(
                f"row {at // per_row}: the {what} is {label}; give it a name or leave the row out"
            )
    return np.array([numbers.setdefault(label, len(numbers)) for label in listed], dtype=np.int32)


def plain_list(labels: Iterable[Hashable]) -> list[Hashable]:
    """List labels; those of a NumPy array become the str, int, ... of the language.

    Examples
    --------
    >>> plain_list(np.array([3, 5]))
    [3, 5]
    """
    return labels.tolist() if isinstance(labels, np.ndarray) else list(labels)


def floats(values: ArrayLike, what: str, *, positive: bool = False) -> Floats:
    """Copy ``values`` into a read-only float array, or say which one is not a finite number.

    Examples
    --------
    >>> floats([1, 2.5], "score")
    array([1. , 2.5])
    >>> floats([1, float("nan")], "score")
    Traceback (most recent call last):
    qrja.errors.InputError: row 1: the score is nan; give a finite number or leave the row out
    """
    try:
        array = np.array(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"the {what}s are not all numbers: {error}") from None
    if array.ndim != 1:
        raise InputError(f"the {what}s have {array.ndim} dimensions; give one number per row")
    bad = ~np.isfinite(array)
    if positive:
        bad |= array <= 0
    if bad.any():
        row = int(bad.argmax())
        kind = "positive" if positive else "finite"
        raise InputError(
            f"row {row}: the {what} is {array[row]:g}; give a {kind} number or leave the row out"
        )
    return frozen(array)


def sum_by(group: NDArray[np.integer[Any]], values: Floats, count: int) -> Floats:
    """Sum values over each of ``count`` groups.

    Examples
    --------
    >>> sum_by(np.array([0, 2, 0]), np.array([1.0, 5.0, 2.0]), 3)
    array([3., 0., 5.])
    """
    return np.asarray(np.bincount(group, values, minlength=count), dtype=np.float64)


def frozen(array: NDArray[S]) -> NDArray[S]:
    """Make an array of our own read-only and return it."""
    array.flags.writeable = False
    return array


def same_length(**columns: NDArray[Any]) -> None:
    """Check that columns have one length, naming two that do not."""
    (first, head), *rest = columns.items()
    for name, column in rest:
        if len(column) != len(head):
            raise InputError(f"{first} has {len(head)} rows and {name} has {len(column)}")
