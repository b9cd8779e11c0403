"""``qrja paper``: fetch, run, check and draw the paper's experiments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from qrja.cli import options
from qrja.cli.commands import Jobs
from qrja.cli.output import (
    aligned,
    bars,
    kept_when_interrupted,
    note,
    say,
    say_json,
    told_now_and_then,
)
from qrja.plurals import count

if TYPE_CHECKING:
    from qrja.paper import Figure, Status

NOT_RUN = "not run"
"""The status of a figure that there is no result for."""
EXPERIMENT_COLUMNS = ("main", "subsample", "mf-epochs")
"""Columns of seconds: the main experiment's tasks are those of entrywise, too."""
THEIRS = "two weeks on 56 cores"
"""What the authors report for all experiments together."""

paper = typer.Typer(
    help="Repeat the experiments of the paper.\n\n\b\nExamples:\n"
    "  qrja paper fetch --list\n"
    "  qrja paper run --data data --out results --dataset chess --rankers mean,borda",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Data = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Folder of the CSV files; by default what was fetched."),
]
Results = Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="Folder of the results.")]
Datasets = Annotated[
    list[str] | None,
    typer.Option("--dataset", metavar="NAME", help="Only this set; may be given again."),
]


@paper.command()
def fetch(
    dataset: Datasets = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="DIR", help="Where to; by default a cache folder."),
    ] = None,
    copy: Annotated[
        Path | None,
        typer.Option("--from", metavar="DIR", help="A copy of the authors' folder data."),
    ] = None,
    list_only: Annotated[bool, typer.Option("--list", help="Only say what there is.")] = False,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Download the paper's data sets from their authors' repository, checked by sha256.

    \b
    Examples:
      qrja paper fetch --list
      qrja paper fetch --dataset chess --list --json
    """
    from qrja.paper import BASE, SETS, cache_folder, check_set
    from qrja.paper import fetch as run

    folder, names = out or cache_folder(), dataset or list(SETS)
    if not list_only:
        with bars(quiet) as progress:
            run(names, folder, copy=copy, progress=progress)
    files = [
        {
            "dataset": name,
            "file": str(folder / f"{name}.csv"),
            "fetched": (folder / f"{name}.csv").exists(),
            "bytes": check_set(name).size,
            "sha256": check_set(name).sha256,
            "from": f"{BASE}/{check_set(name).folder}/clean.in",
        }
        for name in names
    ]
    if json:
        say_json(files)
        return
    for file in files:
        say(f"{file['file']}{'' if file['fetched'] else '  (not fetched)'}")
        if list_only:
            say(f"    {file['bytes']} bytes from {file['from']}")


@paper.command()
def run(
    out: Results,
    data: Data = None,
    dataset: Datasets = None,
    experiment: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="main, entrywise, subsample, mf-epochs or all; may be given again. By default"
            " main.",
        ),
    ] = None,
    rules: Annotated[str, typer.Option(metavar="RULES", help="paper or fair.")] = "fair",
    rankers: Annotated[
        str | None, typer.Option(metavar="A,B,...", help="Only these; by default the paper's ten.")
    ] = None,
    repeats: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="Of subsample: 10 by default, 2 on Codeforces, the largest."
        ),
    ] = None,
    jobs: Jobs = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Run experiments of the paper; interrupted, the same command continues.

    \b
    Examples:
      qrja paper run --data data --out results --dataset chess --rankers mean,borda
      qrja paper run --data data --out results --dataset chess --rankers mean --rules paper
    """
    from qrja.paper import FEWER_REPEATS, REPEATS, SETS, cache_folder, run_paper

    if repeats is None and {"subsample", "all"} & set(experiment or ()):
        for name in set(dataset or SETS) & set(FEWER_REPEATS):
            few = FEWER_REPEATS[name]
            note(f"{name}: {few} repeats, not {REPEATS}; --repeats asks for more", quiet)
    with kept_when_interrupted(True), _how_far(quiet) as progress:
        seconds = run_paper(
            data or cache_folder(),
            out,
            datasets=dataset or tuple(SETS),
            experiments=experiment or ("main",),
            rules=rules,
            rankers=None if rankers is None else [it.strip() for it in rankers.split(",")],
            repeats=repeats,
            jobs=jobs,
            progress=progress,
        )
    if json:
        say_json(seconds)
        return
    header = ["dataset", "tasks", *EXPERIMENT_COLUMNS, "seconds"]
    say(aligned(header, _times(seconds), left=["dataset"]))
    say(f"\nResults in {out / rules}, from {_total(seconds) / 60:.1f} minutes of processor time.")
    say(f"The authors report {THEIRS} for all their experiments.")


