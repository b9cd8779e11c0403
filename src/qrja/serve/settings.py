"""Settings of a server: who may read, whether anybody may write, and how much at once."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """What a server is told when it starts.

    Parameters
    ----------
    private : bool
        Whether reading needs a token, too.
    read_only : bool
        Whether nothing can be written by this server.
    secure : bool
        Whether cookies are for HTTPS only, as behind a proxy that does it.
    largest_body : int
        Bytes of one request.
    per_minute : int
        Requests of one address that may write, or sign in, in a minute.
    """

    private: bool = False
    read_only: bool = False
    secure: bool = False
    largest_body: int = 8 << 20
    per_minute: int = 600
