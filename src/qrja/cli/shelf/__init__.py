"""Commands are taken from a shelf: ``qrja rank`` imports the module of ``rank`` and no other.

Reading order: ``command_shelf`` (where each command lives, and how it is made), ``once_each`` (what
it is made of) and ``plain_values`` (which of its options need no validator).
"""

from qrja.cli.shelf.command_shelf import ShelvedGroup
from qrja.cli.shelf.once_each import OnceEach

__all__ = ["OnceEach", "ShelvedGroup"]
