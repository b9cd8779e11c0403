"""The experiment: predict contest i from the first i - 1, score the prediction, then learn."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from time import process_time
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from qrja.data import Contest, Floats, grown
from qrja.errors import QRJAError, QRJAWarning
from qrja.metrics import PairMarks, Sums, score_contest
from qrja.rankers import Ranker, ask, predicts_levels
from qrja.rules import Rules, RuleSet, find_rules

if TYPE_CHECKING:
    from qrja.rankers.kemeny import Consensus

Known = NDArray[np.bool_]
"""Which entries of a contest are of contestants seen before."""


def predict_score_learn(
    ranker: Ranker, contests: Iterable[Contest], rules: Rules = "fair", *, skip: int = 0
) -> Iterator[tuple[tuple[Sums, ...], float]]:
    """Yield how well each contest was predicted, and the processor seconds it took.

    There is one prediction of a contest, or several; what else a ranker may be asked for says
    :mod:`qrja.rankers.protocol`.

    Parameters
    ----------
    ranker : Ranker
        A new one, that has learned nothing.
    contests : iterable of Contest
        In time order.
    rules : {"fair", "paper"}
        How predictions are scored, see :class:`qrja.rules.RuleSet`.
    skip : int
        Contests at the beginning whose score is known already: they are learned, not predicted.

    Examples
    --------
    >>> from qrja import datasets
    >>> from qrja.rankers import make_ranker
    >>> races = datasets.marathons()
    >>> [sums.right for (sums,), _ in predict_score_learn(make_ranker("mean"), races)]
    [0.0, 1.0, 1.0]
    """
    seen, found = _Seen(), find_rules(rules)
    for number, contest in enumerate(contests):
        begun, known = process_time(), seen.among(contest)
        if number >= skip:
            sums = _predict_and_score(ranker, contest, known, found)
        ranker.learn(contest)
        seen.add(contest)
        if number >= skip:
            yield sums, process_time() - begun


class _Seen:
    """Who took part in a contest so far."""

    def __init__(self) -> None:
        self._seen = np.zeros(0, dtype=np.bool_)

    def among(self, contest: Contest) -> Known:
        """Tell who of a contest did, with room for all of them."""
        self._seen = grown(self._seen, int(contest.who.max(initial=-1)) + 1)
        return self._seen[contest.who]

    def add(self, contest: Contest) -> None:
        """Remember those of a contest."""
        self._seen[contest.who] = True


def _predict_and_score(
    ranker: Ranker, contest: Contest, known: Known, rules: RuleSet
) -> tuple[Sums, ...]:
    said, truth = ask(ranker, contest.fixture), contest.score[known]
    apart = None if said.margins is None else _check(said.margins, contest, known, ranker)[known]
    open_pairs = None if said.consensus is None else _open_pairs(said.consensus, contest)
    score: Callable[..., Sums] = score_contest
    if rules.score is not None:
        score = partial(rules.score, who=contest.who[known])
    elif said.chances is not None:
        chances = _check_chances(said.chances, "win", contest, known, ranker)
        ties = said.ties
        if ties is not None:
            ties = _check_chances(ties, "tie", contest, known, ranker)
        score = partial(score_contest, chances=chances, ties=ties)
    return tuple(
        score(
            truth,
            _check(prediction, contest, known, ranker)[known],
            open_pairs=None if open_pairs is None else open_pairs[np.ix_(known, known)],
            apart=apart,
            margins=ranker.quantitative,
            levels=predicts_levels(ranker),
        )
        for prediction in said.predictions
    )


def _check_chances(
    chances: Floats, of: str, contest: Contest, known: Known, ranker: Ranker
) -> Floats:
    mine = chances[np.ix_(known, known)]
    if not ((mine >= 0) & (mine <= 1)).all():
        raise QRJAError(
            f"contest {contest.label!r}: {type(ranker).__name__} gives probabilities to {of} that"
            " are not between 0 and 1; give such, NaN for those never seen only"
        )
    return mine


def _open_pairs(consensus: Consensus, contest: Contest) -> PairMarks:
    """Return which pairs all best orders leave open, and warn where the best may not be known."""
    if consensus.status != "optimal":
        warnings.warn(
            f"contest {contest.label!r}: the order may not be the best: {consensus.status} after"
            f" {consensus.seconds:.0f} s, gap {consensus.gap:.1%}",
            QRJAWarning,
            stacklevel=2,
        )
    return consensus.open_pairs


def _check(prediction: Floats, contest: Contest, known: Known, ranker: Ranker) -> Floats:
    missing = known & ~np.isfinite(prediction)
    if missing.any():
        at = int(missing.argmax())
        raise QRJAError(
            f"contest {contest.label!r}: {type(ranker).__name__} predicts {prediction[at]} for"
            f" contestant number {contest.who[at]}, who has been seen; give a finite score"
        )
    return prediction
