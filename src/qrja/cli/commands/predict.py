"""``qrja predict``: what a start list will do."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Annotated, Any

import typer

from qrja.cli import options
from qrja.cli.output import note, say, say_json, say_table, working, wrote
from qrja.errors import InputError

if TYPE_CHECKING:
    from qrja.ratings import Prediction

ALL_PAIRS = 5
"""Up to so many entrants every pair is printed; of more, neighbours."""

StartList = Annotated[
    str,
    typer.Option(
        metavar="NAMES", help="Who starts: 'Alice,Bob,Charlie', or @FILE with a name a line."
    ),
]


@options.expand
def predict(
    file: options.File,
    start_list: StartList,
    reading: options.Reading,
    modelling: options.Modelling,
    level: options.Level = 0.95,
    json: options.Json = False,
    out: options.Out = None,
    quiet: options.Quiet = False,
) -> None:
    """Predict a start list: win probabilities, expected places, margins.

    The noise is learned from how far contests strayed from what the contests before them foretold,
    and judgments, which have no date, from what all others foretell. A margin should fall between
    low and high with a probability of 95 % (see --level).

    \b
    Examples:
      qrja predict races.csv --start-list "Alice,Bob,Charlie"
      qrja predict dataset:football --start-list "Barcelona,Sevilla" --half-life 365 --json
    """
    from qrja.cli.file_ratings import load_and_fit
    from qrja.cli.name_lists import parse_names

    names = parse_names(start_list)
    if len(names) == 1:
        raise InputError(
            f"the start list is of one, {names[0]!r}; name at least two, separated by commas"
        )
    fitted = load_and_fit(file, reading, modelling, quiet)
    with working("learning from errors of what others foretell", quiet):
        prediction = fitted.ratings.predict(names)
    entrants = prediction.entrants()
    if out is not None:
        from qrja.tables import write_table

        write_table({name: [it[name] for it in entrants] for name in entrants[0]}, out)
        wrote(out, quiet)
    if json:
        say_json(prediction.to_dict(level))
    elif out is None:
        _print(prediction, entrants, level, quiet)


def _print(
    prediction: Prediction, entrants: list[dict[str, Any]], level: float, quiet: bool
) -> None:
    from qrja.ratings import chance

    show = prediction.units.show
    rows = [
        [
            str(it["contestant"]),
            chance(it["win"]),
            f"{it['expected_place']:.1f}",
            show(it["rating"]),
        ]
        for it in entrants
    ]
    say_table(["contestant", "wins", "expected place", "rating"], rows)
    names = [it["contestant"] for it in entrants]
    few = len(names) <= ALL_PAIRS
    pairs = [
        prediction.pair(a, b, level)
        for a, b in (combinations(names, 2) if few else pairwise(names))
    ]
    say()
    rows = [
        [
            str(it["a"]),
            str(it["b"]),
            *(show(it[key]) for key in ("margin", "low", "high")),
            chance(it["a_beats_b"]),
        ]
        for it in pairs
    ]
    say_table(["a", "b", "margin", "low", "high", "a beats b"], rows, left=["a", "b"])
    if not few:
        note("neighbours only; --json holds every pair", quiet)
