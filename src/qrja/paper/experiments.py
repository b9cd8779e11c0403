"""The paper's experiments: which rankers each has, and the shape of the numbers it prints."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

import numpy as np

from qrja.backtesting import MakeRanker, rankers_by_name
from qrja.data import Contest, Floats, Index
from qrja.errors import InputError, nearest
from qrja.metrics import LOSSES, Sums
from qrja.paper.as_published import PublishedAdditive
from qrja.paper.sets import SETS
from qrja.paper.subsampling import SubsampledQRJA
from qrja.rankers import LowRank
from qrja.rules import Rules, find_rules

EXPERIMENTS = {
    "main": "accuracy and quantitative loss of all ten methods",
    "entrywise": "loss of the predicted scores themselves, where a method predicts them",
    "subsample": "l1 and l2 QRJA on a share of the judgments",
    "mf-epochs": "low-rank matrix factorisation after few and many epochs",
}
"""The experiments, and what each is about."""
ALL = "all"
"""The name of all of them together."""

MAIN = (
    "qrja-l1",
    "qrja-l2",
    "median",
    "mean",
    "borda",
    "kemeny-young",
    "mf-rank1",
    "mf-rank2",
    "mf-rank5",
    "mf-additive",
)
ENTRYWISE = ("median", "mean", "mf-rank1", "mf-rank2", "mf-rank5")
SUBSAMPLED = {"qrja-l1": 1.0, "qrja-l2": 2.0}
RATES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
FACTORED = {"mf-rank1": 1, "mf-rank2": 2, "mf-rank5": 5}
SNAPSHOTS = 11

REPEATS = 10
FEWER_REPEATS = {"codeforces": 2}
"""Codeforces has 1.6 million pairs: fewer repeats there, unless asked for more."""


def check_experiment(name: str) -> str:
    """Return the name of an experiment, or say which there are.

    Examples
    --------
    >>> check_experiment("mf-epoch")
    Traceback (most recent call last):
    qrja.errors.InputError: no experiment 'mf-epoch'; did you mean 'mf-epochs'?
    """
    if name not in EXPERIMENTS:
        hint = nearest(name, EXPERIMENTS) or f"; choose from {', '.join(EXPERIMENTS)}"
        raise InputError(f"no experiment {name!r}{hint}")
    return name


def experiments_by_name(names: Iterable[str]) -> frozenset[str]:
    """Return the experiments of these names, of which ``all`` is one.

    Examples
    --------
    >>> sorted(experiments_by_name(["all"]))
    ['entrywise', 'main', 'mf-epochs', 'subsample']
    """
    wanted = frozenset(names)
    return frozenset(EXPERIMENTS) if ALL in wanted else frozenset(map(check_experiment, wanted))


def experiment_of(task: str) -> str:
    """Return which experiment a task is of; main and entrywise share theirs, called main.

    Examples
    --------
    >>> [experiment_of(name) for name in ("mean", "mf-rank1/epochs", "qrja-l1/0.3/10 repeats")]
    ['main', 'mf-epochs', 'subsample']
    """
    _, *variant = task.split("/")
    return "main" if not variant else "mf-epochs" if variant == ["epochs"] else "subsample"


def subsampled_name(ranker: str, rate: float, repeats: int) -> str:
    """Return what to call a ranker on a share of the pairs.

    Examples
    --------
    >>> subsampled_name("qrja-l1", 0.3, 10)
    'qrja-l1/0.3/10 repeats'
    """
    return f"{ranker}/{rate}/{repeats} repeats"


def subsampled_rankers(names: Sequence[str], rules: Rules, repeats: int) -> dict[str, MakeRanker]:
    """Return each rate of the subsampling experiment, all repeats together, as a ranker."""
    return {
        subsampled_name(name, rate, repeats): partial(
            SubsampledQRJA, p, rate, rules, repeats=repeats
        )
        for name, p in SUBSAMPLED.items()
        for rate in RATES
        if name in names
    }


class Snapshots:
    """Low-rank factorisation, predicting after several numbers of epochs from one training.

    Parameters
    ----------
    rank : int
        Number of factors.
    rules : {"fair", "paper"}
        Which :class:`qrja.rankers.LowRank` to take.
    epochs : sequence of int
        After how many epochs to predict.
    """

    quantitative = True

    def __init__(self, rank: int, rules: Rules, epochs: Sequence[int]) -> None:
        self._model: LowRank = find_rules(rules).instead_of(LowRank)(rank, epochs=epochs)

    def learn(self, contest: Contest) -> None:
        """Add a contest."""
        self._model.learn(contest)

    def scores(self, who: Index) -> Floats:
        """Predict after the last of the epochs."""
        return self._model.scores(who)

    def predictions(self, who: Index) -> Floats:
        """Predict after each of the epochs, one row each."""
        return self._model.snapshots(who)


def epochs_of(dataset: str) -> list[int]:
    """Return the numbers of epochs after which a factorisation is looked at.

    Examples
    --------
    >>> epochs_of("chess")[:4]
    [0, 20, 40, 60]
    """
    return [SETS[dataset].epoch_step * i for i in range(SNAPSHOTS)]


def main_rankers(names: Sequence[str], rules: Rules, contestants: int) -> dict[str, MakeRanker]:
    """Return rankers by name; as published, the additive one knows how many will ever take part."""
    makers = rankers_by_name(names, rules)
    if rules == "paper" and "mf-additive" in makers:
        makers["mf-additive"] = partial(PublishedAdditive, contestants=contestants)
    return makers


def epoch_rankers(names: Sequence[str], rules: Rules, dataset: str) -> dict[str, MakeRanker]:
    """Return the low-rank factorisations among the names, with their snapshots."""
    return {
        f"{name}/epochs": partial(Snapshots, rank, rules, epochs_of(dataset))
        for name, rank in FACTORED.items()
        if name in names
    }


def main_figures(sums: Sums) -> dict[str, Any]:
    """Return what the main experiment prints of a ranker, and the share of predicted ties.

    Where a ranker leaves pairs open, also the accuracies between which its optima lie.
    """
    names = ("ordinal_accuracy", "quantitative_l1", "quantitative_l2", "ties")
    figures: dict[str, Any] = {name: sums.value(name) for name in names}
    if sums.open:
        figures["ordinal_accuracy_range"] = list(sums.accuracy_range() or ())
    return figures


def entrywise_figures(sums: Sums) -> dict[str, float | None]:
    """Return what the entrywise experiment prints of a ranker."""
    return {loss: sums.value(f"entrywise_{loss}") for loss in ("l1", "l2")}


def zero_figures(sums: Sums) -> dict[str, float | None]:
    """Return the losses of predicting 0, by which the paper's plots divide."""
    return {loss: sums.value(loss) for loss in LOSSES}


def subsample_figures(ranker: str, totals: Sequence[Sequence[Sums]]) -> dict[str, Any]:
    """Return means and standard deviations over the repeats, from totals by rate and repeat.

    As in the paper, the standard deviation is that of the repeats themselves (divisor N).
    """
    figures = {}
    for metric in ("ordinal_accuracy", "quantitative_l1"):
        values = np.array(
            [[sums.value(metric) for sums in repeats] for repeats in totals], dtype=np.float64
        )
        figures[f"{ranker}/{metric}"] = {
            "mean": values.mean(axis=1).tolist(),
            "std": values.std(axis=1).tolist(),
        }
    return figures


def epoch_figures(ranker: str, totals: Sequence[Sums]) -> dict[str, list[float | None]]:
    """Return accuracy and loss of a factorisation after each number of epochs."""
    return {
        f"{ranker}/{metric}": [sums.value(metric) for sums in totals]
        for metric in ("ordinal_accuracy", "quantitative_l1")
    }
