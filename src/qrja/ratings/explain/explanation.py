"""An explanation: why a is rated above b by so much, in words, pictures and plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from qrja.display import Markup, block, tag
from qrja.plurals import count
from qrja.ratings.explain.drawings import draw_svg, draw_text, network
from qrja.ratings.explain.parts import Explained
from qrja.ratings.explain.sentences import as_dict, tell


@dataclass(frozen=True)
class Explanation(Explained):
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
    contributions : sequence of Contribution
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
    nouns : Nouns
        What those who are compared are called, and what compares them.
    split : Split or None
        What their meetings say against what all else says; None unless p = 2.
    terms : tuple of (name, float)
        By how much each shared term changes the difference, by squares; results are those without
        what terms add.

    Examples
    --------
    >>> import qrja
    >>> told = qrja.fit(qrja.datasets.marathons(example=2), p=2).explain("Alice", "Charlie")
    >>> [(part.label, round(part.amount)) for part in told.contributions]
    [('New York', 480), ('Chicago', 480)]
    >>> print(told.text().splitlines()[-1])
    They would be level after one more contest between the two alone that Charlie won by 480.0.
    """

    def __repr__(self) -> str:
        told = tell(self).partition(" (")[0]
        parts = count(len(self.contributions), "contribution")
        return f"Explanation({told!r}, {parts}, {count(len(self.chains), 'chain')})"

    def _repr_html_(self) -> str:
        first, *rest = tell(self).split("\n")
        said = (line if line.endswith(":") else f"\u2003{line.strip()}" for line in rest if line)
        return block(tag("b", first), *(tag("div", line) for line in said), Markup(draw_svg(self)))

    def text(self) -> str:
        """Say it in words, for a screen."""
        return tell(self)

    def __str__(self) -> str:
        return self.text()

    def drawing(self) -> str:
        """Draw the chains with letters, for a terminal."""
        return draw_text(self)

    def svg(self) -> str:
        """Draw the chains as an SVG picture, for a page."""
        return draw_svg(self)

    def network(self) -> dict[str, list[dict[str, Any]]]:
        """Give the chains as nodes and edges, for any drawing program."""
        return network(self)

    def to_dict(self) -> dict[str, Any]:
        """Give everything as plain lists and dictionaries, for JSON."""
        return as_dict(self) | {"network": network(self), "text": tell(self)}
