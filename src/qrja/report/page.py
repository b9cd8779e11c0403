r"""The page: texts, data, style and scripts in one file, under a policy that allows nothing else.

The policy names the style and every script by its sha256, so nothing that came in with the data can
run. Names are escaped in the text; in the data, which are JSON in a script element that is not run,
``<``, ``>`` and ``&`` are written as ``\u003c`` and so on: no name can end the element.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from functools import cache
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from qrja.report.branding import embed_tabs
from qrja.report.member_boards import write_boards
from qrja.report.phrases import Phrasebook, find_book, localise, translate
from qrja.speech import Count, Noun, Sentence

SCRIPTS = ("vega", "vega-lite", "vega-interpreter")
"""Vendored, in the order in which they need each other."""
PARTS = (
    "speech",
    "data",
    "units",
    "evidence",
    "chains",
    "forecast",
    "charts",
    "leaderboard",
    "chosen",
    "compare",
    "why",
    "main",
)
"""The script that fills a category of the page, in pieces."""
LISTED = 50
"""Lines of the leaderboard for readers without scripts."""

_EITHER = re.compile(r"\[([^|\]]*)\|([^|\]]*)\]")
_NOUN = re.compile(r"\{((?:event|candidate)s?)\}", re.IGNORECASE)
_IDS = re.compile(r'((?:\bid="|href="#|aria-labelledby="|list=")[^"$]+)"')
_ESCAPES = {ord(character): f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}


def build_page(contents: Mapping[str, dict[str, Any]]) -> str:
    """Write the page for what was gathered: a category a tab, or one alone."""
    style, scripts = read_style(), [*(_vendored(name) for name in SCRIPTS), _own_script()]
    first = next(iter(contents.values()))
    alone = len(contents) == 1
    suffixes = [""] if alone else [f"-{number}" for number, _ in enumerate(contents, 1)]
    heads = [_head(content) for content in contents.values()]
    tabs = embed_tabs(list(contents), find_book(first["language"]))
    return Template(translate(_read("report.html"), first["language"])).substitute(
        language=first["language"],
        logo=first["logo"],
        policy=_policy(style, scripts),
        title=escape(find_book(first["language"]).say(first["title"])),
        style=style,
        first=suffixes[0],
        head=heads[0] if alone else tabs,
        panels="\n".join(
            _panel(content, suffix, "" if alone else _called(label) + head)
            for (label, content), suffix, head in zip(
                contents.items(), suffixes, heads, strict=True
            )
        ),
        scripts="\n".join(f"<script>{script}</script>" for script in scripts),
    )


def _own_script() -> str:
    """Return the page's own script: what fills a category, and the tabs of them."""
    parts = "\n".join(_read(f"{part}.js") for part in PARTS)
    filling = f"function fillPanel(panel, atOnce) {{\n{parts}\n}}"
    return f'{{\n"use strict";\n{filling}\n{_read("tabs.js")}\n}}'


def _head(data: dict[str, Any]) -> str:
    book = find_book(data["language"])
    return Template(translate(_read("head.html"), data["language"])).substitute(
        subtitle=escape(book.say(data["origin"]["terms"][0][1])), link=data["link"]
    )


def _called(label: str) -> str:
    return f'<h2 class="called">{escape(label)}</h2>\n'


def _panel(data: dict[str, Any], suffix: str, head: str) -> str:
    """Write one category: its ids end in the suffix, so that each occurs once in the page."""
    trust, book = data["trust"], find_book(data["language"])
    nouns = data["nouns"]
    chosen = _EITHER.sub(r"\2" if nouns["of_things"] else r"\1", _read("panel.html"))
    template = _fill_nouns(translate(chosen, data["language"]), nouns, book)
    template = _IDS.sub(rf'\1{suffix}"', template)
    return Template(template).substitute(
        suffix=suffix,
        head=_IDS.sub(rf'\1{suffix}"', head),
        # Notes do not make a sound verdict less so.
        level="warning" if trust["level"] == "warning" else "good",
        verdict=escape(book.say(trust["verdict"])),
        findings="\n".join(_finding(finding, book) for finding in trust["findings"]),
        few=_plain_board(data),
        beside="\n".join(f"<li>{escape(book.say(it))}</li>" for it in data["beside"]),
        members=write_boards(data["members"], data["level"], book),
        backtest=_backtest(data, book),
        origin=_origin(data["origin"], book),
        data=as_script_json(_for_script(data)),
    )


