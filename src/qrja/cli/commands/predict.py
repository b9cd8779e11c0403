"""``qrja predict``: what a start list will do."""

from __future__ import annotations

from itertools import combinations, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from warnings import catch_warnings, simplefilter

import typer

from qrja.cli import options
from qrja.cli.output import note, say, say_json, say_table, working, wrote
from qrja.errors import InputError

if TYPE_CHECKING:
    from qrja.cli.file_ratings import Fitted
    from qrja.ratings import Prediction

ALL_PAIRS = 5
"""Up to so many entrants every pair is printed; of more, neighbours."""

StartList = Annotated[
    str,
    typer.Option(
        metavar="NAMES",
        help="Who starts: 'Alice,Bob,Charlie', or @FILE with a name a line; 'Leeds (home)', or"
        " 'Arkle (jockey=Taaffe, weight=60)', says more of an entrant.",
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
    raw: options.Raw = False,
    quiet: options.Quiet = False,
) -> None:
    """Predict a start list: win probabilities, expected places, margins.

    The noise is learned from how far contests strayed from what the contests before them foretold,
    and judgments, which have no date, from what all others foretell. A margin should fall between
    low and high, a score between from and to, with a probability of 95 % (see --level). Who is new
    is forecast as anybody of the field.

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
    with working("learning from errors of what others foretell", quiet), catch_warnings():
        simplefilter("ignore")  # what they say is noted below
        prediction = fitted.ratings.predict(_without_header(names, start_list, fitted, quiet))
    for told in prediction.notes:
        note(told, quiet)
    if out is not None:
        _write(prediction, out, level, raw)
        wrote(out, quiet)
    if json:
        say_json(fitted.to_dict() | prediction.to_dict(level))
    elif out is None:
        _print(prediction, level, quiet)


def _without_header(names: list[str], start_list: str, fitted: Fitted, quiet: bool) -> list[str]:
    """Leave out the first line of a file if it is what such columns are called, and nobody is."""
    from qrja.tables import NAMES

    words = {"contestant", *NAMES["contestant"]}
    known = {str(name) for name in fitted.ratings.problem.names}
    if not start_list.startswith("@") or names[0] in known or names[0].casefold() not in words:
        return names
    note(f"{start_list[1:]}: the first line, {names[0]!r}, is taken for a header", quiet)
    return names[1:]


def _write(prediction: Prediction, out: Path, level: float, raw: bool) -> None:
    from qrja.tables import write_table
    from qrja.tables.out import is_for_people

    everything = raw or not is_for_people(out)
    write_table(prediction.table(kind="dict") if everything else prediction.present(level), out)


def _print(prediction: Prediction, level: float, quiet: bool) -> None:
    from qrja.ratings import chance

    show, columns = prediction.units.show, prediction.present(level)
    rows = [list(map(str, row)) for row in zip(*columns.values(), strict=True)]
    say_table(list(columns), rows, left=[prediction.word])
    names = [it["contestant"] for it in prediction.entrants()]
    few = len(names) <= ALL_PAIRS
    pairs = [
        prediction.pair(a, b, level)
        for a, b in (combinations(names, 2) if few else pairwise(names))
    ]
    say()
    tying = prediction.may_tie
    rows = [
        [
            str(it["a"]),
            str(it["b"]),
            *(show(it[key]) for key in ("margin", "low", "high")),
            chance(it["a_beats_b"]),
            *([chance(it["tie"])] if tying else []),
        ]
        for it in pairs
    ]
    header = ["a", "b", "margin", "low", "high", "a beats b", *(["tie"] if tying else [])]
    say_table(header, rows, left=["a", "b"])
    if tying:
        note("a beats b: a tie counts half", quiet)
    if not few:
        note("neighbours only; --json holds every pair", quiet)
