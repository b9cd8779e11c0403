"""Solving in passes: the same scores as in memory, with a proof of their own."""

from __future__ import annotations

import pickle
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse.csgraph import minimum_spanning_tree

from qrja import Contests, InputError, Judgments, fit, losses, read_contests, solve
from qrja.data import centre
from qrja.datasets import synthetic_races
from qrja.laplacian import NOT_DRAWN
from qrja.losses import Huber, KnownLoss, Power
from qrja.ratings.intervals import find_clusters
from qrja.ratings.intervals.resampling import deviate_by_squares
from qrja.scale import (
    Aim,
    InMemory,
    Shard,
    ShardFiles,
    add_up,
    cut,
    draw,
    find_shares,
    resample_passes,
    sample_passes,
    solve_passes,
    solve_sampled,
)
from qrja.scale.by_powers import add_power_product, add_powers
from qrja.scale.by_squares import add_degrees, add_imbalance, add_product, degrees
from qrja.scale.by_windows import (
    Windows,
    add_window_product,
    add_windows,
    look_through,
    settle,
)
from qrja.scale.drawing.other_losses import MeanPulls
from qrja.scale.evening_out import add_evening, even_out
from qrja.scale.kernels import residuals
from qrja.scale.kernels.windows import EACH, TOTALS
from qrja.scale.pass_proofs import Evening
from qrja.scale.search import read_vectors, write_vectors
from qrja.scale.spanning import span
from reference import passes as slow

SETS = ["chess", "codeforces-core", "codeforces", "cross-tables", "f1", "f1-full", "marathon"]


def races(seed: int = 0, n: int = 60, count: int = 40) -> Contests:
    rng = np.random.default_rng(seed)
    strength = rng.normal(size=n)
    rows = [(c, i) for c in range(count) for i in rng.choice(n, rng.integers(2, 12), replace=False)]
    score = [strength[i] + rng.standard_t(3) for _, i in rows]
    of, who = (list(it) for it in zip(*rows, strict=True))
    weight = 1.0 + np.arange(count)[of] % 3
    return Contests.from_arrays(of, [f"r{i}" for i in who], score, weight=weight)


# --------------------------------------------------------------------------------- one pass


@given(st.integers(0, 10**6), st.floats(0.01, 5))
def test_sums_are_those_of_all_pairs(seed: int, width: float) -> None:
    problem = races(seed, n=12, count=6)
    rng = np.random.default_rng(seed)
    x, d, n = rng.normal(size=problem.n), rng.normal(size=problem.n), problem.n
    passes = InMemory.of(problem, entries=9)
    _, _, w, r = slow.residuals(problem, x)

    out = add_up(passes, add_imbalance, n + 2, x)
    np.testing.assert_allclose(2 * out[:n], slow.pulls(problem, x, lambda r: 2 * r), atol=1e-9)
    assert out[n] == pytest.approx(w @ r**2)
    ones = slow.products(problem, x, d, np.ones_like)
    np.testing.assert_allclose(add_up(passes, add_product, n, d), ones, atol=1e-9)
    assert add_up(passes, add_degrees, n).sum() == pytest.approx(2 * w.sum())
    even = add_up(passes, add_evening, n + 2, x, d)
    np.testing.assert_allclose(even[:n], ones, atol=1e-9)
    i, j = (problem.who[it] for it in problem.pair_entries())
    assert even[n] == pytest.approx(w @ ((d[i] - d[j]) * r), abs=1e-9)

    spot = look_through(passes, width, x)
    clipped = np.clip(r / width, -1, 1)
    expected = slow.pulls(problem, x, lambda r: np.clip(r / width, -1, 1))
    np.testing.assert_allclose(spot.pull, expected, atol=1e-9)
    inside = np.abs(r) < width
    totals = [w @ np.abs(r), w @ (clipped * r), w @ clipped**2, w @ inside, w.sum()]
    np.testing.assert_allclose(spot.totals[:5], totals, rtol=1e-9, atol=1e-9)
    bent = slow.products(problem, x, d, lambda r: (np.abs(r) < width) / width + 0.25)
    found = add_up(passes, add_window_product, n, width, 0.25, x, d)
    np.testing.assert_allclose(found, bent, atol=1e-8)


