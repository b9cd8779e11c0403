"""What became of all rows, bucket by bucket: ``rows == used + sum of those left out``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from qrja.plurals import count
from qrja.scale.engines.buckets import FEW, Bucket


@dataclass(frozen=True)
class RowsRead:
    """What became of all rows: ``rows == used + sum of those left out``, to the row.

    ``left_out`` has for each reason how many rows, and the places of a few.
    """

    rows: int
    used: int
    left_out: dict[str, tuple[int, list[str]]]
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @classmethod
    def of(cls, buckets: Iterable[Bucket]) -> RowsRead:
        """Add buckets up."""
        buckets = list(buckets)
        left: dict[str, tuple[int, list[str]]] = {}
        for bucket in buckets:
            for reason, (number, places) in bucket.left_out.items():
                before, known = left.get(reason, (0, []))
                left[reason] = before + number, (known + places)[:FEW]
        said = [set(bucket.notes) for bucket in buckets]
        shared = [note for note in buckets[0].notes if all(note in it for it in said)]
        warned = [warning for bucket in buckets for warning in bucket.warnings]
        more = (
            [f"and {len(warned) - FEW:,} more warnings of this kind"] if len(warned) > FEW else []
        )
        return cls(
            sum(bucket.rows for bucket in buckets),
            sum(bucket.used for bucket in buckets),
            left,
            tuple(shared),
            tuple(warned[:FEW] + more),
        )

    @classmethod
    def from_dict(cls, told: dict[str, Any]) -> RowsRead:
        """Make it of what ``dataclasses.asdict`` made of it, by way of JSON."""
        left = {reason: (number, places) for reason, (number, places) in told["left_out"].items()}
        notes, warnings = tuple(told["notes"]), tuple(told["warnings"])
        return cls(told["rows"], told["used"], left, notes, warnings)

    def with_note(self, note: str | None) -> RowsRead:
        """Add a note, if there is one."""
        return self if note is None else replace(self, notes=(*self.notes, note))

    def lines(self) -> list[str]:
        """Say it in sentences, warnings last."""
        told = [f"read {count(self.rows, 'row')}, used {self.used:,}"]
        for reason, (number, places) in self.left_out.items():
            more = ", ..." if number > len(places) else ""
            told.append(f"left out {count(number, 'row')}: {reason} ({', '.join(places)}{more})")
        return [*told, *self.notes, *(f"warning: {it}" for it in self.warnings)]

    def to_dict(self) -> dict[str, Any]:
        """Give it as plain lists and dictionaries, for JSON."""
        return {
            "rows": self.rows,
            "used": self.used,
            "left_out": [
                {"reason": reason, "count": number, "places": places}
                for reason, (number, places) in self.left_out.items()
            ],
            "notes": list(self.notes),
            "warnings": list(self.warnings),
        }
