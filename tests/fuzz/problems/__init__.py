"""Problems of the solvers as plain data: rows, a loss, a ridge and anchors.

Read ``random`` (what is drawn), then ``exact`` (what is proved), then ``optima`` (who else says
so).

A case has either ``judgments``, rows (a, b, y, w), or ``contests``, rows (contest, who, score, w)
and ``pairs``; and ``loss``, a text such as ``"p=1.5"`` or ``"huber=2"``; and perhaps ``ridge``,
``prior`` and ``anchors``, the last two as pairs (name, value); and ``passes``, if its pairs are not
to be written out (``"swept"``: not even to be looked at; ``"written"``: contest by contest, by
the simplex of p = 1 in arrays).
"""

from __future__ import annotations

from typing import Any

import qrja
from fuzz.kind import Case

__all__ = ["arguments", "loss_name", "problem"]

LOSSES = {
    "huber": lambda x: qrja.losses.Huber(x),
    "logcosh": lambda x: qrja.losses.LogCosh(x),
    "insensitive": lambda x: qrja.losses.EpsilonInsensitive(x),
    "pinball": lambda x: qrja.losses.Pinball(x),
}


def problem(case: Case) -> qrja.Contests | qrja.Judgments:
    """Build the problem of a case."""
    if "judgments" in case:
        a, b, y, w = zip(*case["judgments"], strict=True)
        return qrja.Judgments.from_arrays(a, b, y, w)
    contest, who, score, w = zip(*case["contests"], strict=True)
    return qrja.Contests.from_arrays(contest, who, score, weight=w, pairs=case["pairs"])


def arguments(case: Case) -> dict[str, Any]:
    """Say how to solve it: the arguments of ``qrja.solve``."""
    name, value = case["loss"].split("=")
    told: dict[str, Any] = (
        {"p": float(value)} if name == "p" else {"loss": LOSSES[name](float(value))}
    )
    for option in ("prior", "anchors"):
        if case.get(option):
            told[option] = dict(case[option])
    return {**told, "ridge": case.get("ridge", 0.0)}


def loss_name(case: Case) -> str:
    """Name the loss for a category: p in words, the parameters of other losses left out.

    Examples
    --------
    >>> loss_name({"loss": "p=inf", "ridge": 1.0}), loss_name({"loss": "huber=2.5"})
    ('p = inf with ridge', 'huber')
    """
    name, value = case["loss"].split("=")
    told = f"p = {value}" if name == "p" else name
    return told + (" with ridge" if case.get("ridge") else "")