@pytest.mark.parametrize("k", [1, 5, 8, 9, 16, 17, 100, 256, 257, 400])
@pytest.mark.parametrize("digits", [0, 1, 9])
def test_sorts_and_windows_of_all_sizes(k: int, digits: int) -> None:
    rng, width = np.random.default_rng(k), 0.3
    score, who = np.round(rng.normal(size=k), digits), rng.permutation(k).astype(np.int32)
    rough, whose, e, v, first, last = residuals.room_for(k)
    rough[:k], whose[:k] = score, who
    residuals.sort_residuals(rough, whose, k, e, v, first)
    np.testing.assert_array_equal(e[:k], np.sort(score))
    np.testing.assert_array_equal(np.sort(v[:k]), np.arange(k))
    np.testing.assert_array_equal(score[np.argsort(who)[v[:k]]], e[:k])
    residuals.find_windows(e, k, width, first, last)
    apart = e[:k, None] - e[:k]
    np.testing.assert_array_equal(first[:k], (apart >= width).sum(1))
    np.testing.assert_array_equal(last[:k], (-apart < width).sum(1))


@pytest.mark.parametrize("p", [1.2, 1.5, 3.0])
def test_powers_are_those_of_all_pairs(p: float) -> None:
    problem, eps, unit = races(3, n=12, count=6), 0.2, 1.7
    rng = np.random.default_rng(1)
    x, d, n = rng.normal(size=problem.n), rng.normal(size=problem.n), problem.n
    passes = InMemory.of(problem, entries=9)
    out = add_up(passes, add_powers, 3 * n + 3, unit, p, eps, x)
    smooth = lambda r: p * r / unit * ((r / unit) ** 2 + eps**2) ** (p / 2 - 1)  # noqa: E731
    np.testing.assert_allclose(out[:n], slow.pulls(problem, x, smooth), atol=1e-9)
    _, _, w, r = slow.residuals(problem, x)
    assert out[2 * n] == pytest.approx(w @ np.abs(r / unit) ** p)
    short = losses.Power(p).shortfall(r / unit, smooth(r))
    assert out[2 * n + 1] == pytest.approx(w @ short, rel=1e-6, abs=1e-12)
    h = 1e-6
    moved = slow.pulls(problem, x + h * d, smooth) - slow.pulls(problem, x - h * d, smooth)
    found = add_up(passes, add_power_product, n, unit, p, eps, x, d)
    np.testing.assert_allclose(found / unit, -moved / (2 * h), rtol=1e-4, atol=1e-4)


@given(st.integers(0, 10**6), st.integers(1, 50), st.sampled_from([0, 4, 8]))
def test_the_forest_is_the_heaviest_however_data_are_cut(
    seed: int, entries: int, alike: int
) -> None:
    problem = races(seed, n=30, count=8)
    first = np.arange(len(problem)) < alike
    problem = replace(problem, weight=np.where(first, 2.0, problem.weight))
    parts = span(InMemory.of(problem, entries))
    heaviest = np.zeros((problem.n, problem.n))
    for c, weight in enumerate(problem.pair_weight):
        held = problem.who[problem.start[c] : problem.start[c + 1]]
        heaviest[np.ix_(held, held)] = np.maximum(heaviest[np.ix_(held, held)], weight)
    tree = minimum_spanning_tree(-np.triu(heaviest, 1))
    assert parts.edges.w.sum() == pytest.approx(-tree.sum())
    np.testing.assert_array_equal(parts.label, problem.components)
    assert len(parts.edges.a) == problem.n - len(np.unique(problem.components))
    g = np.random.default_rng(seed).normal(size=problem.n)
    g -= (np.bincount(parts.label, g) / np.bincount(parts.label))[parts.label]
    h, out = parts.carry(g), np.zeros(problem.n)
    np.add.at(out, parts.edges.a, h)
    np.add.at(out, parts.edges.b, -h)
    np.testing.assert_allclose(out, g, atol=1e-9)


