"""Lewis weights against their own equation, their sum and known graphs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qrja import Contests, InputError, Judgments
from qrja.sampling import lewis as lewis_module
from qrja.sampling import lewis_weights
from reference.squares import lewis_matrix
from strategies import contests, judgments

POWERS = st.sampled_from([1.0, 1.3, 1.7, 2.0])


@st.composite
def small_margins(draw: st.DrawFn) -> Judgments:
    """Judgments that agree or plainly do not."""
    j = draw(judgments())
    return Judgments(j.a, j.b, np.clip(np.round(j.y), -3, 3), j.w, j.names)


def random_judgments(n: int, m: int, seed: int = 0) -> Judgments:
    rng = np.random.default_rng(seed)
    a = rng.integers(0, n, m)
    b = (a + rng.integers(1, n, m)) % n
    return Judgments(a, b, rng.normal(size=m), 10 ** rng.normal(size=m), tuple(range(n)))


@given(small_margins(), POWERS)
def test_weights_satisfy_their_equation_and_add_up_to_the_rank(
    problem: Judgments, p: float
) -> None:
    s = lewis_weights(problem, p)
    assert (s > 0).all()
    assert (s <= 1 + 1e-9).all()
    A = lewis_matrix(problem, p)
    gram = A.T @ (s[:, None] ** (1 - 2 / p) * A)
    left = np.einsum("ij,jk,ik->i", A, np.linalg.pinv(gram, rcond=1e-12), A)
    np.testing.assert_allclose(left, s ** (2 / p), rtol=1e-7)
    assert s.sum() == pytest.approx(np.linalg.matrix_rank(A), rel=1e-9)


@settings(max_examples=15)
@given(small_margins(), POWERS, st.randoms(use_true_random=False))
def test_invariances(problem: Judgments, p: float, random: object) -> None:
    a, b, y, w, names = problem.a, problem.b, problem.y, problem.w, problem.names
    s = lewis_weights(problem, p)
    for same in (
        Judgments(b, a, -y, w, names),
        Judgments(a, b, -y, w, names),
        Judgments(a, b, 1000 * y, w, names),
        Judgments(a, b, y, 1000 * w, names),
    ):
        np.testing.assert_allclose(lewis_weights(same, p), s, rtol=1e-6)
    order = np.arange(len(names))
    random.shuffle(order)
    np.testing.assert_allclose(
        lewis_weights(Judgments(order[a], order[b], y, w, names), p), s, rtol=1e-6
    )
    rows = np.arange(len(y))
    random.shuffle(rows)
    shuffled = Judgments(a[rows], b[rows], y[rows], w[rows], names)
    np.testing.assert_allclose(lewis_weights(shuffled, p), s[rows], rtol=1e-6)


@settings(max_examples=15)
@given(small_margins(), st.sampled_from([1.0, 1.5]))
def test_a_judgment_split_in_two_shares_its_weight(problem: Judgments, p: float) -> None:
    a, b, y, w, names = problem.a, problem.b, problem.y, problem.w, problem.names
    s = lewis_weights(problem, p)
    halves = Judgments(np.tile(a, 2), np.tile(b, 2), np.tile(y, 2), np.tile(w / 2, 2), names)
    np.testing.assert_allclose(lewis_weights(halves, p), np.tile(s / 2, 2), rtol=1e-6)


@pytest.mark.parametrize("p", [1.0, 1.5, 2.0])
def test_bridges_and_complete_graphs(p: float) -> None:
    path = Judgments([0, 1, 2], [1, 2, 3], [1.0, 5.0, -2.0], [1e-6, 1.0, 1e6], tuple("abcd"))
    np.testing.assert_allclose(lewis_weights(path, p), 1, rtol=1e-9)
    i, j = np.triu_indices(10, 1)
    x = np.arange(10.0)
    clique = Judgments(i, j, x[i] - x[j], np.ones(45), tuple(range(10)))
    np.testing.assert_allclose(lewis_weights(clique, p), 9 / 45, rtol=1e-9)


@pytest.mark.parametrize("p", [1.0, 1.5, 2.0])
def test_rough_weights_are_near_the_exact_ones(p: float, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = random_judgments(200, 2000)
    exact = lewis_weights(problem, p)
    monkeypatch.setattr(lewis_module, "DENSE", 0)
    rough = lewis_weights(problem, p, seed=1)
    assert rough.sum() == pytest.approx(exact.sum(), rel=0.1)
    ratio = np.log(rough / exact)
    assert np.abs(ratio).max() < np.log(4)
    assert np.sqrt(np.mean(ratio**2)) < 0.35
    np.testing.assert_array_equal(rough, lewis_weights(problem, p, seed=1))
    assert not np.array_equal(rough, lewis_weights(problem, p, seed=2))


def test_rough_weights_do_not_lose_small_components(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lewis_module, "DENSE", 0)
    big, small = random_judgments(100, 600, 2), random_judgments(5, 12, 3)
    merged = Judgments(
        np.append(big.a, small.a + 100),
        np.append(big.b, small.b + 100),
        np.append(big.y, small.y),
        np.append(big.w * 1e9, small.w * 1e-9),
        tuple(range(105)),
    )
    s = lewis_weights(merged, 1.5)
    assert s[600:].sum() == pytest.approx(4, rel=0.4)


@settings(max_examples=15)
@given(contests(), POWERS)
def test_contests_are_their_pairs(problem: Contests, p: float) -> None:
    np.testing.assert_array_equal(
        lewis_weights(problem, p), lewis_weights(problem.to_judgments(), p)
    )


def test_nothing_has_no_weights() -> None:
    assert lewis_weights(Judgments.from_arrays([], [], [])).tolist() == []


@pytest.mark.parametrize("p", [0.5, 3, float("nan"), "one"])
def test_p_must_lie_between_1_and_2(p: object) -> None:
    with pytest.raises(InputError, match=f"p is {p!r}; Lewis weights are for p from 1 to 2"):
        lewis_weights(random_judgments(4, 6), p)
