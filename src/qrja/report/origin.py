"""Origin: how the numbers of a report were computed, so that anybody can compute them again."""

from __future__ import annotations

import hashlib
import platform
from math import isfinite
from typing import TYPE_CHECKING, Any

from qrja._version import __version__
from qrja.data import Contests, Problem
from qrja.plurals import count
from qrja.ratings import ClassicalIntervals, Wording
from qrja.ratings.board import describe_optima, say_terms
from qrja.ratings.form import say_effects, say_form
from qrja.ratings.members import say_members
from qrja.speech import Numeral, Sentence, joined

if TYPE_CHECKING:
    from qrja.ratings import Intervals, Ratings
    from qrja.report.wish import Wish

PROOFS = {
    "flow": Sentence("a conserved flow"),
    "gradient": Sentence("a vanishing gradient"),
    "none": Sentence("nothing"),
}


WEIGHS = {"unit": "1", "mean": "1/(k - 1)", "additive": "1/k"}


def describe(ratings: Ratings, wish: Wish, intervals: Intervals | str) -> dict[str, Any]:
    """Return terms and what they are, and what became of the rows of the table."""
    return {
        "terms": [
            [Sentence("Data"), _data(ratings, wish)],
            [Sentence("Checksum"), _checksum(ratings, wish)],
            [Sentence("Minimised"), _model(ratings)],
            [Sentence("Proof"), _proof(ratings)],
            *_optima(ratings),
            *_beside(ratings),
            [Sentence("Intervals"), _intervals(wish, intervals)],
            *_rules(wish),
            [Sentence("Software"), _software()],
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
    nouns = problem.nouns
    said: list[str] = [count(len(problem), nouns.event), count(problem.n, nouns.candidate)]
    if not problem.directed:
        results, pairs = count(problem.entries, "result"), count(problem.m, "pair")
        said.append(Sentence("{results} ({pairs})", results=results, pairs=pairs))
    source = [wish.source] if wish.source else []
    return joined(": ", [*source, joined(", ", said)])


def _checksum(ratings: Ratings, wish: Wish) -> str:
    if wish.checksum is not None:
        return Sentence("sha256 of the input: {digest}", digest=wish.checksum)
    return Sentence("sha256 of the results: {digest}", digest=fingerprint(ratings.data))


def _model(ratings: Ratings) -> str:
    model, problem = ratings.model, ratings.problem
    power = f" (p = {model.p:g})" if model.loss is None else ""
    loss = f"{ratings.solution.loss}{power}"
    said: list[str] = [Sentence("the sum of w f(x_a - x_b - y) with f(t) = {loss}", loss=loss)]
    if isinstance(problem, Contests):
        weight = WEIGHS[problem.pairs]
        people, things = (
            "a pair of a contest of k weighs {weight}",
            "a pair among k {candidates} weighs {weight}",
        )
        said.append(Wording.of(ratings).either(people, things, weight=weight))
    if model.half_life is not None:
        said.append(Sentence("half-life {age}", age=str(model.half_life)))
    if model.drift is not None:
        said.append(Sentence("drift {speed}", speed=str(model.drift)))
    if model.per is not None:
        said.append(Sentence("per {column}", column=model.per.name))
    if model.parts:
        said.append(Sentence("with {columns}", columns=", ".join(map(str, model.parts))))
    if model.ridge:
        said.append(Sentence("ridge {ridge:g}", ridge=float(model.ridge)))
    if model.anchors:
        said.append(count(len(model.anchors), "anchor"))
    if model.measured:
        said.append(count(len(model.measured), "measured value"))
    return joined("; ", said)


def _proof(ratings: Ratings) -> str:
    solution = ratings.solution
    said = "{status}; loss {loss:.8g}"
    if isfinite(solution.gap) and isfinite(solution.lower_bound):
        said = (
            "{status}; loss {loss:.8g}; proved by {proof} to be at least {bound:.8g}, a relative"
            " gap of {gap:.1e}"
        )
    return Sentence(
        said,
        status=Sentence(solution.status),
        loss=float(solution.objective),
        proof=PROOFS[solution.certificate],
        bound=float(solution.lower_bound),
        gap=float(solution.gap),
    )


def _optima(ratings: Ratings) -> list[list[str]]:
    several = describe_optima(ratings)
    return (
        [[Sentence("Optima"), several.sentence]] if several is not None and several.sentence else []
    )


def list_beside(ratings: Ratings) -> list[str]:
    """List what is said beside a board: what covariates are worth, form, contexts and parts."""
    return [line for lines in _told_beside(ratings).values() for line in lines]


def _beside(ratings: Ratings) -> list[list[str]]:
    """Return a row for each kind of what is said beside a board."""
    told = _told_beside(ratings)
    return [[kind, joined("; ", lines)] for kind, lines in told.items() if lines]


def _told_beside(ratings: Ratings) -> dict[str, list[Sentence]]:
    return {
        Sentence("Covariates"): say_terms(ratings),
        Sentence("Form"): say_form(ratings),
        Sentence("Contexts"): say_effects(ratings),
        Sentence("Members"): say_members(ratings),
    }


def _intervals(wish: Wish, intervals: Intervals | str) -> str:
    if isinstance(intervals, str):
        return Sentence("none: {why}", why=intervals)
    level = Numeral(f"{100 * wish.sampling.level:g}%")
    if isinstance(intervals, ClassicalIntervals):
        said = "{level}, from the covariance of the model: {how}"
        return Sentence(said, level=level, how=_errors(intervals))
    return Sentence(
        "{level}, from {resamples:,} resamples of {clusters:,} whole groups of results (in"
        " {degenerate:,} of them somebody or a link was not drawn), seed {seed}",
        level=level,
        resamples=intervals.resamples,
        clusters=intervals.clusters,
        degenerate=intervals.degenerate,
        seed=str(wish.sampling.seed),
    )


def _errors(intervals: ClassicalIntervals) -> Sentence:
    """Say where the size of errors comes from."""
    if intervals.standard.errors == "known":
        return Sentence("errors taken as known")
    return Sentence(
        "errors as large as what the ratings leave, with {df:,} degrees of freedom",
        df=round(intervals.standard.df),
    )


def _rules(wish: Wish) -> list[list[str]]:
    if wish.backtest is None:
        return []
    rules, say = wish.backtest.get("rules", ""), wish.backtest.get("rules_say", "")
    how = Sentence("rules: {rules}.", rules=str(rules))
    return [[Sentence("Back-test"), joined(" ", [how, say] if say else [how])]]


def _software() -> str:
    import numpy as np
    import scipy

    python = platform.python_version()
    return f"qrja {__version__}, Python {python}, numpy {np.__version__}, scipy {scipy.__version__}"
