"""Effects: by how much contestants differ from themselves in a context, before a voter or on clay.

An effect is the score in a context less that of the contestant as such. It is pulled toward 0, and
its interval is that of squares with the same ties.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from qrja.data import Index, check_level
from qrja.errors import InputError
from qrja.ratings.fitted import Fit
from qrja.ratings.words import number_in
from qrja.speech import Numeral, Sentence
from qrja.tables.out import build_frame
from qrja.ties import Contexts

TOLD, LOOKED_AT = 5, 64
"""Effects that a board names, and those that it looks at: the largest."""


@dataclass(frozen=True)
class ContextEffect:
    """What a context adds to the rating of a contestant, with its interval, of so many results."""

    contestant: Hashable
    context: Hashable
    effect: float
    low: float | None
    high: float | None
    contests: int

    @property
    def is_sure(self) -> bool:
        """Whether the interval leaves 0 out."""
        return self.low is not None and self.high is not None and not self.low <= 0 <= self.high

    def say(self, fit: Fit) -> Sentence:
        """Say it in words."""
        amount = Numeral(fit.units.show(abs(self.effect)).removeprefix("+"))
        template = (
            "{name}, {column} {context}: better by {amount}"
            if self.effect > 0
            else "{name}, {column} {context}: worse by {amount}"
        )
        parts = {"name": str(self.contestant), "context": str(self.context), "amount": amount}
        return Sentence(template, column=str(fit.model.per), **parts)

    def to_dict(self) -> dict[str, Any]:
        """Give it for JSON."""
        return dict(self.__dict__)


def list_effects(
    fit: Fit, who: Hashable | None = None, level: float = 0.95, most: int | None = None
) -> list[ContextEffect]:
    """List the effects of contexts, the largest first; of one contestant, or of all.

    Examples
    --------
    >>> import qrja
    >>> votes = qrja.Contests.from_arrays(
    ...     [k for k in range(40) for _ in "ab"],
    ...     "ab" * 40,
    ...     [(3.0 * (k % 2) + k % 3) * side for k in range(40) for side in (1, 0)],
    ...     covariates={"voter": ["xy"[k % 2] for k in range(40) for _ in "ab"]},
    ... )
    >>> found = list_effects(qrja.fit(votes, per="voter"))
    >>> sorted((one.context, one.effect > 0) for one in found if one.contestant == "a")
    [('x', False), ('y', True)]
    """
    from scipy.special import ndtri, stdtrit

    check_level(level)
    if fit.model.per is None:
        raise InputError("these ratings know no contexts; fit them with per='voter', say")
    moved = fit.moved
    if moved is None or not isinstance(moved.periods, Contexts):
        return []
    nodes = moved.periods
    own: Index = np.arange(len(nodes.level), dtype=np.int32)
    if who is not None:
        own = nodes.nodes_of(number_in(fit.problem, who))
    effect = moved.x[own] - moved.latest[nodes.who[own]]
    order = np.argsort(-np.abs(effect), kind="stable")[:most]
    own, effect = own[order], effect[order]
    df, known = fit.misfit.df, fit.problem.se is not None
    reach = np.full(len(own), np.nan)
    if known or df > 0:
        upper = 0.5 * (1 + level)
        quantile = float(ndtri(upper) if known else stdtrit(df, upper))
        reach = quantile * np.sqrt(fit.path_covariance.between(own, nodes.last[nodes.who[own]]))
    return [
        ContextEffect(
            fit.problem.names[int(nodes.who[node])],
            nodes.labels[int(nodes.level[node])],
            amount,
            None if np.isnan(off) else amount - off,
            None if np.isnan(off) else amount + off,
            int(many),
        )
        for node, amount, off, many in zip(
            own.tolist(), effect.tolist(), reach.tolist(), moved.results_of(own), strict=True
        )
    ]


def tabulate_effects(fit: Fit, who: Hashable | None, level: float, kind: str | None) -> Any:
    """Return effects as a table, see :meth:`qrja.Ratings.effects`."""
    rows = [one.to_dict() for one in list_effects(fit, who, level)]
    names = ("contestant", "context", "effect", "low", "high", "contests")
    columns = {name: [row[name] for row in rows] for name in names}
    return build_frame(columns, fit.kind if kind is None else kind)


def say_effects(fit: Fit) -> list[Sentence]:
    """Say by how much contestants differ, and the largest effects that are sure."""
    moved = fit.solution.moved
    if moved is None or fit.model.per is None:
        return []
    column = str(fit.model.per)
    if not moved.tau:
        told = "contestants were not seen to differ by {column}; ratings are those of all results"
        return [Sentence(told, column=column)]
    amount = Numeral(fit.units.show(moved.tau).removeprefix("+"))
    told = (
        "contestants differ by {amount} from one {column} to another, as learned; ratings are as"
        " such"
    )
    sure = [one for one in list_effects(fit, most=LOOKED_AT) if one.is_sure]
    return [
        Sentence(told, amount=amount, column=column),
        *(one.say(fit) for one in sure[:TOLD]),
    ]


def describe_effects(fit: Fit) -> dict[str, Any] | None:
    """Give the same for JSON, with the largest effects."""
    moved = fit.solution.moved
    if moved is None or fit.model.per is None:
        return None
    largest = list_effects(fit, most=LOOKED_AT)
    return {
        "per": fit.model.per.name,
        "tau": moved.tau,
        "noise": moved.noise,
        "effects": [one.to_dict() for one in largest],
    }
