"""Pictures of ratings for papers and slides: PNG, SVG or PDF, drawn by matplotlib.

``draw_ratings`` shows a leaderboard with its intervals, ``draw_history`` how ratings grew,
``draw_backtest`` which methods predict well. The same ratings make the same picture: nothing of the
day of drawing is written into the file.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from warnings import catch_warnings, filterwarnings

from qrja.errors import InputError, MissingExtraError

if TYPE_CHECKING:
    from qrja.ratings import Ratings
    from qrja.ratings.intervals import Errors, Method
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
    method: Method = "auto",
    errors: Errors | None = None,
    progress: Callable[[int, int], None] | None = None,
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
    level, resamples, seed, method, errors
        Of the intervals, see :meth:`qrja.Ratings.intervals`.
    progress : callable, optional
        Told how many resamples are done, and how many there are.

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
    columns = ratings.table(
        level=level,
        resamples=resamples,
        seed=seed,
        method=method,
        errors=errors,
        kind="dict",
        progress=progress,
    )
    shown = [i for i, group in enumerate(columns["component"]) if group == 0][:top]
    if not shown:
        raise InputError("nobody is rated: there is nothing to draw")
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
    if ratings.units.kind == "ratio":  # they were fitted as logarithms
        axes.set_xscale("log")
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
    from qrja.ratings import trace

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


def draw_backtest(backtest: Mapping[str, Any], path: str | os.PathLike[str]) -> None:
    """Draw a back-test as bars with standard errors, the best method on top.

    Bars begin at what takes no method: a coin for the order, no margin for the margins.

    Parameters
    ----------
    backtest : dict
        What ``Backtest.to_dict()`` returns, or the JSON that ``qrja backtest --out`` writes.
    path : path
        Ends in ``.png``, ``.svg`` or ``.pdf``.

    Examples
    --------
    >>> import pathlib, tempfile, qrja
    >>> result = qrja.backtest(qrja.datasets.classifiers(), ["mean", "borda"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "backtest.svg")
    ...     draw_backtest(result.to_dict(), path)
    ...     "borda" in path.read_text()
    True
    """
    from qrja.backtesting import outline

    check_ending(path)
    metrics = outline(backtest)["metrics"]
    if not metrics:
        raise InputError("the back-test has no accuracy to draw; it predicted no pair")
    most = max(map(len, metrics.values()))
    figure, _ = _begin(1.1 + 0.32 * most, panels=len(metrics))
    for axes, (title, lines) in zip(figure.axes, metrics.items(), strict=True):
        _draw_bars(axes, title, lines, most, in_order=title.startswith("Pairs"))
    figure.supxlabel("error bars: one standard error", fontsize="small", color="0.4")
    _finish(figure, path)


def _draw_bars(
    axes: Any, title: str, lines: list[dict[str, Any]], most: int, *, in_order: bool
) -> None:
    base = 0.5 if in_order else 1.0
    rows, values = range(most, most - len(lines), -1), [line["value"] for line in lines]
    errors = [line["error"] or 0.0 for line in lines]
    axes.barh(rows, [v - base for v in values], left=base, height=0.6, color=BLUE, alpha=0.45)
    axes.errorbar(values, rows, xerr=errors, fmt=".", color=BLUE, capsize=3, markersize=4)
    axes.axvline(base, color="0.4", linewidth=0.8)
    axes.set_yticks(list(rows), [_cut(line["ranker"]) for line in lines])
    axes.set_ylim(0.4, most + 0.6)
    axes.set_title(title, fontsize="medium", loc="left")
    axes.set_xlabel("share (0.5: a coin)" if in_order else "share (1: none); less is better")
    axes.locator_params(axis="x", nbins=5)
    axes.grid(axis="x", color="0.92")
    axes.set_axisbelow(True)


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


def _begin(height: float, panels: int = 1) -> tuple[Any, Any]:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtraError.of("matplotlib", "plot", "pictures") from None
    figure = Figure(figsize=(7.0 if panels == 1 else 9.0, height), layout="constrained")
    for panel in range(panels):
        axes = figure.add_subplot(1, panels, panel + 1)
        axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _finish(figure: Any, path: str | os.PathLike[str]) -> None:
    """Write the picture, whole, with texts as texts and no date."""
    from matplotlib import rc_context

    from qrja.tables.out import save_whole

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