@contextmanager
def _how_far(quiet: bool) -> Iterator[Callable[[Status], None]]:
    """Draw a bar for the whole and one per task under way, or note it now and then."""
    with bars(quiet) as draw:
        if draw is None:
            yield told_now_and_then(_in_words, quiet)
            return

        def tell(status: Status) -> None:
            draw("all", round(1000 * status.share), 1000)
            draw(status.task, status.done, status.steps)

        yield tell


def _in_words(status: Status) -> str:
    left = status.seconds_left
    rest = "" if left is None else f", about {left / 60:.0f} minutes left"
    return f"{status.share:.0%} done{rest}; now at {status.task}"


def _times(seconds: dict[str, dict[str, float]]) -> list[list[str]]:
    """Return processor seconds by set and experiment, and of all."""
    from qrja.paper import experiment_of

    rows = []
    total = ("all", [task for tasks in seconds.values() for task in tasks.items()])
    for name, tasks in [*((name, list(it.items())) for name, it in seconds.items()), total]:
        spent = dict.fromkeys(EXPERIMENT_COLUMNS, 0.0)
        for task, took in tasks:
            spent[experiment_of(task)] += took
        shown = [f"{it:.1f}" for it in (*spent.values(), sum(spent.values()))]
        rows.append([name, str(len(tasks)), *shown])
    return rows


def _total(seconds: dict[str, dict[str, float]]) -> float:
    return sum(sum(it.values()) for it in seconds.values())


@paper.command()
def check(
    out: Results,
    expected: Annotated[
        Path, typer.Option(metavar="DIR", help="Folder of the authors' numbers, as JSON.")
    ],
    every: Annotated[
        bool, typer.Option("--all", help="List the figures that were not run, too.")
    ] = False,
    json: options.Json = False,
) -> None:
    """Print what was run beside the authors' figures; exit code 1 if one does not agree.

    What was not run is counted by set and experiment.

    \b
    Examples:
      qrja paper check --out results --expected expected
      qrja paper check --out results --expected expected --json
    """
    from qrja.paper import check as compare

    figures = compare(out, expected)
    counts = Counter(figure.status for figure in figures)
    if json:
        say_json([_as_dict(figure) for figure in figures])
    else:
        header = ["set", "experiment", "figure", "authors", "ours", "difference", ""]
        shown = [it for it in figures if every or it.status != NOT_RUN]
        if shown:
            rows = [_row(figure) for figure in shown]
            say(aligned(header, rows, left=["set", "experiment", "figure", ""]))
        for line in [] if every else _count_rest(figures):
            say(line)
        say(f"\n{len(figures)} figures: " + ", ".join(f"{n} {it}" for it, n in counts.items()))
    if counts["FAIL"]:
        raise typer.Exit(1)


def _count_rest(figures: list[Figure]) -> list[str]:
    """Count what was not run, in lines such as ``not run: chess subsample (12 figures)``."""
    rest = Counter((it.dataset, it.experiment) for it in figures if it.status == NOT_RUN)
    if not rest:
        return []
    told = [
        f"  {name} {experiment}: {count(n, 'figure')}" for (name, experiment), n in rest.items()
    ]
    return ["", "Not run (--all lists them):", *told]


def _as_dict(figure: Figure) -> dict[str, Any]:
    return asdict(figure) | {"difference": figure.difference, "status": figure.status}


def _row(figure: Figure) -> list[str]:
    ours, difference = (
        "-" if value is None else f"{value:.{digits}g}"
        for value, digits in ((figure.ours, 10), (figure.difference, 2))
    )
    return [
        figure.dataset,
        figure.experiment,
        figure.key,
        f"{figure.theirs:.10g}",
        ours,
        difference,
        figure.status,
    ]


@paper.command()
def figures(
    out: Results,
    format: Annotated[str, typer.Option(metavar="KIND", help="png, pdf or svg.")] = "png",
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Draw the paper's figures from the results, into OUT/figures.

    \b
    Examples:
      qrja paper figures --out results
      qrja paper figures --out results --format svg
    """
    from qrja.paper import draw_all

    paths = draw_all(out, format)
    if json:
        say_json([str(path) for path in paths])
        return
    for path in paths:
        say(str(path))
    note(f"drew {len(paths)} figures", quiet)
