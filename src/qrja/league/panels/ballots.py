"""Ballots: what a judge said of two items, or that the judge could not tell.

    ballot = judgment (a better than b by y)    or    pass (no y)

A judgment counts; a pass does not, but the pair is not asked again soon. Both are found by the
event that said so, and what was changed later is as it was changed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from qrja.errors import InputError
from qrja.league.payloads import HeldJudgment, checked_comment, checked_name
from qrja.ratings.saving import checked_fields


@dataclass(frozen=True)
class HeldPass:
    """A pair of which a judge could not tell, as a league holds it."""

    a: str
    b: str
    judge: str
    comment: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Give what an event says of it."""
        told = {"a": self.a, "b": self.b, "judge": self.judge}
        return told if self.comment is None else told | {"comment": self.comment}


def checked_pass(told: Any) -> HeldPass:
    """Read the pass of an event.

    Examples
    --------
    >>> checked_pass({"a": "tea", "b": "tea", "judge": "Ann"})
    Traceback (most recent call last):
    qrja.errors.InputError: 'tea' stands on both sides; name two
    """
    fields = checked_fields(told, "the pass", ("a", "b", "judge"))
    a, b = checked_name(fields["a"], "item"), checked_name(fields["b"], "item")
    if a == b:
        raise InputError(f"{a!r} stands on both sides; name two")
    return HeldPass(
        a, b, checked_name(fields["judge"], "judge"), checked_comment(fields.get("comment"))
    )


@dataclass(frozen=True)
class Ballot:
    """What one judge said of one pair.

    Parameters
    ----------
    key : str
        By which it is changed: the number of its event, and its place there.
    judge, a, b : str
        Who, of which two, in the order in which they were shown.
    y : float or None
        By how much a is better, or how many b it is worth; None if the judge could not tell.
    comment : str
        What the judge added.
    """

    key: str
    judge: str
    a: str
    b: str
    y: float | None
    comment: str = ""

    @property
    def pair(self) -> frozenset[str]:
        """The two, in no order."""
        return frozenset((self.a, self.b))

    @property
    def order(self) -> tuple[int, int]:
        """Its place among all."""
        number, _, place = self.key.partition(".")
        return int(number), int(place)

    def to_dict(self) -> dict[str, Any]:
        """Give it as plain values, for JSON."""
        return {"vote": self.key, **{k: v for k, v in vars(self).items() if k != "key"}}


def ballots_of(
    judgments: Mapping[str, HeldJudgment],
    passes: Mapping[str, HeldPass],
    judge: str | None = None,
    *,
    ratio: bool = False,
) -> list[Ballot]:
    """List the ballots of one judge, or of all, in the order in which they came.

    Examples
    --------
    >>> held = {"4.1": HeldJudgment("tea", "milk", 2.0, judge="Ann")}
    >>> [(one.key, one.y) for one in ballots_of(held, {"3.1": HeldPass("tea", "gin", "Ann")})]
    [('3.1', None), ('4.1', 2.0)]
    """
    given = [
        Ballot(
            key,
            one.judge or "",
            one.a,
            one.b,
            math.exp(one.y) if ratio else one.y,
            one.comment or "",
        )
        for key, one in judgments.items()
        if judge is None or one.judge == judge
    ]
    given += [
        Ballot(key, one.judge, one.a, one.b, None, one.comment or "")
        for key, one in passes.items()
        if judge is None or one.judge == judge
    ]
    return sorted(given, key=lambda one: one.order)
