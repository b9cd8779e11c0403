"""A search by passes: what it has reached, who is told, and the vectors kept for another start."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np

from qrja.data import Floats
from qrja.scale.passes import Passes
from qrja.scale.shard_files import beside

OFTEN = 20.0
"""Seconds between two copies of the vectors on disk."""
LITTLE = 0.05
"""Share of the time that may go into telling how far it is."""
FAR = 20.0
"""An estimate of more than so many times what was spent is none."""


class Reached(NamedTuple):
    """Scores, their loss, and a bound on how much of it could be saved.

    ``slip`` is the part of the excess that is rounding of residuals.
    """

    x: Floats
    objective: float
    excess: float
    slip: float = 0.0

    @property
    def gap(self) -> float:
        """The excess as a share of the loss."""
        if self.excess <= 0:
            return 0.0
        return min(self.excess / self.objective, 1.0) if self.objective > 0 else 1.0

    def improved(self, x: Floats, loss: float, bound: float) -> Reached:
        """Return the scores of the smaller loss, with the better bound of both."""
        bound = max(bound, self.objective - self.excess)
        if loss > self.objective:
            x, loss = self.x, self.objective
        return Reached(x, loss, max(loss - bound, 0.0))


class Pass(NamedTuple):
    """What whoever waits is told: passes made, the gap so far, and seconds spent.

    Within a round of conjugate gradients the gap is that of the residual as they carry it along; at
    the end all is computed afresh. ``left`` are the seconds to come, if the gap falls as it did;
    None as long as that is not known.
    """

    made: int
    gap: float
    seconds: float
    left: float | None = None


@dataclass
class Search:
    """How far to go, whom to tell, and where to keep what was found meanwhile.

    Parameters
    ----------
    tol : float
        The gap to reach.
    tell : callable, optional
        Told a :class:`Pass` after each.
    keep : path, optional
        A file for the vectors, written beside and renamed: whoever is stopped goes on from there.
    kind : str
        What is minimised, by which vectors of something else are told.
    gap : float
        The best one so far.
    goal : float, optional
        The gap at which it will end, if that is below ``tol``.
    """

    tol: float
    tell: Callable[[Pass], None] | None = None
    keep: Path | None = None
    kind: str = ""
    gap: float = 1.0
    goal: float | None = None
    began: float = field(default_factory=monotonic)
    _kept: float = field(default_factory=monotonic)
    _fall: list[tuple[float, float]] = field(default_factory=list)
    _weighing: float = 0.0

    @contextmanager
    def following(self, passes: Passes) -> Iterator[None]:
        """Hear of every pass that is made meanwhile."""
        passes.after = partial(self.hear, passes)
        try:
            yield
        finally:
            passes.after = None

    def hear(self, passes: Passes) -> None:
        """Tell that a pass was made."""
        if self.tell is not None:
            spent = monotonic() - self.began
            goal = self.tol if self.goal is None else self.goal
            self.tell(Pass(passes.made, self.gap, spent, time_left(self._fall, goal, spent)))

    def pass_by(self, x: Floats, gap: Callable[[], float]) -> None:
        """Hear of a point on the way; its gap is asked for if that is quick beside the passes."""
        now = monotonic()
        if self.tell is not None and self._weighing <= LITTLE * (now - self.began):
            self._approach(gap())
            self._weighing += monotonic() - now
        self._keep(x)

    def _approach(self, gap: float) -> None:
        if gap < self.gap:
            self.gap = gap
            self._fall.append((monotonic() - self.began, gap))

    def _keep(self, x: Floats, **numbers: float) -> None:
        now = monotonic()
        if self.keep is not None and now - self._kept > OFTEN:
            self._kept = now
            write_vectors(self.keep, self.kind, x, **numbers)

    def arrive(self, passes: Passes, reached: Reached, **numbers: float) -> None:
        """Hear of a point that was proved to be good."""
        self._approach(reached.gap)
        self.hear(passes)
        self._keep(reached.x, **numbers)


def time_left(fall: list[tuple[float, float]], tol: float, now: float) -> float | None:
    """Return the seconds until a gap that falls by its share every second is small enough.

    Examples
    --------
    >>> round(time_left([(0.0, 1e-1), (10.0, 1e-2), (20.0, 1e-3)], 1e-4, 22.0), 9)
    8.0
    >>> time_left([(0.0, 1e-1)], 1e-4, 22.0) is None
    True
    >>> time_left([(0.0, 0.9), (10.0, 0.8999)], 1e-4, 22.0) is None
    True
    """
    recent = [(at, gap) for at, gap in fall[-5:] if 0 < gap < 1]
    if len(recent) < 2 or recent[-1][0] <= recent[0][0]:
        return None
    (first, high), (last, low) = recent[0], recent[-1]
    rate = np.log(high / low) / (last - first)
    left = float(max(last + np.log(low / tol) / rate - now, 0.0)) if rate > 0 else np.inf
    return left if left <= FAR * now else None


def write_vectors(path: Path, kind: str, x: Floats, **numbers: float) -> None:
    """Write scores and some numbers beside the file, then take its place at once."""
    told: dict[str, Any] = {name: np.array(number) for name, number in numbers.items()}
    with beside(path) as part, part.open("wb") as file:
        np.savez(file, kind=np.array(kind), x=x, **told)
        file.flush()
        os.fsync(file.fileno())


def read_vectors(path: Path, kind: str, n: int) -> dict[str, Floats]:
    """Read what was kept, if it is of the same search; else nothing."""
    try:
        with np.load(path, allow_pickle=False) as kept:
            found = {name: np.asarray(kept[name]) for name in kept.files}
    except (OSError, ValueError, EOFError, KeyError, BadZipFile, NotImplementedError, RuntimeError):
        return {}  # none, or damaged
    same = str(found.pop("kind", "")) == kind and len(found.get("x", ())) == n
    return found if same and np.isfinite(found["x"]).all() else {}
