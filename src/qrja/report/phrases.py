"""Phrases: all that a page says, in the languages that there are tables for.

A sentence is looked up by its English template, see :mod:`qrja.speech`, and the phrase that is
found is filled with the same parts, each said in turn. A name is not a sentence, and stays what it
is. The tables are ``page/phrases/*.txt``: an English line, and below it the others, each after the
code of its language.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from qrja.errors import InputError, nearest
from qrja.speech import Count, Filling, Noun, Numeral, Sentence, plural

ENGLISH = "en"
LANGUAGES = (ENGLISH, "de", "fr", "es")
"""Those that there are tables for."""
PAGE = "page"
"""The table of what stands in the page itself and in its scripts."""
NOUNS = "nouns"
"""The table of things that are counted: one, several, and several in the dative."""

MARKS = {
    "en": {".": ".", ",": ",", "%": "%"},
    "de": {".": ",", ",": ".", "%": "\u00a0%"},
    "fr": {".": ",", ",": "\u202f", "%": "\u202f%"},
    "es": {".": ",", ",": ".", "%": "\u00a0%"},
}
"""How marks in numbers are written."""
_MARK = re.compile(r"(?<=\d)[.,](?=\d)|(?<=\d)%")
_FOUR_DIGITS = re.compile(r"(?<![\d,])(\d),(\d{3})(?![\d,])")


def check_language(language: str) -> str:
    """Return a language that there is a table for.

    Examples
    --------
    >>> check_language("it")
    Traceback (most recent call last):
    qrja.errors.InputError: no language 'it'; choose one of en, de, fr, es
    """
    if language not in LANGUAGES:
        hint = nearest(str(language), LANGUAGES) or f"; choose one of {', '.join(LANGUAGES)}"
        raise InputError(f"no language {language!r}{hint}")
    return language


@cache
def read_phrases(name: str) -> dict[str, dict[str, str]]:
    """Read a table: English -> language -> phrase."""
    text = (files("qrja.report") / "page" / "phrases" / f"{name}.txt").read_text(encoding="utf-8")
    found: dict[str, dict[str, str]] = {}
    for line in text.splitlines():
        if line[:1] not in ("", "#", " "):
            mine = found.setdefault(line, {})
        elif line.strip() and line[0] == " ":
            language, _, phrase = line.strip().partition(" ")
            mine[language] = phrase
    return found


def list_tables() -> list[str]:
    """Return the names of the tables, that of the nouns not counted."""
    folder = files("qrja.report") / "page" / "phrases"
    names = sorted(path.name.removesuffix(".txt") for path in folder.iterdir())
    return [name for name in names if name != NOUNS]


@dataclass(frozen=True)
class Phrasebook(Filling):
    """The phrases of one language.

    Parameters
    ----------
    language : str
        One of :data:`LANGUAGES`.
    phrases : dict
        English template -> template.
    nouns : dict
        English noun -> its forms.

    Examples
    --------
    >>> book = find_book("de")
    >>> book.say(Sentence("{a} beat {b} by {amount}", a="Rank", b="Bob", amount=Numeral("2.5")))
    'Rank schlug Bob um 2,5'
    >>> book.say(Count(1200, "contest")), book.say(Numeral("1,234.5"))
    ('1.200 Wettkämpfe', '1.234,5')
    """

    language: str
    phrases: Mapping[str, str] = field(repr=False)
    nouns: Mapping[str, list[str]] = field(repr=False)

    def say(self, text: Any) -> str:
        """Say a sentence, a count or a numeral in the language; return other texts as they are."""
        return self.write(text, "")

    def phrase(self, english: str) -> str:
        """Return the phrase for an English one; what there is none for stays English."""
        return self.phrases.get(english, english)

    def write(self, value: Any, spec: str) -> str:
        """Write a part; ``dative`` asks for another form of a noun."""
        if isinstance(value, Sentence):
            return self.vformat(self.phrase(value.template), (), value.parts)
        if isinstance(value, Count):
            number = localise(f"{value.number:,}", self.language)
            return f"{number} {self._form(value, spec)}"
        if isinstance(value, Noun):
            return self._form(value, spec)
        if isinstance(value, Numeral | int | float):
            return localise(format(value, spec), self.language)
        return format(value, spec)

    def is_one(self, number: float) -> bool:
        """Tell whether so many are spoken of as one: in French, none is."""
        return number == 1 or (number == 0 and self.language == "fr")

    def _form(self, value: Count | Noun, case: str) -> str:
        forms = self.nouns.get(value.noun.lower(), [value.noun, plural(value.noun)])
        if self.is_one(value.number):
            return forms[0]
        return forms[-1] if case == "dative" else forms[1]


@cache
def find_book(language: str) -> Phrasebook:
    """Return the phrases of a language."""
    tables = [read_phrases(name) for name in list_tables()]
    phrases = {
        english: said[language]
        for table in tables
        for english, said in table.items()
        if language in said
    }
    nouns = {
        english: said[language].split(", ")
        for english, said in read_phrases(NOUNS).items()
        if language in said
    }
    return Phrasebook(check_language(language), phrases, nouns)


def script_phrases(language: str) -> dict[str, Any]:
    """Return what the page's scripts need to speak a language."""
    book = find_book(language)
    own = {
        english: said[language] for english, said in read_phrases(PAGE).items() if language in said
    }
    return {"phrases": own, "nouns": dict(book.nouns), "marks": MARKS[language]}


def localise(text: str, language: str) -> str:
    """Write an English number as others do; four digits stay together in Spanish.

    Examples
    --------
    >>> localise("-1,234.50", "de"), localise("1,234", "es"), localise("12,345", "es")
    ('-1.234,50', '1234', '12.345')
    """
    if language == "es":
        text = _FOUR_DIGITS.sub(r"\1\2", text)
    return _MARK.sub(lambda mark: MARKS[language][mark[0]], text)


def translate(template: str, language: str) -> str:
    """Translate the texts of a template, between tags and in labels, before any data are in it.

    Examples
    --------
    >>> translate("<h2>Leaderboard</h2>", "de")
    '<h2>Rangliste</h2>'
    """
    book = find_book(language)

    def replace(found: re.Match[str]) -> str:
        text = found[2]
        inside = " ".join(text.split())
        return f"{found[1]}{text.replace(text.strip(), book.phrase(inside))}{found[3]}"

    return re.sub(r'(>|aria-label=")([^<>$"]+)(<|")', replace, template)
