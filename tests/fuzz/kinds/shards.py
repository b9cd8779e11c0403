"""Shards: data read in passes, in memory or from files, stopped and gone on with, claim no less.

What is claimed is held to 80 digits and to what is found in memory; of rows in files, each is used
or left out, as the reader of one table has it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

import qrja
from fuzz.kind import Case, Failure, Kind, only_ours
from fuzz.kinds import solvers
from fuzz.kinds.solvers import At, check_numbers, check_objective
from fuzz.problems import arguments, loss_name, problem
from fuzz.problems.exact import exact, overflows
from fuzz.problems.random import draw_contests, draw_judgments
from qrja.scale import Aim, FarProblem, InMemory, Pass, solve_passes
from qrja.scale import search as searching

D = Decimal
LOSSES = ["p=1", "p=2", "p=2", "p=1.5", "p=3", "p=1.1", "huber=1", "huber=100"]
SPOILED = ["DNF", "", "dns"]


class _Enough(Exception):  # noqa: N818 - a stop, as by a signal
    """The search is stopped."""


def draw(rng: np.random.Generator) -> Case:
    """Draw a problem, where its rows are, and when the search is stopped, if at all."""
    files = bool(rng.random() < 0.2)
    case = draw_contests(rng) if files or rng.random() < 0.5 else draw_judgments(rng)
    if "contests" in case and rng.random() < 0.3:
        _move_far(rng, case["contests"])
    case["loss"] = str(rng.choice(LOSSES))
    case["entries"] = int(rng.choice([1, 3, 10]))
    case["stop"] = int(rng.integers(0, 12)) if rng.random() < 0.5 else 0
    if files:
        case["files"] = int(rng.integers(1, 4))
        case["spoiled"] = [
            [number, str(rng.choice(SPOILED))]
            for number in range(len(case["contests"]))
            if rng.random() < 0.1
        ]
    return case


def _move_far(rng: np.random.Generator, rows: list[list[float]]) -> None:
    """Move contests, or single entrants, to levels beside which margins have few digits left."""
    level = 10.0 ** rng.uniform(3, 15)
    moved = dict(zip({row[0] for row in rows}, rng.normal(size=len(rows)), strict=False))
    for row in rows:
        row[2] += level * float(moved[row[0]])
        if rng.random() < 0.05:
            row[2] -= level * float(rng.normal())


def check(case: Case) -> None:
    """Solve in passes, and doubt everything."""
    name = f"passes, {loss_name(case)}"
    with tempfile.TemporaryDirectory() as folder, mock.patch.object(searching, "OFTEN", 0.0):
        if "files" in case:
            _check_files(case, Path(folder), name)
            return
        data = problem(case)
        aim = Aim.of(**{"p": 2.0, **_asked(case)})
        passes = InMemory.of(data, case["entries"])
        keep = Path(folder) / "vectors.npz"

        def solve(tell: Any) -> qrja.Solution:
            return solve_passes(passes, data.names, aim, tell=tell, keep=keep)

        try:
            far = _stop_once(solve, case["stop"])
        except Exception as error:
            raise Failure(f"{type(error).__name__} for {name}", error) from None
        check_claims(case, data, far, aim.tol, name)


def _asked(case: Case) -> dict[str, Any]:
    return {key: value for key, value in arguments(case).items() if key in ("p", "loss")}


def _stop_once(solve: Any, stop: int) -> Any:
    """Solve, stopped after some passes and begun again if ``stop`` says so."""

    def tell(now: Pass) -> None:
        nonlocal stop
        stop -= 1
        if stop == 0:
            raise _Enough

    try:
        return solve(tell)
    except _Enough:
        return solve(None)


def check_claims(
    case: Case, data: qrja.Contests | qrja.Judgments, far: qrja.Solution, tol: float, name: str
) -> None:
    """Everything told is true, whatever is reached."""
    check_numbers(far, name)
    truth = exact(case, data=data)
    x = [D(v) for v in far.x.tolist()]
    at = At(x, truth.value(x), truth.agreement(), truth.rounding(x))
    check_objective(far, at, case)
    if overflows(at.value):
        return
    near = qrja.solve(data, **arguments(case))
    best = min(truth.value([D(v) for v in near.x.tolist()]), at.value)
    says = f"{far!r} lower_bound={far.lower_bound!r}; in memory {near!r}, {best:.9e}"
    if D(far.lower_bound) > best + at.told:
        raise Failure(f"lower bound above the optimum: {name}", says)
    if far.status == "optimal" and at.value - best > D(2 * tol) * at.size + at.told:
        raise Failure(f"false proof: {name}", says)
    if at.value - best > D(far.gap) * at.size + at.told:
        raise Failure(f"gap too small: {name}", says)


def _check_files(case: Case, folder: Path, name: str) -> None:
    """Rate a folder of Parquet files, and the same rows as one frame."""
    import polars as pl

    spoiled = dict(case["spoiled"])
    rows = [
        (f"race {row[0]}", f"runner {row[1]}", spoiled.get(number, repr(row[2])), row[3])
        for number, row in enumerate(case["contests"])
    ]
    columns = ["race", "runner", "score", "weight"]
    source = folder / "races"
    source.mkdir()
    for part in range(case["files"]):
        frame = pl.DataFrame(rows[part :: case["files"]], schema=columns, orient="row")
        frame.write_parquet(source / f"part-{part}.parquet")
    told = {**_asked(case), "staging": folder / "staged", "engine": "local"}

    def solve(tell: Any) -> qrja.Ratings:
        return qrja.fit(source, **told, resume=tell is None, progress=tell)

    with mock.patch("qrja.scale.engines.buckets.BUCKET", max(case["entries"], 2)):
        far = _tried(lambda: _stop_once(solve, case["stop"]), name)
        table = _tried(lambda: qrja.read_table(pl.DataFrame(rows, schema=columns, orient="row")))
    if far is None or table is None:
        if (far is None) != (table is None):
            raise Failure(f"only one of folder and table is refused: {name}", f"{far} {table}")
        return
    assert isinstance(far.problem, FarProblem)
    read, summary = far.problem.read, table.summary
    if read.rows != len(rows) or read.rows != read.used + sum(n for n, _ in read.left_out.values()):
        raise Failure(f"rows read are not used or left out: {name}", read)
    if read.used != summary.used:
        raise Failure(f"other rows are used than of a table: {name}", f"{read} {summary}")
    ratings = qrja.fit(table, **_asked(case))
    near = ratings.solution
    if set(near.names) != set(far.solution.names):
        raise Failure(f"other contestants than of a table: {name}", f"{near.names}")
    slack = near.rounding + far.solution.rounding + 1e-7 * near.objective + _agreement(ratings)
    if far.solution.lower_bound > near.objective + slack:
        raise Failure(f"lower bound above the optimum: {name}", f"{far.solution!r} {near!r}")
    if near.lower_bound > far.solution.objective + slack:
        raise Failure(f"objective below the optimum: {name}", f"{far.solution!r} {near!r}")


def _agreement(ratings: qrja.Ratings) -> float:
    """Return the largest loss that is rounding where all rows agree."""
    problem, minimised = ratings.problem, ratings.solution.minimised
    assert minimised is not None
    assert minimised.loss is not None
    tiny = 1e-13 * np.abs(problem.score).max(initial=0.0)
    pairs = float(problem.pair_weight @ problem.sizes**2)
    return pairs * float(minimised.loss.value(np.array([tiny]))[0])


def _tried(make: Any, name: str = "a table") -> Any:
    """Return what is made, or None if it is refused in a sentence."""
    try:
        return make()
    except Exception as error:
        only_ours(error, name)
        return None


def shrink(case: Case) -> Iterator[Case]:
    """Yield no stop, nothing spoiled, then fewer rows and simpler numbers."""
    if case["stop"]:
        yield {**case, "stop": 0}
    if case.get("spoiled"):
        yield {**case, "spoiled": []}
    yield from solvers.shrink(case)


KIND = Kind(
    name="shards",
    about="passes over shards, in memory and from files, stopped and gone on with: as in memory",
    draw=draw,
    check=check,
    shrink=shrink,
    together=5,
    ordinary=6,
)
