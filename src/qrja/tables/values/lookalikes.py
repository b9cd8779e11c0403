"""Names that look alike: the same letters, but for capitals, accents, blanks, marks or their order.

``Kowalski,Luís``, ``kowalski, luis`` and ``Luis Kowalski`` are probably one person, and split in
three they are three contestants with a third of the results each. So are ``Jürgen Groß`` and
``Juergen Gross``: where a keyboard has no such letters, two others are written.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Hashable, Sequence

from qrja.speech import Sentence, chained, joined
from qrja.tables.values.missing_words import folded

MOST = 100_000
"""Names that are looked at; of more, looking takes seconds."""
JOINING = Sentence("--aliases alike reads each as one, and --aliases FILE those it lists")
"""What to do where they are the same."""
_BETWEEN_DIGITS = re.compile(r"(?<=\d)[^\w]+(?=\d)")
_WORD = re.compile(r"[^\W_]+")
_WRITTEN_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "æ": "ae", "å": "aa"})


def find_lookalikes(names: Sequence[Hashable]) -> list[list[str]]:
    """Return groups of names that look alike, in order of appearance.

    Examples
    --------
    >>> find_lookalikes(["Li, Zoë", "Ann", "li,zoe", "Zoe Li", "gpt-4.1", "gpt-41"])
    [['Li, Zoë', 'li,zoe', 'Zoe Li']]
    >>> find_lookalikes(["Jörg Müller", "Joerg Mueller", "Jorg Muller"])
    [['Jörg Müller', 'Joerg Mueller', 'Jorg Muller']]
    """
    if len(names) > MOST:
        return []
    texts = [name for name in names if isinstance(name, str)]
    first: dict[tuple[str, ...], int] = {}
    group: dict[int, list[str]] = {}
    for at, text in enumerate(texts):
        keys = _keys(text)
        home = min((first[key] for key in keys if key in first), default=at)
        for key in keys:
            first.setdefault(key, home)
        group.setdefault(home, []).append(text)
    return [alike for alike in group.values() if len(alike) > 1]


def _keys(text: str) -> list[tuple[str, ...]]:
    """Return the letters as they stand, and the words in any order; with umlauts, both ways."""
    # A number keeps its parts: version 4.1 is not 41.
    small = _BETWEEN_DIGITS.sub("ₓ", unicodedata.normalize("NFC", text).casefold())
    keys: list[tuple[str, ...]] = []
    ways = (small,) if small.isascii() else (small, small.translate(_WRITTEN_OUT))
    for written in dict.fromkeys(ways):
        words = _WORD.findall(folded(written))
        keys += [("".join(words),)] if words else []
        keys += [("", *sorted(words))] if len(words) > 1 else []
    return keys or [(text,)]


def list_lookalikes(groups: list[list[str]], names: int, most: int = 3) -> Sentence:
    """Say which of so many names look alike.

    Examples
    --------
    >>> list_lookalikes([["Ann", "ann"]], 3)
    "2 of 3 names look like another: 'Ann' and 'ann'"
    """
    shown = [chained([repr(name) for name in alike]) for alike in groups[:most]]
    if len(groups) > most:
        shown.append(Sentence("and {more} more", more=len(groups) - most))
    return Sentence(
        "{alike:,} of {names:,} names look like another: {shown}",
        alike=sum(map(len, groups)),
        names=names,
        shown=joined("; ", shown),
    )


def tell_lookalikes(names: Sequence[Hashable]) -> str:
    """Say which names look alike, and what to do; nothing if there are none.

    Examples
    --------
    >>> print(tell_lookalikes(["Ann", "ann", "Bob"]))
    2 of 3 names look like another: 'Ann' and 'ann'; if they are, --aliases alike reads ...
    """
    groups = find_lookalikes(names)
    if not groups:
        return ""
    alike = list_lookalikes(groups, len(names))
    return Sentence("{alike}; if they are, {joining}", alike=alike, joining=JOINING)
