"""A figure that a notebook shows, whether or not pyplot is in use there."""

from __future__ import annotations

import io

from matplotlib.figure import Figure


class Picture(Figure):
    """A matplotlib figure that is shown where it is the result of a cell.

    Examples
    --------
    >>> Picture(figsize=(2, 1))._repr_png_()[1:4]
    b'PNG'
    """

    def _repr_png_(self) -> bytes:
        data = io.BytesIO()
        self.savefig(data, format="png", dpi=110)
        return data.getvalue()
