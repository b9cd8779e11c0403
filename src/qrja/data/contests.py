"""Contests: entries (contest, contestant, score), grouped by contest in time order.

A contest with k entrants stands for k(k-1)/2 judgments "i beat j by s_i - s_j". They are counted
and weighted here, and written out only by :meth:`Contests.to_judgments`.

Contestants are numbered in order of first appearance, so those of the first i contests are the
first few of ``names``: a prefix ``contests[:i]`` costs nothing and shares memory.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

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
    order_by,
    pairs_within,
    plain_list,
    same_length,
    sum_by,
)
from qrja.data.contest import Contest
from qrja.data.covariates import (
    Covariates,
    check_columns,
    columns_of,
    of_judgments,
    pick,
)
from qrja.data.entry_columns import (
    Dates,
    as_dates,
    first_repeat,
    first_seen_in_order,
    one_per_contest,
    renumber,
)
from qrja.data.judgments import Judgments
from qrja.data.nouns import CONTESTED, Nouns
from qrja.errors import InputError

Pairs = Literal["unit", "mean", "additive"]
"""What a pair of a k-contest weighs: 1 (the paper), or 1/(k-1), so that a contest counts by its
size and not by its square; or 1/k, the two-way additive model: a score is a strength, a level of
its contest and noise, and least squares of pairs are those of scores."""
FEW_PAIRS = 2_000
"""Pairs whose entries are kept."""
MANY = 20_000_000
"""Pairs that are written out for entries with errors of their own: 2 GB."""


@dataclass(frozen=True, eq=False)
class Contests:
    """Scored contests in time order; bigger scores are better; arrays are read-only.

    Build one with :meth:`from_arrays`, or read one with :func:`qrja.read_contests`.

    Parameters
    ----------
    start : array of int
        The entries of contest c are ``start[c]:start[c + 1]``.
    who : array of int
        The contestant of each entry, a number into ``names``.
    score : array of float
        The score of each entry.
    names : tuple
        The label of each contestant, in order of first appearance.
    labels : tuple
        The label of each contest.
    weight : array of float
        How much each contest counts; positive.
    date : array of datetime64 or None
        When each contest took place.
    pairs : {"unit", "mean", "additive"}
        What a pair weighs, before the contest's weight: 1, or 1/(k-1) or 1/k in a contest of k.
    judge : array of int or None
        Who scored each contest, a number into ``judges``.
    judges : tuple
        The label of each judge.
    nouns : Nouns
        What contests and contestants are called, where it is not that.
    covariates : tuple of Covariate
        What else is known of each entry, see :mod:`~qrja.data.covariates`.

    Examples
    --------
    >>> races = Contests.from_arrays(
    ...     ["Boston", "Boston", "Chicago", "Chicago"],
    ...     ["Alice", "Bob", "Bob", "Charlie"],
    ...     [-240, -251, -241, -249],
    ... )
    >>> races
    Contests(contests=2, n=3, entries=4, m=2)
    >>> races[:1].names
    ('Alice', 'Bob')
    """

    start: Offsets
    who: Index
    score: Floats
    names: tuple[Hashable, ...]
    labels: tuple[Hashable, ...]
    weight: Floats
    date: Dates | None = None
    pairs: Pairs = "unit"
    judge: Index | None = None
    judges: tuple[Hashable, ...] = ()
    nouns: Nouns = CONTESTED
    covariates: Covariates = ()

    noun: ClassVar[str] = "contest"
    directed: ClassVar[bool] = False
    study: ClassVar[None] = None
    topic: ClassVar[None] = None
    topics: ClassVar[tuple[Hashable, ...]] = ()
    se: ClassVar[None] = None

    def __post_init__(self) -> None:
        check_pairs(self.pairs)
        names, labels = distinct(self.names), tuple(plain_list(self.labels, "contest"))
        who = indices(self.who, len(names), "contestant")
        start = frozen(indices(self.start, len(who) + 1, "start").astype(np.int64))
        score, weight = floats(self.score, "score"), floats(self.weight, "weight", positive=True)
        same_length(who=who, score=score)
        same_length(labels=np.empty(len(labels)), weight=weight)
        if len(start) != len(labels) + 1 or start[0] != 0 or start[-1] != len(who):
            raise InputError(
                "start does not run from 0 to the number of entries, one step a contest"
            )
        if (np.diff(start) < 0).any():
            raise InputError("start decreases; it holds the first entry of each contest, in order")
        if not first_seen_in_order(who, len(names)):
            raise InputError(
                "contestants are not numbered by first appearance; use Contests.from_arrays"
            )
        date = None if self.date is None else frozen(as_dates(self.date))
        judges = tuple(plain_list(self.judges, "judge"))
        judge = None if self.judge is None else indices(self.judge, len(judges), "judge")
        if judge is not None:
            same_length(labels=np.empty(len(labels)), judge=judge)
        more = check_columns(self.covariates, len(who))
        told = start, who, score, names, labels, weight, date, self.pairs, judge, judges
        self._set(*told, self.nouns, more)
        self._check_order_and_repeats()

    def _set(self, *fields: object) -> None:
        for name, value in zip(self.__match_args__, fields, strict=False):
            object.__setattr__(self, name, value)

    def _check_order_and_repeats(self) -> None:
        if self.date is not None:
            if len(self.date) != len(self.labels):
                raise InputError(f"{len(self.labels)} contests have {len(self.date)} dates")
            if (np.diff(self.date) < np.timedelta64(0)).any():
                raise InputError("contests are not in time order; use Contests.from_arrays")
        repeat = first_repeat(self.contest_of_entry, self.who)
        if repeat is not None:
            contest, who = self.contest_of_entry[repeat], self.who[repeat]
            raise InputError(
                f"contest {self.labels[contest]!r} lists {self.names[who]!r} twice;"
                " keep one entry per contestant"
            )

    @classmethod
    def from_arrays(
        cls,
        contest: Iterable[Hashable],
        contestant: Iterable[Hashable],
        score: ArrayLike,
        date: ArrayLike | None = None,
        weight: ArrayLike | None = None,
        *,
        pairs: Pairs = "unit",
        judge: Iterable[Hashable] | None = None,
        covariates: Mapping[str, Any] | None = None,
    ) -> Contests:
        """Group columns, one row per entry in any order, into contests in time order.

        Parameters
        ----------
        contest, contestant : iterable of hashable
            Labels.
        score : array of float
            Bigger is better.
        date : array of dates, optional
            One per row, equal within a contest; anything ``numpy.datetime64`` takes. Contests are
            ordered by it; those of one date, and all without dates, by first appearance.
        weight : array of float, optional
            One per row, equal within a contest.
        pairs : {"unit", "mean", "additive"}
            What a pair weighs, see :class:`Contests`.
        judge : labels, optional
            Who gave each score, one per row, equal within a contest.
        covariates : mapping, optional
            Further columns by name, one value per row: numbers, or labels.

        Examples
        --------
        >>> races = Contests.from_arrays(
        ...     ["Boston", "Boston", "Oslo", "Oslo"],
        ...     ["Alice", "Bob", "Bob", "Cid"],
        ...     [9, 7, 4, 5],
        ...     date=["2026-04-20", "2026-04-20", "2025-09-13", "2025-09-13"],
        ... )
        >>> races.labels, races.names
        (('Oslo', 'Boston'), ('Bob', 'Cid', 'Alice'))
        """
        contests: dict[Hashable, int] = {}
        contestants: dict[Hashable, int] = {}
        group = number_labels(contest, contests, "contest")
        who = number_labels(contestant, contestants, "contestant")
        judges: dict[Hashable, int] = {}
        by = None if judge is None else number_labels(judge, judges, "judge")
        return cls.from_numbers(
            group,
            who,
            floats(score, "score"),
            names=tuple(contestants),
            labels=tuple(contests),
            date=None if date is None else one_per_contest(as_dates(date), group, contests, "date"),
            weight=np.ones(len(contests))
            if weight is None
            else one_per_contest(
                floats(weight, "weight", positive=True), group, contests, "weight"
            ),
            pairs=pairs,
            judge=None if by is None else one_per_contest(by, group, contests, "judge"),
            judges=tuple(judges),
            covariates=columns_of(covariates, len(group)),
        )

    @classmethod
    def from_numbers(
        cls,
        group: Index,
        who: Index,
        score: Floats,
        *,
        names: tuple[Hashable, ...],
        labels: tuple[Hashable, ...],
        weight: Floats,
        date: Dates | None = None,
        pairs: Pairs = "unit",
        judge: Index | None = None,
        judges: tuple[Hashable, ...] = (),
        nouns: Nouns = CONTESTED,
        covariates: Covariates = (),
        checked: bool = False,
    ) -> Contests:
        """Group numbered entries: as :meth:`from_arrays`, with labels already turned to numbers.

        ``group`` numbers into ``labels`` (in order of first appearance), ``who`` into ``names``;
        ``weight``, ``date`` and ``judge`` have one value per contest. A contest without entries is
        kept. ``checked`` says that the arrays are known to make valid contests and may be kept as
        they are.
        """
        if not checked:
            same_length(contest=group, contestant=who, score=score)
            group = indices(group, len(labels), "contest")
            who = indices(who, len(names), "contestant")
        sizes = np.bincount(group, minlength=len(labels))
        if date is not None and (np.diff(date) < np.timedelta64(0)).any():
            time = np.argsort(date, kind="stable")
            place = np.empty_like(group, shape=len(labels))
            place[time] = np.arange(len(labels))
            group, sizes, weight, date = place[group], sizes[time], weight[time], date[time]
            labels = tuple(labels[i] for i in time)
            judge = None if judge is None else judge[time]
        if (group[1:] < group[:-1]).any():
            order = order_by(group)
            who, score, covariates = who[order], score[order], pick(covariates, order)
        if not first_seen_in_order(who, len(names)):
            who, seen = renumber(who, len(names))
            names = tuple(map(names.__getitem__, seen.tolist()))
        start = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        if not checked:
            plain = start, who, score, names, labels, weight, date, pairs, judge, judges
            return cls(*plain, nouns, covariates)
        return cls._trusted(
            frozen(start),
            frozen(who),
            frozen(score),
            names,
            labels,
            frozen(weight),
            None if date is None else frozen(date),
            pairs,
            None if judge is None else frozen(judge),
            judges,
            nouns,
            covariates,
        )

    @property
    def n(self) -> int:
        """Number of contestants."""
        return len(self.names)

    @property
    def entries(self) -> int:
        """Number of entries."""
        return len(self.who)

    @cached_property
    def sizes(self) -> Offsets:
        """Number of entrants of each contest."""
        return frozen(np.diff(self.start))

    @cached_property
    def independent(self) -> int:
        """Number of independent margins: k - 1 of a contest of k."""
        return int(np.maximum(self.sizes - 1, 0).sum())

    @cached_property
    def m(self) -> int:
        """Number of judgments the contests stand for, counted without writing them out."""
        return int((self.sizes * (self.sizes - 1) // 2).sum())

    @cached_property
    def pair_weight(self) -> Floats:
        """What one pair of each contest weighs: the contest's weight times that of its pairs."""
        return self.weight if self.pairs == "unit" else frozen(self.weight * self._of_pairs)

    @property
    def _of_pairs(self) -> Floats:
        return weigh_pairs(self.pairs, self.sizes)

    @cached_property
    def contest_of_entry(self) -> Index:
        """The contest of each entry."""
        return frozen(np.repeat(np.arange(len(self), dtype=np.int32), self.sizes))

    @cached_property
    def number(self) -> dict[Hashable, int]:
        """The number of each name."""
        return {name: number for number, name in enumerate(self.names)}

    @cached_property
    def components(self) -> Index:
        """The component of each contestant, the largest being 0; scores compare within one."""
        return frozen(self.forest.label)

    @cached_property
    def forest(self) -> graph.SpanningForest:
        """A spanning forest of the contestants, of pairs of contests."""
        return graph.span_groups(self.n, self.start, self.who)

    def with_pairs(self, pairs: Pairs) -> Contests:
        """Return the same contests with another rule for the weight of a pair.

        Examples
        --------
        >>> races = Contests.from_arrays(["Oslo"] * 3, ["Alice", "Bob", "Cid"], [9, 7, 4])
        >>> races.with_pairs("mean").pair_weight
        array([0.5])
        """
        check_pairs(pairs)
        return self._with(pairs=pairs)

    def with_nouns(self, nouns: Nouns) -> Contests:
        """Return the same contests, called by other words.

        Examples
        --------
        >>> tasks = Contests.from_arrays(["t1", "t1"], ["a", "b"], [9, 7])
        >>> tasks.with_nouns(Nouns("task", "model"))[:1].nouns.candidate
        'model'
        """
        return self._with(nouns=nouns)

    def with_weight(self, weight: ArrayLike) -> Contests:
        """Return the same contests with other weights; what depends on who met whom is shared.

        Examples
        --------
        >>> races = Contests.from_arrays([2025, 2025, 2026, 2026], "abab", [9, 7, 4, 5])
        >>> races.with_weight([0.5, 1]).weight
        array([0.5, 1. ])
        """
        checked = floats(weight, "weight", positive=True)
        if len(checked) != len(self):
            raise InputError(f"{len(self)} contests have {len(checked)} weights; give one for each")
        return self._among_the_same(weight=checked)

    def without_lone_numbers(self) -> Contests:
        """Return the same contests with scores of 0 and a usual weight in those of one entrant.

        Such a contest compares nobody: what stands there must not set the scale of anything.

        Examples
        --------
        >>> races = Contests.from_arrays("AAB", "xyx", [1, 2, 1e15], weight=[3, 3, 1e18])
        >>> plain = races.without_lone_numbers()
        >>> plain.score, plain.weight
        (array([1., 2., 0.]), array([3., 3.]))
        """
        lone = self.sizes < 2
        if not lone.any():
            return self
        usual = self.weight[~lone][0] if not lone.all() else 1.0
        score, weight = self.score.copy(), np.where(lone, usual, self.weight)
        score[np.repeat(lone, self.sizes)] = 0.0
        return self._with(score=frozen(score), weight=frozen(weight), judge=None, judges=())

    def with_score(self, score: Floats) -> Contests:
        """Return the same contests with other scores, one for each entry, which are not checked.

        Examples
        --------
        >>> races = Contests.from_arrays([2025, 2025, 2026, 2026], "abab", [9, 7, 4, 5])
        >>> races.with_score(-races.score).score
        array([-9., -7., -4., -5.])
        """
        return self._among_the_same(score=frozen(score))

    def to_judgments(self) -> Judgments:
        """Write the pairs out, contest by contest, each pair in the order of its entries.

        Examples
        --------
        >>> races = Contests.from_arrays(["Boston"] * 3, ["Alice", "Bob", "Cid"], [9, 7, 4])
        >>> j = races.to_judgments()
        >>> list(zip(j.a.tolist(), j.b.tolist(), j.y.tolist()))
        [(0, 1, 2.0), (0, 2, 5.0), (1, 2, 3.0)]
        """
        first, second = self.pair_entries()
        w = self.pair_weight[self.contest_of_entry[first]]
        y = self.score[first] - self.score[second]
        judge = None if self.judge is None else self.judge[self.contest_of_entry[first]]
        fields = self.who[first], self.who[second], y, w, self.names, judge, self.judges
        known = of_judgments(self.covariates, first, second)
        written = Judgments(*fields, nouns=self.nouns.as_judged(), covariates=known)
        if "components" in self.__dict__:
            written.__dict__["components"] = self.components
        return written

    def with_errors(self, se: ArrayLike) -> Judgments:
        """Return the contests as judgments that weigh what standard errors of entries say.

        The model is ``score = x + level of the contest + error``, errors independent and as large
        as ``se`` says. Least squares of it are those of the pairs, where with ``p = 1 / se^2`` a
        pair weighs ``p_a p_b / sum p``; a contest is one of the studies of the judgments, worth
        k - 1 independent margins.

        Parameters
        ----------
        se : array of float
            The standard error of each entry's score, in the order of ``who``.

        Examples
        --------
        >>> races = Contests.from_arrays(["Oslo"] * 3, ["Alice", "Bob", "Cid"], [9, 7, 4])
        >>> judged = races.with_errors([1.0, 1.0, 2.0])
        >>> judged.w.round(3), judged.independent
        (array([0.444, 0.111, 0.111]), 2)
        """
        stated = floats(se, "standard error", positive=True)
        same_length(who=self.who, se=stated)
        if self.m > MANY:
            raise InputError(
                f"{self.m:,} pairs are too many to weigh each by the errors of its entries; leave"
                " se out, or weigh whole contests"
            )
        variance = stated**2 / self.weight[self.contest_of_entry]
        total = sum_by(self.contest_of_entry, 1.0 / variance, len(self))
        first, second = self.pair_entries()
        hub = self.contest_of_entry[first]
        return replace(
            self.to_judgments(),
            w=1.0 / (variance[first] * variance[second] * total[hub]),
            se=np.sqrt(variance[first] + variance[second]),
            study=hub,
            studies=self.labels,
            date=None if self.date is None else self.date[hub],
        )

    def pair_entries(self) -> tuple[Offsets, Offsets]:
        """Return the two entries of every pair, in the order of :meth:`to_judgments`."""
        return self._few_pair_entries if self.m <= FEW_PAIRS else pairs_within(self.sizes)

    @cached_property
    def _few_pair_entries(self) -> tuple[Offsets, Offsets]:
        """Keep them where they are few: a solution and its proof ask for them three times."""
        first, second = pairs_within(self.sizes)
        return frozen(first), frozen(second)

    def __len__(self) -> int:
        return len(self.labels)

    def __iter__(self) -> Iterator[Contest]:
        for c, label in enumerate(self.labels):
            entries = slice(self.start[c], self.start[c + 1])
            yield Contest(
                label,
                self.who[entries],
                self.score[entries],
                float(self.weight[c]),
                None if self.date is None else self.date[c],
                pick(self.covariates, entries),
            )

    def __getitem__(self, which: slice | ArrayLike) -> Contests:
        """Select contests. A prefix ``[:i]`` shares memory; any other selection is copied.

        Contestants who are in none of the selected contests are left out.
        """
        if isinstance(which, slice):
            try:
                first, stop, step = which.indices(len(self))
            except (TypeError, ValueError) as error:
                raise InputError(f"cannot select contests: {error}") from None
            if (first, step) == (0, 1):
                return self._prefix(max(stop, 0))
            chosen = np.arange(first, stop, step)
        else:
            index = np.asarray(which)
            try:
                chosen = np.arange(len(self))[index if index.size else index.astype(np.int64)]
            except IndexError as error:
                raise InputError(
                    f"cannot select contests: {error}; use a slice, a mask or a list of numbers"
                ) from None
            if chosen.ndim != 1:
                raise InputError("select contests with a slice, a mask or a list of numbers")
        return self._select(chosen)

    def begins_like(self, other: Contests, count: int) -> bool:
        """Tell whether the first contests of both are the same, but for their labels.

        Examples
        --------
        >>> races = Contests.from_arrays([1, 1, 2, 2], "abbc", [9, 7, 5, 4])
        >>> races.begins_like(races[:1], 1), races.begins_like(races[:1], 2)
        (True, False)
        """
        if self is other:
            return count <= len(self)
        if count > min(len(self), len(other)) or self.pairs != other.pairs:
            return False
        last = int(self.start[count])
        n = int(self.who[:last].max(initial=-1)) + 1
        told = [(one.name, one.levels) for one in self.covariates]
        if told != [(one.name, one.levels) for one in other.covariates]:
            return False
        for one, same in zip(self.covariates, other.covariates, strict=True):
            if not _are_same(one.values, same.values, last):
                return False
        return self.names[:n] == other.names[:n] and all(
            _are_same(getattr(self, what), getattr(other, what), stop)
            for what, stop in (
                *(("start", count + 1), ("weight", count), ("date", count), ("judge", count)),
                *(("who", last), ("score", last)),
            )
        )

    def _prefix(self, stop: int) -> Contests:
        last = int(self.start[stop])
        n = int(self.who[:last].max(initial=-1)) + 1
        return self._with(
            start=self.start[: stop + 1],
            who=self.who[:last],
            score=self.score[:last],
            names=self.names[:n],
            labels=self.labels[:stop],
            weight=self.weight[:stop],
            date=None if self.date is None else self.date[:stop],
            judge=None if self.judge is None else self.judge[:stop],
            covariates=pick(self.covariates, slice(last)),
        )

    def _select(self, chosen: Offsets) -> Contests:
        sizes = self.sizes[chosen]
        start = np.concatenate([[0], np.cumsum(sizes)])
        entry = np.arange(start[-1]) + np.repeat(self.start[chosen] - start[:-1], sizes)
        group = np.repeat(np.arange(len(chosen), dtype=np.int32), sizes)
        return self.from_numbers(
            group,
            self.who[entry],
            self.score[entry],
            names=self.names,
            labels=tuple(self.labels[i] for i in chosen),
            weight=self.weight[chosen],
            date=None if self.date is None else self.date[chosen],
            pairs=self.pairs,
            judge=None if self.judge is None else self.judge[chosen],
            judges=self.judges,
            nouns=self.nouns,
            covariates=pick(self.covariates, entry),
            checked=True,
        )

    @classmethod
    def _trusted(cls, *fields: object) -> Contests:
        """Build from fields that are already checked, without checking them again.

        Those left out at the end are at their defaults.
        """
        self = object.__new__(cls)
        self._set(*fields)
        return self

    def _with(self, **changes: object) -> Contests:
        """Return the same contests with some fields changed, which are not checked."""
        fields = {name: getattr(self, name) for name in self.__match_args__} | changes
        return self._trusted(*fields.values())

    def _among_the_same(self, **changes: object) -> Contests:
        """Do as ``_with`` where the same met: what hangs on that alone is shared, if known."""
        changed = self._with(**changes)
        known = {"sizes", "m", "contest_of_entry", "forest", "components"} & self.__dict__.keys()
        changed.__dict__.update({name: self.__dict__[name] for name in known})
        return changed

    def __repr__(self) -> str:
        return f"Contests(contests={len(self)}, n={self.n}, entries={self.entries}, m={self.m})"


def _are_same(one: NDArray[Any] | None, other: NDArray[Any] | None, stop: int) -> bool:
    if one is None or other is None:
        return one is other
    return np.array_equal(one[:stop], other[:stop])


def weigh_pairs(pairs: Pairs, sizes: Offsets) -> Floats:
    """Return what a pair of contests of these sizes weighs.

    Examples
    --------
    >>> weigh_pairs("mean", np.array([2, 5])), weigh_pairs("additive", np.array([2, 5]))
    (array([1.  , 0.25]), array([0.5, 0.2]))
    """
    divisor = {"unit": np.ones_like(sizes), "mean": sizes - 1, "additive": sizes}[pairs]
    return np.asarray(1.0 / np.maximum(divisor, 1))


def check_pairs(pairs: str) -> None:
    """Check the name of a rule for the weight of a pair."""
    if not isinstance(pairs, str) or pairs not in get_args(Pairs):
        raise InputError(f"pairs is {pairs!r}; choose one of {', '.join(get_args(Pairs))}")
