"""Names get numbers in order of first mention, block by block, from where they stand in the bytes.

The arrays are described in :mod:`qrja.tables._kernels_names`.
"""

from __future__ import annotations

from unicodedata import is_normalized

import numpy as np
from numpy.typing import NDArray

from qrja.data import Index
from qrja.tables._kernels_names import Names, fill_slots, number_fields

AHEAD = 256
"""How many names are looked up at once."""


def bytes_and_words(size: int) -> tuple[NDArray[np.uint8], NDArray[np.uint64]]:
    """Make room for bytes, and see them as words: the eight bytes from each of them on.

    Examples
    --------
    >>> data, words = bytes_and_words(2)
    >>> data[:] = 1, 2
    >>> words.tolist()
    [513, 2]
    """
    room = bytearray(size + 8)
    data = np.frombuffer(room, np.uint8)[:size]
    return data, np.ndarray(size, "<u8", room, strides=(1,))


class NameTable:
    """Distinct names and their numbers."""

    def __init__(self) -> None:
        self._table = Names(
            slots=np.zeros((1 << 12, 2), dtype=np.uint64),
            known=np.empty((0, 2), dtype=np.uint64),
            letters=np.empty(0, dtype=np.uint8),
            spelled=np.empty(0, dtype=np.uint64),
            sizes=np.zeros(2, dtype=np.int64),
        )
        self._ahead = np.empty((AHEAD, 3), dtype=np.uint64)

    def number(self, data: NDArray[np.uint8], words: NDArray[np.uint64], spans: Index) -> Index:
        """Give the names between ``spans`` numbers."""
        numbers = np.empty(len(spans), dtype=np.int32)
        self._make_room(len(spans), len(data))
        number_fields(data, words, spans, numbers, self._table, self._ahead)
        return numbers

    def _make_room(self, names: int, letters: int) -> None:
        """Make room for so many more names, of so many letters together."""
        count, used = self._table.sizes.tolist()
        table = self._table._asdict()
        if count + names > len(self._table.known):
            table["known"] = np.empty((2 * count + names, 2), dtype=np.uint64)
            table["known"][:count] = self._table.known[:count]
        if used + letters + names > len(self._table.letters):
            table["letters"], table["spelled"] = bytes_and_words(2 * used + letters + names)
            table["letters"][:used] = self._table.letters[:used]
        if 3 * (count + names) > 2 * len(self._table.slots):
            slots = 1 << (3 * (count + names) // 2).bit_length()
            table["slots"] = np.zeros((slots, 2), dtype=np.uint64)
            fill_slots(self._table.known[:count], table["slots"])
        self._table = Names(**table)

    def names(self) -> tuple[str, ...] | None:
        """List the names; None if one has blanks at its ends or accents of another kind."""
        letters = self._table.letters[: self._table.sizes[1]].tobytes()
        if letters.startswith(b" ") or b" \n" in letters or b"\n " in letters:
            return None
        names = tuple(letters.decode().split("\n")[:-1])
        return names if letters.isascii() or all(map(_is_tidy, names)) else None


def _is_tidy(name: str) -> bool:
    return name == name.strip() and is_normalized("NFC", name)
