"""Wide tables: a row per contest and a column per contestant, or the other way round.

Which way round is told by what the column of names is called: ``task`` names contests, so the other
columns are contestants; ``model`` names contestants, so they are contests. A name that tells
neither is an error that shows both readings. Long tables come first: a table is taken as wide only
if its columns fit no long shape.
"""

from __future__ import annotations

from dataclasses import dataclass

from qrja.errors import InputError
from qrja.tables.roles import ROLES, root
from qrja.tables.shapes.columns import (
    DATA,
    ChosenColumns,
    check_there,
    fold_name,
    guess_role,
    role_candidates,
    some_names,
    split_several,
)
from qrja.tables.shapes.matrices import KINDS, choose_matrix, recognise_matrix
from qrja.tables.sources import Source, literal, stripped
from qrja.tables.values import MISSING

SPREADS = {"contestants": "contestant", "contests": "contest"}
"""What the columns of a wide table are -> the role that their headers play."""
OTHER = {"contestant": "contest", "contest": "contestant"}

SAMPLED = 50
"""Columns that are looked at before all are, of which there may be thousands."""
_SUMS = frozenset(
    {"rank", "rk", "place", "pos", "position", "platz", "rang", "average", "avg", "mean", "median"}
    | {"overall", "total", "sum", "summe", "gesamt", "id", "nr", "no", "number", "num", "bib"}
    | {"startnummer", "startnr", "age", "alter", "year", "jahrgang", "yob", "played", "games"}
    | {"wins", "losses", "draws", "won", "lost", "drawn", "elo", "votes", "count", "std", "stdev"}
)
"""What columns of numbers are called that are no scores of a contest."""
_NUMBER = (
    "[+-]?[\\d.,:'\u2019 \u00a0]*\\d[\\d.,:'\u2019\" \u00a0]*(e[+-]?\\d+)?%?"
    "|\\d+\\s*(h|min|s)[\\dhmins.,\\s]*"
)
_DATE = r"\d{1,4}([-/.])\d{1,2}[-/.]\d{1,4}"


def choose_wide(source: Source, given: dict[str, str], wide: str) -> ChosenColumns:
    """Give the columns of a wide table their roles, as the user says which way round it is."""
    if wide in KINDS:
        return choose_matrix(source, wide)
    if wide not in SPREADS:
        raise InputError(
            f"wide is {wide!r}; say what the columns are: {' or '.join(SPREADS)}; or what the"
            f" cells of a square table are: {' or '.join(KINDS)}"
        )
    view = _View.of(source, given)
    chosen = view.read_as(SPREADS[wide])
    if chosen is None:
        raise InputError(f"a wide table has two columns of scores or more, and {view.listed()}")
    return chosen


def recognise_wide(source: Source, given: dict[str, str]) -> ChosenColumns | None:
    """Recognise a wide table among those that fit no long shape; None if it is none.

    Raises
    ------
    InputError
        If it may be either way round.
    """
    if any("entries" not in ROLES[role].shapes for role in given):
        return None
    matrix = None if given else _recognise_square(source)
    if matrix is not None:
        return matrix
    named = [role for role in OTHER if given.get(role) or role_candidates(role, source.columns)]
    if len(named) > 1 or (given.get("score") and "," not in given["score"]):
        return None
    _named_scores(source.columns, given)
    try:
        if not named and _has_texts(source, source.columns[:SAMPLED]):
            return None
        view = _View.of(source, given)
    except InputError:  # what is said of the columns says more
        return None
    if named:
        return view.read_as(OTHER[named[0]])
    if len(view.texts) != 1 or len(view.scores) < 2 or DATA.fullmatch(view.texts[0]):
        return None
    raise InputError(view.two_readings())


def _recognise_square(source: Source) -> ChosenColumns | None:
    try:
        loadable = bool(source.load({"cell": source.columns[0]}).rows)
    except InputError:
        return None
    return recognise_matrix(source) if loadable else None


