"""A member in one sentence.

"Results count half after 20 contests (about 14 months) and after 5 of one's own; squared errors;
scores as they are; a newcomer begins at the mean of the field, which counts as 0.6 results."
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from qrja.adaptive.assembly import AnyMember, Following, Tracked
from qrja.adaptive.followers import Pace
from qrja.adaptive.members import Member
from qrja.adaptive.tracking import Drift
from qrja.adaptive.transforms import TRANSFORMS

TOWARD = {
    "field": "a newcomer begins at the mean of the field, which",
    "all": "the mean of all",
}
"""Where the ridge pulls, in words."""
MONTH, YEAR = 365.25 / 12, 365.25
"""Days."""


def tell(
    member: AnyMember,
    days: float | None = None,
    toward: str = "field",
    typical: float | None = None,
) -> str:
    """Say in a sentence how a member reads the past.

    Parameters
    ----------
    member : Member, Tracked or Following
        Which.
    days : float, optional
        From one contest to the next, on average, if contests have dates.
    toward : {"field", "all"}
        Whose mean the ridge pulls toward.
    typical : float, optional
        The typical spread of a contest, if margins are to be told in scores.

    Examples
    --------
    >>> for part in tell(Member("raw", math.inf, 20, 5, 0.6), days=21).split("; "):
    ...     print(part)
    Results count half after 20 contests (about 14 months) and after 5 of one's own
    squared errors
    scores as they are
    a newcomer begins at the mean of the field, which counts as 0.6 results.
    >>> tell(Tracked("log", Drift(0.3, "days", 365.25, pull=True)), typical=8.2)
    'Leads halve in 12 months; strengths spread by 0.5 times the error of a result; margins beyond
    16 count less.'
    """
    read = _tell_reading(member.transform, typical)
    if isinstance(member, Tracked):
        return f"{_tell_drift(member.drift)}; {read}."
    if isinstance(member, Following):
        return f"{_tell_pace(member.pace)}; {read}."
    return "; ".join(
        [
            _tell_half_lives(member, days),
            _tell_loss(member),
            read,
            f"{TOWARD[toward]} counts as {member.ridge:g} results.",
        ]
    )


def _tell_reading(transform: str, typical: float | None) -> str:
    """Say how scores are read: of logarithms, from which margin on they bend."""
    if transform == "log" and typical is not None:
        return f"margins beyond {2 * typical:.2g} count less"
    return TRANSFORMS[transform]


def _tell_half_lives(member: Member, days: float | None) -> str:
    """Say when results count half."""
    parts = []
    if member.half_life < math.inf:
        since = "" if days is None else f" (about {tell_days(member.half_life * days)})"
        parts.append(f"after {member.half_life:g} contests{since}")
    if member.days < math.inf:
        parts.append(f"after {tell_days(member.days)}")
    if member.own_half_life < math.inf:
        parts.append(f"after {member.own_half_life:g} of one's own")
    return f"Results count half {' and '.join(parts)}" if parts else "Nothing is forgotten"


def _tell_drift(drift: Drift) -> str:
    """Say how strengths move."""
    spread = f"strengths spread by {math.sqrt(drift.prior):.1g} times the error of a result"
    if drift.clock == "never":
        return f"Strengths stay as they are; {spread}"
    span = (
        tell_days(drift.span) if drift.clock == "days" else f"{drift.span:g} contests of one's own"
    )
    if drift.pull:
        return f"Leads halve in {span}; {spread}"
    return f"Strengths wander as far as they are spread in {span}; {spread}"


def _tell_pace(pace: Pace) -> str:
    """Say how fast ratings follow."""
    told = f"Ratings follow results by {pace.gain:.0%} of each surprise"
    return told if pace.carry == 1 else f"{told}, and a pause leaves {pace.carry:.0%} of them"


def tell_terms(worth: Mapping[str, tuple[float, float]]) -> str:
    """Say what terms are worth that surely are worth something, each with its standard error.

    Examples
    --------
    >>> tell_terms({"home": (2.44, 0.2), "rest": (0.1, 0.2)})
    'home +2.4; '
    """
    sure = {name: value for name, (value, error) in worth.items() if abs(value) > 2 * error}
    return "".join(f"{name} {value:+.2g}; " for name, value in sure.items())


def tell_days(days: float) -> str:
    """Say how long some days are, in a unit that needs few digits.

    Examples
    --------
    >>> tell_days(3.2), tell_days(400), tell_days(1500)
    ('3 days', '13 months', '4 years')
    """
    if days >= 3 * YEAR:
        return f"{days / YEAR:.0f} years"
    return f"{days / MONTH:.0f} months" if days >= 2 * MONTH else f"{days:.0f} days"


def _tell_loss(member: Member) -> str:
    """Say what an error costs."""
    if member.huber == math.inf:
        return "squared errors"
    return f"squared errors up to {member.huber:g} spreads of a contest, absolute ones beyond"
