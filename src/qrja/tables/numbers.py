"""Numbers written with decimal commas or thousands separators.

One column has one style. ``1,234.5`` and ``12.5`` say that the point is decimal, ``1.234,5`` and
``3,5`` that the comma is; ``1,234`` alone says nothing and is an error. Spaces and apostrophes
between groups of three (``1 234``, ``1'234``) always separate thousands.
"""

from __future__ import annotations

from qrja.tables.database import Loaded, literal

_SEPARATORS = " \u00a0\u2009\u202f'\u2019"
_POINT = (r"[+-]?\d{1,3}(,\d{3})+\.\d*", r"[+-]?\d{1,3}(,\d{3}){2,}", r"[+-]?\d*\.\d+(e.*)?")
_COMMA = (r"[+-]?\d{1,3}(\.\d{3})+,\d*", r"[+-]?\d{1,3}(\.\d{3}){2,}", r"[+-]?\d*,\d+(e.*)?")
_UNCLEAR = r"[+-]?[1-9]\d{0,2}[.,]\d{3}"


def styled_number(loaded: Loaded, role: str) -> str:
    """Find the style of a column and write SQL that gives its numbers, NULL where it is none.

    Raises
    ------
    InputError
        If the style is mixed or cannot be told; the message shows the rows.
    """
    text = _joined(role)
    point, comma, unclear = _evidence(loaded, role, text)
    if point is not None and comma is not None:
        row, found = point
        other, met = comma
        raise loaded.place.error(
            row,
            f"{found!r} has a decimal point but {met!r} ({loaded.place.of(other)})"
            " a decimal comma; write both the same way",
        )
    if point is None and comma is None and unclear is not None:
        row, found = unclear
        one, other_reading = found.replace(",", ""), found.replace(",", ".")
        raise loaded.place.error(
            row, f"{found!r} may be {one} or {other_reading}; write it in one of these ways"
        )
    return f"try_cast({_comma_to_point(text) if comma is not None else _bare(text)} AS DOUBLE)"


def _joined(role: str) -> str:
    """Write SQL for the text without separators between thousands, with a plain minus."""
    plain = f"lower(replace({role}, '\u2212', '-'))"
    grouped = f"[+-]?\\d{{1,3}}([{_SEPARATORS}]\\d{{3}})+([.,]\\d+)?"
    return (
        f"CASE WHEN regexp_full_match({plain}, {literal(grouped)})"
        f" THEN translate({plain}, {literal(_SEPARATORS)}, '') ELSE {plain} END"
    )


def _evidence(
    loaded: Loaded, role: str, text: str
) -> tuple[tuple[int, str] | None, tuple[int, str] | None, tuple[int, str] | None]:
    """Find the first row that shows a decimal point, a decimal comma, and a 1,234."""
    unclear = _matches("text", (_UNCLEAR,))
    point = f"NOT {unclear} AND {_matches('text', _POINT)}"
    comma = f"NOT {unclear} AND {_matches('text', _COMMA)}"
    found = loaded.database.execute(
        f"""SELECT {
            ", ".join(
                f"min(row) FILTER ({which}), arg_min(original, row) FILTER ({which})"
                for which in (point, comma, f"{unclear} AND contains(text, ',')")
            )
        } FROM (SELECT rowid AS row, {role} AS original, {text} AS text FROM loaded)"""
    ).fetchall()[0]
    first, second, third = (
        None if row is None else (int(row), str(original))
        for row, original in zip(found[::2], found[1::2], strict=True)
    )
    return first, second, third


def _matches(text: str, patterns: tuple[str, ...]) -> str:
    return f"regexp_full_match({text}, {literal('|'.join(f'({p})' for p in patterns))})"


def _bare(text: str) -> str:
    grouped = _matches(text, (r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?",))
    return f"CASE WHEN {grouped} THEN replace({text}, ',', '') ELSE {text} END"


def _comma_to_point(text: str) -> str:
    grouped = _matches(text, (r"[+-]?[1-9]\d{0,2}(\.\d{3})+(,\d*)?",))
    bare = f"CASE WHEN {grouped} THEN replace({text}, '.', '') ELSE {text} END"
    return f"replace({bare}, ',', '.')"
