"""Summary: what became of every row, so that none is lost in silence.

``rows == used + sum of the rows left out``, always.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

SHOWN = 10
"""How many line numbers a sentence lists before it says "and 12 more"."""


@dataclass(frozen=True)
class LeftOut:
    """Rows that were not used, for one reason.

    Parameters
    ----------
    reason : str
        Such as ``"DNF"`` or ``"no score"``.
    where : tuple of int
        The line of each row in the file, or its number in the data frame.
    """

    reason: str
    where: tuple[int, ...]

    @property
    def count(self) -> int:
        """Number of rows."""
        return len(self.where)


@dataclass(frozen=True)
class Summary:
    r"""What was read.

    Parameters
    ----------
    rows, used : int
        Rows of the table, and those that are in the problem.
    left_out : tuple of LeftOut
        The others, by reason.
    notes : tuple of str
        What was assumed, such as which columns were guessed.
    warnings : tuple of str
        What is probably wrong in the data, such as a contestant twice in one contest.
    word : {"line", "row"}
        What the numbers in ``left_out`` count.

    Examples
    --------
    >>> summary = Summary(rows=5, used=3, left_out=(LeftOut("DNF", (3, 6)),))
    >>> print(*summary.lines(), sep="\n")
    read 5 rows, used 3
    left out 2 rows: DNF (lines 3, 6)
    """

    rows: int
    used: int
    left_out: tuple[LeftOut, ...] = ()
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    word: str = "line"

    def lines(self) -> list[str]:
        """Say it in sentences, warnings last."""
        said = [f"read {count(self.rows, 'row')}, used {self.used:,}"]
        for group in self.left_out:
            where = numbered(self.word, group.where)
            said.append(f"left out {count(group.count, 'row')}: {group.reason} ({where})")
        return [*said, *self.notes, *(f"warning: {warning}" for warning in self.warnings)]

    def to_dict(self) -> dict[str, Any]:
        """Give it as plain lists and dictionaries, for JSON.

        Examples
        --------
        >>> Summary(rows=2, used=1, left_out=(LeftOut("DNF", (3,)),)).to_dict()["left_out"]
        [{'reason': 'DNF', 'count': 1, 'lines': [3]}]
        """
        return {
            "rows": self.rows,
            "used": self.used,
            "left_out": [
                {
                    "reason": group.reason,
                    "count": group.count,
                    f"{self.word}s": list(group.where),
                }
                for group in self.left_out
            ],
            "notes": list(self.notes),
            "warnings": list(self.warnings),
        }


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
    >>> numbered("line", range(12))
    'lines 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more'
    """
    shown = ", ".join(map(str, numbers[:SHOWN]))
    more = f" and {len(numbers) - SHOWN} more" if len(numbers) > SHOWN else ""
    return f"{word}{'' if len(numbers) == 1 else 's'} {shown}{more}"
