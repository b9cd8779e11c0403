"""The array kinds of the package, and the checks every array passes at the door."""

from __future__ import annotations

import sys
from collections import Counter
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
Mask = NDArray[np.bool_]
"""A yes or no for each of something."""
SCALARS = (np.number, np.str_, np.bool_)
"""What NumPy makes of numbers, texts and truth values."""
S = TypeVar("S", bound=np.generic)
T = TypeVar("T")


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
    listed = plain_list(labels, what)
    try:
        found = [numbers.setdefault(label, len(numbers)) for label in listed]
    except TypeError as error:
        raise InputError(f"the {what}s are not all names: {error}") from None
    for label in numbers:
        if _missing(label):
            row = next(at for at, other in enumerate(listed) if other is label) // per_row
            raise InputError(
                f"row {row}: the {what} is {label}; give it a name or leave the row out"
            )
    if any(isinstance(label, SCALARS) for label in numbers):
        named = {_plain(label): number for label, number in numbers.items()}
        numbers.clear()
        numbers.update(named)
    return np.array(found, dtype=np.int32)


def _plain(label: Hashable) -> Hashable:
    """Return a scalar of NumPy as the str, int, ... of the language, which files can hold."""
    return label.item() if isinstance(label, SCALARS) else label


def _missing(label: Hashable) -> bool:
    """Tell whether a label is None, NaN, or a data frame's own kind of nothing."""
    try:
        return label is None or bool(label != label)
    except TypeError:  # pandas.NA has no truth value
        return True


def distinct(names: Iterable[Hashable]) -> tuple[Hashable, ...]:
    """Return names as a tuple, or say which one occurs twice.

    Examples
    --------
    >>> distinct(["Ann", "Bob"])
    ('Ann', 'Bob')
    """
    listed = tuple(plain_list(names, "name"))
    try:
        unique = set(listed)
    except TypeError as error:
        raise InputError(f"the names are not all names: {error}") from None
    if not {*map(type, listed)} <= {int, str}:  # of which none is missing
        for number, name in enumerate(listed):
            if _missing(name):
                raise InputError(f"candidate {number} is called {name}; give it a name")
    if len(unique) < len(listed):
        (twice, _), *_ = Counter(listed).most_common(1)
        raise InputError(f"two candidates are called {twice!r}; give each a name of its own")
    return listed


def indices(values: ArrayLike, n: int, what: str = "candidate") -> Index:
    """Copy numbers of candidates into a read-only array, or say which one is out of range.

    Examples
    --------
    >>> indices([0, 2], 3)
    array([0, 2], dtype=int32)
    >>> indices([0, 3], 3)
    Traceback (most recent call last):
    qrja.errors.InputError: row 1: candidate number 3 is outside 0..2, the range of the names
    """
    try:
        array = np.array(values)
    except ValueError:  # rows of different lengths
        array = np.array(None)
    if array.size == 0:
        array = np.zeros(0, dtype=np.int32)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise InputError(f"the {what}s are not numbers 0, 1, ...; use from_arrays for labels")
    bad = (array < 0) | (array >= n)
    if bad.any():
        row = int(bad.argmax())
        raise InputError(
            f"row {row}: {what} number {array[row]} is outside 0..{n - 1}, the range of the names"
        )
    return frozen(array.astype(np.int32))


def plain_list(labels: Iterable[T], what: str = "label") -> list[T]:
    """List labels; those of a NumPy array become the str, int, ... of the language.

    Examples
    --------
    >>> plain_list(np.array([3, 5]))
    [3, 5]
    >>> plain_list(3, "contestant")
    Traceback (most recent call last):
    qrja.errors.InputError: the contestants are 3; give a list of them
    """
    if isinstance(labels, np.ndarray) and labels.ndim > 0:
        return labels.tolist()  # type: ignore[no-any-return]
    try:
        return list(labels)
    except TypeError:
        raise InputError(f"the {what}s are {labels!r}; give a list of them") from None


LARGEST = 1e100
"""Numbers beyond this overflow when they are squared and added up."""
SHORT = 5_000
"""Numbers whose product is summed at once; libraries of linear algebra share out longer ones."""


