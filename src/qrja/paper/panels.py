"""The panels of the paper's figures: each draws one data set into one pair of axes.

Bars of accuracy begin at one half, which is guessing; bars of loss at 0, with a line at 1, which
is predicting 0 for everybody. A black line spans what the equally good optima of a method reach.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from qrja.paper.experiments import ENTRYWISE, FACTORED, MAIN, SUBSAMPLED
from qrja.paper.sets import SETS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Document = dict[str, Any]
Panel = Callable[["Axes", Any], None]

LABELS = {
    "qrja-l1": "ℓ₁ QRJA",
    "qrja-l2": "ℓ₂ QRJA",
    "median": "Median",
    "mean": "Mean",
    "borda": "Borda",
    "kemeny-young": "Kemeny-Young",
    "mf-rank1": "MF, rank 1",
    "mf-rank2": "MF, rank 2",
    "mf-rank5": "MF, rank 5",
    "mf-additive": "MF, additive",
}
# The first seven are Okabe and Ito's, which colour-blind readers can tell apart.
COLOURS = {
    "qrja-l1": "#0072B2",
    "qrja-l2": "#56B4E9",
    "median": "#E69F00",
    "mean": "#F0E442",
    "borda": "#009E73",
    "kemeny-young": "#999999",
    "mf-rank1": "#D55E00",
    "mf-rank2": "#CC79A7",
    "mf-rank5": "#8B5A8C",
    "mf-additive": "#A0522D",
}
LOSS_LIMIT = 2.0
"""Bars of a loss beyond this are cut: some are fifty times that of predicting 0."""

NAMES = {"ordinal_accuracy": "accuracy", "quantitative_l1": "loss", "quantitative_l2": "ℓ₂ loss"}


def accuracy_bars(rankers: Sequence[str]) -> Panel:
    """Draw the accuracy of each method, and the range of its optima where there are several."""

    def draw(axis: Axes, document: Document) -> None:
        main = document["main"]
        found = [r for r in rankers if r in main and main[r]["ordinal_accuracy"] is not None]
        _bars(axis, {r: main[r]["ordinal_accuracy"] for r in found}, base=0.5)
        for row, name in enumerate(reversed(found)):
            span = main[name].get("ordinal_accuracy_range")
            if span:
                axis.plot(span, [row + 0.25] * 2, color="black", lw=1, marker="|", ms=5)
        if all(main[r]["ordinal_accuracy"] >= 0.5 for r in found):
            axis.set_xlim(left=0.5)  # a span may begin further down; bars must stay legible
        _title(axis, document, "accuracy")

    return draw


def loss_bars(metric: str, rankers: Sequence[str]) -> Panel:
    """Draw the loss of each method that predicts margins, relative to predicting 0."""

    def draw(axis: Axes, document: Document) -> None:
        main = document["main"]
        found = {r: main[r][metric] for r in rankers if r in main}
        _relative_bars(axis, found, document["zero"][metric])
        _title(axis, document, NAMES[metric])

    return draw


def entrywise_bars(loss: str) -> Panel:
    """Draw the loss of the predicted scores themselves, relative to predicting 0."""

    def draw(axis: Axes, document: Document) -> None:
        found = {r: it[loss] for r, it in document["entrywise"].items() if r in ENTRYWISE}
        _relative_bars(axis, found, document["zero"][f"entrywise_{loss}"])
        _title(axis, document, f"entrywise {'ℓ₁' if loss == 'l1' else 'ℓ₂'} loss")

    return draw


def subsample_curves(metric: str) -> Panel:
    """Draw QRJA over the share of judgments; bars are standard deviations of the repeats."""

    def draw(axis: Axes, document: Document) -> None:
        block, scale = document["subsample"], _scale(document, metric)
        for ranker in SUBSAMPLED:
            if found := block.get(f"{ranker}/{metric}"):
                axis.errorbar(
                    block["rate"],
                    [value / scale for value in found["mean"]],
                    [value / scale for value in found["std"]],
                    capsize=2,
                    **_line(ranker),
                )
        axis.set_xlabel(f"share of judgments ({block['repeats']} repeats)", fontsize=8)
        _title(axis, document, NAMES[metric])

    return draw


def epoch_curves(metric: str) -> Panel:
    """Draw low-rank factorisations over the number of epochs."""

    def draw(axis: Axes, document: Document) -> None:
        block, scale = document["mf_epochs"], _scale(document, metric)
        for ranker in FACTORED:
            if found := block.get(f"{ranker}/{metric}"):
                axis.plot(block["epochs"], [value / scale for value in found], **_line(ranker))
        axis.set_xlabel("epochs", fontsize=8)
        _title(axis, document, NAMES[metric])

    return draw


def rule_changes(axis: Axes, both: tuple[Document, Document]) -> None:
    """Draw what becomes of the accuracy of each method from the published rules to fair ones."""
    paper, fair = (document["main"] for document in both)
    metric = "ordinal_accuracy"
    found = [r for r in MAIN if all(r in it and it[r][metric] is not None for it in (paper, fair))][
        ::-1
    ]
    for row, name in enumerate(found):
        before, after = paper[name][metric], fair[name][metric]
        colour = COLOURS[name]
        axis.plot([before, after], [row, row], color=colour, lw=1.5, zorder=1)
        axis.plot(before, row, "o", ms=5, mec=colour, mfc="white")
        axis.plot(after, row, "o", ms=5, mec=colour, mfc=colour)
        axis.annotate(
            f"{before:.3f} → {after:.3f}",
            (1.0, row),
            xycoords=("axes fraction", "data"),
            va="center",
            fontsize=7,
        )
    axis.set_yticks(range(len(found)), [LABELS[name] for name in found])
    axis.set_ylim(-0.6, len(found) - 0.4)
    _title(axis, both[0], "accuracy")


def _bars(axis: Axes, values: dict[str, float], base: float, limit: float | None = None) -> None:
    """Draw a bar per method, its value beside it; a bar beyond the limit is cut and still told."""
    names = list(values)[::-1]
    ends = [min(values[name], limit) if limit else values[name] for name in names]
    axis.barh(
        [LABELS.get(name, name) for name in names],
        [end - base for end in ends],
        left=base,
        color=[COLOURS.get(name, "#555555") for name in names],
    )
    for row, (name, end) in enumerate(zip(names, ends, strict=True)):
        axis.annotate(
            f"{values[name]:.3f}" + (" »" if end < values[name] else ""),
            (max(end, base), row),
            xytext=(3, 0),
            textcoords="offset points",
            va="center",
            fontsize=7,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5},
        )
    axis.margins(x=0.2)


def _relative_bars(axis: Axes, values: dict[str, float | None], zero: float) -> None:
    known = {name: value / zero for name, value in values.items() if value is not None}
    _bars(axis, known, base=0.0, limit=LOSS_LIMIT)
    if max(known.values(), default=0.0) > 0.8:
        axis.axvline(1.0, color="#777777", lw=0.8, ls="--", zorder=0.5)


def _line(ranker: str) -> dict[str, Any]:
    return {"label": LABELS[ranker], "color": COLOURS[ranker], "marker": "o", "ms": 3, "lw": 1}


def _scale(document: Document, metric: str) -> float:
    """Return what the paper's plots divide a metric by."""
    return 1.0 if metric == "ordinal_accuracy" else float(document["zero"][metric])


def _title(axis: Axes, document: Document, what: str) -> None:
    axis.set_title(f"{SETS[document['dataset']].title}: {what}", fontsize=9)
