"""Two compared, for a page: why one is rated above the other, piece by piece.

difference = sum of what each contest brings + what no contest explains
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from qrja.data import Judgments
from qrja.errors import QRJAError
from qrja.plurals import count
from qrja.ratings import Explanation, Ratings, Wording, chance
from qrja.serve.live import Live

PARTS, LINKS = 6, 8
"""Contests told one by one, and links of a chain that are drawn; longer chains are told."""


def compare_two(live: Live, a: str, b: str) -> dict[str, Any]:
    """Return what a page says of two contestants: the chance, and why."""
    rated = live.rated()
    why = rated.value.explain(*(live.league.last_state.called(name) for name in (a, b)))
    told = lay_out(why, _namer(rated.value))
    return told | _chances(live, a, b) | {"as_of": rated.event}


def _namer(ratings: Ratings) -> Callable[[Hashable], str]:
    """Return what names a contest, or a judgment: by whom it compares, its topic and judge."""
    say, data = Wording(ratings.units, ratings.problem.nouns), ratings.data
    if not isinstance(data, Judgments):
        return say.called

    labels = data.labels

    def named(label: Hashable) -> str:
        i = labels.index(label)
        told = f"{data.names[data.a[i]]} against {data.names[data.b[i]]}"
        told += "" if data.topic is None else f", {data.topics[data.topic[i]]}"
        return told if data.judge is None else f"{told}, by {data.judges[data.judge[i]]}"

    return named


def _chances(live: Live, a: str, b: str) -> dict[str, str | None]:
    """Return how probable it is that one wins, and that they tie where ties come about."""
    try:
        found = live.predict([a, b]).prediction
    except QRJAError:
        return {"chance": None, "tie": None}  # there is too little to say one
    tie = chance(float(found.ties[0, 1])) if found.may_tie else None
    return {"chance": chance(float(found.win[0])), "tie": tie}


def lay_out(why: Explanation, named: Callable[[Hashable], str] | None = None) -> dict[str, Any]:
    """Return an explanation in pieces: its first sentence, a table, chains, its last sentences.

    Examples
    --------
    >>> import qrja
    >>> why = qrja.fit(qrja.datasets.marathons(example=2)).explain("Alice", "Charlie")
    >>> told = lay_out(why)
    >>> [(one["label"], one["amount"]) for one in told["parts"]]
    [('New York', '+480.0'), ('Chicago', '+480.0')]
    >>> told["chains"][0]["links"][1]
    {'name': 'Bob', 'margin': '+480.0', 'where': 'New York'}
    """
    named = named or Wording(why.units, why.nouns).called
    blocks = why.text().split("\n\n")
    drawn = bool(why.chains) and all(
        chain.role == "evidence" and len(chain.links) <= LINKS for chain in why.chains
    )
    return {
        "first": blocks[0].split("\n")[0],
        "parts": _parts(why, named),
        "chains": _chains(why, named) if drawn else [],
        "sentences": [line for text in blocks[1 + drawn :] for line in text.split("\n")],
    }


def _parts(why: Explanation, named: Callable[[Hashable], str]) -> list[dict[str, Any]]:
    say, every = Wording(why.units, why.nouns), why.contributions
    parts: list[dict[str, Any]] = [
        {
            "label": named(one.label),
            "contest": one.label if isinstance(one.label, str) else None,
            "amount": str(say.signed(one.amount)),
            "share": one.share,
        }
        for one in every[:PARTS]
    ]

    def more(label: str, amount: float) -> None:
        told = {"label": label, "contest": None, "amount": str(say.signed(amount)), "share": None}
        parts.append(told)

    if len(every) > PARTS:
        more(
            f"{count(len(every) - PARTS, f'other {say.word}')} together",
            float(every[PARTS:].amounts.sum()),
        )
    if not say.is_nothing(why.rest):
        more("the pull of a prior or anchors", why.rest)
    return parts


def _chains(why: Explanation, named: Callable[[Hashable], str]) -> list[dict[str, Any]]:
    say = Wording(why.units, why.nouns)
    return [
        {
            "share": chain.share,
            "total": str(say.signed(chain.total)),
            "links": [
                {"name": chain.links[0].a, "margin": None, "where": ""},
                *(
                    {
                        "name": link.b,
                        "margin": str(say.signed(link.margin)),
                        "where": named(link.labels[0])
                        if len(link.labels) == 1
                        else count(len(link.labels), say.word),
                    }
                    for link in chain.links
                ),
            ],
        }
        for chain in why.chains
    ]
