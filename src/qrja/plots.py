"""Pictures of ratings for papers and slides: PNG, SVG or PDF, drawn by matplotlib.

``draw_ratings`` shows a leaderboard with its intervals, ``draw_history`` how ratings grew. The
same ratings make the same picture: nothing of the day of drawing is written into the file.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qrja.errors import InputError, MissingExtraError

if TYPE_CHECKING:
    from qrja.ratings import Ratings
    from qrja.tables import Units

ENDINGS = (".png", ".svg", ".pdf")
BLUE = "#1f5fa8"
LONGEST = 30
"""Characters of a name beside an axis."""


def draw_ratings(
    ratings: Ratings,
    path: str | os.PathLike[str],
    *,
    top: int = 20,
    level: float = 0.95,
    resamples: int = 200,
    seed: int = 0,
) -> None:
    """Draw the leaderboard of the largest group, with its intervals.

    Parameters
    ----------
    ratings : Ratings
        What to draw.
    path : path
        Ends in ``.png``, ``.svg`` or ``.pdf``.
    top : int
        How many contestants, from the best on.
    level, resamples, seed
        Of the intervals, see :meth:`qrja.Ratings.intervals`.

    Examples
    --------
    >>> import pathlib, tempfile, qrja
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "ratings.svg")
    ...     draw_ratings(qrja.fit(qrja.datasets.marathons()), path)
    ...     "Alice" in path.read_text()
    True
    """
    check_ending(path)
    columns = ratings.table(level=level, resamples=resamples, seed=seed, kind="dict")
    shown = [i for i, group in enumerate(columns["component"]) if group == 0][:top]
    height = 0.8 + 0.28 * len(shown)
    figure, axes = _begin(height)
    rows = range(len(shown), 0, -1)
    rating = [columns["rating"][i] for i in shown]
    if columns["low"][0] is not None:
        low, high = ([columns[name][i] for i in shown] for name in ("low", "high"))
        axes.hlines(rows, low, high, color=BLUE, linewidth=2, alpha=0.45)
    axes.plot(rating, rows, "o", color=BLUE, markersize=5)
    names = [f"{_cut(columns['contestant'][i])}  {columns['rank'][i]}" for i in shown]
    axes.set_yticks(list(rows), names)
    axes.set_ylim(0.4, len(shown) + 0.6)
    _label_values(axes.xaxis, axes.set_xlabel, ratings.units, absolute=True)
    axes.grid(axis="x", color="0.9")
    _finish(figure, path)


def draw_history(
    ratings: Ratings, path: str | os.PathLike[str], who: Sequence[Hashable], *, points: int = 40
) -> None:
    """Draw how the ratings of some contestants grew.

    Parameters
    ----------
    ratings : Ratings
        Of contests.
    path : path
        Ends in ``.png``, ``.svg`` or ``.pdf``.
    who : names
        Whose ratings; about eight can be told apart.
    points : int
        At how many times they are fitted to the contests so far.
    """
    from qrja.ratings.history import trace

    check_ending(path)
    lines = trace(ratings, who, points)
    figure, axes = _begin(4.2)
    for name, line in lines.items():
        when, rating = zip(*line, strict=True)
        axes.plot(when, rating, linewidth=1.8, marker="." if len(line) < 12 else "")
        axes.plot([], [], color=axes.lines[-1].get_color(), linewidth=4, label=_cut(name))
    _label_times(axes, dated=getattr(ratings.data, "date", None) is not None)
    _label_values(axes.yaxis, axes.set_ylabel, ratings.units, absolute=False)
    axes.grid(color="0.92")
    axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))
    _finish(figure, path)


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


def _begin(height: float) -> tuple[Any, Any]:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtraError.of("matplotlib", "plot", "pictures") from None
    figure = Figure(figsize=(7.0, height), layout="constrained")
    axes = figure.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _finish(figure: Any, path: str | os.PathLike[str]) -> None:
    """Write the picture, whole, with texts as texts and no date."""
    from matplotlib import rc_context

    from qrja.tables.write import save_whole

    kind = Path(path).suffix.casefold()[1:]
    stamp = {"png": {"Software": None}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}[kind]
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "qrja", "pdf.fonttype": 42}):
        save_whole(
            Path(path),
            lambda part: figure.savefig(part, format=kind, dpi=200, metadata=stamp),
        )


def _label_values(axis: Any, set_label: Any, units: Units, *, absolute: bool) -> None:
    """Write ratings in their units; a table holds ratios, a history logarithms of them."""
    from matplotlib.ticker import FuncFormatter

    if units.kind == "ratio" and absolute:
        set_label("rating (ratio)")
        return
    if units.kind != "number":
        axis.set_major_formatter(FuncFormatter(lambda value, _: units.show(value)))
    set_label({"time": "rating (time ahead)", "ratio": "rating (ratio)"}.get(units.kind, "rating"))


def _label_times(axes: Any, *, dated: bool) -> None:
    from matplotlib.dates import AutoDateLocator, ConciseDateFormatter

    if dated:
        locator = AutoDateLocator()  # type: ignore[no-untyped-call]
        axes.xaxis.set_major_locator(locator)
        axes.xaxis.set_major_formatter(
            ConciseDateFormatter(locator)  # type: ignore[no-untyped-call]
        )
    else:
        axes.set_xlabel("contests")


def _cut(name: Hashable) -> str:
    # matplotlib reads what stands between dollar signs as mathematics.
    text = str(name).replace("$", r"\$")
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
