"""Parquet on a network: fetched by DuckDB's own reader, once, and only where that is allowed.

    COPY (SELECT * FROM read_parquet(address)) TO a file in the scratch folder

A database of its own does it, the only one that may reach the network. The one that then reads the
copy is locked up as ever, see :mod:`~qrja.tables.sources.database`.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from qrja.errors import InputError
from qrja.interrupts import raised_by_queries
from qrja.letters import cut
from qrja.tables.sources.database import literal

if TYPE_CHECKING:
    import duckdb

SCHEMES = ("https://", "http://", "s3://", "gs://", "r2://")
"""Addresses that DuckDB's extension httpfs reads."""
ENDINGS = (".parquet", ".parq", ".pq")
REMEDY = "python -c \"import duckdb; duckdb.sql('INSTALL httpfs')\""
"""How the extension is installed, once for a version of DuckDB."""


def is_remote(name: str) -> bool:
    """Tell an address from a path.

    Examples
    --------
    >>> is_remote("https://example.org/a.parquet"), is_remote("a.parquet")
    (True, False)
    """
    return "://" in name


def check_remote(name: str, allowed: bool) -> None:
    """Check that an address may be fetched, and can be.

    Examples
    --------
    >>> check_remote("https://example.org/a.csv", True)
    Traceback (most recent call last):
    qrja.errors.InputError: https://example.org/a.csv: is on a network, where only Parquet is ...
    """
    path = name.partition("?")[0].casefold()
    if not path.startswith(SCHEMES):
        raise InputError(f"{name}: is an address, not a file; download it and give its path")
    if not path.endswith(ENDINGS):
        raise InputError(
            f"{name}: is on a network, where only Parquet is read; download it and give its path"
        )
    if not allowed:
        raise InputError(
            f"{name}: is on a network, and nothing is fetched unless you say so: --remote"
            " (remote=True in Python) lets DuckDB read it; or download it and give its path"
        )


def fetch(name: str, scratch: Path) -> Path:
    """Fetch an address, or all that a pattern such as ``s3://bucket/*.parquet`` matches."""
    import duckdb

    path = scratch / f"remote-{len(list(scratch.iterdir()))}.parquet"
    config: dict[str, str | bool | int | float | list[str]] = {
        "temp_directory": str(scratch),
        "python_enable_replacements": False,
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
    }
    with raised_by_queries(), duckdb.connect(":memory:", config=config) as connection:
        with suppress(duckdb.InvalidInputException):  # a notebook without ipywidgets
            connection.execute("SET enable_progress_bar = false")
        _load_extension(connection, name)
        try:
            connection.execute(fetching(name, path))
        except duckdb.Error as error:
            said = cut(str(error).partition("\n")[0], 200)
            raise InputError(f"{name}: cannot be fetched, the database says: {said}") from None
    return path


def fetching(name: str, path: Path) -> str:
    """Write the statement that fetches.

    Examples
    --------
    >>> print(fetching("https://example.org/o'hara.parquet", Path("a.parquet")))
    COPY (SELECT * FROM read_parquet('https://example.org/o''hara.parquet', union_by_name = true)) \
TO 'a.parquet' (FORMAT parquet)
    """
    read = f"read_parquet({literal(name)}, union_by_name = true)"
    return f"COPY (SELECT * FROM {read}) TO {literal(str(path))} (FORMAT parquet)"


def _load_extension(connection: duckdb.DuckDBPyConnection, name: str) -> None:
    import duckdb

    try:
        connection.execute("LOAD httpfs")
    except duckdb.Error:
        raise InputError(
            f"{name}: DuckDB reads addresses by its extension httpfs, which is not installed; run"
            f" {REMEDY} once, or download the file and give its path"
        ) from None
