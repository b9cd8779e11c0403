"""The paper's data sets from a folder of CSV files, under either rule set.

A file has one row per contestant and contest, in the order of listing::

    contest,event,place,contestant,score
    1,"45th Hoogovens tournament, ...",1,Ulf Andersson,9.0

Contests are numbered from 1; a number that is missing is a contest without entries, and is kept:
a matrix factorisation averages over it. Under the rules ``paper`` everything is as listed. Under
``fair``, the set that lists its newest contest first is turned round, and of a contestant listed
twice in one contest the best row is kept.
"""

from __future__ import annotations

import csv
import math
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from qrja.data import Contest
from qrja.errors import InputError, QRJAWarning
from qrja.paper.sets import check_set
from qrja.rules import Rules, check_rules

HEADER = ["contest", "event", "place", "contestant", "score"]

Row = tuple[str, float]
"""A contestant and its score."""


@dataclass(frozen=True)
class Listing:
    """One contest as listed: its event and its rows."""

    event: str
    rows: list[Row]


@dataclass(frozen=True, eq=False)
class PaperData:
    """A data set of the paper, ready for a back-test.

    Parameters
    ----------
    name : str
        One of :data:`qrja.paper.SETS`.
    rules : {"fair", "paper"}
        Which it was made for.
    contests : tuple of Contest
        In the order in which they are predicted.
    names : tuple of str
        The contestants, in order of first appearance.
    """

    name: str
    rules: Rules
    contests: tuple[Contest, ...]
    names: tuple[str, ...]


def load(name: str, folder: str | Path, rules: str = "fair") -> PaperData:
    """Read one of the paper's data sets.

    Parameters
    ----------
    name : str
        One of :data:`qrja.paper.SETS`.
    folder : path
        Holds ``<name>.csv``, as ``qrja paper fetch`` writes it.
    rules : {"fair", "paper"}
        See the top of this module.
    """
    about, checked = check_set(name), check_rules(rules)
    listings = read_listings(Path(folder) / f"{name}.csv")
    if checked == "fair":
        if about.newest_first:
            listings.reverse()
        listings = _keep_best(listings, name)
    return _number(name, checked, listings)


def read_listings(path: Path) -> list[Listing]:
    """Read the contests of a file in the order of their numbers, those without rows included."""
    if not path.is_file():
        raise InputError(
            f"{path}: no such file; `qrja paper fetch` brings the paper's data,"
            " --data names the folder that has them"
        )
    listings: list[Listing] = []
    for line, (number, event, contestant, score) in _rows(path):
        if not max(len(listings), 1) <= number <= len(listings) + MOST_MISSING:
            raise InputError(
                f"{path}:{line}: contest {number} follows contest {len(listings)};"
                " number the contests 1, 2, ... in order"
            )
        while len(listings) < number:
            listings.append(Listing(event, []))
        listings[-1].rows.append((contestant, score))
    if not listings:
        raise InputError(f"{path}: has no rows; fetch it again")
    return listings


MOST_MISSING = 1000
"""Contests without entries that may follow each other, before a number is taken for a mistake."""


def _rows(path: Path) -> Iterator[tuple[int, tuple[int, str, str, float]]]:
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.reader(file)
        try:
            if next(reader, None) != HEADER:
                raise InputError(f"{path}:1: the columns are not {','.join(HEADER)}")
            for row in reader:
                yield reader.line_num, _check_row(row)
        except (ValueError, csv.Error) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(f"{path}:{reader.line_num}: {error}; fetch the file again") from None


def _check_row(row: list[str]) -> tuple[int, str, str, float]:
    if len(row) != len(HEADER):
        raise ValueError(f"{len(row)} cells where {len(HEADER)} should be")
    number, event, _, contestant, text = row
    score = float(text)
    if not math.isfinite(score):
        raise ValueError(f"the score is {text}")
    return int(number), event, contestant, score


def _keep_best(listings: list[Listing], name: str) -> list[Listing]:
    """Keep the best row of a contestant listed twice in one contest, the first if both are it."""
    kept, shared = [], 0
    for listing in listings:
        best: dict[str, float] = {}
        for contestant, score in listing.rows:
            best[contestant] = max(score, best.get(contestant, -math.inf))
        rows = [row for row in dict.fromkeys(listing.rows) if best[row[0]] == row[1]]
        shared += len(rows) < len(listing.rows)
        kept.append(Listing(listing.event, rows))
    if shared:
        warnings.warn(
            f"{name}: {shared} contests list a contestant twice; only the best row is kept",
            QRJAWarning,
            stacklevel=3,
        )
    return kept


def _number(name: str, rules: Rules, listings: list[Listing]) -> PaperData:
    numbers: dict[str, int] = {}
    contests = tuple(
        Contest(
            label=listing.event,
            who=np.array(
                [numbers.setdefault(who, len(numbers)) for who, _ in listing.rows], dtype=np.int32
            ),
            score=np.array([score for _, score in listing.rows], dtype=np.float64),
        )
        for listing in listings
    )
    return PaperData(name, rules, contests, tuple(numbers))
