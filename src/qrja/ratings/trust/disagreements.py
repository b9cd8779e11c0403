"""Disagreements: where direct and indirect evidence do, and which result all others contradict.

    p < 0.05 / (how many were looked at)

is what makes one of them worth a word: the worst of many is always far off. See
:mod:`qrja.ratings.consistency`.
"""

from __future__ import annotations

from qrja.errors import InputError
from qrja.plurals import count
from qrja.ratings.consistency import Omission, Split, is_unlikely, list_omissions, list_splits
from qrja.ratings.trust.findings import Case, Check, Finding
from qrja.ratings.words import spoken

MOST_PAIRS = 20_000
"""Pairs who met, or who took part in one contest, up to which they are looked at."""
LISTED = 10
FEWEST = 5
"""Degrees of freedom from which it is seen how far is far."""


def check_splits(case: Case) -> Check:
    """Say where the meetings of two contradict all else."""
    if not _can_be_seen(case) or not case.ratings.model.is_square:
        return
    try:
        splits = [split for split in list_splits(case.ratings) if split.p is not None]
    except InputError:  # nothing tells how far results stray
        return
    apart = [one for one in splits if is_unlikely(one.p, len(splits))]
    if not apart:
        return
    yield Finding(
        "direct and indirect",
        "note",
        len(apart),
        f"direct and indirect evidence disagree on {count(len(apart), 'pair')}",
        f"Direct and indirect evidence disagree on {count(len(apart), 'pair')} of {len(splits):,}"
        f" beyond chance; the worst: {_split(case, apart[0])}.",
        f"Look at the {case.say.meetings} of those two first, then at the circles they are part"
        " of.",
        {"pairs": len(splits), "worst": [one.to_dict() for one in splits[:LISTED]]},
    )


def _split(case: Case, split: Split) -> str:
    assert split.direct is not None
    assert split.indirect is not None
    assert split.gap is not None
    assert split.gap_se is not None
    say = case.say
    return (
        f"{spoken(split.a)} against {spoken(split.b)}, where {case.say.meetings} say"
        f" {say.signed(split.direct)} and all else {say.signed(split.indirect)},"
        f" {abs(split.gap) / split.gap_se:.1f} standard errors apart"
    )


def check_omissions(case: Case) -> Check:
    """Name the result that all others contradict most, and what would be without it."""
    if not _can_be_seen(case):
        return
    rows = list_omissions(case.ratings, LISTED)
    total = int((case.ratings.left_out.df > 0).sum())
    far = [row for row in rows if is_unlikely(row.p, total)]
    if not far:
        return
    many = f"{len(far)} or more" if len(far) == LISTED else f"{len(far)}"
    what = case.say.word if case.ratings.problem.study is None else "study"
    noun = what if len(far) == 1 else f"{what}s" if what != "study" else "studies"
    yield Finding(
        "left out",
        "note",
        len(far),
        f"{many} {noun} against all others",
        f"{many} {noun} of {total:,} {'is' if len(far) == 1 else 'are'} further off what all others"
        f" say than chance allows; the worst: {_omission(case, far[0])}.",
        "See whether what hangs on it may: correct it, or rate without it.",
        {"results": [row._asdict() for row in rows]},
    )


def _omission(case: Case, row: Omission) -> str:
    what = case.say.called(row.label)
    if row.a is not None:
        what = f"the judgment of {spoken(row.a)} and {spoken(row.b)} (row {spoken(row.label)})"
    elif case.ratings.problem.study is not None:
        what = f"study {spoken(row.label)}"
    place = f"from rank {row.rank} to {row.rank_without}" if row.rank != row.rank_without else ""
    change = f"the rating of {spoken(row.moved)} would change by {case.say.signed(row.by)}"
    return (
        f"{what}, {abs(row.studentised):.1f} standard errors off; without it {change}"
        f"{', ' if place else ''}{place}"
    )


def _can_be_seen(case: Case) -> bool:
    """Tell whether there are results beyond those that fix the ratings, and not too many."""
    problem = case.ratings.problem
    pairs = int((problem.sizes * (problem.sizes - 1) // 2).sum())
    if not 0 < pairs <= MOST_PAIRS or problem.independent <= problem.n:
        return False
    return case.ratings.misfit.df >= FEWEST
