"""Names: whoever chooses a name chooses a text, and nothing that runs, hides or moves.

Names as HTML, as formulas, terminal escapes, Markdown, paths and mathematics come out of every face
as what they are.
"""

from __future__ import annotations

import csv
import io
import json
import re
import tempfile
import unicodedata
from html.parser import HTMLParser
from pathlib import Path

import numpy as np

from fuzz.children import check_manners, command
from fuzz.kind import Case, Failure, Kind

NAMES = [
    "<script>alert(1)</script>", "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>", "<!--", "]]>", "&lt;b&gt;", "\"onload='x", "=1+1", "+1+1",
    "-1+1", "@SUM(A1)", "\t=1", "\r=1", "＝1", "|cmd", "=HYPERLINK(\"http://x\")", "\x1b]0;x\x07",
    "\x1b[2J", "\x9b2J", "\x08\x08", "\u202eevil", "\u2066x", "a\x7fb", "![](http://x/y.png)",
    "[x](javascript:alert(1))", "| a | b |", "`x`", "**x**", "a\\|b", "# x", "../../etc/passwd",
    "/dev/null", "C:\\x", "$\\frac{1}{0}$", "$x", "\\input{x}", "%n%s", "{0}", "{{7*7}}", "${x}",
    "\x00x", "x" * 3000, "\u200b", "🏃\u200d♀\ufe0f", "é" + "\u0301" * 200, "constructor",
    "__proto__", "null", "Ann\n   9  Zoe", "Ann\r\n   9  Zoe", "x\u2028y", "[/]", "[red]x",
     "NaN", "-", "--help", "@file", "A=B", "a;b", "\ufeffx", "\ud7ff",
]  # fmt: skip
SPOKEN = {
    "stdout": ["rank", "races.jsonl", "--no-intervals"],
    "json": ["rank", "races.jsonl", "--no-intervals", "--json"],
    "explain": ["explain", "races.jsonl", "Bob", "Cid"],
    "trust": ["trust", "races.jsonl"],
    "suggest": ["suggest", "races.jsonl"],
    "predict": ["predict", "races.jsonl", "Bob", "Cid", "Dee"],
}
"""Commands whose words go to a terminal."""
FACES = [*SPOKEN, "error", "md", "csv", "tsv", "json file", "jsonl", "html", "svg", "page html"]
PLACES = ["contestant", "contest", "column"]
"""What is called by the name."""


def draw(rng: np.random.Generator) -> Case:
    """Draw a name, perhaps of two of them, and where it shows."""
    name = str(rng.choice(NAMES))
    if rng.random() < 0.3:
        name += str(rng.choice(NAMES))
    return {"what": str(rng.choice(FACES)), "name": name, "as": str(rng.choice(PLACES))}


def check(case: Case) -> None:
    """Rank somebody of that name, and look at what comes out."""
    face, name = case["what"], case["name"]
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        called = {**dict.fromkeys(PLACES, "Ann"), case.get("as", "contestant"): name}
        (place / "races.jsonl").write_text(_results(called), encoding="utf-8")
        ran = command(_arguments(face, name), place)
        check_manners(ran, f"a name in {face}")
        if face in SPOKEN or face == "error":
            check_terminal(ran.out + ran.err, face)
            if face == "stdout" and ran.code == 0 and len(ran.out.splitlines()) != 5:
                raise Failure("a name forges a row", repr(ran.out[:300]))
        elif ran.code == 0:
            # The bytes as they are: a carriage return counts.
            text = (place / f"out.{_ending(face)}").read_bytes().decode("utf-8")
            CHECKS[face](text, called["contestant"])


def _results(called: dict[str, str]) -> str:
    """Write three races as JSON lines."""
    who = called["contestant"]
    fields = [(called["contest"], [who, "Bob", "Cid"]), ("B", ["Bob", who, "Dee"])]
    rows = [
        {
            "race": race,
            "runner": name,
            "score": 3 * place + len(name) % 2,
            called["column"]: 1,
        }
        for race, field in [*fields, ("C", ["Cid", "Dee", who])]
        for place, name in enumerate(field)
    ]
    return "\n".join(map(json.dumps, rows))


