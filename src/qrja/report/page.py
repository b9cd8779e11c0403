r"""The page: texts, data, style and scripts in one file, under a policy that allows nothing else.

The policy names the style and every script by its sha256, so nothing that came in with the data can
run. Names are escaped in the text; in the data, which are JSON in a script element that is not run,
``<``, ``>`` and ``&`` are written as ``\u003c`` and so on: no name can end the element.
"""

from __future__ import annotations

import base64
import hashlib
import json
from functools import cache
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from qrja.report.phrases import translate

SCRIPTS = ("vega", "vega-lite", "vega-interpreter")
"""Vendored, in the order in which they need each other."""
PARTS = (
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
"""The page's own script, in pieces."""
LISTED = 50
"""Lines of the leaderboard for readers without scripts."""

_ESCAPES = {ord(character): f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}


def build_page(data: dict[str, Any]) -> str:
    """Write the page for what was gathered."""
    style = _read("report.css")
    own = "\n".join(["{", '"use strict";', *(_read(f"{part}.js") for part in PARTS), "}"])
    scripts = [*(_vendored(name) for name in SCRIPTS), own]
    trust = data["trust"]
    template = translate(_read("report.html"), data["language"])
    return Template(template).substitute(
        language=data["language"],
        logo=data["logo"],
        link=data["link"],
        tabs=data["tabs"],
        policy=_policy(style, scripts),
        title=escape(data["title"]),
        subtitle=escape(_subtitle(data)),
        style=style,
        # Notes do not make a sound verdict less so.
        level="warning" if trust["level"] == "warning" else "good",
        verdict=escape(trust["verdict"]),
        findings="\n".join(_finding(finding, data["phrases"]) for finding in trust["findings"]),
        few=_plain_board(data),
        backtest=_backtest(data),
        origin=_origin(data["origin"]),
        data=as_script_json(_for_script(data)),
        scripts="\n".join(f"<script>{script}</script>" for script in scripts),
    )


def as_script_json(value: Any) -> str:
    r"""Write JSON that can stand in a script element whatever texts are in it.

    Examples
    --------
    >>> print(as_script_json({"name": "</script>"}))
    {"name":"\u003c/script\u003e"}
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.translate(_ESCAPES)


def _for_script(data: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value
        for name, value in data.items()
        if name not in ("trust", "origin", "no_backtest", "logo", "link", "tabs")
    }


def _policy(style: str, scripts: list[str]) -> str:
    allowed = " ".join(_hash(script) for script in scripts)
    return (
        f"default-src 'none'; script-src {allowed}; style-src {_hash(style)};"
        " img-src data:; base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"


def _read(name: str) -> str:
    return (files("qrja.report") / "page" / name).read_text(encoding="utf-8")


@cache
def _vendored(name: str) -> str:
    return (files("qrja.report") / "vendor" / f"{name}.js").read_text(encoding="utf-8")


def _subtitle(data: dict[str, Any]) -> str:
    return str(data["origin"]["terms"][0][1])


def _finding(finding: dict[str, Any], phrases: dict[str, str]) -> str:
    word = {"good": "Good", "note": "Note", "warning": "Warning"}[finding["level"]]
    word = phrases.get(word, word)
    advice = f'<p class="advice">{escape(finding["suggestion"])}</p>'
    return (
        f'<li class="finding {finding["level"]}"><span class="mark">{word}</span>'
        f"<div><p>{escape(finding['sentence'])}</p>{advice if finding['suggestion'] else ''}</div>"
        "</li>"
    )


def _plain_board(data: dict[str, Any]) -> str:
    """Write the head of the leaderboard as text, for readers without scripts."""
    from qrja.tables import Units

    board, units = data["board"], Units(**data["units"])
    rows = [
        f"<tr><td>{board['rank'][i]}</td><td>{escape(name)}</td>"
        f"<td>{escape(units.show(board['rating'][i]))}</td><td>{board['contests'][i]}</td></tr>"
        for i, name in enumerate(data["names"][:LISTED])
    ]
    return "\n".join(rows)


def _backtest(data: dict[str, Any]) -> str:
    """Say what a back-test found, or that none was made; the bars are drawn by the script."""
    from qrja.plurals import count

    found = data["backtest"]
    if found is None:
        return f'<p class="quiet">{escape(data["no_backtest"])}</p>'
    how = (
        f"{count(found['contests'] or 0, 'contest')}. {found['rules_say']} Error bars are one"
        " standard error."
    )
    verdict = f'<p class="lead">{escape(found["verdict"])}</p>\n' if found["verdict"] else ""
    return f'{verdict}<p class="quiet">{escape(how)}</p>'


def _origin(origin: dict[str, Any]) -> str:
    terms = [f"<dt>{escape(term)}</dt><dd>{escape(text)}</dd>" for term, text in origin["terms"]]
    if origin["reading"]:
        lines = "".join(f"<li>{escape(line)}</li>" for line in origin["reading"])
        terms.append(f"<dt>Reading</dt><dd><ul>{lines}</ul></dd>")
    return "\n".join(terms)
