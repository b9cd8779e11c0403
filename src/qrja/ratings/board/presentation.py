"""Boards for people: in the units shown, with as many digits as the intervals support.

An interval ``value +- h`` tells ``value`` to ``1 - floor(log10 h)`` decimals: two digits of h. All
lines of a board are written alike, by the median of h, so that they can be compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import floor, isfinite, log10
from statistics import median
from typing import Any

from qrja.errors import InputError, nearest
from qrja.ratings.board.leaderboard import show_again
from qrja.ratings.board.standings import Line, Standings
from qrja.tables import Units

USUAL = ("group", "rank", "contestant", "rating", "se", "low", "high", "ranks", "contests")
"""Columns of a board that nobody chose, where there are such."""
MOST = 6
"""Decimals of a second, or of any number, that a person is shown."""


def present(
    standings: Standings, columns: Sequence[str] | None = None, *, top: int | None = None
) -> dict[str, list[Any]]:
    """Lay boards out for people: ratings as texts in their units, ranks as ranges.

    Parameters
    ----------
    standings : Standings
        What to show.
    columns : names, optional
        Which, in this order; the usual ones unless some are named.
    top : int, optional
        How many of each board.

    Examples
    --------
    >>> import qrja
    >>> ratings = qrja.fit(qrja.datasets.marathons())
    >>> present(Standings.of(ratings, ratings.table(level=None)), ["contestant", "rating"])
    {'contestant': ['Alice', 'Bob', 'Charlie'], 'rating': ['574', '-34', '-540']}
    """
    lines = [line for board in standings.boards for line in board[:top]]
    shown = [show_line(line, supported_units(standings)) for line in lines]
    known = list(shown[0]) if shown else list(USUAL)
    if columns is None:
        columns = [name for name in USUAL if name in known]
        columns = [name for name in columns if name != "group" or len(standings.boards) > 1]
    called = _called(standings)
    meant = {called.get(name, name): name for name in known}
    chosen = choose_columns([called.get(name, name) for name in columns], list(meant))
    return {name: [line[meant[name]] for line in shown] for name in chosen}


def _called(standings: Standings) -> dict[str, str]:
    """Return what columns are called where things are rated: they may be chosen by either name."""
    say = standings.say
    return {"contestant": say.who, "contests": say.words} if say.nouns.of_things else {}


def supported_units(standings: Standings) -> Units:
    """Return the units with as many decimals as the intervals support.

    Examples
    --------
    >>> import qrja
    >>> made = qrja.datasets.synthetic_races(races=60, entrants=8, field=5, turnover=0)
    >>> ratings = qrja.fit(made.contests)
    >>> supported_units(Standings.of(ratings, ratings.table(kind="dict"))).decimals
    2
    """
    units = standings.fit.units
    if not standings.have_intervals or units.kind in ("ratio", "percent"):
        return units
    reach = [(line["high"] - line["low"]) / 2 for line in standings.lines]
    usual = median([h for h in reach if isfinite(h) and h > 0] or [0.0])
    if usual == 0.0:
        return units
    return replace(units, decimals=min(max(1 - floor(log10(usual)), 0), MOST))


def show_line(line: Line, units: Units) -> Line:
    """Write a line of a board for people."""
    shown: Line = {"group": line["component"] + 1} | line
    for name in ("rating", "low", "high"):
        if name in line:
            shown[name] = show_again(units, line[name])
    if "se" in line:
        shown["se"] = units.show(line["se"]).removeprefix("+")
    if "rank_low" in line:
        shown["ranks"] = show_span(line)
    return shown


def show_span(line: Mapping[str, Any]) -> str:
    """Write the ranks that a contestant may truly have.

    Examples
    --------
    >>> show_span({"rank_low": 1, "rank_high": 3}), show_span({"rank_low": 2, "rank_high": 2})
    ('1-3', '2')
    """
    low, high = line["rank_low"], line["rank_high"]
    if low is None:
        return "-"
    return str(low) if low == high else f"{low}-{high}"


def choose_columns(columns: Sequence[str] | None, known: Sequence[str]) -> list[str]:
    """Return the columns that are asked for, all unless some are; or say which there are.

    Examples
    --------
    >>> choose_columns(["rnk"], ["rank", "rating"])
    Traceback (most recent call last):
    qrja.errors.InputError: the board has no column 'rnk'; did you mean 'rank'?
    """
    for name in columns or ():
        if name not in known:
            hint = nearest(name, known) or f"; there are {', '.join(known)}"
            raise InputError(f"the board has no column {name!r}{hint}")
    return list(known if columns is None else dict.fromkeys(columns))
