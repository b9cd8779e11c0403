"""The experiment: predict contest i from the first i - 1, score the prediction, then learn."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from time import process_time

import numpy as np

from qrja.data import Contest, Floats
from qrja.errors import QRJAError, QRJAWarning
from qrja.metrics import Pairs, Sums, score_contest
from qrja.rankers import Ranker
from qrja.rules import Rules


def predict_score_learn(
    ranker: Ranker, contests: Iterable[Contest], rules: Rules = "fair", *, skip: int = 0
) -> Iterator[tuple[tuple[Sums, ...], float]]:
    """Yield how well each contest was predicted, and the processor seconds it took.

    There is one prediction of a contest, or several by a ranker with a method ``predictions``. A
    ranker with a method ``consensus`` tells which pairs it leaves open: half a point each. One with
    a method ``margins`` is asked there for margins, and for the order by ``scores``.

    Parameters
    ----------
    ranker : Ranker
        A new one, that has learned nothing.
    contests : iterable of Contest
        In time order.
    rules : {"fair", "paper"}
        How predictions are scored, see :func:`qrja.metrics.score_contest`.
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
    seen = _Seen()
    for number, contest in enumerate(contests):
        begun, known = process_time(), seen.among(contest)
        if number >= skip:
            sums = _predict_and_score(ranker, contest, known, rules)
        ranker.learn(contest)
        seen.add(contest)
        if number >= skip:
            yield sums, process_time() - begun


class _Seen:
    """Who took part in a contest so far."""

    def __init__(self) -> None:
        self._seen = np.zeros(0, dtype=np.bool_)

    def _reach(self, contest: Contest) -> None:
        missing = int(contest.who.max(initial=-1)) + 1 - len(self._seen)
        if missing > 0:
            self._seen = np.append(self._seen, np.zeros(missing + len(self._seen), dtype=np.bool_))

    def among(self, contest: Contest) -> Pairs:
        self._reach(contest)
        return self._seen[contest.who]

    def add(self, contest: Contest) -> None:
        self._reach(contest)
        self._seen[contest.who] = True


def _predict_and_score(
    ranker: Ranker, contest: Contest, known: Pairs, rules: Rules
) -> tuple[Sums, ...]:
    several = getattr(ranker, "predictions", None)
    predictions = [ranker.scores(contest.who)] if several is None else several(contest.who)
    open_pairs = _open_pairs(ranker, contest)
    apart = _margins(ranker, contest, known)
    return tuple(
        score_contest(
            contest.score[known],
            _check(prediction, contest, known, ranker)[known],
            rules,
            who=contest.who[known],
            open_pairs=None if open_pairs is None else open_pairs[np.ix_(known, known)],
            apart=apart,
            margins=ranker.quantitative,
            levels=predicts_levels(ranker),
        )
        for prediction in predictions
    )


def _margins(ranker: Ranker, contest: Contest, known: Pairs) -> Floats | None:
    """Ask a ranker that predicts margins by other scores than the order for those."""
    ask = getattr(ranker, "margins", None)
    return None if ask is None else _check(ask(contest.who), contest, known, ranker)[known]


def _open_pairs(ranker: Ranker, contest: Contest) -> Pairs | None:
    """Ask a ranker that finds a best order which pairs all best orders leave open."""
    ask = getattr(ranker, "consensus", None)
    if ask is None:
        return None
    consensus = ask(contest.who)
    if consensus.status != "optimal":
        warnings.warn(
            f"contest {contest.label!r}: the order may not be the best: {consensus.status} after"
            f" {consensus.seconds:.0f} s, gap {consensus.gap:.1%}",
            QRJAWarning,
            stacklevel=2,
        )
    marked: Pairs = consensus.open_pairs
    return marked


def predicts_levels(ranker: Ranker) -> bool:
    """Tell whether scores are predictions of the scores themselves, not only of differences.

    A ranker says so with an attribute ``absolute``; one without it is taken not to.

    Examples
    --------
    >>> from qrja.rankers import make_ranker
    >>> predicts_levels(make_ranker("median")), predicts_levels(make_ranker("borda"))
    (True, False)
    """
    return ranker.quantitative and bool(getattr(ranker, "absolute", False))


def _check(prediction: Floats, contest: Contest, known: Pairs, ranker: Ranker) -> Floats:
    missing = known & ~np.isfinite(prediction)
    if missing.any():
        at = int(missing.argmax())
        raise QRJAError(
            f"contest {contest.label!r}: {type(ranker).__name__} predicts {prediction[at]} for"
            f" contestant number {contest.who[at]}, who has been seen; give a finite score"
        )
    return prediction
