"""Judgments: rows (a, b, y, w), "a is better than b by y units, with weight w".

The loss of a score x on them is ``sum_i w_i f(|x[a_i] - x[b_i] - y_i|)``. Candidates are numbered
0, 1, ... in order of first mention, and ``names`` gives their labels back.

A judgment with a standard error weighs ``1 / se^2``; given beside it, w says as how many such
judgments it counts. Judgments of one study share its arms and are weighed together, see
:mod:`~qrja.data.studies`. Dated judgments are in time order; what each is about, such as a prompt
or a task, is its topic.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from qrja.data import graph
from qrja.data.arrays import (
    Floats,
    Index,
    Mask,
    Offsets,
    distinct,
    floats,
    frozen,
    indices,
    number_labels,
    plain_list,
    same_length,
)
from qrja.data.covariates import Covariates, check_columns, columns_of, of_judgments
from qrja.data.entry_columns import Dates, as_dates, write_dates
from qrja.data.nouns import JUDGED, Nouns
from qrja.data.studies import Contrasts, count_independent, find_missing, weigh_contrasts
from qrja.errors import InputError

GROUPED = {"judge": "judges", "study": "studies", "topic": "topics"}
"""What several judgments may have in common, and where its labels are."""


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
        How much the judgment counts, its standard error included; positive.
    names : tuple
        The label of each candidate.
    judge : array of int or None
        Who made each judgment, a number into ``judges``.
    judges : tuple
        The label of each judge.
    se : array of float or None
        The standard error of each judgment, where errors are known.
    study : array of int or None
        The study of each judgment, a number into ``studies``.
    studies : tuple
        The label of each study.
    date : array of datetime64 or None
        When each judgment was made, in time order.
    topic : array of int or None
        What each judgment is about, a number into ``topics``.
    topics : tuple
        The label of each topic.
    nouns : Nouns
        What the candidates are called, where it is not items.
    covariates : tuple of Covariate
        What else is known of a and b of each judgment, in turns, see
        :mod:`~qrja.data.covariates`.

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
    se: Floats | None = None
    study: Index | None = None
    studies: tuple[Hashable, ...] = ()
    date: Dates | None = None
    topic: Index | None = None
    topics: tuple[Hashable, ...] = ()
    nouns: Nouns = JUDGED
    covariates: Covariates = ()

    noun: ClassVar[str] = "judgment"
    directed: ClassVar[bool] = True

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
        if self.se is not None:
            se = floats(self.se, "standard error", positive=True)
            same_length(a=a, se=se)
            object.__setattr__(self, "se", se)
        for one, many in GROUPED.items():
            self._check_groups(one, many)
        self._check_dates()
        check_columns(self.covariates, 2 * len(a))

    def _check_groups(self, one: str, many: str) -> None:
        """Check which judge, study or topic each judgment is of, where that is known."""
        if getattr(self, one) is None:
            return
        labels = tuple(plain_list(getattr(self, many), one))
        of = indices(getattr(self, one), len(labels), one)
        same_length(a=self.a, **{one: of})
        object.__setattr__(self, one, of)
        object.__setattr__(self, many, labels)

    def _check_dates(self) -> None:
        if self.date is None:
            return
        date = frozen(as_dates(self.date, self.noun))
        same_length(a=self.a, date=date)
        if (np.diff(date) < np.timedelta64(0)).any():
            raise InputError("judgments are not in time order; use Judgments.from_arrays")
        object.__setattr__(self, "date", date)

    @classmethod
    def from_arrays(
        cls,
        a: Iterable[Hashable],
        b: Iterable[Hashable],
        y: ArrayLike,
        w: ArrayLike | None = None,
        judge: Iterable[Hashable] | None = None,
        se: ArrayLike | None = None,
        study: Iterable[Hashable] | None = None,
        date: ArrayLike | None = None,
        topic: Iterable[Hashable] | None = None,
        covariates: Mapping[str, Any] | None = None,
    ) -> Judgments:
        """Build judgments from columns of labels (any hashable) and numbers, rows in any order.

        Parameters
        ----------
        a, b : labels
            The two candidates of each judgment.
        y : array of float
            By how much a is better than b.
        w : array of float, optional
            How much each counts: its importance, not its precision.
        judge : labels, optional
            Who made each.
        se : array of float, optional
            The standard error of each; it then weighs ``w / se^2``.
        study : labels, optional
            Which judgments are contrasts of one study; a contrast between two of its arms that is
            not there is added.
        date : array of dates, optional
            When each was made; they are put in time order.
        topic : labels, optional
            What each is about: a prompt, a task, a question.
        covariates : mapping, optional
            Further columns by name: of each judgment, which counts for a; or a pair of columns, of
            a and of b, whose difference counts.

        Examples
        --------
        >>> Judgments.from_arrays("ab", "bc", [3, 1], se=[0.5, 2]).w
        array([4.  , 0.25])
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
        plain = cls(
            *(both[::2], both[1::2], y, weights, tuple(numbers)),  # type: ignore[arg-type]
            **_numbered(judge=judge, topic=topic),
            covariates=_of_sides(covariates, len(a)),
        )
        studies: dict[Hashable, int] = {}
        of = None if study is None else number_labels(study, studies, "study")
        if date is None:
            return plain.with_errors(se, of, tuple(studies))
        dates = as_dates(date, cls.noun)
        columns = {"date": dates} | ({} if se is None else {"se": floats(se, "standard error")})
        same_length(a=plain.a, **columns, **({} if of is None else {"study": of}))
        time = np.argsort(dates, kind="stable")
        dated = replace(plain.rows(time), date=dates[time])
        return dated.with_errors(
            None if se is None else columns["se"][time],
            None if of is None else of[time],
            tuple(studies),
        )

    def with_errors(
        self,
        se: ArrayLike | None = None,
        study: ArrayLike | None = None,
        studies: tuple[Hashable, ...] = (),
    ) -> Judgments:
        """Return the judgments weighed by standard errors, and as the studies that they belong to.

        Examples
        --------
        >>> three = Judgments.from_arrays("aab", "bcc", [1, 3, 2]).with_errors([2.0, 2.0, 2.0])
        >>> three.w, three.with_errors(three.se, [0, 0, 0], ("trial",)).independent
        (array([0.25, 0.25, 0.25]), 2)
        """
        if se is None and study is None:
            return self
        variance = 1.0 / self.w if self.se is None else self.se**2
        if se is not None:
            stated = floats(se, "standard error", positive=True)
            same_length(a=self.a, se=stated)
            importance = self.w if self.se is None else self.w * self.se**2
            variance = stated**2 / importance
        known = se is not None or self.se is not None
        weighed = replace(self, w=1.0 / variance, se=np.sqrt(variance) if known else None)
        if study is None:
            return weighed
        if self.covariates:
            raise InputError(
                f"the covariate {self.covariates[0].name!r} is of single judgments, and those of a"
                " study hang together; leave one of the two out"
            )
        joined = replace(weighed, study=study, studies=studies)  # type: ignore[arg-type]
        return joined._with_missing_contrasts(variance)

    def _with_missing_contrasts(self, variance: Floats) -> Judgments:
        """Return the judgments with all contrasts of every study, weighed as its arms say."""
        missing = find_missing(self._contrasts(variance))
        variance = np.append(variance, missing.variance)
        like = np.append(np.arange(self.m), missing.like)
        whole = replace(
            replace(self, date=None).rows(like),
            a=np.append(self.a, missing.a),
            b=np.append(self.b, missing.b),
            y=np.append(self.y, missing.y),
            w=1.0 / variance,
            se=None if self.se is None else np.sqrt(variance),
        )
        weighed = replace(whole, w=weigh_contrasts(whole._contrasts(variance)))
        if self.date is None:
            return weighed
        time = np.argsort(self.date[like], kind="stable")
        return replace(weighed.rows(time), date=self.date[like][time])

    def _contrasts(self, variance: Floats) -> Contrasts:
        assert self.study is not None
        both = self.names, self.studies
        return Contrasts(self.a, self.b, self.y, variance, self.study, *both)

    def with_heterogeneity(self, tau2: float) -> Judgments:
        """Return the judgments as random effects weigh them: true margins vary by ``tau2``, too.

        Examples
        --------
        >>> Judgments.from_arrays("ab", "bc", [3, 1], se=[1, 2]).with_heterogeneity(1.0).w
        array([0.5, 0.2])
        """
        if self.se is None:
            raise InputError(
                "random effects need the standard error of each judgment, and there are none;"
                " give them as se"
            )
        variance = self.se**2
        if self.study is None:
            return replace(self, w=1.0 / (variance + tau2))
        return replace(self, w=weigh_contrasts(self._contrasts(variance), tau2))

    @cached_property
    def independent(self) -> int:
        """Number of independent margins: k - 1 of a study of k arms, else one of each judgment."""
        return self.m if self.study is None else count_independent(self.a, self.b, self.study)

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
    def labels(self) -> tuple[Hashable, ...]:
        """What each judgment is called: its number, and its topic and date where they are known.

        Examples
        --------
        >>> Judgments.from_arrays("ab", "bc", [3, 1], topic=["essay", "ode"]).labels
        ('0, essay', '1, ode')
        """
        if self.topic is None and self.date is None:
            return tuple(range(self.m))
        said = []
        if self.topic is not None:
            said.append([str(self.topics[k]) for k in self.topic.tolist()])
        if self.date is not None:
            said.append(write_dates(self.date))
        each = zip(map(str, range(self.m)), *said, strict=True)
        return tuple(", ".join(parts) for parts in each)

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

    def with_nouns(self, nouns: Nouns) -> Judgments:
        """Return the same judgments, of candidates that are called by another word.

        Examples
        --------
        >>> two = Judgments.from_arrays("ab", "bc", [3, 1]).with_nouns(Nouns("judgment", "model"))
        >>> two[[0]].nouns.candidate
        'model'
        """
        return replace(self, nouns=nouns)

    def with_weight(self, weight: ArrayLike) -> Judgments:
        """Return the same judgments with other weights.

        Examples
        --------
        >>> Judgments.from_arrays("ab", "bc", [3, 1]).with_weight([1, 2]).w
        array([1., 2.])
        """
        return replace(self, w=floats(weight, "weight", positive=True))

    def with_score(self, score: Floats) -> Judgments:
        """Return the same judgments with other margins: differences of two scores each.

        Examples
        --------
        >>> Judgments.from_arrays("ab", "bc", [3, 1]).with_score(np.array([5.0, 1.0, 2.0, 3.0])).y
        array([ 4., -1.])
        """
        return replace(self, y=score[0::2] - score[1::2])

    def pair_entries(self) -> tuple[Offsets, Offsets]:
        """Return the two entries of every judgment."""
        return self.start[:-1], self.start[:-1] + 1

    def to_judgments(self) -> Judgments:
        """Return the judgments themselves: they are written out."""
        return self

    @cached_property
    def components(self) -> Index:
        """The component of each candidate, the largest being 0; scores compare within one."""
        return frozen(graph.components(self.n, self.start, self.who))

    def __len__(self) -> int:
        return self.m

    def __getitem__(self, which: slice | ArrayLike) -> Judgments:
        """Select judgments; candidates who are in none of them are left out.

        Examples
        --------
        >>> j = Judgments.from_arrays("abc", "bca", [3, 1, 2])[[True, False, True]]
        >>> j.names, j.b
        (('a', 'b', 'c'), array([1, 0], dtype=int32))
        """
        try:
            chosen = np.arange(self.m)[which if isinstance(which, slice) else np.asarray(which)]
        except IndexError as error:
            raise InputError(
                f"cannot select judgments: {error}; use a slice, a mask or a list of numbers"
            ) from None
        some = self.rows(chosen)
        kept, both = np.unique(np.stack([some.a, some.b], axis=1), return_inverse=True)
        a, b = both.reshape(-1, 2).T.astype(np.int32)
        return replace(some, a=a, b=b, names=tuple(self.names[i] for i in kept.tolist()))

    def rows(self, chosen: Offsets | Mask) -> Judgments:
        """Return some judgments; all candidates stay, with the numbers they have.

        Examples
        --------
        >>> Judgments.from_arrays("abc", "bca", [3, 1, 2]).rows(np.array([2]))
        Judgments(n=3, m=1)
        """
        each = ("a", "b", "y", "w", "se", "date", *GROUPED)
        columns: dict[str, Any] = {
            name: column[chosen] for name in each if (column := getattr(self, name)) is not None
        }
        if self.covariates:
            numbers = 2 * np.arange(self.m)[chosen]
            columns["covariates"] = of_judgments(self.covariates, numbers, numbers + 1)
        return replace(self, **columns)

    def __repr__(self) -> str:
        return f"Judgments(n={self.n}, m={self.m})"


def _numbered(**given: Iterable[Hashable] | None) -> dict[str, Any]:
    """Give judges and topics numbers, in the order in which they appear."""
    found: dict[str, Any] = {}
    for one, labels in given.items():
        if labels is not None:
            numbers: dict[Hashable, int] = {}
            found |= {one: number_labels(labels, numbers, one), GROUPED[one]: tuple(numbers)}
    return found


def _of_sides(given: Mapping[str, Any] | None, m: int) -> Covariates:
    """Lay columns of judgments out, a and b in turns; what is of the judgment counts for a."""
    if not isinstance(given, Mapping):
        return columns_of(given, 2 * m)
    both = {}
    for name, values in given.items():
        pair = isinstance(values, tuple) and len(values) == 2 and not np.isscalar(values[0])
        a, b = (plain_list(side, name) for side in (values if pair else (values, values)))
        if len(a) != m or len(b) != m:
            raise InputError(f"the covariate {name!r} has {len(a)} values for {m} judgments")
        texts = any(isinstance(one, str) for one in (*a, *b))
        if not pair:
            b = a if texts else [0.0] * m  # a level that both share counts by its products only
        both[name] = [one for sides in zip(a, b, strict=True) for one in sides]
    return columns_of(both, 2 * m)
