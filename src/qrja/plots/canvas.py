"""Canvas: a figure to draw on, and the file it becomes.

The same numbers make the same file: nothing of the day of drawing is written into it.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from warnings import catch_warnings, filterwarnings

from qrja.errors import InputError, MissingExtraError
from qrja.tables.out import save_whole

ENDINGS = (".png", ".svg", ".pdf")
BLUE = "#1f5fa8"
WIDTH = 7.0
"""Inches of a picture with one panel."""


def open_axes(
    ax: Any, height: float, *, width: float = WIDTH, title: str | None = None
) -> tuple[Any, Any]:
    """Return a figure and axes to draw on: those given, or new ones."""
    if ax is None:
        figure = open_figure(height, width)
        ax = figure.add_subplot()
    ax.spines[["top", "right"]].set_visible(False)
    if title is not None:
        ax.set_title(plain_text(title), loc="left")
    return ax.figure, ax


def open_figure(height: float, width: float = WIDTH) -> Any:
    """Return an empty figure, or say what drawing needs."""
    try:
        from qrja.plots.picture import Picture
    except ImportError:
        raise MissingExtraError.of("matplotlib", "plot", "pictures") from None
    return Picture(figsize=(width, height), layout="constrained")


def plain_text(text: object) -> str:
    r"""Let matplotlib write a text as it is: between dollar signs it would read mathematics.

    Examples
    --------
    >>> print(plain_text("A$B$"))
    A\$B\$
    """
    return str(text).replace("$", r"\$")


def check_ending(path: str | os.PathLike[str]) -> None:
    """Check that the name of a picture says what kind it is.

    Examples
    --------
    >>> check_ending("ratings.jpg")
    Traceback (most recent call last):
    qrja.errors.InputError: ratings.jpg: pictures are .png, .svg or .pdf; name it so
    """
    if Path(path).suffix.casefold() not in ENDINGS:
        raise InputError(f"{path}: pictures are .png, .svg or .pdf; name it so")


def save_picture(figure: Any, path: str | os.PathLike[str]) -> None:
    """Write a figure into a file, whole, with texts as texts and no date.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        What to write.
    path : path
        Ends in ``.png``, ``.svg`` or ``.pdf``.

    Examples
    --------
    >>> import pathlib, tempfile, qrja
    >>> figure = qrja.fit(qrja.datasets.marathons()).plot()
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "ratings.svg")
    ...     save_picture(figure, path)
    ...     "Alice" in path.read_text()
    True
    """
    from matplotlib import rc_context

    check_ending(path)
    kind = Path(path).suffix.casefold()[1:]
    stamp = {"png": {"Software": None}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}[kind]
    with (
        rc_context({"svg.fonttype": "none", "svg.hashsalt": "qrja", "pdf.fonttype": 42}),
        catch_warnings(),
    ):
        # A letter that no font has is drawn as a box, which needs no further comment.
        filterwarnings("ignore", "Glyph .* missing from")
        save_whole(
            Path(path),
            lambda part: figure.savefig(part, format=kind, dpi=200, metadata=stamp),
        )
