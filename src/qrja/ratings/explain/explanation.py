"""Explanations: why a is rated above b by so much.

For p = 2 the difference is a sum, one term per contest or judgment, and it is exact:

    x_a - x_b  =  sum over contests of  (current through the contest) * (margins in it)

see :mod:`qrja.ratings.explain.currents`. Any other power is explained by the least squares with
the same optimum, which weighs a judgment by ``w |r|^(p-2)`` at its residual r: the sum is right,
but the weights are those of the optimum and would move with it. For p = 1 see
:mod:`qrja.ratings.explain.tightness`.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from qrja.data import whole_number
from qrja.errors import InputError
from qrja.plurals import count
from qrja.ratings.words import Word, number_of, word_of
from qrja.tables import Units

if TYPE_CHECKING:
    from qrja.ratings.door import Ratings

Method = Literal["exact", "linearised", "tight", "none"]
"""``exact``: p = 2. ``linearised``: another loss, by the least squares with its optimum.
``tight``: p = 1. ``none``: the two do not compare."""

TOLD = 5
"""Contributions told in words; ``contributions`` holds all."""


@dataclass(frozen=True)
class Contribution:
    """What one contest (or judgment) adds to a difference of ratings.

    Parameters
    ----------
    label : hashable
        The contest; for judgments their number, from 0.
    amount : float
        Its part of the difference.
    share : float
        The part of the evidence that flows through it, from 0 to 1.
    """

    label: Hashable
    amount: float
    share: float


@dataclass(frozen=True)
class Link:
    """One link of a chain: a met b.

    Parameters
    ----------
    a, b : hashable
        The two contestants.
    margin : float
        By how much a was better, averaged over their meetings.
    labels : tuple
        Where they met, the most important first.
    """

    a: Hashable
    b: Hashable
    margin: float
    labels: tuple[Hashable, ...]


@dataclass(frozen=True)
class Chain:
    """A chain of common opponents.

    Parameters
    ----------
    role : {"evidence", "at least", "at most"}
        What it is for: a share of the evidence, or (p = 1) a limit of the difference.
    share : float
        The part of the evidence that flows along it; 1 for a limit.
    total : float
        The difference it supports: the sum of its margins.
    links : tuple of Link
        From a to b.
    """

    role: Literal["evidence", "at least", "at most"]
    share: float
    total: float
    links: tuple[Link, ...]


@dataclass(frozen=True)
class Turn:
    """What one more judgment between the two would have to be like to make them level.

    Parameters
    ----------
    margin : float
        By how much the one who is behind would have to win.
    weight : float
        How much the judgment would have to weigh.
    """

    margin: float
    weight: float


@dataclass(frozen=True)
class Explanation:
    """Why two ratings differ; ``str()`` says it in words.

    Parameters
    ----------
    a, b : hashable
        The two contestants.
    difference : float or None
        The rating of a less that of b; None if they do not compare.
    low, high : float or None
        The range of the difference over all best ratings; they agree unless p = 1.
    loss : str
        The loss that was minimised.
    method : {"exact", "linearised", "tight", "none"}
        How it is explained.
    contributions : tuple of Contribution
        One per contest or judgment that matters, the largest first; with ``rest`` they add up to
        the difference.
    rest : float
        What no contest explains: rounding, or the pull of a prior or of anchors.
    chains : tuple of Chain
        The strongest chains of common opponents.
    turn : Turn or None
        What would make them level; None where that is not known.
    reason : str
        Why they do not compare; empty if they do.
    units : Units
        Of the scores.
    word : {"contest", "judgment"}
        What the data are made of.

    Examples
    --------
    >>> import qrja
    >>> told = qrja.fit(qrja.datasets.marathons(example=2), p=2).explain("Alice", "Charlie")
    >>> [(part.label, round(part.amount)) for part in told.contributions]
    [('New York', 480), ('Chicago', 480)]
    >>> print(told.text().splitlines()[-1])
    They would be level after one more contest between the two alone that Charlie won by 480.0.
    """

    a: Hashable
    b: Hashable
    difference: float | None
    low: float | None
    high: float | None
    loss: str
    method: Method
    contributions: tuple[Contribution, ...]
    rest: float
    chains: tuple[Chain, ...]
    turn: Turn | None
    reason: str
    units: Units
    word: Word

    def text(self) -> str:
        """Say it in words, for a screen."""
        from qrja.ratings.explain.sentences import tell

        return tell(self)

    def __str__(self) -> str:
        return self.text()

    def drawing(self) -> str:
        """Draw the chains with letters, for a terminal."""
        from qrja.ratings.explain.drawings import draw_text

        return draw_text(self)

    def svg(self) -> str:
        """Draw the chains as an SVG picture, for a page."""
        from qrja.ratings.explain.drawings import draw_svg

        return draw_svg(self)

    def network(self) -> dict[str, list[dict[str, Any]]]:
        """Give the chains as nodes and edges, for any drawing program."""
        from qrja.ratings.explain.drawings import network

        return network(self)

    def to_dict(self) -> dict[str, Any]:
        """Give everything as plain lists and dictionaries, for JSON."""
        from qrja.ratings.explain.sentences import as_dict

        return as_dict(self)


def explain(ratings: Ratings, a: Hashable, b: Hashable, *, chains: int = 3) -> Explanation:
    """Explain the difference of two ratings; see :meth:`qrja.Ratings.explain`.

    Examples
    --------
    >>> import qrja
    >>> explain(qrja.fit(qrja.datasets.marathons(), p=2), "Alice", "Bob").method
    'exact'
    """
    names = ratings.problem.names
    i, j = number_of(names, a), number_of(names, b)
    if i == j:
        raise InputError(f"both are {a!r}; name two different contestants")
    chains = whole_number(chains, "chains", 0)
    components = ratings.solution.components
    if components[i] != components[j]:
        return _apart(ratings, i, j)
    if ratings.solution.power == 1 and ratings.solution._face is not None:
        from qrja.ratings.explain.tightness import explain_tight

        return explain_tight(ratings, i, j)
    from qrja.ratings.explain.evidence import explain_by_current

    return explain_by_current(ratings, i, j, chains)


def _apart(ratings: Ratings, i: int, j: int) -> Explanation:
    """Say why no number can be given."""
    names, label = ratings.problem.names, ratings.solution.components
    word = word_of(ratings.problem)
    sizes = [count(int((label == label[k]).sum()) - 1, "contestant") for k in (i, j)]
    reason = (
        f"{names[i]} and {names[j]} cannot be compared: no chain of {word}s joins them."
        f" {names[i]} is joined to {_others(sizes[0])}, {names[j]} to {_others(sizes[1])}."
        f" One {word} between the two groups would make all of them comparable."
    )
    return Explanation(
        a=names[i],
        b=names[j],
        difference=None,
        low=None,
        high=None,
        loss=ratings.solution.loss,
        method="none",
        contributions=(),
        rest=0.0,
        chains=(),
        turn=None,
        reason=reason,
        units=ratings.units,
        word=word,
    )


def _others(size: str) -> str:
    number, noun = size.split()
    return "nobody else" if number == "0" else f"{number} other {noun}"
