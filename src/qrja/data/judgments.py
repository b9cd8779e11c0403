"""Judgments: rows (a, b, y, w), "a is better than b by y units, with weight w".

The loss of a score x on them is ``sum_i w_i f(|x[a_i] - x[b_i] - y_i|)``. Candidates are numbered
0, 1, ... in order of first mention, and ``names`` gives their labels back.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from qrja.data import graph
from qrja.data.arrays import (
    Floats,
    Index,
    Offsets,
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

    noun: ClassVar[str] = "judgment"
    directed: ClassVar[bool] = True
    date: ClassVar[None] = None

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
    def number(self) -> dict[Hashable, int]:
        """The number of each name."""
        return {name: number for number, name in enumerate(self.names)}

    @cached_property
    def labels(self) -> tuple[int, ...]:
        """The number of each judgment, which is all the label it has."""
        return tuple(range(self.m))

    @cached_property
    def start(self) -> Offsets:
        """Where the two entries of each judgment begin, see :class:`~qrja.data.Problem`."""
        return frozen(np.arange(0, 2 * self.m + 1, 2))

    @cached_property
    def who(self) -> Index:
        """The candidates of each judgment, a and b in turns."""
        return frozen(np.stack([self.a, self.b], axis=1).ravel())

    @cached_property
    def score(self) -> Floats:
        """The margins as scores of a and b in turns, whose difference they are.

        Examples
        --------
        >>> Judgments.from_arrays("ab", "bc", [3, 1]).score
        array([ 1.5, -1.5,  0.5, -0.5])
        """
        return frozen(np.stack([0.5 * self.y, -0.5 * self.y], axis=1).ravel())

    @property
    def entries(self) -> int:
        """Number of entries, two of each judgment."""
        return 2 * self.m

    @cached_property
    def sizes(self) -> Offsets:
        """Two for each judgment."""
        return frozen(np.full(self.m, 2))

    @cached_property
    def contest_of_entry(self) -> Index:
        """The judgment of each entry."""
        return frozen(np.repeat(np.arange(self.m, dtype=np.int32), 2))

    @property
    def weight(self) -> Floats:
        """How much each judgment counts."""
        return self.w

    @property
    def pair_weight(self) -> Floats:
        """What the one pair of each judgment weighs."""
        return self.w

    def with_weight(self, weight: ArrayLike) -> Judgments:
        """Return the same judgments with other weights.

        Examples
        --------
        >>> Judgments.from_arrays("ab", "bc", [3, 1]).with_weight([1, 2]).w
        array([1., 2.])
        """
        return replace(self, w=floats(weight, "weight", positive=True))

    def to_judgments(self) -> Judgments:
        """Return the judgments themselves: they are written out."""
        return self

    @cached_property
    def components(self) -> Index:
        """The component of each candidate, the largest being 0; scores compare within one."""
        return frozen(graph.components(self.n, self.start, self.who))

    def __len__(self) -> int:
        return self.m

    def __repr__(self) -> str:
        return f"Judgments(n={self.n}, m={self.m})"
