"""The two sets of rules: what a ranker does as published, and what it does by default."""

from __future__ import annotations

from typing import Literal, get_args

from qrja.errors import InputError, nearest

Rules = Literal["fair", "paper"]
"""``fair``: no method gains from the order in which entries are listed. ``paper``: every detail as
in the experiments of the paper, so that its printed numbers come out."""


def check_rules(rules: Rules) -> Rules:
    """Return ``rules``, or say which ones there are.

    Examples
    --------
    >>> check_rules("fair")
    'fair'
    >>> check_rules("fiar")
    Traceback (most recent call last):
    qrja.errors.InputError: rules is 'fiar'; give 'fair' or 'paper'; did you mean 'fair'?
    """
    known = get_args(Rules)
    if rules not in known:
        raise InputError(f"rules is {rules!r}; give 'fair' or 'paper'{nearest(str(rules), known)}")
    return rules
