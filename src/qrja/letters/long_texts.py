"""Long texts: a cell may hold a million letters, and nobody reads a message of as many."""

from __future__ import annotations


def cut(text: str, most: int) -> str:
    """Take out the middle of a text that is long; its beginning and end say the most.

    Examples
    --------
    >>> cut("races.csv: " + "x" * 50 + "; rename it", 40)
    'races.csv: xxxxxxxxxxxx ... x; rename it'
    """
    if len(text) <= most:
        return text
    head = (most - 5) * 2 // 3
    return f"{text[:head]} ... {text[head + 5 - most :]}"
