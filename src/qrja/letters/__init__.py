"""Texts that others wrote, made fit to be read: what is obeyed is shown, what is long is cut.

Read ``obeyed`` first, the letters that do something to a terminal; then ``long_texts``.
"""

from qrja.letters.long_texts import cut
from qrja.letters.obeyed import visible, visible_json

__all__ = ["cut", "visible", "visible_json"]
