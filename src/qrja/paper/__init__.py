"""The paper's experiments: data, runs, comparison with the authors' numbers, figures.

"Aggregating Quantitative Relative Judgments: From Social Choice to Ranking Prediction", Xu, Zhang,
Cheng and Conitzer, NeurIPS 2024. ``docs/reproduce.md`` says what comes out.

Reading order: :mod:`sets` (the data sets), :mod:`download` (from the authors), :mod:`listings` (as
contests), :mod:`experiments` (which rankers, which figures), :mod:`subsampling` (QRJA on a share of
the judgments), :mod:`reproduction` (all of it, with :mod:`timing`), :mod:`set_report` (the figures
of a set), :mod:`comparison` (with the authors'), :mod:`figures` and their :mod:`panels`. What the
published numbers were computed with, and nothing else uses, is :mod:`qrja.paper.as_published`,
which stands below the back-test. So these names are imported when first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from qrja.lazy import lazily

if TYPE_CHECKING:
    from qrja.paper.comparison import Figure, check
    from qrja.paper.download import BASE, cache_folder, fetch
    from qrja.paper.experiments import FEWER_REPEATS, MAIN, REPEATS, experiment_of
    from qrja.paper.figures import draw_all
    from qrja.paper.listings import PaperData, load
    from qrja.paper.reproduction import run_paper
    from qrja.paper.sets import SETS, PaperSet, check_set
    from qrja.paper.timing import Status

__all__ = [
    "BASE",
    "FEWER_REPEATS",
    "MAIN",
    "REPEATS",
    "SETS",
    "Figure",
    "PaperData",
    "PaperSet",
    "Status",
    "cache_folder",
    "check",
    "check_set",
    "draw_all",
    "experiment_of",
    "fetch",
    "load",
    "run_paper",
]

_HOME = {
    "BASE": "download",
    "FEWER_REPEATS": "experiments",
    "Figure": "comparison",
    "MAIN": "experiments",
    "PaperData": "listings",
    "PaperSet": "sets",
    "REPEATS": "experiments",
    "SETS": "sets",
    "Status": "timing",
    "cache_folder": "download",
    "check": "comparison",
    "check_set": "sets",
    "draw_all": "figures",
    "experiment_of": "experiments",
    "fetch": "download",
    "load": "listings",
    "run_paper": "reproduction",
}

__getattr__ = lazily(__name__, {name: f"qrja.paper.{home}" for name, home in _HOME.items()})
