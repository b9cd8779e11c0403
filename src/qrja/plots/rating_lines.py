"""Lines of ratings over time: one step a day, flat until the next."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from qrja.plots.axis_labels import cut_name, label_times, label_values
from qrja.plots.canvas import open_axes
from qrja.tables import Units

COLOURS = 10
"""Colours of lines before they begin again, in other strokes."""


def draw_lines(
    lines: Mapping[Hashable, Sequence[tuple[Any, float]]],
    units: Units,
    *,
    dated: bool,
    counted: str = "contests",
    bands: Mapping[Hashable, Sequence[tuple[float, float]]] | None = None,
    ax: Any = None,
    title: str | None = None,
) -> Any:
    """Draw how ratings grew.

    Parameters
    ----------
    lines : dict
        Name -> pairs of (when, rating), see :func:`qrja.ratings.trace`.
    units : Units
        Of the ratings.
    dated : bool
        Whether ``when`` is a date, rather than a number of contests.
    counted : str
        What such a number counts.
    bands : dict, optional
        Name -> pairs of (low, high), one for each point of the line.
    ax, title
        See :func:`draw_intervals`.
    """
    figure, axes = open_axes(ax, 4.2, title=title)
    for number, (name, line) in enumerate(lines.items()):
        # Of several contests on one day only the last is seen: the others would be a vertical line.
        last = dict(line)
        few = "." if len(last) < 12 else ""
        (drawn,) = axes.step(
            list(last),
            list(last.values()),
            where="post",
            linewidth=1.8,
            linestyle="-" if number < COLOURS else "--",
            marker=few,
            label=cut_name(name, 24),
        )
        around = dict(zip((when for when, _ in line), (bands or {}).get(name, ()), strict=False))
        if around:
            low, high = zip(*around.values(), strict=True)
            colour = drawn.get_color()
            axes.fill_between(
                list(around), low, high, step="post", color=colour, alpha=0.15, linewidth=0
            )
    label_times(axes, dated=dated, counted=counted)
    label_values(axes.yaxis, axes.set_ylabel, units)
    axes.grid(color="0.92")
    axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize="small")
    return figure
