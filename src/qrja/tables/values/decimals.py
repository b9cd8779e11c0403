"""Numbers written with decimal commas, thousands separators or percent signs.

One column has one style. ``1,234.5`` and ``12.5`` say that the point is decimal, ``1.234,5`` and
``3,5`` that the comma is; ``1,234`` alone says nothing and is an error. Spaces and apostrophes
between groups of three (``1 234``, ``1'234``) always separate thousands. ``63.9%`` is 63.9
where all numbers of a column have the sign.
"""

from __future__ import annotations

from qrja.tables.sources import Loaded, literal, plain_number, shorten

_SEPARATORS = " \u00a0\u2009\u202f'\u2019"
_POINT = (r"[+-]?\d{1,3}(,\d{3})+\.\d*", r"[+-]?\d{1,3}(,\d{3}){2,}", r"[+-]?\d*\.\d+(e.*)?")
_COMMA = (r"[+-]?\d{1,3}(\.\d{3})+,\d*", r"[+-]?\d{1,3}(\.\d{3}){2,}", r"[+-]?\d*,\d+(e.*)?")
_UNCLEAR = r"[+-]?[1-9]\d{0,2}[.,]\d{3}"
_PERCENT, _WITHOUT = r".*\d\s*%", r"[+-]?[\d.,]*\d[\d.,]*(e[+-]?\d+)?"


def styled_number(loaded: Loaded) -> str:
    """Find the style of the texts in the table ``told``, and write SQL that gives their numbers.

    The table has the distinct texts of a column (``text``) and the first row of each (``row``); it
    gets a column ``bare`` without signs and separators that are beyond doubt.

    Raises
    ------
    InputError
        If the style is mixed or cannot be told; the message shows the rows.
    """
    loaded.database.execute(
        """ALTER TABLE told ADD COLUMN bare VARCHAR;
        UPDATE told SET bare = lower(replace(text, '\u2212', '-'))"""
    )
    _take_percent_off(loaded)
    loaded.database.execute(f"UPDATE told SET bare = {_joined('bare')}")
    point, comma, unclear = _evidence(loaded)
    if point is not None and comma is not None:
        row, found = point
        other, met = comma
        raise loaded.place.error(
            row,
            f"{shorten(found)} has a decimal point but {shorten(met)} ({loaded.place.of(other)})"
            " a decimal comma; write both the same way",
        )
    if point is None and comma is None and unclear is not None:
        row, found = unclear
        one, other_reading = found.replace(",", ""), found.replace(",", ".")
        raise loaded.place.error(
            row, f"{found!r} may be {one} or {other_reading}; write it in one of these ways"
        )
    plain = _comma_to_point("bare") if comma is not None else _without_commas("bare")
    return plain_number(f"({plain})")


def _take_percent_off(loaded: Loaded) -> None:
    """Leave percent signs out where all numbers have one; some alone are an error."""
    signed, plain = _matches("bare", (_PERCENT,)), _matches("bare", (_WITHOUT,))
    percent, number = _first_of(loaded, signed, plain)
    if percent is not None and number is not None:
        row, found = percent
        other, met = number
        raise loaded.place.error(
            row,
            f"{shorten(found)} is in percent but {shorten(met)} ({loaded.place.of(other)}) is not;"
            " write both the same way",
        )
    loaded.database.execute(f"UPDATE told SET bare = rtrim(bare, '% ') WHERE {signed}")


def _joined(plain: str) -> str:
    """Write SQL for a text without separators between thousands."""
    grouped = f"[+-]?\\d{{1,3}}([{_SEPARATORS}]\\d{{3}})+([.,]\\d+)?"
    return (
        f"CASE WHEN regexp_full_match({plain}, {literal(grouped)})"
        f" THEN translate({plain}, {literal(_SEPARATORS)}, '') ELSE {plain} END"
    )


def _evidence(loaded: Loaded) -> list[tuple[int, str] | None]:
    """Find the first row that shows a decimal point, a decimal comma, and a 1,234."""
    unclear = _matches("bare", (_UNCLEAR,))
    shows = (
        f"NOT {unclear} AND {_matches('bare', _POINT)}",
        f"NOT {unclear} AND {_matches('bare', _COMMA)}",
        f"{unclear} AND contains(bare, ',')",
    )
    return _first_of(loaded, *shows)


def _first_of(loaded: Loaded, *conditions: str) -> list[tuple[int, str] | None]:
    """Find the first row whose text meets each condition."""
    columns = ", ".join(
        f"min(row) FILTER ({it}), arg_min(text, row) FILTER ({it})" for it in conditions
    )
    (found,) = loaded.database.execute(f"SELECT {columns} FROM told").fetchall()
    return [
        None if row is None else (int(row), str(text))
        for row, text in zip(found[::2], found[1::2], strict=True)
    ]


def _matches(text: str, patterns: tuple[str, ...]) -> str:
    return f"regexp_full_match({text}, {literal('|'.join(f'({p})' for p in patterns))})"


def _without_commas(text: str) -> str:
    grouped = _matches(text, (r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?",))
    return f"CASE WHEN {grouped} THEN replace({text}, ',', '') ELSE {text} END"


def _comma_to_point(text: str) -> str:
    grouped = _matches(text, (r"[+-]?[1-9]\d{0,2}(\.\d{3})+(,\d*)?",))
    bare = f"CASE WHEN {grouped} THEN replace({text}, '.', '') ELSE {text} END"
    return f"replace({bare}, ',', '.')"
