"""Goals: comparisons that settle one question, the first place or the order of two.

A question is a set of differences ``d_r = e_a - e_b``. One more comparison of i and j with weight w
lowers the sum of their variances ``d_r^T L^+ d_r`` by

    sum_r  w (g_r,i - g_r,j)^2 / (1 + w R_ij),       g_r = L^+ d_r,   R_ij the resistance of i and j

whatever its outcome. For the first place the differences are those of the leader and everybody who
may be first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from qrja.data import Floats, Index, Offsets
from qrja.errors import InputError
from qrja.ratings.board import list_order
from qrja.ratings.fitted import Fit
from qrja.ratings.intervals import IntervalRequest, are_possible, find_intervals
from qrja.ratings.suggest.design import Design
from qrja.ratings.words import Wording, number_in, spoken
from qrja.speech import plural

NEAR = 400
"""Candidates among whom pairs are looked for: those whom the question moves most."""


@dataclass(frozen=True)
class Goal:
    """A question to be settled.

    Parameters
    ----------
    pairs : tuple
        The differences that matter, as pairs of numbers.
    what : str
        Whose differences, in the words of a sentence.
    told : str
        How the question stands now.
    """

    pairs: tuple[tuple[int, int], ...]
    what: str
    told: str


def read_goal(ratings: Fit, settle: Any) -> Goal:
    """Read ``"first"`` or two names.

    Examples
    --------
    >>> import qrja
    >>> read_goal(qrja.fit(qrja.datasets.marathons()), "second")
    Traceback (most recent call last):
    qrja.errors.InputError: settle is 'second'; give 'first', or two contestants
    """
    if settle == "first":
        return _first_place(ratings)
    say = Wording.of(ratings)
    if isinstance(settle, str) or not isinstance(settle, list | tuple) or len(settle) != 2:
        raise InputError(f"settle is {settle!r}; give 'first', or two {plural(say.who)}")
    a, b = (number_in(ratings.problem, name) for name in settle)
    if a == b:
        raise InputError(f"settle names {settle[0]!r} twice; give two {plural(say.who)}")
    names = [spoken(name) for name in ratings.problem.names]
    apart = ratings.solution.components[a] != ratings.solution.components[b]
    told = f"Nothing compares {names[a]} and {names[b]} now."
    if not apart:
        told = say.difference(
            names[a], names[b], float(ratings.solution.x[a] - ratings.solution.x[b])
        )
    return Goal(((a, b),), f"the difference of {names[a]} and {names[b]}", f"{told.rstrip('.')}.")


def _first_place(ratings: Fit) -> Goal:
    """Ask who is first in the largest group: the leader, or somebody else who may be."""
    order = [int(i) for i in list_order(ratings) if ratings.solution.components[i] == 0]
    leader, rest = order[0], order[1:]
    request, rivals = IntervalRequest(), rest[:1]
    if are_possible(ratings, request):
        may = find_intervals(ratings, request).is_tied_for_first
        rivals = [i for i in rest if may[i]]
    first = spoken(ratings.problem.names[leader])
    if not rivals:
        return Goal((), "", f"The first place is settled: none but {first} may have it.")
    others = "1 other" if len(rivals) == 1 else f"{len(rivals)} others"
    return Goal(
        tuple((leader, i) for i in rivals),
        "the differences that decide the first place",
        f"{first} leads, and {others} may be first.",
    )


def best_pair(design: Design, goal: Goal, label: Index) -> tuple[list[int], float] | None:
    """Return the comparison that settles most, and the share of the variance that it removes."""
    images = np.stack([design.image(a, b) for a, b in goal.pairs], axis=1)
    total = sum(images[a, r] - images[b, r] for r, (a, b) in enumerate(goal.pairs))
    near = _nearest(images, label == label[goal.pairs[0][0]])
    gain = _gains(design, images[near], near)
    if not len(near) or gain.max(initial=0.0) <= 1e-12 * total:
        return None
    i, j = (int(near[k]) for k in divmod(int(gain.argmax()), len(near)))
    return sorted([i, j]), float(gain.max() / total)


def _nearest(images: Floats, allowed: Any) -> Offsets:
    """Return the candidates of a group whom the question moves most, in their order."""
    members = np.flatnonzero(allowed)
    size = np.abs(images[members]).max(axis=1)
    return np.sort(members[np.argsort(-size, kind="stable")[:NEAR]])


def _gains(design: Design, images: Floats, near: Offsets) -> Floats:
    """Return the gain of each pair, in steps so that rounding ranks none."""
    far = sum((images[:, r, None] - images[None, :, r]) ** 2 for r in range(images.shape[1]))
    gain = design.weight * far / (1 + design.weight * design.resistances(near))
    scale = float(np.max(gain, initial=0.0)) or 1.0
    return np.asarray(np.triu(np.rint(gain / scale * 1e9), 1) * scale / 1e9)
