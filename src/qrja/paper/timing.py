"""How long an experiment will take: measured times of the methods, scaled to what is observed.

Most methods are fitted anew before every contest, so contest i costs about as much as there are
entries before it, or pairs where these are written out, and a set of N contests costs

    seconds  ~  a N  +  b sum_i (entries before contest i)  +  c sum_i (pairs before contest i)

with a, b and c of the method. How fast this machine is shows while it works: the time left is the
predicted rest times observed over predicted so far.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic

import numpy as np

from qrja.data import Contest, Floats

BASE = 3e-4
"""Seconds per contest of any method: look up, score, write down."""

ENOUGH = 1e-3
"""The part of the work that must be done before the time left is told."""

PER_MILLION_ENTRIES = {
    "zero": 0.0,
    "mean": 0.0,
    "median": 0.0,
    "borda": 0.0,
    "qrja-l2": 1.0,
    "mf-additive": 2.0,
    "mf-rank1": 5.0,
    "mf-rank2": 5.0,
    "mf-rank5": 16.0,
}
"""Seconds per million entries that lie before the contests."""

PER_MILLION_PAIRS = {"qrja-l1": 0.7, "kemeny-young": 4.0}
"""Seconds per million pairs that lie before the contests; right for large fields, too much for
small ones, which do not matter for the whole."""

PER_MILLION_DRAWN = {"qrja-l1": 0.2, "qrja-l2": 0.06}
"""Seconds per million pairs that are drawn, on the largest set."""


def predict_seconds(name: str, contests: Sequence[Contest]) -> float:
    """Return about how long a task takes.

    Tasks are called ``mean``, ``mf-rank1/epochs``, ``qrja-l1/0.5/10 repeats`` and the like.

    Examples
    --------
    >>> from qrja import datasets
    >>> races = list(datasets.marathons())
    >>> predict_seconds("mf-rank5", races) > predict_seconds("mean", races)
    True
    """
    ranker, *variant = name.split("/")
    sizes = np.array([len(contest) for contest in contests], dtype=np.float64)
    entries, pairs = (_before(count) for count in (sizes, sizes * (sizes - 1) / 2))
    if len(variant) == 2:
        rate, repeats = float(variant[0]), int(variant[1].split()[0])
        seconds = PER_MILLION_DRAWN[ranker] * repeats * rate * pairs
    elif ranker in PER_MILLION_PAIRS:
        seconds = PER_MILLION_PAIRS[ranker] * pairs
    else:
        seconds = PER_MILLION_ENTRIES.get(ranker, 1.0) * entries
    return BASE * len(sizes) + seconds


def _before(counts: Floats) -> float:
    """Add up, over contests, the millions that lie before."""
    return float((np.cumsum(counts) - counts).sum()) / 1e6


@dataclass(frozen=True)
class Status:
    """How far a run is.

    Parameters
    ----------
    task : str
        The task that has just moved.
    done, steps : int
        Its steps done, and in all.
    share : float
        The part of all work that is done, from 0 to 1.
    seconds_left : float or None
        An estimate; None before there is anything to base it on.
    """

    task: str
    done: int
    steps: int
    share: float
    seconds_left: float | None


class Clock:
    """Turns the progress of tasks into a :class:`Status` of the whole.

    Parameters
    ----------
    seconds : dict
        Task -> predicted seconds.
    now : callable
        A clock that never goes back.

    Examples
    --------
    >>> clock = Clock({"short": 10.0, "long": 30.0}, now=iter([0.0, 0.0, 5.0]).__next__)
    >>> at_first = clock.tell("short", 0, 10)
    >>> clock.tell("short", 10, 10)
    Status(task='short', done=10, steps=10, share=0.25, seconds_left=15.0)
    """

    def __init__(self, seconds: Mapping[str, float], now: Callable[[], float] = monotonic) -> None:
        self._seconds, self._now, self._begun = dict(seconds), now, now()
        self._share: dict[str, float] = {}
        self._found: dict[str, float] = {}

    def tell(self, task: str, done: int, steps: int) -> Status:
        """Note that a task has moved; what was done when it was first heard of took no time."""
        # Later contests have more before them, so the first half of the steps is a quarter.
        share = (done / steps) ** 2 if steps else 1.0
        self._found.setdefault(task, share)
        self._share[task] = share
        finished, gained = self._sum(self._share.items()), self._gain()
        total = sum(self._seconds.values())
        elapsed = self._now() - self._begun
        is_known = elapsed > 0 and gained > ENOUGH * total
        left = (total - finished) * elapsed / gained if is_known else None
        return Status(task, done, steps, finished / total if total else 1.0, left)

    def _sum(self, shares: Iterable[tuple[str, float]]) -> float:
        return sum(self._seconds[task] * share for task, share in shares)

    def _gain(self) -> float:
        return self._sum(self._share.items()) - self._sum(self._found.items())
