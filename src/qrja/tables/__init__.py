"""Tables in and out: the only part of the package that parses text.

Read ``read`` first. It goes from ``sources`` (a file or a data frame becomes columns in a database)
by ``values`` (texts become numbers, dates and numbered names) to ``shapes`` (rows become contests
or judgments). Beside it stand ``roles``, the one list of what columns can mean, which sources and
shapes both ask; ``reader_options``; ``steps``, which rows and columns go through on the way;
``groups``, a table for each value of a column; ``summary``, what became of every row; and
``known_values``, a table of what is known besides; ``text_columns``, lists that are no results.
``header_nouns`` says what people call the rows and those who are rated. The way back is ``out``:
tables, files and data frames. ``file_locks`` tells what living processes hold.
"""

from qrja.tables.groups import find_groups, read_groups
from qrja.tables.header_nouns import CANDIDATES, EVENTS
from qrja.tables.known_values import KnownValues, read_known_values
from qrja.tables.out import format_table, write_table
from qrja.tables.read import (
    Table,
    check_reading,
    read_contests,
    read_judgments,
    read_results,
    read_table,
)
from qrja.tables.roles import NAMES, ROLES, SEVERAL
from qrja.tables.summary import LeftOut, Summary
from qrja.tables.text_columns import TextTable, read_texts
from qrja.tables.values import Units

__all__ = [
    "CANDIDATES",
    "EVENTS",
    "NAMES",
    "ROLES",
    "SEVERAL",
    "KnownValues",
    "LeftOut",
    "Summary",
    "Table",
    "TextTable",
    "Units",
    "check_reading",
    "find_groups",
    "format_table",
    "read_contests",
    "read_groups",
    "read_judgments",
    "read_known_values",
    "read_results",
    "read_table",
    "read_texts",
    "write_table",
]
