"""A league table: the difference of every two in a cell.

The cell in row a and column b holds ``x_a - x_b`` above its interval. It is blue for better and red
for worse where the interval does not hold 0, else grey.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from qrja.errors import InputError
from qrja.plots.axis_labels import cut_name
from qrja.plots.canvas import open_axes
from qrja.tables import Units

Cell = tuple[float, float, float]
"""A difference and its bounds."""
BETTER, WORSE, OPEN = "#cfe0f3", "#f5d6d0", "#f4f4f4"


def draw_league(
    names: Sequence[Hashable],
    cells: Sequence[Sequence[Cell]],
    units: Units,
    *,
    ax: Any = None,
    title: str | None = None,
) -> Any:
    """Draw all differences of some candidates, the best first.

    Parameters
    ----------
    names : sequence
        Whose.
    cells : sequence of sequences
        ``cells[i][j]`` is the difference of names i and j with its bounds.
    units : Units
        Of the differences.
    ax, title
        See :func:`draw_intervals`.
    """
    if len(names) < 2:
        raise InputError("a league table needs two who can be compared; there are fewer")
    n = len(names)
    figure, axes = open_axes(ax, 0.9 + 0.5 * n, width=2.0 + 0.95 * n, title=title)
    for i in range(n):
        for j in range(n):
            _draw_cell(axes, j, n - 1 - i, None if i == j else cells[i][j], units)
    axes.set_xlim(-0.5, n - 0.5)
    axes.set_ylim(-0.5, n - 0.5)
    axes.set_yticks(range(n - 1, -1, -1), [cut_name(name, 22) for name in names])
    axes.set_xticks(range(n), [cut_name(name, 14) for name in names], rotation=35, ha="left")
    axes.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
    axes.spines[:].set_visible(False)
    axes.set_xlabel("row better than column by, with its interval", fontsize="small", color="0.4")
    return figure


def _draw_cell(axes: Any, x: int, y: int, cell: Cell | None, units: Units) -> None:
    from matplotlib.patches import Rectangle

    if cell is None:
        return
    value, low, high = cell
    colour = BETTER if low > 0 else WORSE if high < 0 else OPEN
    axes.add_patch(Rectangle((x - 0.48, y - 0.46), 0.96, 0.92, color=colour, linewidth=0))
    axes.text(x, y + 0.14, units.show(value), ha="center", va="center", fontsize=8)
    told = f"{units.show(low)} to {units.show(high)}"
    axes.text(x, y - 0.22, told, ha="center", va="center", fontsize=5.5, color="0.35")
