"""Payloads: what an event says, checked as if it came from a stranger.

A log may be restored from a file that anybody wrote, and a database opened that anybody filled. So
names have a length, numbers are finite, weights positive, and dates are dates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, get_args

from qrja.data import LARGEST
from qrja.errors import InputError
from qrja.league.events import LONGEST_COMMENT, LONGEST_NAME
from qrja.letters import cut
from qrja.ratings.saving import checked_fields, checked_number, checked_text, checked_word
from qrja.tables import Units, check_reading
from qrja.tables.values import Kind as UnitKind
from qrja.tables.values import read_date
from qrja.terms import HOME

MOST = 200
"""Covariates of a contest."""
ALIKE = "alike"
"""Aliases that need no list: names that look alike."""


@dataclass(frozen=True)
class HeldContest:
    """A contest as a league holds it; scores are as inside, bigger is better."""

    label: str
    results: dict[str, float] = field(hash=False)
    date: str | None = None
    weight: float = 1.0
    judge: str | None = None
    covariates: dict[str, dict[str, float | str]] = field(default_factory=dict, hash=False)
    """What else is known of entrants, by name and entrant: who is at home, how long one rested."""

    @property
    def at_home(self) -> list[str]:
        """Who is at home."""
        return [who for who, value in self.covariates.get(HOME, {}).items() if value]

    def known(self, name: str, who: str) -> float | str:
        """Return what a covariate is of an entrant; who is not said to be at home is not."""
        return (
            self.covariates.get(name, {}).get(who, 0.0)
            if name == HOME
            else self.covariates[name][who]
        )

    def called(self, call: Callable[[str], str]) -> HeldContest:
        """Return the contest with its entrants called otherwise."""
        return replace(
            self,
            results={call(who): score for who, score in self.results.items()},
            covariates={
                name: {call(who): value for who, value in values.items()}
                for name, values in self.covariates.items()
            },
        )

    def with_results(self, results: dict[str, float]) -> HeldContest:
        """Return the contest with the results of some of its entrants."""
        known = {
            name: {who: value for who, value in values.items() if who in results}
            for name, values in self.covariates.items()
        }
        return replace(self, results=results, covariates=known)

    def joined(self, others: HeldContest) -> HeldContest:
        """Return the contest with results of others besides."""
        names = dict.fromkeys([*self.covariates, *others.covariates])
        known = {
            name: self.covariates.get(name, {}) | others.covariates.get(name, {}) for name in names
        }
        return replace(self, results=self.results | others.results, covariates=known)

    def to_dict(self) -> dict[str, Any]:
        """Give what an event says of it."""
        told: dict[str, Any] = {"contest": self.label}
        if self.date is not None:
            told["date"] = self.date
        if self.weight != 1.0:
            told["weight"] = self.weight
        if self.judge is not None:
            told["judge"] = self.judge
        if self.covariates:
            told["covariates"] = {
                name: [self.known(name, who) for who in self.results] for name in self.covariates
            }
        return told | {"results": [list(one) for one in self.results.items()]}


@dataclass(frozen=True)
class HeldJudgment:
    """A judgment as a league holds it."""

    a: str
    b: str
    y: float
    w: float = 1.0
    judge: str | None = None
    se: float | None = None
    study: str | None = None
    date: str | None = None
    topic: str | None = None
    comment: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Give what an event says of it."""
        told: dict[str, Any] = {"a": self.a, "b": self.b, "y": self.y}
        named = ("judge", "se", "study", "date", "topic", "comment")
        given = {name: getattr(self, name) for name in named}
        told |= {name: value for name, value in given.items() if value is not None}
        return told if self.w == 1.0 else told | {"w": self.w}


def checked_name(told: Any, what: str) -> str:
    """Read a name or a label.

    Examples
    --------
    >>> checked_name("  ", "contestant")
    Traceback (most recent call last):
    qrja.errors.InputError: the contestant is '  '; give a name
    """
    if type(told) is str and told.isascii() and len(told) <= LONGEST_NAME and told.strip():
        return told  # as nearly all are: a restart reads every one of the log
    name = checked_text(told, f"the {what}")
    if not name.strip():
        raise InputError(f"the {what} is {name!r}; give a name")
    if len(name) > LONGEST_NAME:
        raise InputError(
            f"the {what} {cut(repr(name), 60)} has {len(name):,} letters; give at most"
            f" {LONGEST_NAME}"
        )
    return name


