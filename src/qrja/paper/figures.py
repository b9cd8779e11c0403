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
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qrja.errors import InputError, MissingExtraError
from qrja.paper.experiments import MAIN
from qrja.paper.panels import (
    Document,
    Panel,
    accuracy_bars,
    entrywise_bars,
    epoch_curves,
    loss_bars,
    rule_changes,
    subsample_curves,
)
from qrja.paper.sets import SETS
from qrja.rules import RULES

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = ("png", "pdf", "svg")
COLUMNS = 4
VARIANTS = ("mf-rank1", "mf-rank2", "mf-rank5", "mf-additive")
SHOWN_IN_MAIN = tuple(name for name in MAIN if name not in VARIANTS[1:])
"""The paper's main figure shows one of the factorisations."""


@dataclass(frozen=True)
class Plan:
    """A figure: its name, the experiment it shows, a title, and what is drawn of each set."""

    name: str
    experiment: str
    title: str
    panels: tuple[Panel, ...]


PLANS = (
    Plan(
        "main",
        "main",
        "Ordinal accuracy, and quantitative loss relative to predicting 0",
        (accuracy_bars(SHOWN_IN_MAIN), loss_bars("quantitative_l1", SHOWN_IN_MAIN)),
    ),
    Plan(
        "l2-loss",
        "main",
        "Quantitative loss with squared errors, relative to predicting 0",
        (loss_bars("quantitative_l2", SHOWN_IN_MAIN),),
    ),
    Plan(
        "mf-variants",
        "main",
        "Variants of matrix factorisation",
        (accuracy_bars(VARIANTS), loss_bars("quantitative_l1", VARIANTS)),
    ),
    Plan(
        "entrywise",
        "entrywise",
        "Errors of the predicted scores themselves, relative to predicting 0",
        (entrywise_bars("l1"), entrywise_bars("l2")),
    ),
    Plan(
        "subsample",
        "subsample",
        "QRJA on a random share of the judgments",
        (subsample_curves("ordinal_accuracy"), subsample_curves("quantitative_l1")),
    ),
    Plan(
        "mf-epochs",
        "mf_epochs",
        "Low-rank matrix factorisation while it is trained",
        (epoch_curves("ordinal_accuracy"), epoch_curves("quantitative_l1")),
    ),
)


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
        f"{rules}/{plan.name}": figure
        for rules, documents in found.items()
        for plan, figure in _figures(list(documents.values()), rules)
    }
    both = [
        (found["paper"][name], found["fair"][name])
        for name in SETS
        if found["paper"].get(name, {}).get("main") and found["fair"].get(name, {}).get("main")
    ]
    if both:
        title = "Ordinal accuracy as published (open) and under fair rules (filled)"
        drawn["paper-v-fair"] = _grid(both, [rule_changes], title)
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


def _figures(documents: Sequence[Document], rules: str) -> list[tuple[Plan, Figure]]:
    """Draw the figures of one rule set that have something to show."""
    figures = []
    for plan in PLANS:
        shown = [document for document in documents if document.get(plan.experiment)]
        if shown:
            figures.append((plan, _grid(shown, plan.panels, f"{plan.title} (rules: {rules})")))
    return figures


def _grid(shown: Sequence[Any], panels: Sequence[Panel], title: str) -> Figure:
    """Draw the panels of every data set side by side, with one legend for all."""
    try:
        from matplotlib.figure import Figure
        from matplotlib.ticker import MaxNLocator
    except ImportError:
        raise MissingExtraError.of("matplotlib", "plot", "figures") from None

    count = len(shown) * len(panels)
    columns = min(COLUMNS, count)
    rows = math.ceil(count / columns)
    figure = Figure(figsize=(3.6 * columns, 2.5 * rows + 0.8), layout="constrained")
    figure.get_layout_engine().set(h_pad=0.08, w_pad=0.08)  # type: ignore[union-attr,call-arg]
    figure.suptitle(title, fontsize=12)
    axes = figure.subplots(rows, columns, squeeze=False).ravel()
    for axis, (data, panel) in zip(axes, ((d, p) for d in shown for p in panels), strict=False):
        panel(axis, data)
        axis.spines[["top", "right"]].set_visible(False)
        axis.tick_params(labelsize=8)
        axis.xaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
    for axis in axes[count:]:
        axis.set_axis_off()
    labelled = _of_all_panels(axes[:count])
    if labelled:
        figure.legend(
            labelled.values(),
            labelled.keys(),
            loc="outside lower center",
            ncols=len(labelled),
            frameon=False,
            fontsize=9,
        )
    return figure


def _of_all_panels(axes: Iterable[Any]) -> dict[str, Any]:
    """Return label -> one of the lines that have it."""
    return {
        label: handle
        for axis in axes
        for handle, label in zip(*axis.get_legend_handles_labels(), strict=True)
    }


def _save(figure: Figure, path: Path) -> Path:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, dpi=150)
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror or error}") from None
    return path
