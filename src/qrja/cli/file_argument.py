"""Where a command's data come from: a file, stdin, or an embedded set."""

from __future__ import annotations

import io
from dataclasses import asdict

from qrja.cli.file_kinds import EMBEDDED
from qrja.cli.option_groups import Reading
from qrja.cli.output import note, working
from qrja.data import Contests
from qrja.tables import Table, format_table, read_table
from qrja.tables.sources import is_remote


def load(file: str, reading: Reading) -> Table:
    """Read a FILE argument: a path, ``-`` for stdin, or ``dataset:NAME``."""
    if not file.startswith(EMBEDDED):
        return read_table(getattr(file, "paths", file), **asdict(reading))
    from qrja.datasets import columns

    # By way of CSV, so that notes speak of the lines that qrja datasets NAME prints; and a data
    # frame would need a library for it.
    text = format_table(columns(file.removeprefix(EMBEDDED)), "csv")
    return read_table(io.BytesIO(text.encode()), **asdict(reading))


def load_and_tell(file: str, reading: Reading, quiet: bool) -> Table:
    """Read a FILE argument, and note what was assumed and left out."""
    for address in filter(is_remote, getattr(file, "paths", [file]) if reading.remote else []):
        note(f"fetching {address}, by DuckDB", quiet)
    with working(f"reading {file}", quiet):
        table = load(file, reading)
        if reading.grades == "fitted":
            from qrja.ratings import fit_grades

            table = fit_grades(table)
    tally = table.summary.tally()
    for at, line in enumerate(table.summary.lines()):
        note(line, quiet, again=at < len(tally))
    if reading.lower_is_better is None and _may_be_seconds(table):
        note("higher scores are taken to be better; --lower-is-better turns it around", quiet)
    return table


def _may_be_seconds(table: Table) -> bool:
    """Tell whether nothing but habit says which scores win: in matches of two, it is goals."""
    contests = table.problem
    return (
        isinstance(contests, Contests)
        and table.units.kind == "number"
        and not table.units.lower_is_better
        and int(contests.sizes.max(initial=0)) > 2
    )
