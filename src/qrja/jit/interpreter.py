"""Interpreted: a kernel run by Python itself, on lists and objects in place of arrays.

Reading ``tree[v].flow`` from an array of records makes two objects each time; from a list of
objects it makes none, which is ten times as fast. So a kernel that allocates nothing gets its
arrays as lists, and as records that are made when first touched; what it changed is written back.
Kernels that make arrays of their own keep arrays: they slice them and add them up. Some passes over
long arrays are written a second time, without the loop; these are taken where there is much to do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import make_dataclass
from operator import attrgetter
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from qrja.jit.kernel_source import KernelSource


def interpret(kernel: KernelSource, arguments: tuple[Any, ...]) -> Any:
    """Run a kernel on some arguments; arrays change as they would if it were compiled."""
    form = kernel.array_form if kernel.has_array_form(arguments) else None
    if form is not None and count_elements(arguments) > kernel.array_from:
        with np.errstate(all="ignore"):
            return form(*arguments)
    function = plain(kernel)
    with np.errstate(all="ignore"):  # compiled numbers wrap and overflow without a word
        if kernel.allocates:
            return function(*arguments)
        bench = Workbench()
        answer = function(*map(bench.lay_out, arguments))
        bench.put_back()
        return answer


def count_elements(arguments: tuple[Any, ...]) -> int:
    """Return the number of elements of all arrays in some arguments.

    Examples
    --------
    >>> count_elements((np.zeros(3), 5, (np.zeros((2, 2)), "word")))
    7
    """
    total = 0
    for it in arguments:
        if isinstance(it, np.ndarray):
            total += it.size
        elif isinstance(it, tuple):
            total += count_elements(it)
    return total


# ------------------------------------------------------------------------------- functions


class Numbers:
    """NumPy whose whole numbers are Python's, which reckon three times as fast."""

    int32 = int64 = uintp = int

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)


NUMBERS = Numbers()
_known: dict[Callable[..., Any], Callable[..., Any]] = {}


def plain(kernel: KernelSource) -> Callable[..., Any]:
    """Return a kernel as a function of Python that calls other kernels as such functions too."""
    function = kernel.function
    if function in _known:
        return _known[function]
    assert isinstance(function, FunctionType)
    scope = dict(function.__globals__)
    copy = FunctionType(function.__code__, scope, function.__name__, function.__defaults__)
    _known[function] = copy  # before those that it calls, which may call it
    for name in scope.keys() & set(function.__code__.co_names):
        scope[name] = _as_python(scope[name], kernel)
    return copy


def _as_python(value: Any, kernel: KernelSource) -> Any:
    if isinstance(value, KernelSource):
        return plain(value)
    if value is np and not kernel.allocates:
        return NUMBERS
    return int(value) if isinstance(value, np.signedinteger) else value


# -------------------------------------------------------------------------------- arguments


class Column(list[Any]):
    """A list that knows its size by the name that arrays have for it."""

    __slots__ = ()

    @property
    def size(self) -> int:
        """Its length."""
        return len(self)


class RecordKind(NamedTuple):
    """Objects with the fields of a type of records."""

    make: type
    read: Callable[[Any], tuple[Any, ...]]


class Records(dict[int, Any]):
    """The records of an array, each made when first touched; setting one copies it."""

    def __init__(self, array: Any, kind: RecordKind) -> None:
        self.array, self.kind = array, kind
        self.size = len(array)

    def __missing__(self, k: int) -> Any:
        record = self.kind.make(*self.array[k].item())
        dict.__setitem__(self, k, record)
        return record

    def __setitem__(self, k: int, record: Any) -> None:
        dict.__setitem__(self, k, self.kind.make(*self.kind.read(record)))

    def __len__(self) -> int:
        return self.size


class LaidOut:
    """A named tuple of arrays, each laid out when first asked for."""

    def __init__(self, arrays: Any, bench: Workbench) -> None:
        self._arrays, self._bench = arrays, bench

    def __getattr__(self, name: str) -> Any:
        value = self._bench.lay_out(getattr(self._arrays, name))
        setattr(self, name, value)
        return value


class Workbench:
    """What the arguments of one call became, to be put back after it."""

    def __init__(self) -> None:
        self.numbers: dict[int, tuple[Any, Column]] = {}
        self.records: dict[int, Records] = {}

    def lay_out(self, value: Any) -> Any:
        """Return what an argument is for Python; the same array is laid out once."""
        if isinstance(value, tuple):
            return LaidOut(value, self) if hasattr(value, "_fields") else value
        if isinstance(value, np.generic):
            return value.item()
        if not isinstance(value, np.ndarray) or value.ndim > 1:
            return value
        if value.dtype.names:
            if id(value) not in self.records:
                self.records[id(value)] = Records(value, kind_of(value.dtype))
            return self.records[id(value)]
        if id(value) not in self.numbers:
            self.numbers[id(value)] = value, Column(value.tolist())
        return self.numbers[id(value)][1]

    def put_back(self) -> None:
        """Write everything to the arrays."""
        for array, column in self.numbers.values():
            if array.flags.writeable:
                array[:] = column
        for records in self.records.values():
            if dict.__len__(records) and records.array.flags.writeable:
                made = [records.kind.read(record) for record in records.values()]
                records.array[list(records)] = np.array(made, records.array.dtype)


_kinds: dict[Any, RecordKind] = {}


def kind_of(dtype: Any) -> RecordKind:
    """Return the objects for a type of records.

    Examples
    --------
    >>> kind = kind_of(np.dtype([("a", "i4"), ("b", "f8")]))
    >>> record = kind.make(1, 2.5)
    >>> record.a += 3
    >>> kind.read(record)
    (4, 2.5)
    """
    if dtype not in _kinds:
        make = make_dataclass("Record", dtype.names, slots=True)
        _kinds[dtype] = RecordKind(make, attrgetter(*dtype.names))
    return _kinds[dtype]
