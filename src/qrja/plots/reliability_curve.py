"""A reliability curve: how often came true what was forecast with a probability of so much.

Honest forecasts lie on the diagonal. Each dot stands for the forecasts of one bin, its bar for two
standard errors to each side, and the size of the dot for how many there were.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from qrja.errors import InputError
from qrja.plots.canvas import BLUE, open_axes


def draw_reliability(
    bins: Mapping[str, Sequence[float]], *, ax: Any = None, title: str | None = None
) -> Any:
    """Draw what became of forecasts.

    Parameters
    ----------
    bins : dict
        Columns ``forecast``, ``happened``, ``se`` and ``pairs``, see
        :meth:`qrja.Ratings.reliability`.
    ax, title
        See :func:`draw_intervals`.
    """
    if not len(bins["forecast"]):
        raise InputError("no pair could be forecast from the results before it; add contests")
    figure, axes = open_axes(ax, 5.2, width=5.6, title=title)
    axes.plot([0.5, 1], [0.5, 1], color="0.6", linewidth=1, linestyle="--")
    forecast, happened = np.array(bins["forecast"]), np.array(bins["happened"])
    reach = 2 * np.array(bins["se"])
    axes.errorbar(forecast, happened, yerr=reach, fmt="none", color=BLUE, alpha=0.5, capsize=3)
    size = 20 + 100 * np.sqrt(np.array(bins["pairs"]) / max(bins["pairs"]))
    axes.scatter(forecast, happened, s=size, color=BLUE, zorder=3)
    axes.set_xlim(0.48, 1.02)
    axes.set_ylim(min(0.48, float((happened - reach).min()) - 0.02), 1.02)
    axes.set_xlabel("forecast: the favourite wins with probability")
    axes.set_ylabel("happened: share of pairs that the favourite won")
    axes.grid(color="0.92")
    axes.set_axisbelow(True)
    return figure
