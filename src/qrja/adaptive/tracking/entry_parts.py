"""What an entry is made of: a contestant, and what covariates add.

    expected score = strength of the contestant + parts + z . beta + level of the contest

A covariate of numbers is a term: z is relative to the mean of the contest, since only differences
count. A covariate of levels is a part, such as the jockey, if it differs within a contest. If all
entries of a contest share it, such as the voter whose ballot it is, it would cancel: then what
counts is the contestant on that level, an effect for each of both.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from qrja.data import Fixture, Floats, Offsets

Kind = Literal["who", "part", "term"]
State = tuple[Kind, Hashable]


@dataclass(frozen=True, eq=False)
class EntryParts:
    """The states that entries are made of: those of entry e are ``start[e]`` to ``start[e + 1]``.

    Parameters
    ----------
    start : array of int
        Where the states of each entry begin; the first of them is the contestant.
    states : list
        Which, and of what kind.
    h : array of float
        How many times each counts.
    """

    start: Offsets
    states: list[State]
    h: Floats

    def __len__(self) -> int:
        return len(self.start) - 1


def take_apart(fixture: Fixture) -> EntryParts:
    """Say what the entries of a contest are made of.

    Examples
    --------
    >>> from qrja.data import Covariate
    >>> found = take_apart(Fixture(np.array([4, 7]), None, (Covariate("home", [1.0, 0.0]),)))
    >>> found.states, found.h
    ([('who', 4), ('term', 'home'), ('who', 7), ('term', 'home')], array([ 1. ,  0.5,  1. , -0.5]))
    """
    columns: list[tuple[list[State], Floats]] = []
    who = fixture.who.tolist()
    columns.append(([("who", i) for i in who], np.ones(len(who))))
    for one in fixture.covariates:
        values = one.values
        if not one.levels:
            relative = values - values.mean() if len(values) else values
            if relative.any():
                columns.append(([("term", one.name)] * len(who), relative))
            continue
        labels = [one.levels[int(k)] for k in values]
        alone = len(set(labels)) == 1
        named: list[State] = [
            ("part", (one.name, label, i) if alone else (one.name, label))
            for i, label in zip(who, labels, strict=True)
        ]
        columns.append((named, np.ones(len(who))))
    width = len(columns)
    return EntryParts(
        np.arange(0, (len(who) + 1) * width, width, dtype=np.int64),
        [states[e] for e in range(len(who)) for states, _ in columns],
        np.stack([h for _, h in columns], axis=1).ravel(),
    )