def floats(values: ArrayLike, what: str, *, positive: bool = False) -> Floats:
    """Copy ``values`` into a read-only float array, or say which one is not a usable number.

    Examples
    --------
    >>> floats([1, 2.5], "score")
    array([1. , 2.5])
    >>> floats([1, float("nan")], "score")
    Traceback (most recent call last):
    qrja.errors.InputError: row 1: the score is nan; give a finite number or leave the row out
    """
    # Who has not loaded them, which takes a while, has no masked arrays.
    if "numpy.ma" in sys.modules and isinstance(values, np.ma.MaskedArray):
        values = np.ma.filled(values.astype(np.float64), np.nan)
    try:
        _refuse_texts(values, what)
        array = np.array(values, dtype=np.float64)
    except InputError:
        raise
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"the {what}s are not all numbers: {error}") from None
    if array.ndim != 1:
        raise InputError(f"the {what}s have {array.ndim} dimensions; give one number per row")
    bad = ~(np.abs(array) <= LARGEST)
    if positive:
        bad |= array <= 0
    if bad.any():
        row = int(bad.argmax())
        huge = np.isfinite(array[row]) and abs(array[row]) > LARGEST
        kind = "smaller" if huge else "positive" if positive else "finite"
        raise InputError(
            f"row {row}: the {what} is {array[row]:g}; give a {kind} number or leave the row out"
        )
    return frozen(array)


def _refuse_texts(values: ArrayLike, what: str) -> None:
    """Name the first text or date: NumPy would make numbers of some, and only some, of them."""
    given = np.asarray(values)
    if given.ndim != 1 or given.dtype.kind in "biuf":
        return
    kinds = (str, bytes) if given.dtype.kind in "OUS" else object
    # What the user gave: an array may have turned all of it into texts.
    for row, value in enumerate(values):  # type: ignore[arg-type]
        if isinstance(value, kinds):
            raise InputError(f"row {row}: the {what} is {value!r}; give a number")


def sum_by(group: NDArray[np.integer[Any]], values: Floats, count: int) -> Floats:
    """Sum values over each of ``count`` groups.

    Examples
    --------
    >>> sum_by(np.array([0, 2, 0]), np.array([1.0, 5.0, 2.0]), 3)
    array([3., 0., 5.])
    """
    return np.asarray(np.bincount(group, values, minlength=count), dtype=np.float64)


def pairs_within(sizes: Offsets) -> tuple[Offsets, Offsets]:
    """Return the two entries of every pair of groups of some sizes that lie one after another.

    Examples
    --------
    >>> pairs_within(np.array([3, 1, 2]))
    (array([0, 0, 1, 4]), array([1, 2, 2, 5]))
    """
    entry = np.arange(int(sizes.sum()))
    later = np.repeat(np.cumsum(sizes), sizes) - entry - 1
    first = np.repeat(entry, later)
    offset = np.arange(len(first)) - np.repeat(np.cumsum(later) - later, later)
    return first, first + 1 + offset


def order_by(numbers: NDArray[np.integer[Any]]) -> Offsets:
    """Return the positions of numbers from 0 to 2^31 - 1 in rising order, equal ones as they come.

    As a stable ``argsort`` does; but number and position are sorted as one, which is several times
    as fast.

    Examples
    --------
    >>> order_by(np.array([2, 0, 2, 1]))
    array([1, 3, 0, 2])
    """
    keys = numbers.astype(np.int64) << 32
    keys |= np.arange(len(keys))
    keys.sort()
    return keys & 0xFFFFFFFF


def distinct_values(values: NDArray[Any]) -> NDArray[Any]:
    """Return the values that differ, in rising order.

    As ``np.unique``, which loads NumPy's masked arrays first, in a thirtieth of a second.

    Examples
    --------
    >>> distinct_values(np.array([2, 0, 2]))
    array([0, 2])
    """
    return np.unique(values, return_counts=True)[0]


def quantiles(values: Floats, chances: list[float]) -> Floats:
    """Return what shares of values are below, a row for each; of a table by its rows.

    As ``np.quantile`` along the last axis, which loads NumPy's masked arrays first.

    Examples
    --------
    >>> quantiles(np.array([[4.0, 1.0, 2.0], [0.0, 0.0, 9.0]]), [0.5, 0.75])
    array([[2. , 0. ],
           [3. , 4.5]])
    """
    ordered = np.sort(values, axis=-1)
    last = ordered.shape[-1] - 1
    found = np.empty((len(chances), *ordered.shape[:-1]))
    for k, chance in enumerate(chances):
        at = min(int(last * chance), max(last - 1, 0))
        part = last * chance - at
        low, high = ordered[..., at], ordered[..., min(at + 1, last)]
        gap = high - low
        found[k] = low + gap * part if part < 0.5 else high - gap * (1.0 - part)
    return found


def dot(a: Floats, b: Floats) -> float:
    """Return the sum of ``a b``; unlike a long ``a @ b`` it starts no threads.

    Examples
    --------
    >>> dot(np.array([1.0, 2.0]), np.array([3.0, 4.0]))
    11.0
    """
    # Short ones start none in any case, and take half the time; only a.dot(b) warns of overflow.
    return float(np.vdot(a, b) if len(a) < SHORT else np.einsum("i,i->", a, b))


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
