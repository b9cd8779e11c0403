"""Powers and Huber's loss of very large contests by sweeps: all is as with pairs that are seen."""

from __future__ import annotations

from decimal import Decimal, localcontext
from typing import Any

import numpy as np
import pytest

from qrja import Contests, solve
from qrja.losses import Huber, KnownLoss, Power
from qrja.solution import Solution
from qrja.solvers.convex.folding import fold_contests
from qrja.solvers.convex.newton import solve_newton
from qrja.solvers.convex.streamed import PairBlocks, solve_streamed, streamed_descent
from qrja.solvers.convex.streamed.swept import NearSums, SweptSums
from qrja.solvers.convex.streamed.swept.exponentials import write_power
from qrja.solvers.demands import demands_on

POWERS = [1.1, 1.5, 1.99, 2.0, 2.5, 3.0, 5.7, 8.0]


def some_races(seed: int, n: int = 60, contests: int = 6, ties: bool = False) -> Contests:
    """Make contests of mixed sizes and weights; some contestants are seen once."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(n // 4, n, contests)
    flat = np.concatenate([rng.choice(n, size, replace=False) for size in sizes])
    noise = rng.integers(0, 3, len(flat)) if ties else rng.standard_t(3, size=len(flat))
    where = np.repeat(np.arange(contests), sizes)
    races = Contests.from_arrays(where, flat, rng.normal(size=n)[flat] * (not ties) + noise)
    return races.with_weight(rng.uniform(0.5, 2.0, contests))


def swept(problem: Contests, p: float | KnownLoss, tol: float = 1e-8, **asked: Any) -> Solution:
    demands = demands_on(problem, **asked)
    folded = fold_contests(problem, ~demands.free | (demands.ridge > 0))
    loss = p if isinstance(p, KnownLoss) else Power(p)
    return solve_streamed(problem, loss, demands, folded, tol=tol, swept=True)


@pytest.mark.parametrize("p", [1.05, 1.5, 1.9999, 2.5, 3.0, 19.3])
@pytest.mark.parametrize("accuracy", [1e-4, 1e-13])
def test_the_error_of_exponentials_is_no_more_than_is_told(p: float, accuracy: float) -> None:
    terms = write_power(p, accuracy, 2.0**-40, 2.0)
    assert terms.error <= accuracy
    assert (terms.share > 0).all()
    t = np.exp(np.random.default_rng(1).uniform(np.log(2.0**-40), np.log(2.0), 60))
    with localcontext() as context:
        context.prec = 40
        for at in (Decimal(float(v)) for v in np.append(t, [2.0**-40, 2.0])):
            pairs = zip(terms.share.tolist(), terms.rate.tolist(), strict=True)
            total = sum(Decimal(share) * (-Decimal(rate) * at).exp() for share, rate in pairs)
            error = abs(at**terms.degree * total / at ** Decimal(p) - 1)
            # Shares and rates are floats.
            assert error <= Decimal(terms.error) + Decimal("3e-15")


@pytest.mark.parametrize("p", POWERS)
def test_sums_are_those_of_pairs(p: float) -> None:
    rng = np.random.default_rng(5)
    start = np.array([0, 1, 4, 4, 200, 350])
    count, weight = rng.integers(1, 4, 350).astype(float), rng.uniform(0.1, 2, 5)
    e = rng.normal(size=350) * rng.choice([1e-6, 1e-2, 1.0], 350)
    e[200:240] = e[200]
    fast, slow = (kind(start, count, weight, Power(p)) for kind in (SweptSums, PairBlocks))
    found, known = fast.measure(e, np.ones(5)), slow.slopes(e, np.zeros(5), np.ones(5))
    assert found.error < 1e-12
    assert (np.abs(found.value - known.value) <= found.error * known.value).all()
    assert (np.abs(found.slope - known.slope) <= found.error * found.through).all()
    assert (np.abs(found.slope) <= found.through).all()


@pytest.mark.parametrize("delta", [1e-7, 1e-3, 0.3, 1.0, 50.0])
@pytest.mark.parametrize("ties", [False, True])
def test_sums_of_hubers_loss_are_those_of_pairs(delta: float, ties: bool) -> None:
    rng = np.random.default_rng(7)
    start, unit = np.array([0, 1, 4, 4, 200, 350]), rng.uniform(0.5, 2, 5)
    count, weight = rng.integers(1, 4, 350).astype(float), rng.uniform(0.1, 2, 5)
    # With ties many residuals are apart by delta exactly, where half squares become lines.
    e = rng.integers(0, 9, 350) * delta if ties else rng.standard_t(2, size=350)
    e[200:240] = e[200]
    unit = np.ones(5) if ties else unit
    fast, slow = (kind(start, count, weight, Huber(delta)) for kind in (NearSums, PairBlocks))
    found, known = fast.measure(e, unit), slow.slopes(e, np.zeros(5), unit)
    assert (np.abs(found.value - known.value) <= 2e-15 * (found.size + 350 * known.value)).all()
    assert (np.abs(found.slope - known.slope) <= 2e-15 * (found.through + 350 * delta)).all()
    # Pairs that are nearly delta apart count as near or not by the last digit.
    if not ties:
        smoothed = fast.slopes(e, np.zeros(5), unit)
        np.testing.assert_allclose(smoothed.curvature, known.curvature, atol=1e-12)
        v = rng.normal(size=350)
        one, other = (each.system(e, np.zeros(5), unit)(v) for each in (fast, slow))
        np.testing.assert_allclose(one, other, atol=1e-9)
    far = np.abs(e[:, None] - e) - (delta / unit)[fast.contest]
    pairs = (fast.contest[:, None] == fast.contest) * fast.mass[:, None] * count
    beyond = 0.5 * (pairs * np.maximum(far, 0.0)).sum(1) * (delta / unit)[fast.contest]
    np.testing.assert_allclose(fast.beyond(e, unit), beyond, rtol=1e-9, atol=1e-12 * beyond.max())


@pytest.mark.parametrize("delta", [0.01, 0.3, 1.0, 4.0, 1000.0])
@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize(
    "asked", [{}, {"ridge": 0.3}, {"anchors": {0: 10.0, 1: 9.0, 2: 12.0}}], ids=str
)
def test_bounds_with_hubers_loss_are_true(delta: float, ties: bool, asked: dict[str, Any]) -> None:
    races = some_races(3, ties=ties)
    found, known = swept(races, Huber(delta), **asked), solve_newton(races, Huber(delta), **asked)
    assert found.lower_bound <= known.objective * (1 + 1e-12)
    assert known.lower_bound <= found.objective * (1 + 1e-12)
    check = found.check(races)
    np.testing.assert_allclose(check.objective, found.objective, rtol=1e-12)
    assert check.lower_bound >= found.lower_bound - 1e-12 * found.objective
    # Of sixty entrants, few are near each other: below that other ways are quicker and surer.
    if delta >= 0.3 and not ties:
        assert found.status == "optimal"


@pytest.mark.parametrize("steps", [0, 1, 2, 3])
def test_bounds_with_hubers_loss_are_true_wherever_it_stops(
    steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    races = some_races(8)
    monkeypatch.setattr(streamed_descent, "MOST_STEPS", steps)
    found = swept(races, Huber(1.0))
    monkeypatch.undo()
    check, best = found.check(races), solve_newton(races, Huber(1.0))
    assert found.lower_bound <= best.objective
    assert found.lower_bound <= check.lower_bound + 1e-12 * found.objective


@pytest.mark.parametrize("loss", [Power(1.5), Power(3.0), Power(20.0), Huber(1.0)], ids=str)
def test_what_is_mended_leaves_no_more_than_is_doubted(loss: KnownLoss) -> None:
    """Of the two sides of the tree the surer one tells what passes: all that is left vanishes."""
    races = some_races(5)
    found = swept(races, loss)
    leak, size = np.zeros((2, races.n))
    flow, pairs = found.flow(), races.to_judgments()
    for ends, sign in ((pairs.a, 1.0), (pairs.b, -1.0)):
        np.add.at(leak, ends, sign * flow)
        np.add.at(size, ends, np.abs(flow))
    assert (np.abs(leak) <= 1e-11 * size.max()).all()


@pytest.mark.parametrize("p", POWERS)
def test_systems_are_those_of_pairs_where_these_are_further_apart_than_eps(p: float) -> None:
    rng = np.random.default_rng(6)
    start, count, weight = np.array([0, 50]), rng.uniform(1, 3, 50), np.ones(1)
    e, v = np.arange(50.0) + rng.uniform(0, 0.1, 50), rng.normal(size=50)
    fast, slow = (kind(start, count, weight, Power(p)) for kind in (SweptSums, PairBlocks))
    one, other = (each.system(e, np.full(1, 1e-4), np.ones(1))(v) for each in (fast, slow))
    np.testing.assert_allclose(one, other, atol=5e-3 * np.abs(other).max())


@pytest.mark.parametrize("p", [1.5, 1.9, 2.5, 3.0, 5.0])
@pytest.mark.parametrize("ties", [False, True])
def test_scores_and_proof_are_those_of_pairs_written_out(p: float, ties: bool) -> None:
    races = some_races(3, ties=ties)
    found, known = swept(races, p), solve(races, p)
    assert found.status == "optimal"
    assert found.gap <= 1e-8
    assert found.lower_bound <= known.objective * (1 + 1e-12)
    assert known.lower_bound <= found.objective * (1 + 1e-12)
    check = found.check(races)
    assert check.holds
    np.testing.assert_allclose(check.objective, found.objective, rtol=1e-12)
    # The price of what is mended is bounded from above: pairs find it to be no more.
    assert check.lower_bound >= found.lower_bound * (1 - 1e-12)


@pytest.mark.parametrize("p", [1.5, 3.0])
@pytest.mark.parametrize("steps", [0, 1, 2])
def test_bounds_are_true_wherever_it_stops(
    p: float, steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    races = some_races(8)
    monkeypatch.setattr(streamed_descent, "MOST_STEPS", steps)
    found = swept(races, p)
    monkeypatch.undo()
    assert found.status == "inexact"
    check, best = found.check(races), solve(races, p)
    np.testing.assert_allclose(check.objective, found.objective, rtol=1e-12)
    assert found.lower_bound <= best.objective
    assert found.lower_bound <= check.lower_bound * (1 + 1e-12)
    assert found.objective * (1 - found.gap) <= best.objective * (1 + 1e-12)


@pytest.mark.parametrize("p", [1.5, 3.0])
@pytest.mark.parametrize(
    "asked",
    [
        {"ridge": 0.3},
        {"ridge": 1e-3, "prior": {1: 5.0, 2: -3.0}},
        {"anchors": {0: 10.0}},
        {"anchors": {0: 10.0, 1: 9.0, 2: 12.0, 3: 9.5}},
        {"ridge": 0.1, "anchors": {4: 2.0}},
    ],
    ids=str,
)
def test_ridge_prior_and_anchors(p: float, asked: dict[str, Any]) -> None:
    races = some_races(11)
    found, known = swept(races, p, **asked), solve(races, p, **asked)
    assert found.status == "optimal"
    np.testing.assert_allclose(found.objective, known.objective, rtol=2e-8)
    assert found.lower_bound <= known.objective * (1 + 1e-12)
    assert found.check(races).holds


def test_components_of_different_scales_are_each_proved() -> None:
    one, other = some_races(1), some_races(2)
    who = [f"a{v}" for v in one.who] + [f"b{v}" for v in other.who]
    where = np.concatenate([one.contest_of_entry, 99 + other.contest_of_entry])
    both = Contests.from_arrays(where, who, np.concatenate([one.score, 1e4 * other.score]))
    found, known = swept(both, 1.5), solve(both, 1.5)
    assert found.status == "optimal"
    assert found.check(both).holds
    np.testing.assert_allclose(found.objective, known.objective, rtol=2e-8)


def test_very_large_contests_cost_what_their_entries_cost() -> None:
    """Two contests of 20,000 are 400,000,000 pairs: looked at once each, they would take longer."""
    rng = np.random.default_rng(0)
    n = 20_000
    strength = rng.normal(size=n)
    score = np.concatenate([strength + rng.standard_t(3, size=n) for _ in range(2)])
    two = Contests.from_arrays(np.repeat([0, 1], n), np.tile(np.arange(n), 2), score)
    for loss in (Power(1.5), Power(3.0), Power(20.0), Huber(1.0)):
        found = solve_newton(two, loss)
        assert found.status == "optimal"
        assert found.gap <= (1e-8 if loss == Power(20.0) else 1e-9)


def test_pairs_are_looked_at_where_sweeps_do_not_suffice(monkeypatch: pytest.MonkeyPatch) -> None:
    races = some_races(4)
    demands = demands_on(races)
    folded = fold_contests(races, ~demands.free)
    monkeypatch.setattr(streamed_descent, "is_swept", lambda *_: True)
    quick = solve_streamed(races, Power(1.1), demands, folded, tol=1e-9, swept=True)
    found = solve_streamed(races, Power(1.1), demands, folded, tol=1e-9)
    assert quick.status == "inexact"
    assert found.status == "optimal"
    assert quick.lower_bound <= found.objective
