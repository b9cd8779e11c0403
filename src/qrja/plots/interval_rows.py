"""Rows of dots with intervals: a leaderboard, or a forest of differences from one reference."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from qrja.errors import InputError
from qrja.plots.axis_labels import cut_name, label_values, name_and_rank
from qrja.plots.canvas import BLUE, open_axes
from qrja.tables import Units


@dataclass(frozen=True)
class IntervalRow:
    """One row: a name, where its dot stands, and from where to where it may be in truth."""

    name: Hashable
    value: float
    low: float | None = None
    high: float | None = None
    rank: int | None = None


def draw_intervals(
    rows: Sequence[IntervalRow],
    units: Units,
    *,
    reference: Hashable | None = None,
    ax: Any = None,
    title: str | None = None,
) -> Any:
    """Draw rows of dots with their intervals, the first on top.

    Parameters
    ----------
    rows : sequence of IntervalRow
        Ratings, or differences from ``reference``; logarithms of ratios.
    units : Units
        Of the values.
    reference : hashable, optional
        Values are differences from this one, marked by a line at 0.
    ax : matplotlib axes, optional
        Where to draw; a new figure unless given.
    title : str, optional
        Above the picture.
    """
    if not rows:
        raise InputError("nobody is rated: there is nothing to draw")
    figure, axes = open_axes(ax, 0.8 + 0.28 * len(rows), title=title)
    places = range(len(rows), 0, -1)
    if reference is not None:
        axes.axvline(0.0, color="0.5", linewidth=0.9)
    for row, y in zip(rows, places, strict=True):
        if row.low is not None and row.high is not None:
            axes.hlines(y, row.low, row.high, color=BLUE, linewidth=2, alpha=0.45)
    axes.plot([row.value for row in rows], places, "o", color=BLUE, markersize=5)
    axes.set_yticks(list(places), [_label(row) for row in rows])
    axes.set_ylim(0.4, len(rows) + 0.6)
    label_values(axes.xaxis, axes.set_xlabel, units)
    if reference is not None:
        axes.set_xlabel(f"better than {cut_name(reference)} by")
    axes.grid(axis="x", color="0.9")
    axes.set_axisbelow(True)
    return figure


def _label(row: IntervalRow) -> str:
    return cut_name(row.name) if row.rank is None else name_and_rank(row.name, row.rank)
