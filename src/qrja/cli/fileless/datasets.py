"""``qrja datasets``: list and export the embedded sets."""

from __future__ import annotations

from typing import Annotated

import typer

from qrja.cli import options
from qrja.cli.output import say, say_json, wrote


def datasets(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="The set to export; none lists all.")
    ] = None,
    out: options.Out = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """List the embedded data sets, or export one.

    \b
    Examples:
      qrja datasets
      qrja datasets football --out football.csv
    """
    from qrja.datasets import DATASETS, columns

    if name is None:
        listed = {
            key: {"about": it.about, "source": it.source, "licence": it.licence} | it.sizes()
            for key, it in DATASETS.items()
        }
        say_json(listed) if json else say(_list(listed))
        return
    from qrja.tables import format_table, write_table

    table = columns(name)
    if out is not None:
        write_table(table, out)
        wrote(out, quiet)
    elif json:
        say_json(table)
    else:
        say(format_table(table, "csv").rstrip("\n"))


def _list(listed: dict[str, dict[str, str | int]]) -> str:
    return "\n".join(
        f"{name}: {facts['about']}\n"
        f"    {facts['contests']} contests, {facts['contestants']} contestants,"
        f" {facts['entries']} entries; {facts['licence']}"
        for name, facts in listed.items()
    )
