"""Plurals: numbers of things in the words of a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from qrja.speech import Count, Noun, Sentence

SHOWN = 10
"""How many line numbers a sentence lists before it says "and 12 more"."""


def count(number: int, noun: str) -> Count:
    """Count things in words.

    Examples
    --------
    >>> count(1, "row"), count(1200, "row")
    ('1 row', '1,200 rows')
    """
    return Count(number, noun)


def numbered(word: str, numbers: Sequence[int]) -> Sentence:
    """List the numbers of some lines, the first few of them if there are many.

    Examples
    --------
    >>> numbered("line", [3]), numbered("row", [3, 4])
    ('line 3', 'rows 3, 4')
    >>> numbered("line", range(1012))
    'lines 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 1,002 more'
    """
    shown = ", ".join(map(str, numbers[:SHOWN]))
    words = Noun(word, len(numbers))
    if len(numbers) <= SHOWN:
        return Sentence("{words} {shown}", words=words, shown=shown)
    more = len(numbers) - SHOWN
    return Sentence("{words} {shown} and {more:,} more", words=words, shown=shown, more=more)