def _fill_nouns(template: str, nouns: Mapping[str, Any], book: Phrasebook) -> str:
    """Put the nouns of the table into a template, where a capital is written with capitals.

    Examples
    --------
    >>> table = {"event": "task", "candidate": "model"}
    >>> _fill_nouns("<h2>{Candidates} und {events}</h2>", table, find_book("de"))
    '<h2>Modelle und Aufgaben</h2>'
    """

    def said(found: re.Match[str]) -> str:
        part = found[1].casefold()
        noun = Noun(nouns[part.removesuffix("s")], 2 if part.endswith("s") else 1)
        text = book.say(noun)
        return escape(text if found[1] == part else text[:1].upper() + text[1:])

    return _NOUN.sub(said, template)


def as_script_json(value: Any) -> str:
    r"""Write JSON that can stand in a script element whatever texts are in it.

    Examples
    --------
    >>> print(as_script_json({"name": "</script>"}))
    {"name":"\u003c/script\u003e"}
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.translate(_ESCAPES)


_UNSCRIPTED = {"trust", "beside", "members", "origin", "no_backtest", "logo", "link"}
_UNSCRIPTED |= {"title", "source"}
"""What the page has as text."""


def _for_script(data: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in data.items() if name not in _UNSCRIPTED}


def _policy(style: str, scripts: list[str]) -> str:
    allowed = " ".join(_hash(script) for script in scripts)
    return (
        f"default-src 'none'; script-src {allowed}; style-src {_hash(style)};"
        " img-src data:; base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"


def read_style() -> str:
    """Return the style that pages of ratings share."""
    return _read("report.css")


def _read(name: str) -> str:
    return (files("qrja.report") / "page" / name).read_text(encoding="utf-8")


@cache
def _vendored(name: str) -> str:
    return (files("qrja.report") / "vendor" / f"{name}.js").read_text(encoding="utf-8")


def _finding(finding: dict[str, Any], book: Phrasebook) -> str:
    word = book.phrase({"good": "Good", "note": "Note", "warning": "Warning"}[finding["level"]])
    advice = f'<p class="advice">{escape(book.say(finding["suggestion"]))}</p>'
    said = escape(book.say(finding["sentence"]))
    return (
        f'<li class="finding {finding["level"]}"><span class="mark">{word}</span>'
        f"<div><p>{said}</p>{advice if finding['suggestion'] else ''}</div></li>"
    )


def _plain_board(data: dict[str, Any]) -> str:
    """Write the head of the leaderboard as text, for readers without scripts."""
    from qrja.tables import Units

    board, units, language = data["board"], Units(**data["units"]), data["language"]
    rows = [
        f"<tr><td>{board['rank'][i]}</td><td>{escape(name)}</td>"
        f"<td>{escape(localise(units.show(board['rating'][i]), language))}</td>"
        f"<td>{board['contests'][i]}</td></tr>"
        for i, name in enumerate(data["names"][:LISTED])
    ]
    return "\n".join(rows)


def _backtest(data: dict[str, Any], book: Phrasebook) -> str:
    """Say what a back-test found, or that none was made; the bars are drawn by the script."""
    found = data["backtest"]
    if found is None:
        return f'<p class="quiet">{escape(book.say(data["no_backtest"]))}</p>'
    how = Sentence(
        "{predicted}. {rules} Error bars are one standard error.",
        predicted=Count(found["predicted"], found["noun"]),
        rules=found["rules_say"],
    )
    verdict = f'<p class="lead">{escape(book.say(found["verdict"]))}</p>\n'
    return f'{verdict if found["verdict"] else ""}<p class="quiet">{escape(book.say(how))}</p>'


def _origin(origin: dict[str, Any], book: Phrasebook) -> str:
    terms = [
        f"<dt>{escape(book.say(term))}</dt><dd>{escape(book.say(text))}</dd>"
        for term, text in origin["terms"]
    ]
    if origin["reading"]:
        lines = "".join(f"<li>{escape(book.say(line))}</li>" for line in origin["reading"])
        terms.append(f"<dt>{book.phrase('Reading')}</dt><dd><ul>{lines}</ul></dd>")
    return "\n".join(terms)
