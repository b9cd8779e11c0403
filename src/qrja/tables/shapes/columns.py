"""Which column plays which role: as the user says, else guessed from the header.

A role is guessed when one column bears its own name, or when a single column bears one of its
other names; two such columns are an error that lists them. Spelling counts only by letters and
digits: ``Home Team``, ``home_team`` and ``HomeTeam`` are one name.
"""

from __future__ import annotations

import csv
import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

from qrja.data import CONTESTED, Nouns
from qrja.errors import InputError, nearest
from qrja.speech import Noun, Sentence, joined
from qrja.tables.roles import (
    ALLOWED,
    ALSO,
    BY_NAME,
    FIRST_WON,
    LAST_LOST,
    NAMES,
    NEEDED,
    PLACES,
    ROLES,
    SEVERAL,
    Shape,
    root,
)
from qrja.tables.sources import shorten

_TIMES = {"time", "finishtime", "nettime", "guntime", "seconds", "duration", "laptime", "racetime"}
_TIMES |= {"zeit", "laufzeit", "nettozeit", "bruttozeit", "endzeit", "temps", "tiempo", "tempo"}
_TIMES |= {"tijd", "eindtijd"}
"""What columns of times are called."""

_SEASONS = {"season", "year", "edition", "saison", "jahr", "annee", "temporada", "stagione", "anno"}
"""What columns are called that tell contests of a name apart."""

_TELLING = {
    "weight": "the column {name} is not used: name it as the weight if contests are to count by it",
    "study": "the column {name} is not used: name it as the study if rows that share one are"
    " contrasts of one trial",
}
"""Columns that are never guessed, and the note on a column that bears their name."""


_ERRORS = {"se", "sd", "sigma", "err", "error", "stderr", "sem", "std", "stdev", "uncertainty"}
"""What columns of errors are called, whole words of their names."""
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")


DOUBTFUL = ("date", "topic")
"""What judgments can do without: where two columns may be it, neither is taken."""
MOST = 20_000
"""Columns of a table: the database takes seconds for as many, and more than in proportion."""
FEW = 30
"""Columns that a message names."""


class SeveralColumnsError(InputError):
    """The columns fit a shape, and two of them the same role."""


@dataclass(frozen=True)
class ChosenColumns:
    """The shape of a table, the column of each role, and which of them were guessed."""

    shape: Shape
    column: dict[str, str]
    guessed: tuple[str, ...]
    spread: str = ""
    """The role whose names are the headers of the columns of scores, if the table is wide."""

    def low_column(self) -> str | None:
        """Return the column of the scores if it is called a time or a place: lower is better."""
        name = "" if self.spread else self.column.get("score", "")
        return name if fold_name(name) in _TIMES | PLACES else None

    def names_winner(self) -> bool:
        """Tell whether the margins are in a column called the winner."""
        return fold_name(self.column.get("y", "")) == "winner"

    def season(self, columns: tuple[str, ...]) -> tuple[str, ...]:
        """Return the column of contests and that of seasons, in which names may come again."""
        contest, used = self.column.get("contest"), self.column.values()
        seasons = [name for name in columns if fold_name(name) in _SEASONS and name not in used]
        return (contest, seasons[0]) if contest and seasons and not self.spread else ()

    def first_won(self) -> str:
        """Return the column of the first side if that is whoever won, else nothing."""
        first = self.column.get("home") or self.column.get("a", "")
        return first if fold_name(first) in FIRST_WON else ""

    def notes(self, columns: tuple[str, ...], nouns: Nouns = CONTESTED) -> list[Sentence]:
        """Say which columns were guessed, and which might have been expected to count."""
        said = [
            Sentence("{role} is {name}", role=Sentence(_words(role)), name=shorten(name))
            for role in self.guessed
            if (name := self.column[role])
        ]
        notes = [Sentence("guessed from the header: {said}", said=joined(", ", said))]
        notes = notes if said else []
        if self.spread:
            return notes + self._tell_wide(columns, nouns)
        notes += [
            Sentence(
                "the weight {name} sounds like an error, and the larger a weight the more a row"
                " counts: give standard errors as se",
                name=shorten(name),
            )
            for role in ("w", "weight")
            if (name := self.column.get(role, "")) and _sounds_like_an_error(name)
        ]
        telling = {role: _TELLING[role] for role in ALLOWED[self.shape] if role in _TELLING}
        unused = [name for name in columns if name not in self.column.values()]
        if self.shape == "judgments":
            notes += self._tell_doubtful(unused)
        return notes + [
            Sentence(telling[fold_name(name)], name=shorten(name))
            for name in unused
            if fold_name(name) in telling
        ]

    def _tell_doubtful(self, unused: list[str]) -> list[Sentence]:
        """Say which columns may be the date or the topic of judgments, where two may."""
        found = {role: role_candidates(role, tuple(unused)) for role in DOUBTFUL}
        return [
            Sentence(
                "{many} columns may be the {what}: {names}; none is used unless named (--{role}"
                " COLUMN in the shell)",
                many=len(names),
                what=Sentence(role),
                names=_named(names),
                role=role,
            )
            for role, names in found.items()
            if role not in self.column and len(names) > 1
        ]

    def _tell_wide(self, columns: tuple[str, ...], nouns: Nouns) -> list[Sentence]:
        """Say how a wide table was read, and which columns were not."""
        if self.spread == "b":
            said = "a square table: a cell says how its row compares with its column, as margins"
            if "ratio" in self.column:
                said = "a square table: a cell says how its row compares with its column, as ratios"
            return [Sentence(said)]
        unused = [name for name in columns if name and name not in self.column.values()]
        told = [self._tell_scores(nouns)]
        if unused:
            told.append(
                Sentence(
                    "not read: {unused}; the score option names the columns to read, with commas"
                    " between them",
                    unused=some_names(unused),
                )
            )
        return told

    def _tell_scores(self, nouns: Nouns) -> Sentence:
        """Say what the rows and the columns of a wide table are."""
        scores = [name for role, name in self.column.items() if root(role) == "score"]
        called = {"contest": Noun(nouns.event, 2), "contestant": Noun(nouns.candidate, 2)}
        (label,) = called.keys() - {self.spread}
        return Sentence(
            "a wide table: rows are {these}, called by {label}, and the {columns} columns {shown}"
            " are {those}",
            these=called[label],
            label=shorten(self.column[label]),
            columns=len(scores),
            shown=some_names(scores),
            those=called[self.spread],
        )


