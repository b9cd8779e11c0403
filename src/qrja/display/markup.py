"""Markup: small pieces of HTML for notebooks and files, with bars drawn into table cells.

Whatever is not a :class:`Markup` already is escaped here, so that no name becomes a tag. Pieces
bring their own style: a notebook has no style sheet of ours, and may be dark or light. A bar for
``low <= value <= high`` on a scale from ``least`` to ``most`` is drawn at

    100 (value - least) / (most - least)  per cent of its width.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

WIDE = 180
"""Pixels of a bar."""
BLUE = "#4b8bd0"
"""Told from white and from black alike."""
FAINT = "opacity:.7"
_CELL = "padding:2px 10px 2px 0;vertical-align:middle;"

_LONG = "min-width:9em;max-width:24em;overflow-wrap:break-word;"
_SHORT = "white-space:nowrap;"


class Markup(str):
    """A text that is HTML already.

    Examples
    --------
    >>> tag("b", "a < b"), tag("td", tag("b", "x"))
    ('<b>a &lt; b</b>', '<td><b>x</b></td>')
    """

    __slots__ = ()


def safe(content: object) -> Markup:
    """Escape a text; leave what is HTML already as it is.

    Examples
    --------
    >>> safe("<script>"), safe(Markup("<br>"))
    ('&lt;script&gt;', '<br>')
    """
    return content if isinstance(content, Markup) else Markup(escape(str(content)))


def tag(name: str, *content: object, style: str = "") -> Markup:
    """Put contents between tags."""
    opened = f'{name} style="{escape(style)}"' if style else name
    return Markup(f"<{opened}>{''.join(map(safe, content))}</{name}>")


def named(name: object) -> Markup:
    """Write a name: one from right to left does not turn round what stands beside it."""
    return tag("bdi", name)


def block(*pieces: object) -> Markup:
    """Put pieces below each other, scrolled sideways where they are too wide."""
    return tag("div", *pieces, style="overflow-x:auto;max-width:100%")


def page(title: str, *pieces: object) -> str:
    """Write a whole page that needs nothing else, for light and dark screens.

    Examples
    --------
    >>> page("A & B").splitlines()[0], "<title>A &amp; B</title>" in page("A & B")
    ('<!doctype html>', True)
    """
    head = (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>:root{{color-scheme:light dark}}"
        "body{font:15px/1.45 system-ui,sans-serif;margin:1.5em}</style>\n"
    )
    return f"{head}{''.join(map(safe, pieces))}\n</html>\n"


def remark(text: object) -> Markup:
    """Write a line that explains, fainter than the rest."""
    return tag("div", text, style=f"{FAINT};margin:4px 0")


def table(
    header: Sequence[str], rows: Sequence[Sequence[object]], left: Sequence[str] = ()
) -> Markup:
    """Lay out a table, the columns named in ``left`` to the left and all others to the right.

    Examples
    --------
    >>> print(table(["rank", "name"], [[1, "<Ann>"]], left=["name"]).count("<td"))
    2
    """
    sides = ["left" if name in left else "right" for name in header]

    def line(kind: str, cells: Sequence[object]) -> Markup:
        styles = (
            f"{_CELL}{_LONG if side == 'left' else _SHORT}text-align:{side}" for side in sides
        )
        return tag("tr", *(tag(kind, c, style=s) for c, s in zip(cells, styles, strict=True)))

    head = tag("thead", line("th", header))
    body = tag("tbody", *(line("td", row) for row in rows))
    return tag("table", head, body, style="border-collapse:collapse")


def listing(items: Sequence[object], *, numbered: bool = False, marked: bool = True) -> Markup:
    """Write a list; items that bring their own marks need no dots before them."""
    style = (
        "margin:4px 0;padding-left:1.6em" if marked else "list-style:none;margin:4px 0;padding:0"
    )
    return tag("ol" if numbered else "ul", *(tag("li", item) for item in items), style=style)


def interval_bar(
    low: float, value: float, high: float, least: float, most: float, said: str = ""
) -> Markup:
    """Draw an interval with its value; an arrow stands where it leaves the scale.

    Examples
    --------
    >>> "polygon" in interval_bar(0, 1, 2, -5, 5), "polygon" in interval_bar(0, 1, 9, -5, 5)
    (False, True)
    """
    span = (most - least) or 1.0
    a, x, b = (
        6 + (WIDE - 12) * (min(max(v, least), most) - least) / span for v in (low, value, high)
    )
    parts = [
        f'<line x1="{a:.1f}" x2="{b:.1f}" y1="8" y2="8" stroke="{BLUE}" stroke-width="3"'
        ' stroke-opacity=".55"/>'
    ]
    if low < least:
        parts.append(f'<polygon points="0,8 6,4 6,12" fill="{BLUE}"/>')
    if high > most:
        parts.append(f'<polygon points="{WIDE},8 {WIDE - 6},4 {WIDE - 6},12" fill="{BLUE}"/>')
    if least <= value <= most:
        parts.append(f'<circle cx="{x:.1f}" cy="8" r="4" fill="{BLUE}"/>')
    return _picture("".join(parts), said)


def share_bar(share: float, error: float = 0.0, said: str = "") -> Markup:
    """Draw a share of 1 as a bar, with one standard error to each side if there is one.

    Examples
    --------
    >>> 'width="90.0"' in share_bar(0.5)
    True
    """
    end = WIDE * min(max(share, 0.0), 1.0)
    drawn = f'<rect y="3" width="{end:.1f}" height="10" fill="{BLUE}" fill-opacity=".55"/>'
    if error > 0:
        a, b = (WIDE * min(max(share + side * error, 0.0), 1.0) for side in (-1, 1))
        drawn += f'<line x1="{a:.1f}" x2="{b:.1f}" y1="8" y2="8" stroke="{BLUE}" stroke-width="2"/>'
    return _picture(drawn, said)


def _picture(drawn: str, said: str) -> Markup:
    told = f"<title>{escape(said)}</title>" if said else ""
    size = f'width="{WIDE}" height="16" viewBox="0 0 {WIDE} 16"'
    return Markup(f'<svg {size} role="img" style="vertical-align:middle">{told}{drawn}</svg>')
