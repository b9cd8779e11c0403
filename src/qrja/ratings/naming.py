"""Names: find a contestant by name, or offer the nearest ones."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from difflib import get_close_matches

from qrja.errors import InputError


def number_of(names: Sequence[Hashable], name: Hashable) -> int:
    """Return the number of a contestant; the text of a label does for the label itself.

    Examples
    --------
    >>> number_of(("Alice", 7), "7")
    1
    >>> number_of(("Alice", "Bob"), "alice")
    Traceback (most recent call last):
    qrja.errors.InputError: no contestant 'alice'; did you mean 'Alice'?
    >>> number_of(("Alice", "Bob"), "Alise")
    Traceback (most recent call last):
    qrja.errors.InputError: no contestant 'Alise'; did you mean 'Alice'?
    """
    try:
        return names.index(name)
    except ValueError:
        same = [number for number, known in enumerate(names) if str(known) == str(name)]
    if len(same) == 1:
        return same[0]
    raise InputError(f"no contestant {name!r}{_hint(names, str(name))}")


def _hint(names: Sequence[Hashable], word: str) -> str:
    by_folded = {str(name).casefold(): name for name in names}
    if word.casefold() in by_folded:
        return f"; did you mean {by_folded[word.casefold()]!r}?"
    close = get_close_matches(word.casefold(), list(by_folded), n=3, cutoff=0.7)
    # Short names have few letters in common: the nearest one will do.
    close = close or get_close_matches(word.casefold(), list(by_folded), n=1, cutoff=0.6)
    close += [folded for folded in by_folded if word.casefold() in folded.split()]
    offered = [repr(by_folded[folded]) for folded in dict.fromkeys(close)][:3]
    if offered:
        return f"; did you mean {' or '.join(offered)}?"
    some = ", ".join(str(name) for name in names[:3])
    return f"; there are {len(names)}, such as {some}" if names else "; there are none"


def listed(words: Sequence[object]) -> str:
    """Write a list as in a sentence.

    Examples
    --------
    >>> listed(["Boston"]), listed(["Boston", "New York", "Chicago"])
    ('Boston', 'Boston, New York and Chicago')
    """
    texts = [str(word) for word in words]
    if len(texts) < 2:
        return "".join(texts)
    return f"{', '.join(texts[:-1])} and {texts[-1]}"