DATA = re.compile(r"[+-]?[\d:.,]*\d[\d:.,]*|\d+[-/.]\d+[-/.]\d+")
"""A number, a time or a date: what a column is hardly ever called."""

SHAPE_NAMES: dict[Shape, str] = {
    "entries": "one row per entrant (contest, contestant, score)",
    "matches": "one row per match (home, away, home_score, away_score)",
    "judgments": "one row per judgment (a, b, y)",
}


def choose_columns(
    columns: tuple[str, ...], given: dict[str, str], assumed: Collection[str] = ()
) -> ChosenColumns:
    """Give each role a column.

    Parameters
    ----------
    columns : tuple of str
        The header.
    given : dict
        Role -> column, as the user said; an empty name means that there is no such column.
    assumed : collection of str
        Roles in ``given`` that the user did not say.

    Examples
    --------
    >>> choose_columns(("race", "runner", "time"), {}).column
    {'contest': 'race', 'contestant': 'runner', 'score': 'time'}
    """
    if len(columns) > MOST:
        raise InputError(
            f"{len(columns):,} columns, and a table may have {MOST:,};"
            " leave out those that say nothing of the results"
        )
    given, further = split_several(columns, given)
    check_there(columns, given | further)
    asked, given = given, given | _verdict_of_winner(columns, given)
    shape = _choose_shape(columns, given)
    if shape == "judgments":
        _check_y_or_ratio(columns, given)
    column = {role: name for role, name in given.items() if name}
    free = tuple(name for name in columns if name not in (column | further).values())
    for role in _roles(shape, columns, given):
        if role not in given and (guess := _guess(role, shape, free)) is not None:
            column[role] = guess
    if shape == "entries" and column.get("judge") and "contest" not in column | given:
        column["contest"] = column["judge"]  # what each judge said is a contest
    won = shape == "judgments" and _needs_no_margin(columns, given)
    if not (won and {"a", "b"} <= set(column)):
        _check_complete(shape, column, columns)
    order = [role for role in ALLOWED[shape] if role in column]
    guessed = tuple(role for role in order if role not in asked or role in assumed)
    return ChosenColumns(shape, {role: column[role] for role in order} | further, guessed)


