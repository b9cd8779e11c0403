"""Write the command-line reference from the code: python tools/cli_reference.py > docs/cli.md."""

from __future__ import annotations

import os

os.environ["COLUMNS"] = "80"

import typer

from qrja.cli import app

HEAD = """# Command line

Results go to stdout, notes and errors to stderr. Exit codes: 0 done, 1 something failed,
2 the input or the command was wrong, 130 interrupted. `--json` prints JSON on every command.
"""


def reference() -> str:
    """Return the page: the help of every command."""
    group = typer.main.get_command(app)
    pages = [HEAD]
    for name, command in group.commands.items():
        with command.make_context(f"qrja {name}", [], resilient_parsing=True) as context:
            text = "\n".join(line.rstrip() for line in command.get_help(context).splitlines())
        pages.append(f"## qrja {name}\n\n```text\n{text}\n```\n")
    return "\n".join(pages)


if __name__ == "__main__":
    print(reference(), end="")
