"""From data that do not fit to a solution: stage them, open passes, solve."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from qrja.data import Floats
from qrja.errors import InputError
from qrja.scale.engines.far_problem import FarProblem
from qrja.scale.engines.local_engine import open_passes, stage_files
from qrja.scale.passes import add_up
from qrja.scale.search import Pass
from qrja.scale.shards import Shard
from qrja.scale.solving import Aim, solve_passes
from qrja.solution import Solution
from qrja.tables import Units

Engine = Literal["local"]
BYTES = 8 * 40
"""Memory of a candidate on the driver: some twenty vectors, the forest, a name and its number."""


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
    tell: Callable[[Pass], None] | None = None,
) -> Far:
    """Stage data and solve them in passes, see :func:`qrja.fit` for the parameters."""
    if engine not in get_args(Engine):
        raise InputError(f"engine is {engine!r}; choose one of {', '.join(get_args(Engine))}")
    if resume and staging is None:
        raise InputError("resume goes on from a folder; name it as staging")
    with _folder(staging) as folder:
        staged = stage_files(data, folder, reading)
        passes = open_passes(staged)
        check_memory(len(staged.names))
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
    )
    return Far(problem, solution, staged.units)


@contextmanager
def _folder(staging: str | Path | None) -> Iterator[Path]:
    """Give a folder for the shards: the one that was named, or one that is gone afterwards."""
    if staging is not None:
        yield Path(staging).absolute()
        return
    made = Path(tempfile.mkdtemp(prefix="qrja-"))
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)


def check_memory(n: int, free: int | None = None) -> None:
    """Refuse more candidates than the memory of this machine holds vectors of.

    Examples
    --------
    >>> check_memory(10**6, free=2**30)
    >>> check_memory(10**8, free=8 * 2**30)
    Traceback (most recent call last):
    qrja.errors.InputError: 100,000,000 contestants need some 32.0 GB for their vectors, ...
    """
    have = free_memory() if free is None else free
    if have is not None and n * BYTES > have:
        raise InputError(
            f"{n:,} contestants need some {n * BYTES / 1e9:.1f} GB for their vectors, and"
            f" {have / 1e9:.1f} GB are free; use a machine with more memory, or rate groups of them"
            " apart"
        )


def free_memory() -> int | None:
    """Return the bytes that may still be taken, if the system tells."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    found = [line.split()[1] for line in lines if line.startswith("MemAvailable")]
    return int(found[0]) * 1024 if found else None


def _add_appearances(shard: Shard, out: Floats) -> None:
    out += np.bincount(shard.who, minlength=len(out))
