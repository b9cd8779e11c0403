"""Compare figures with those the authors' own runs printed.

Under the rules ``paper`` the two agree up to what an iterative solver, rounding or random numbers
leave open:

========================  ======================  ===================
figure                    accuracy (absolute)     losses (relative)
========================  ======================  ===================
mean, median, borda, l1   1e-6                    1e-6
l2                        2e-4                    1e-4
matrix factorisations     1e-3                    1e-4
... low rank, c.-tables   5e-3                    5e-3
... rank 2, 5, codeforces 1e-3                    2e-3
Kemeny-Young              within the range of its equally good rankings
subsampling               3 standard errors of the difference of the two means, pooled
========================  ======================  ===================

The authors' l2 solver stops at 1e-6. Equal predictions up to rounding decide some pairs of a matrix
factorisation; on Cross-Tables its leading singular values nearly coincide, and on Codeforces its
steps overshoot and magnify rounding.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qrja.errors import InputError
from qrja.paper.sets import SETS

RULES = "paper"
"""The rule set under which figures are comparable."""


@dataclass(frozen=True)
class Figure:
    """One figure of the authors', and ours.

    Parameters
    ----------
    dataset, experiment, key : str
        Which; the key is a path such as ``mean/ordinal_accuracy``.
    theirs : float
        What the authors' run printed.
    ours : float or None
        What ours gave, None where it was not run.
    low, high : float
        Between which ours must lie.
    """

    dataset: str
    experiment: str
    key: str
    theirs: float
    ours: float | None
    low: float
    high: float

    @property
    def status(self) -> str:
        """``pass``, ``FAIL`` or ``not run``."""
        if self.ours is None:
            return "not run"
        return "pass" if self.low <= self.ours <= self.high else "FAIL"

    @property
    def difference(self) -> float | None:
        """Ours minus theirs."""
        return None if self.ours is None else self.ours - self.theirs


def check(out: str | Path, expected: str | Path) -> list[Figure]:
    """Compare all figures of ``OUT/paper`` with the authors' numbers.

    Parameters
    ----------
    out : path
        Where ``qrja paper run --rules paper`` wrote.
    expected : path
        A folder with the authors' numbers, ``<dataset>.json``.
    """
    theirs = {name: _read(Path(expected) / f"{name}.json") for name in SETS}
    ours = {name: _read(Path(out) / RULES / f"{name}.json") for name in SETS}
    if not any(theirs.values()):
        raise InputError(f"{expected}: has no numbers to compare with, such as chess.json")
    if not any(ours[name] for name in SETS if theirs[name]):
        raise InputError(
            f"{Path(out) / RULES}: has no results; `qrja paper run --rules {RULES}` makes them"
        )
    return [
        figure
        for name in SETS
        for figure in compare_set(name, theirs[name] or {}, ours[name] or {})
    ]


def compare_set(name: str, theirs: dict[str, Any], ours: dict[str, Any]) -> Iterator[Figure]:
    """Compare the figures of one data set."""
    for experiment in ("zero", "main", "entrywise", "mf_epochs"):
        mine = dict(_walk(ours.get(experiment, {})))
        for key, value in _walk(theirs.get(experiment, {})):
            if not key.startswith("epochs/"):
                span = _range(key, value, ours) or _span(name, key, value)
                yield Figure(name, experiment, key, value, mine.get(key), *span)
    yield from _compare_subsamples(name, theirs.get("subsample", {}), ours.get("subsample", {}))


def _walk(node: Any, path: str = "") -> Iterator[tuple[str, float]]:
    """List the numbers of a document by their path; None is no number."""
    if isinstance(node, dict | list):
        for key, child in node.items() if isinstance(node, dict) else enumerate(node):
            yield from _walk(child, f"{path}/{key}" if path else str(key))
    elif isinstance(node, int | float):
        yield path, float(node)


def _span(name: str, key: str, value: float) -> tuple[float, float]:
    """Return how far from the authors' figure ours may lie."""
    accuracy, loss = _tolerances(name, key.split("/")[0])
    room = accuracy if "ordinal_accuracy" in key else loss * abs(value)
    return value - room, value + room


def _tolerances(name: str, ranker: str) -> tuple[float, float]:
    if ranker == "qrja-l2":
        return 2e-4, 1e-4
    if ranker.startswith("mf-rank") and name == "cross-tables":
        return 5e-3, 5e-3
    if ranker in ("mf-rank2", "mf-rank5") and name == "codeforces":
        return 1e-3, 2e-3
    if ranker.startswith("mf-"):
        return 1e-3, 1e-4
    return 1e-6, 1e-6


def _range(key: str, value: float, ours: dict[str, Any]) -> tuple[float, float] | None:
    """Of Kemeny-Young: ours may be anything, if the authors' lies between our worst and best."""
    if not key.startswith("kemeny-young/"):
        return None
    low, high = (
        ours.get("main", {})
        .get("kemeny-young", {})
        .get("ordinal_accuracy_range", (math.inf, -math.inf))
    )
    inside = low - 1e-6 <= value <= high + 1e-6
    return (low, high) if inside else (value, value)


def _compare_subsamples(
    name: str, theirs: dict[str, Any], ours: dict[str, Any]
) -> Iterator[Figure]:
    for key, block in theirs.items():
        if key in ("rate", "repeats"):
            continue
        mine = ours.get(key, {})
        for at, rate in enumerate(theirs["rate"]):
            mean, found = block["mean"][at], mine["mean"][at] if mine else None
            runs = [(theirs["repeats"], block["std"][at])]
            if mine:
                runs.append((ours["repeats"], mine["std"][at]))
            room = 3 * _standard_error(runs)
            yield Figure(name, "subsample", f"{key}/{rate}", mean, found, mean - room, mean + room)


def _standard_error(runs: list[tuple[int, float]]) -> float:
    """Return the standard error of a mean, or of the difference of two, with equal spread.

    A run is the number of its repeats and their standard deviation, with the divisor N. If both
    follow one law, their spreads are one, and best estimated together.
    """
    spread = sum(count * deviation**2 for count, deviation in runs)
    free = max(sum(count - 1 for count, _ in runs), 1)
    return math.sqrt(spread / free * sum(1 / count for count, _ in runs))


def _read(path: Path) -> dict[str, Any] | None:
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: is not a file of figures: {error}") from None
    if not isinstance(document, dict):
        raise InputError(f"{path}: is not a file of figures")
    return document
