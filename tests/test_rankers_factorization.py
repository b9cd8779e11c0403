"""Matrix factorisation against dense twins: every entry, every step."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from qrja import Contest, InputError
from qrja.paper.as_published import PublishedAdditive, PublishedLowRank
from qrja.rankers.factorization import Additive, LowRank, singular_triplets
from qrja.rankers.factorization.factor_models import Factorization
from qrja.rankers.factorization.singular_triplets import leading_triplets
from reference.rankers import factorize_additive, factorize_low_rank


def scores_with_gaps(seed: int, contests: int = 7, contestants: int = 5) -> np.ndarray:
    """Return a matrix with NaN for what was not observed; no row and no column is empty."""
    random = np.random.default_rng(seed)
    scores = random.normal(50, 10, size=(contests, contestants))
    gaps = random.random(scores.shape) < 0.4
    gaps[np.arange(contests), random.integers(contestants, size=contests)] = False
    gaps[random.integers(contests, size=contestants), np.arange(contestants)] = False
    return np.where(gaps, np.nan, scores)


def learned(ranker: Factorization, scores: np.ndarray) -> np.ndarray:
    for row in scores:
        who = np.flatnonzero(~np.isnan(row)).astype(np.int32)
        ranker.learn(Contest("a race", who, row[who]))
    return ranker.snapshots(np.arange(scores.shape[1]))


@given(st.integers(0, 10**6), st.sampled_from([1, 2, 3, 5]))
def test_low_rank_is_its_dense_twin(seed: int, rank: int) -> None:
    scores = scores_with_gaps(seed)
    epochs = 0, 3, 50
    found = learned(LowRank(rank, epochs=epochs), scores)
    for row, steps in zip(found, epochs, strict=True):
        np.testing.assert_allclose(row, factorize_low_rank(scores, rank, steps), rtol=1e-8)


@given(st.integers(0, 10**6))
def test_additive_is_its_dense_twin(seed: int) -> None:
    scores = scores_with_gaps(seed)
    epochs = 0, 3, 50
    found = learned(Additive(epochs=epochs), scores)
    for row, steps in zip(found, epochs, strict=True):
        np.testing.assert_allclose(row, factorize_additive(scores, steps), rtol=1e-9)


def test_both_rules_agree_where_every_contest_has_entries() -> None:
    scores = scores_with_gaps(3)
    for published, fair in (PublishedLowRank, LowRank), (PublishedAdditive, Additive):
        np.testing.assert_array_equal(learned(published(), scores), learned(fair(), scores))


def test_as_published_contests_not_held_count() -> None:
    cancelled = np.full((1, 5), np.nan)
    scores = np.concatenate([scores_with_gaps(3), cancelled])
    held = learned(LowRank(), scores)
    np.testing.assert_array_equal(held, learned(LowRank(), scores[:-1]))
    np.testing.assert_allclose(learned(PublishedLowRank(), scores) * 8 / 7, held, rtol=1e-9)


def test_as_published_row_means_run_over_all_contestants_to_come() -> None:
    scores = scores_with_gaps(4)
    wide = np.concatenate([scores, np.full((7, 3), np.nan)], axis=1)
    found = learned(PublishedAdditive(contestants=8, epochs=[20]), scores)[0]
    np.testing.assert_allclose(found, factorize_additive(wide, 20)[:5], rtol=1e-9)


def test_repeated_entries_add_up() -> None:
    twice, once = LowRank(epochs=[0]), LowRank(epochs=[0])
    twice.learn(Contest("May", np.array([0, 0, 1]), np.array([1.0, 2.0, 4.0])))
    once.learn(Contest("May", np.array([0, 1]), np.array([3.0, 4.0])))
    np.testing.assert_allclose(twice.scores(np.arange(2)), once.scores(np.arange(2)))


def test_training_until_convergence_leaves_no_gradient() -> None:
    scores = np.outer(np.arange(1.0, 7), np.arange(1.0, 5))
    scores[0, 3] = scores[4, 1] = np.nan
    ranker = LowRank(1, converged=True)
    full = np.outer(np.arange(1.0, 7), np.arange(1.0, 5)).mean(axis=0)
    np.testing.assert_allclose(learned(ranker, scores)[-1], full, rtol=1e-2)


def test_a_step_that_overshoots_is_halved() -> None:
    scores = np.random.default_rng(0).normal(5, 1, size=(400, 30))
    found = learned(LowRank(1, epochs=[200]), scores)[-1]
    np.testing.assert_allclose(found, scores.mean(axis=0), rtol=0.05)


@pytest.mark.parametrize("shape", [(30, 8), (8, 30), (1, 4), (4, 1), (150, 140)])
def test_leading_triplets_are_those_of_the_dense_matrix(shape: tuple[int, int]) -> None:
    random = np.random.default_rng(7)
    A = np.where(random.random(shape) < 0.5, random.normal(size=shape), 0.0)
    U, s, V = leading_triplets(csr_array(A), 3)
    exact = np.linalg.svd(A, compute_uv=False)[:3]
    np.testing.assert_allclose(s[: len(exact)], exact, rtol=1e-10)
    np.testing.assert_allclose(A @ V, U * s, atol=1e-9)
    np.testing.assert_allclose(A.T @ U, V * s, atol=1e-9)


def test_lanczos_finds_what_a_dense_solver_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(8)
    low = csr_array(random.normal(size=(40, 2)) @ random.normal(size=(2, 60)))
    dense = leading_triplets(low, 5)
    monkeypatch.setattr(singular_triplets, "DENSE", 0)
    lanczos = leading_triplets(low, 5)
    for (U, s, V), (_, t, _) in [(lanczos, dense), (dense, lanczos)]:
        np.testing.assert_allclose(s, t, atol=1e-9)
        np.testing.assert_allclose((U * s) @ V.T, low.toarray(), atol=1e-6)


@pytest.mark.parametrize("epochs", [[], [3, 3], [5, 2], [-1, 2]])
def test_wrong_epochs_are_told(epochs: list[int]) -> None:
    with pytest.raises(InputError, match="give rising numbers such as 0, 500, 1000"):
        LowRank(1, epochs=epochs)
