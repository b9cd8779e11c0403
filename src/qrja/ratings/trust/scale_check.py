"""Whether contests are on one scale: by what share each has of the squared margins.

    share of contest c = n_c sum_i (s_i - mean)^2 / the same of all contests      n_c its entrants

The margins of a season of 5 and 50 km grow with the level of the times, and then percent compare
where seconds do not. A field that falls into two far apart is two contests under one name.
"""

from __future__ import annotations

import numpy as np

from qrja.data import Floats
from qrja.plurals import count
from qrja.ratings.fitted import Fit
from qrja.ratings.trust.findings import Case, Check, Finding
from qrja.ratings.trust.residuals import Residuals
from qrja.ratings.words import Wording, percent, spoken
from qrja.speech import Sentence, joined

FEWEST = 6
"""Contests of three or more that it takes to compare their scales."""
LARGE = 0.4
"""The share of one contest from which it is named, if that is ten times its due."""
TOGETHER = 0.8
"""The correlation of level and spread, as logarithms, from which margins grow with the level."""
ALIKE = 1e-6
"""A difference of spreads, as logarithms, that is rounding."""
APART = 0.35
"""The gap between neighbours in a field, in logarithms, that no field of one distance has."""


def check_scales(case: Case) -> Check:
    """Look for contests that outweigh others, margins that grow, and fields of two races."""
    data = case.ratings.data
    fields = [data.score[a:b] for a, b in zip(data.start[:-1], data.start[1:], strict=True)]
    used = [at for at, field in enumerate(fields) if len(field) > 2 and np.ptp(field) > 0]
    if len(used) < FEWEST or case.ratings.units.kind in ("percent", "ratio"):
        return
    kept = [fields[at] for at in used]
    split = [at for at, field in zip(used, kept, strict=True) if _falls_apart(field)]
    if 2 * len(split) > len(used) and not case.say.nouns.of_things:
        yield _mixed(case, split, len(used))
    elif _grows(kept):
        yield Finding(
            "scales",
            "warning",
            _level_ratio(kept),
            Sentence("margins that grow with the scores"),
            case.say.either(
                "Margins grow with the level of a contest, and levels differ by a factor of"
                " {factor:.1f}: long contests decide more than short ones.",
                "Margins grow with the level of scores, and levels of {events} differ by a factor"
                " of {factor:.1f}: those of high scores decide more than others.",
                factor=_level_ratio(kept),
            ),
            Sentence("Let ratings be in percent: --scale log, or fit(..., scale='log')."),
        )
    else:
        yield from _outweighed(case, kept, used)


def advise_scale(ratings: Fit) -> str:
    """Say which scale would make contests compare, where one would; nothing where they do.

    Examples
    --------
    >>> import qrja
    >>> advise_scale(qrja.fit(qrja.datasets.marathons()))
    ''
    """
    case = Case(ratings, Residuals(ratings.problem, ratings.solution.x), Wording.of(ratings))
    found = list(check_scales(case))
    return joined(" ", [found[0].sentence, found[0].suggestion]) if found else ""


def _outweighed(case: Case, fields: list[Floats], used: list[int]) -> Check:
    squares = np.array([len(field) * ((field - field.mean()) ** 2).sum() for field in fields])
    share = squares / squares.sum()
    top = int(share.argmax())
    if share[top] > LARGE and share[top] * len(fields) > 10:
        yield Finding(
            "scales",
            "note",
            float(share[top]),
            case.say.either(
                "one contest that outweighs the others", "{events} on different scales"
            ),
            Sentence(
                "{label} holds {share} of the squared margins of {contests}: scores are not on one"
                " scale.",
                label=spoken(case.ratings.data.labels[used[top]]),
                share=percent(float(share[top])),
                contests=count(len(fields), case.say.word),
            ),
            case.say.either(
                "Put contests on one scale: --scale sd, or fit(..., scale='sd').",
                "Put {events} on one scale: --scale sd, or fit(..., scale='sd').",
            ),
        )


def _mixed(case: Case, split: list[int], contests: int) -> Finding:
    return Finding(
        "scales",
        "warning",
        float(len(split)),
        Sentence("several contests under one name"),
        Sentence(
            "In {split} of {contests}, such as {label}, the field falls into two far apart, as if"
            " two distances had one name.",
            split=count(len(split), "contest"),
            contests=contests,
            label=spoken(case.ratings.data.labels[split[0]]),
        ),
        Sentence("Name contests by more columns: --contest event,distance."),
    )


def _levels(fields: list[Floats]) -> Floats | None:
    """Return the sizes of the scores of each contest; None if they are not all of one sign."""
    together = np.concatenate(fields)
    if not ((together > 0).all() or (together < 0).all()):
        return None
    return np.array([float(np.abs(field).mean()) for field in fields])


def _level_ratio(fields: list[Floats]) -> float:
    levels = _levels(fields)
    return 1.0 if levels is None else float(levels.max() / levels.min())


def _grows(fields: list[Floats]) -> bool:
    levels = _levels(fields)
    if levels is None or levels.max() < 2 * levels.min():
        return False
    spreads = np.log([float(field.std()) for field in fields])
    if np.ptp(spreads) < ALIKE:  # no correlation with what does not vary
        return False
    return float(np.corrcoef(np.log(levels), spreads)[0, 1]) > TOGETHER


def _falls_apart(field: Floats) -> bool:
    """Tell whether two entrants or more, and not the odd straggler, are far from all others."""
    if len(field) < 5 or not ((field > 0).all() or (field < 0).all()):
        return False
    steps = np.diff(np.sort(np.log(np.abs(field))))
    at = int(steps.argmax())
    fewer = min(at + 1, len(field) - at - 1)
    return bool(steps[at] > APART and fewer >= max(2, 0.08 * len(field)))
