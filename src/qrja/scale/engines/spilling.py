"""A database that keeps to some memory, and writes to disk what does not fit."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from qrja.interrupts import raised_by_queries

ALLOWED = "2GB"
"""Memory of a database that has all rows, or all names, before it."""


@contextmanager
def open_database(folder: Path) -> Iterator[Any]:
    """Open a database that spills into a folder, which is left as it was."""
    import duckdb

    spill = folder / "spill"
    # Rows have their numbers: keeping their order would be keeping them in memory.
    settings: dict[str, Any] = {
        "temp_directory": str(spill),
        "memory_limit": ALLOWED,
        "preserve_insertion_order": False,
    }
    try:
        with raised_by_queries(), duckdb.connect(config=settings) as database:
            yield database
    finally:
        shutil.rmtree(spill, ignore_errors=True)
