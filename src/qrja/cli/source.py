"""Where a command's data come from: a file, stdin, or an embedded set."""

from __future__ import annotations

import io
from dataclasses import asdict

from qrja.cli.options import Reading
from qrja.tables import Table, format_table, read_table

EMBEDDED = "dataset:"


def load(file: str, reading: Reading) -> Table:
    """Read a FILE argument: a path, ``-`` for stdin, or ``dataset:NAME``."""
    if not file.startswith(EMBEDDED):
        return read_table(file, **asdict(reading))
    from qrja.datasets import columns

    text = format_table(columns(file.removeprefix(EMBEDDED)), "csv")
    return read_table(io.BytesIO(text.encode()), **asdict(reading))