def check_said(name: str, values: Mapping[str, Any], entrants: Iterable[str]) -> None:
    """Check that a covariate is said of each entrant.

    Examples
    --------
    >>> check_said("rest", {"Ann": 3}, ["Ann", "Bob"])
    Traceback (most recent call last):
    qrja.errors.InputError: the covariate 'rest' is not said of 'Bob'; say it of each entrant
    """
    for who in entrants:
        if who not in values:
            raise InputError(
                f"the covariate {name!r} is not said of {who!r}; say it of each entrant"
            )


def listed(payload: Mapping[str, Any], what: str, read: Callable[[Any], Any]) -> list[Any]:
    """Read every one of what a payload lists; there is at least one."""
    told = payload.get(what)
    if not isinstance(told, list) or not told:
        raise InputError(f"there are no {what} to add; give at least one")
    return [read(one) for one in told]


def checked_comment(told: Any) -> str | None:
    """Read what a judge added to an answer, nothing if that is empty."""
    if told is None:
        return None
    text = checked_text(told, "the comment").strip()
    if len(text) > LONGEST_COMMENT:
        raise InputError(f"the comment has {len(text):,} letters; give at most {LONGEST_COMMENT:,}")
    return text or None


def checked_value(told: Any, what: str, *, positive: bool = False) -> float:
    """Read a score, a margin or a weight."""
    if type(told) is float and 0.0 < told <= LARGEST:
        return told  # as nearly all are
    value = checked_number(told, f"the {what}")
    if abs(value) > LARGEST or (positive and value <= 0):
        kind = "a positive number" if positive else "a number"
        raise InputError(f"the {what} is {value:g}; give {kind} of at most {LARGEST:g}")
    return value + 0.0


def checked_day(told: Any) -> str:
    """Read the date of a contest, to the second.

    Examples
    --------
    >>> checked_day("2026-11-15")
    '2026-11-15T00:00:00'
    """
    if isinstance(told, str) and len(told) > LONGEST_NAME:
        raise InputError(f"the date is {cut(repr(told), 60)}; write it as 2026-11-15")
    return str(read_date(told).astype("datetime64[s]"))


def checked_contest(told: Any) -> HeldContest:
    """Read one contest of an event.

    Examples
    --------
    >>> checked_contest({"contest": "Boston", "results": [["Ann", 3], ["Ann", 4]]})
    Traceback (most recent call last):
    qrja.errors.InputError: contest 'Boston' lists 'Ann' twice; keep one result per contestant
    """
    fields = checked_fields(told, "the contest", ("contest", "results"))
    label = checked_name(fields["contest"], "contest")
    results: dict[str, float] = {}
    for who, score in _pairs(fields["results"], label):
        name = checked_name(who, "contestant")
        if name in results:
            raise InputError(
                f"contest {label!r} lists {name!r} twice; keep one result per contestant"
            )
        results[name] = checked_value(score, "score")
    date, judge = fields.get("date"), fields.get("judge")
    return HeldContest(
        label,
        results,
        None if date is None else checked_day(date),
        checked_value(fields.get("weight", 1.0), "weight", positive=True),
        None if judge is None else checked_name(judge, "judge"),
        _covariates(fields.get("covariates"), list(results), label),
    )


