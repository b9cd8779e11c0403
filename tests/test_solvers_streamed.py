"""Contests whose pairs are never written out: the same answers, sums and proofs as with pairs."""

from __future__ import annotations

import tracemalloc
from decimal import Decimal, localcontext
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qrja import Contests, datasets, losses, solve
from qrja.jit import vector
from qrja.losses import Huber, KnownLoss, LogCosh, Power
from qrja.solution import Solution
from qrja.solvers.convex.folding import fold_contests
from qrja.solvers.convex.streamed import PairBlocks, PairSums, solve_streamed, stage
from qrja.solvers.convex.streamed import pair_sums as dealing
from qrja.solvers.convex.streamed.kernels import fast_powers
from qrja.solvers.convex.streamed.stage import find_entries
from qrja.solvers.demands import demands_on

LOSSES = [Power(1.2), Power(1.5), Power(2.5), Power(3), Power(8), Huber(1.0), LogCosh(0.7)]


def some_races(seed: int, contests: int = 12, n: int = 25, most: int = 9) -> Contests:
    """Make contests of mixed sizes, weights and scores; some contestants are seen once."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(2, most, contests)
    who = [rng.choice(n, size, replace=False) for size in sizes]
    where = np.repeat(np.arange(contests), sizes)
    strength = rng.normal(size=n)
    flat = np.concatenate(who)
    score = strength[flat] + rng.standard_t(3, size=len(flat)) + 100 * where
    races = Contests.from_arrays(where, [f"c{v}" for v in flat], score)
    return races.with_weight(rng.uniform(0.5, 2.0, contests))


def streamed(problem: Contests, loss: KnownLoss, tol: float = 1e-9, **asked: Any) -> Solution:
    demands = demands_on(problem, **asked)
    folded = fold_contests(problem, ~demands.free | (demands.ridge > 0))
    return solve_streamed(problem, loss, demands, folded, tol=tol)


# ----------------------------------------------------------------------------------- the sums


@vector
def _raise_all(x: Any, q: Any, out: Any) -> None:
    for i in range(len(x)):
        out[i] = fast_powers.power(x[i], q)


@vector
def _raise_all_short(x: Any, q: Any, out: Any) -> None:
    for i in range(len(x)):
        out[i] = fast_powers.short_power(x[i], q)


@pytest.mark.parametrize("q", [-0.49, -0.25, 0.1, 0.6, 1.5, 6.0, 24.0, 101.0])
def test_powers_are_as_exact_as_proofs_take_them_to_be(q: float) -> None:
    x = np.exp(np.random.default_rng(3).uniform(-25, 2, 2000))
    x[:3] = [1.0, 0.5**0.5, 2.0]
    found, short = np.empty_like(x), np.empty_like(x, dtype=np.float32)
    _raise_all(x, q, found)
    with localcontext() as context:
        context.prec = 40
        exact = [Decimal(float(v)) ** Decimal(q) for v in x]
        error = np.array(
            [float(abs(Decimal(float(f)) / e - 1)) for f, e in zip(found, exact, strict=True)]
        )
    t = np.abs(q * np.log2(x))
    within = t < 900
    assert (error[within] <= 2.0**-50 * (2 + t[within])).all()
    _raise_all_short(x.astype(np.float32), np.float32(q), short)
    within = t < 90
    rough = np.array([float(e) for e in exact])[within]
    np.testing.assert_allclose(short[within], rough, rtol=2e-7 * (4 + 2 * t.max()))


@pytest.mark.parametrize("loss", LOSSES, ids=str)
@pytest.mark.parametrize("eps", [0.3, 1e-3])
def test_compiled_sums_are_those_of_the_loss_itself(loss: KnownLoss, eps: float) -> None:
    rng = np.random.default_rng(5)
    start = np.array([0, 1, 4, 4, 70])
    count, weight = rng.integers(1, 4, 70).astype(float), rng.uniform(0.1, 2, 4)
    e, v = rng.normal(size=(2, 70))
    smooth, unit = np.full(4, eps), np.array([1.0, 0.5, 1.0, 3.0])
    fast, slow = (kind(start, count, weight, loss) for kind in (PairSums, PairBlocks))
    for one, other in zip(fast.slopes(e, smooth, unit), slow.slopes(e, smooth, unit), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-11)
    one, other = (each.system(e, smooth, unit)(v) for each in (fast, slow))
    np.testing.assert_allclose(one, other, rtol=1e-3, atol=1e-4 * np.abs(other).max())
    steepest = np.minimum(loss.slopes[1], 1e300) * unit ** (1 - (loss.power or 2.0))
    asked = e, 1e-3 * v, e + 1e-3 * v, smooth, unit, steepest, np.ones(4)
    proved, expected = fast.shortfalls(*asked), slow.shortfalls(*asked)
    hidden = 2.0**-45 * expected.size.max()  # which the proof adds
    for one, other in zip(proved, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-11, atol=hidden)


def test_rows_are_dealt_out_in_pieces_of_which_none_is_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(8)
    start = np.concatenate([[0], np.cumsum(rng.integers(0, 60, 40))])
    e, ones = rng.normal(size=start[-1]), np.ones(start[-1])
    whole = PairSums(start, ones, np.ones(40), Power(1.5))
    monkeypatch.setattr(dealing, "PIECE", 500)
    cut = PairSums(start, ones, np.ones(40), Power(1.5))
    assert len(whole._pieces) == 1
    assert len(cut._pieces) > 40
    rows = sorted(row for _, row in cut._pieces)
    assert [low for low, _ in rows[1:]] == [high for _, high in rows[:-1]]
    for one, other in zip(
        whole.slopes(e, np.full(40, 0.1), np.ones(40)),
        cut.slopes(e, np.full(40, 0.1), np.ones(40)),
        strict=True,
    ):
        np.testing.assert_array_equal(one, other)


def test_an_entry_is_found_in_its_contest() -> None:
    start, who = np.array([0, 0, 3, 5]), np.array([7, 1, 4, 4, 7])
    found = find_entries(start, who, np.array([2, 1, 2]), np.array([7, 7, 4]))
    np.testing.assert_array_equal(found, [4, 0, 3])


# ------------------------------------------------------------------------------- the solutions


@pytest.mark.parametrize("loss", LOSSES, ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_scores_and_proof_are_those_of_pairs_written_out(loss: KnownLoss, seed: int) -> None:
    races = some_races(seed)
    found, known = streamed(races, loss), solve(races, loss=loss)
    assert found.status == "optimal"
    assert found.gap <= 1e-9
    np.testing.assert_allclose(found.objective, known.objective, rtol=2e-9)
    assert found.lower_bound <= known.objective * (1 + 1e-12)
    assert known.lower_bound <= found.objective * (1 + 1e-12)
    if loss.is_strict:
        np.testing.assert_allclose(found.x, known.x, atol=2e-3)
    check = found.check(races)
    assert check.holds
    np.testing.assert_allclose(check.objective, found.objective, rtol=1e-12)
    assert check.lower_bound >= found.lower_bound * (1 - 1e-10)


@pytest.mark.parametrize("loss", [Power(1.5), Power(3), Huber(1.0)], ids=str)
@pytest.mark.parametrize(
    "asked",
    [
        {"ridge": 0.3},
        {"ridge": 1e-3, "prior": {"c1": 5.0, "c2": -3.0}},
        {"anchors": {"c0": 10.0}},
        {"anchors": {"c0": 10.0, "c1": 9.0, "c2": 12.0, "c3": 9.5}},
        {"ridge": 0.1, "anchors": {"c4": 2.0}},
    ],
    ids=str,
)
def test_ridge_prior_and_anchors(loss: KnownLoss, asked: dict[str, Any]) -> None:
    races = some_races(11, contests=20)
    found, known = streamed(races, loss, **asked), solve(races, loss=loss, **asked)
    assert found.status == "optimal"
    np.testing.assert_allclose(found.objective, known.objective, rtol=2e-9)
    np.testing.assert_allclose(found.x, known.x, atol=3e-3)
    np.testing.assert_array_equal(found.components, known.components)
    assert found.check(races).holds


@pytest.mark.parametrize("loss", [Power(1.2), Power(3), Huber(1.0)], ids=str)
def test_components_of_different_scales_are_each_proved(loss: KnownLoss) -> None:
    one, other = some_races(1), some_races(2)
    who = [f"a{v}" for v in one.who] + [f"b{v}" for v in other.who]
    where = np.concatenate([one.contest_of_entry, 99 + other.contest_of_entry])
    score = np.concatenate([one.score, 1e4 * other.score])
    both = Contests.from_arrays(where, who, score)
    found = streamed(both, loss)
    known = solve(both, loss=loss)
    assert found.status == "optimal"
    assert found.check(both).holds
    np.testing.assert_allclose(found.objective, known.objective, rtol=1e-8)
    apart = found.components != found.components[0]
    np.testing.assert_allclose(found.x[~apart], known.x[~apart], atol=1e-2)


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    p=st.sampled_from([1.2, 1.5, 3.0]),
    shift=st.floats(-100, 100),
    times=st.sampled_from([1e-3, 1.0, 50.0]),
)
def test_shifted_contests_and_other_units_change_nothing_else(
    seed: int, p: float, shift: float, times: float
) -> None:
    races = some_races(seed)
    found = streamed(races, Power(p), tol=1e-7)
    rng = np.random.default_rng(seed)
    moved = races.score * times + shift * rng.normal(size=len(races))[races.contest_of_entry]
    other = streamed(races.with_score(moved), Power(p), tol=1e-7)
    assert found.status == other.status == "optimal"
    np.testing.assert_allclose(other.objective, found.objective * times**p, rtol=3e-7)


def test_margins_that_agree_leave_nothing_but_rounding() -> None:
    rng = np.random.default_rng(4)
    strength, who = (
        rng.normal(size=30),
        np.concatenate([rng.permutation(30)[:8] for _ in range(20)]),
    )
    races = Contests.from_arrays(np.repeat(np.arange(20), 8), who, strength[who])
    found = streamed(races, Power(1.5))
    assert found.status == "optimal"
    order = [races.number[v] for v in range(30)]
    np.testing.assert_allclose(
        found.x[order] - found.x[order].mean(), strength - strength.mean(), atol=1e-9
    )


def test_a_loss_of_your_own_that_answers_for_itself_needs_no_formula() -> None:
    class Own(Huber):
        formula = None

    races = some_races(3)
    found, known = streamed(races, Own(1.0)), streamed(races, Huber(1.0))
    assert found.status == "optimal"
    np.testing.assert_allclose(found.objective, known.objective, rtol=1e-8)


def test_a_forged_bound_would_be_seen() -> None:
    """The check recomputes the proof from the pairs: it fails for scores that are not optimal."""
    from dataclasses import replace

    races = some_races(6)
    found = streamed(races, Power(1.5))
    worse = replace(found, x=found.x + 0.05 * np.sin(np.arange(len(found.x))))
    assert not worse.check(races).holds


def test_many_pairs_are_solved_in_memory_that_grows_with_the_entries() -> None:
    races = datasets.synthetic_races(
        races=300, entrants=1500, field=100, turnover=0.0, seed=2
    ).contests
    solve(races[:30], 1.5)
    told: list[float] = []
    tracemalloc.start()
    found = solve(races, 1.5, progress=told.append)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.status == "optimal"
    assert told[-1] <= 1e-9
    assert races.m > 1_000_000
    assert peak < 400 * races.entries
    by_squares = solve(races, 2)
    assert np.corrcoef(found.x, by_squares.x)[0, 1] > 0.99


def test_two_large_contests_are_no_longer_refused() -> None:
    rng = np.random.default_rng(0)
    n = 3_000
    strength = rng.normal(size=n)
    score = np.concatenate([strength + rng.normal(size=n), strength + rng.normal(size=n)])
    two = Contests.from_arrays(np.repeat([0, 1], n), np.tile(np.arange(n), 2), score)
    found = solve(two, 1.5, tol=1e-6)
    assert two.m > 8_000_000
    assert found.status == "optimal"
    assert found.gap <= 1e-6


def test_nothing_is_compiled_where_that_is_forbidden(monkeypatch: pytest.MonkeyPatch) -> None:
    from qrja.jit import which_way

    monkeypatch.setattr(which_way, "WISH", "never")
    races = some_races(2)
    found = streamed(races, losses.Power(1.5))
    monkeypatch.undo()
    np.testing.assert_allclose(found.objective, streamed(races, Power(1.5)).objective, rtol=1e-9)


def test_a_long_and_narrow_graph_is_preconditioned_by_its_squares(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is far away on a ring of 4,000 is not seen from degrees within 150 products."""
    rng = np.random.default_rng(6)
    first = np.repeat(rng.integers(0, 4000, 16_000), 6)
    who = (first + np.tile(np.arange(6), 16_000)) % 4000
    ring = Contests.from_arrays(np.arange(96_000) // 6, who, rng.normal(size=96_000))
    made = []
    real = stage.factor_of_meetings
    monkeypatch.setattr(
        stage, "factor_of_meetings", lambda *given: made.append(real(*given)) or made[-1]
    )
    found = solve(ring, p=1.5)
    assert found.status == "optimal"
    assert found.check(ring).gap <= 1e-8
    assert [one is not None for one in made] == [True]
