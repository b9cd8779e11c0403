"""Pictures of chains: letters for a terminal, SVG for a page, nodes and edges for anything else.

One row per chain, from a to b. In the SVG the line of a link is the thicker the more evidence
flows along its chain.
"""

from __future__ import annotations

from html import escape
from typing import Any

from qrja.plurals import count
from qrja.ratings.explain.parts import Chain, Explained, Link
from qrja.ratings.explain.sentences import SHOWN
from qrja.ratings.words import Wording, percent, spoken

NAME, LINK, ROW, MARGIN = 150, 150, 64, 20
"""Widths of a name and of a link, height of a row, and margin of the picture, in pixels."""
LETTERS = 18
"""A name is cut to so many letters to fit its box."""


def draw_text(explanation: Explained) -> str:
    """Draw the chains with letters.

    Examples
    --------
    >>> import qrja
    >>> ratings = qrja.fit(qrja.datasets.marathons(example=2))
    >>> print(ratings.explain("Alice", "Charlie").drawing())
    100%  Alice ──480.0 (New York)── Bob ──480.0 (Chicago)── Charlie  = +960.0
    """
    if not explanation.chains:
        return explanation.reason
    say = Wording(explanation.units, explanation.nouns)
    heads = [_head(chain) for chain in explanation.chains]
    width = max(map(len, heads))
    return "\n".join(
        f"{head:>{width}}  {_row(chain, say)}  = {say.signed(chain.total)}"
        for head, chain in zip(heads, explanation.chains, strict=True)
    )


def _head(chain: Chain) -> str:
    return percent(chain.share) if chain.role == "evidence" else chain.role


def _row(chain: Chain, say: Wording) -> str:
    return spoken(chain.links[0].a) + "".join(
        f" ──{say.units.show(link.margin).lstrip('+')} ({where})── {spoken(link.b)}"
        for link, where in _shown(chain, say)
    )


def _shown(chain: Chain, say: Wording) -> list[tuple[Link, str]]:
    """Return the links to draw and where they come from; the middle of a long chain is one."""
    drawn = [(link, _where(link, say)) for link in chain.links]
    if len(drawn) > SHOWN:
        middle = chain.links[3:-2]
        whole = sum(link.margin for link in middle)
        drawn[3:-2] = [(Link(middle[0].a, middle[-1].b, whole, whole, ()), f"{len(middle)} more")]
    return drawn


def _where(link: Link, say: Wording) -> str:
    if len(link.labels) != 1:
        return count(len(link.labels), say.word)
    return say.called(link.labels[0])


def network(explanation: Explained) -> dict[str, list[dict[str, Any]]]:
    """Give the chains as nodes (contestants) and edges (links, those of several chains merged).

    Examples
    --------
    >>> import qrja
    >>> ratings = qrja.fit(qrja.datasets.marathons(example=2))
    >>> drawn = network(ratings.explain("Alice", "Charlie"))
    >>> [node["name"] for node in drawn["nodes"]]
    ['Alice', 'Bob', 'Charlie']
    >>> [(edge["a"], edge["b"], edge["labels"]) for edge in drawn["edges"]]
    [('Alice', 'Bob', ['New York']), ('Bob', 'Charlie', ['Chicago'])]
    """
    depth: dict[Any, int] = {}
    edges: dict[tuple[Any, Any], dict[str, Any]] = {}
    for chain in explanation.chains:
        for place, link in enumerate(chain.links):
            depth.setdefault(link.a, place)
            depth[link.b] = max(depth.get(link.b, 0), place + 1)
            edge = edges.setdefault(
                (link.a, link.b),
                {"a": link.a, "b": link.b, "margin": link.margin, "share": 0.0, "labels": []},
            )
            edge["share"] += chain.share
            edge["labels"] += [label for label in link.labels if label not in edge["labels"]]
    ends = {explanation.a: "a", explanation.b: "b"}
    nodes = [
        {"name": name, "depth": place, "role": ends.get(name, "between")}
        for name, place in sorted(depth.items(), key=lambda item: item[1])
    ]
    return {"nodes": nodes, "edges": list(edges.values())}


def draw_svg(explanation: Explained) -> str:
    """Draw the chains as SVG; without any chain the picture holds the reason.

    Examples
    --------
    >>> import qrja
    >>> ratings = qrja.fit(qrja.datasets.marathons(example=2))
    >>> picture = ratings.explain("Alice", "Charlie").svg()
    >>> picture.startswith("<svg ") and "New York" in picture
    True
    """
    say = Wording(explanation.units, explanation.nouns)
    longest = max((len(_shown(chain, say)) for chain in explanation.chains), default=2)
    width = 2 * MARGIN + NAME + longest * (NAME + LINK) + NAME
    height = 2 * MARGIN + ROW * max(len(explanation.chains), 1)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
        f' width="{width}" height="{height}" font-family="sans-serif" font-size="13">',
        f"<title>{escape(spoken(f'{explanation.a} and {explanation.b}'))}</title>",
    ]
    for row, chain in enumerate(explanation.chains):
        parts += _svg_row(chain, say, MARGIN + ROW * row + ROW // 2)
    if not explanation.chains:
        parts.append(_svg_text(MARGIN, height // 2, explanation.reason, "start"))
    return "\n".join([*parts, "</svg>"])


def _svg_row(chain: Chain, say: Wording, y: int) -> list[str]:
    thick = 1.5 + 10 * chain.share if chain.role == "evidence" else 2.0
    x = MARGIN
    parts = _svg_box(x, y, str(chain.links[0].a))
    for link, where in _shown(chain, say):
        x += NAME
        colour = "#b33" if link.margin < 0 else "#357"
        parts.append(
            f'<line x1="{x}" y1="{y}" x2="{x + LINK}" y2="{y}"'
            f' stroke="{colour}" stroke-width="{thick:.1f}"/>'
        )
        parts.append(_svg_text(x + LINK // 2, y - 10, say.signed(link.margin)))
        parts.append(_svg_text(x + LINK // 2, y + 20, _cut(where, LETTERS + 4)))
        x += LINK
        parts += _svg_box(x, y, str(link.b))
    said = f"{_head(chain)}: {say.signed(chain.total)}"
    return [*parts, _svg_text(x + NAME + 8, y + 4, said, "start")]


def _svg_box(x: int, y: int, name: str) -> list[str]:
    box = (
        f'<rect x="{x}" y="{y - 15}" width="{NAME}" height="30" rx="6" fill="#eef" stroke="#357"/>'
    )
    return [box, _svg_text(x + NAME // 2, y + 4, _cut(name, LETTERS), ink="#123")]


def _svg_text(x: int, y: int, text: str, anchor: str = "middle", ink: str = "currentColor") -> str:
    # Beside the boxes the page may be dark: its own colour can be read there.
    shown = escape(spoken(text))
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{ink}">{shown}</text>'


def _cut(text: str, letters: int) -> str:
    return text if len(text) <= letters else text[: letters - 1] + "…"
