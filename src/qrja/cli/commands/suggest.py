"""``qrja suggest``: whom to compare next."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from qrja.cli import options
from qrja.cli.name_lists import parse_names
from qrja.cli.output import working

Count = Annotated[int, typer.Option("--count", "-k", min=1, metavar="N", help="How many.")]
Size = Annotated[
    int, typer.Option(min=2, metavar="N", help="How many should meet: 2, or a start list.")
]

Settle = Annotated[
    str | None,
    typer.Option(
        metavar="WHAT", help="One question: 'first' (who is first), or 'A,B' (the order of two)."
    ),
]


@options.expand
def suggest(
    file: options.File,
    reading: options.Reading,
    modelling: options.Modelling,
    count: Count = 5,
    size: Size = 2,
    settle: Settle = None,
    seed: options.Seed = 0,
    json: options.Json = False,
    out: options.AnswerOut = None,
    quiet: options.Quiet = False,
) -> None:
    """Say whom to compare next, to make the ratings more certain.

    Groups that never met are joined first; then come the pairs (or start lists) that lower the
    total variance of all differences most. In a wide table an empty cell is named for each pair.

    \b
    Examples:
      qrja suggest races.csv
      qrja suggest dataset:football -k 3 --size 4
      qrja suggest races.csv --settle "Alice,Bob"
    """
    from qrja.cli.answer_forms import give
    from qrja.cli.file_ratings import load_and_fit

    fitted = load_and_fit(file, reading, modelling, quiet)
    with working("weighing all pairs", quiet):
        told = fitted.ratings.suggest(count, size=size, seed=seed, settle=_question(settle))
    rows = [
        {
            "contestants": " - ".join(map(str, item.contestants)),
            "kind": item.kind,
            "gain": item.gain,
            "reason": item.reason,
        }
        for item in told.items
    ]
    give(told, rows, json, out, quiet)


def _question(settle: str | None) -> Any:
    """Read what is to be settled: a word, or two names."""
    if settle is None or settle == "first":
        return settle
    return tuple(parse_names(settle))
