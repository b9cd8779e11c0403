"""Run a back-test: one task per ranker, each with a journal of its own.

Judgments have tasks of their own (:mod:`~qrja.backtesting.judged_tasks`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote

from qrja._version import __version__
from qrja.backtesting.bootstrap import RESAMPLES
from qrja.backtesting.journal import Journal
from qrja.backtesting.judged_tasks import JUDGED, JudgedTask, fingerprint_folds
from qrja.backtesting.loop import predict_score_learn
from qrja.backtesting.outcome import Backtest, Run
from qrja.backtesting.workers import Progress, run_tasks
from qrja.data import CONTESTED, Contest, Contests, Judgments, plain_list, whole_number
from qrja.display import as_progress
from qrja.errors import InputError
from qrja.folds import FOLDS, Folds, deal
from qrja.metrics import METRICS, check_metric
from qrja.rankers import Ranker, check_judged, make_ranker
from qrja.rules import Rules, check_rules
from qrja.tables.out import as_path

Sequel = Contests | Sequence[Contest]
"""Contests in time order."""

MakeRanker = Callable[[], Ranker]

FAST = ("qrja-auto", "qrja-l1", "qrja-l2", "mean", "median", "borda", "elo")
"""Rankers that predict thousands of contests in seconds: those compared unless others are named."""


@dataclass(frozen=True, eq=False)
class RankerTask:
    """One ranker over all contests; continues from its journal."""

    name: str
    make: MakeRanker
    contests: Sequel
    rules: Rules
    journal: Path | None = None
    of: str = ""

    @property
    def steps(self) -> int:
        """Return the number of contests."""
        return len(self.contests)

    def run(self, tell: Callable[[int], None]) -> tuple[Run, ...]:
        """Predict, score and learn, from where the journal ends; one run per prediction."""
        with Journal(self.journal, self.of) as journal:
            done = len(journal.entries)
            tell(done)
            if done < self.steps:
                ranker = _check_ranker(self.name, self.make())
                for entry in predict_score_learn(ranker, self.contests, self.rules, skip=done):
                    journal.append(entry)
                    tell(len(journal.entries))
        seconds = sum(seconds for _, seconds in journal.entries)
        by_prediction = zip(*(sums for sums, _ in journal.entries), strict=True)
        return tuple(Run(sums, seconds) for sums in by_prediction) or (Run((), 0.0),)


def _check_ranker(name: str, ranker: Ranker) -> Ranker:
    for member in ("learn", "scores", "quantitative"):
        if not hasattr(ranker, member):
            raise InputError(
                f"ranker {name!r} is a {type(ranker).__name__} without {member!r};"
                " give learn, scores and quantitative, see qrja.rankers.Ranker"
            )
    return ranker


def backtest(
    contests: Contests | Iterable[Contest] | Judgments,
    rankers: str | Iterable[str] | Mapping[str, MakeRanker] | None = None,
    rules: str = "fair",
    metrics: Iterable[str] = tuple(METRICS),
    *,
    dataset: str = "",
    jobs: int = 1,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: Progress | bool | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
    split: str = "auto",
    folds: int = FOLDS,
) -> Backtest:
    """Predict each contest from the earlier ones, by several rankers, and score the predictions.

    Judgments are predicted from those of earlier dates; without dates they are cross-validated.

    Parameters
    ----------
    contests : Contests, iterable of Contest, or Judgments
        Contests in time order.
    rankers : names, or a dict
        Names of :data:`qrja.rankers.RANKERS`, or name -> a function that makes a new ranker. By
        default the fast ones; for judgments QRJA with several p, and Bradley-Terry.
    rules : {"fair", "paper"}
        What rankers do and how predictions are scored, see :data:`qrja.rules.RULES`.
    metrics : names
        What to report, of :data:`qrja.metrics.METRICS`.
    dataset : str
        A name for the result.
    jobs : int
        Processes to spread the rankers over.
    checkpoint : path, optional
        A folder for journals: a call that was killed continues where it was, with the same result.
    progress : bool or callable, optional
        True for a bar, on a terminal or in a notebook; or a function that is told the ranker, the
        contests done and the contests in all, now and then.
    resamples, seed : int
        Of the bootstrap that gives the standard errors; the seed also deals folds.
    split : {"auto", "date", "study", "topic", "judge", "row"}
        Of judgments: what is held apart. Unless named it is the date; else the study; else the
        topic, or else the judge, if there are ten; else single judgments.
    folds : int
        Of judgments: into how many parts they are dealt, if not by date.

    Examples
    --------
    >>> import qrja
    >>> result = qrja.backtest(qrja.datasets.classifiers(), ["mean", "borda"])
    >>> round(result.value("mean", "ordinal_accuracy"), 3)
    0.647
    >>> better = result.differences("ordinal_accuracy")[0]
    >>> better.low < better.difference < better.high
    True
    >>> print(result.verdict.sentence)
    borda puts 65.9% of pairs in the right order, but its lead over mean may be chance: these data
    do not tell the methods apart. No method predicts the margins better than predicting none.
    """
    chosen, found = _check_metrics(metrics), check_rules(rules)
    jobs, resamples = whole_number(jobs, "jobs", 1), whole_number(resamples, "resamples", 2)
    whole_number(seed, "seed", 0)
    told = as_progress(progress, "back-test")
    zero = {"zero": partial(make_ranker, "zero", found)}
    tasks: list[RankerTask] | list[JudgedTask]
    dealt: Folds | None = None
    if isinstance(contests, Judgments):
        dealt = deal(contests, split, folds=folds, seed=seed)
        made = _rankers_of_judgments(rankers, found, dealt)
        tasks, labels = make_judged_tasks(made | zero, contests, dealt, checkpoint), dealt.labels
    else:
        _check_no_folds(split, folds)
        sequel = _check_contests(contests)
        made = rankers_by_name(FAST if rankers is None else rankers, found)
        tasks = make_tasks(made | zero, sequel, found, checkpoint)
        labels = tuple(contest.label for contest in sequel)
    results: list[tuple[Run, ...]] = run_tasks(tasks, jobs, told)
    runs = {name: run for name, (run, *_) in zip(made | zero, results, strict=True)}
    return Backtest(
        rules=found,
        dataset=dataset,
        labels=labels,
        runs={name: runs[name] for name in made},
        zero=runs["zero"],
        metrics=chosen,
        resamples=resamples,
        seed=seed,
        folds=dealt,
        nouns=getattr(contests, "nouns", CONTESTED),
    )


def _rankers_of_judgments(
    rankers: str | Iterable[str] | Mapping[str, MakeRanker] | None, rules: Rules, folds: Folds
) -> dict[str, MakeRanker]:
    """Return name -> a function that makes a new ranker that learns judgments."""
    if rules != "fair":
        raise InputError(f"rules {rules!r} are those of contests, and these are judgments")
    if rankers is None:
        # Elo hangs on an order of matches, which only dates give.
        rankers = (*JUDGED, "elo") if folds.split == "date" else JUDGED
    made = rankers_by_name(rankers, rules)
    if not isinstance(rankers, Mapping):
        for name in made:
            check_judged(name)
    return made


def _check_no_folds(split: str, folds: int) -> None:
    if split not in ("auto", "date") or folds != FOLDS:
        raise InputError(
            "split and folds are for judgments; each contest is predicted from those before it"
        )


def rankers_by_name(
    rankers: str | Iterable[str] | Mapping[str, MakeRanker], rules: Rules
) -> dict[str, MakeRanker]:
    """Return name -> a function that makes a new ranker; a wrong name is found at once."""
    if isinstance(rankers, Mapping):
        for name, make in rankers.items():
            if not callable(make):
                raise InputError(f"ranker {name!r} is {make!r}; give a function that makes one")
        return dict(rankers)
    names = [rankers] if isinstance(rankers, str) else plain_list(rankers, "ranker")
    if not names:
        raise InputError("no ranker is named; give at least one, such as mean")
    for name in names:
        if not isinstance(name, str):
            raise InputError(
                f"ranker {name!r} is no name; give names, or a dict from names to functions that"
                " make a ranker"
            )
        make_ranker(name, rules=rules)
    return {name: partial(make_ranker, name, rules=rules) for name in names}


def make_tasks(
    makers: Mapping[str, MakeRanker],
    contests: Sequel,
    rules: Rules,
    checkpoint: str | os.PathLike[str] | None,
) -> list[RankerTask]:
    """Give every ranker its task and, in a folder, its journal."""
    folder = None if checkpoint is None else as_path(checkpoint, "checkpoint")
    data = fingerprint(contests) if folder is not None else ""
    return [
        RankerTask(
            name,
            make,
            contests,
            rules,
            None if folder is None else folder / f"{quote(name, safe='')}.jsonl",
            f"qrja {__version__} {rules} {name} {data}",
        )
        for name, make in makers.items()
    ]


def make_judged_tasks(
    makers: Mapping[str, MakeRanker],
    judgments: Judgments,
    folds: Folds,
    checkpoint: str | os.PathLike[str] | None,
) -> list[JudgedTask]:
    """Give every ranker its task on judgments and, in a folder, its journal."""
    folder = None if checkpoint is None else as_path(checkpoint, "checkpoint")
    data = fingerprint_folds(judgments, folds) if folder is not None else ""
    return [
        JudgedTask(
            name,
            partial(_make_checked, name, make),
            judgments,
            folds,
            None if folder is None else folder / f"{quote(name, safe='')}.jsonl",
            f"qrja {__version__} judgments {name} {data}",
        )
        for name, make in makers.items()
    ]


def _make_checked(name: str, make: MakeRanker) -> Ranker:
    return _check_ranker(name, make())


def fingerprint(contests: Sequel) -> str:
    """Return a checksum of who took part, how they scored and what was known beforehand.

    Examples
    --------
    >>> from qrja import datasets
    >>> fingerprint(datasets.marathons()) == fingerprint(list(datasets.marathons()))
    True
    """
    digest = sha256()
    for contest in contests:
        digest.update(f"{contest.label!r}:{len(contest)}".encode())
        digest.update(contest.who.tobytes() + contest.score.tobytes())
        digest.update(f"{contest.date}".encode())
        for one in contest.covariates:
            named = [one.levels[k] for k in one.values.astype(int)] if one.levels else []
            digest.update(f"{one.name!r}:{named!r}".encode() + one.values.tobytes())
    return digest.hexdigest()


def _check_metrics(metrics: Iterable[str]) -> tuple[str, ...]:
    chosen = [metrics] if isinstance(metrics, str) else plain_list(metrics, "metric")
    return tuple(check_metric(metric) for metric in chosen)


def _check_contests(contests: Any) -> Sequel:
    if isinstance(contests, Contests):
        return contests
    if not isinstance(contests, Iterable):
        kind = type(contests).__name__
        raise InputError(
            f"contests is a {kind}; give Contests, or a list of them in time order, or Judgments"
        )
    listed = tuple(contests)
    for number, contest in enumerate(listed):
        if not isinstance(contest, Contest):
            raise InputError(f"contest {number} is a {type(contest).__name__}; give a qrja.Contest")
    return listed
