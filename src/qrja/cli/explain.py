"""``qrja explain``: why two ratings differ."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from qrja.cli import options
from qrja.cli.output import note, say, say_json, working

First = Annotated[str, typer.Argument(metavar="A", help="A contestant.")]
Second = Annotated[str, typer.Argument(metavar="B", help="Another contestant.")]
Chains = Annotated[
    int, typer.Option(min=0, metavar="N", help="How many chains of common opponents to show.")
]
Svg = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Draw the chains into an SVG picture.")
]


@options.expand
def explain(
    file: options.File,
    first: First,
    second: Second,
    reading: options.Reading,
    p: options.P = 2.0,
    chains: Chains = 3,
    svg: Svg = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Say why A is rated above B by so much: contests, common opponents.

    With p = 2 every contest's part of the difference is exact.

    \b
    Examples:
      qrja explain races.csv Alice Charlie
      qrja explain dataset:football Barcelona Valencia --chains 2
    """
    from qrja.cli.fitted import load_and_fit

    ratings = load_and_fit(file, reading, p, quiet)
    with working("explaining", quiet):
        told = ratings.explain(first, second, chains=chains)
    if svg is not None:
        from qrja.tables.write import write_text

        write_text(told.svg(), svg)
        note(f"wrote {svg}", quiet)
    if json:
        say_json(told.to_dict())
        return
    say(told.text())
    if told.chains:
        say(f"\n{told.drawing()}")