def _arguments(face: str, name: str) -> list[str]:
    if face in SPOKEN:
        return SPOKEN[face]
    if face == "error":
        return ["rank", f"{name.replace('/', '').replace(chr(0), '')[:80]}.csv"]
    if face == "html":
        return ["report", "races.jsonl", "--out", "out.html"]
    if face == "svg":
        return ["plot", "races.jsonl", "--out", "out.svg"]
    return ["rank", "races.jsonl", "--no-intervals", "--out", f"out.{_ending(face)}"]


def _ending(face: str) -> str:
    return {"json file": "json", "page html": "html"}.get(face, face)


def check_terminal(text: str, face: str) -> None:
    """Nothing that a terminal obeys, but line feeds."""
    for letter in text:
        kind = unicodedata.category(letter)
        if (
            kind == "Cc" and letter not in "\n\t"
        ) or letter in "\u202a\u202b\u202d\u202e\u2066\u2067\u2068":
            raise Failure(f"raw {_sort(letter)} in {face}", repr(text[:300]))


def _sort(letter: str) -> str:
    return "control letters" if unicodedata.category(letter) == "Cc" else "direction marks"


def check_markdown(text: str, name: str) -> None:
    """One row each, and nothing that a viewer runs or fetches."""
    rows = [line for line in text.splitlines() if line.strip()]
    if len(rows) != 2 + 4:
        raise Failure("a name breaks a Markdown table", repr(text[:300]))
    if re.search(r"(?<!\\)<[a-zA-Z!/]", text) or re.search(r"(?<!\\)\]\(", text):
        raise Failure("a name is markup in Markdown", repr(text[:300]))


def check_cells(text: str, mark: str) -> None:
    """No cell is a formula, and every row has all its cells."""
    table = list(csv.reader(io.StringIO(text, newline=""), delimiter=mark))
    if len(table) != 5 or len({len(row) for row in table}) != 1:
        raise Failure("a name breaks a table", repr(text[:300]))
    place = table[0].index("contestant")
    for row in table[1:]:
        if row[place][:1] in tuple("=+-@\t\r＝＋－＠"):
            raise Failure("a name is a formula in a table", repr(row[place]))


def check_json(text: str, name: str) -> None:
    """It is JSON, and the name is in it."""
    rows = [json.loads(line) for line in text.splitlines()] if text[0] == "{" else json.loads(text)
    if name.strip() not in {row["contestant"].strip() for row in rows}:
        raise Failure("a name is changed in JSON", repr(text[:300]))


class _Elements(HTMLParser):
    """The elements of a page, and the attributes that run something."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        self.found.append(tag)
        self.found += [key for key, _ in attrs if key.startswith("on")]


def check_page(text: str, name: str) -> None:
    """No element of a name's making."""
    page = _Elements()
    page.feed(text)
    if any(it in page.found for it in ("img", "iframe", "object", "embed")) or any(
        it.startswith("on") for it in page.found
    ):
        raise Failure("a name is an element of a report", name)
    if text.count("alert(1)</script>"):
        raise Failure("a name is a script of a report", name)


def check_board(text: str, name: str) -> None:
    """No element of a name's making in a page with a board."""
    check_page(text.replace("<svg", "").replace("</svg", ""), name)
    if "<script" in text:
        raise Failure("a name is a script of a page", name)


def check_drawing(text: str, name: str) -> None:
    """No element of a name's making in a drawing."""
    if re.search(r"<(script|img|foreignObject)", text):
        raise Failure("a name is an element of a drawing", name)


CHECKS = {
    "md": check_markdown,
    "csv": lambda text, name: check_cells(text, ","),
    "tsv": lambda text, name: check_cells(text, "\t"),
    "json file": check_json,
    "jsonl": check_json,
    "html": check_page,
    "page html": check_board,
    "svg": check_drawing,
}

KIND = Kind(
    name="names",
    about="hostile names in terminal, tables, Markdown, JSON, report and picture",
    draw=draw,
    check=check,
    ordinary=12,
    forks=True,
)
