"""What happens to loaded columns before their rows are looked at: each step makes a table anew.

Reading order: ``joining`` (several columns name one thing), ``unpivoting`` (a wide table becomes a
long one), ``picking`` (rows for which a condition holds) with ``conditions`` (its language), then
``renaming`` (aliases).
"""

from qrja.tables.steps.conditions import Condition, parse_condition, quoted
from qrja.tables.steps.joining import join_columns
from qrja.tables.steps.picking import condition_columns, pick_rows
from qrja.tables.steps.renaming import read_aliases, rename
from qrja.tables.steps.unpivoting import unpivot

__all__ = [
    "Condition",
    "condition_columns",
    "join_columns",
    "parse_condition",
    "pick_rows",
    "quoted",
    "read_aliases",
    "rename",
    "unpivot",
]
