"""Rankers: learn contests one by one, and score contestants for the next.

:func:`make_ranker` makes one from its name and a rule set; :data:`RANKERS` lists the names. A
ranker that is not among them needs the three members of :class:`Ranker` and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Protocol

from qrja.data import Contest, Floats, Index
from qrja.errors import InputError, nearest
from qrja.rankers.auto import Auto
from qrja.rankers.averages import Mean, Median, Zero
from qrja.rankers.borda import Borda
from qrja.rankers.elo import Elo
from qrja.rankers.factorization import Additive, LowRank
from qrja.rankers.kemeny import KemenyYoung
from qrja.rankers.least_absolute import LeastAbsolute
from qrja.rankers.openskill import OpenSkill
from qrja.rankers.plackett_luce import PlackettLuce
from qrja.rankers.qrja import HuberQRJA, PowerQRJA
from qrja.rules import Rules, check_rules

RANKERS = {
    "qrja-l1": "QRJA with absolute errors of the margins",
    "qrja-l2": "QRJA with squared errors of the margins",
    "qrja-p1.5": "QRJA with errors to the power 1.5; any positive number may follow qrja-p, or inf",
    "qrja-huber": "QRJA with squared small and absolute large errors",
    "qrja-auto": "QRJA whose half-lives, ridge and reading of scores are those that predicted best",
    "mean": "mean of a contestant's scores",
    "median": "median of a contestant's scores",
    "borda": "points for places, added up",
    "kemeny-young": "the order of the field that reverses the fewest wins",
    "mf-rank1": "matrix factorisation of rank 1; any rank may follow mf-rank, and -converged it",
    "mf-rank2": "matrix factorisation of rank 2",
    "mf-rank5": "matrix factorisation of rank 5",
    "mf-additive": "a number per contest plus a number per contestant",
    "zero": "no difference between any two",
    "elo": "Elo ratings, every pair of a contest being a match",
    "openskill": "Bayesian skills of the package openskill, extra 'rivals'",
    "plackett-luce": "the strengths that make the orders seen most likely",
}
"""The rankers by name, and what each is."""


class Ranker(Protocol):
    """What a back-test asks of a ranker.

    Rankers of this package also have a ``name`` and say by ``absolute`` whether their scores
    predict the scores of a contest themselves, or only differences and order. One that predicts
    order and margins by different scores has a method ``margins(who)`` for the latter.
    """

    @property
    def quantitative(self) -> bool:
        """Whether differences of scores are predictions of margins, or only order matters."""

    def learn(self, contest: Contest) -> None:
        """Take in a contest."""

    def scores(self, who: Index) -> Floats:
        """Return a score for each, bigger is better; NaN for those never seen."""


def make_ranker(name: str, rules: Rules = "fair") -> Ranker:
    """Make a ranker that has learned nothing.

    Parameters
    ----------
    name : str
        One of :data:`RANKERS`, or ``qrja-p<number>``, ``mf-rank<number>``,
        ``mf-rank<number>-converged``.
    rules : {"fair", "paper"}
        Whether to do what is best justified, or what the paper's experiments did.

    Examples
    --------
    >>> import numpy as np
    >>> from qrja import datasets
    >>> races = datasets.marathons()
    >>> ranker = make_ranker("qrja-l2")
    >>> for race in races:
    ...     ranker.learn(race)
    >>> dict(zip(races.names, ranker.scores(np.arange(3)).round().tolist()))
    {'Alice': 574.0, 'Bob': -34.0, 'Charlie': -540.0}
    >>> make_ranker("kemeny")
    Traceback (most recent call last):
    qrja.errors.InputError: no ranker is called 'kemeny'; did you mean 'kemeny-young'?
    """
    check_rules(rules)
    if not isinstance(name, str):
        raise InputError(f"the ranker is {name!r}; give a name, such as 'qrja-l2'")
    if power := POWER.fullmatch(name):
        p = float(power[1])
        return LeastAbsolute(rules) if p == 1 else PowerQRJA(p)
    if rank := RANK.fullmatch(name):
        return LowRank(int(rank[1]), rules=rules, converged=rank[2] is not None)
    if name not in MAKERS:
        hint = nearest(name, RANKERS) or f"; choose from {', '.join(RANKERS)}"
        raise InputError(f"no ranker is called {name!r}{hint}")
    return MAKERS[name](rules)


POWER = re.compile(r"qrja-(?:p|l(?=[12]$))(\d+\.?\d*|\.\d+|inf)")
RANK = re.compile(r"mf-rank(\d+)(-converged)?")

MAKERS: dict[str, Callable[[Rules], Ranker]] = {
    "qrja-auto": lambda _: Auto(),
    "qrja-huber": lambda _: HuberQRJA(),
    "mean": lambda _: Mean(),
    "median": Median,
    "borda": Borda,
    "kemeny-young": KemenyYoung,
    "mf-additive": lambda rules: Additive(rules=rules),
    "zero": lambda _: Zero(),
    "elo": lambda _: Elo(),
    "openskill": lambda _: OpenSkill(),
    "plackett-luce": lambda _: PlackettLuce(),
}
"""The rankers whose name has no number in it, and how to make one under a rule set."""
