"""Synthetic races with known true strengths: ``score = strength - course + noise``.

Strengths are standard normal, so they set the unit. A race has a course, normal with standard
deviation ``difficulty``; it is common to the whole field and cancels in every judgment. The noise
has standard deviation ``spread`` and is normal or heavy-tailed (Student's t with 3 degrees of
freedom).

Entrants come and go: there are ``entrants`` seats, and ``field`` of them race. The holder of a
seat changes every ``1/turnover`` races, at a phase of its own: the k-th holder of seat j has it
while ``floor(turnover r + phase_j) = k``. So any entry of race r is known without replaying the
races before it, and nothing here loops over entries.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from qrja.data import Contests, Floats, Index, as_float, frozen, whole_number
from qrja.errors import InputError

Noise = Literal["normal", "heavy"]
"""The shape of the noise; both have the same standard deviation."""

MOST = 2**31 - 1
"""Entries, or entrants, that the numbers of contestants can count."""
FIRST_DATE = np.datetime64("2000-01-01", "s")


@dataclass(frozen=True, eq=False)
class SyntheticRaces:
    """Synthetic races, the truth behind them, and the parameters that made them.

    Parameters
    ----------
    contests : Contests
        The races; bigger scores are better. Every label says that they are synthetic.
    strength : array of float
        The true strength of each contestant, in the order of ``contests.names``.
    course : array of float
        How much the course of each race takes off every score.
    races, entrants, field, noise, spread, difficulty, turnover, seed
        What :func:`synthetic_races` was called with.
    """

    contests: Contests
    strength: Floats
    course: Floats
    races: int
    entrants: int
    field: int
    noise: Noise
    spread: float
    difficulty: float
    turnover: float
    seed: int

    def __repr__(self) -> str:
        return f"SyntheticRaces({self.contests!r}, noise={self.noise!r}, seed={self.seed})"


def synthetic_races(
    races: int = 100,
    entrants: int = 200,
    field: int = 20,
    *,
    noise: Noise = "normal",
    spread: float = 0.5,
    difficulty: float = 1.0,
    turnover: float = 0.01,
    seed: int = 0,
) -> SyntheticRaces:
    """Make synthetic races with known true strengths.

    Parameters
    ----------
    races : int
        Number of races, one a week from 2000-01-01 on.
    entrants : int
        Number of contestants who race at any one time.
    field : int
        How many of them, drawn at random, enter each race.
    noise : {"normal", "heavy"}
        Normal, or Student's t with 3 degrees of freedom.
    spread : float
        Standard deviation of the noise; that of the strengths is 1.
    difficulty : float
        Standard deviation of the difficulty of the courses.
    turnover : float
        Share of the entrants replaced by newcomers from one race to the next: a career lasts
        ``1/turnover`` races.
    seed : int
        The same seed gives the same races.

    Returns
    -------
    SyntheticRaces
        The contests, and the strength of each contestant in the order of ``contests.names``.

    Examples
    --------
    >>> made = synthetic_races(races=3, entrants=5, field=4, turnover=0, seed=1)
    >>> made.contests
    Contests(contests=3, n=5, entries=12, m=18)
    >>> made.contests.labels[0], made.contests.names[0]
    ('synthetic race 1', 'racer 1')
    >>> len(made.strength)
    5
    """
    races, entrants = whole_number(races, "races", 1), whole_number(entrants, "entrants", 1, MOST)
    field, seed = whole_number(field, "field", 1, entrants), whole_number(seed, "seed", 0)
    if races * field > MOST:
        raise InputError(f"races is {races}; {field} entrants each make more than {MOST} entries")
    spread, difficulty = _real(spread, "spread"), _real(difficulty, "difficulty")
    turnover = _real(turnover, "turnover", 1.0)
    if noise not in get_args(Noise):
        raise InputError(f"noise is {noise!r}; choose one of {', '.join(get_args(Noise))}")
    rng = np.random.default_rng(seed)
    who, n = _number_by_first(_draw_holders(rng, races, entrants, field, turnover))
    strength, course = rng.standard_normal(n), difficulty * rng.standard_normal(races)
    race = np.repeat(np.arange(races, dtype=np.int32), field)
    score = strength[who] - course[race] + spread * _draw_noise(rng, noise, len(who))
    contests = Contests.from_numbers(
        race,
        who,
        score,
        names=tuple(f"racer {i + 1}" for i in range(n)),
        labels=tuple(f"synthetic race {r + 1}" for r in range(races)),
        weight=np.ones(races),
        date=FIRST_DATE + np.arange(races) * np.timedelta64(7, "D"),
        checked=True,
    )
    return SyntheticRaces(
        contests=contests,
        strength=frozen(strength),
        course=frozen(course),
        races=races,
        entrants=entrants,
        field=field,
        noise=noise,
        spread=spread,
        difficulty=difficulty,
        turnover=turnover,
        seed=seed,
    )


def _draw_holders(
    rng: np.random.Generator, races: int, entrants: int, field: int, turnover: float
) -> NDArray[np.int64]:
    """Draw the field of each race and say who holds the seats, as one number per holder."""
    seat = _draw_seats(rng, races, entrants, field)
    race = np.arange(races)[:, None]
    generation = np.floor(turnover * race + rng.random(entrants)[seat]).astype(np.int64)
    return (generation * entrants + seat).ravel()


def _draw_seats(rng: np.random.Generator, races: int, entrants: int, field: int) -> Index:
    """Draw ``field`` different seats for each race, every set being equally likely."""
    if 2 * field > entrants:
        all_seats = np.broadcast_to(np.arange(entrants, dtype=np.int32), (races, entrants))
        return rng.permuted(all_seats, axis=1)[:, :field]
    seats = rng.integers(entrants, size=(races, field), dtype=np.int32)
    rows = np.arange(races)
    # Seats drawn twice are drawn anew. No seat is treated differently from another, so neither is
    # any set of seats.
    while len(rows):
        drawn = np.sort(seats[rows], axis=1)
        repeated = np.zeros(drawn.shape, dtype=bool)
        repeated[:, 1:] = drawn[:, 1:] == drawn[:, :-1]
        drawn[repeated] = rng.integers(entrants, size=int(repeated.sum()), dtype=np.int32)
        seats[rows] = drawn
        rows = rows[repeated.any(axis=1)]
    return seats


def _draw_noise(rng: np.random.Generator, noise: Noise, size: int) -> Floats:
    """Draw noise of standard deviation 1."""
    if noise == "normal":
        return rng.standard_normal(size)
    return rng.standard_t(3, size) / math.sqrt(3)


def _number_by_first(holder: NDArray[np.int64]) -> tuple[Index, int]:
    """Give the holders numbers by first appearance; return also how many there are."""
    _, first, inverse = np.unique(holder, return_index=True, return_inverse=True)
    number = np.empty(len(first), dtype=np.int32)
    number[np.argsort(first)] = np.arange(len(first), dtype=np.int32)
    return number[inverse], len(first)


def _real(value: float, what: str, high: float | None = None) -> float:
    number = as_float(value)
    if not (0 <= number < math.inf) or (high is not None and number > high):
        span = "of at least 0" if high is None else f"from 0 to {high:g}"
        raise InputError(f"{what} is {value!r}; give a number {span}")
    return number
