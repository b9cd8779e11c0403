"""Access: who is asking, by a token or by a session, and what forms must carry.

    cookie  = id . expiry . HMAC(secret, id . expiry)
    csrf    = HMAC(secret, "csrf" . cookie)

A session stands for a token and ends with it. Cookies are for this site only (``SameSite=Strict``)
and out of reach of scripts; a form that changes something carries a word that only pages of this
session hold.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from time import time

from starlette.requests import Request

from qrja.league import Role, Token, Tokens
from qrja.serve.settings import Settings

COOKIE = "qrja_session"
LASTING = 14 * 24 * 3600
"""Seconds of a session."""
LOCAL = "local"
"""The id of whoever started the server, and came by the link that it printed."""


class NotAllowedError(Exception):
    """Somebody asks for what they may not; 401 if a token may help, 403 if it does not."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True)
class Visitor:
    """Who is asking."""

    token: Token | None = None
    session: str | None = None

    @property
    def name(self) -> str:
        """What the log calls them."""
        return "" if self.token is None else self.token.name

    def may(self, role: Role) -> bool:
        """Tell whether they may do what a role allows."""
        return self.token is not None and self.token.may(role)


def is_guest(request: Request) -> bool:
    """Tell whether a request carries nothing by which to find out who is asking."""
    return "authorization" not in request.headers and "cookie" not in request.headers


class Access:
    """The door of a server."""

    def __init__(
        self, tokens: Tokens, settings: Settings, shown_to: Callable[[], Role] = lambda: "reader"
    ) -> None:
        self._tokens, self._settings, self._shown_to = tokens, settings, shown_to
        self._secret = tokens.server_secret()
        self._codes: set[str] = set()
        # The session of whoever started the server ends with it.
        self._local = Token(f"{LOCAL}-{secrets.token_hex(8)}", "organiser", "organiser", "")

    def make_code(self) -> str:
        """Return a code that lets whoever started the server in, once."""
        code = secrets.token_urlsafe(24)
        self._codes.add(code)
        return code

    def use_code(self, code: str) -> str | None:
        """Return the session that a code opens; it opens no other."""
        if code not in self._codes:
            return None
        self._codes.discard(code)
        return self._sign(self._local.id)

    def enter(self, secret: str) -> str | None:
        """Return the session that the secret of a token opens."""
        token = self._tokens.find(secret)
        return None if token is None else self._sign(token.id)

    def opened(self, session: str) -> Token | None:
        """Return the token that a session stands for."""
        return self._open(session)

    def visitor(self, request: Request) -> Visitor:
        """Find out who is asking."""
        kind, _, secret = request.headers.get("authorization", "").partition(" ")
        if kind:
            token = self._tokens.find(secret.strip()) if kind.casefold() == "bearer" else None
            if token is None:
                raise NotAllowedError("the token is not known, or revoked; ask for another", 401)
            return Visitor(token)
        session = request.cookies.get(COOKIE)
        token = None if session is None else self._open(session)
        return Visitor(token, session if token is not None else None)

    def need(self, visitor: Visitor, role: Role) -> None:
        """Let somebody pass, or say what is missing."""
        if role == "reader":
            role = self._shown_to()
            if role != "reader" and not visitor.may(role):
                words = f"the ratings are shown to {role}s only, while the panel judges"
                raise NotAllowedError(words, 401 if visitor.token is None else 403)
            if role != "reader" or not self._settings.private:
                return
        elif self._settings.read_only:
            raise NotAllowedError("this server is for reading only", 403)
        if visitor.token is None:
            raise NotAllowedError(f"this is for {role}s: sign in, or send a token", 401)
        if not visitor.may(role):
            raise NotAllowedError(
                f"the token is of a {visitor.token.role}; this is for {role}s", 403
            )

    def reads(self, visitor: Visitor) -> bool:
        """Tell whether somebody sees the ratings."""
        try:
            self.need(visitor, "reader")
        except NotAllowedError:
            return False
        return True

    def csrf(self, visitor: Visitor) -> str:
        """Return the word that forms of a session carry."""
        return self._mac(f"csrf.{visitor.session or ''}")

    def check_form(self, visitor: Visitor, word: str) -> None:
        """Check that a form came from a page of this session."""
        if not hmac.compare_digest(self.csrf(visitor).encode(), word.encode("utf-8", "replace")):
            raise NotAllowedError("the form is of another session; open the page again", 403)

    def _sign(self, id: str) -> str:
        text = f"{id}.{int(time()) + LASTING}"
        return f"{text}.{self._mac(text)}"

    def _open(self, session: str) -> Token | None:
        text, _, mac = session.rpartition(".")
        id, _, expiry = text.rpartition(".")
        if not hmac.compare_digest(self._mac(text).encode(), mac.encode("utf-8", "replace")):
            return None
        if not expiry.isdigit() or int(expiry) < time():
            return None
        return self._local if id == self._local.id else self._tokens.get(id)

    def _mac(self, text: str) -> str:
        return hmac.new(self._secret, text.encode("utf-8", "replace"), sha256).hexdigest()
