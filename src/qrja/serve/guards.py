"""Guards around every request: how large it may be, how many may come, and what pages may load.

Pages load nothing from elsewhere and run no script but those of the server: the policy says so to
the browser, so that a name that came in as ``<script>`` is a name.
"""

from __future__ import annotations

import json
from collections import defaultdict, deque
from contextlib import suppress
from time import monotonic
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from qrja.serve.settings import Settings

POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self';"
    " img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors {who}"
)
HEADERS = {
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"same-origin",
    b"cross-origin-opener-policy": b"same-origin",
}
EMBEDDED = "/embed"
"""The one page that other sites may show in a frame."""


class Guards:
    """What every request passes, and every answer."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app, self._settings = app, settings
        self._seen: defaultdict[str, deque[float]] = defaultdict(deque)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        size = dict(scope["headers"]).get(b"content-length", b"0")
        if size.isdigit() and int(size) > self._settings.largest_body:
            await _refuse(send, 413, self._too_large())
            return
        if scope["method"] not in ("GET", "HEAD", "OPTIONS") and self._is_too_quick(scope):
            await _refuse(send, 429, "too many requests; wait a minute")
            return
        if scope["method"] == "HEAD":  # as GET: what carries answers leaves the body out
            scope = {**scope, "method": "GET"}
        body = Body(receive, self._settings.largest_body)
        with suppress(TooLargeError):
            await self._app(scope, body.receive, self._with_headers(scope, body.unless_over(send)))
        if body.over:
            await _refuse(send, 413, self._too_large())

    def _too_large(self) -> str:
        return f"the request is larger than {self._settings.largest_body:,} bytes; send parts"

    def _is_too_quick(self, scope: Scope) -> bool:
        seen, now = self._seen[(scope.get("client") or ("",))[0]], monotonic()
        while seen and seen[0] < now - 60:
            seen.popleft()
        if len(seen) >= self._settings.per_minute:
            return True
        seen.append(now)
        if len(self._seen) > 10_000:  # addresses are cheap: forget them rather than grow
            self._seen.clear()
        return False

    def _with_headers(self, scope: Scope, send: Send) -> Send:
        who = "*" if scope["path"] == EMBEDDED else "'none'"

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = HEADERS | {b"content-security-policy": POLICY.format(who=who).encode()}
                message["headers"] = [*message.get("headers", []), *headers.items()]
            await send(message)

        return sending


class TooLargeError(Exception):
    """A body goes on beyond what one request may hold."""


class Body:
    """A body that is read no further than it may be, whatever its header says."""

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive, self._left, self._begun = receive, most, False

    @property
    def over(self) -> bool:
        """Whether it was too large, and nothing has been answered yet."""
        return self._left < 0 and not self._begun

    async def receive(self) -> Message:
        """Receive a piece of it."""
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            raise TooLargeError
        return message

    def unless_over(self, send: Send) -> Send:
        """Send an answer, unless the body was too large: then there will be another."""

        async def sending(message: Message) -> None:
            if not self.over:
                self._begun = True
                await send(message)

        return sending


async def _refuse(send: Send, status: int, words: str) -> None:
    body: Any = json.dumps({"error": words}).encode()
    headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
