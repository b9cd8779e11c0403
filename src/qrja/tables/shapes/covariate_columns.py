"""Covariates: columns that say more of entrants, read beside the results.

What a column holds decides what it is: numbers, or levels where some cell is none. A table of
matches or judgments may have it twice, once for each side (``home_rest`` and ``away_rest``,
``length_a`` and ``length_b``), or once for the row.

Who is at home needs no column where a row has a home side: it is 1 there and 0 for the other, and 0
for both where a column ``neutral`` says so, or ``location`` by Home and Neutral. Where the first
side is whoever won, its place says nothing; a column such as ``winner_location`` may (H, A or N).
Of an entrant a column such as ``home`` or ``is_home`` says it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qrja.data import Covariate, Covariates, Floats, Mask, Offsets, check_columns, column_of
from qrja.errors import InputError, nearest
from qrja.speech import Sentence
from qrja.tables.roles import NAMES, Shape
from qrja.tables.shapes.columns import fold_name
from qrja.tables.shapes.ledger import Ledger
from qrja.tables.sources import Loaded, shorten, stripped
from qrja.terms import HOME, IF_ANY, as_terms, covariates_of

SIDES: dict[Shape, tuple[str, str]] = {"matches": ("home", "away"), "judgments": ("a", "b")}
NEUTRAL = "neutral"
"""What stands in the name of a column that says where nobody is at home."""
GROUND = {"wloc", "winloc", "winnerloc", "winnerlocation"}
"""What columns are called that say where whoever won played: at home, away, on neutral ground."""
PLACED = {"location", "loc", "site", "venue", "ground", "homeaway"}
"""What columns are called that say either, if they hold :data:`GROUNDS` and nothing else."""
AT_HOME = {"home", "ishome", "athome", "homeaway", "homeoraway", "homegame"}
"""What columns are called that say who of the entrants is at home, if they hold :data:`SIDED`."""
YES = {"1", "true", "yes", "y", "t", "x", "home", "h", "ja", "oui", "si"}
NO = {"", "0", "false", "no", "n", "f", "away", "a", "neutral", "nein", "non"}
"""What cells say of a side that is at home, and of one that is not."""
SIDED = frozenset(YES | NO)
GROUNDS = frozenset({"home", "h", "away", "a", "@", "neutral", "n"})
"""What cells say of the ground of a match."""
Says = Callable[[str, Collection[str]], bool]
"""Tells whether a column holds some words and nothing else."""


def find_covariates(
    columns: Sequence[str],
    shape: Shape,
    asked: Iterable[str] | None,
    first_won: str = "",
    says: Says = lambda column, words: True,
) -> dict[str, tuple[str, ...]]:
    """Return the columns of each covariate: one, or one for each side; none for a home side.

    The first side of a row may be whoever won, by the column ``first_won``. Columns whose name
    alone does not tell that they are about a ground are asked what they hold.

    Examples
    --------
    >>> find_covariates(("home", "away", "home_rest", "away_rest"), "matches", ["home", "rest"])
    {'home': (), 'rest': ('home_rest', 'away_rest')}
    >>> find_covariates(("home", "away"), "matches", "home?")
    {'home': ()}
    >>> find_covariates(("home", "away", "Neutral venue?"), "matches", ["home"])
    {'home': ('Neutral venue?',)}
    >>> find_covariates(("contest", "score"), "entries", "home?")
    {}
    >>> find_covariates(("winner", "loser", "WLoc"), "matches", "home?", "winner")
    {'home': ('WLoc',)}
    """
    found = {}
    for wish in covariates_of(as_terms(asked)):
        name = HOME if wish == IF_ANY else wish
        if name == HOME and shape in SIDES:
            if wish == IF_ANY and shape != "matches":
                continue
            told = _told_ground(columns, first_won, says)
            if told or not first_won:
                found[name] = told
            elif wish != IF_ANY:
                raise InputError(
                    f"{shorten(first_won)} is whoever won, so nothing says who was at home; leave"
                    " home out, or name the columns of the home and the away side"
                )
        elif name == HOME and (at := _entrants_at_home(columns, says)):
            found[name] = at
        elif wish == IF_ANY:
            continue
        elif name in columns:
            found[name] = (name,)
        else:
            found[name] = _of_sides(columns, shape, name)
    return found


def _told_ground(columns: Sequence[str], first_won: str, says: Says) -> tuple[str, ...]:
    """Return the column that says on whose ground a match was, if one does."""
    told = [column for column in columns if _tells_ground(column, first_won)]
    told += [it for it in columns if fold_name(it) in PLACED and says(it, GROUNDS)]
    return tuple(told[:1])


def _entrants_at_home(columns: Sequence[str], says: Says) -> tuple[str, ...]:
    """Return the column that says whether an entrant is at home, if one does."""
    told = [it for it in columns if fold_name(it) in AT_HOME and says(it, SIDED)]
    return tuple(told[:1])


def _of_sides(columns: Sequence[str], shape: Shape, name: str) -> tuple[str, ...]:
    """Return the columns of a covariate for each side, or say what there is."""
    folded = {fold_name(column): column for column in columns}
    sides = SIDES.get(shape, ())
    for keys in (
        [fold_name(side + name) for side in sides],
        [fold_name(name + side) for side in sides],
    ):
        if keys and all(key in folded for key in keys):
            return tuple(folded[key] for key in keys)
    hint = nearest(name, columns) or f"; the columns are {', '.join(map(shorten, columns[:30]))}"
    raise InputError(f"no column {shorten(name)} for the covariate{hint}")


def covariate_roles(found: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """Return what the columns are called in the database.

    Examples
    --------
    >>> covariate_roles({"home": (), "rest": ("home_rest", "away_rest")})
    {'covariate1side0': 'home_rest', 'covariate1side1': 'away_rest'}
    """
    return {
        _role(number, side): column
        for number, columns in enumerate(found.values())
        for side, column in enumerate(columns)
    }


def _role(number: int, side: int) -> str:
    """Return how such a column is called in the database; no role is."""
    return f"covariate{number}side{side}"


def read_covariates(
    loaded: Loaded,
    ledger: Ledger,
    rows: Offsets,
    found: Mapping[str, tuple[str, ...]],
    shape: Shape,
) -> Covariates:
    """Read covariates of some rows: a value for each entry, two of a row that has two sides."""
    read = []
    for number, (name, columns) in enumerate(found.items()):
        roles = [_role(number, side) for side in range(len(columns))]
        if name == HOME:
            values = _home(loaded, ledger, rows, roles, columns, shape)
            read.append(Covariate(name, values))
            continue
        cells = [_cells(loaded, role, rows, name) for role in roles]
        texts = any(cell.dtype == object for cell in cells)
        if texts:
            cells = [_texts(loaded, role, rows) for role in roles]
        read.append(column_of(name, _in_turns(cells, shape, texts).tolist()))
    entries = len(rows) * (2 if shape in SIDES else 1)
    return check_columns(tuple(read), entries)


def _in_turns(cells: list[NDArray[Any]], shape: Shape, texts: bool) -> NDArray[Any]:
    """Lay the values of both sides out; what a row says once holds for both, a number for a."""
    if shape not in SIDES:
        return cells[0]
    other = cells[-1]
    if len(cells) == 1 and shape == "judgments" and not texts:
        other = np.zeros_like(cells[0])
    return np.stack([cells[0], other], axis=1).ravel()


def _home(
    loaded: Loaded,
    ledger: Ledger,
    rows: Offsets,
    roles: list[str],
    columns: tuple[str, ...],
    shape: Shape,
) -> Floats:
    """Return 1 for entries at home, else 0."""
    if shape not in SIDES:
        at_home = _yes(loaded, roles[0], rows)
        ledger.note(
            Sentence(
                "{column} is taken to say who is at home: {number:,} of {rows:,} rows",
                column=shorten(columns[0]),
                number=int(at_home.sum()),
                rows=len(rows),
            )
        )
        return at_home
    if columns and NEUTRAL not in fold_name(columns[0]):
        return _ground(loaded, ledger, rows, roles[0], columns[0])
    at_home = np.ones(len(rows))
    if roles:
        at_home -= _yes(loaded, roles[0], rows, neutral=True)
        _tell_ground(ledger, columns[0], at_home == 0)
    return np.stack([at_home, np.zeros(len(rows))], axis=1).ravel()


def _tells_ground(column: str, first_won: str) -> bool:
    folded = fold_name(column)
    if first_won:
        return folded in GROUND
    return NEUTRAL in folded and folded not in {*NAMES["home"], *NAMES["away"]}


def _ground(loaded: Loaded, ledger: Ledger, rows: Offsets, role: str, column: str) -> Floats:
    """Return 1 for entries at home by where whoever won played, or the side said to be at home."""
    said = np.array([text[:1].casefold() for text in _texts(loaded, role, rows).tolist()])
    said[said == "@"] = "a"
    strange = ~np.isin(said, ["h", "a", "n"])
    if strange.any():
        row = int(rows[strange.argmax()])
        text = shorten(_texts(loaded, role, rows)[strange.argmax()])
        raise loaded.place.error(row, f"{text} is no ground; write H, A or N")
    _tell_ground(ledger, column, said == "n")
    return np.stack([said == "h", said == "a"], axis=1).ravel().astype(np.float64)


def _tell_ground(ledger: Ledger, column: str, nobody: Mask) -> None:
    ledger.note(
        Sentence(
            "{column} is taken to say where nobody is at home: {number:,} of {rows:,} rows",
            column=shorten(column),
            number=int(nobody.sum()),
            rows=len(nobody),
        )
    )


def _yes(loaded: Loaded, role: str, rows: Offsets, *, neutral: bool = False) -> Floats:
    """Read a column of yes and no: of who is at home, or of ``neutral`` ground."""
    said = [text.casefold() for text in _texts(loaded, role, rows, empty="").tolist()]
    said = [text.removesuffix(".0") for text in said]
    for at, text in enumerate(said):
        if text not in YES and text not in NO:
            raise loaded.place.error(
                int(rows[at]), f"{shorten(text)} is neither yes nor no; write 1 or 0"
            )
    if neutral:  # there "neutral" is a yes, and "home" none
        said = ["1" if it == "neutral" else "0" if it in ("home", "h") else it for it in said]
    return np.array([float(text in YES) for text in said])


def _cells(loaded: Loaded, role: str, rows: Offsets, name: str) -> NDArray[Any]:
    """Return numbers; or an array of objects where some cell is none."""
    text = stripped(f"{role}::VARCHAR")
    fetched = loaded.fetch(
        f"SELECT {text} IS NULL AS empty, try_cast({text} AS DOUBLE) AS number FROM loaded"
        " ORDER BY rowid"
    )
    empty = np.ma.filled(fetched["empty"], True)[rows]
    if empty.any():
        row = int(rows[empty.argmax()])
        raise loaded.place.error(row, f"no {name}; fill it in, or leave such rows out by where")
    number = np.ma.filled(fetched["number"].astype(np.float64), np.nan)[rows]
    return number.astype(object) if np.isnan(number).any() else number


def _texts(loaded: Loaded, role: str, rows: Offsets, empty: str | None = None) -> NDArray[Any]:
    text = stripped(f"{role}::VARCHAR")
    if empty is not None:
        text = f"coalesce({text}, '{empty}')"
    fetched = loaded.fetch(f"SELECT {text} AS text FROM loaded ORDER BY rowid")["text"]
    return np.array(np.ma.filled(fetched, "").tolist(), dtype=object)[rows]
