"""Draw the paper's figures from the JSON of its experiments.

========================  =====================================================================
file                      what it shows, per data set
========================  =====================================================================
``<rules>/main``          ordinal accuracy, and quantitative loss divided by that of predicting 0
``<rules>/l2-loss``       the same loss with squared errors
``<rules>/subsample``     l1 and l2 QRJA on a share of the judgments; bars are standard deviations
``<rules>/mf-variants``   the matrix factorisations against each other
``<rules>/mf-epochs``     low-rank factorisations after few and many epochs
``<rules>/entrywise``     errors of the predicted scores themselves
``paper-v-fair``          the accuracy of every method under both rule sets
========================  =====================================================================

Bars of accuracy begin at one half, which is guessing; bars of loss at 0, with a line at 1, which
is predicting 0 for everybody.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qrja.errors import InputError, MissingExtraError
from qrja.paper.catalogue import SETS
from qrja.paper.experiments import ENTRYWISE, FACTORED, MAIN, SUBSAMPLED
from qrja.rules import RULES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Document = dict[str, Any]
Panel = Callable[["Axes", Document], None]

FORMATS = ("png", "pdf", "svg")
COLUMNS = 4
LABELS = {
    "qrja-l1": "l1 QRJA",
    "qrja-l2": "l2 QRJA",
    "median": "Median",
    "mean": "Mean",
    "borda": "Borda",
    "kemeny-young": "Kemeny-Young",
    "mf-rank1": "MF, rank 1",
    "mf-rank2": "MF, rank 2",
    "mf-rank5": "MF, rank 5",
    "mf-additive": "MF, additive",
}
# Okabe and Ito's colours, which colour-blind readers can tell apart.
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
SHOWN_IN_MAIN = tuple(name for name in MAIN if name not in ("mf-rank2", "mf-rank5", "mf-additive"))
VARIANTS = ("mf-rank1", "mf-rank2", "mf-rank5", "mf-additive")


def draw_all(out: str | Path, kind: str = "png") -> list[Path]:
    """Draw every figure for which there are results; return the files.

    Parameters
    ----------
    out : path
        Where ``qrja paper run`` wrote; the figures go to ``OUT/figures``.
    kind : {"png", "pdf", "svg"}
        The format.
    """
    if kind not in FORMATS:
        raise InputError(f"the format is {kind!r}; choose one of {', '.join(FORMATS)}")
    found = {rules: _documents(Path(out) / rules) for rules in RULES}
    if not any(found.values()):
        raise InputError(f"{out}: has no results; `qrja paper run --out {out}` makes them")
    drawn = {
        f"{rules}/{name}": figure
        for rules, documents in found.items()
        for name, figure in _figures(list(documents.values()), rules)
    }
    both = [
        (found["paper"][name], found["fair"][name])
        for name in SETS
        if name in found["paper"] and name in found["fair"]
    ]
    if both:
        drawn["paper-v-fair"] = _compare_rules(both)
    return [
        _save(figure, Path(out) / "figures" / f"{name}.{kind}") for name, figure in drawn.items()
    ]


def _documents(folder: Path) -> dict[str, Document]:
    documents = {}
    for name in SETS:
        path = folder / f"{name}.json"
        try:
            documents[name] = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            continue
        except (OSError, ValueError) as error:
            raise InputError(f"{path}: is not a file of figures: {error}") from None
    return documents


def _figures(documents: Sequence[Document], rules: str) -> list[tuple[str, Figure]]:
    """List the figures of one rule set that have something to show."""
    both: dict[str, list[Panel]] = {
        name: [_accuracy_bars(rankers), _loss_bars("quantitative_l1", rankers)]
        for name, rankers in (("main", SHOWN_IN_MAIN), ("mf-variants", VARIANTS))
    }
    squared = [_loss_bars("quantitative_l2", SHOWN_IN_MAIN)]
    shares = [_subsample("ordinal_accuracy"), _subsample("quantitative_l1")]
    epochs = [_epochs("ordinal_accuracy"), _epochs("quantitative_l1")]
    plans: list[tuple[str, str, str, list[Panel]]] = [
        ("main", "main", "Ordinal accuracy and quantitative loss", both["main"]),
        ("l2-loss", "main", "Quantitative loss, squared errors", squared),
        ("mf-variants", "main", "Variants of matrix factorisation", both["mf-variants"]),
        ("entrywise", "entrywise", "Predicted scores", [_entrywise("l1"), _entrywise("l2")]),
        ("subsample", "subsample", "QRJA on a share of the judgments", shares),
        ("mf-epochs", "mf_epochs", "Matrix factorisation while it is trained", epochs),
    ]
    return [
        (name, _grid([it for it in documents if it.get(key)], panels, f"{title} (rules {rules})"))
        for name, key, title, panels in plans
        if any(it.get(key) for it in documents)
    ]


def _grid(documents: Sequence[Any], panels: Sequence[Panel], title: str) -> Figure:
    """Draw the panels of every data set, side by side."""
    try:
        from matplotlib.figure import Figure
        from matplotlib.ticker import MaxNLocator
    except ImportError:
        raise MissingExtraError.of("matplotlib", "plot", "figures") from None

    count = len(documents) * len(panels)
    columns = min(COLUMNS, count)
    rows = math.ceil(count / columns)
    figure = Figure(figsize=(3.6 * columns, 2.5 * rows + 0.6), layout="constrained")
    figure.suptitle(title)
    axes = figure.subplots(rows, columns, squeeze=False).ravel()
    for at, (document, panel) in enumerate((d, p) for d in documents for p in panels):
        panel(axes[at], document)
        axes[at].spines[["top", "right"]].set_visible(False)
        axes[at].tick_params(labelsize=8)
        axes[at].xaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
    for axis in axes[count:]:
        axis.set_axis_off()
    return figure


def _title(axis: Axes, document: Document, what: str) -> None:
    axis.set_title(f"{SETS[document['dataset']].title}: {what}", fontsize=9)


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


def _accuracy_bars(rankers: Sequence[str]) -> Panel:
    def draw(axis: Axes, document: Document) -> None:
        main = document["main"]
        values = {r: main[r]["ordinal_accuracy"] for r in rankers if r in main}
        _bars(axis, {r: v for r, v in values.items() if v is not None}, 0.5)
        for row, name in enumerate(list(values)[::-1]):
            if "ordinal_accuracy_range" in main[name]:
                axis.plot(main[name]["ordinal_accuracy_range"], [row, row], color="black", lw=1)
        _title(axis, document, "accuracy")

    return draw


def _loss_bars(metric: str, rankers: Sequence[str]) -> Panel:
    def draw(axis: Axes, document: Document) -> None:
        main, zero = document["main"], document["zero"][metric]
        found = {r: main[r][metric] for r in rankers if r in main}
        _bars(axis, {r: v / zero for r, v in found.items() if v is not None}, 0.0, limit=2.0)
        axis.axvline(1.0, color="#777777", lw=0.8, ls="--", zorder=0.5)
        _title(axis, document, "loss" if metric.endswith("l1") else "squared loss")

    return draw


def _entrywise(loss: str) -> Panel:
    def draw(axis: Axes, document: Document) -> None:
        found, zero = document["entrywise"], document["zero"][f"entrywise_{loss}"]
        values = {r: found[r][loss] for r in ENTRYWISE if r in found}
        _bars(axis, {r: v / zero for r, v in values.items() if v is not None}, 0.0, limit=2.0)
        _title(axis, document, f"entrywise {loss}")

    return draw


def _subsample(metric: str) -> Panel:
    def draw(axis: Axes, document: Document) -> None:
        block = document["subsample"]
        scale = 1.0 if metric == "ordinal_accuracy" else document["zero"][metric]
        for ranker in SUBSAMPLED:
            found = block.get(f"{ranker}/{metric}")
            if found:
                axis.errorbar(
                    block["rate"],
                    [value / scale for value in found["mean"]],
                    [value / scale for value in found["std"]],
                    label=LABELS[ranker],
                    color=COLOURS[ranker],
                    marker="o",
                    ms=3,
                    lw=1,
                    capsize=2,
                )
        axis.legend(fontsize=7, frameon=False)
        axis.set_xlabel(f"share of judgments ({block['repeats']} repeats)", fontsize=8)
        _title(axis, document, "accuracy" if metric == "ordinal_accuracy" else "loss")

    return draw


def _epochs(metric: str) -> Panel:
    def draw(axis: Axes, document: Document) -> None:
        block = document["mf_epochs"]
        scale = 1.0 if metric == "ordinal_accuracy" else document["zero"][metric]
        for ranker in FACTORED:
            found = block.get(f"{ranker}/{metric}")
            if found:
                axis.plot(
                    block["epochs"],
                    [value / scale for value in found],
                    label=LABELS[ranker],
                    color=COLOURS[ranker],
                    marker="o",
                    ms=3,
                    lw=1,
                )
        axis.legend(fontsize=7, frameon=False)
        axis.set_xlabel("epochs", fontsize=8)
        _title(axis, document, "accuracy" if metric == "ordinal_accuracy" else "loss")

    return draw


def _compare_rules(both: Sequence[tuple[Document, Document]]) -> Figure:
    """Draw the accuracy of every method under the published rules and under fair ones."""

    def draw(axis: Axes, pair: Any) -> None:
        paper, fair = (it["main"] for it in pair)
        names = [name for name in MAIN if name in paper and name in fair][::-1]
        for row, name in enumerate(names):
            before, after = (it[name]["ordinal_accuracy"] for it in (paper, fair))
            if before is None or after is None:
                continue
            axis.plot([before, after], [row, row], color="#bbbbbb", lw=2, zorder=1)
            for value, filled in ((before, False), (after, True)):
                axis.scatter(
                    value,
                    row,
                    s=22,
                    zorder=2,
                    edgecolors=COLOURS[name],
                    facecolors=COLOURS[name] if filled else "white",
                )
        axis.set_yticks(range(len(names)), [LABELS[name] for name in names])
        axis.set_ylim(-0.6, len(names) - 0.4)
        _title(axis, pair[0], "accuracy")

    return _grid(both, [draw], "Published rules (open) and fair rules (filled)")


def _save(figure: Figure, path: Path) -> Path:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, dpi=150)
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror or error}") from None
    return path
