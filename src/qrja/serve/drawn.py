"""Small pictures, as SVG without style or script: intervals, shares, a rating over time.

Numbers stand beside them in the page: pictures are for the eye alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np
from markupsafe import Markup

WIDE, HIGH, EDGE = 640, 160, 10
BAR = 240


def scale_of(lines: Sequence[dict[str, Any]]) -> tuple[float, float]:
    """Return the least and the largest value that bars of these lines show."""
    values = [line[name] for line in lines for name in ("rating", "low", "high") if name in line]
    low, high = min(values), max(values)
    return (low, high) if high > low else (low - 1.0, high + 1.0)


def draw_bar(line: dict[str, Any], scale: tuple[float, float]) -> Markup:
    """Draw a rating as a dot, within its interval if there is one."""
    low, high = scale

    def at(value: float) -> float:
        return round(4 + (BAR - 8) * (value - low) / (high - low), 1)

    bar = ""
    if line.get("low") is not None:
        x = at(line["low"])
        width = max(at(line["high"]) - x, 1.0)
        bar = f'<rect class="range" x="{x}" y="5" width="{width:.1f}" height="6"/>'
    dot = f'<circle class="dot" cx="{at(line["rating"])}" cy="8" r="3.5"/>'
    return _bar(bar + dot)


def draw_share(share: float) -> Markup:
    """Draw a part of a whole.

    Examples
    --------
    >>> 'width="120.0"' in draw_share(0.5)
    True
    """
    whole = f'<rect class="rail" width="{BAR}" y="5" height="6" rx="3"/>'
    width = BAR * min(max(share, 0.0), 1.0)
    return _bar(f'{whole}<rect class="part" width="{width:.1f}" y="5" height="6" rx="3"/>')


def _bar(parts: str) -> Markup:
    return Markup(f'<svg class="bar" viewBox="0 0 {BAR} 16" aria-hidden="true">{parts}</svg>')


def draw_history(points: Sequence[dict[str, Any]]) -> Markup:
    """Draw ratings over time as a line; nothing for fewer than two."""
    if len(points) < 2:
        return Markup("")
    values = [float(point["rating"]) for point in points]
    low, high = min(values), max(values)
    span = high - low or 1.0
    placed = [
        f"{EDGE + (WIDE - 2 * EDGE) * at:.1f},"
        f"{HIGH - EDGE - (HIGH - 2 * EDGE) * (value - low) / span:.1f}"
        for at, value in zip(_moments(points), values, strict=True)
    ]
    x, y = placed[-1].split(",")
    told = 'role="img" aria-label="Rating over time"'
    line = f'<polyline points="{" ".join(placed)}"/>'
    dot = f'<circle class="dot" cx="{x}" cy="{y}" r="4"/>'
    return Markup(f'<svg class="history" viewBox="0 0 {WIDE} {HIGH}" {told}>{line}{dot}</svg>')


def _moments(points: Sequence[dict[str, Any]]) -> list[float]:
    """Return where points lie in time, from 0 to 1: by their dates, or evenly without any.

    Examples
    --------
    >>> _moments([{"when": "2024-01-01"}, {"when": "2024-01-02"}, {"when": "2024-01-05"}])
    [0.0, 0.25, 1.0]
    >>> _moments([{"when": "Boston"}, {"when": "Oslo"}, {"when": "Rome"}])
    [0.0, 0.5, 1.0]
    """
    since = np.arange(len(points), dtype=np.float64)
    with suppress(ValueError):
        dates = np.array([str(point["when"]) for point in points], dtype="datetime64[s]")
        if dates[-1] > dates[0]:
            since = (dates - dates[0]).astype(np.float64)
    return [float(it) for it in since / since[-1]]
