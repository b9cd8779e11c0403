"""Sheets: what one judge said of one contest is a contest of its own.

    contest (c, j)  =  the rows of contest c with judge j

Several judges score the same contest on scales of their own, so that only scores of one sheet are
compared with each other.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

import numpy as np

from qrja.data import Index, Mask
from qrja.speech import Sentence
from qrja.tables.shapes.ledger import Ledger
from qrja.tables.sources import Loaded
from qrja.tables.values import number_names


class Sheets(NamedTuple):
    """Contests split by who judged them."""

    group: Index
    labels: tuple[Hashable, ...]
    judge: Index | None
    judges: tuple[Hashable, ...]
    contest: Index
    """Which contest each was a part of."""


def split_by_judge(
    loaded: Loaded, ledger: Ledger, group: Index, labels: tuple[Hashable, ...]
) -> Sheets:
    """Make a contest of what each judge said of one, if there is a column of judges."""
    kept, whole = ledger.kept, np.arange(len(labels), dtype=np.int32)
    if "judge" not in loaded.types:
        return Sheets(group, labels, None, (), whole)
    (by,), judges = number_names(loaded, ("judge",))
    if (by[kept] < 0).all():
        return Sheets(group, labels, None, (), whole)
    if (by[kept] < 0).any():
        row = int((kept & (by < 0)).argmax())
        raise loaded.place.error(row, "no judge; name one in every row or none")
    first = np.zeros(len(labels), dtype=np.int32)
    first[group[kept][::-1]] = by[kept][::-1]
    if (first[group[kept]] == by[kept]).all():
        return Sheets(group, labels, first, judges, whole)
    anew, contest, judge = number_both(kept, group, by)
    texts = tuple(
        f"{labels[c]} ({judges[j]})" for c, j in zip(contest.tolist(), judge.tolist(), strict=True)
    )
    said = "what each judge said of a contest is a contest: {sheets:,} of them"
    ledger.note(Sentence(said, sheets=len(texts)))
    return Sheets(anew, texts, judge, judges, contest)


def number_both(kept: Mask, group: Index, part: Index) -> tuple[Index, Index, Index]:
    """Give pairs of numbers one number, by first appearance; return also both parts of each.

    Examples
    --------
    >>> number_both(np.array([True] * 3), np.array([0, 0, 0]), np.array([1, 0, 1]))
    (array([0, 1, 0], dtype=int32), array([0, 0], dtype=int32), array([1, 0], dtype=int32))
    """
    base = int(part.max(initial=0)) + 1
    key = group[kept].astype(np.int64) * base + part[kept]
    distinct, appears, inverse = np.unique(key, return_index=True, return_inverse=True)
    order = np.argsort(appears)
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    anew = np.full(len(group), -1, dtype=np.int32)
    anew[kept] = rank[inverse]
    first, second = np.divmod(distinct[order], base)
    return anew, first.astype(np.int32), second.astype(np.int32)
