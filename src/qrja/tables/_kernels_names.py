"""Compiled: names become numbers, looked up in a table of hashes with linear probing.

Names are hashed and compared as words, the eight bytes from a position on as one integer: the array
of all words overlaps itself and has one for every byte. The first byte of a word is its lowest, as
in all but a few processors of today.

A slot of the table holds two integers, side by side so that memory is waited for once: the upper
half of a hash and, in the lower half, 1 + the number of the name, or 0 if the slot is empty; and
where the name stands among the letters of all, each followed by a newline.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from qrja.jit import Bool, Int, Table, inner, kernel, threaded, tiny

_MIX = np.uint64(0x9E3779B97F4A7C15)
"""An odd number whose bits are in no order: 2^64 divided by the golden ratio."""
_HALF, _LOWER = np.uint64(32), np.uint64(0xFFFFFFFF)
_ONE, _NEWLINE = np.uint64(1), np.uint64(10)


class Names(NamedTuple):
    """A table of names: its slots, and what they speak of."""

    slots: Table
    known: Table
    """The hash and the place of each name."""
    letters: Table
    spelled: Table
    """The words that begin with the letters."""
    sizes: Table
    """How many names there are, and how many letters."""


@threaded
def number_fields(
    data: Table, words: Table, spans: Table, numbers: Table, names: Names, ahead: Table
) -> None:
    """Give fields numbers in order of first mention; names that are new enter the table.

    The first slots of several fields are read, then their letters, then the rest is settled one by
    one: memory is slow, but can be waited for at several places at once.

    Parameters
    ----------
    data, words : array
        The bytes, and the words that begin with them.
    spans : array of int
        Where each field begins and ends.
    numbers : array of int32
        Receives the number of each field.
    names : Names
        A table with room for all of them.
    ahead : array of uint64
        Receives the hash and the first slot of several fields.
    """
    mask = np.uint64(len(names.slots) - 1)
    for top in range(0, len(numbers), len(ahead)):
        count = min(len(ahead), len(numbers) - top)
        for i in range(count):
            value = hash_name(words, spans[top + i, 0], spans[top + i, 1])
            slot = value & mask
            ahead[i, 0], ahead[i, 1] = value, names.slots[slot, 0]
            ahead[i, 2] = names.slots[slot, 1]
        for i in range(count):
            begin, end = spans[top + i, 0], spans[top + i, 1]
            value, found, place = ahead[i, 0], ahead[i, 1], ahead[i, 2]
            known = is_marked(found, value) and is_same(words, begin, end, names.spelled, place)
            numbers[top + i] = number_of(found) if known else -1
        for i in range(count):
            if numbers[top + i] < 0:
                begin, end = spans[top + i, 0], spans[top + i, 1]
                numbers[top + i] = look_up(data, words, begin, end, ahead[i, 0], names)


@inner
def look_up(data: Table, words: Table, begin: Int, end: Int, value: Int, names: Names) -> Int:
    """Return the number of a field, after entering it if it is new."""
    mask = np.uint64(len(names.slots) - 1)
    slot = value & mask
    while names.slots[slot, 0] != 0:
        found, place = names.slots[slot, 0], names.slots[slot, 1]
        if is_marked(found, value) and is_same(words, begin, end, names.spelled, place):
            return number_of(found)
        slot = (slot + _ONE) & mask
    number, place = names.sizes[0], names.sizes[1]
    names.known[number, 0], names.known[number, 1] = value, place
    enter(names.slots, slot, names.known, number)
    for at in range(begin, end):
        names.letters[place + at - begin] = data[at]
    names.letters[place + end - begin] = 10
    names.sizes[0], names.sizes[1] = number + 1, place + end - begin + 1
    return number


@tiny
def is_marked(found: Int, value: Int) -> Bool:
    """Tell whether a slot may be that of a hash; an empty one is of none."""
    return found != 0 and (found ^ value) >> _HALF == 0


@tiny
def number_of(found: Int) -> Int:
    """Return the number in a slot."""
    return np.int64(found & _LOWER) - 1


@tiny
def first_bytes(word: Int, count: Int) -> Int:
    """Keep the first bytes of a word, 1 to 8 of them."""
    return (word << np.uint64(64 - 8 * count)) >> np.uint64(64 - 8 * count)


@tiny
def hash_name(words: Table, begin: Int, end: Int) -> Int:
    """Mix the words of a name, each into all that came before; a product mixes upwards only."""
    value = _MIX
    at = begin
    while at + 8 <= end:
        value = (value ^ words[at]) * _MIX
        value ^= value >> _HALF
        at += 8
    if at < end:
        value = (value ^ first_bytes(words[at], end - at)) * _MIX
        value ^= value >> _HALF
    value *= _MIX
    return value ^ (value >> _HALF)


@tiny
def is_same(words: Table, begin: Int, end: Int, spelled: Table, place: Int) -> Bool:
    """Compare a field with the name at a place among the letters, newline included."""
    at, other = np.int64(begin), np.int64(place)
    while at + 8 <= end:
        if words[at] != spelled[other]:
            return False
        at, other = at + 8, other + 8
    rest = end - at
    written = _NEWLINE << np.uint64(8 * rest)
    if rest > 0:
        written |= first_bytes(words[at], rest)
    return first_bytes(spelled[other], rest + 1) == written


@tiny
def enter(slots: Table, slot: Int, known: Table, number: Int) -> None:
    """Write a name into an empty slot."""
    slots[slot, 0] = ((known[number, 0] >> _HALF) << _HALF) | np.uint64(number + 1)
    slots[slot, 1] = known[number, 1]


@kernel
def fill_slots(known: Table, slots: Table) -> None:
    """Enter the names of a table into slots that are empty."""
    mask = np.uint64(len(slots) - 1)
    for number in range(len(known)):
        slot = known[number, 0] & mask
        while slots[slot, 0] != 0:
            slot = (slot + _ONE) & mask
        enter(slots, slot, known, number)