def split_several(
    columns: tuple[str, ...], given: dict[str, str], roles: Collection[str] = SEVERAL
) -> tuple[dict[str, str], dict[str, str]]:
    """Take names such as ``"event,distance"`` apart: the first plays its role, the next role_2.

    Examples
    --------
    >>> split_several(("event", "distance"), {"contest": "event,distance"})
    ({'contest': 'event'}, {'contest_2': 'distance'})
    """
    first = dict(given)
    further: dict[str, str] = {}
    for role, names in given.items():
        if role in roles and "," in names and names not in columns:
            parts = [name.strip() for name in next(csv.reader([names]))]
            first[role], *others = [name for name in parts if name] or [""]
            further |= {f"{role}_{number}": name for number, name in enumerate(others, start=2)}
    return first, further


def check_there(columns: tuple[str, ...], given: dict[str, str]) -> None:
    """Check that every column that was named is there."""
    for role, name in given.items():
        if name and name not in columns:
            raise InputError(
                f"no column {shorten(name)} for the {_words(root(role))}; {_list(columns)}"
                f"{nearest(name, columns)}"
            )


def _verdict_of_winner(columns: tuple[str, ...], given: dict[str, str]) -> dict[str, str]:
    """Tell whether ``winner`` says which of two others won, and is not one of the two itself."""
    if given.keys() & {"y", "ratio"} or role_candidates("y", columns):
        return {}
    taken = {given.get("a"), given.get("b")}
    winner = [name for name in columns if fold_name(name) == "winner" and name not in taken]
    others = tuple(name for name in columns if name not in winner)
    sides = (given.get(role) or role_candidates(role, others) for role in ("a", "b"))
    return {"y": winner[0]} if len(winner) == 1 and all(sides) else {}


def _needs_no_margin(columns: tuple[str, ...], given: dict[str, str]) -> bool:
    """Tell whether a judgment is that a beat b: columns say so, or the user that there is no y."""
    if given.get("y") == "":
        return not role_candidates("ratio", columns) and not given.get("ratio")
    sides = [given.get(role) or "".join(role_candidates(role, columns)[:1]) for role in ("a", "b")]
    first, last = map(fold_name, sides)
    return first in FIRST_WON and last in LAST_LOST


def _sounds_like_an_error(name: str) -> bool:
    return any(word.casefold() in _ERRORS for word in _WORDS.findall(name))


def _choose_shape(columns: tuple[str, ...], given: dict[str, str]) -> Shape:
    fits: list[Shape] = [s for s in ALLOWED if all(role in ALLOWED[s] for role in given)]
    if not fits:
        raise InputError(
            f"{', '.join(given)} do not go together: a table has {_either(list(ALLOWED))}"
        )
    found = {shape: _found(shape, columns, given) for shape in fits}
    complete = [shape for shape in fits if found[shape] == len(NEEDED[shape])]
    if {"matches", "judgments"} <= set(complete) and _needs_no_margin(columns, given):
        complete.remove("judgments")  # both scores say by how much the winner was better
    if len(complete) > 1:
        raise InputError(f"the columns fit {_either(complete, 'and')}; name the ones to use")
    return complete[0] if complete else max(fits, key=lambda shape: found[shape])


def _found(shape: Shape, columns: tuple[str, ...], given: dict[str, str]) -> int:
    free = tuple(name for name in columns if name not in given.values())
    spared = {"y"} if shape == "judgments" and _needs_no_margin(columns, given) else set()
    return sum(
        role in spared
        or (bool(given[role]) if role in given else bool(_stands_for(role, shape, free, given)))
        for role in _roles(shape, columns, given)[: len(NEEDED[shape])]
    )


def _stands_for(
    role: str, shape: Shape, columns: tuple[str, ...], given: dict[str, str]
) -> list[str]:
    """List the columns that may play a role; scores that name a judge need no contest."""
    found = role_candidates(role, columns)
    if found or shape != "entries" or role != "contest":
        return found
    return [given["judge"]] if given.get("judge") else role_candidates("judge", columns)


def _roles(shape: Shape, columns: tuple[str, ...], given: dict[str, str]) -> tuple[str, ...]:
    """List the roles of a shape, the needed ones first; a ratio takes the place of y."""
    by_ratio = given.get("ratio") or (not given.get("y") and role_candidates("ratio", columns))
    spared = "y" if by_ratio else "ratio"
    return tuple(
        role for role in ALLOWED[shape] if role != spared and (role in given or ROLES[role].guessed)
    )


