"""Options: what the user decides about scores that are lower, missing or twice there."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from qrja.data import LARGEST, Pairs, check_pairs
from qrja.errors import InputError
from qrja.tables.values import (
    Scale,
    check_scale,
    clock_time,
    folded,
    read_grades,
    spelled_seconds,
)

Duplicates = Literal["auto", "best", "first", "last", "mean", "error"]
"""Which of several rows of a contestant in one contest counts."""


@dataclass(frozen=True)
class Worse:
    """A missing score is the worst of its contest, made worse by ``amount``."""

    amount: float
    is_time: bool


@dataclass(frozen=True)
class Options:
    """The options of :func:`qrja.read_table` that are not columns, checked."""

    lower_is_better: bool | None
    dnf: Worse | None
    duplicates: Duplicates
    pairs: Pairs
    low_column: str | None = None
    """The column of the scores, if it is called a time or a place."""
    grades: Mapping[str, float] | str | None = None
    """What verdicts count; or "fitted"."""
    scale: Scale | None = None
    """The scale on which scores of contests are put."""
    names_winner: bool = False
    """Whether the margins are in a column called the winner."""
    season: tuple[str, ...] = ()
    """The column of contests and one that may tell those of a name apart, if there is such."""
    guessed: frozenset[str] = frozenset()
    """The roles whose columns the user did not name."""
    covariates: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The columns of each covariate."""
    alone: bool = False
    """Whether a contest may have a single entrant, others being elsewhere."""


def check_options(
    lower_is_better: bool | None,
    dnf: str | None,
    duplicates: str,
    pairs: str,
    grades: Any = None,
    scale: Any = None,
) -> Options:
    """Check the options.

    Examples
    --------
    >>> check_options(None, "worst+5:00", "best", "unit").dnf
    Worse(amount=300.0, is_time=True)
    """
    check_pairs(pairs)
    if duplicates not in get_args(Duplicates):
        raise InputError(
            f"duplicates is {duplicates!r}; choose one of {', '.join(get_args(Duplicates))}"
        )
    if lower_is_better is not None and not isinstance(lower_is_better, bool):
        raise InputError(f"lower_is_better is {lower_is_better!r}; give True, False or nothing")
    worse = None if dnf is None else _parse_dnf(dnf)
    known = read_grades(grades)
    return Options(
        lower_is_better,
        worse,
        duplicates,  # type: ignore[arg-type]
        pairs,  # type: ignore[arg-type]
        grades=known,
        scale=check_scale(scale),
    )


def check_words(left_out: Any, on_error: Any) -> frozenset[str]:
    """Check words for "no score" and what is done with mistakes; return the words, folded.

    Examples
    --------
    >>> sorted(check_words("Sturz, o.W.", "stop"))
    ['ow', 'sturz']
    """
    if on_error not in ("stop", "skip"):
        raise InputError(f"on_error is {on_error!r}; choose one of stop, skip")
    if left_out is not None and not isinstance(left_out, str):
        raise InputError(f"left_out is {left_out!r}; give words with commas between them")
    return frozenset(folded(word) for word in (left_out or "").split(",") if word.strip())


def _parse_dnf(rule: str) -> Worse:
    match = re.fullmatch(r"\s*worst\s*(?:\+\s*(.+?)\s*)?", rule) if isinstance(rule, str) else None
    if match is None:
        raise _bad_dnf(rule)
    text = match[1] or "0"
    seconds = clock_time(text)
    if seconds is None:
        seconds = spelled_seconds(text)
    try:
        amount = float(text) if seconds is None else seconds
    except ValueError:
        raise _bad_dnf(rule) from None
    if not 0 <= amount <= LARGEST:
        raise _bad_dnf(rule)
    return Worse(amount, seconds is not None)


def _bad_dnf(rule: str) -> InputError:
    return InputError(f"dnf is {rule!r}; give worst+X, such as worst+10 or worst+5:00")
