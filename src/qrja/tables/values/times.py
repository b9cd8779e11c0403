"""Times: ``4:10:00``, ``3:59.4`` and ``1h02m03s`` are seconds.

``h:mm:ss`` and ``m:ss``, with a fraction after a point or a comma; the first part may be any
number, the later ones are below 60. A clock is parsed in SQL, the spelled form one by one.
"""

from __future__ import annotations

import re

from qrja.errors import InputError
from qrja.lazy import LazyPattern

_CLOCK = r"[+-]?\d+(:[0-5]\d){1,2}([.,]\d+)?"
_SPELLED = LazyPattern(
    r"(?P<sign>[+-]?)(?:(?P<h>\d+)\s*h)?\s*(?:(?P<m>\d+)\s*m(?:in)?)?"
    r"\s*(?:(?P<s>\d+(?:[.,]\d+)?)\s*s(?:ec)?)?",
    re.IGNORECASE,
)

_SECOND = r"(?P<s>[0-5]?\d(?:[.,]\d+)?)"
_FORMS = (
    _SPELLED,
    # 1h02'33", 62'33", 62'33''4 is not: what follows the mark may be tenths or hundredths
    LazyPattern(
        rf"(?P<sign>[+-]?)(?:(?P<h>\d+)\s*h\s*)?(?P<m>\d+)\s*['\u2019\u2032]\s*{_SECOND}"
        r"\s*(?:\"|''|\u2019\u2019|\u2033|\u201d)?",
        re.IGNORECASE,
    ),
    LazyPattern(rf"(?P<sign>[+-]?)(?P<h>\d{{1,2}})\.(?P<m>[0-5]\d)\.{_SECOND}"),
    LazyPattern(rf"(?P<sign>[+-]?)(?P<d>\d+) days?,? (?P<h>\d+):(?P<m>[0-5]\d):{_SECOND}"),
    LazyPattern(
        r"(?P<sign>[+-]?)P(?:(?P<d>\d+)D)?T(?:(?P<h>\d+)H)?(?:(?P<m>\d+)M)?"
        r"(?:(?P<s>\d+(?:[.,]\d+)?)S)?",
        re.IGNORECASE,
    ),
)
"""Other ways to write a time: with primes, with dots, with days, as ISO 8601 does."""


def clock_seconds(text: str) -> str:
    """Write SQL that turns a text into seconds, NULL if it is no clock time.

    Parameters
    ----------
    text : str
        SQL of the text.
    """
    bare = f"replace(ltrim({text}, '+-'), ',', '.')"
    first, second, third = (f"try_cast(split_part({bare}, ':', {k}) AS DOUBLE)" for k in (1, 2, 3))
    seconds = (
        f"CASE WHEN {text} LIKE '%:%:%' THEN {first} * 3600 + {second} * 60 + {third}"
        f" ELSE {first} * 60 + {second} END"
    )
    sign = f"CASE WHEN starts_with({text}, '-') THEN -1 ELSE 1 END"
    return f"CASE WHEN regexp_full_match({text}, '{_CLOCK}') THEN {sign} * ({seconds}) END"


def clock_time(text: str) -> float | None:
    """Read one clock time; None if it is not one. The slow twin of :func:`clock_seconds`.

    Examples
    --------
    >>> clock_time("4:10:00"), clock_time("3:59.4"), clock_time("-0:05"), clock_time("3:75")
    (15000.0, 239.4, -5.0, None)
    """
    if re.fullmatch(_CLOCK, text, re.ASCII) is None:
        return None
    seconds = 0.0
    for part in text.lstrip("+-").replace(",", ".").split(":"):
        seconds = seconds * 60 + float(part)
    return -seconds if text.startswith("-") else seconds


def time_score(text: str) -> float:
    """Read a clock time as a score: sooner is better, so the seconds are negated.

    Examples
    --------
    >>> time_score("4:10:00")
    -15000.0
    """
    seconds = clock_time(text)
    if seconds is None:
        raise InputError(f"{text!r} is not a time like 4:10:00")
    return -seconds


def spelled_seconds(text: str) -> float | None:
    r"""Read ``1h02m03s`` and the like; None if it is not one.

    A bare ``5m`` is not a time: it may be metres.

    Examples
    --------
    >>> spelled_seconds("1h02m03s"), spelled_seconds("59.4s"), spelled_seconds("5m")
    (3723.0, 59.4, None)
    >>> spelled_seconds("1h02'33"), spelled_seconds("62'33\""), spelled_seconds("1.02.33")
    (3753.0, 3753.0, 3753.0)
    >>> spelled_seconds("0 days 01:02:33"), spelled_seconds("PT1H2M33S")
    (3753.0, 3753.0)
    """
    match = next((it for form in _FORMS if (it := form.fullmatch(text.strip()))), None)
    if match is None or (match["h"] is None and match["s"] is None):
        return None
    second = float((match["s"] or "0").replace(",", "."))
    days = int(match.groupdict().get("d") or 0)
    total = 86400.0 * days + 3600.0 * int(match["h"] or 0) + 60.0 * int(match["m"] or 0) + second
    return -total if match["sign"] == "-" else total
