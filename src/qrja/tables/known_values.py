"""Values that are known of candidates: a table with a row for each, its name, value and error.

The first column is the name, the second the value, the third, if there is one, its standard error;
or columns are named after the file, ``values.csv:name,value,error``.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

import numpy as np

from qrja.errors import InputError, nearest
from qrja.tables.sources import open_source
from qrja.tables.values import number_names, parse_errors, parse_scores

ROLES = ("contestant", "score", "se")
"""What the columns are, in their order."""


class KnownValues(NamedTuple):
    """Names with their values, and standard errors if there is a column of them."""

    names: tuple[Hashable, ...]
    value: tuple[float, ...]
    se: tuple[float, ...] | None
    columns: tuple[str, ...]


def read_known_values(source: str) -> KnownValues:
    r"""Read a table of values.

    Parameters
    ----------
    source : str
        A path, perhaps with columns: ``"heights.csv"``, ``"heights.csv:mark,height,error"``.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "marks.csv")
    ...     _ = path.write_text("mark,height,error\nA,12.5,0.1\nB,13.0,0.2\n")
    ...     read_known_values(str(path))[:3]
    (('A', 'B'), (12.5, 13.0), (0.1, 0.2))
    """
    path, named = _split(source)
    with open_source(path, None, None) as opened:
        columns = named or opened.columns[: len(ROLES)]
        for name in columns:
            if name not in opened.columns:
                raise opened.place.of_table(
                    f"no column {name!r}; the columns are"
                    f" {', '.join(map(repr, opened.columns))}{nearest(name, opened.columns)}"
                )
        if len(columns) < 2:
            raise opened.place.of_table(
                "a table of known values has a column of names and one of values, and perhaps one"
                f" of standard errors; this has only {', '.join(map(repr, columns))}"
            )
        loaded = opened.load(dict(zip(ROLES, columns, strict=False)))
        (who,), names = number_names(loaded, ("contestant",))
        value = parse_scores(loaded, "score").values
        kept = (who >= 0) & ~np.isnan(value)
        twice = np.flatnonzero(np.bincount(who[kept], minlength=len(names)) > 1)
        if len(twice):
            row = int(np.flatnonzero(kept & (who == twice[0]))[1])
            raise loaded.place.error(row, f"{names[twice[0]]!r} is there twice; keep one value")
        se = parse_errors(loaded, kept)[kept] if len(columns) > 2 else None
        return KnownValues(
            tuple(names[i] for i in who[kept].tolist()),
            tuple(value[kept].tolist()),
            None if se is None else tuple(se.tolist()),
            tuple(columns),
        )


def _split(source: str) -> tuple[str, tuple[str, ...]]:
    """Take the columns off the name of a file; a colon without a comma after it is the name's."""
    path, _, columns = source.rpartition(":")
    if not path or "," not in columns:
        return source, ()
    named = tuple(name.strip() for name in columns.split(","))
    if len(named) > len(ROLES):
        raise InputError(f"{source}: names {len(named)} columns; name, value and error are enough")
    return path, named
