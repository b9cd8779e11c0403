"""Breaks: moves that a random walk of this speed does not make.

A smoothed move over a tie has the variance ``tau^2 dt - V`` before the results are seen, V being
what is left of its variance after. By how many of its standard deviations a move is off 0 is its
auxiliary residual; a break is one that is beyond what the largest of all ties would be in one of
twenty such sets of paths, in a run of moves whose sum is at least ``SURE`` standard errors: else it
may be one odd result. With p = 1 paths stay where they are but for jumps, and every jump is one.

References
----------
A. C. Harvey and S. J. Koopman, Diagnostic checking of unobserved-components time series models,
1992.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from qrja.data import Floats, Index
from qrja.ratings.fitted import Fit
from qrja.ratings.form.calendar import Calendar
from qrja.speech import Numeral, Sentence
from qrja.ties import Paths

LOOKED_AT = 256
"""Ties whose variance is asked for: those with the largest moves for their time."""
RARE = 0.05
"""The chance of any break where there is none."""
SURE = 2.0
JUMP = 1e-6
"""A jump of p = 1, as a share of the spread of ratings; less is rounding."""


@dataclass(frozen=True)
class Break:
    """A contestant who was another one before.

    Parameters
    ----------
    contestant : hashable
        Who.
    since : hashable
        The date, or the label of the contest, from which on.
    month : str
        The same in words.
    change : float
        By how much the rating rose; negative where it fell.
    z : float or None
        How many standard deviations of a usual move that is; None for jumps of p = 1.
    """

    contestant: Hashable
    since: Hashable
    month: str
    change: float
    z: float | None

    def say(self, fit: Fit) -> Sentence:
        """Say it in words."""
        amount = Numeral(fit.units.show(abs(self.change)).removeprefix("+"))
        template = (
            "{name}: a different strength since {month}, better by {amount}"
            if self.change > 0
            else "{name}: a different strength since {month}, worse by {amount}"
        )
        return Sentence(template, name=str(self.contestant), month=self.month, amount=amount)

    def to_dict(self) -> dict[str, Any]:
        """Give it for JSON."""
        return {
            "contestant": self.contestant,
            "since": self.since,
            "change": self.change,
            "z": self.z,
        }


def find_breaks(fit: Fit) -> list[Break]:
    """List the breaks of all paths, the largest first.

    Examples
    --------
    >>> import qrja
    >>> score = [float(k % 3 + 6 * (k >= 30)) if side == 0 else 0.0 for k in range(60)
    ...          for side in (0, 1)]
    >>> games = qrja.Contests.from_arrays([k for k in range(60) for _ in "ab"], "ab" * 60, score)
    >>> ratings = qrja.fit(games, p=1, anchors={"b": 0}, drift="0.1 per contest")
    >>> [(found.contestant, found.since, round(found.change)) for found in find_breaks(ratings)]
    [('a', 30, 4)]
    """
    paths = fit.paths
    if paths is None or not len(paths.weight):
        return []
    calendar, periods = Calendar(fit), paths.periods
    found: list[Break] = []
    for k, z in _unusual(fit, paths):
        node = int(periods.later[k])
        begin = float(periods.time[node])
        found.append(
            Break(
                fit.problem.names[int(periods.who[node])],
                calendar.when(begin),
                calendar.month(begin),
                _run(paths, k) if z is not None else float(paths.moves[k]),
                z,
            )
        )
    return sorted(found, key=lambda one: -abs(one.change if one.z is None else one.z))


def _unusual(fit: Fit, paths: Paths) -> list[tuple[int, float | None]]:
    """Return the ties with a break, and by how many standard deviations."""
    if fit.model.p == 1:
        least = JUMP * float(np.ptp(paths.x))
        return [(int(k), None) for k in np.flatnonzero(np.abs(paths.moves) > least)]
    from scipy.special import ndtri

    periods = paths.periods
    prior = paths.tau**2 * periods.gap
    largest = np.argsort(-np.abs(paths.moves) / np.sqrt(prior), kind="stable")[:LOOKED_AT]
    posterior = fit.path_covariance.between(periods.later[largest], periods.earlier[largest])
    spread = np.sqrt(np.maximum(prior[largest] - posterior, 1e-12 * prior[largest]))
    z: Floats = paths.moves[largest] / spread
    enough = -float(ndtri(0.5 * RARE / len(paths.moves)))
    kept: list[tuple[int, float | None]] = []
    taken: set[int] = set()
    for at in np.argsort(-np.abs(z), kind="stable").tolist():
        k = int(largest[at])
        if abs(z[at]) <= enough or k in taken:
            continue
        run = _run_of(paths, k)
        taken.update(run.tolist())
        error = fit.path_covariance.between(periods.later[run[-1:]], periods.earlier[run[:1]])
        if abs(float(paths.moves[run].sum())) > SURE * float(np.sqrt(error[0])):
            kept.append((k, float(z[at])))
    return kept


def _run_of(paths: Paths, tie: int) -> Index:
    """Return the ties around one, of the same contestant, that move the same way."""
    periods = paths.periods
    who = periods.who[periods.later]
    own = np.flatnonzero(who == who[tie])
    own = own[np.argsort(periods.time[periods.later[own]], kind="stable")]
    same = np.sign(paths.moves[own]) == np.sign(paths.moves[tie])
    place = int(np.flatnonzero(own == tie)[0])
    begin = place
    while begin > 0 and same[begin - 1]:
        begin -= 1
    end = place
    while end + 1 < len(own) and same[end + 1]:
        end += 1
    return np.asarray(own[begin : end + 1], dtype=np.int32)


def _run(paths: Paths, tie: int) -> float:
    return float(paths.moves[_run_of(paths, tie)].sum())
