"""One verdict: words that say which of two is better, and how clearly.

``A>>B``, ``B is slightly better``, ``much worse`` and ``tie`` are a sign and a strength.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_A = {"a", "1", "left", "first", "home"}
_B = {"b", "2", "right", "second", "away"}
_SIDES = dict.fromkeys(_A, 1) | dict.fromkeys(_B, -1)
_TIES = {"tie", "tied", "ties", "draw", "drawn", "equal", "equals", "same", "even", "similar"}
_TIES |= {"neither", "both", "none of both", "no preference", "no difference", "equally good"}
_TIES |= {"about the same", "tie both bad", "both bad", "both good", "equally bad", "undecided"}
_BETTER = {"better", "win", "won", "wins"}
_WORSE = {"worse", "loss", "lost", "lose", "loses"}
_STRONG = {"much", "far", "significantly", "strongly", "clearly", "considerably", "greatly", "lot"}
_WEAK = {"slightly", "somewhat", "marginally", "weakly", "bit", "little", "barely"}
_EMPTY = {"is", "are", "the", "than", "prefer", "prefers", "preferred", "model", "response", "i"}
_EMPTY |= {"assistant", "answer", "option", "item", "candidate", "system", "output", "side", "of"}
_ARROW = re.compile(r"(\w+)\s*(>{1,3}|<{1,3}|={1,2}|~|≈|≫|≪)\s*(\w+)")
_WORDS = re.compile(r"[^\W_]+")
_DOUBLE = {"≫": ">>", "≪": "<<"}


@dataclass(frozen=True)
class Preference:
    """Who wins, 1 for a, -1 for b, 0 for neither; and how clearly, the more the clearer."""

    sign: int
    strength: int = 0


def read_verdict(text: str) -> Preference | None:
    """Read one verdict; None if it is none.

    Examples
    --------
    >>> read_verdict("[[A>>B]]"), read_verdict("model_b")
    (Preference(sign=1, strength=2), Preference(sign=-1, strength=2))
    >>> read_verdict("B is slightly better"), read_verdict("much worse")
    (Preference(sign=-1, strength=1), Preference(sign=-1, strength=3))
    >>> read_verdict("tie (bothbad)"), read_verdict("Ann")
    (Preference(sign=0, strength=0), None)
    """
    folded = text.casefold().strip(" []()'\"")
    arrow = _ARROW.fullmatch(folded)
    if arrow is not None:
        return _read_arrow(*arrow.groups())
    words = _WORDS.findall(_spaced(folded))
    if " ".join(words) in _TIES or (words and words[0] in {"tie", "draw"}):
        return Preference(0)
    return _read_words([word for word in words if word not in _EMPTY])


def _spaced(text: str) -> str:
    """Take words apart that are written as one: ``bothbad``, ``modelA``."""
    text = text.replace("bothbad", "both bad").replace("bothgood", "both good")
    named = r"\b(model|response|assistant|option|answer|player|team)([ab12])\b"
    return re.sub(named, r"\1 \2", text)


def _read_arrow(one: str, mark: str, other: str) -> Preference | None:
    left, right = (_side(_spaced(text)) for text in (one, other))
    if left + right or not left:
        return None
    mark = _DOUBLE.get(mark, mark)
    if mark[0] in "=~≈":
        return Preference(0)
    return Preference(left if mark[0] == ">" else right, len(mark))


def _side(text: str) -> int:
    words = [word for word in _WORDS.findall(text) if word not in _EMPTY]
    return _SIDES.get(words[0], 0) if len(words) == 1 else 0


def _read_words(words: list[str]) -> Preference | None:
    """Read a side, or better or worse of the first, and how clearly."""
    told = set(words)
    sides = [_SIDES[word] for word in words if word in _SIDES]
    if not told & (_BETTER | _WORSE) and not sides:
        return None
    if told - _SIDES.keys() - _BETTER - _WORSE - _STRONG - _WEAK:
        return None
    strength = 3 if told & _STRONG else 1 if told & _WEAK else 2
    return Preference((sides[0] if sides else 1) * (-1 if told & _WORSE else 1), strength)
