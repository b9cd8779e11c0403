"""Squares that grow pair by pair are those that are solved at once, however components join."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrja import Contest, Contests, Judgments, solve
from qrja.laplacian import GrowingSquares, growing
from qrja.rankers.refitted import SMALL_FIELD, PowerQRJA
from reference.squares import least_squares

PAIRS = st.lists(
    st.tuples(
        st.integers(0, 7), st.integers(0, 7), st.integers(-9, 9), st.sampled_from([0.5, 1.0, 4.0])
    ).filter(lambda pair: pair[0] != pair[1]),
    min_size=1,
    max_size=40,
)


@given(PAIRS, st.sampled_from([2, 64]))
def test_scores_after_every_pair_are_least_squares(
    pairs: list[tuple[int, int, int, float]], aside: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(growing, "ASIDE", aside)
        squares = GrowingSquares()
        for k, (a, b, margin, weight) in enumerate(pairs, start=1):
            assert squares.meet(8)
            assert squares.add(a, b, float(margin), weight)
            ends = np.array([pair[:2] for pair in pairs[:k]], dtype=np.int32).T
            margins, weights = np.array([pair[2:] for pair in pairs[:k]]).T
            problem = Judgments(*ends, margins, weights, names=tuple(range(8)))
            expected, _ = least_squares(problem)
            np.testing.assert_allclose(squares.scores(), expected, atol=1e-9)


def matches(count: int, players: int) -> Contests:
    rng = np.random.default_rng(count)
    a = rng.integers(0, players, count)
    b = (a + 1 + rng.integers(0, players - 1, count)) % players
    score = np.stack([rng.normal(0, 9, count).round(), np.zeros(count)], axis=1)
    return Contests.from_arrays(
        np.repeat(np.arange(count), 2), np.stack([a, b], axis=1).ravel(), score.ravel()
    )


def test_errors_do_not_add_up_over_thousands_of_pairs() -> None:
    played, ranker = matches(5_000, 60), PowerQRJA()
    for contest in played:
        ranker.learn(contest)
    scores = ranker.scores(np.arange(played.n))
    np.testing.assert_allclose(scores, solve(played, 2).x, atol=1e-11)
    assert ranker.solution is not None
    assert ranker.solution.status == "optimal"
    np.testing.assert_array_equal(ranker.scores(np.arange(played.n)), scores)


def test_weights_far_apart_and_large_fields_are_solved_anew() -> None:
    ends, far = np.array([0, 1]), GrowingSquares()
    assert far.meet(2)
    assert far.add(0, 1, 1.0, 1.0)
    assert not far.add(0, 1, 2.0, 1e-9)
    ranker = PowerQRJA()
    ranker.learn(Contest("light", ends, np.array([1.0, 0.0]), weight=1e-9))
    ranker.learn(Contest("heavy", ends, np.array([3.0, 0.0])))
    field = np.arange(SMALL_FIELD + 1)
    ranker.learn(Contest("large", field, 1.0 * field))
    assert ranker.solution is not None
    np.testing.assert_allclose(ranker.scores(field), ranker.solution.x, atol=1e-12)


def test_too_many_candidates_are_solved_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growing, "LARGEST", 10)
    played, ranker = matches(60, 20), PowerQRJA()
    for i, contest in enumerate(played, start=1):
        ranker.learn(contest)
        so_far = played[:i]
        expected, _ = least_squares(so_far.to_judgments())
        np.testing.assert_allclose(ranker.scores(np.arange(so_far.n)), expected, atol=1e-9)
