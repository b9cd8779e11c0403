"""Folds: which judgments are predicted together, and from which others.

    dated:    part t  =  the judgments of some days,  from all judgments of earlier days
    undated:  part f  =  a k-th of the groups,        from all judgments of the other groups

What hangs together is never torn apart: the judgments of one day, else those of a study, about a
topic, or by a judge. Groups are dealt by a seed, in an order that depends on names and margins and
neither on the order of rows nor on who is called a: the same table sorted otherwise, or with sides
swapped and margins turned round, has the same folds.

Standard errors resample the same groups, where there are enough of them; of more than ``MOST``
some are drawn together.

References
----------
M. Stone, Cross-validatory choice and assessment of statistical predictions, 1974.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from qrja.data import Index, Judgments, Offsets, whole_number, write_dates
from qrja.errors import InputError
from qrja.plurals import count

Split = Literal["date", "study", "topic", "judge", "row"]
"""What is held apart: days, studies, topics, judges, or single judgments."""

FOLDS = 5
STEPS = 20
"""Times that ratings are brought up to date on a walk through dates."""
FEW = 10
"""Groups that it takes to see chance by."""
MOST = 1000
"""Groups that are resampled one by one: the standard error of so many is itself off by 2 %."""


class Part(NamedTuple):
    """Rows that are predicted together, and the rows that they are predicted from."""

    learned: Offsets
    predicted: Offsets


@dataclass(frozen=True, eq=False)
class Folds:
    """How judgments are predicted from each other.

    Parameters
    ----------
    split : {"date", "study", "topic", "judge", "row"}
        What is held apart.
    parts : tuple of Part
        Each predicted judgment is in one of them.
    unit : array of int
        Which judgments are resampled together, those of one part having numbers that follow each
        other; -1 for those that are never predicted.
    labels : tuple
        What each unit is called.
    unit_noun : str
        What a unit is: a date, a topic, a judgment.
    sentence : str
        All of that in words.

    Examples
    --------
    >>> judged = Judgments.from_arrays("abcab", "bcabc", [3, 1, 2, 2, 1])
    >>> folds = deal(judged)
    >>> folds.split, len(folds.parts), folds.predicted
    ('row', 5, 5)
    >>> print(folds.sentence)
    Cross-validated in 5 folds: each judgment is predicted from those of the other folds.
    """

    split: Split
    parts: tuple[Part, ...]
    unit: Offsets
    labels: tuple[Hashable, ...]
    unit_noun: str
    sentence: str

    @property
    def predicted(self) -> int:
        """How many judgments are predicted."""
        return sum(len(part.predicted) for part in self.parts)


def deal(judgments: Judgments, split: str = "auto", *, folds: int = FOLDS, seed: int = 0) -> Folds:
    """Deal judgments into parts.

    Parameters
    ----------
    judgments : Judgments
        At least two.
    split : {"auto", "date", "study", "topic", "judge", "row"}
        What to hold apart. Unless named it is the date if there are several; else the study; else
        the topic, or else the judge, of which it takes ten; else single judgments.
    folds : int
        How many parts; not for dates.
    seed : int
        The same seed deals the same parts.
    """
    whole_number(folds, "folds", 2)
    whole_number(seed, "seed", 0)
    if len(judgments) < 2:
        raise InputError("there are fewer than two judgments; nothing predicts one of them")
    chosen = _choose(judgments, split)
    if chosen == "date":
        return _walk(judgments, seed)
    groups = _group(judgments, chosen)
    if len(groups.labels) < 2:
        raise InputError(
            f"all judgments are of one {chosen}, and nothing else is left to predict them from;"
            " hold something else apart (split)"
        )
    return _cross(judgments, groups, folds, seed)


def _choose(judgments: Judgments, split: str) -> Split:
    if split not in ("auto", *get_args(Split)):
        raise InputError(f"split is {split!r}; choose one of auto, {', '.join(get_args(Split))}")
    if split == "auto":
        if judgments.date is not None and judgments.date[0] != judgments.date[-1]:
            return "date"
        return _unit(judgments)
    chosen: Split = split  # type: ignore[assignment]
    if chosen != "row" and getattr(judgments, chosen) is None:
        raise InputError(
            f"split is {split!r}, and the judgments have none; name the {split} column, or choose"
            " another"
        )
    if chosen == "date" and judgments.date is not None and judgments.date[0] == judgments.date[-1]:
        raise InputError("split is 'date', and all judgments have the same; choose another")
    return chosen


def _unit(judgments: Judgments) -> Split:
    """Return what hangs together: a study always, topics or judges if there are ten."""
    if judgments.study is not None:
        return "study"
    if judgments.topic is not None and len(judgments.topics) >= FEW:
        return "topic"
    if judgments.judge is not None and len(judgments.judges) >= FEW:
        return "judge"
    return "row"


class _Groups(NamedTuple):
    """The group of each judgment, numbered in an order that rows do not enter."""

    kind: Split
    of: Offsets
    labels: tuple[Hashable, ...]


def _group(judgments: Judgments, kind: Split) -> _Groups:
    if kind == "row":
        of = np.empty(len(judgments), dtype=np.int64)
        of[_order_rows(judgments)] = np.arange(len(judgments))
        return _Groups(kind, of, tuple(range(1, len(judgments) + 1)))
    number, labels = _numbers(judgments, kind)
    used = np.unique(number)
    order = sorted(used.tolist(), key=lambda k: (str(labels[k]), k))
    place = np.zeros(len(labels), dtype=np.int64)
    place[order] = np.arange(len(order))
    return _Groups(kind, place[number], tuple(labels[k] for k in order))


def _numbers(judgments: Judgments, kind: Split) -> tuple[Index, Sequence[Hashable]]:
    if kind == "date":
        assert judgments.date is not None
        days, number = np.unique(judgments.date, return_inverse=True)
        return number.astype(np.int32), write_dates(days)
    named: dict[str, tuple[Any, tuple[Hashable, ...]]] = {
        "study": (judgments.study, judgments.studies),
        "topic": (judgments.topic, judgments.topics),
        "judge": (judgments.judge, judgments.judges),
    }
    return named[kind]


def _order_rows(judgments: Judgments) -> Offsets:
    """Sort judgments by what they say; those that follow each other by chance say the same."""
    names = sorted(range(judgments.n), key=lambda i: str(judgments.names[i]))
    place = np.empty(judgments.n, dtype=np.int64)
    place[names] = np.arange(judgments.n)
    a, b = place[judgments.a], place[judgments.b]
    margin = np.where(a < b, 1.0, -1.0) * judgments.y
    keys = [judgments.w, margin, np.maximum(a, b), np.minimum(a, b)]
    return np.lexsort(keys)


def _cross(judgments: Judgments, groups: _Groups, folds: int, seed: int) -> Folds:
    """Deal whole groups into folds of about equally many judgments."""
    size = np.bincount(groups.of, minlength=len(groups.labels))
    shuffled = np.random.default_rng(seed).permutation(len(size))
    before = np.cumsum(size[shuffled]) - size[shuffled]
    fold = np.empty(len(size), dtype=np.int64)
    fold[shuffled] = before * folds // max(len(judgments), 1)
    part = np.unique(fold, return_inverse=True)[1][groups.of]
    rows = np.arange(len(judgments))
    parts = tuple(
        Part(rows[part != k], rows[part == k]) for k in range(int(part.max(initial=0)) + 1)
    )
    unit, labels = _bundle(part, groups, shuffled)
    return Folds(
        *(groups.kind, parts, unit, labels, _NOUN[groups.kind]),
        _tell_folds(judgments, groups.kind, len(parts)),
    )


def _walk(judgments: Judgments, seed: int) -> Folds:
    """Predict the judgments of ever later days from all before."""
    assert judgments.date is not None
    ends = np.flatnonzero(np.append(np.diff(judgments.date) > np.timedelta64(0), True)) + 1
    wanted = np.linspace(0, len(judgments), STEPS + 2)[1:]
    cuts = np.unique(ends[np.searchsorted(ends, wanted.astype(np.int64))])
    rows, part = np.arange(len(judgments)), np.full(len(judgments), -1)
    parts = []
    for t, (begin, end) in enumerate(pairwise(cuts.tolist())):
        parts.append(Part(rows[:begin], rows[begin:end]))
        part[begin:end] = t
    days = len(np.unique(judgments.date[cuts[0] :]))
    groups = _group(judgments, "date" if days >= FEW else _unit(judgments))
    shuffled = np.arange(len(groups.labels))
    if groups.kind != "date":
        shuffled = np.random.default_rng(seed).permutation(len(groups.labels))
    unit, labels = _bundle(part, groups, shuffled)
    return Folds(
        *("date", tuple(parts), unit, labels, _NOUN[groups.kind]),
        f"Walked forward by date: each of {count(int((part >= 0).sum()), 'judgment')} is predicted"
        f" from those of earlier dates, in {count(len(parts), 'step')}.",
    )


def _bundle(
    part: Offsets, groups: _Groups, shuffled: Offsets
) -> tuple[Offsets, tuple[Hashable, ...]]:
    """Give numbers to what is resampled: groups within their part, some together if they are many.

    Returns
    -------
    unit, labels
        The unit of each judgment, -1 for those that are not predicted; what each is called.
    """
    many = len(groups.labels)
    bundle = np.empty(many, dtype=np.int64)
    bundle[shuffled] = np.arange(many) * min(many, MOST) // many
    key = part * (int(bundle.max()) + 1) + bundle[groups.of]
    unit = np.full(len(part), -1, dtype=np.int64)
    there = part >= 0
    _, first, unit[there] = np.unique(key[there], return_index=True, return_inverse=True)
    if many > MOST or groups.kind == "row":
        return unit, tuple(range(1, len(first) + 1))
    return unit, tuple(groups.labels[k] for k in groups.of[there][first].tolist())


_NOUN: dict[Split, str] = {
    "date": "date",
    "study": "study",
    "topic": "topic",
    "judge": "judge",
    "row": "judgment",
}
_OTHERS: dict[Split, str] = {
    "date": "of other dates",
    "study": "of other studies",
    "topic": "about other topics",
    "judge": "by other judges",
    "row": "of the other folds",
}


def _tell_folds(judgments: Judgments, kind: Split, folds: int) -> str:
    by = "" if kind == "row" else f" by {kind}"
    told = (
        f"Cross-validated{by} in {count(folds, 'fold')}: each judgment is predicted from those"
        f" {_OTHERS[kind]}."
    )
    for other, labels in (("topic", judgments.topics), ("judge", judgments.judges)):
        if kind == "row" and 1 < len(labels) < FEW:
            told += f" To hold whole {other}s apart, of which there are {len(labels)}: --split"
            told += f" {other}."
    return told
