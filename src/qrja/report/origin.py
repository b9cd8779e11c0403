"""Origin: how the numbers of a report were computed, so that anybody can compute them again."""

from __future__ import annotations

import hashlib
import platform
from math import isfinite
from typing import TYPE_CHECKING, Any

from qrja._version import __version__
from qrja.data import Contests, Problem
from qrja.plurals import count
from qrja.ratings.board import describe_optima

if TYPE_CHECKING:
    from qrja.ratings import Intervals, Ratings
    from qrja.report.wish import Wish

PROOFS = {
    "flow": "a conserved flow",
    "gradient": "a vanishing gradient",
    "none": "nothing",
}


WEIGHS = {"unit": "1", "mean": "1/(k - 1)", "additive": "1/k"}


def describe(ratings: Ratings, wish: Wish, intervals: Intervals | str) -> dict[str, Any]:
    """Return terms and what they are, and what became of the rows of the table."""
    return {
        "terms": [
            ["Data", _data(ratings, wish)],
            ["Checksum", _checksum(ratings, wish)],
            ["Minimised", _model(ratings)],
            ["Proof", _proof(ratings)],
            *_optima(ratings),
            ["Intervals", _intervals(wish, intervals)],
            *_rules(wish),
            ["Software", _software()],
        ],
        "reading": [] if wish.summary is None else wish.summary.lines(),
    }


def fingerprint(problem: Problem) -> str:
    """Return the sha256 of the results: names, who met whom, scores and weights.

    Examples
    --------
    >>> from qrja import Judgments
    >>> j = Judgments.from_arrays("ab", "bc", [1, 2])
    >>> fingerprint(j) == fingerprint(Judgments.from_arrays("ab", "bc", [1, 2]))
    True
    >>> fingerprint(j) == fingerprint(Judgments.from_arrays("ab", "bc", [1, 3]))
    False
    """
    digest = hashlib.sha256(repr([str(name) for name in problem.names]).encode())
    for array, kind in (
        (problem.start, "<i8"),
        (problem.who, "<i8"),
        (problem.score, "<f8"),
        (problem.pair_weight, "<f8"),
    ):
        digest.update(array.astype(kind).tobytes())
    return digest.hexdigest()


def _data(ratings: Ratings, wish: Wish) -> str:
    problem = ratings.problem
    said = f"{count(len(problem), problem.noun)}, {count(problem.n, 'contestant')}"
    if not problem.directed:
        said += f", {problem.entries:,} results ({problem.m:,} pairs)"
    return f"{wish.source}: {said}" if wish.source else said


def _checksum(ratings: Ratings, wish: Wish) -> str:
    if wish.checksum is not None:
        return f"sha256 of the input: {wish.checksum}"
    return f"sha256 of the results: {fingerprint(ratings.data)}"


def _model(ratings: Ratings) -> str:
    model, problem = ratings.model, ratings.problem
    power = f" (p = {model.p:g})" if model.loss is None else ""
    said = [f"the sum of w f(x_a - x_b - y) with f(t) = {ratings.solution.loss}{power}"]
    if isinstance(problem, Contests):
        said.append(f"a pair of a contest of k weighs {WEIGHS[problem.pairs]}")
    if model.half_life is not None:
        said.append(f"half-life {model.half_life}")
    if model.ridge:
        said.append(f"ridge {model.ridge:g}")
    if model.anchors:
        said.append(f"{count(len(model.anchors), 'anchor')}")
    if model.measured:
        said.append(f"{count(len(model.measured), 'measured value')}")
    return "; ".join(said)


def _proof(ratings: Ratings) -> str:
    solution = ratings.solution
    said = f"{solution.status}; loss {solution.objective:.8g}"
    if isfinite(solution.gap) and isfinite(solution.lower_bound):
        said += (
            f"; proved by {PROOFS[solution.certificate]} to be at least"
            f" {solution.lower_bound:.8g}, a relative gap of {solution.gap:.1e}"
        )
    return said


def _optima(ratings: Ratings) -> list[list[str]]:
    several = describe_optima(ratings)
    return [["Optima", several.sentence]] if several is not None and several.sentence else []


def _intervals(wish: Wish, intervals: Intervals | str) -> str:
    if isinstance(intervals, str):
        return f"none: {intervals}"
    if intervals.method == "model":
        return f"{100 * wish.sampling.level:g}%, from the covariance of the model: {intervals!r}"
    return (
        f"{100 * wish.sampling.level:g}%, from {intervals.resamples} resamples of"
        f" {intervals.clusters:,} whole groups of results (in {intervals.degenerate} of them"
        f" somebody or a link was not drawn), seed {wish.sampling.seed}"
    )


def _rules(wish: Wish) -> list[list[str]]:
    if wish.backtest is None:
        return []
    rules, say = wish.backtest.get("rules", ""), wish.backtest.get("rules_say", "")
    return [["Back-test", f"rules: {rules}. {say}".strip()]]


def _software() -> str:
    import numpy as np
    import scipy

    python = platform.python_version()
    return f"qrja {__version__}, Python {python}, numpy {np.__version__}, scipy {scipy.__version__}"
