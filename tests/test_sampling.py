"""Subsampling: expected weights, known probabilities, and bridges that must not be lost."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrja import Contests, InputError, Judgments
from qrja.sampling import lewis as lewis_module
from qrja.sampling import lewis_weights, subsample
from qrja.sampling.draws import PARTNERS, _some_pairs, entries_of_pairs
from reference.squares import least_squares, sampled_loss
from strategies import contests, judgments


def total_weights(problem: Judgments, sample: Judgments) -> np.ndarray:
    """The weight that the sample gives to each judgment; those must differ in (a, b, y)."""
    keys = list(zip(problem.a, problem.b, problem.y, strict=True))
    assert len(set(keys)) == len(keys)
    total = dict.fromkeys(keys, 0.0)
    for a, b, y, w in zip(sample.a, sample.b, sample.y, sample.w, strict=True):
        key = (a, b, y) if (a, b, y) in total else (b, a, -y)
        total[key] += w
    return np.array([total[key] for key in keys])


def races(seed: int = 0, sizes: tuple[int, ...] = (2, 9, 1, 30, 5)) -> Contests:
    """Contests of 40 contestants with scores that make every pair different."""
    rng = np.random.default_rng(seed)
    who = np.concatenate([rng.permutation(40)[:k] for k in sizes])
    contest = np.repeat(np.arange(len(sizes)), sizes)
    weight = rng.uniform(0.5, 2, len(sizes))[contest]
    return Contests.from_arrays(contest, who, rng.normal(size=len(who)), weight=weight)


def two_cliques(size: int, noise: float) -> Judgments:
    """Two cliques joined by one judgment alone, of a large margin."""
    rng = np.random.default_rng(5)
    i, j = np.triu_indices(size, 1)
    a, b = np.concatenate([i, i + size, [0]]), np.concatenate([j, j + size, [size]])
    y = np.append(noise * rng.normal(size=2 * len(i)), 100.0)
    return Judgments(a, b, y, np.ones(len(y)), tuple(range(2 * size)))


@pytest.mark.parametrize("weights", ["uniform", "lewis", "array"])
@pytest.mark.parametrize("kind", ["contests", "judgments"])
@pytest.mark.parametrize("p", [1.0, 2.0])
def test_the_expected_weight_of_every_judgment_stays(weights: str, kind: str, p: float) -> None:
    contests = races()
    pairs = contests.to_judgments()
    problem = contests if kind == "contests" else pairs
    s = np.random.default_rng(1).uniform(0.2, 2, pairs.m) if weights == "array" else weights
    M = 200_000
    sample = subsample(problem, M, weights=s, p=p, seed=2)
    assert sample.m == M
    # What one draw of judgment i weighs is w / (M q): q follows, and with it the spread.
    got = total_weights(pairs, sample)
    each = {(a, b, y): w for a, b, y, w in zip(sample.a, sample.b, sample.y, sample.w, strict=True)}
    unit = np.array(
        [
            each.get((a, b, y), each.get((b, a, -y), 0.0))
            for a, b, y in zip(pairs.a, pairs.b, pairs.y, strict=True)
        ]
    )
    q = pairs.w / (M * unit)
    assert q.sum() == pytest.approx(1, rel=1e-9)
    spread = pairs.w * np.sqrt((1 - q) / (M * q))
    assert (np.abs(got - pairs.w) <= 5 * spread).all()


def test_the_law_is_the_one_asked_for() -> None:
    problem = races().to_judgments()
    M = 1000
    uniform = subsample(problem, M)
    np.testing.assert_allclose(np.unique(uniform.w), np.unique(problem.w * problem.m / M))
    s = lewis_weights(problem, 1.5)
    lewis = subsample(problem, M, weights="lewis", p=1.5)
    same = subsample(problem, M, weights=s)
    np.testing.assert_allclose(lewis.w, same.w)
    np.testing.assert_array_equal(lewis.a, same.a)


@pytest.mark.parametrize("p", [1.0, 1.5, 2.0])
def test_pairs_of_contests_get_at_least_their_share(p: float) -> None:
    contests = races()
    pairs = contests.to_judgments()
    s = lewis_weights(pairs, p)
    M = 100_000
    sample = subsample(contests, M, weights="lewis", p=p)
    q = {}
    for a, b, y, w in zip(sample.a, sample.b, sample.y, sample.w, strict=True):
        q[a, b, y] = q[b, a, -y] = w
    keys = zip(pairs.a, pairs.b, pairs.y, strict=True)
    unit = np.array([q.get(key, np.nan) for key in keys])
    drawn = ~np.isnan(unit)
    assert drawn.mean() > 0.99
    probability = pairs.w[drawn] / (M * unit[drawn])
    # Large contests give their points roughly: a tenth is left for that.
    assert (probability >= 0.9 * s[drawn] / s.sum() / 2**p).all()


def test_contests_of_two_are_drawn_by_lewis_weights_exactly() -> None:
    rng = np.random.default_rng(3)
    who = np.array([rng.permutation(8)[:2] for _ in range(20)]).ravel()
    duels = Contests.from_arrays(np.repeat(np.arange(20), 2), who, rng.normal(size=40))
    sample = subsample(duels, 5000, weights="lewis", p=1.0)
    s = lewis_weights(duels, 1.0)
    expected = {
        (a, b, y): w / (5000 * share)
        for a, b, y, w, share in zip(*_columns(duels.to_judgments()), s / s.sum(), strict=True)
    }
    for a, b, y, w in zip(*_columns(sample), strict=True):
        key = (a, b, y) if (a, b, y) in expected else (b, a, -y)
        assert w == pytest.approx(expected[key], rel=1e-6)


def _columns(problem: Judgments) -> tuple[list, ...]:
    return tuple(column.tolist() for column in (problem.a, problem.b, problem.y, problem.w))


@pytest.mark.parametrize("p", [1.0, 2.0])
def test_lewis_weights_keep_a_bridge_that_uniform_draws_lose(p: float) -> None:
    problem, M = two_cliques(15, 1.0), 120
    best = sampled_loss(problem, problem, p)
    bridge = problem.m - 1
    kept, lost, quality = 0, 0, []
    for seed in range(20):
        lewis = subsample(problem, M, weights="lewis", p=p, seed=seed)
        kept += bool((lewis.y == problem.y[bridge]).any())
        quality.append(sampled_loss(problem, lewis, p) / best)
        uniform = subsample(problem, M, seed=seed)
        if not (uniform.y == problem.y[bridge]).any():
            lost += 1
            assert sampled_loss(problem, uniform, p) > 1.4 * best
    # The bridge is drawn once in 30 by Lewis weights, once in 211 uniformly.
    assert kept >= 18
    assert lost >= 8
    assert np.median(quality) < 1.4


@pytest.mark.parametrize("p", [1.0, 2.0])
def test_more_draws_come_nearer_to_the_optimum(p: float) -> None:
    problem = two_cliques(12, 1.0)
    best = sampled_loss(problem, problem, p)

    def excess(M: int) -> float:
        samples = (subsample(problem, M, weights="lewis", p=p, seed=s) for s in range(5))
        return float(np.median([sampled_loss(problem, s, p) / best - 1 for s in samples]))

    assert excess(800) < 0.1
    assert excess(800) < excess(100)


@given(judgments(), st.integers(1, 30), st.integers(0, 5), st.sampled_from(["uniform", "lewis"]))
def test_samples_are_drawn_from_the_problem(
    problem: Judgments, M: int, seed: int, weights: str
) -> None:
    if not problem.m:
        return
    sample = subsample(problem, M, weights=weights, p=1.5, seed=seed)
    assert (sample.m, sample.names) == (M, problem.names)
    rows = set(zip(problem.a, problem.b, problem.y, strict=True))
    assert set(zip(sample.a, sample.b, sample.y, strict=True)) <= rows
    again = subsample(problem, M, weights=weights, p=1.5, seed=seed)
    np.testing.assert_array_equal(sample.w, again.w)
    np.testing.assert_array_equal(sample.a, again.a)


@given(contests(), st.integers(1, 30), st.sampled_from(["uniform", "lewis"]))
def test_samples_of_contests_are_pairs_of_contests(problem: Contests, M: int, weights: str) -> None:
    if not problem.m:
        return
    sample = subsample(problem, M, weights=weights)
    pairs = problem.to_judgments()
    rows = set(zip(pairs.a, pairs.b, pairs.y, strict=True))
    rows |= {(b, a, -y) for a, b, y in rows}
    assert set(zip(sample.a, sample.b, sample.y, strict=True)) <= rows
    assert sample.names == problem.names


@given(contests())
def test_pairs_are_numbered_as_they_are_written_out(problem: Contests) -> None:
    first, second = entries_of_pairs(problem.start, np.arange(problem.m))
    written = problem.pair_entries()
    np.testing.assert_array_equal(first, written[0])
    np.testing.assert_array_equal(second, written[1])


def test_a_contest_of_fifty_thousand_is_not_written_out() -> None:
    k, rng = 50_000, np.random.default_rng(4)
    big = Contests([0, k], np.arange(k, dtype=np.int32), rng.normal(size=k), tuple(range(k)),
                   ("big",), [1.0])  # fmt: skip
    sample = subsample(big, 300_000)
    assert sample.w.sum() == pytest.approx(big.m)
    assert len(np.unique(sample.a)) > 40_000
    last = entries_of_pairs(big.start, np.array([0, k - 2, k - 1, big.m - 1]))
    assert last[0].tolist() == [0, 0, 1, k - 2]
    assert last[1].tolist() == [1, k - 1, 2, k - 1]


def test_large_contests_by_lewis_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    # 3 million pairs: enough to notice if they were written out; few signs, to be quick.
    monkeypatch.setattr(lewis_module, "SIGNS", 8)
    k, rng = 2500, np.random.default_rng(6)
    field = np.arange(k, dtype=np.int32)
    big = Contests([0, k], field, rng.normal(size=k), tuple(range(k)), ("big",), [1.0])
    sample = subsample(big, 100_000, weights="lewis", p=1.0)
    assert sample.w.sum() == pytest.approx(big.m, rel=0.02)
    x = least_squares_of_contest(big)
    y, expected = sample.y, x[sample.a] - x[sample.b]
    np.testing.assert_allclose(y, expected, atol=1e-9)


def least_squares_of_contest(contest: Contests) -> np.ndarray:
    """One contest agrees with itself: its scores, by contestant."""
    x = np.empty(contest.n)
    x[contest.who] = contest.score
    return x


def test_points_of_large_contests_come_from_a_part_of_their_pairs() -> None:
    problem = races(sizes=(30, 2, 40, 5))
    some = _some_pairs(problem, np.random.default_rng(0))
    assert some.m == (30 + 40) * PARTNERS + 1 + 10
    pairs = problem.to_judgments()
    assert some.w.sum() == pytest.approx(pairs.w.sum())
    assert (some.components == pairs.components).all()
    small = races(sizes=(9, 2, 17))
    written, whole = _some_pairs(small, np.random.default_rng(0)), small.to_judgments()
    np.testing.assert_array_equal(written.a, whole.a)
    np.testing.assert_array_equal(written.w, whole.w)


def test_a_rate_is_a_part_of_the_judgments() -> None:
    problem = races()
    assert subsample(problem, rate=0.1).m == problem.m // 10
    assert subsample(problem, rate=1).m == problem.m
    thirty = Judgments.from_arrays(range(30), range(1, 31), np.ones(30))
    assert [subsample(thirty, rate=tenths / 10).m for tenths in range(1, 11)] == list(
        range(3, 31, 3)
    )


def test_enough_draws_give_least_squares_back() -> None:
    problem = two_cliques(8, 1.0)
    x, _ = least_squares(problem)
    sample = subsample(problem, 300_000, weights="lewis", p=2)
    np.testing.assert_allclose(least_squares(sample)[0], x, atol=0.02)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "say how many judgments to draw: either M or rate"),
        ({"M": 3, "rate": 0.5}, "say how many judgments to draw: either M or rate"),
        ({"M": 0}, "M is 0; give a whole number of at least 1"),
        ({"M": 2.5}, "M is 2.5; give a whole number of at least 1"),
        ({"M": True}, "M is True; give a whole number of at least 1"),
        ({"rate": 0}, "rate is 0; give a positive number such as 0.1"),
        ({"rate": float("nan")}, "rate is nan; give a positive number such as 0.1"),
        ({"rate": "all"}, "rate is 'all'; give a positive number such as 0.1"),
        ({"rate": 0.001}, "rate is 0.001: less than one of 482 judgments; give a larger rate"),
        (
            {"M": 3, "weights": "louis"},
            "weights is 'louis'; choose uniform, lewis or give an array",
        ),
        ({"M": 3, "weights": [1.0]}, "weights has 1 numbers for 482 judgments; give one each"),
        ({"M": 3, "weights": np.zeros(482)}, "row 0: the weight is 0; give a positive number"),
        ({"M": 3, "weights": "lewis", "p": 3}, "p is 3; Lewis weights are for p from 1 to 2"),
    ],
)
@pytest.mark.parametrize("kind", ["contests", "judgments"])
def test_bad_arguments_are_named(arguments: dict, words: str, kind: str) -> None:
    problem = races() if kind == "contests" else races().to_judgments()
    with pytest.raises(InputError, match=words):
        subsample(problem, **arguments)


def test_only_problems_are_drawn_from() -> None:
    for function in (lambda it: subsample(it, 3), lewis_weights):
        with pytest.raises(InputError, match="problem is a list; give Contests or Judgments"):
            function([1, 2, 3])


def test_nothing_to_draw_from() -> None:
    for empty in (Judgments.from_arrays([], [], []), Contests.from_arrays(["r"], ["a"], [1])):
        with pytest.raises(InputError, match="there is no judgment to draw from"):
            subsample(empty, 3)
