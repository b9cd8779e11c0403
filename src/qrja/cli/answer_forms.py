"""Answers that are texts, tables and JSON at once: where they go, and in which form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from json import dumps
from pathlib import Path
from typing import Any, Protocol

from qrja.cli.output import say_json, say_text, wrote


class Answer(Protocol):
    """Something that can be told in words and as plain data."""

    def text(self) -> str:
        """Tell it in words."""

    def to_dict(self) -> dict[str, Any]:
        """Give it as plain lists and dictionaries."""


def give(
    answer: Answer, rows: Sequence[Mapping[str, Any]], json: bool, out: Path | None, quiet: bool
) -> None:
    """Print an answer, or write it: .txt the words, .json everything, else the rows as a table."""
    if out is not None:
        write(answer, rows, out)
        wrote(out, quiet)
    if json:
        say_json(answer.to_dict())
    elif out is None:
        say_text(answer.text())


def write(answer: Answer, rows: Sequence[Mapping[str, Any]], out: Path) -> None:
    """Write an answer in the form that the ending of the file says."""
    from qrja.tables import write_table
    from qrja.tables.out import write_text

    ending = out.suffix.casefold()
    if ending == ".txt":
        write_text(f"{answer.text()}\n", out)
    elif ending == ".json":
        text = dumps(answer.to_dict(), ensure_ascii=False, indent=2, allow_nan=False, default=str)
        write_text(f"{text}\n", out)
    else:
        names = list(dict.fromkeys(name for row in rows for name in row))
        write_table({name: [row.get(name) for row in rows] for name in names}, out)
