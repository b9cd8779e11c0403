"""Summary: what became of every row, so that none is lost in silence.

``rows == used + sum of the rows left out``, always.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from qrja.plurals import count, numbered
from qrja.speech import Sentence


@dataclass(frozen=True)
class LeftOut:
    """Rows that were not used, for one reason.

    Parameters
    ----------
    reason : str
        Such as ``"DNF"`` or ``"no score"``.
    where : tuple of int
        The line of each row in the file, or its number in the data frame.
    by_wish : bool
        Whether somebody asked for it (``where``): then rows are counted, not listed.
    """

    reason: str
    where: tuple[int, ...]
    by_wish: bool = False

    def __repr__(self) -> str:
        return f"LeftOut({self.reason!r}, {count(len(self.where), 'row')})"

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
    counted : {"row", "cell"}
        What was read: cells, if the table is wide.

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
    counted: str = "row"

    def lines(self) -> list[str]:
        """Say it in sentences, warnings last."""
        warnings = [Sentence("warning: {warning}", warning=it) for it in self.warnings]
        return [*self.tally(), *self.notes, *warnings]

    def tally(self) -> list[Sentence]:
        """Say how many rows were read, used and left out."""
        rows = count(self.rows, self.counted)
        read = Sentence("read {rows}, used {used:,}", rows=rows, used=self.used)
        return [read, *(self._say_left_out(group) for group in self.left_out)]

    def _say_left_out(self, group: LeftOut) -> Sentence:
        if group.by_wish:
            rows = count(group.count, self.counted)
            return Sentence("left out {rows}: {reason}", rows=rows, reason=group.reason)
        return Sentence(
            "left out {rows}: {reason} ({where})",
            rows=count(group.count, self.counted),
            reason=group.reason,
            where=numbered(self.word, tuple(dict.fromkeys(group.where))),
        )

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
