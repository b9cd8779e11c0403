"""Bars of a back-test, with standard errors; the best method is on top.

Bars begin at what takes no method: a coin for the order, no margin for the margins.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from qrja.errors import InputError
from qrja.plots.axis_labels import cut_name
from qrja.plots.canvas import BLUE, open_axes, open_figure


def draw_trials(
    metrics: Mapping[str, list[dict[str, Any]]], *, ax: Any = None, title: str | None = None
) -> Any:
    """Draw a back-test, a panel for each metric; into given axes only the first of them.

    Parameters
    ----------
    metrics : dict
        Title -> lines with ``ranker``, ``value`` and ``error``, the best first.
    ax, title
        See :func:`draw_intervals`.
    """
    if not metrics:
        raise InputError("the back-test has no accuracy to draw; it predicted no pair")
    shown = list(metrics.items())[: None if ax is None else 1]
    most = max(len(lines) for _, lines in shown)
    if ax is None:
        figure = open_figure(1.1 + 0.32 * most, width=9.0 if len(shown) > 1 else 7.0)
        panels = [figure.add_subplot(1, len(shown), k + 1) for k in range(len(shown))]
        if title is not None:
            figure.suptitle(title)
    else:
        figure, panels = ax.figure, [ax]
    for panel, (name, lines) in zip(panels, shown, strict=True):
        open_axes(panel, 0.0)
        _draw_bars(panel, name, lines, most, in_order=name.startswith("Pairs"))
    if ax is None:
        figure.supxlabel("error bars: one standard error", fontsize="small", color="0.4")
    return figure


def _draw_bars(
    axes: Any, title: str, lines: list[dict[str, Any]], most: int, *, in_order: bool
) -> None:
    base = 0.5 if in_order else 1.0
    rows, values = range(most, most - len(lines), -1), [line["value"] for line in lines]
    errors = [line["error"] or 0.0 for line in lines]
    axes.barh(rows, [v - base for v in values], left=base, height=0.6, color=BLUE, alpha=0.45)
    axes.errorbar(values, rows, xerr=errors, fmt=".", color=BLUE, capsize=3, markersize=4)
    axes.axvline(base, color="0.4", linewidth=0.8)
    axes.set_yticks(list(rows), [cut_name(line["ranker"]) for line in lines])
    axes.set_ylim(0.4, most + 0.6)
    axes.set_title(title, fontsize="medium", loc="left")
    axes.set_xlabel("share (0.5: a coin)" if in_order else "share (1: none); less is better")
    axes.locator_params(axis="x", nbins=5)
    axes.grid(axis="x", color="0.92")
    axes.set_axisbelow(True)
