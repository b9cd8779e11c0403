"""One database for many tables: to open one takes longer than to read a table of ten rows.

It runs the same statements as a database of a table's own; that such a one is shut off from all
other files is tried where tables open theirs.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any
from unittest import mock

from qrja.tables.sources import Database

MADE = ("loaded", "objects", "reject_errors", "reject_scans", "told", "spelled")
"""The tables that reading makes."""


@cache
def _shared() -> Any:
    import duckdb

    connection = duckdb.connect(
        ":memory:", config={"threads": 1, "python_enable_replacements": False}
    )
    return connection.execute("SET enable_progress_bar = false")


def _sweep() -> None:
    import duckdb

    try:
        _shared().execute("; ".join(f"DROP TABLE IF EXISTS {name}" for name in MADE))
    except duckdb.FatalException:  # what was read before has broken it
        _shared.cache_clear()


@contextmanager
def warm_database() -> Iterator[None]:
    """Let the table that is read meanwhile use the one database, swept before."""
    _sweep()
    shared = property(lambda _: _shared())
    with mock.patch.object(Database, "_connection", shared):
        # What is open stays open: leaving a table closes only what it has opened itself.
        yield