@pytest.mark.parametrize("seed", range(12))
def test_levels_far_from_0_prove_nothing(seed: int) -> None:
    # Shards are relative when they are cut. Bounds hold even where they are not.
    rng = np.random.default_rng(seed)
    level = 10.0 ** rng.integers(8, 14)
    of, who = (it.ravel() for it in np.indices((6, 5)))
    score = rng.normal(size=30) + np.repeat(level * rng.normal(size=6), 5)
    problem = Contests.from_arrays(of, who, score)
    shards = [
        Shard(np.array([0, 5]), problem.who[at : at + 5], score[at : at + 5], np.ones(1))
        for at in range(0, 30, 5)
    ]
    passes = InMemory(problem.n, shards)
    windows = Windows(passes, span(passes), degrees(passes))
    for width in (1e-3, 0.1, 1.0):
        for which, loss in enumerate([losses.Power(1), losses.Huber(width)]):
            x = solve(problem, loss=loss).x
            best = slow.exact_loss(problem, x, None if which == 0 else width)
            spot = windows.look(width, x)
            bound = windows.bounds(spot, x, width)[which]
            assert Fraction(bound) <= best
            if which == 1:  # whose pulls at its optimum are the best flow
                assert bound > float(best) * (1 - 1e-8) - 1e-11 * level * width
            d = rng.normal(size=5) * 10.0 ** rng.integers(-9, 2)
            found = add_up(passes, add_evening, 7, x, d)
            even = Evening(d, found[:5], float(found[5]), float(found[6]))
            assert Fraction(windows.bounds(spot, x, width, even)[which]) <= best


@given(st.integers(0, 10**6), st.floats(0.05, 2), st.floats(-6, 1))
def test_whatever_is_taken_off_a_flow_bounds_hold(seed: int, width: float, size: float) -> None:
    problem = races(seed, n=12, count=6)
    rng = np.random.default_rng(seed)
    x, d = (scale * rng.normal(size=problem.n) for scale in (1.0, 10.0**size))
    passes = InMemory.of(problem, entries=9)
    windows = Windows(passes, span(passes), degrees(passes))
    found = add_up(passes, add_evening, problem.n + 2, x, d)
    even = Evening(d, found[:-2], float(found[-2]), float(found[-1]))
    bounds = windows.bounds(windows.look(width, x), x, width, even)
    for bound, loss in zip(bounds, [Power(1), Huber(width)], strict=True):
        assert bound <= solve(problem, loss=loss).objective * (1 + 1e-9)


def test_a_flow_that_is_evened_out_proves_more() -> None:
    problem = races(2)
    passes = InMemory.of(problem, 64)
    routes, degree = span(passes), degrees(passes)
    windows, best = Windows(passes, routes, degree), solve(problem, loss=Huber(0.5))
    x = best.x + 1e-3 * np.random.default_rng(0).normal(size=problem.n)
    spot = windows.look(0.5, x)
    even = even_out(passes, routes, degree, spot.pull, x, room=0.05)
    assert even is not None
    assert even.most <= 0.05
    before, after = (
        np.abs(routes.carry(g) / routes.edges.w).max() for g in (spot.pull, spot.pull - even.pull)
    )
    assert after <= 0.025 < before
    alone, evened = (windows.bounds(spot, x, 0.5, it) for it in (None, even))
    for less, more, best_at_all in zip(alone, evened, (solve(problem, 1), best), strict=True):
        assert less < more <= best_at_all.objective
    assert even_out(passes, routes, degree, 1e3 * spot.pull, x, room=0.05) is None
    assert even_out(passes, routes, degree, 1e-3 * spot.pull, x, room=0.05) is None


# ------------------------------------------------------------------------------- solutions

AIMS = [
    (Aim.of(2), {"p": 2}),
    (Aim.of(1), {"p": 1}),
    (Aim.of(1, tol=1e-4), {"p": 1}),
    (Aim.of(1.2), {"p": 1.2}),
    (Aim.of(1.5), {"p": 1.5}),
    (Aim.of(3), {"p": 3}),
    (Aim.of(2, losses.Huber(0.7)), {"loss": losses.Huber(0.7)}),
]


