"""Running: a server until it is told to stop, and a stop that leaves nothing behind.

At the first signal no new connection is taken, live streams end, requests under way are answered
for up to ``PATIENCE`` seconds, what is refreshed behind is given up, and the database is closed.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

from qrja.serve.operation.request_log import set_up

if TYPE_CHECKING:
    from fastapi import FastAPI

PATIENCE = 10
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


def run_server(
    app: FastAPI, *, host: str, port: int, log: str = "text", quiet: bool = False
) -> None:
    """Serve until interrupted; ``app.state.live`` is told when a stop begins."""
    import uvicorn

    set_up(log, quiet=quiet)
    # Requests change threads several times, and would wait each time while ratings follow.
    sys.setswitchinterval(SWITCHING)
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
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

    Telling(config).run()
