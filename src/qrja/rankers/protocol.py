"""What a back-test asks of a ranker: three members that all have, and seven that some have.

A ranker learns contests one by one. Before each it is asked, by :func:`ask`, for everything it can
say of the field; nobody else looks for the members that are optional.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Protocol, TypeGuard, TypeVar, runtime_checkable

from qrja.data import Contest, Fixture, Floats, Index, Judgments

if TYPE_CHECKING:
    from qrja.rankers.kemeny import Consensus

Ability = TypeVar("Ability")


class Ranker(Protocol):
    """What every ranker has.

    It may also be :class:`Levelled`, and so predict the scores of a contest themselves, and not
    only their differences; :class:`TwoScaled`, if it predicts margins by other scores than the
    order; :class:`Consensual`, if it knows which pairs it leaves open; :class:`Several`, if it
    makes several predictions; :class:`Batched`, if it learns many judgments at once;
    :class:`Betting`, if it gives probabilities to win; :class:`Informed`, if it makes use of what
    is known of a contest besides who takes part. Rankers of this package also have a ``name``.
    """

    @property
    def quantitative(self) -> bool:
        """Whether differences of scores are predictions of margins, or only order matters."""

    def learn(self, contest: Contest) -> None:
        """Take in a contest."""

    def scores(self, who: Index) -> Floats:
        """Return a score for each, bigger is better; NaN for those never seen."""


@runtime_checkable
class Levelled(Protocol):
    """A ranker that says whether its scores predict those of a contest themselves."""

    @property
    def absolute(self) -> bool:
        """Whether they do; otherwise only differences and order mean anything."""


@runtime_checkable
class TwoScaled(Protocol):
    """A ranker that predicts order and margins by different scores."""

    def margins(self, who: Index) -> Floats:
        """Return scores whose differences are the margins; NaN for those never seen."""


@runtime_checkable
class Consensual(Protocol):
    """A ranker that finds best orders of a field and knows what all of them agree on."""

    def consensus(self, who: Index) -> Consensus:
        """Return what the best orders agree on; pairs that they leave open earn half a point."""


@runtime_checkable
class Several(Protocol):
    """A ranker that makes several predictions of each contest, each scored by itself."""

    def predictions(self, who: Index) -> Sequence[Floats] | Floats:
        """Return one row of scores for each prediction."""


@runtime_checkable
class Batched(Protocol):
    """A ranker that takes in many judgments at once, and so can be tried on them."""

    def learn_all(self, judgments: Judgments) -> None:
        """Take in judgments, as the only thing that is learned."""


@runtime_checkable
class Betting(Protocol):
    """A ranker that knows how probable its predictions are."""

    def probabilities(self, who: Index) -> Floats:
        """Return the probability of each (row) to beat each other (column), if they do not tie.

        1/2 for oneself, NaN where one of the two was never seen.
        """


@runtime_checkable
class Informed(Protocol):
    """A ranker that makes use of dates and covariates: who is at home, how long ago the last was.

    Covariates reach it with every contest that it learns.
    """

    def forecast(self, fixture: Fixture) -> Forecast:
        """Return all that it says of a contest; where it is asked nothing else."""


@dataclass(frozen=True, eq=False)
class Forecast:
    """All that a ranker says of a field before a contest.

    Parameters
    ----------
    predictions : list of array
        Scores of the field; one array, or several of a ranker that is :class:`Several`.
    margins : array or None
        Scores whose differences are the margins, where they are others than the predictions.
    consensus : Consensus or None
        What best orders agree on.
    chances : square array or None
        The probability of each to beat each other, see :class:`Betting`.
    ties : square array or None
        The probability of each to tie with each other; ``chances`` are those if they do not.
    """

    predictions: list[Floats]
    margins: Floats | None = None
    consensus: Consensus | None = None
    chances: Floats | None = None
    ties: Floats | None = None


def ask(ranker: Ranker, fixture: Fixture) -> Forecast:
    """Ask a ranker for all that it can say of a contest.

    Examples
    --------
    >>> import numpy as np
    >>> from qrja.rankers import make_ranker
    >>> ranker = make_ranker("mean")
    >>> ranker.learn(Contest("May", np.array([0, 1]), np.array([9.0, 7.0])))
    >>> ask(ranker, Fixture(np.array([1, 2]))).predictions
    [array([ 7., nan])]
    """
    if has_ability(ranker, Informed):
        return ranker.forecast(fixture)
    who = fixture.who
    return Forecast(
        list(ranker.predictions(who)) if has_ability(ranker, Several) else [ranker.scores(who)],
        ranker.margins(who) if has_ability(ranker, TwoScaled) else None,
        ranker.consensus(who) if has_ability(ranker, Consensual) else None,
        ranker.probabilities(who) if has_ability(ranker, Betting) else None,
    )


def predicts_levels(ranker: Ranker) -> bool:
    """Tell whether scores are predictions of the scores themselves, not only of differences.

    Examples
    --------
    >>> from qrja.rankers import make_ranker
    >>> predicts_levels(make_ranker("median")), predicts_levels(make_ranker("borda"))
    (True, False)
    """
    return ranker.quantitative and has_ability(ranker, Levelled) and bool(ranker.absolute)


def has_ability(ranker: object, ability: Callable[..., Ability]) -> TypeGuard[Ability]:
    """Tell whether a ranker has the members of a protocol.

    What ``isinstance`` says, at a hundredth of its cost: a back-test asks some times a contest.

    Examples
    --------
    >>> from qrja.rankers import make_ranker
    >>> has_ability(make_ranker("mean"), Batched), has_ability(make_ranker("zero"), Batched)
    (False, True)
    """
    return all(hasattr(ranker, name) for name in _members(ability))


@cache
def _members(ability: Callable[..., object]) -> tuple[str, ...]:
    return tuple(name for name in vars(ability) if not name.startswith("_"))
