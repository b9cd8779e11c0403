"""Disagreements: where direct and indirect evidence do, and which result all others contradict.

    p < 0.05 / (how many were looked at)

is what makes one of them worth a word: the worst of many is always far off. See
:mod:`qrja.ratings.consistency`.
"""

from __future__ import annotations

from qrja.errors import InputError
from qrja.plurals import count
from qrja.ratings.consistency import Omission, Split, is_unlikely, list_omissions, list_splits
from qrja.ratings.trust.findings import Case, Check, Finding, judgment_called
from qrja.ratings.words import spoken
from qrja.speech import Noun, Sentence

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
    pairs = count(len(apart), "pair")
    yield Finding(
        "direct and indirect",
        "note",
        len(apart),
        Sentence("direct and indirect evidence disagree on {pairs}", pairs=pairs),
        Sentence(
            "Direct and indirect evidence disagree on {pairs} of {all:,} beyond chance; the worst:"
            " {worst}.",
            pairs=pairs,
            all=len(splits),
            worst=_split(case, apart[0]),
        ),
        case.say.either(
            "Look at the meetings of those two first, then at the circles they are part of.",
            "Look at the {events} of those two first, then at the circles they are part of.",
        ),
        {"pairs": len(splits), "worst": [one.to_dict() for one in splits[:LISTED]]},
    )


def _split(case: Case, split: Split) -> Sentence:
    assert split.direct is not None
    assert split.indirect is not None
    assert split.gap is not None
    assert split.gap_se is not None
    return case.say.either(
        "{a} against {b}, where meetings say {direct} and all else {indirect}, {gap:.1f}"
        " standard errors apart",
        "{a} against {b}, where {events} of both say {direct} and all else {indirect}, {gap:.1f}"
        " standard errors apart",
        a=spoken(split.a),
        b=spoken(split.b),
        direct=case.say.signed(split.direct),
        indirect=case.say.signed(split.indirect),
        gap=abs(split.gap) / split.gap_se,
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
    what = _many(case, len(far))
    yield Finding(
        "left out",
        "note",
        len(far),
        Sentence("{what} against all others", what=what),
        Sentence(
            "{what} of {all:,} {far:is/are} further off what all others say than chance allows; the"
            " worst: {worst}.",
            what=what,
            all=total,
            far=len(far),
            worst=_omission(case, far[0]),
        ),
        Sentence("See whether what hangs on it may: correct it, or rate without it."),
        {"results": [row._asdict() for row in rows]},
    )


def _many(case: Case, far: int) -> Sentence:
    """Count the results that are far off; of many only the first were looked for."""
    noun = Noun(case.say.word if case.ratings.problem.study is None else "study", far)
    said = "{far} or more {noun}" if far == LISTED else "{far} {noun}"
    return Sentence(said, far=far, noun=noun)


def _omission(case: Case, row: Omission) -> Sentence:
    what = case.say.called(row.label)
    if row.a is not None:
        what = judgment_called(row.a, row.b, row.label)
    elif case.ratings.problem.study is not None:
        what = Sentence("study {label}", label=spoken(row.label))
    said = (
        "{what}, {off:.1f} standard errors off; without it the rating of {moved} would change by"
        " {by}"
    )
    if row.rank != row.rank_without:
        said = (
            "{what}, {off:.1f} standard errors off; without it the rating of {moved} would change"
            " by {by}, from rank {rank} to {without}"
        )
    return Sentence(
        said,
        what=what,
        off=abs(row.studentised),
        moved=spoken(row.moved),
        by=case.say.signed(row.by),
        rank=row.rank,
        without=row.rank_without,
    )


def _can_be_seen(case: Case) -> bool:
    """Tell whether there are results beyond those that fix the ratings, and not too many."""
    problem = case.ratings.problem
    pairs = int((problem.sizes * (problem.sizes - 1) // 2).sum())
    if not 0 < pairs <= MOST_PAIRS or problem.independent <= problem.n:
        return False
    return case.ratings.misfit.df >= FEWEST
