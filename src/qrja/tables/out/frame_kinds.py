"""Data frames out: columns become a frame of the library that the data came in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from qrja.errors import InputError, MissingExtraError

KINDS = ("pandas", "polars", "pyarrow", "dict")
"""What a table can be asked for as; a dict of columns is what every library takes."""


def frame_kind(source: Any) -> str | None:
    """Name the library of a data frame, or return None for anything else.

    Examples
    --------
    >>> frame_kind("races.csv") is None
    True
    """
    library = type(source).__module__.partition(".")[0]
    return library if library in KINDS else None


def build_frame(columns: Mapping[str, Sequence[Any]], kind: str | None) -> Any:
    """Build a data frame, or a dict of lists for None.

    Examples
    --------
    >>> build_frame({"name": ["Ann"], "rating": [1.5]}, None)
    {'name': ['Ann'], 'rating': [1.5]}
    >>> build_frame({"name": ["Ann"], "rating": [1.5]}, "polars").shape
    (1, 2)
    """
    if kind is None or kind == "dict":
        return {name: list(values) for name, values in columns.items()}
    if kind not in KINDS:
        raise InputError(f"kind is {kind!r}; choose one of {', '.join(KINDS)}")
    import narwhals as nw

    try:
        return nw.from_dict(dict(columns), backend=kind).to_native()  # type: ignore[arg-type]
    except ImportError:
        raise MissingExtraError(
            f"a table of kind {kind!r} needs the package {kind}: pip install {kind}"
        ) from None
