"""Where a log is kept: SQLite by default, PostgreSQL by its address.

Reading order: :mod:`schema` (the tables, and migrations to them), :mod:`connecting` (from an
address to a database), :mod:`store` (reading, and writing one at a time).
"""

from qrja.league.storage.schema import METADATA, MIGRATIONS
from qrja.league.storage.store import Store, Transaction, Written

__all__ = ["METADATA", "MIGRATIONS", "Store", "Transaction", "Written"]
