"""Backtest: the result of a back-test, contest by contest, and what it adds up to."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from qrja.backtesting.backtest_html import TrialLine, draw_trials
from qrja.backtesting.bars import outline
from qrja.backtesting.bootstrap import RESAMPLES, Difference, compare, resample_ratios, spread
from qrja.backtesting.verdict import Verdict, advise_by_margins, judge, tell_rival
from qrja.data import CONTESTED, Floats, Nouns
from qrja.errors import InputError, nearest
from qrja.folds import Folds
from qrja.metrics import LOSSES, METRICS, Sums, check_metric, total
from qrja.rules import FAIR, Rules, find_rules
from qrja.speech import Noun, Sentence


@dataclass(frozen=True, eq=False)
class Run:
    """One ranker over all contests.

    Parameters
    ----------
    sums : tuple of Sums
        One per contest.
    seconds : float
        Processor time to predict and learn, over all contests: what else the machine does
        meanwhile does not count.
    """

    sums: tuple[Sums, ...]
    seconds: float

    @cached_property
    def total(self) -> Sums:
        """The sums over all contests."""
        return total(self.sums)

    def column(self, field: str) -> Floats:
        """Return one sum of each contest."""
        return np.array([getattr(sums, field) for sums in self.sums], dtype=np.float64)

    def series(self, metric: str) -> list[float | None]:
        """Return a metric contest by contest, None where nothing was predicted."""
        return [sums.value(metric) for sums in self.sums]


@dataclass(frozen=True, eq=False)
class Backtest:
    """The result of :func:`qrja.backtest`.

    Parameters
    ----------
    rules : {"fair", "paper"}
        How it was evaluated.
    dataset : str
        What was evaluated.
    labels : tuple
        The label of each contest; of judgments, that of each date, topic or whatever else is
        resampled.
    runs : dict
        Name of a ranker -> :class:`Run`.
    zero : Run
        The prediction that everything is 0, with which the losses are compared.
    metrics : tuple of str
        What :meth:`to_dict` reports, of :data:`qrja.metrics.METRICS`.
    resamples, seed : int
        Of the bootstrap.
    folds : Folds or None
        How judgments were predicted from each other, see :mod:`qrja.folds`.
    nouns : Nouns
        What was predicted, and of whom.

    Examples
    --------
    >>> import qrja
    >>> result = qrja.backtest(qrja.datasets.classifiers(), ["mean", "zero"])
    >>> result
    Backtest(rules='fair', contests=142, rankers=mean, zero)
    >>> round(result.relative("mean", "quantitative_l1"), 2)
    1.16
    >>> error = result.standard_error("mean", "ordinal_accuracy")
    >>> result.to_dict()["rankers"]["mean"]["standard_error"]["ordinal_accuracy"] == error
    True
    """

    rules: Rules
    dataset: str
    labels: tuple[Hashable, ...]
    runs: Mapping[str, Run]
    zero: Run
    metrics: tuple[str, ...] = tuple(METRICS)
    resamples: int = RESAMPLES
    seed: int = 0
    folds: Folds | None = None
    nouns: Nouns = CONTESTED

    def __repr__(self) -> str:
        names, what = ", ".join(self.runs), f"contests={len(self.labels)}"
        if self.folds is not None:
            what = f"judgments={self.folds.predicted}, split={self.folds.split!r}"
        return f"Backtest(rules={self.rules!r}, {what}, rankers={names})"

    def _repr_html_(self) -> str:
        return draw_trials(" ".join(self.sentences()), self._lines())

    def sentences(self) -> list[str]:
        """Say what came out: the verdict, what to type, how judgments were predicted, a rival."""
        told = [self.verdict.sentence, self.verdict.advice]
        if self.folds is not None:
            told += [self.margin_advice, self.rivalry, self.folds.sentence]
        return [sentence for sentence in told if sentence]

    @property
    def margin_advice(self) -> str:
        """What to type, where another p surely has smaller errors of the margins."""
        losses = ("quantitative_l1", "quantitative_l2")
        return advise_by_margins(self.verdict, [self.differences(loss) for loss in losses])

    @property
    def rivalry(self) -> str:
        """How Bradley-Terry and the best loss of QRJA compare, where both were tried."""
        accuracy = {name: run.total.value("ordinal_accuracy") for name, run in self.runs.items()}
        return tell_rival(accuracy, self.differences("ordinal_accuracy"))

    def _lines(self) -> list[TrialLine]:
        """List the rankers, the one that puts most pairs in order first."""
        found = [
            TrialLine(
                name,
                self.value(name, "ordinal_accuracy"),
                self.standard_error(name, "ordinal_accuracy"),
                self.relative(name, "quantitative_l1"),
                name in self.verdict.worse,
            )
            for name in self.runs
        ]
        return sorted(found, key=lambda line: -(line.accuracy or 0.0))

    def value(self, ranker: str, metric: str) -> float | None:
        """Return a metric of a ranker, None where the ranker predicts nothing of the kind."""
        return self._run(ranker).total.value(check_metric(metric))

    def relative(self, ranker: str, metric: str) -> float | None:
        """Return a loss divided by that of predicting 0: less than 1 is better than nothing."""
        mine, zero = self.value(ranker, metric), self.zero.total.value(metric)
        return mine / zero if mine is not None and zero else None

    def standard_error(self, ranker: str, metric: str) -> float | None:
        """Return the standard error of a metric, contests resampled."""
        self._run(ranker)
        return spread(self._ratios[check_metric(metric)][:, list(self.runs).index(ranker)])

    def differences(self, metric: str = "ordinal_accuracy") -> list[Difference]:
        """Compare every two rankers by a metric, on the same resampled contests."""
        values = [run.total.value(check_metric(metric)) for run in self.runs.values()]
        return compare(list(self.runs), metric, values, self._ratios[metric])

    @cached_property
    def verdict(self) -> Verdict:
        """Which ranker to trust on these data, and whether its lead is more than chance."""
        return judge(
            {name: run.total.value("ordinal_accuracy") for name, run in self.runs.items()},
            self._ratios["ordinal_accuracy"],
            contests=int((self.zero.column("ordered") > 0).sum()),
            rules=self.rules,
            noun=self.nouns.event if self.folds is None else self.folds.unit_noun,
            judged=self.folds is not None,
            margins={name: self.relative(name, "quantitative_l1") for name in self.runs},
        )

    def _run(self, ranker: str) -> Run:
        if ranker not in self.runs:
            raise InputError(
                f"no ranker {ranker!r} was back-tested, only {', '.join(self.runs)}"
                f"{nearest(str(ranker), self.runs)}"
            )
        return self.runs[ranker]

    @cached_property
    def _ratios(self) -> dict[str, Floats]:
        """The resampled metrics, one column per ranker; all of them on the same draws."""
        count = len(self.runs)
        if not self.labels:
            return {metric: np.full((self.resamples, count), np.nan) for metric in METRICS}
        above, below = (
            np.column_stack(
                [run.column(sums[side]) for sums in METRICS.values() for run in self.runs.values()]
            )
            for side in (0, 1)
        )
        ratios = resample_ratios(above, below, resamples=self.resamples, seed=self.seed)
        return {
            metric: ratios[:, at * count : (at + 1) * count] for at, metric in enumerate(METRICS)
        }

    def plot(self, *, ax: Any = None, title: str | None = None) -> Any:
        """Draw a bar for each ranker, with matplotlib, and return the figure.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw the share of pairs in the right order; a new figure, with the errors of
            the margins beside it, unless given.
        title : str, optional
            Above the picture.

        Examples
        --------
        >>> import qrja
        >>> figure = qrja.backtest(qrja.datasets.classifiers(), ["mean", "borda"]).plot()
        >>> [text.get_text() for text in figure.axes[0].get_yticklabels()]
        ['borda', 'mean']
        """
        from qrja.plots import draw_trials as draw_bars

        return draw_bars(outline(self.to_dict())["metrics"], ax=ax, title=title)

    def to_dict(self, *, series: bool = False) -> dict[str, Any]:
        """Return everything as plain numbers and texts, for JSON.

        Parameters
        ----------
        series : bool
            Whether to add the metrics contest by contest.
        """
        result = {
            "rules": self.rules,
            "rules_say": self.rules_say,
            "dataset": self.dataset,
            **self._counts(),
            "pairs": max((run.total.ordered for run in self.runs.values()), default=0),
            "verdict": self.verdict.to_dict(),
            "rankers": {name: self._report(name) for name in self.runs},
            "zero": {m: self.zero.total.value(m) for m in self._chosen(LOSSES)},
            "differences": [asdict(it) for m in self.metrics for it in self.differences(m)],
        }
        if self.folds is not None:
            result |= {"margin_advice": self.margin_advice, "rivalry": self.rivalry}
        if series:
            result["series"] = {
                "contests" if self.folds is None else "units": [
                    str(label) for label in self.labels
                ],
                "rankers": {
                    name: {metric: run.series(metric) for metric in self.metrics}
                    for name, run in self.runs.items()
                },
            }
        return result

    @property
    def says(self) -> str:
        """What counts, in words."""
        rules = f"Rules {self.rules}: " if self.folds is None else ""
        return f"{rules}{self.rules_say}"

    @property
    def rules_say(self) -> str:
        """What counts by the rules, or of judgments."""
        if self.folds is None:
            says = find_rules(self.rules).says
            return says if says != FAIR.says or not self.nouns.of_things else self._fair_to_things
        return Sentence(
            "Only judgments between two who are judged elsewhere count. A judged tie has no order;"
            " a predicted tie earns half a point. {units} are resampled.",
            units=Noun(self.folds.unit_noun.capitalize(), 2),
        )

    @property
    def _fair_to_things(self) -> Sentence:
        return Sentence(
            "Each {event} is predicted from the earlier ones. Only pairs of {candidates} seen"
            " before count. The true order is that of the scores; a predicted tie earns half a"
            " point.",
            event=Noun(self.nouns.event, 1),
            candidates=Noun(self.nouns.candidate, 2),
        )

    def _counts(self) -> dict[str, Any]:
        if self.folds is None:
            return {"contests": len(self.labels), "noun": self.nouns.event}
        return {
            "judgments": self.folds.predicted,
            "split": self.folds.split,
            "folds": len(self.folds.parts),
            "resampled": self.folds.unit_noun,
            "how": self.folds.sentence,
            "units": len(self.labels),
        }

    def _chosen(self, metrics: Sequence[str]) -> list[str]:
        return [metric for metric in metrics if metric in self.metrics]

    def _report(self, name: str) -> dict[str, Any]:
        run = self.runs[name]
        report: dict[str, Any] = {metric: run.total.value(metric) for metric in self.metrics}
        if run.total.open:
            report["ordinal_accuracy_range"] = list(run.total.accuracy_range() or ())
        if run.total.chances:
            report["calibration_error"] = run.total.calibration_error()
        if shares := run.total.tie_shares():
            report["ties_foretold"], report["ties_seen"] = shares
        return report | {
            "relative_to_zero": {m: self.relative(name, m) for m in self._chosen(LOSSES)},
            "standard_error": {m: self.standard_error(name, m) for m in self.metrics},
            "seconds": run.seconds,
        }
