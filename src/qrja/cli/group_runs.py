"""``--by COLUMN``: a command is run once for each value of a column, and its answers go together.

What is printed gets a heading, files that are written the value in their names, and JSON is one
object with an answer for each group.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from qrja.cli.file_kinds import EMBEDDED, holds_ratings
from qrja.cli.option_groups import Reading
from qrja.cli.output import collecting_json, headed, note, noting_once, say_json
from qrja.errors import InputError


def run_by_group(command: Callable[..., None], by: str, arguments: dict[str, Any]) -> None:
    """Run a command for each value of the column ``by``."""
    groups = list_groups(arguments["file"], by, arguments["reading"])
    answers: dict[str, Any] = {}

    def run(label: str) -> None:
        part = arguments | {"reading": groups[label]} | _paths(arguments, label)
        answers[label] = _run(command, by, label, part)

    refused = each_group(by, groups, run, bool(arguments.get("quiet")))
    if arguments.get("json"):
        left_out = {label: str(error) for label, error in refused.items()}
        say_json({"by": by, "groups": answers, "left_out": left_out})


def list_groups(file: str, by: str, reading: Reading) -> dict[str, Reading]:
    """Return how to read each group of a file."""
    from qrja.tables import find_groups

    if file == "-" or file.startswith(EMBEDDED) or holds_ratings(file):
        raise InputError(f"{file}: --by needs a table in a file, of which to read parts")
    groups = find_groups(getattr(file, "paths", file), by, **asdict(reading))
    return {label: replace(reading, where=condition) for label, condition in groups.items()}


def each_group(
    by: str, labels: Iterable[str], run: Callable[[str], None], quiet: bool
) -> dict[str, InputError]:
    """Run something for every group; return what was refused, raise if all of it was."""
    refused: dict[str, InputError] = {}
    done = 0
    with noting_once():
        for label in labels:
            note(f"{by} {label}:", quiet)
            try:
                run(label)
                done += 1
            except InputError as error:
                refused[label] = error
                note(f"warning: {by} {label} is left out: {error}", quiet)
    if refused and not done:
        raise next(iter(refused.values()))
    return refused


def _run(command: Callable[..., None], by: str, label: str, part: dict[str, Any]) -> Any:
    """Run a command for one group; return its JSON, if it gives any."""
    printed = not part.get("json") and part.get("out") is None
    with collecting_json() as collected, headed(f"{by}: {label}") if printed else nullcontext():
        command(**part)
    return collected[0] if len(collected) == 1 else collected


def _paths(arguments: dict[str, Any], label: str) -> dict[str, Path]:
    """Put the group into the names of files that are written."""
    word = re.sub(r"[^\w.-]+", "-", label).strip("-") or "group"
    return {
        name: path.with_name(f"{path.stem}-{word}{path.suffix}")
        for name in ("out", "save")
        if isinstance(path := arguments.get(name), Path)
    }
