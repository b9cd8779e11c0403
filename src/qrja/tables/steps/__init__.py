"""What happens to loaded columns before their rows are looked at: each step makes a table anew.

Reading order: ``joining`` (several columns name one thing), then ``unpivoting`` (a wide table
becomes a long one).
"""

from qrja.tables.steps.joining import join_columns
from qrja.tables.steps.unpivoting import unpivot

__all__ = ["join_columns", "unpivot"]
