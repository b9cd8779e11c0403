"""Judgments: rows (a, b, y, w), "a is better than b by y units, with weight w".

The loss of a score x on them is ``sum_i w_i f(|x[a_i] - x[b_i] - y_i|)``. Candidates are numbered
0, 1, ... in order of first mention, and ``names`` gives their labels back.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from qrja.data import graph
from qrja.data.arrays import (
    Floats,
    Index,
    distinct,
    floats,
    frozen,
    indices,
    number_labels,
    plain_list,
    same_length,
)
from qrja.errors import InputError


@dataclass(frozen=True, eq=False)
class Judgments:
    """A table of judgments, checked once; its arrays are read-only.

    Parameters
    ----------
    a, b : array of int
        Numbers of the two candidates of each judgment, into ``names``.
    y : array of float
        By how much a is better than b.
    w : array of float
        How much the judgment counts; positive.
    names : tuple
        The label of each candidate.
    judge : array of int or None
        Who made each judgment, a number into ``judges``.
    judges : tuple
        The label of each judge.

    Examples
    --------
    >>> Judgments.from_arrays(["gas", "gas"], ["trash", "noise"], [3, 1])
    Judgments(n=3, m=2)
    """

    a: Index
    b: Index
    y: Floats
    w: Floats
    names: tuple[Hashable, ...]
    judge: Index | None = None
    judges: tuple[Hashable, ...] = ()

    def __post_init__(self) -> None:
        names = distinct(self.names)
        a, b = indices(self.a, len(names)), indices(self.b, len(names))
        y, w = floats(self.y, "margin"), floats(self.w, "weight", positive=True)
        same_length(a=a, b=b, y=y, w=w)
        if (a == b).any():
            row = int((a == b).argmax())
            raise InputError(
                f"row {row}: {names[a[row]]!r} is judged against itself;"
                " name two different candidates"
            )
        for field, value in {"a": a, "b": b, "y": y, "w": w, "names": names}.items():
            object.__setattr__(self, field, value)
        if self.judge is not None:
            judges = tuple(plain_list(self.judges, "judge"))
            judge = indices(self.judge, len(judges), "judge")
            same_length(a=a, judge=judge)
            object.__setattr__(self, "judge", judge)
            object.__setattr__(self, "judges", judges)

    @classmethod
    def from_arrays(
        cls,
        a: Iterable[Hashable],
        b: Iterable[Hashable],
        y: ArrayLike,
        w: ArrayLike | None = None,
        judge: Iterable[Hashable] | None = None,
    ) -> Judgments:
        """Build judgments from columns of labels (any hashable) and numbers.

        Examples
        --------
        >>> j = Judgments.from_arrays(["gas", "gas"], ["trash", "noise"], [3, 1])
        >>> j.names, j.a, j.b
        (('gas', 'trash', 'noise'), array([0, 0], dtype=int32), array([1, 2], dtype=int32))
        """
        a, b = plain_list(a, "candidate"), plain_list(b, "candidate")
        if len(a) != len(b):
            raise InputError(f"a has {len(a)} rows and b has {len(b)}")
        numbers: dict[Hashable, int] = {}
        alternating = (label for pair in zip(a, b, strict=True) for label in pair)
        both = number_labels(alternating, numbers, "candidate", per_row=2)
        weights = np.ones(len(a)) if w is None else w
        judges: dict[Hashable, int] = {}
        who = None if judge is None else number_labels(judge, judges, "judge")
        return cls(both[::2], both[1::2], y, weights, tuple(numbers), who, tuple(judges))  # type: ignore[arg-type]

    @property
    def n(self) -> int:
        """Number of candidates."""
        return len(self.names)

    @property
    def m(self) -> int:
        """Number of judgments."""
        return len(self.y)

    @cached_property
    def components(self) -> Index:
        """The component of each candidate, the largest being 0; scores compare within one."""
        ends = np.stack([self.a, self.b], axis=1).ravel()
        return frozen(graph.components(self.n, np.arange(0, 2 * self.m + 1, 2), ends))

    def __len__(self) -> int:
        return self.m

    def __repr__(self) -> str:
        return f"Judgments(n={self.n}, m={self.m})"
