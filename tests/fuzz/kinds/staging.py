"""Staging: a folder of shards with a bit flipped, an end cut off, a file gone or emptied.

Whoever goes on from there gets the same ratings, staged again if need be, or a sentence.
"""

from __future__ import annotations

import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

import qrja
from fuzz.kind import Case, Failure, Kind, only_ours
from qrja.scale import Pass
from qrja.scale import search as searching

FILES = ["manifest.json", "names.json", "shard-00000.parquet", "shard-00001.parquet", "vectors.npz"]
HOW = ["flip", "flip", "flip", "cut", "gone"]


class _Enough(Exception):  # noqa: N818 - a stop, as by a signal
    """The search is stopped."""


def draw(rng: np.random.Generator) -> Case:
    """Draw a file, what happens to it, and how rating goes on; the bit counts modulo the length."""
    return {
        "what": str(rng.choice(FILES)),
        "how": str(rng.choice(HOW)),
        "at": int(rng.integers(2**31)),
        "loss": str(rng.choice(["p=1", "p=2"])),
    }


@cache
def staged() -> tuple[Path, Path]:
    """Return a folder of Parquet files, and one where rating them by p = 1 was stopped."""
    import polars as pl

    place = Path(tempfile.mkdtemp())
    source, folder = place / "races", place / "staged"
    source.mkdir()
    rows = [(f"R{i // 5}", f"P{i * 7 % 23}", i * 7919 % 101 / 10) for i in range(200)]
    frame = pl.DataFrame(rows, schema=["race", "runner", "score"], orient="row")
    frame.write_parquet(source / "races.parquet")

    def stop(_: Pass) -> None:
        if (folder / "vectors.npz").exists():
            raise _Enough

    try:
        with mock.patch.object(searching, "OFTEN", 0.0):
            rate(folder, "p=1", stop)
    except _Enough:
        return source, folder
    raise AssertionError("the search ends before it can be stopped")


def rate(folder: Path, loss: str, tell: Any = None) -> qrja.Ratings:
    """Rate the data of :func:`staged`, going on from a folder."""
    source = folder.parent / "races" if tell else staged()[0]
    with mock.patch("qrja.scale.engines.buckets.BUCKET", 100):
        return qrja.fit(
            source,
            p=float(loss.split("=")[1]),
            engine="local",
            staging=folder,
            resume=True,
            progress=tell,
        )


@cache
def sound(loss: str) -> qrja.Ratings:
    """Return the ratings from a whole folder."""
    with tempfile.TemporaryDirectory() as place:
        return rate(Path(place, "staged"), loss)


def check(case: Case) -> None:
    """Damage a copy of the folder and go on from there."""
    name, loss = f"going on with a damaged {case['what'].split('-')[0]}", case["loss"]
    whole = sound(loss)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place, "staged")
        shutil.copytree(staged()[1], folder)
        damage(folder / case["what"], case["how"], case["at"])
        try:
            ratings = rate(folder, loss)
        except Exception as error:
            only_ours(error, name)
            return
    one, other = ratings.solution, whole.solution
    if ratings.problem.names != whole.problem.names or one.names != other.names:
        raise Failure(f"other names after {name}", f"{one.names}")
    if repr(ratings.problem) != repr(whole.problem):
        raise Failure(f"other data after {name}", f"{ratings.problem} {whole.problem}")
    slack = 1e-9 * other.objective
    if not max(one.lower_bound, other.lower_bound) <= min(one.objective, other.objective) + slack:
        raise Failure(f"another optimum after {name}", f"{one!r} {other!r}")


def damage(path: Path, how: str, at: int) -> None:
    """Flip a bit of a file, cut its end off, or remove it."""
    if how == "gone":
        path.unlink()
        return
    data = bytearray(path.read_bytes())
    at %= 8 * len(data)
    if how == "flip":
        data[at // 8] ^= 1 << (at % 8)
    else:
        del data[at // 8 :]
    path.write_bytes(data)


KIND = Kind(
    name="staging",
    about="a bit flipped, an end cut off, a file gone in a folder of shards that is gone on from",
    draw=draw,
    check=check,
    together=10,
    ordinary=10,
)
