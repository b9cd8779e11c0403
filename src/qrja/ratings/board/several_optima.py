"""Several optima of p = 1: whose order on the leaderboard depends on which one is taken.

Two judgments 0 and 10 between the same two are met as well by 3 as by 7, and where judgments leave
such room the ratings shown are one choice among many: see :mod:`qrja.solution.optima`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from qrja.plurals import count
from qrja.ratings.fitted import Fit
from qrja.solution import OpenOrder
from qrja.speech import Numeral, Sentence
from qrja.tables import Units

LISTED = 10
"""Pairs whose range is told; more are counted."""


@dataclass(frozen=True)
class SeveralOptima:
    """What the choice of an optimum decides.

    Parameters
    ----------
    dimension : int
        How many differences of ratings are free.
    number : int
        How many neighbours on the board have their order by the choice.
    first : tuple of OpenOrder
        The first of them, with the range of their difference.
    chosen : str
        Which optimum the ratings are.
    units : Units
        How to show a difference.

    Examples
    --------
    >>> import qrja
    >>> j = qrja.Judgments.from_arrays("AAB", "BBC", [-1, 10, 1])
    >>> print(describe_optima(qrja.fit(j, p=1)).sentence)
    p = 1 has several optima, and who is ahead depends on which is taken for 1 pair of neighbours, \
such as A and B (-1.00 to 10.00 apart); shown is the central one
    """

    dimension: int
    number: int
    first: tuple[OpenOrder, ...]
    chosen: str
    units: Units

    @property
    def sentence(self) -> str:
        """One line, empty where the choice decides no order."""
        if not self.number:
            return ""
        pair = self.first[0]
        return Sentence(
            "p = 1 has several optima, and who is ahead depends on which is taken for {pairs} of"
            " neighbours, such as {above} and {below} ({low} to {high} apart); shown is the"
            " {chosen} one",
            pairs=count(self.number, "pair"),
            above=str(pair.above),
            below=str(pair.below),
            low=Numeral(self.units.show(pair.low)),
            high=Numeral(self.units.show(pair.high)),
            chosen=Sentence(self.chosen),
        )

    def to_dict(self) -> dict[str, Any]:
        """Give it as plain lists and dictionaries, the first pairs by name."""
        return {
            "unique": self.dimension == 0,
            "free_differences": self.dimension,
            "chosen": self.chosen,
            "undecided_neighbours": self.number,
            "first_undecided": [pair._asdict() for pair in self.first],
        }


def describe_optima(ratings: Fit) -> SeveralOptima | None:
    """Describe all optima of ratings, None where only one is known of."""
    if ratings.solution._face is None:
        return None
    face = ratings.solution.face()
    return SeveralOptima(
        face.dimension,
        len(face.open_places[0]),
        tuple(face.undecided(LISTED)),
        ratings.solution.optimum,
        ratings.units,
    )
