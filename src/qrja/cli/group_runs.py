"""``--by COLUMN``: a command is run once for each value of a column, and its answers go together.

What is printed gets a heading, files that are written the value in their names, and JSON is one
object with an answer for each group.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from qrja.cli.file_kinds import EMBEDDED, holds_ratings
from qrja.cli.output import collecting_json, note, say, say_json
from qrja.errors import InputError


@dataclass
class Siblings:
    """The files that this run writes, one for each group; pages may link to each other."""

    paths: dict[str, Path] = field(default_factory=dict)
    linked: bool = False


SIBLINGS = Siblings()


def run_by_group(command: Callable[..., None], by: str, arguments: dict[str, Any]) -> None:
    """Run a command for each value of the column ``by``."""
    from qrja.tables import find_groups

    file, reading = arguments["file"], arguments["reading"]
    if file == "-" or file.startswith(EMBEDDED) or holds_ratings(file):
        raise InputError(f"{file}: --by needs a table in a file, of which to read parts")
    groups = find_groups(getattr(file, "paths", file), by, **asdict(reading))
    parts = {
        label: arguments | {"reading": replace(reading, where=condition)} | _paths(arguments, label)
        for label, condition in groups.items()
    }
    answers, refused = _run_all(command, by, parts, bool(arguments.get("quiet")))
    if not answers:
        raise next(iter(refused.values()))
    if arguments.get("json"):
        left_out = {label: str(error) for label, error in refused.items()}
        say_json({"by": by, "groups": answers, "left_out": left_out})


def _run_all(
    command: Callable[..., None], by: str, parts: dict[str, dict[str, Any]], quiet: bool
) -> tuple[dict[str, Any], dict[str, InputError]]:
    """Run a command for every group; return the answers, and what was refused."""
    answers: dict[str, Any] = {}
    refused: dict[str, InputError] = {}
    SIBLINGS.paths = {label: part["out"] for label, part in parts.items() if part.get("out")}
    SIBLINGS.linked = False
    for label, part in parts.items():
        note(f"{by} {label}:", quiet)
        try:
            answers[label] = _run(command, by, label, part)
        except InputError as error:
            refused[label] = error
            note(f"warning: {by} {label} is left out: {error}", quiet)
    SIBLINGS.paths = {}
    if SIBLINGS.linked and refused and answers:  # no page may link to one that is not there
        kept = {label: parts[label] | {"quiet": True} for label in answers}
        answers, _ = _run_all(command, by, kept, True)
    return answers, refused


def tabs_beside(out: Path) -> dict[str, str | None]:
    """Return the pages of the other groups by their labels, None for the page itself."""
    SIBLINGS.linked = True
    return {label: None if path == out else path.name for label, path in SIBLINGS.paths.items()}


def _run(command: Callable[..., None], by: str, label: str, part: dict[str, Any]) -> Any:
    """Run a command for one group; return its JSON, if it gives any."""
    with collecting_json() as collected:
        if not part.get("json") and part.get("out") is None:
            say(f"{by}: {label}")
        command(**part)
    if not part.get("json") and part.get("out") is None:
        say()
    return collected[0] if len(collected) == 1 else collected


def _paths(arguments: dict[str, Any], label: str) -> dict[str, Path]:
    """Put the group into the names of files that are written."""
    word = re.sub(r"[^\w.-]+", "-", label).strip("-") or "group"
    return {
        name: path.with_name(f"{path.stem}-{word}{path.suffix}")
        for name in ("out", "save")
        if isinstance(path := arguments.get(name), Path)
    }
