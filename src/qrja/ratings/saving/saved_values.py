"""Numbers and words of a saved file, checked: each has its kind, its range, and is finite."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any

from qrja.errors import InputError
from qrja.letters import cut


def written(value: Any) -> Any:
    """Write a number; JSON has no infinity.

    Examples
    --------
    >>> written(float("inf")), checked_number("inf", "p", infinite=True)
    ('inf', inf)
    """
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def checked_number(
    told: Any, what: str, *, infinite: bool = False, least: float = -math.inf
) -> float:
    """Read a number; those that JSON does not know are texts.

    Examples
    --------
    >>> checked_number(None, "gap")
    Traceback (most recent call last):
    qrja.errors.InputError: gap is None, which is no number
    """
    if infinite and told in ("inf", "-inf"):
        told = float(told)
    if isinstance(told, bool) or not isinstance(told, int | float):
        raise _wrong(told, what, "no number")
    try:
        number = float(told)
    except OverflowError:
        number = math.nan
    if not (math.isfinite(number) or (infinite and math.isinf(number))) or number < least:
        raise _wrong(told, what, "out of its range")
    return number


def checked_count(told: Any, what: str, most: int = 2**63) -> int:
    """Read a whole number of 0 or more."""
    if isinstance(told, bool) or not isinstance(told, int) or not 0 <= told <= most:
        raise _wrong(told, what, f"no whole number up to {most}")
    return told


def checked_text(told: Any, what: str) -> str:
    """Read a text; one that no file can hold is none."""
    if not isinstance(told, str):
        raise _wrong(told, what, "no text")
    try:
        told.encode()
    except UnicodeEncodeError:
        raise _wrong(told, what, "no text") from None
    return told


def checked_word(told: Any, what: str, among: Collection[Any]) -> Any:
    """Read one of some words."""
    if isinstance(told, list | dict) or told not in among:
        raise _wrong(told, what, f"none of {', '.join(map(str, among))}")
    return told


def checked_fields(told: Any, what: str, fields: Collection[str]) -> dict[str, Any]:
    """Read an object that has these fields, and perhaps others that a later program wrote."""
    if not isinstance(told, dict):
        raise _wrong(told, what, "no object")
    for name in fields:
        if name not in told:
            raise InputError(f"{what} has no {name}")
    return told


def checked_rows(told: Any, what: str, width: int) -> list[Any]:
    """Read a list of lists, all of one length."""
    if not isinstance(told, list) or any(not isinstance(r, list) or len(r) != width for r in told):
        raise _wrong(told, what, f"no list of lists of {width}")
    return told


def _wrong(told: Any, what: str, why: str) -> InputError:
    return InputError(f"{what} is {cut(repr(told), 40)}, which is {why}")
