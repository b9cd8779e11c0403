"""Small pictures, as SVG without style or script: an interval as a bar, a history as a line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

WIDE, HIGH = 640, 160


def scale_of(lines: Sequence[dict[str, Any]]) -> tuple[float, float]:
    """Return the least and the largest value that bars of these lines show."""
    values = [line[name] for line in lines for name in ("rating", "low", "high") if name in line]
    low, high = min(values), max(values)
    return (low, high) if high > low else (low - 1.0, high + 1.0)


def draw_bar(line: dict[str, Any], scale: tuple[float, float]) -> Markup:
    """Draw a rating as a dot, within its interval if there is one."""
    low, high = scale

    def at(value: float) -> float:
        return round(4 + 112 * (value - low) / (high - low), 1)

    bar = ""
    if line.get("low") is not None:
        x = at(line["low"])
        width = max(at(line["high"]) - x, 1.0)
        bar = f'<rect class="range" x="{x}" y="5" width="{width:.1f}" height="6"/>'
    dot = f'<circle class="dot" cx="{at(line["rating"])}" cy="8" r="3.5"/>'
    return Markup(f'<svg class="bar" viewBox="0 0 120 16" aria-hidden="true">{bar}{dot}</svg>')


def draw_history(points: Sequence[dict[str, Any]]) -> Markup:
    """Draw ratings over time as a line; nothing for fewer than two."""
    if len(points) < 2:
        return Markup("")
    values = [float(point["rating"]) for point in points]
    low, high = min(values), max(values)
    span = high - low or 1.0
    step = (WIDE - 20) / (len(values) - 1)
    placed = [
        f"{10 + i * step:.1f},{HIGH - 12 - (HIGH - 24) * (value - low) / span:.1f}"
        for i, value in enumerate(values)
    ]
    x, y = placed[-1].split(",")
    told = 'role="img" aria-label="Rating over time"'
    line = f'<polyline points="{" ".join(placed)}"/>'
    dot = f'<circle class="dot" cx="{x}" cy="{y}" r="4"/>'
    return Markup(f'<svg class="history" viewBox="0 0 {WIDE} {HIGH}" {told}>{line}{dot}</svg>')