@dataclass(frozen=True)
class _View:
    """The columns of a table, by what their cells hold."""

    columns: tuple[str, ...]
    given: dict[str, str]
    scores: tuple[str, ...]
    texts: tuple[str, ...]

    @classmethod
    def of(cls, source: Source, given: dict[str, str]) -> _View:
        columns = source.columns
        named = _named_scores(columns, given)
        numbers = _numeric(source, columns)
        texts = tuple(name for name in columns if name not in numbers)
        return cls(columns, given, named or _scores(columns, numbers), texts)

    def read_as(self, spread: str) -> ChosenColumns | None:
        """Return the roles if the columns are contestants, or contests; None if they cannot."""
        given, further = split_several(self.columns, self.given)
        label = OTHER[spread]
        column = {role: name for role, name in given.items() if name and role != "score"}
        taken = {*column.values(), *(n for r, n in further.items() if not r.startswith("score"))}
        guessed = self._guess(label, given, column, taken)
        scores = [name for name in self.scores if name not in {*column.values(), *taken}]
        if label not in column or len(scores) < 2:
            return None
        if spread in column or (label == "contestant" and column.keys() & {"date", "weight"}):
            odd = ", ".join(sorted(column.keys() - {label}))
            raise InputError(
                f"{odd}: not in a wide table whose rows are {label}s and columns {spread}s"
            )
        cells = {f"score_{i}" if i > 1 else "score": name for i, name in enumerate(scores, 1)}
        further = {role: name for role, name in further.items() if not role.startswith("score")}
        return ChosenColumns("entries", column | further | cells, guessed, spread)

    def _guess(
        self, label: str, given: dict[str, str], column: dict[str, str], taken: set[str]
    ) -> tuple[str, ...]:
        """Guess the column of names, and that of dates; edit ``column`` and tell which."""
        guessed = []
        for role in (label, "date") if label == "contest" else (label,):
            free = tuple(name for name in self.columns if name not in taken)
            found = None if role in given else guess_role(role, free)
            if found is None and role == label and role not in given:
                found = next((name for name in self.texts if name not in taken), None)
            if found is not None:
                column[role] = found
                taken.add(found)
                guessed.append(role)
        return tuple(guessed)

    def listed(self) -> str:
        """Say which columns hold scores."""
        if not self.scores:
            return "here no column holds numbers"
        return f"here only {', '.join(map(repr, self.scores))} holds numbers"

    def two_readings(self) -> str:
        """Show both ways to read the table."""
        columns = some_names(self.scores)
        return (
            f"a wide table that can be read in two ways: each row a contest called by"
            f" {self.texts[0]!r}, and {columns} its contestants (--wide contestants); or each row a"
            f" contestant called by {self.texts[0]!r}, and {columns} contests (--wide contests);"
            " say which"
        )


def _named_scores(columns: tuple[str, ...], given: dict[str, str]) -> tuple[str, ...]:
    """Return the columns of scores that the user names, which must be there."""
    first, further = split_several(columns, given, (*OTHER, "score"))
    check_there(columns, first | further)
    return tuple(name for role, name in (first | further).items() if root(role) == "score")


def _scores(columns: tuple[str, ...], numbers: set[str]) -> tuple[str, ...]:
    """Return the columns of numbers that are not called like something else."""
    known = [role for role in ROLES if role not in OTHER and len(role) > 1]
    return tuple(
        name
        for name in columns
        if name in numbers
        and fold_name(name) not in _SUMS
        and not any(role_candidates(role, (name,)) for role in known)
    )


def _has_texts(source: Source, columns: tuple[str, ...]) -> bool:
    """Tell whether several of some columns hold texts; of a few columns that is told quickly."""
    return len(columns) < len(source.columns) and len(columns) - len(_numeric(source, columns)) > 1


def _numeric(source: Source, columns: tuple[str, ...]) -> set[str]:
    """Return the columns in which half of what is written, or more, is a number or a time.

    Cells are listed below each other first: a query with an expression for each of some thousand
    columns takes minutes to plan.
    """
    loaded = source.load({f"cell_{i}": name for i, name in enumerate(columns)})
    found = loaded.database.execute(f"""
        SELECT cell, {_counts("text")}
        FROM (UNPIVOT (SELECT COLUMNS('^cell_')::VARCHAR FROM loaded)
              ON COLUMNS(*) INTO NAME cell VALUE text)
        GROUP BY cell
        """).fetchall()
    return {
        columns[int(cell.removeprefix("cell_"))]
        for cell, read, written in found
        if read and 2 * read >= written
    }


def _counts(column: str) -> str:
    """Write SQL that counts the numbers of a column of texts, and its cells that say anything."""
    text = f"lower({stripped(column)})"
    word = f"coalesce(replace(upper({text}), '.', ''), '')"
    number = f"regexp_full_match({text}, {literal(_NUMBER)})"
    date = f"regexp_full_match({text}, {literal(_DATE)})"
    missing = literal(sorted(MISSING))
    return f"count_if({number} AND NOT {date}), count_if(NOT list_contains({missing}, {word}))"
