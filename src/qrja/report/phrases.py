"""Phrases: the page's own words in other languages, by the table ``page/phrases.txt``.

A phrase is looked up by its English text, so that what is missing stays English. Sentences that
speak of the data (findings, explanations) are English in every language.
"""

from __future__ import annotations

import re
from importlib.resources import files

from qrja.errors import InputError, nearest

ENGLISH = "en"
LANGUAGES = ("de", "fr", "es")
"""In the order of the columns, after English."""


def _read_table() -> dict[str, dict[str, str]]:
    text = (files("qrja.report") / "page" / "phrases.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    rows = [[cell.strip() for cell in line.split("|")] for line in lines]
    found: dict[str, dict[str, str]] = {ENGLISH: {}}
    for place, language in enumerate(LANGUAGES, start=1):
        found[language] = {row[0]: row[place] for row in rows}
    return found


PHRASES = _read_table()
"""Language -> English phrase -> phrase."""


def check_language(language: str) -> str:
    """Return a language that there is a table for.

    Examples
    --------
    >>> check_language("it")
    Traceback (most recent call last):
    qrja.errors.InputError: no language 'it'; choose one of en, de, fr, es
    """
    if language not in PHRASES:
        hint = nearest(str(language), PHRASES) or f"; choose one of {', '.join(PHRASES)}"
        raise InputError(f"no language {language!r}{hint}")
    return language


def translate(template: str, language: str) -> str:
    """Translate the texts between the tags of a template, before any data are in it.

    Examples
    --------
    >>> translate("<h2>Leaderboard</h2>", "de")
    '<h2>Rangliste</h2>'
    """
    table = PHRASES[language]

    def replace(found: re.Match[str]) -> str:
        text = found[1]
        return f">{text.replace(text.strip(), table.get(text.strip(), text.strip()))}<"

    return re.sub(r">([^<>$]+)<", replace, template)
