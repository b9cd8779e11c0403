"""Running: a server until it is told to stop, and a stop that leaves nothing behind.

At the first signal no new connection is taken, live streams end, requests under way are answered
for up to ``PATIENCE`` seconds, what is refreshed behind is given up, and the database is closed.
"""

from __future__ import annotations

import errno
import os
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

from qrja.errors import InputError
from qrja.serve.operation.request_log import set_up

if TYPE_CHECKING:
    from fastapi import FastAPI

PATIENCE, LAST = 10, 65535
"""Seconds, and the last port."""
SWITCHING = 5e-4
"""Seconds after which a thread that computes lets others in."""


@contextmanager
def stop_by_signal() -> Iterator[None]:
    """Leave by SIGTERM as by any other way out, so that whatever is open is closed."""

    def leave(number: int, frame: FrameType | None) -> NoReturn:
        raise SystemExit(0)

    before = signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def listen(host: str, port: int) -> socket.socket:
    """Take an address to serve at; port 0 takes one that is free."""
    try:
        family, kind, proto, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        taken = socket.socket(family, kind, proto)
        try:
            if os.name == "posix":  # a port that was served at a moment ago is free
                taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            taken.bind(place)
            taken.listen()
        except OSError:
            taken.close()
            raise
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            words = f"port {port} is taken by another program; choose another, as by --port"
            raise InputError(f"{words} {port + 1 if port < LAST else 0}") from None
        raise InputError(f"{host}:{port} cannot be served at: {error.strerror}") from None
    return taken


def run_server(app: FastAPI, at: socket.socket, *, log: str = "text", quiet: bool = False) -> None:
    """Serve until interrupted; ``app.state.live`` is told when a stop begins."""
    import uvicorn

    set_up(log, quiet=quiet)
    # Requests change threads several times, and would wait each time while ratings follow.
    sys.setswitchinterval(SWITCHING)
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,  # it would log the codes of links that sign in
        server_header=False,
        timeout_graceful_shutdown=PATIENCE,
    )

    class Telling(uvicorn.Server):
        """Ends live streams at the first signal: they would be waited for."""

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            app.state.live.go_down()
            super().handle_exit(sig, frame)

    with suppress(KeyboardInterrupt):  # which is how people end it
        Telling(config).run(sockets=[at])
