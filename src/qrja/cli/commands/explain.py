"""``qrja explain``: why two ratings differ."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from qrja.cli import options
from qrja.cli.output import say, say_json, say_text, working, wrote

First = Annotated[str, typer.Argument(metavar="A", help="A contestant.")]
Second = Annotated[str, typer.Argument(metavar="B", help="Another contestant.")]
Chains = Annotated[
    int, typer.Option(min=0, metavar="N", help="How many chains of common opponents to show.")
]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        metavar="FILE",
        help="Draw the chains into .svg, write the words to .txt, everything to .json, the"
        " contributions to .csv, .tsv, .md, .parquet.",
    ),
]


@options.expand
def explain(
    file: options.OneFile,
    first: First,
    second: Second,
    reading: options.Reading,
    modelling: options.Modelling,
    chains: Chains = 3,
    json: options.Json = False,
    out: Out = None,
    quiet: options.Quiet = False,
) -> None:
    """Say why A is rated above B by so much: contests, common opponents.

    With p = 2 every contest's part of the difference is exact.

    \b
    Examples:
      qrja explain races.csv Alice Charlie
      qrja explain dataset:football Barcelona Valencia --chains 2
      qrja explain races.csv Alice Charlie --out chains.svg
    """
    from qrja.cli.answer_forms import write
    from qrja.cli.file_ratings import load_and_fit

    fitted = load_and_fit(file, reading, modelling, quiet)
    ratings = fitted.ratings
    with working("explaining", quiet):
        told = ratings.explain(first, second, chains=chains)
    if out is not None:
        if out.suffix.casefold() == ".svg":
            from qrja.tables.out import write_text

            write_text(told.svg(), out)
        else:
            write(told, told.to_dict()["contributions"], out)
        wrote(out, quiet)
    if json:
        say_json(fitted.to_dict() | told.to_dict())
    elif out is None:
        say_text(told.text())
        if told.chains:
            say(f"\n{told.drawing()}")
