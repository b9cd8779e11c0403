"""Verdicts: a column of words such as ``A>>B`` becomes margins, by what each word counts.

The strengths that a column uses count 1, 2, 3, ... in equal steps unless grades are given; a tie
counts 0, and a name counts 1 for the one who bears it.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from qrja.data import Floats, Index, Offsets, as_float
from qrja.errors import InputError
from qrja.speech import Sentence
from qrja.tables.sources import Loaded, shorten
from qrja.tables.values.missing_words import UNREAD, folded
from qrja.tables.values.names import number_names
from qrja.tables.values.score_texts import MISSING
from qrja.tables.values.single_values import read_number
from qrja.tables.values.verdict_words import Preference, read_verdict

FITTED = "fitted"
"""What is said for grades to be fitted to the data."""

_SKIPPED = {"ignore", "ignored", "skip", "skipped", "unknown", "invalid", "error", "unclear"}
_SHOWN = 8


@dataclass(frozen=True)
class Verdicts:
    """A column of verdicts.

    Parameters
    ----------
    values : array of float
        What each counts, NaN where there is none.
    grades : dict
        What each text counts, the largest first.
    missing : dict
        The reason -> the rows without a value.
    """

    values: Floats
    grades: dict[str, float]
    missing: dict[str, Offsets] = field(default_factory=dict)

    def note(self, asked: Mapping[str, float] | str | None) -> str:
        """Say what the texts count, and what else they might, unless that was said."""
        listed = [f"{label} {value:g}" for label, value in self.grades.items()]
        shown: str = ", ".join(listed[:_SHOWN])
        if len(listed) > _SHOWN:
            more = len(listed) - _SHOWN
            shown = Sentence("{shown} and {more:,} more", shown=shown, more=more)
        several = len({abs(value) for value in self.grades.values()} - {0.0}) > 1
        if asked is not None:
            return Sentence("verdicts count: {shown}", shown=shown)
        if not several:
            return Sentence("verdicts count: {shown}; --grades sets other numbers", shown=shown)
        return Sentence(
            "verdicts count: {shown}; --grades sets other numbers, --grades fitted fits them to the"
            " data",
            shown=shown,
        )


def parse_verdicts(
    loaded: Loaded,
    a: Index,
    b: Index,
    names: tuple[Hashable, ...],
    grades: Mapping[str, float] | str | None,
    winner: bool,
) -> Verdicts | None:
    """Parse the column y as verdicts; None if it rather holds numbers.

    Parameters
    ----------
    a, b : array of int
        The candidates of each row.
    names : tuple
        Their names; a verdict may be the name of the winner.
    grades : mapping, "fitted" or None
        What texts count, as the user says.
    winner : bool
        Whether the column is called the winner: 1 and 2 are then sides, not margins.
    """
    (number,), labels = number_names(loaded, ("y",))
    texts = [str(label) for label in labels]
    column = _VerdictTexts(loaded, number, texts)
    said = grades if isinstance(grades, Mapping) else {}
    if not said and not column.has_words(winner):
        return None
    won = column.winners(a, b, names)
    if won is not None and not said:
        return won
    known = {text: read_verdict(text) for text in texts}
    if not said and not any(it for text, it in known.items() if winner or not _is_number(text)):
        return None
    return column.graded(known, said)


@dataclass(frozen=True)
class _VerdictTexts:
    loaded: Loaded
    number: Index
    texts: list[str]

    def _is_gap(self, text: str) -> bool:
        """Tell whether a text says that there is no verdict, or the user says so of it."""
        return _is_gap(text) or folded(text) in self.loaded.left_out

    def has_words(self, winner: bool) -> bool:
        """Tell whether there is anything but numbers, times and gaps."""
        said = [text for text in self.texts if not self._is_gap(text)]
        return any(winner or not _is_number(text) for text in said)

    def winners(self, a: Index, b: Index, names: tuple[Hashable, ...]) -> Verdicts | None:
        """Read names of winners; None unless every text is a name, a tie or a gap."""
        called = {str(name): k for k, name in enumerate(names)}
        known = [text for text in self.texts if text in called]
        ties = [it for it in self.texts if it not in called and not self._is_gap(it)]
        if not known or any(read_verdict(it) != Preference(0) for it in ties):
            return None
        who = np.array([called.get(text, -1) for text in self.texts], dtype=np.int64)[self.number]
        named = (self.number >= 0) & (who >= 0)
        strange = named & (who != a) & (who != b)
        if strange.any():
            row = int(strange.argmax())
            raise self.loaded.place.error(
                row,
                f"the winner {names[who[row]]!r} is neither {names[a[row]]!r} nor"
                f" {names[b[row]]!r}; name one of the two, or a tie",
            )
        values = np.where(named, np.where(who == a, 1.0, -1.0), 0.0)
        missing = self._missing(values)
        return Verdicts(values, {"the winner": 1.0} | dict.fromkeys(ties, 0.0), missing)

    def graded(self, known: dict[str, Preference | None], said: Mapping[str, float]) -> Verdicts:
        """Give every text its number: as said, as its mirror image was said, or in equal steps."""
        given = {_fold(label): value for label, value in said.items()}
        steps = _steps(known, said)
        count: dict[str, float] = {}
        for text, verdict in known.items():
            if self._is_gap(text):
                continue
            if _fold(text) in given:
                count[text] = given[_fold(text)]
            elif verdict is not None and (not verdict.sign or verdict.strength in steps):
                count[text] = verdict.sign * steps.get(verdict.strength, 0.0)
        lost = [it for it in self.texts if it not in count and not self._is_gap(it)]
        if lost and not self.loaded.skips:
            raise self._ungraded(lost)
        of_text = np.array([count.get(text, np.nan) for text in self.texts] + [np.nan])
        values = of_text[self.number]
        order = sorted(count, key=lambda text: -count[text])
        return Verdicts(values, {text: count[text] for text in order}, self._missing(values, lost))

    def _ungraded(self, lost: list[str]) -> InputError:
        """Say of all texts that have no number that they have none."""
        row = int((self.number == self.texts.index(lost[0])).argmax())
        listed = ", ".join(shorten(it) for it in lost[:_SHOWN])
        more = f" and {len(lost) - _SHOWN} more" if len(lost) > _SHOWN else ""
        return self.loaded.place.error(
            row,
            f"no grade is known for {listed}{more}; give what each counts, such as"
            f" --grades {_example(lost[0])}",
        )

    def _missing(self, values: Floats, lost: Collection[str] = ()) -> dict[str, Offsets]:
        """Return the rows without a verdict, or with one that is lost, and make them NaN."""
        reasons: dict[str, list[int]] = {}
        for k, text in enumerate(self.texts):
            if text in lost:
                reasons.setdefault(UNREAD, []).append(k)
            elif self._is_gap(text):
                word = "no verdict" if text.upper() in MISSING else text.casefold()
                reasons.setdefault(word, []).append(k)
        found = {why: np.flatnonzero(np.isin(self.number, kinds)) for why, kinds in reasons.items()}
        empty = np.flatnonzero(self.number < 0)
        if len(empty):
            found["no verdict"] = np.union1d(found.get("no verdict", empty), empty)
        for rows in found.values():
            values[rows] = np.nan
        return found


def _steps(known: Mapping[str, Preference | None], said: Mapping[str, float]) -> dict[int, float]:
    """Return what each strength counts: as said of a text of that strength, else in equal steps."""
    if said:
        read = {label: read_verdict(label) for label in said}
        return {it.strength: it.sign * said[label] for label, it in read.items() if it and it.sign}
    used = sorted({it.strength for it in known.values() if it is not None and it.sign})
    return {strength: float(rank) for rank, strength in enumerate(used, start=1)}


def _is_gap(text: str) -> bool:
    return text.upper().replace(".", "") in MISSING or text.casefold() in _SKIPPED


def _is_number(text: str) -> bool:
    return read_number(text.replace(",", ".")) is not None


def _fold(label: str) -> str:
    return "".join(label.casefold().split())


def _example(label: str) -> str:
    return f'"{label}=1"'


def read_grades(grades: object) -> dict[str, float] | str | None:
    """Read what verdicts count: ``"A>>B=3,A>B=1"``, a dictionary, or ``"fitted"``.

    Examples
    --------
    >>> read_grades("A>>B=3, A=B=0")
    {'A>>B': 3.0, 'A=B': 0.0}
    """
    if grades is None or grades == FITTED:
        return FITTED if grades else None
    if isinstance(grades, Mapping):
        pairs: Sequence[tuple[object, object]] = list(grades.items())
    elif isinstance(grades, str):
        parts = [part.rpartition("=") for part in grades.split(",")]
        pairs = [(label.strip() if mark else "", number) for label, mark, number in parts]
    else:
        raise _bad_grades(grades)
    read = {}
    for label, number in pairs:
        value = read_number(number.strip()) if isinstance(number, str) else as_float(number)
        if not isinstance(label, str) or not label or value is None or not np.isfinite(value):
            raise _bad_grades(grades)
        read[label] = value
    return read


def write_grades(grades: Mapping[str, float]) -> str:
    """Write grades as they are read.

    Examples
    --------
    >>> write_grades({"A>>B": 2.5, "A=B": 0.0})
    'A>>B=2.5,A=B=0'
    """
    return ",".join(f"{label}={value:.6g}" for label, value in grades.items())


def _bad_grades(grades: object) -> InputError:
    return InputError(
        f'grades is {grades!r}; give what verdicts count, such as "A>>B=3,A>B=1,A=B=0", or fitted'
    )
