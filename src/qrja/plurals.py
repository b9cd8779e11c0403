"""Plurals: numbers of things in the words of a sentence."""

from __future__ import annotations

from collections.abc import Sequence

SHOWN = 10
"""How many line numbers a sentence lists before it says "and 12 more"."""


def count(number: int, noun: str) -> str:
    """Count things in words.

    Examples
    --------
    >>> count(1, "row"), count(1200, "row")
    ('1 row', '1,200 rows')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def numbered(word: str, numbers: Sequence[int]) -> str:
    """List the numbers of some lines, the first few of them if there are many.

    Examples
    --------
    >>> numbered("line", [3]), numbered("row", [3, 4])
    ('line 3', 'rows 3, 4')
    >>> numbered("line", range(1012))
    'lines 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 1,002 more'
    """
    shown = ", ".join(map(str, numbers[:SHOWN]))
    more = f" and {len(numbers) - SHOWN:,} more" if len(numbers) > SHOWN else ""
    return f"{word}{'' if len(numbers) == 1 else 's'} {shown}{more}"
