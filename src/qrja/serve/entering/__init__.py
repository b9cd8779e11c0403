"""Entering: how organisers write by pages, what is new and what was wrong.

Reading order: :mod:`typed_results` (what people type), :mod:`entry_pages` (a look before it is
saved), :mod:`correction_pages` (a result, a contest, a name).
"""

from qrja.serve.entering.correction_pages import add_correction_pages
from qrja.serve.entering.entry_pages import add_entry_pages

__all__ = ["add_correction_pages", "add_entry_pages"]
