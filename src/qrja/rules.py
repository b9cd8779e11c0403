"""Rule sets: what rankers do and how their predictions are scored, chosen by name.

``fair`` is the default. Another rule set says what it does otherwise. It varies rankers and metrics
and so is written above them, while they are asked by name: here stands where each is found, and it
is imported when it is first asked for. ``docs/evaluation.md`` compares the two.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Literal, get_args

from qrja.errors import InputError, nearest
from qrja.speech import Sentence

Rules = Literal["fair", "paper"]
"""The name of a rule set."""

RULES: tuple[Rules, ...] = get_args(Rules)


@dataclass(frozen=True)
class RuleSet:
    """What an evaluation does otherwise than the fair one.

    Parameters
    ----------
    name : str
        One of :data:`RULES`.
    says : str
        What it does, in words for people.
    rankers : dict
        Class of a ranker -> the one that is made instead; both take the same arguments.
    score : callable, optional
        Scores a prediction instead of :func:`qrja.metrics.score_contest`; is also given ``who``,
        the contestant of each entry, for one may be listed twice.
    verdict : str
        What to say of the ``{best}`` ranker and the ``{share}`` of pairs that it puts in order,
        where the rules do not serve to choose one.
    """

    name: Rules
    says: str
    rankers: Mapping[type, Callable[..., Any]] = field(default_factory=dict)
    score: Callable[..., Any] | None = None
    verdict: str = ""

    def instead_of(self, ranker: type) -> Callable[..., Any]:
        """Return what is made where a ranker of a class is asked for: the class, or another."""
        return self.rankers.get(ranker, ranker)


FAIR = RuleSet(
    "fair",
    Sentence(
        "Each contest is predicted from the earlier ones. Only pairs of contestants seen before"
        " count. The true order is that of the scores; a predicted tie earns half a point."
    ),
)

_ELSEWHERE: dict[str, tuple[str, str]] = {"paper": ("qrja.paper.as_published", "AS_PUBLISHED")}


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
    if rules not in RULES:
        raise InputError(
            f"the rules are {rules!r}; choose {' or '.join(RULES)}{nearest(str(rules), RULES)}"
        )
    return rules


def find_rules(rules: str) -> RuleSet:
    """Return the rule set of that name.

    Examples
    --------
    >>> find_rules("fair").score is None
    True
    >>> find_rules("paper").says.split(":")[0]
    "As the paper's numbers were computed"
    """
    if check_rules(rules) == FAIR.name:
        return FAIR
    module, name = _ELSEWHERE[rules]
    found: RuleSet = getattr(import_module(module), name)
    return found
