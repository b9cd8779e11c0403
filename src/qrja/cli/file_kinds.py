"""What a FILE argument may name besides a table: an embedded set, or saved ratings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import typer

EMBEDDED = "dataset:"
"""How the names of embedded sets begin."""

SAVED = ".qrja"
"""How the names of saved ratings end."""


def is_saved(file: str) -> bool:
    """Tell saved ratings from tables, by their name."""
    return Path(file).suffix.casefold() == SAVED


def complete_file(context: typer.Context, incomplete: str) -> Iterator[str]:
    """Complete a FILE argument in a shell: embedded sets, then files."""
    from qrja.datasets import DATASETS

    folder = Path(incomplete) if incomplete.endswith("/") else Path(incomplete).parent
    paths = sorted(folder.glob("*")) if folder.is_dir() else []
    offered = [f"{EMBEDDED}{name}" for name in DATASETS]
    offered += [f"{path}/" if path.is_dir() else str(path) for path in paths]
    yield from (text for text in offered if text.startswith(incomplete))