def _check_y_or_ratio(columns: tuple[str, ...], given: dict[str, str]) -> None:
    if given.get("y") and given.get("ratio"):
        raise InputError("y and ratio do not go together; name one of them")
    found = role_candidates("y", columns), role_candidates("ratio", columns)
    if all(found) and not given.keys() & {"y", "ratio"}:
        both = _named([name for names in found for name in names])
        raise InputError(f"the judgment may be in any of {both}; say which is y or ratio")


def _guess(role: str, shape: Shape, columns: tuple[str, ...]) -> str | None:
    """Guess a column; judgments do without a date or a topic that two columns may be."""
    if shape == "judgments" and role in DOUBTFUL and len(role_candidates(role, columns)) > 1:
        return None
    return guess_role(role, columns)


def guess_role(role: str, columns: tuple[str, ...]) -> str | None:
    """Return the column that a role is likely to be in; raise if there are two."""
    candidates = role_candidates(role, columns)
    if len(candidates) > 1:
        raise SeveralColumnsError(
            f"{len(candidates)} columns may be the {_words(role)}: {_named(candidates)}; say which"
        )
    return candidates[0] if candidates else None


def role_candidates(role: str, columns: tuple[str, ...]) -> list[str]:
    """Return the columns that bear the role's own name, else those with another one of it."""
    for names in ((fold_name(role),), NAMES[role]):
        if found := [name for name in columns if fold_name(name) in names]:
            return _by_name(role, found)
    found = [name for name in columns if fold_name(name) in ALSO[role] and not _is_one_of(name)]
    return _by_name(role, found)


def _by_name(role: str, found: list[str]) -> list[str]:
    """Leave numbers of contestants out where their names are there too."""
    named = [name for name in found if not fold_name(name).endswith("id")]
    return named if named and role in BY_NAME else found


def _is_one_of(name: str) -> bool:
    """Tell whether a name counts things: ``model E`` is one of the models, and not a modèle."""
    return re.search(r"[\W_]\w$", name.strip()) is not None


def _check_complete(shape: Shape, column: dict[str, str], columns: tuple[str, ...]) -> None:
    for role in NEEDED[shape]:
        if role not in column and not (role == "y" and "ratio" in column):
            if any(DATA.fullmatch(name) for name in columns):
                raise InputError(
                    f"the first line does not name the columns: {_named(columns)};"
                    f" put a line such as {','.join(NEEDED[shape])} before it"
                )
            such = ", ".join((role, *NAMES[role][:3]))
            both = role == "home_score" and "away_score" not in column
            split = "; one that holds both, such as 3-1, has to be split in two" if both else ""
            raise InputError(
                f"no column looks like the {_words(role)} ({such}, ...); {_list(columns)};"
                f" say which it is ({_options(shape, column)} in the shell){split}"
            )


def _options(shape: Shape, column: dict[str, str]) -> str:
    """Write the options that name the missing columns."""
    missing = (role for role in NEEDED[shape] if role not in column)
    return " ".join(f"--{role.replace('_', '-')} COLUMN" for role in missing)


def some_names(names: Sequence[str], most: int = 3) -> str:
    """List the first few of some columns.

    Examples
    --------
    >>> print(some_names(["Ann", "Bob", "Cid", "Dan"]))
    'Ann', 'Bob', 'Cid', ...
    """
    shown = ", ".join(map(shorten, names[:most]))
    return f"{shown}, ..." if len(names) > most else shown


@lru_cache(maxsize=2 * MOST)
def fold_name(name: str) -> str:
    """Return the letters and digits of a name without accents, by which it counts."""
    letters = unicodedata.normalize("NFD", name.casefold())
    return "".join(letter for letter in letters if letter.isalnum())


def _words(role: str) -> str:
    return role.replace("_", " ")


def _list(columns: tuple[str, ...]) -> str:
    return f"the columns are {_named(columns)}" if columns else "there is no column"


def _named(columns: Sequence[str]) -> str:
    """List columns, the first of them if they are many."""
    more = f", and {len(columns) - FEW:,} more" if len(columns) > FEW else ""
    return ", ".join(map(shorten, columns[:FEW])) + more


def _either(shapes: list[Shape], last: str = "or") -> str:
    texts = [SHAPE_NAMES[shape] for shape in shapes]
    return f"{', '.join(texts[:-1])} {last} {texts[-1]}"
