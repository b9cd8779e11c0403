"""Tables in and out: the only part of the package that parses text.

``read_table`` goes source -> columns -> database -> arrays -> problem; one module each.
"""

from qrja.tables.read import Table, read_contests, read_judgments, read_table
from qrja.tables.summary import LeftOut, Summary
from qrja.tables.units import Units
from qrja.tables.write import format_table, write_table

__all__ = [
    "LeftOut",
    "Summary",
    "Table",
    "Units",
    "format_table",
    "read_contests",
    "read_judgments",
    "read_table",
    "write_table",
]
