"""Predictions: what a start list will do.

The result of entrant i is ``mean + slope_i (x_i - mean) + sd_i T`` with the mean rating of the
start list; slope, sd and the distribution of T are learned from past errors
(:mod:`~qrja.ratings.predict.noise`), and results are independent given the day. On a grid of
scores z,

    P(a beats b)  = int f_a(z) F_b(z) dz
    P(i is t-th)  = int f_i(z) P(t - 1 of the others are above z) dz

where the last factor counts independent events (a Poisson binomial). It is built once for
everybody and divided by one's own part. Nothing is simulated: the same ratings give the same
numbers, and a larger rating never lowers a win probability. A tie counts half; how probable one is,
the past tells (:mod:`~qrja.ratings.predict.past_ties`).
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri, stdtr

from qrja.data import Floats, check_level
from qrja.display import block, named, remark, share_bar, table
from qrja.errors import InputError, QRJAWarning
from qrja.ratings.fitted import Fit
from qrja.ratings.predict.entrant_conditions import add_terms, split_conditions
from qrja.ratings.predict.entrant_contexts import add_contexts
from qrja.ratings.predict.entrant_parts import add_parts
from qrja.ratings.predict.noise import Noise
from qrja.ratings.predict.start_list import expect, find_entrants, tell_newcomers
from qrja.ratings.predict.usual_level import UsualLevel, find_level
from qrja.ratings.words import Wording, chance, number_of
from qrja.tables import Units
from qrja.tables.out import build_frame

PANEL = 0.4
"""Length of a panel, in standard deviations of an entrant or in distances to it."""
NODES = np.polynomial.legendre.leggauss(4)
"""Where a panel is looked at, and what each place weighs."""
WORTH_SAYING = 0.01
"""The probability of a tie from which on people are told of ties."""


@dataclass(frozen=True, eq=False)
class Prediction:
    """The result of :meth:`qrja.Ratings.predict`.

    Parameters
    ----------
    names : tuple
        The start list.
    x : array of float
        The ratings.
    expected : array of float
        The expected results: ratings, drawn together where they have been partly luck before,
        and what covariates add.
    spread : array of float
        The standard deviation of each entrant's result.
    tail : float
        Degrees of freedom of the noise, infinity for normal.
    kind : str or None
        The kind of :meth:`table`.
    units : Units
        Of the ratings.
    newcomers : tuple
        Who of the start list is new, and forecast from the field.
    level : UsualLevel or None
        What an average contestant usually scores; None where contests have no usual level.
    notes : tuple of str
        What is to be said of the newcomers.
    word : str
        What an entrant is called where people read.
    tie_odds, tie_bend : float
        How probable ties are, see :class:`qrja.ratings.predict.Noise`.

    Examples
    --------
    >>> import qrja
    >>> made = qrja.datasets.synthetic_races(races=60, entrants=8, field=5, turnover=0)
    >>> prediction = qrja.fit(made.contests).predict(["racer 2", "racer 1"])
    >>> prediction
    Prediction(2 entrants, expected first 'racer 1')
    >>> margin = prediction.margin("racer 1", "racer 2")
    >>> low, high = prediction.margin_interval("racer 1", "racer 2", level=0.9)
    >>> low < margin < high
    True
    >>> prediction.table(kind="dict")["contestant"]
    ['racer 1', 'racer 2']
    """

    names: tuple[Hashable, ...]
    x: Floats
    expected: Floats
    spread: Floats
    tail: float
    kind: str | None = None
    units: Units = field(default_factory=Units)
    newcomers: tuple[Hashable, ...] = ()
    level: UsualLevel | None = None
    notes: tuple[str, ...] = ()
    word: str = "contestant"
    tie_odds: float = 0.0
    tie_bend: float = 0.0

    def __repr__(self) -> str:
        best = self.names[int(np.argmax(self.expected))]
        return f"Prediction({len(self.names)} entrants, expected first {best!r})"

    def _repr_html_(self) -> str:
        shown = self.present()
        names, wins = shown.pop(self.word), shown.pop("wins")
        bars = [share_bar(one["win"]) for one in self.entrants()]
        rows = list(zip(map(named, names), wins, bars, *shown.values(), strict=True))
        header = [self.word, "wins", "", *shown]
        return block(table(header, rows, left=[self.word, ""]), *map(remark, self.notes))

    @property
    def margins(self) -> Floats:
        """The expected margin of each entrant (row) over each other (column)."""
        return np.asarray(self.expected[:, None] - self.expected[None, :])

    def margin(self, a: Hashable, b: Hashable) -> float:
        """Return by how much a should be better than b."""
        return float(self.margins[number_of(self.names, a), number_of(self.names, b)])

    def probability(self, a: Hashable, b: Hashable) -> float:
        """Return the probability that a beats b, a tie counting half."""
        return float(self.beats[number_of(self.names, a), number_of(self.names, b)])

    def tie_probability(self, a: Hashable, b: Hashable) -> float:
        """Return the probability that a and b tie."""
        return float(self.ties[number_of(self.names, a), number_of(self.names, b)])

    def margin_interval(self, a: Hashable, b: Hashable, level: float = 0.95) -> tuple[float, float]:
        """Return the interval that the margin of a over b should fall into."""
        from scipy.optimize import brentq

        check_level(level)
        i, j = number_of(self.names, a), number_of(self.names, b)
        z, density = self._grid[0], self._density[:, j]
        width = 1e4 * float(self.spread[i] + self.spread[j]) + 1e-300

        def excess(margin: float, tail: float) -> float:
            return float(density @ self._below(z + margin, i)) - tail

        low, high = self.margin(a, b) - width, self.margin(a, b) + width
        tails = (0.5 * (1 - level), 0.5 * (1 + level))
        bounds = [brentq(excess, low, high, args=(tail,), xtol=1e-12 * width) for tail in tails]
        return float(bounds[0]), float(bounds[1])

    @cached_property
    def beats(self) -> Floats:
        """The probability that each entrant (row) beats each other (column); 1/2 oneself.

        A tie counts half: to be strictly ahead is less probable by half of :attr:`ties`.
        """
        won = self._density.T @ self._cdf
        return np.asarray(0.5 * (won + 1 - won.T))

    @cached_property
    def ties(self) -> Floats:
        """The probability that each entrant ties with each other; 0 with oneself.

        Of ratings that move with time or have parts, ties are not foretold: 0.
        """
        from qrja.adaptive import tie_chances

        chance = self.beats
        most = 2 * np.minimum(chance, 1 - chance)
        ties = np.minimum(tie_chances(chance, self.tie_odds, self.tie_bend), most)
        ties = (ties + ties.T) / 2
        np.fill_diagonal(ties, 0.0)
        return np.asarray(ties)

    @property
    def may_tie(self) -> bool:
        """Whether ties are probable enough to be told to people."""
        return bool((self.ties >= WORTH_SAYING).any())

    @property
    def win(self) -> Floats:
        """The probability of each entrant to win."""
        return np.asarray(self.places[:, 0])

    @property
    def expected_place(self) -> Floats:
        """The place that each entrant takes on average."""
        return np.asarray(0.5 + self.beats.sum(axis=0))

    @cached_property
    def places(self) -> Floats:
        """The probability of each entrant (row) to take each place (column, the first is 0)."""
        above = 1.0 - self._cdf
        counts = count_above(above)
        places = np.zeros((len(self.names), len(self.names)))
        early = above <= 0.5
        # Taking one's own part out of the count is a division, done from its stable end.
        left = np.zeros_like(above)
        for t in range(len(self.names)):
            left = np.where(early, (counts[:, t, None] - above * left), 0.0)
            left /= np.where(early, 1 - above, 1.0)
            places[:, t] += (self._density * left).sum(axis=0)
        left = np.zeros_like(above)
        for t in range(len(self.names), 0, -1):
            left = np.where(early, 0.0, (counts[:, t, None] - (1 - above) * left))
            left /= np.where(early, 1.0, above)
            places[:, t - 1] += (self._density * left).sum(axis=0)
        return np.clip(places, 0.0, 1.0)

    @property
    def scores(self) -> Floats | None:
        """The score that each entrant should have, as the table has them; None without a level."""
        if self.level is None:
            return None
        return self.level.within(self.units.as_written(self.level.value + self.expected))

    def score_interval(self, name: Hashable, level: float = 0.95) -> tuple[float, float]:
        """Return the interval that the score of an entrant should fall into, as the table has it.

        It does not reach below 0 where no score did so far.

        Raises
        ------
        InputError
            If contests have no usual level, so that no score can be foretold.
        """
        check_level(level)
        i = number_of(self.names, name)
        if self.level is None:
            raise InputError(
                "scores cannot be foretold: contests have no usual level; margins can, see .margin"
            )
        middle = self.level.value + float(self.expected[i])
        reach = float(ndtri(0.5 * (1 + level))) * math.hypot(self.spread[i], self.level.spread)
        ends = self.level.within(self.units.as_written(np.array([middle - reach, middle + reach])))
        return float(ends.min()), float(ends.max())

    def present(self, level: float = 0.95) -> dict[str, list[Any]]:
        """Return the start list as people read it, the likeliest winner first."""
        lines = self.entrants()
        shown: dict[str, list[Any]] = {
            self.word: [one["contestant"] for one in lines],
            "wins": [chance(one["win"]) for one in lines],
            "expected place": [f"{one['expected_place']:.1f}" for one in lines],
            "rating": [self.units.show(one["rating"]) for one in lines],
        }
        if self.level is not None:
            show = self.units.show_written
            ends = [self.score_interval(one["contestant"], level) for one in lines]
            shown["score"] = [show(one["score"]) for one in lines]
            shown["from"] = [show(low) for low, _ in ends]
            shown["to"] = [show(high) for _, high in ends]
        return shown

    def table(self, *, kind: str | None = None) -> Any:
        """Return the start list, the likeliest winner first, as a data frame.

        ``score`` is there where contests have a usual level, ``new`` where somebody is.
        """
        order = np.lexsort((-self.win, self.expected_place))
        columns: dict[str, list[Any]] = {
            "contestant": [self.names[i] for i in order],
            "rating": self.x[order].tolist(),
            "expected": self.expected[order].tolist(),
            "spread": self.spread[order].tolist(),
            "win": self.win[order].tolist(),
            "expected_place": self.expected_place[order].tolist(),
        }
        if self.scores is not None:
            columns["score"] = self.scores[order].tolist()
        if self.newcomers:
            columns["new"] = [self.names[i] in self.newcomers for i in order]
        return build_frame(columns, self.kind if kind is None else kind)

    def entrants(self) -> list[dict[str, Any]]:
        """List the lines of :meth:`table`."""
        columns = self.table(kind="dict")
        rows = zip(*columns.values(), strict=True)
        return [dict(zip(columns, row, strict=True)) for row in rows]

    def pair(self, a: Hashable, b: Hashable, level: float = 0.95) -> dict[str, Any]:
        """Return the margin of a over b, its interval, and how probable a win and a tie are."""
        low, high = self.margin_interval(a, b, level)
        return {
            "a": a,
            "b": b,
            "margin": self.margin(a, b),
            "low": low,
            "high": high,
            "a_beats_b": self.probability(a, b),
            "tie": self.tie_probability(a, b),
        }

    def to_dict(self, level: float = 0.95) -> dict[str, Any]:
        """Give entrants, places and all pairs as plain lists and dictionaries, for JSON."""
        places = dict(zip(self.names, self.places.tolist(), strict=True))
        entrants = self.entrants()
        names = [one["contestant"] for one in entrants]
        return {
            "units": self.units.kind,
            "level": level,
            "entrants": [one | {"places": places[one["contestant"]]} for one in entrants],
            "pairs": [self.pair(a, b, level) for a, b in combinations(names, 2)],
            "notes": list(self.notes),
        }

    # ------------------------------------------------------------------ integration

    @cached_property
    def _centred(self) -> Floats:
        """Expected results relative to their mean, so that small differences keep their digits."""
        return np.asarray(self.expected - self.expected.mean())

    @cached_property
    def _grid(self) -> tuple[Floats, Floats]:
        """Scores and the cells around them: panels as short as the nearest entrant needs."""
        far = self.spread.max() * (9.0 if self.tail == math.inf else 1e4)
        z, last = self._centred.min() - far, self._centred.max() + far
        borders = [z]
        while z < last:
            z = z + PANEL * np.hypot(self.spread, z - self._centred).min()
            borders.append(z)
        nodes, weights = NODES
        half = 0.5 * np.diff(borders)[:, None]
        middle = np.array(borders[:-1])[:, None] + half
        return (middle + half * nodes).ravel(), (half * weights).ravel()

    def _standard(self, z: Floats, i: int) -> Floats:
        unit = 1.0 if self.tail == math.inf else math.sqrt(self.tail / (self.tail - 2))
        return np.asarray((z - self._centred[i]) / self.spread[i] * unit)

    def _below(self, z: Floats, i: int) -> Floats:
        """Return the probability that entrant i scores below z."""
        u = self._standard(z, i)
        return np.asarray(ndtr(u) if self.tail == math.inf else stdtr(self.tail, u))

    @cached_property
    def _cdf(self) -> Floats:
        """The probability of each entrant (column) to score below each point of the grid."""
        z, _ = self._grid
        return np.stack([self._below(z, i) for i in range(len(self.names))], axis=1)

    @cached_property
    def _density(self) -> Floats:
        """The probability of each entrant (column) to score in each cell of the grid."""
        z, cell = self._grid
        u = np.stack([self._standard(z, i) for i in range(len(self.names))], axis=1)
        power = -0.5 * u**2
        if self.tail < math.inf:
            power = -0.5 * (self.tail + 1) * np.log1p(u**2 / self.tail)
        density = np.exp(power) * cell[:, None]
        return np.asarray(density / density.sum(axis=0))


def count_above(above: Floats) -> Floats:
    """Return, for rows of independent probabilities, the distribution of how many come true.

    Examples
    --------
    >>> count_above(np.array([[0.5, 0.5]]))
    array([[0.25, 0.5 , 0.25]])
    """
    points, k = above.shape
    counts = np.zeros((points, k + 1))
    counts[:, 0] = 1.0
    for j in range(k):
        p = above[:, j, None]
        counts[:, 1 : j + 2] = counts[:, 1 : j + 2] * (1 - p) + counts[:, : j + 1] * p
        counts[:, 0] *= 1 - p[:, 0]
    return counts


def predict(ratings: Fit, start_list: Iterable[Hashable], noise: Noise) -> Prediction:
    """Predict what a start list will do, see :meth:`qrja.Ratings.predict`."""
    listed, said = split_conditions(ratings, start_list)
    entrants = find_entrants(ratings, listed)
    added, conditions = add_terms(ratings, entrants.names, said)
    x, slope, spread = expect(ratings, entrants, noise)
    context = add_contexts(ratings, entrants.who, said)
    members = add_parts(ratings, entrants.who, said)
    added = added + context.added + members.added
    conditions = [*conditions, *context.notes, *members.notes]
    spread = np.sqrt(np.maximum(spread**2 + context.variance + members.variance, 0.0))
    # Results that never strayed are told apart by the smallest of differences.
    least = 1e-9 * float(np.ptp(x)) + 1e-290
    spread = np.maximum(spread, least)
    wide = float(spread[entrants.is_new].max(initial=0.0))
    notes = tuple(tell_newcomers(ratings, entrants, wide))
    for note in notes:
        warnings.warn(note, QRJAWarning, stacklevel=3)
    return Prediction(
        entrants.names,
        x,
        x.mean() + slope * (x - x.mean()) + added,
        spread,
        noise.tail,
        ratings.kind,
        ratings.units,
        entrants.newcomers,
        find_level(ratings, entrants.group, float(np.median(spread))),
        (*notes, *conditions),
        Wording.of(ratings).who,
        noise.tie_odds,
        noise.tie_bend,
    )
