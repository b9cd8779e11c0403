"""The docket: which two items a judge is asked about next.

    the pair with the largest gain, see :mod:`~qrja.league.panels.certainty`

of those that the judge has not judged, counting on what other judges look at just now. Of the pairs
that gain almost as much as the best, the one whose items were asked about least is taken, and
chance decides between equals: judges who ask at the same time get different pairs.

Every judge sees some of their pairs again, later and with sides swapped (see
:mod:`~qrja.league.panels.repeats`). Pairs that a judge could not tell are left alone for a while.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from qrja.league.panels.ballots import Ballot
from qrja.league.panels.certainty import Certainty
from qrja.league.panels.items import Item

ALMOST = 0.9
"""Of the best gain: pairs that gain as much are equally good, and load decides."""
LATER = 5
"""Ballots between a pair and its repetition, so that it is not remembered."""
PAUSE = 20
"""Ballots for which a pair that a judge could not tell is not asked again."""


@dataclass(frozen=True)
class NextPair:
    """Two items to compare.

    Parameters
    ----------
    a, b : str
        On the left, or above; and the other.
    repeats : str or None
        The ballot that is asked for again.
    """

    a: str
    b: str
    repeats: str | None = None


def choose_pair(
    items: Mapping[str, Item],
    judge: str,
    own: Sequence[Ballot],
    compared: Iterable[tuple[str, str]],
    rng: np.random.Generator,
    *,
    repeats: float = 0.0,
    known: Certainty | None = None,
) -> NextPair | None:
    """Choose what a judge is asked next; nothing if they have judged all there is.

    Parameters
    ----------
    items : mapping
        All items, by name.
    judge : str
        Who asks.
    own : sequence of Ballot
        What they said so far, in its order.
    compared : iterable of pairs
        What anybody compared, and what other judges look at just now.
    rng : numpy.random.Generator
        Decides between equals.
    repeats : float
        The share of ballots that are asked for again.
    known : Certainty, optional
        That of an earlier call, which follows what came since instead of beginning anew.

    Examples
    --------
    >>> items = {name: Item(name) for name in ("tea", "milk", "gin")}
    >>> pair = choose_pair(items, "Ann", [], [("tea", "milk")], np.random.default_rng(0))
    >>> "gin" in (pair.a, pair.b)
    True
    """
    asked = {one.name for one in items.values() if not one.retired and one.owner != judge}
    again = _find_repeat(own, asked, repeats)
    if again is not None:
        return NextPair(again.b, again.a, again.key)
    certainty = known if known is not None else Certainty()
    certainty.follow([one.name for one in items.values() if not one.retired], compared)
    allowed = certainty.allow(asked, _closed(own))
    if not allowed.any():
        return None
    gain = np.where(allowed, certainty.gains(), 0.0)
    good = np.argwhere(gain >= ALMOST * gain.max())
    load = certainty.load[good].sum(axis=1)
    i, j = rng.permutation(rng.choice(good[load == load.min()]))
    return NextPair(certainty.names[i], certainty.names[j])


def _find_repeat(own: Sequence[Ballot], asked: set[str], share: float) -> Ballot | None:
    """Return the first ballot that is to be repeated, if one is due."""
    given = [one for one in own if one.y is not None]
    seen: dict[frozenset[str], int] = {}
    for one in given:
        seen[one.pair] = seen.get(one.pair, 0) + 1
    if len(given) - len(seen) >= int(share * len(given) + 1e-9):
        return None
    old = given[:-LATER]
    return next((one for one in old if seen[one.pair] == 1 and one.pair <= asked), None)


def _closed(own: Sequence[Ballot]) -> set[frozenset[str]]:
    """Return the pairs that a judge is not asked about: judged, or passed not long ago."""
    recent = len(own) - PAUSE
    return {one.pair for at, one in enumerate(own) if one.y is not None or at >= recent}
