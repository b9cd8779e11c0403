"""Lists of names on the command line: ``"Alice,Bob"``, or ``@FILE`` with a name on each line."""

from __future__ import annotations

import csv
from pathlib import Path

from qrja.errors import InputError


def parse_names(text: str) -> list[str]:
    """Read a list of names; one that holds a comma is put in quotes, or semicolons are between.

    What is said of an entrant in brackets may hold commas.

    Examples
    --------
    >>> parse_names('Alice, "Smith, Bob",Cid'), parse_names("Smith, Bob; Groß, Ida")
    (['Alice', 'Smith, Bob', 'Cid'], ['Smith, Bob', 'Groß, Ida'])
    >>> parse_names("Leeds (home, rest=3),Derby (rest=4)")
    ['Leeds (home, rest=3)', 'Derby (rest=4)']
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
    return [part.strip() for part in _close_brackets(parts) if part.strip()]


def _close_brackets(parts: list[str]) -> list[str]:
    """Put parts together that one bracket is around; one that is never closed holds nothing."""
    whole: list[str] = []
    for at, part in enumerate(parts):
        is_open = bool(whole) and whole[-1].count("(") > whole[-1].count(")")
        if is_open and any(")" in later for later in parts[at:]):
            whole[-1] += ", " + part.strip()
        else:
            whole.append(part)
    return whole
