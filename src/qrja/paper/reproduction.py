"""Run the paper's experiments: every figure a task, every task with a journal.

``OUT/<rules>/<dataset>.json`` holds the figures, ``OUT/<rules>/journal/<dataset>/`` what a run that
was killed continues from, ``OUT/<rules>/seconds.json`` the processor time of each.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from qrja._version import __version__
from qrja.backtesting import (
    MakeRanker,
    RankerTask,
    Run,
    fingerprint,
    make_tasks,
    rankers_by_name,
    run_tasks,
)
from qrja.errors import InputError
from qrja.paper.experiments import (
    ENTRYWISE,
    FEWER_REPEATS,
    MAIN,
    REPEATS,
    epoch_rankers,
    experiments_by_name,
    main_rankers,
    subsampled_rankers,
)
from qrja.paper.listings import PaperData, load
from qrja.paper.set_report import SetReport
from qrja.paper.sets import SETS, check_set
from qrja.paper.timing import Clock, Status, predict_seconds
from qrja.rules import check_rules
from qrja.tables.out import write_text


@dataclass(frozen=True)
class Job:
    """A task, the report its result belongs to, and how long it may take."""

    report: SetReport
    ranker: str
    task: RankerTask
    seconds: float


def run_paper(
    data: str | Path,
    out: str | Path,
    *,
    datasets: Iterable[str] = tuple(SETS),
    experiments: Iterable[str] = ("main",),
    rules: str = "fair",
    rankers: Sequence[str] | None = None,
    repeats: int | None = None,
    jobs: int | None = None,
    progress: Callable[[Status], None] | None = None,
) -> dict[str, dict[str, float]]:
    """Run experiments of the paper; continue what an earlier call began.

    Parameters
    ----------
    data : path
        A folder with the data sets, see :func:`qrja.paper.load`.
    out : path
        A folder for the results.
    datasets : names
        Of :data:`qrja.paper.SETS`.
    experiments : names
        Of :data:`qrja.paper.experiments.EXPERIMENTS`, or ``all``.
    rules : {"fair", "paper"}
        What rankers do and how predictions are scored.
    rankers : names, optional
        Only these; by default those of the paper.
    repeats : int, optional
        Of the subsampling experiment; by default 10, and fewer on the largest set.
    jobs : int, optional
        Processes; by default one per core.
    progress : callable, optional
        Given a :class:`qrja.paper.timing.Status` now and then.

    Returns
    -------
    dict
        Data set -> task -> seconds of processor time, those of earlier calls included.
    """
    found, folder = check_rules(rules), Path(out) / rules
    chosen = experiments_by_name(experiments)
    for name in (datasets := tuple(datasets)):
        check_set(name)
    names = tuple(rankers) if rankers is not None else MAIN
    rankers_by_name(names, found)
    if repeats is not None and repeats < 1:
        raise InputError(f"the repeats are {repeats}; give 1 or more")
    work = [
        job
        for name in datasets
        for job in _plan(load(name, data, found), folder, names, chosen, repeats)
    ]
    work.sort(key=lambda job: -job.seconds)  # the longest first, or it is waited for at the end
    clock = Clock({job.task.name: job.seconds for job in work})
    runs = run_tasks(
        [job.task for job in work],
        jobs if jobs is not None else os.cpu_count() or 1,
        None if progress is None else lambda *moved: progress(clock.tell(*moved)),
        lambda number, result: work[number].report.add(work[number].ranker, result),
    )
    return _write_seconds(folder, work, runs)


def _plan(
    data: PaperData,
    folder: Path,
    rankers: tuple[str, ...],
    experiments: frozenset[str],
    repeats: int | None,
) -> list[Job]:
    """List the tasks of a data set."""
    times = repeats if repeats is not None else FEWER_REPEATS.get(data.name, REPEATS)
    report = SetReport(
        data.name,
        data.rules,
        f"qrja {__version__} {fingerprint(data.contests)}",
        folder / f"{data.name}.json",
        rankers,
        experiments,
        times,
    )
    makers = _makers(data, rankers, experiments, times)
    tasks = make_tasks(makers, data.contests, data.rules, folder / "journal" / data.name)
    return [
        Job(
            report,
            task.name,
            replace(task, name=f"{data.name}: {task.name}"),
            predict_seconds(task.name, data.contests),
        )
        for task in tasks
    ]


def _makers(
    data: PaperData, rankers: tuple[str, ...], experiments: frozenset[str], repeats: int
) -> dict[str, MakeRanker]:
    wanted = rankers if "main" in experiments else ()
    if "entrywise" in experiments:
        wanted = (*wanted, *(name for name in ENTRYWISE if name in rankers))
    names = tuple(dict.fromkeys(("zero", *wanted)))
    makers = main_rankers(names, data.rules, len(data.names))
    if "subsample" in experiments:
        makers |= subsampled_rankers(rankers, data.rules, repeats)
    if "mf-epochs" in experiments:
        makers |= epoch_rankers(rankers, data.rules, data.name)
    return makers


def _write_seconds(
    folder: Path, work: Sequence[Job], runs: Sequence[tuple[Run, ...]]
) -> dict[str, dict[str, float]]:
    path = folder / "seconds.json"
    try:
        seconds: dict[str, dict[str, float]] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        seconds = {}
    for job, (run, *_) in zip(work, runs, strict=True):
        seconds.setdefault(str(job.report.head["dataset"]), {})[job.ranker] = run.seconds
    known = {name: seconds[name] for name in SETS if name in seconds}
    write_text(json.dumps(known, indent=1) + "\n", path)
    return known