def _covariates(told: Any, who: list[str], label: str) -> dict[str, dict[str, float | str]]:
    """Read what is known of entrants: a value for each, in the order of the results."""
    if told is None:
        return {}
    if not isinstance(told, dict) or len(told) > MOST:
        raise InputError(
            f"contest {cut(repr(label), 60)}: covariates is {cut(repr(told), 60)}; give a value for"
            f" each result, by name, of at most {MOST}"
        )
    found: dict[str, dict[str, float | str]] = {}
    for name, values in told.items():
        checked_name(name, "covariate")
        if not isinstance(values, list) or len(values) != len(who):
            raise InputError(
                f"contest {cut(repr(label), 60)}: the covariate {cut(repr(name), 60)} is"
                f" {cut(repr(values), 60)}; give a value for each of the {len(who)} results"
            )
        found[name] = dict(zip(who, (_known(value, name) for value in values), strict=True))
        if len({isinstance(value, str) for value in found[name].values()}) > 1:
            raise InputError(
                f"contest {cut(repr(label), 60)}: the covariate {name!r} has numbers and words;"
                " give one kind"
            )
    return found


def _known(told: Any, name: str) -> float | str:
    """Read one value of a covariate: a number, or a word."""
    if isinstance(told, str):
        return checked_name(told, f"covariate {name!r}")
    return checked_value(told, f"covariate {name!r}")


def _pairs(told: Any, label: str) -> Iterator[tuple[Any, Any]]:
    if not isinstance(told, list) or not told:
        raise InputError(f"contest {cut(repr(label), 60)} has no results; give at least one")
    for pair in told:
        if not isinstance(pair, list) or len(pair) != 2:
            raise InputError(
                f"contest {cut(repr(label), 60)}: {cut(repr(pair), 60)} is no result; give a"
                " contestant and a score"
            )
        yield pair[0], pair[1]


def checked_judgment(told: Any) -> HeldJudgment:
    """Read one judgment of an event.

    Examples
    --------
    >>> checked_judgment({"a": "gas", "b": "gas", "y": 1})
    Traceback (most recent call last):
    qrja.errors.InputError: 'gas' is judged against itself; name two
    """
    fields = checked_fields(told, "the judgment", ("a", "b", "y"))
    a, b = checked_name(fields["a"], "contestant"), checked_name(fields["b"], "contestant")
    if a == b:
        raise InputError(f"{a!r} is judged against itself; name two")
    named = {
        name: None if fields.get(name) is None else checked_name(fields[name], name)
        for name in ("judge", "study", "topic")
    }
    se, date = fields.get("se"), fields.get("date")
    return HeldJudgment(
        a,
        b,
        checked_value(fields["y"], "margin"),
        checked_value(fields.get("w", 1.0), "weight", positive=True),
        se=None if se is None else checked_value(se, "standard error", positive=True),
        date=None if date is None else checked_day(date),
        comment=checked_comment(fields.get("comment")),
        **named,
    )


def checked_units(told: Any) -> Units:
    """Read what scores are in; the digits to show come from the data."""
    fields = checked_fields(told, "units", ("kind", "lower_is_better", "written"))
    kinds = get_args(UnitKind)
    return Units(
        checked_word(fields["kind"], "the kind of the units", kinds),
        checked_word(fields["lower_is_better"], "lower_is_better", (False, True)) is True,
        written=checked_word(fields["written"], "what scores are written as", kinds),
        word=checked_text(fields.get("word", ""), "what scores count")[:LONGEST_NAME],
    )


def describe_units(units: Units) -> Mapping[str, Any]:
    """Give what an event says of units."""
    lower = units.lower_is_better
    told = {"kind": units.kind, "lower_is_better": lower, "written": units.written}
    return told | ({"word": units.word} if units.word else {})


def checked_reading(told: Any) -> dict[str, Any]:
    """Read how a table was read; it can name no file to be opened later.

    Examples
    --------
    >>> checked_reading({"aliases": "/etc/passwd"})
    Traceback (most recent call last):
    qrja.errors.InputError: aliases is '/etc/passwd'; a log holds the names themselves
    """
    reading = checked_fields(told, "reading", ())
    check_reading(reading)
    for name, value in reading.items():
        if isinstance(value, dict) and name == "aliases":
            for spelling, meant in value.items():
                checked_name(spelling, "spelling"), checked_name(meant, "contestant")
        elif not isinstance(value, bool | int | float | None):
            checked_text(value, name)
    if isinstance(aliases := reading.get("aliases"), str) and aliases != ALIKE:
        raise InputError(f"aliases is {cut(repr(aliases), 60)}; a log holds the names themselves")
    return reading
