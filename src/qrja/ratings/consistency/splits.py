"""Splits: of two who met, what their own meetings say and what all else says (node splitting).

With D the margin of their meetings, W its conductance and R the resistance between the two in the
whole, the share of the direct evidence in ``x_a - x_b`` is ``h = W R``, and

    x_a - x_b = h D + (1 - h) I,     D - I = (D - (x_a - x_b)) / (1 - h)
    var D = 1 / W,     var I = R / (1 - h),     var (D - I) = 1 / W + R / (1 - h)

The indirect I is what a fit without their meetings says. A study of several arms gives its contrast
of the two, with the variance stated for it, to the direct evidence, and what its other contrasts
say beyond that to the indirect, as the back-calculation of network meta-analysis does; so does a
contest. Variances are those of errors that are as large as the weights say, times Q / df where they
are scaled. For contests of unequal sizes they are sums over the entries,
``sum (coefficient)^2 / precision``, with the current through each entry as its coefficient in x.

References
----------
S. Dias et al., Checking consistency in mixed treatment comparison meta-analysis, 2010.
J. Koenig, U. Krahn and H. Binder, Visualizing the flow of evidence in network meta-analysis, 2013.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from qrja.data import Floats, centre
from qrja.errors import InputError
from qrja.ratings.consistency.direct import Direct, add_up, list_meetings
from qrja.ratings.fitted import Fit
from qrja.ratings.intervals import Errors, StandardErrors, find_standard_errors
from qrja.ratings.words import Wording, number_of
from qrja.speech import plural
from qrja.tables.out import build_frame

ALL = 1.0 - 1e-8
"""A share of the direct evidence from which there is no other but rounding."""
MOST = 20_000
"""Pairs of contests of unequal sizes whose variances are added up entry by entry."""
COLUMNS = 32
NOTHING = (None, None, None, None)


@dataclass(frozen=True)
class Split:
    """Direct against indirect evidence on one difference.

    Parameters
    ----------
    a, b : hashable
        The two contestants.
    difference, se : float
        The difference of their ratings, and its standard error.
    meetings : int
        How many judgments, studies or contests they met in.
    share : float
        The part of the direct evidence in the difference.
    direct, direct_se : float or None
        What their meetings say; None without any.
    indirect, indirect_se : float or None
        What all else says; None where nothing else joins them.
    gap, gap_se : float or None
        Direct less indirect.
    p : float or None
        The chance of a gap at least so large if both tell of one difference.
    errors : {"known", "scaled"}
        Whether errors are as stated, or scaled by what the ratings leave.
    df : float or None
        Degrees of freedom behind the scale; None for known errors.

    Examples
    --------
    >>> import qrja
    >>> judged = qrja.Judgments.from_arrays("abc", "bca", [1, 1, -5], se=[1, 1, 1])
    >>> split = qrja.fit(judged).split("a", "c")
    >>> round(split.direct, 9), round(split.indirect, 9), round(split.gap_se**2, 9)
    (5.0, 2.0, 3.0)
    """

    a: Hashable
    b: Hashable
    difference: float
    se: float
    meetings: int
    share: float
    direct: float | None
    direct_se: float | None
    indirect: float | None
    indirect_se: float | None
    gap: float | None
    gap_se: float | None
    p: float | None
    errors: str
    df: float | None

    def to_dict(self) -> dict[str, Any]:
        """Give the numbers for JSON."""
        return asdict(self)


def split_pair(ratings: Fit, a: Hashable, b: Hashable, errors: Errors | None = None) -> Split:
    """Split the evidence on two contestants; see :meth:`qrja.Ratings.split`."""
    names, label = ratings.problem.names, ratings.solution.components
    say = Wording.of(ratings)
    who = say.who
    i, j = number_of(names, a, who), number_of(names, b, who)
    if i == j:
        raise InputError(f"both are {a!r}; name two different {plural(who)}")
    if label[i] != label[j]:
        raise InputError(f"{a!r} and {b!r} cannot be compared: no chain of {say.words} joins them")
    met = list_meetings(ratings.problem)
    at = np.flatnonzero((met.low == min(i, j)) & (met.high == max(i, j)))
    if len(at):
        both = add_up(ratings.problem.n, met.pick(at))
        (split,) = split_all(ratings, both, errors)
        return split if (split.a, split.b) == (names[i], names[j]) else turned(split)
    standard = find_standard_errors(ratings, errors)
    (se,) = standard.of_differences(np.array([i]), np.array([j])).tolist()
    difference = float(ratings.solution.x[i] - ratings.solution.x[j])
    told = names[i], names[j], difference, se, 0, 0.0, None, None, difference, se, None, None, None
    return Split(*told, standard.errors, _finite(standard.df))


def split_all(ratings: Fit, direct: Direct, errors: Errors | None = None) -> list[Split]:
    """Split the evidence on pairs who met."""
    standard = find_standard_errors(ratings, errors)
    names, x, i, j = ratings.problem.names, ratings.solution.x, direct.low, direct.high
    net, between = x[i] - x[j], ratings.covariance.resistances(i, j)
    share = np.minimum(direct.conductance * between, 1.0)
    has_both = share < ALL
    rest = np.where(has_both, 1.0 - share, 1.0)
    gap = (direct.margin - net) / rest
    errors_of = standard.factor * np.sqrt(_variances(ratings, direct, between, rest))
    splits = []
    for k, both in enumerate(has_both.tolist()):
        se, direct_se, indirect_se, gap_se = errors_of[:, k].tolist()
        margin, apart = float(direct.margin[k]), float(gap[k])
        met = int(direct.meetings[k]), float(share[k]), margin, direct_se
        pair = names[i[k]], names[j[k]], float(net[k]), se
        one = Split(*pair, *met, *NOTHING, None, standard.errors, _finite(standard.df))
        if both:
            other = {"indirect": margin - apart, "indirect_se": indirect_se}
            chance = _chance(apart / gap_se, standard)
            one = replace(one, **other, gap=apart, gap_se=gap_se, p=chance)
        splits.append(one)
    return splits


def turned(split: Split) -> Split:
    """Say the same of b and a."""
    return replace(
        split,
        a=split.b,
        b=split.a,
        difference=-split.difference,
        direct=_minus(split.direct),
        indirect=_minus(split.indirect),
        gap=_minus(split.gap),
    )


def _minus(value: float | None) -> float | None:
    return None if value is None else -value


def list_splits(ratings: Fit, errors: Errors | None = None) -> list[Split]:
    """List all pairs who met, the worst disagreement first."""
    direct = add_up(ratings.problem.n, list_meetings(ratings.problem))
    many = len(direct.low) > MOST and ratings.covariance.multiple is None
    if many:
        raise InputError(
            f"{len(direct.low):,} pairs met in contests of unequal sizes, too many to list; ask for"
            " two of them with split"
        )
    splits = [
        one if one.difference >= 0 else turned(one) for one in split_all(ratings, direct, errors)
    ]
    # Where direct and indirect differ most comes first, where there is only one last.
    splits.sort(key=lambda one: (one.p is None, -_size(one)))
    return splits


def tabulate_splits(ratings: Fit, errors: Errors | None, kind: str | None) -> Any:
    """Lay out all pairs with direct evidence, see :meth:`qrja.Ratings.splits`."""
    splits = list_splits(ratings, errors)
    left_out = ("errors", "df")
    names = [name for name in Split.__dataclass_fields__ if name not in left_out]
    columns = {name: [getattr(one, name) for one in splits] for name in names}
    return build_frame(columns, ratings.kind if kind is None else kind)


def _size(split: Split) -> float:
    """Return the gap in standard errors, to so many digits that rounding turns no order."""
    return round(abs(split.gap or 0.0) / (split.gap_se or 1.0), 9)


def _variances(ratings: Fit, direct: Direct, between: Floats, rest: Floats) -> Floats:
    """Return rows of variances: of the difference, of direct, of indirect, of their gap."""
    multiple = ratings.covariance.multiple
    if multiple is not None:
        own = 1.0 / direct.conductance
        return multiple * np.stack([between, own, between / rest, own + between / rest])
    blocks = [
        _by_entries(ratings, direct.pick(slice(at, at + COLUMNS)), rest[at : at + COLUMNS])
        for at in range(0, len(rest), COLUMNS)
    ]
    return np.concatenate(blocks, axis=1)


def _by_entries(ratings: Fit, direct: Direct, rest: Floats) -> Floats:
    """Add up what the entries of contests give to each number, squared, over their precision."""
    problem, here = ratings.problem, np.arange(len(rest))
    right = np.zeros((ratings.covariance.n, len(rest)))
    right[direct.low, here], right[direct.high, here] = 1.0, -1.0
    ray = (problem.pair_weight * problem.sizes)[problem.contest_of_entry][:, None]
    moved = ratings.covariance.solve(right)[problem.who]
    net = ray * centre(moved, problem.contest_of_entry)
    met = np.stack([_direct_coefficients(ratings, direct, k) for k in here.tolist()], axis=1)
    other = (net - (1.0 - rest) * met) / rest
    precision = problem.weight[problem.contest_of_entry][:, None]
    return np.stack([(part**2 / precision).sum(axis=0) for part in (net, met, other, met - other)])


def _direct_coefficients(ratings: Fit, direct: Direct, k: int) -> Floats:
    """Return what each entry gives to the margin of the meetings of pair k."""
    problem = ratings.problem
    of, ray = problem.contest_of_entry, problem.pair_weight * problem.sizes / 2.0
    mine, theirs = problem.who == direct.low[k], problem.who == direct.high[k]
    met = np.zeros(len(problem), dtype=bool)
    met[of[mine]] = True
    both = np.zeros(len(problem), dtype=bool)
    both[of[theirs]] = met[of[theirs]]
    value = np.where(both, ray / direct.conductance[k], 0.0)[of]
    return np.asarray(value * (mine.astype(float) - theirs))


def _chance(z: float, standard: StandardErrors) -> float:
    from scipy.special import ndtr, stdtr  # takes a while to load

    below = ndtr(-abs(z)) if math.isinf(standard.df) else stdtr(standard.df, -abs(z))
    return float(2.0 * below)


def _finite(df: float) -> float | None:
    return None if math.isinf(df) else df
