"""Data frames of any library that narwhals knows, without a detour through another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from qrja.errors import InputError
from qrja.tables.sources.database import Database
from qrja.tables.sources.loaded import Loaded, load_columns
from qrja.tables.sources.place import Place

if TYPE_CHECKING:
    import narwhals as nw


@dataclass(frozen=True)
class Frame:
    """An open data frame; see :class:`qrja.tables.sources.loaded.Source`."""

    place: Place
    columns: tuple[str, ...]
    database: Database
    frame: nw.DataFrame[Any] | nw.LazyFrame[Any]

    @classmethod
    def open(cls, source: Any, database: Database) -> Frame:
        """Recognise a data frame."""
        import narwhals as nw

        try:
            frame = nw.from_native(_with_index(source))
            names = frame.collect_schema().names()
        except TypeError:
            raise InputError(
                f"cannot read a table from {type(source).__name__};"
                " give a path, '-' for stdin, an open binary file or a data frame"
            ) from None
        except nw.exceptions.DuplicateError:
            raise InputError("the data frame: two columns have the same name; rename one") from None
        _check_texts(names)
        return cls(Place("", None), tuple(names), database, frame)

    def load(self, chosen: dict[str, str]) -> Loaded:
        """Hand some columns to the database, under the names of their roles."""
        import narwhals as nw

        picked = self.frame.select(**{role: nw.col(name) for role, name in chosen.items()})
        eager = picked.collect() if isinstance(picked, nw.LazyFrame) else picked
        # pandas frames are scanned in place; all others stream through the Arrow C interface.
        pandas_like = eager.implementation.is_pandas_like()
        self.database.register("frame", eager.to_native() if pandas_like else eager)
        return load_columns(self.database, self.place, {role: role for role in chosen}, "frame")


def is_spark_frame(data: Any) -> bool:
    """Tell whether data are a data frame of Spark, without importing it: its rows stay there.

    Examples
    --------
    >>> is_spark_frame([1, 2])
    False
    """
    return any(
        kind.__name__ == "DataFrame" and kind.__module__.startswith("pyspark.sql")
        for kind in type(data).__mro__
    )


def _with_index(source: Any) -> Any:
    """Make an index that has a name, as in pandas, a column: wide frames keep labels there."""
    index = getattr(source, "index", None)
    names = [name for name in getattr(index, "names", ()) if isinstance(name, str)]
    if not names or set(names).intersection(map(str, source.columns)):
        return source
    return source.reset_index(names)


def _check_texts(names: list[Any]) -> None:
    for name in names:
        if not isinstance(name, str):
            raise InputError(
                f"the data frame: the column {name!r} is not named by a text; rename it"
            )
