"""A network of who met whom: candidates on a circle, lines as wide as they met often.

Candidate k of n, the best on top and then clockwise, stands at the angle ``pi/2 - 2 pi k / n``.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import cos, pi, sin
from typing import Any

import numpy as np

from qrja.data import Floats
from qrja.errors import InputError
from qrja.plots.axis_labels import cut_name
from qrja.plots.canvas import BLUE, open_axes

WIDEST = 6.0
"""Points of the widest line."""
ROOM = 60
"""Lines that have room for that; of more all are narrower."""


def draw_network(
    names: Sequence[Hashable], meetings: Floats, *, ax: Any = None, title: str | None = None
) -> Any:
    """Draw who met whom.

    Parameters
    ----------
    names : sequence
        The candidates, the best first.
    meetings : array of float
        The weight of all meetings of each two.
    ax, title
        See :func:`draw_intervals`.
    """
    if len(names) < 2:
        raise InputError("a network needs two candidates; there are fewer")
    figure, axes = open_axes(ax, 6.4, title=title)
    angle = [pi / 2 - 2 * pi * k / len(names) for k in range(len(names))]
    most = float(np.max(meetings, initial=0.0)) or 1.0
    edges = np.argwhere(np.triu(meetings, 1) > 0)
    widest = WIDEST * min(1.0, (ROOM / max(len(edges), 1)) ** 0.5)
    for i, j in edges:
        ends = ([cos(angle[i]), cos(angle[j])], [sin(angle[i]), sin(angle[j])])
        share = float(meetings[i, j]) / most
        axes.plot(*ends, color=BLUE, linewidth=max(widest * share, 0.3), alpha=0.15 + 0.45 * share)
    seen = meetings.sum(axis=1)
    size = 30 + 130 * seen / (float(seen.max()) or 1.0)
    axes.scatter([cos(a) for a in angle], [sin(a) for a in angle], s=size, color=BLUE, zorder=3)
    for name, a in zip(names, angle, strict=True):
        _write(axes, cut_name(name, 22), a)
    axes.set_aspect("equal")
    axes.set_xlim(-1.75, 1.75)
    axes.set_ylim(-1.3, 1.3)
    axes.set_axis_off()
    return figure


def _write(axes: Any, text: str, angle: float) -> None:
    """Write a name outside the circle, from it or up to it."""
    side = "left" if cos(angle) > 0.05 else "right" if cos(angle) < -0.05 else "center"
    place = "bottom" if side == "center" and sin(angle) > 0 else "center"
    place = "top" if side == "center" and sin(angle) < 0 else place
    axes.text(1.08 * cos(angle), 1.08 * sin(angle), text, ha=side, va=place, fontsize="small")
