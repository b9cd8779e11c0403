"""Events: what happened to a league, in the order in which it was told; nothing is ever changed.

    digest_n = SHA-256(digest_{n-1}, number, kind, payload, author, at, key)

so that the digest of the last event stands for the whole log: who compares it knows whether two
logs are one, and whether one of them was tampered with.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from hashlib import sha256
from typing import Any, Literal, get_args

from qrja.errors import InputError
from qrja.letters import cut

Kind = Literal[
    "added",
    "judged",
    "passed",
    "corrected",
    "removed",
    "renamed",
    "merged",
    "modelled",
    "titled",
    "empanelled",
    "listed",
    "unlisted",
    "undone",
]
"""What can happen: results come, judgments come, a judge cannot tell, a result is corrected or
withdrawn, a contest or a judgment is removed, a contestant renamed or merged with another, the
model changed, the league called something, a panel of judges set up, its items listed (or changed)
or taken off the list, and an earlier event undone."""
KINDS: frozenset[str] = frozenset(get_args(Kind))

LARGEST_EVENT = 1 << 26
"""Bytes of one event: half a million matches. More come in several."""
LONGEST_NAME = 500
"""Letters of a name, a label, an author or a key."""
LONGEST_COMMENT = 2000
"""Letters of what a judge adds."""


def as_text(payload: Mapping[str, Any]) -> str:
    """Write a payload, always in the same way, in letters that any database holds.

    Examples
    --------
    >>> as_text({"to": "Zoe", "from": "Zo"})
    '{"from":"Zo","to":"Zoe"}'
    """
    return json.dumps(payload, sort_keys=True, separators=(",", ":"), allow_nan=False)


@dataclass(frozen=True)
class Draft:
    """An event that nobody has written yet.

    Parameters
    ----------
    kind : str
        What happens.
    payload : dict
        To whom, as JSON has it.

    Examples
    --------
    >>> Draft("renamed", {"from": "Zoe", "to": "Zoey"}).text
    '{"from":"Zoe","to":"Zoey"}'
    """

    kind: Kind
    payload: Mapping[str, Any]

    @cached_property
    def text(self) -> str:
        """The payload as it is kept."""
        text = as_text(self.payload)
        if len(text) > LARGEST_EVENT:
            raise InputError(
                f"the results take {len(text):,} bytes, more than the {LARGEST_EVENT:,} of one"
                " event; add them in parts"
            )
        return text

    @cached_property
    def fingerprint(self) -> str:
        """What two drafts that ask for the same have in common."""
        return sha256(f"{self.kind}\0{self.text}".encode()).hexdigest()


@dataclass(frozen=True)
class Event:
    """An event of the log.

    Parameters
    ----------
    number : int
        Its place, from 1; there are no gaps.
    kind : str
        What happened, see :data:`Kind`.
    text : str
        To whom, in JSON, as it was written.
    author : str
        Who wrote it.
    at : str
        When it was written, by the clock of the writer: ``2026-11-15T12:00:00.000000Z``.
    key : str or None
        By which a writer recognises what it sent before.
    digest : str
        Of the log up to here.
    """

    number: int
    kind: str
    text: str
    author: str
    at: str
    key: str | None
    digest: str

    @cached_property
    def payload(self) -> dict[str, Any]:
        """To whom it happened."""
        try:
            told = json.loads(self.text)
        except (ValueError, RecursionError):
            told = None
        if not isinstance(told, dict):
            raise InputError(f"event {self.number} is damaged: {cut(self.text, 60)!r} is no object")
        return told

    @classmethod
    def after(
        cls, digest: str, number: int, draft: Draft, author: str, at: str, key: str | None
    ) -> Event:
        """Write a draft down as the event that comes after those with a digest.

        Examples
        --------
        >>> draft = Draft("titled", {"title": "Sunday league"})
        >>> first = Event.after("", 1, draft, "Ann", "2026-11-15T12:00:00.000000Z", None)
        >>> first.follows("")
        True
        """
        plain = cls(number, draft.kind, draft.text, author, at, key, "")
        return cls(number, draft.kind, draft.text, author, at, key, plain.digest_after(digest))

    def digest_after(self, digest: str) -> str:
        """Return what the digest must be if the events before have ``digest``."""
        told = [digest, self.number, self.kind, self.text, self.author, self.at, self.key]
        return sha256(json.dumps(told).encode()).hexdigest()

    def follows(self, digest: str) -> bool:
        """Tell whether the event is as it was written, after events with ``digest``."""
        return self.digest == self.digest_after(digest)

    def to_dict(self) -> dict[str, Any]:
        """Give the event as plain values, for JSON."""
        return {
            "event": self.number,
            "kind": self.kind,
            "author": self.author,
            "at": self.at,
            "key": self.key,
            "payload": self.payload,
            "digest": self.digest,
        }


def now() -> str:
    """Return the time of day, as events have it."""
    return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
