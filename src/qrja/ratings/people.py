"""Find candidates by name, and say which names are close when there is none."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from difflib import get_close_matches

from qrja.errors import InputError


def find_person(names: Sequence[Hashable], name: Hashable) -> int:
    """Return the number of a candidate.

    Examples
    --------
    >>> find_person(("Alice", "Bob"), "Bob")
    1
    >>> find_person(("Alice", "Alicia", "Bob"), "alic")
    Traceback (most recent call last):
    qrja.errors.InputError: 'alic' is not a contestant; the nearest names are 'Alice', 'Alicia'
    """
    try:
        return names.index(name)
    except ValueError:
        raise InputError(f"{name!r} is not a contestant{nearest_names(name, names)}") from None


def nearest_names(name: Hashable, names: Sequence[Hashable]) -> str:
    """Return ``"; the nearest names are ..."``, or say how many there are if none is close."""
    by_folded = {str(known).casefold(): known for known in names}
    close = get_close_matches(str(name).casefold(), list(by_folded), n=3, cutoff=0.6)
    if not close:
        return f", nor is any of the {len(names)} names close to it"
    listed = ", ".join(repr(by_folded[match]) for match in close)
    return f"; the nearest name{'s are' if len(close) > 1 else ' is'} {listed}"
