"""The shelf: name -> module of every command; each is made when first asked for.

To import all commands and to read the types of their some 700 options takes longer than to rank a
small file, so a command stands here as a word until somebody types its name or asks for the help
of all.
"""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup

from qrja.cli.shelf.once_each import OnceEach
from qrja.cli.shelf.plain_values import spare_the_validator

HOMES = {
    "rank": "commands.rank",
    "predict": "commands.predict",
    "explain": "commands.explain",
    "trust": "commands.trust",
    "judges": "commands.judges",
    "suggest": "commands.suggest",
    "update": "commands.update",
    "plot": "commands.plot",
    "backtest": "commands.backtest",
    "report": "commands.report",
    "datasets": "fileless.datasets",
    "demo": "fileless.demo",
    "compile": "fileless.compiling",
    "league": "leagues",
    "serve": "leagues",
    "paper": "fileless.paper",
}
"""Command -> where in :mod:`qrja.cli` it lives: a function, or a ``typer.Typer``, of its name."""


class Shelf(MutableMapping[str, Any]):
    """All commands by their names, in the order of the help; see above."""

    def __init__(self, made: MutableMapping[str, Any]) -> None:
        self.made = made

    def __getitem__(self, name: str) -> Any:
        if name not in self.made:
            self.made[name] = make_command(name, HOMES[name])
        return self.made[name]

    def __setitem__(self, name: str, command: Any) -> None:
        self.made[name] = command

    def __delitem__(self, name: str) -> None:
        del self.made[name]

    def __iter__(self) -> Iterator[str]:
        return iter({**HOMES, **self.made})

    def __len__(self) -> int:
        return len({**HOMES, **self.made})


class ShelvedGroup(TyperGroup):
    """A group of commands that are taken from the shelf."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.commands = Shelf(self.commands)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse what was typed up to the name of the command."""
        spare_the_validator(self.get_params(ctx))
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names, without making the commands."""
        return list(self.commands)


def make_command(name: str, home: str) -> Any:
    """Import a command, and let typer read the types of its options."""
    found = getattr(import_module(f"qrja.cli.{home}"), name)
    alone = typer.Typer(rich_markup_mode=None)
    if isinstance(found, typer.Typer):
        alone.add_typer(found, name=name)
    else:
        alone.command(name, cls=OnceEach)(found)
    return typer.main.get_group(alone).commands[name]
