"""Write the command-line reference from the code: python tools/cli_reference.py > docs/cli.md."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

os.environ["COLUMNS"] = "80"

import typer

from qrja.cli import app

HEAD = """# Command line

Results go to stdout, notes and errors to stderr. Exit codes: 0 done, 1 something failed,
2 the input or the command was wrong, 130 interrupted. `--json` prints JSON on every command.
"""


def reference() -> str:
    """Return the page: the help of every command."""
    return "\n".join([HEAD, *sections(typer.main.get_command(app), "qrja", "##")])


def sections(group: Any, prefix: str, heading: str) -> Iterator[str]:
    """Yield the help of each command of a group, and below it of those that it groups."""
    for name, command in group.commands.items():
        full = f"{prefix} {name}"
        with command.make_context(full, [], resilient_parsing=True) as context:
            text = "\n".join(line.rstrip() for line in command.get_help(context).splitlines())
        yield f"{heading} {full}\n\n```text\n{text}\n```\n"
        if hasattr(command, "commands"):
            yield from sections(command, full, f"{heading}#")


if __name__ == "__main__":
    print(reference(), end="")
