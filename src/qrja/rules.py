"""The two rule sets of an evaluation: what the rankers do and how their predictions are scored.

``fair`` is the default. ``paper`` repeats what the paper's published numbers were computed with,
including the rules that favour one method over another; ``docs/evaluation.md`` compares them.
"""

from __future__ import annotations

from typing import Literal, get_args

from qrja.errors import InputError, nearest

Rules = Literal["fair", "paper"]

RULES: dict[Rules, str] = {
    "fair": (
        "Each contest is predicted from the earlier ones. Only pairs of contestants seen before"
        " count. The true order is that of the scores; a predicted tie earns half a point."
    ),
    "paper": (
        "As the paper's numbers were computed: the true order is that of the listing, and a"
        " predicted tie counts as predicted correctly; Borda, the median and l1 keep their"
        " published quirks. For comparison with the paper, not between methods."
    ),
}
"""What each rule set does, in words for people."""


def check_rules(rules: str) -> Rules:
    """Return the name of a rule set, or say which there are.

    Examples
    --------
    >>> check_rules("fair")
    'fair'
    >>> check_rules("fare")
    Traceback (most recent call last):
    qrja.errors.InputError: the rules are 'fare'; choose fair or paper; did you mean 'fair'?
    """
    if rules not in get_args(Rules):
        raise InputError(
            f"the rules are {rules!r}; choose {' or '.join(RULES)}{nearest(str(rules), RULES)}"
        )
    return rules  # type: ignore[return-value]
