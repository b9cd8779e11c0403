"""Tokens: who may do what by a server; the database holds only their hashes.

A token is 256 random bits, so that a plain SHA-256 of it cannot be turned around; it is shown once.
That of a judge is a code of 80 bits, which can be typed from a sheet of paper: ``9x4k-0mzt-...``.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Literal, get_args

from sqlalchemy import Row, select

from qrja.errors import InputError
from qrja.league.events import LONGEST_NAME, now
from qrja.league.storage.schema import ABOUT, TOKENS
from qrja.league.storage.store import Store

Role = Literal["reader", "judge", "organiser"]
"""Whoever reads; who also gives judgments, under the name of the token; who may do everything."""
ROLES: tuple[Role, ...] = get_args(Role)
SECRET = "secret"
LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"
"""Of codes: none that looks like another (D. Crockford, Base 32)."""
CODE = re.compile(f"[{LETTERS}]{{16}}")
_LIKE = str.maketrans("oil", "011", "- ")


@dataclass(frozen=True)
class Token:
    """A token without its secret."""

    id: str
    role: Role
    name: str
    made: str
    revoked: str | None = None

    def may(self, role: Role) -> bool:
        """Tell whether it allows what a role allows."""
        return self.revoked is None and ROLES.index(self.role) >= ROLES.index(role)


class Tokens:
    """The tokens of a league.

    Examples
    --------
    >>> tokens = Tokens(Store.open(":memory:"))
    >>> secret = tokens.make("judge", "Ann")
    >>> found = tokens.find(secret)
    >>> found.name, found.may("judge"), found.may("organiser")
    ('Ann', True, False)
    >>> tokens.revoke(found.id)
    >>> tokens.find(secret) is None
    True
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def make(self, role: str, name: str) -> str:
        """Make a token for somebody; return its secret, which is not kept."""
        if role not in ROLES:
            raise InputError(f"the role is {role!r}; choose one of {', '.join(ROLES)}")
        self.check_name(name)
        secret = _code() if role == "judge" else secrets.token_urlsafe(32)
        made = {"id": secrets.token_hex(4), "role": role, "name": name, "made": now()}
        with self._store.beside() as connection:
            connection.execute(TOKENS.insert(), made | {"hash": _hashed(secret)})
        return secret

    @staticmethod
    def check_name(name: str) -> None:
        """Check that a log can call somebody so."""
        if not (name.strip() and name.isprintable() and len(name) <= LONGEST_NAME):
            raise InputError(f"the name is {name[:60]!r}; use letters that can be seen")

    def find(self, secret: str) -> Token | None:
        """Return the token of a secret, unless it is revoked."""
        return self._one(TOKENS.c.hash == _hashed(secret))

    def get(self, id: str) -> Token | None:
        """Return a token by its id, unless it is revoked."""
        return self._one(TOKENS.c.id == id)

    def _one(self, condition: Any) -> Token | None:
        with self._store.looking() as connection:
            row = connection.execute(TOKENS.select().where(condition)).first()
        token = None if row is None else _token(row)
        return token if token is not None and token.revoked is None else None

    def revoke(self, id: str) -> None:
        """Let a token be worth nothing from now on."""
        if self._one(TOKENS.c.id == id) is None:
            raise InputError(f"there is no token {id!r}, or it is revoked; look at the list")
        with self._store.beside() as connection:
            connection.execute(TOKENS.update().where(TOKENS.c.id == id).values(revoked=now()))

    def all(self) -> list[Token]:
        """List all tokens, revoked ones too."""
        with self._store.looking() as connection:
            rows = connection.execute(TOKENS.select().order_by(TOKENS.c.made))
            return [_token(row) for row in rows]

    def server_secret(self) -> bytes:
        """Return what sessions are signed with, the same for all servers of the league."""
        with self._store.beside() as connection:
            wanted = select(ABOUT.c.value).where(ABOUT.c.name == SECRET)
            found = connection.execute(wanted).scalar()
            if found is None:
                found = secrets.token_hex(32)
                connection.execute(ABOUT.insert(), {"name": SECRET, "value": found})
        return bytes.fromhex(str(found))


def _code() -> str:
    letters = "".join(secrets.choice(LETTERS) for _ in range(16))
    return "-".join(letters[i : i + 4] for i in range(0, 16, 4))


def _hashed(secret: str) -> str:
    """Return what is kept of a secret; a code is one however it was typed."""
    code = secret.casefold().translate(_LIKE)
    if CODE.fullmatch(code):
        secret = code
    return sha256(secret.encode("utf-8", "replace")).hexdigest()


def _token(row: Row[Any]) -> Token:
    return Token(row.id, row.role, row.name, row.made, row.revoked)
