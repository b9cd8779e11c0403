"""A log of requests: one line each, for people or as JSON, and never a secret.

What is logged of an address is its route, ``/enter/{code}`` and not the code: no token, no name and
no query is ever in the log.
"""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime

REQUESTS = logging.getLogger("qrja.serve.requests")
OTHERS = ("uvicorn", "uvicorn.error", "qrja.serve")


class JsonLines(logging.Formatter):
    """A record as a line of JSON.

    Examples
    --------
    >>> record = logging.LogRecord("qrja.serve", logging.INFO, "", 0, "ready", None, None)
    >>> sorted(json.loads(JsonLines().format(record)))
    ['at', 'level', 'message', 'of']
    """

    def format(self, record: logging.LogRecord) -> str:
        """Write a record down, with the fields of a request if it is about one."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        told = {"at": at.replace("+00:00", "Z"), "level": record.levelname.lower()}
        told |= {"of": record.name, "message": record.getMessage()}
        told |= getattr(record, "request", {})
        if record.exc_info:
            told["failure"] = self.formatException(record.exc_info)
        return json.dumps(told)


def log_request(method: str, route: str, status: int, seconds: float, who: str) -> None:
    """Log that a request was answered; ``who`` is the kind of visitor, never a name."""
    about = {"method": method, "route": route, "status": status}
    about |= {"milliseconds": round(1000 * seconds, 2), "who": who}
    level = logging.ERROR if status >= 500 else logging.INFO
    words = "%s %s %d in %.1f ms"
    REQUESTS.log(level, words, method, route, status, 1000 * seconds, extra={"request": about})


def set_up(kind: str, *, quiet: bool) -> None:
    """Send everything that a server logs to the standard error, as text or as lines of JSON."""
    handler = logging.StreamHandler(sys.stderr)
    plain = logging.Formatter("%(asctime)s %(levelname)s %(message)s")
    handler.setFormatter(JsonLines() if kind == "json" else plain)
    for name in OTHERS:
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(logging.WARNING if quiet else logging.INFO)