@pytest.mark.parametrize(("aim", "asked"), AIMS, ids=lambda it: str(it))
@pytest.mark.parametrize("kind", ["contests", "judgments"])
def test_agrees_with_solving_in_memory(aim: Aim, asked: dict[str, object], kind: str) -> None:
    problem = races(5) if kind == "contests" else races(6, n=20).to_judgments()
    found = solve_passes(InMemory.of(problem, 64), problem.names, aim)
    exact = solve(problem, **asked)  # type: ignore[arg-type]
    assert found.status == "optimal"
    assert found.gap <= aim.tol
    assert found.lower_bound <= exact.objective * (1 + 1e-9)
    assert exact.lower_bound <= found.objective * (1 + 1e-9)
    np.testing.assert_array_equal(found.components, exact.components)
    if aim.loss.power == 2:
        assert found.gap <= 1e-12
        np.testing.assert_allclose(found.x, exact.x, atol=1e-9 * np.abs(exact.x).max())


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("p", [2, 1])
def test_agrees_on_the_papers_sets(paper_data: Path, tmp_path: Path, name: str, p: int) -> None:
    with pytest.warns() if name == "f1-full" else _nothing():
        problem = read_contests(paper_data / f"{name}.csv")
    aim, exact = Aim.of(p), solve(problem, p)
    entries = max(problem.entries // 3, 1)
    for passes in (
        InMemory.of(problem, entries),
        ShardFiles.write(tmp_path, problem.n, cut(problem, entries)),
    ):
        found = solve_passes(passes, problem.names, aim)
        assert found.gap <= (1e-12 if p == 2 else 5e-3)
        slack = 1 + 1e-9
        assert found.lower_bound <= exact.objective * slack <= found.objective * slack**2
        if p == 2:
            np.testing.assert_allclose(found.x, exact.x, atol=1e-9 * np.abs(exact.x).max())


def _nothing():  # type: ignore[no-untyped-def]
    from contextlib import nullcontext

    return nullcontext()


def test_a_hard_graph_is_proved_or_said_to_be_inexact() -> None:
    ends = np.r_[np.arange(300), 0, 100], np.r_[np.arange(1, 301), 150, 290]
    chain = Judgments.from_arrays(*ends, np.r_[np.arange(300) % 7, 5, 3])
    found = solve_passes(InMemory.of(chain), chain.names, Aim.of(2))
    assert found.status == "optimal"
    np.testing.assert_allclose(found.x, solve(chain).x, atol=1e-6)


def test_components_are_told_apart_and_may_differ_in_size() -> None:
    a = ["a", "b", "c", "u", "v", "w"]
    b = ["b", "c", "a", "v", "w", "u"]
    far = Judgments.from_arrays(a, b, [1, 1, 4, 1e6, 1e6, 4e6])
    for aim in (Aim.of(2), Aim.of(1.5), Aim.of(1)):
        found = solve_passes(InMemory.of(far), far.names, aim)
        exact = solve(far, aim.loss.power or 2)
        np.testing.assert_array_equal(found.components, exact.components)
        assert found.lower_bound <= exact.objective * (1 + 1e-12)


@pytest.mark.parametrize("p", [1, 1.5, 2])
def test_what_agrees_has_a_loss_of_nothing(p: float) -> None:
    level = Contests.from_arrays([1, 1, 1, 2, 2], "abcab", [3.0, 2.0, 1.0, 9.0, 8.0])
    found = solve_passes(InMemory.of(level), level.names, Aim.of(p))
    assert found.objective <= 1e-25
    assert found.status == "optimal"
    np.testing.assert_allclose(found.x, [1, 0, -1], atol=1e-12)


@pytest.mark.parametrize("p", [1, 1.5, 2])
def test_levels_and_units_change_nothing(p: float) -> None:
    problem = races(8)
    once = solve_passes(InMemory.of(problem), problem.names, Aim.of(p))
    level = np.repeat(np.arange(len(problem)) * 1e6, problem.sizes)
    other = problem.with_score(1000 * problem.score + level)
    again = solve_passes(InMemory.of(other), other.names, Aim.of(p))
    assert again.gap <= Aim.of(p).tol
    assert again.objective == pytest.approx(1000**p * once.objective, rel=Aim.of(p).tol + 1e-6)
    if p > 1:
        np.testing.assert_allclose(again.x, 1000 * once.x, atol=3, rtol=1e-3)


def test_large_contests_need_no_pairs() -> None:
    problem = synthetic_races(12, 3_000, 2_000, seed=1).contests
    found = solve_passes(InMemory.of(problem, 5_000), problem.names, Aim.of(1))
    assert problem.m > 2e7
    assert found.gap <= 5e-3


def test_passes_hardly_grow_with_contestants() -> None:
    made = []
    for count in (400, 4_000):
        problem = synthetic_races(count, 5 * count // 2, 50, turnover=0).contests
        passes = InMemory.of(problem)
        assert solve_passes(passes, problem.names, Aim.of(1)).gap <= 5e-3
        made.append(passes.made)
    assert made[0] <= made[1] <= min(made[0] + 3, 23)


@pytest.mark.parametrize("p", [0.5, 1.01, 40, np.inf])
def test_other_losses_are_refused_in_a_sentence(p: float) -> None:
    with pytest.raises(InputError, match="data read in passes take p = 1"):
        Aim.of(p)
    with pytest.raises(InputError, match="the loss is"):
        Aim.of(2, losses.Pinball(0.3))


def test_no_flow_is_written_out() -> None:
    problem = races(1)
    found = solve_passes(InMemory.of(problem), problem.names, Aim.of(2))
    with pytest.raises(InputError, match="a number for every pair"):
        found.flow()


# ------------------------------------------------------------------------ files and faults


def test_shards_come_back_as_they_were(tmp_path: Path) -> None:
    problem = races(2)
    files = ShardFiles.write(tmp_path, problem.n, cut(problem, 40))
    assert len(files.paths) > 3
    for aim in (Aim.of(2), Aim.of(1)):
        there = solve_passes(ShardFiles.open(tmp_path), problem.names, aim)
        here = solve_passes(InMemory.of(problem, 40), problem.names, aim)
        np.testing.assert_array_equal(there.x, here.x)
    assert not list(tmp_path.glob("*.part"))


def test_a_damaged_shard_is_named(tmp_path: Path) -> None:
    problem = races(2)
    files = ShardFiles.write(tmp_path, problem.n, cut(problem, 40))
    Path(files.paths[2]).write_bytes(b"PAR1 nothing")
    with pytest.raises(InputError, match=r"shard-00002.parquet: is no readable shard"):
        solve_passes(files, problem.names, Aim.of(2))
    (tmp_path / "manifest.json").unlink()
    with pytest.raises(InputError, match="was not staged to the end"):
        ShardFiles.open(tmp_path)
    (tmp_path / "manifest.json").write_text("{}")
    with pytest.raises(InputError, match="no manifest of this version"):
        ShardFiles.open(tmp_path)


class Dies(InMemory):
    """Data that are lost after some passes."""

    left = 10**9

    def answer(self, question):  # type: ignore[no-untyped-def]
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt
        return super().answer(question)


@pytest.mark.parametrize("p", [2, 1, 1.5])
def test_whoever_is_stopped_goes_on(
    tmp_path: Path, p: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("qrja.scale.search.OFTEN", -1.0)
    problem, aim, kept = races(4), Aim.of(p), tmp_path / "vectors.npz"
    whole = InMemory.of(problem)
    once = solve_passes(whole, problem.names, aim)
    stopped = Dies.of(problem)
    stopped.left = int(0.8 * whole.made)
    with pytest.raises(KeyboardInterrupt):
        solve_passes(stopped, problem.names, aim, keep=kept)
    further = InMemory.of(problem)
    again = solve_passes(further, problem.names, aim, keep=kept)
    assert further.made < whole.made
    assert again.gap <= aim.tol
    assert again.objective == pytest.approx(once.objective, rel=max(aim.tol, 1e-12))


def test_vectors_of_something_else_are_not_taken(tmp_path: Path) -> None:
    path = tmp_path / "vectors.npz"
    write_vectors(path, "|t|", np.arange(3.0), width=2.0)
    assert read_vectors(path, "|t|", 3)["width"] == 2
    assert read_vectors(path, "|t|^2", 3) == {}
    assert read_vectors(path, "|t|", 4) == {}
    path.write_bytes(b"half")
    assert read_vectors(path, "|t|", 3) == {}
    assert read_vectors(tmp_path / "none", "|t|", 3) == {}


def test_what_a_cluster_is_sent_can_be_sent() -> None:
    for function in (add_degrees, add_product, add_windows, add_powers):
        assert pickle.loads(pickle.dumps(function)) is function


@pytest.mark.parametrize("p", [1, 2])
def test_whoever_waits_is_told(p: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qrja.scale.search.LITTLE", np.inf)
    problem, heard = races(1), []
    passes = InMemory.of(problem)
    found = solve_passes(passes, problem.names, Aim.of(p), tell=heard.append)
    assert heard[-1].gap == pytest.approx(found.gap, abs=1e-12)
    assert {it.made for it in heard} == set(range(1, found.iterations + 1))
    assert heard[0].left is None
    assert any(it.left is not None and 0 <= it.left < 60 for it in heard)
    assert [it.made for it in heard] == sorted(it.made for it in heard)
    assert [it.seconds for it in heard] == sorted(it.seconds for it in heard)
    assert [it.gap for it in heard] == sorted((it.gap for it in heard), reverse=True)


# ------------------------------------------------------------------------- contests drawn again


@pytest.mark.parametrize("kind", ["contests", "judgments"])
def test_resamples_are_those_of_memory_with_the_same_draws(kind: str) -> None:
    problem = races(5) if kind == "contests" else races(6, n=20).to_judgments()
    ratings, clusters = fit(problem), find_clusters(problem)
    x, label, passes = ratings.solution.x, problem.components, InMemory.of(problem, 64)
    assert len(passes.shards) > 2
    shares = find_shares(passes, label, x, precise=problem.directed)
    np.testing.assert_allclose(shares.squares, clusters.shares.squares)
    np.testing.assert_allclose(shares.noise_squares, clusters.shares.noise_squares)
    assert shares.noise == pytest.approx(clusters.noise(x, label))
    assert shares.contests == clusters.count

    found = resample_passes(passes, label, x, shares, count=20, seed=3)
    drawn = np.concatenate([draw(3, np.arange(20), shard) for shard in passes.shards])
    kept = np.maximum(drawn, NOT_DRAWN)
    expected, _ = deviate_by_squares(ratings, clusters, kept)
    expected -= expected.mean(axis=0)
    close = 1e-5 * np.abs(expected).max()
    np.testing.assert_allclose(found.deviations, expected, atol=close)
    np.testing.assert_allclose(found.seen, clusters.shares.seen(kept) / 20, atol=1e-12)


@pytest.mark.parametrize("loss", [Power(1), Huber(1.0), Power(1.5), Power(3)], ids=str)
def test_resamples_of_other_losses_are_near_those_solved_one_by_one(loss: KnownLoss) -> None:
    problem, count = races(5, n=20, count=60), 12
    asked = {"p": loss.power} if loss.power else {"loss": loss}
    x, label, passes = solve(problem, **asked).x, problem.components, InMemory.of(problem, 64)
    shares = find_shares(passes, label, x, precise=False)
    found = resample_passes(passes, label, x, shares, count=count, seed=3, loss=loss)
    drawn = np.concatenate([draw(3, np.arange(count), shard) for shard in passes.shards])
    weights = np.maximum(drawn, NOT_DRAWN).T
    alone = np.stack(
        [solve(replace(problem, weight=problem.weight * w), **asked).x for w in weights], axis=1
    )
    expected = centre(alone - x[:, None], label)
    close = np.sqrt((found.deviations**2).sum(1) / (expected**2).sum(1))
    assert abs(np.median(close) - 1) < (0.1 if loss.power == 1 else 0.02)
    agreement = np.corrcoef(found.deviations.ravel(), expected.ravel())[0, 1]
    assert agreement > (0.95 if loss.power == 1 else 0.99)
    rows = np.array([7, 3])
    some = resample_passes(passes, label, x, shares, count=count, seed=3, loss=loss, rows=rows)
    np.testing.assert_array_equal(some.deviations, found.deviations[rows])
    np.testing.assert_array_equal(some.seen, found.seen[rows])


def test_contests_of_unequal_noise_are_resampled_as_they_are() -> None:
    rng, n, field, count = np.random.default_rng(4), 120, 40, 36
    who = np.concatenate([rng.permutation(n) for _ in range(count * field // n)])
    stray = np.repeat(rng.choice([0.2, 1.0, 3.0], count), field)
    score = rng.normal(0, 2, n)[who] + stray * rng.standard_t(4, len(who))
    problem = Contests.from_arrays(np.repeat(np.arange(count), field), who, score)
    x, label, passes = solve(problem, 1).x, problem.components, InMemory.of(problem, 64)
    pulls = MeanPulls.at(passes, Power(1), x)
    left = (problem.score - x[problem.who]).reshape(count, field)
    apart = np.sqrt(2) * np.abs(left - left.mean(axis=1)[:, None]).mean(axis=1)
    seen = (10 * pulls.mean + (field - 1) * apart) / (10 + field - 1)
    bends = np.concatenate([pulls.bends(shard, x) for shard in passes.shards])
    np.testing.assert_allclose(bends, pulls.mean / seen)

    shares = find_shares(passes, label, x, precise=False)
    found = resample_passes(passes, label, x, shares, count=24, seed=3, loss=Power(1)).deviations
    drawn = np.concatenate([draw(3, np.arange(24), shard) for shard in passes.shards])
    solved = [solve(replace(problem, weight=problem.weight * w), 1).x - x for w in drawn.T]
    ratio = np.sqrt((found**2).sum(axis=1) / (centre(np.array(solved).T, label) ** 2).sum(axis=1))
    assert abs(np.median(ratio) - 1) < 0.05
    assert np.quantile(ratio, 0.05) > 0.8  # where all contests weigh alike, 0.67


def test_blocks_of_any_width_draw_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = races(5)
    x, label, passes = fit(problem).solution.x, problem.components, InMemory.of(problem)
    shares = find_shares(passes, label, x, precise=False)
    ask = partial(resample_passes, passes, label, x, shares, count=20, seed=3)
    wide = ask()
    monkeypatch.setattr("qrja.scale.drawing.resampled.NUMBERS", 3 * problem.n)
    heard: list[tuple[int, int]] = []
    narrow = ask(tell=lambda done, count: heard.append((done, count)))
    assert heard[:2] == [(3, 20), (6, 20)]
    np.testing.assert_allclose(narrow.deviations, wide.deviations, atol=1e-4)


def test_draws_are_poisson_and_belong_to_the_contest() -> None:
    (shard,) = cut(races(1, count=400))
    drawn = draw(0, np.arange(100), shard)
    expected = np.array([np.exp(-1) / 1, np.exp(-1) / 1, np.exp(-1) / 2, np.exp(-1) / 6])
    shares = np.bincount(drawn.astype(int).ravel(), minlength=4)[:4] / drawn.size
    np.testing.assert_allclose(shares, expected, atol=0.01)
    assert np.abs(np.corrcoef(drawn.T) - np.eye(100)).max() < 0.3
    np.testing.assert_array_equal(draw(0, np.array([40, 41]), shard), drawn[:, 40:42])
    assert (draw(1, np.arange(100), shard) != drawn).mean() > 0.5
    other = shard._replace(score=shard.score + np.arange(shard.entries))
    assert (draw(0, np.arange(100), other) != drawn).mean() > 0.5


# ------------------------------------------------------------------------------ fewer judgments


@pytest.mark.parametrize("weights", ["uniform", "lewis"])
def test_samples_keep_the_loss_of_every_x_on_average(weights: str) -> None:
    problem = races(9, n=25, count=60)
    passes = InMemory.of(problem, 64)
    routes, x = span(passes), np.random.default_rng(0).normal(size=problem.n)
    _, _, w, r = slow.residuals(problem, x)
    truth, forest = w @ np.abs(r), len(routes.edges.a)
    losses = []
    for seed in range(16):
        drawn = sample_passes(passes, problem.names, routes, 400, weights=weights, seed=seed)
        of_forest = slice(drawn.m - forest, None)  # which is added
        off = np.abs(x[drawn.a] - x[drawn.b] - drawn.y)
        losses.append(drawn.w @ off - drawn.w[of_forest] @ off[of_forest])
    error = np.std(losses) / np.sqrt(len(losses))
    assert np.mean(losses) == pytest.approx(truth, abs=4 * error)
    assert error < 0.03 * truth
    again = sample_passes(passes, problem.names, routes, 400, weights=weights, seed=3)
    once = sample_passes(passes, problem.names, routes, 400, weights=weights, seed=3)
    np.testing.assert_array_equal(again.w, once.w)


@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize("weights", ["uniform", "lewis"])
def test_scores_of_a_sample_are_judged_on_all_data(p: int, weights: str) -> None:
    problem = races(10, n=40, count=400)
    found = solve_sampled(InMemory.of(problem, 500), problem.names, 6_000, weights=weights, p=p)
    exact = solve(problem, p)
    _, _, w, r = slow.residuals(problem, found.x)
    assert found.sample.m < problem.m
    assert found.reached.objective == pytest.approx(w @ np.abs(r) ** p)
    bound = found.reached.objective - found.reached.excess
    assert bound <= exact.objective * (1 + 1e-9)
    assert found.reached.objective <= exact.objective * 1.05
    assert found.reached.gap <= 0.05
    np.testing.assert_array_equal(found.sample.components, problem.components)


def test_samples_of_what_is_not_there_are_refused() -> None:
    problem = races(9)
    passes = InMemory.of(problem)
    with pytest.raises(InputError, match=r"weights is 'best'; choose one of uniform, lewis"):
        solve_sampled(passes, problem.names, 100, weights="best")
    with pytest.raises(InputError, match=r"p is 1.5; scores of a sample"):
        solve_sampled(passes, problem.names, 100, p=1.5)
    with pytest.raises(InputError, match="M is 0"):
        solve_sampled(passes, problem.names, 0)


def test_sums_over_many_equal_contests_keep_their_digits() -> None:
    """Whatever they would lose, all would lose alike, and a bound is a difference of two."""
    times, w = 200_000, 0.1
    score = np.zeros(2 * times)
    score[1 : times + 1 : 2], score[times + 1 :: 2] = -1.1, 7.7
    start, who = np.arange(0, 2 * times + 1, 2), np.tile(np.arange(2, dtype=np.int32), times)
    shard, out = Shard(start, who, score, np.full(times, w)), np.zeros(2 * EACH + TOTALS)
    add_windows(shard, out, 1.0, np.array([0.1, 0.3]))
    out = settle(2, out)
    left = Fraction(0.1) - Fraction(0.3)
    margins = [(Fraction(1.1) - left, Fraction(1)), (Fraction(-7.7) - left, Fraction(-1))]
    each = Fraction(w) * times / 2
    pull = sum(f * each for _, f in margins)
    sums = [
        sum(part) * each for part in zip(*((abs(r), f * r, f * f) for r, f in margins), strict=True)
    ]
    assert abs(Fraction(out[0]) - pull) < each * Fraction(1, 10**15)
    squares = np.zeros(4)
    add_imbalance(shard, squares, np.array([0.1, 0.3]))
    sums.append(sum(r * r for r, _ in margins) * each)
    for found, exact in zip([*out[4:7], squares[2]], sums, strict=True):
        assert abs(Fraction(found) / exact - 1) < Fraction(1, 10**15)
