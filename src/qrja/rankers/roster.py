"""Roster: the rankers by name, what each is, and how one is made from its name.

A kind of ranker is a class; some have a number in their name. Classes are imported when one is
made, so that whoever wants the names alone does not load what all of them need.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from qrja.errors import InputError, nearest
from qrja.rankers.protocol import Ranker
from qrja.rules import Rules, find_rules

Options = Callable[[re.Match[str]], dict[str, Any]]


@dataclass(frozen=True)
class Kind:
    """A kind of ranker.

    Parameters
    ----------
    module, maker : str
        Where in :mod:`qrja.rankers` its class stands, and what it is called.
    listed : dict
        The names under which it is listed, and what each is.
    pattern : str
        What all its names look like; by default the one that is listed.
    options : callable
        Reads the arguments of the class out of a name.
    judged : bool
        Whether it learns judgments too, see :class:`qrja.rankers.Batched`.
    """

    module: str
    maker: str
    listed: Mapping[str, str]
    pattern: str = ""
    options: Options = lambda found: {}
    judged: bool = False

    def match(self, name: str) -> re.Match[str] | None:
        """Tell whether a name is one of this kind."""
        return re.fullmatch(self.pattern or "|".join(self.listed), name)

    def load(self) -> type:
        """Import the class."""
        found: type = getattr(import_module(f"qrja.rankers.{self.module}"), self.maker)
        return found


KINDS = (
    Kind(
        "least_absolute",
        "LeastAbsolute",
        {"qrja-l1": "QRJA with absolute errors of the margins"},
        r"qrja-(?:l1|p0*1(?:\.0*)?)",
        judged=True,
    ),
    Kind(
        "refitted",
        "PowerQRJA",
        {
            "qrja-l2": "QRJA with squared errors of the margins",
            "qrja-p1.5": (
                "QRJA with errors to the power 1.5; any positive number may follow qrja-p, or inf"
            ),
        },
        r"qrja-(?:l(?=2$)|p)(\d+\.?\d*|\.\d+|inf)",
        lambda found: {"p": float(found[1])},
        judged=True,
    ),
    Kind(
        "refitted",
        "HuberQRJA",
        {"qrja-huber": "QRJA with squared small and absolute large errors"},
        judged=True,
    ),
    Kind(
        "auto",
        "Auto",
        {
            "qrja-auto": (
                "QRJA whose half-lives, ridge and reading of scores are those that predicted best"
            )
        },
    ),
    Kind("averages", "Mean", {"mean": "mean of a contestant's scores"}),
    Kind("averages", "Median", {"median": "median of a contestant's scores"}),
    Kind(
        "averages",
        "MeanMargin",
        {"mean-margin": "mean of a contestant's margins over the others of a contest"},
        judged=True,
    ),
    Kind("borda", "Borda", {"borda": "points for places, added up"}),
    Kind(
        "kemeny",
        "KemenyYoung",
        {"kemeny-young": "the order of the field that reverses the fewest wins"},
    ),
    Kind(
        "factorization",
        "LowRank",
        {
            "mf-rank1": (
                "matrix factorisation of rank 1; any rank may follow mf-rank, and -converged it"
            ),
            "mf-rank2": "matrix factorisation of rank 2",
            "mf-rank5": "matrix factorisation of rank 5",
        },
        r"mf-rank(\d+)(-converged)?",
        lambda found: {"rank": int(found[1]), "converged": found[2] is not None},
    ),
    Kind(
        "factorization",
        "Additive",
        {"mf-additive": "a number per contest plus a number per contestant"},
    ),
    Kind("averages", "Zero", {"zero": "no difference between any two"}, judged=True),
    Kind("elo", "Elo", {"elo": "Elo ratings, every pair of a contest being a match"}, judged=True),
    Kind(
        "moving",
        "MarginElo",
        {"margin-elo": "Elo by margins, with home and what a pause leaves of a rating"},
    ),
    Kind("moving", "Glicko", {"glicko": "Glicko-2 ratings: wins, an uncertainty and home"}),
    Kind(
        "moving",
        "Kalman",
        {"kalman": "strengths that move, with all covariances, home and other covariates"},
    ),
    Kind(
        "bradley_terry",
        "BradleyTerry",
        {"bradley-terry": "the strengths that make the wins of every pair most likely"},
        judged=True,
    ),
    Kind(
        "openskill",
        "OpenSkill",
        {"openskill": "Bayesian skills of the package openskill, extra 'rivals'"},
    ),
    Kind(
        "plackett_luce",
        "PlackettLuce",
        {"plackett-luce": "the strengths that make the orders seen most likely"},
    ),
)
"""The one table of rankers; a new ranker is a row of it."""

RANKERS = {name: says for kind in KINDS for name, says in kind.listed.items()}
"""The rankers by name, and what each is."""


def check_judged(name: str) -> None:
    """Check that a ranker learns judgments, or say which do.

    Examples
    --------
    >>> check_judged("borda")
    Traceback (most recent call last):
    qrja.errors.InputError: ranker 'borda' is for contests, and these are judgments; choose from
    qrja-l1, qrja-l2, qrja-p1.5, qrja-huber, mean-margin, zero, elo, bradley-terry
    """
    if not any(kind.judged and kind.match(name) for kind in KINDS):
        others = (other for kind in KINDS if kind.judged for other in kind.listed)
        raise InputError(
            f"ranker {name!r} is for contests, and these are judgments; choose from"
            f" {', '.join(others)}"
        )


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
    chosen = find_rules(rules)
    if not isinstance(name, str):
        raise InputError(f"the ranker is {name!r}; give a name, such as 'qrja-l2'")
    for kind in KINDS:
        if found := kind.match(name):
            ranker: Ranker = chosen.instead_of(kind.load())(**kind.options(found))
            return ranker
    hint = nearest(name, RANKERS) or f"; choose from {', '.join(RANKERS)}"
    raise InputError(f"no ranker is called {name!r}{hint}")
