"""A critical-difference picture: names along a line, joined where they cannot be told apart.

A bar from the best to the worst of a set says that the interval on their difference holds 0.

References
----------
J. Demsar, Statistical comparisons of classifiers over multiple data sets, 2006.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from qrja.errors import InputError
from qrja.plots.axis_labels import cut_name, label_values, percent_ticks, time_step
from qrja.plots.canvas import BLUE, open_axes
from qrja.tables import Units


def draw_critical(
    names: Sequence[Hashable],
    values: Sequence[float],
    alike: Sequence[tuple[int, int]],
    units: Units,
    *,
    ax: Any = None,
    title: str | None = None,
) -> Any:
    """Draw who cannot be told apart.

    Parameters
    ----------
    names : sequence
        The candidates, the best first.
    values : sequence of float
        Their ratings.
    alike : sequence of (first, last)
        Runs of candidates, by number, whose ends cannot be told apart.
    units : Units
        Of the ratings.
    ax, title
        See :func:`draw_intervals`.
    """
    if not names:
        raise InputError("nobody is rated: there is nothing to draw")
    n, depth = len(names), len(alike)
    half = (n + 1) // 2
    figure, axes = open_axes(ax, 1.2 + 0.16 * depth + 0.26 * half, title=title)
    low, high = min(values), max(values)
    reach = (high - low) or 1.0
    axes.set_xlim(high + 0.55 * reach, low - 0.55 * reach)  # the best on the left
    for level, (first, last) in enumerate(alike, start=1):
        ends = [values[first] + 0.01 * reach, values[last] - 0.01 * reach]
        axes.plot(ends, [-0.55 * level] * 2, color=BLUE, linewidth=4, solid_capstyle="butt")
    for k, (name, value) in enumerate(zip(names, values, strict=True)):
        left = k < half
        row = k if left else n - 1 - k
        y = -0.55 * (depth + 1) - 0.9 * (row + 0.5)
        end = high + 0.06 * reach if left else low - 0.06 * reach
        axes.plot([value, value, end], [0, y, y], color="0.5", linewidth=0.8)
        side = "right" if left else "left"
        axes.text(end, y, f" {cut_name(name, 24)} ", ha=side, va="center", fontsize="small")
    axes.plot(values, [0.0] * n, "o", color=BLUE, markersize=4, clip_on=False, zorder=5)
    axes.set_ylim(-0.55 * (depth + 1) - 0.9 * (half + 0.3), 0.0)
    _place_axis(axes, units, low, high)
    return figure


def _place_axis(axes: Any, units: Units, low: float, high: float) -> None:
    """Let the axis stand on top, with a few ticks where ratings are."""
    from matplotlib.ticker import MaxNLocator, MultipleLocator

    axes.spines[["left", "bottom"]].set_visible(False)
    axes.spines["top"].set_visible(True)
    axes.set_yticks([])
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("top")
    label_values(axes.xaxis, axes.set_xlabel, units)
    steps = [time_step(1.3 * (high - low))] if units.kind == "time" and high > low else []
    locator = MultipleLocator(*steps) if steps else MaxNLocator(5)
    ticks = percent_ticks(low, high) if units.kind == "percent" else locator.tick_values(low, high)
    inside = [float(tick) for tick in ticks if low <= tick <= high]
    axes.set_xticks(inside or [low])
