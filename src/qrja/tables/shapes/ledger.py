"""Ledger: which rows are left out and why, while a table is turned into a problem."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from qrja.data import CONTESTED, Nouns, Offsets
from qrja.tables.sources import Place
from qrja.tables.summary import LeftOut, Summary

Mask = NDArray[np.bool_]
"""One truth value per row."""


@dataclass
class Ledger:
    """Every row is either kept or left out for one reason, the first one given."""

    place: Place
    rows: int
    notes: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    grades: dict[str, float] = field(default_factory=dict)
    apart: list[LeftOut] = field(default_factory=list)
    """What was left out before, and is not among the rows."""
    part: bool = False
    """Whether there are more rows elsewhere: then these may be all left out."""
    nouns: Nouns = CONTESTED
    """What contests are called where people read it."""

    def __post_init__(self) -> None:
        self.kept: Mask = np.ones(self.rows, dtype=bool)
        self._left_out: dict[str, list[Offsets]] = {}

    def note(self, *notes: str) -> None:
        """Note what was assumed, once."""
        self.notes.extend(note for note in notes if note not in self.notes)

    def check_any(self, what: str) -> None:
        """Check that some row is left to use."""
        if not self.part and not self.kept.any():
            raise self.place.of_table(f"none of the {self.rows} {self.place.counted}s has a {what}")

    def leave_out(self, rows: Offsets, reason: str) -> None:
        """Leave out those of the rows that are still kept."""
        fresh = rows[self.kept[rows]]
        if len(fresh):
            self.kept[fresh] = False
            self._left_out.setdefault(reason, []).append(fresh)

    def summary(self) -> Summary:
        """Close the ledger."""
        left_out = tuple(
            LeftOut(reason, self.place.numbers(np.sort(np.concatenate(rows)).tolist()))
            for reason, rows in self._left_out.items()
        )
        left_out = (*self.apart, *left_out)
        return Summary(
            rows=self.rows + sum(group.count for group in self.apart),
            used=int(self.kept.sum()),
            left_out=left_out,
            notes=tuple(self.notes),
            warnings=tuple(self.warnings),
            word=self.place.word if left_out else "line",
            counted=self.place.counted,
        )
