"""From data that do not fit to a solution: stage them, open passes, solve."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import numpy as np

from qrja.data import Floats
from qrja.errors import InputError
from qrja.scale.drawing import SampleRequest, rate_by_sample
from qrja.scale.engines.far_problem import FarProblem
from qrja.scale.engines.local_engine import LocalEngine
from qrja.scale.engines.memory import check_memory
from qrja.scale.engines.staging_folder import reserved
from qrja.scale.passes import add_up
from qrja.scale.search import Pass
from qrja.scale.shards import Shard
from qrja.scale.solving import Aim, solve_passes
from qrja.solution import Solution
from qrja.tables import Units
from qrja.tables.out import as_path
from qrja.tables.sources import scratch_folder

if TYPE_CHECKING:
    from qrja.scale.engines.spark import SparkEngine

Engine = Literal["local", "spark"]


class Far(NamedTuple):
    """What was found: the problem, the solution, and the units of its scores."""

    problem: FarProblem
    solution: Solution
    units: Units


def solve_far(
    data: Any,
    aim: Aim,
    *,
    engine: str,
    reading: dict[str, Any],
    staging: str | Path | None = None,
    resume: bool = False,
    sample: SampleRequest | None = None,
    tell: Callable[[Pass], None] | None = None,
) -> Far:
    """Stage data and solve them in passes, see :func:`qrja.fit` for the parameters."""
    if engine not in get_args(Engine):
        raise InputError(f"engine is {engine!r}; choose one of {', '.join(get_args(Engine))}")
    if resume and staging is None:
        raise InputError("resume goes on from a folder; name it as staging")
    if resume and sample is not None:
        raise InputError("a sample is drawn and solved at once; leave out resume")
    worker = _choose(engine, data)
    with ExitStack() as kept:
        if staging is None:
            folder = Path(kept.enter_context(scratch_folder()))
        else:
            folder = as_path(staging, "staging").absolute()
        with reserved(folder):
            far = _solve(data, folder, aim, worker, reading, resume, sample, tell)
        # Whoever has the problem may want to read it again.
        weakref.finalize(far.problem, kept.pop_all().close)
    return far


def _solve(
    data: Any,
    folder: Path,
    aim: Aim,
    worker: LocalEngine | SparkEngine,
    reading: dict[str, Any],
    resume: bool,
    sample: SampleRequest | None,
    tell: Callable[[Pass], None] | None,
) -> Far:
    staged = worker.stage(data, folder, reading)
    passes = worker.passes(staged)
    check_memory(len(staged.names))
    drawn = None
    if sample is not None:
        solution, drawn = rate_by_sample(passes, staged.names, aim, sample, tell)
    else:
        keep = folder / "vectors.npz"
        if not resume:
            keep.unlink(missing_ok=True)
        solution = solve_passes(passes, staged.names, aim, tell=tell, keep=keep)
    counted = add_up(passes, _add_appearances, passes.n)
    problem = FarProblem(
        staged.names,
        solution.components,
        counted.astype(np.int64),
        staged.contests,
        staged.entries,
        staged.directed,
        staged.nouns,
        staged.reading,
        passes,
        drawn,
    )
    return Far(problem, solution, staged.units)


def _choose(engine: str, data: Any) -> LocalEngine | SparkEngine:
    if engine == "local":
        return LocalEngine()
    from qrja.scale.engines.spark import SparkEngine

    return SparkEngine(data)


def begin_spark(master: str | None = None) -> None:
    """Begin a session of Spark, on a cluster if its address is given, or take the active one."""
    from qrja.scale.engines.spark import find_session

    find_session(master)


def _add_appearances(shard: Shard, out: Floats) -> None:
    out += np.bincount(shard.who, minlength=len(out))
