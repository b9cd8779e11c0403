"""Metrics: numbers about a server in the text that Prometheus reads.

    name{label="value"} number

References
----------
Prometheus, Exposition formats, text-based format 0.0.4.
"""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping
from time import time

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
"""Seconds at which requests are counted as done."""
TEXT = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """Counts of requests, by route and status, and how long they took.

    Examples
    --------
    >>> metrics = Metrics("1.0")
    >>> metrics.count("GET", "/api/board", 200, 0.004)
    >>> print(*metrics.text({"qrja_events": 7}).splitlines()[2:5], sep=chr(10))
    # HELP qrja_events The last event of the log.
    # TYPE qrja_events gauge
    qrja_events 7
    """

    def __init__(self, version: str) -> None:
        self._version, self._began = version, time()
        self._lock = threading.Lock()
        self._requests: defaultdict[tuple[str, str, int], int] = defaultdict(int)
        self._slots: defaultdict[str, list[int]] = defaultdict(lambda: [0] * (len(BOUNDS) + 1))
        self._seconds: defaultdict[str, float] = defaultdict(float)

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request."""
        with self._lock:
            self._requests[method, route, status] += 1
            self._slots[route][bisect_left(BOUNDS, seconds)] += 1
            self._seconds[route] += seconds

    def text(self, gauges: Mapping[str, float]) -> str:
        """Write everything down, with gauges of :data:`SAID` that the caller knows."""
        with self._lock:
            requests, seconds = dict(self._requests), dict(self._seconds)
            slots = {route: list(counts) for route, counts in self._slots.items()}
        lines = [f'qrja_info{{version="{self._version}"}} 1']
        lines.insert(0, "# TYPE qrja_info gauge")
        for name, value in gauges.items():
            lines += [f"# HELP {name} {SAID[name]}", f"# TYPE {name} gauge", f"{name} {value:g}"]
        lines += ["# TYPE process_start_time_seconds gauge"]
        lines += [f"process_start_time_seconds {self._began:.3f}"]
        lines += [
            "# HELP qrja_requests_total Requests answered.",
            "# TYPE qrja_requests_total counter",
        ]
        for (method, route, status), number in sorted(requests.items()):
            labels = f'method="{method}",route="{_quoted(route)}",status="{status}"'
            lines.append(f"qrja_requests_total{{{labels}}} {number}")
        lines += ["# HELP qrja_request_seconds How long they took."]
        lines += ["# TYPE qrja_request_seconds histogram"]
        for route in sorted(slots):
            lines += _histogram(_quoted(route), slots[route], seconds[route])
        return "\n".join([*lines, ""])


SAID = {
    "qrja_events": "The last event of the log.",
    "qrja_rated_event": "The event that ratings are as of.",
    "qrja_intervals_event": "The event that intervals are as of; 0 before the first.",
    "qrja_contests": "Contests that the league holds.",
    "qrja_judgments": "Judgments that the league holds.",
    "qrja_listeners": "Streams of live updates that are open.",
}


def _histogram(route: str, counts: list[int], seconds: float) -> list[str]:
    name, total, lines = "qrja_request_seconds", 0, []
    for bound, number in zip((*map(str, BOUNDS), "+Inf"), counts, strict=True):
        total += number
        lines.append(f'{name}_bucket{{route="{route}",le="{bound}"}} {total}')
    lines += [f'{name}_sum{{route="{route}"}} {seconds:.6f}']
    return [*lines, f'{name}_count{{route="{route}"}} {total}']


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
