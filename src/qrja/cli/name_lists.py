"""Lists of names on the command line: ``"Alice,Bob"``, or ``@FILE`` with a name on each line."""

from __future__ import annotations

import csv
from pathlib import Path

from qrja.errors import InputError


def parse_names(text: str) -> list[str]:
    """Read a list of names; one that holds a comma is put in quotes, or semicolons are between.

    Examples
    --------
    >>> parse_names('Alice, "Smith, Bob",Cid'), parse_names("Smith, Bob; Groß, Ida")
    (['Alice', 'Smith, Bob', 'Cid'], ['Smith, Bob', 'Groß, Ida'])
    """
    if text.startswith("@"):
        try:
            lines = Path(text[1:]).read_text(encoding="utf-8-sig").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            why = getattr(error, "strerror", None) or "it is not UTF-8 text"
            raise InputError(f"{text[1:]}: cannot be read: {why}") from None
        return [line.strip() for line in lines if line.strip()]
    between = ";" if ";" in text else ","
    parts = next(csv.reader([text], delimiter=between, skipinitialspace=True), [])
    return [part.strip() for part in parts if part.strip()]
