"""Drifts: strengths that move, of which each result tells a part.

    s_i(t + dt) = a s_i(t) + step,         step ~ N(0, step variance of dt)
    g_ic = s_i + (other parts of the entry) + z_ic . beta + level_c + error,     error ~ N(0, 1)

Variances are in those of an error. Three ways to move, by ``clock``:

- ``"never"``: a = 1, no steps;
- ``"days"`` or ``"own"`` (contests of one's own) with ``pull`` false: a random walk, a = 1 and a
  variance of ``prior * dt / span``;
- with ``pull`` true: toward the mean, a = 2^(-dt / span), steps of prior (1 - a^2): who has not
  been seen for long is as uncertain as a newcomer, and a season's end costs some of a lead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from qrja.data import Floats

Clock = Literal["never", "days", "own"]
YEAR = 365.25


@dataclass(frozen=True)
class Drift:
    """How strengths move.

    Parameters
    ----------
    prior : float
        The variance of a newcomer's strength, in those of the error of a result.
    clock : {"never", "days", "own"}
        What time is counted in.
    span : float
        Days, or contests of one's own, in which a walk adds ``prior`` to the variance; or in which
        a pull halves the distance to the mean.
    pull : bool
        Whether strengths are pulled toward the mean.

    Examples
    --------
    >>> years = np.array([0.0, 365.25])
    >>> shrink, add = steps([Drift(0.5, "days", 730.5), Drift(0.5, "days", 365.25, True)], years)
    >>> shrink[1], add[1]
    (array([1. , 0.5]), array([0.25 , 0.375]))
    """

    prior: float
    clock: Clock = "never"
    span: float = np.inf
    pull: bool = False


def steps(
    drifts: Sequence[Drift], days: Floats, own: Floats | None = None
) -> tuple[Floats, Floats]:
    """Return by what strengths shrink over some times, and the variance that they gain.

    A row for each time, in days and in contests of one's own, and a column for each drift.
    """
    return Steps(drifts)(days, np.zeros(len(days)) if own is None else own)


class Steps:
    """The same for drifts that are asked again and again."""

    def __init__(self, drifts: Sequence[Drift]) -> None:
        self._prior = np.array([it.prior for it in drifts])
        rate = np.array([0.0 if it.clock == "never" else 1 / it.span for it in drifts])
        own = np.array([it.clock == "own" for it in drifts], dtype=np.bool_)
        self._rates = np.where(own, 0.0, rate), np.where(own, rate, 0.0)
        self._pull = np.array([it.pull for it in drifts], dtype=np.bool_)

    def __call__(self, days: Floats, own: Floats) -> tuple[Floats, Floats]:
        """Return what :func:`steps` does."""
        by_days, by_own = self._rates
        spans = days[:, None] * by_days + own[:, None] * by_own
        shrink = np.where(self._pull, 2.0**-spans, 1.0)
        return shrink, self._prior * np.where(self._pull, 1 - shrink**2, spans)


def in_days(prior: float, years: float, pull: bool = False) -> Drift:
    """Return a drift by years."""
    return Drift(prior, "days", years * YEAR, pull)


DRIFTS = (
    *(Drift(prior) for prior in (0.1, 1.0, 8.0)),
    *(
        Drift(prior, "own", span)
        for prior, span in ((0.5, 20.0), (2.0, 200.0), (2.0, 80.0), (2.0, 20.0))
    ),
    *(in_days(prior, years) for prior, years in ((0.4, 2.0), (2.0, 10.0), (2.0, 2.0))),
    *(in_days(prior, years, pull=True) for prior, years in ((0.1, 1.0), (0.3, 1.0), (1.0, 2.0))),
)
"""Those of ``qrja-auto``; those by days need dates."""
