"""Where a log is kept: SQLite by default, PostgreSQL by its address.

Reading order: :mod:`schema` (the tables, and migrations to them), :mod:`connecting` (from an
address to a database), :mod:`store` (reading, and writing one at a time), :mod:`tokens` (who may),
:mod:`kept_files` (images that events name), :mod:`dealt_tickets` (what judges look at).
"""

from qrja.league.storage.dealt_tickets import DealtTickets, Ticket
from qrja.league.storage.kept_files import KeptFile, KeptFiles, sniff_image
from qrja.league.storage.schema import METADATA, MIGRATIONS
from qrja.league.storage.store import Store, Transaction, Written
from qrja.league.storage.tokens import ROLES, Role, Token, Tokens

__all__ = [
    "METADATA",
    "MIGRATIONS",
    "ROLES",
    "DealtTickets",
    "KeptFile",
    "KeptFiles",
    "Role",
    "Store",
    "Ticket",
    "Token",
    "Tokens",
    "Transaction",
    "Written",
    "sniff_image",
]
