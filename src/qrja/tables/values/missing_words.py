"""Words for "no score" in the large languages of Europe, told apart by what they mean.

Who did not finish (DNF) or was disqualified (DSQ) took part; who did not start (DNS) did not, and
nobody did in what was not played.
"""

from __future__ import annotations

import unicodedata

NOT_PLAYED = "not played"
_MEANINGS = {
    "DNF": "did not finish|retired|aufg|aufgegeben|ausgeschieden|niz|nicht im ziel|abandon|abd"
    "|abandonne|abandono|retirado|no termino|ritirato|rit|non arrivato|desistiu|desistencia"
    "|nao terminou|uitgevallen|opgegeven|opgave|gave up|abgebrochen",
    "DNS": "did not start|nicht am start|nicht gestartet|nicht angetreten|nas|abgemeldet"
    "|non partant|np|forfait|no salio|no presentado|non partito|nao largou|nao partiu"
    "|niet gestart|no show|absent|abwesend",
    "DSQ": "disqualified|disqualifiziert|disqualifie|descalificado|squalificato|squal|dq|disq"
    "|desclassificado|gediskwalificeerd",
    "NC": "not classified|non classe|non classificato|nicht gewertet|ohne wertung|ak"
    "|ausser konkurrenz|no clasificado",
    NOT_PLAYED: "postponed|cancelled|canceled|called off|verschoben|verlegt|abgesagt|reporte|annule"
    "|aplazado|cancelado|rinviata|annullata|adiado|afgelast|uitgesteld",
}
WORDS = {word: code for code, words in _MEANINGS.items() for word in words.split("|")}
"""A word in small letters, without accents and dots -> what it means."""

UNREAD = "cannot be read"
"""Why a row is left out whose text is none of these words: nobody knows what it says."""
NEVER_STARTED = frozenset({"DNS", NOT_PLAYED})
"""The meanings of those who did not take part."""


def folded(text: str) -> str:
    """Write a text in small letters, without accents and dots, with single blanks.

    Examples
    --------
    >>> folded("Não  Largou."), folded("Außer Konkurrenz")
    ('nao largou', 'ausser konkurrenz')
    """
    bare = text.casefold().replace(".", "")
    if not bare.isascii():
        parts = unicodedata.normalize("NFD", bare)
        bare = "".join(it for it in parts if not unicodedata.combining(it))
    return " ".join(bare.split())


def meaning_of(text: str) -> str | None:
    """Return what a word for "no score" means; None if it is none.

    Examples
    --------
    >>> meaning_of("Aufg."), meaning_of("Non partant"), meaning_of("Postponed"), meaning_of("fast")
    ('DNF', 'DNS', 'not played', None)
    """
    return WORDS.get(folded(text))
