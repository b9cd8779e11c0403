"""0 < p < 1: all spanning trees, local optimality by trying all shifts, and honest labels."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrja import Contests, InputError, Judgments
from qrja.jit import which_way
from qrja.solvers.nonconvex import local as nonconvex
from qrja.solvers.nonconvex import solve_nonconvex
from qrja.solvers.nonconvex.kernels.shift import best_shift
from reference.enumeration import solve_by_trying_all
from reference.graphs import power_loss
from reference.trees import best_group_shift, best_tree_loss, sides_of_zero_tree
from strategies import contests, judgments, side_by_side

POWERS = st.sampled_from([0.1, 0.3, 0.5, 0.9, 0.99])


def random_judgments(n: int, m: int, seed: int, whole: bool = False) -> Judgments:
    """A connected problem: a path, and random judgments on top."""
    rng = np.random.default_rng(seed)
    a = np.append(np.arange(n - 1), rng.integers(0, n, m - n + 1))
    b = np.append(np.arange(1, n), (a[n - 1 :] + rng.integers(1, n, m - n + 1)) % n)
    y = rng.integers(-3, 4, m).astype(float) if whole else rng.normal(size=m)
    return Judgments(a, b, y, rng.integers(1, 4, m).astype(float), tuple(range(n)))


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("whole", [False, True])
def test_the_exact_optimum_is_the_best_spanning_tree(seed: int, whole: bool) -> None:
    problem = random_judgments(3 + seed % 3, 8, seed, whole)
    for p in (0.1, 0.5, 0.9):
        best = best_tree_loss(problem, p)
        exact = solve_by_trying_all(problem, p)
        assert exact.objective == pytest.approx(best, rel=1e-9)
        assert exact.objective == pytest.approx(power_loss(problem, exact.x, p), rel=1e-9)
        assert (exact.status, exact.gap) == ("optimal", 0)


def test_no_random_scores_beat_the_exact_optimum() -> None:
    problem, rng = random_judgments(6, 14, 1), np.random.default_rng(0)
    exact = solve_by_trying_all(problem, 0.5)
    near = exact.x + rng.normal(size=(500, 6)) * 10.0 ** rng.uniform(-3, 1, (500, 1))
    assert min(power_loss(problem, x, 0.5) for x in near) > exact.objective


@given(judgments(max_candidates=6, max_judgments=9), POWERS)
def test_a_local_optimum_is_not_better_than_the_best(problem: Judgments, p: float) -> None:
    local, exact = solve_nonconvex(problem, p), solve_by_trying_all(problem, p)
    assert local.objective >= exact.objective * (1 - 1e-9)
    assert local.objective == pytest.approx(power_loss(problem, local.x, p), rel=1e-6)
    assert (local.status, local.certificate) == ("local", "none")
    assert (local.lower_bound, local.gap) == (0, np.inf)


@pytest.mark.parametrize("p", [0.1, 0.5, 0.9])
def test_several_starts_find_the_optimum_of_small_problems(p: float) -> None:
    for seed in range(15):
        problem = random_judgments(7, 16, seed, whole=seed % 2 == 0)
        local, exact = solve_nonconvex(problem, p), solve_by_trying_all(problem, p)
        assert local.objective == pytest.approx(exact.objective, rel=1e-9)


@pytest.mark.parametrize("p", [0.2, 0.5, 0.9])
@pytest.mark.parametrize("seed", range(3))
def test_local_means_that_no_cut_of_the_tree_and_no_candidate_wants_to_move(
    p: float, seed: int
) -> None:
    problem = random_judgments(30, 120, seed)
    solution = solve_nonconvex(problem, p, starts=1)
    sides = sides_of_zero_tree(problem, solution.x)
    assert len(sides) == 29
    for group in [*sides, *np.eye(30, dtype=bool)]:
        best = best_group_shift(problem, solution.x, group, p)
        assert best >= solution.objective * (1 - 1e-9)


@given(judgments(), POWERS)
def test_local_means_that_no_candidate_wants_to_move_ties_or_not(
    problem: Judgments, p: float
) -> None:
    solution = solve_nonconvex(problem, p, starts=1)
    for group in np.eye(problem.n, dtype=bool):
        best = best_group_shift(problem, solution.x, group, p)
        assert best >= solution.objective * (1 - 1e-6)


@given(
    st.lists(
        st.tuples(st.one_of(st.integers(-3, 3), st.floats(-1e3, 1e3)), st.integers(1, 3)),
        min_size=1,
        max_size=40,
    ),
    st.sampled_from([0.1, 0.5, 0.9]),
)
def test_the_best_shift_is_found_among_few(rows: list[tuple[float, int]], p: float) -> None:
    r, w = np.array(rows, dtype=float).T.copy()
    losses = [(w * np.abs(r - shift) ** p).sum() for shift in r]
    shift, loss = best_shift(r.copy(), w.copy(), 0.0, p, np.inf)
    assert loss == pytest.approx(min(losses), rel=1e-9, abs=1e-300)
    assert shift in r


@pytest.mark.parametrize("p", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("outlier", [1.0, 1e12])
def test_the_best_shift_is_found_among_many(p: float, outlier: float) -> None:
    rng = np.random.default_rng(3)
    r = np.round(rng.standard_cauchy(3000), 2) * np.where(rng.random(3000) < 0.01, outlier, 1)
    w = rng.uniform(0.1, 2, 3000)
    losses = [(w * np.abs(r - shift) ** p).sum() for shift in r]
    _, loss = best_shift(r.copy(), w.copy(), 0.0, p, np.inf)
    assert loss == pytest.approx(min(losses), rel=1e-9)
    _, none = best_shift(r.copy(), w.copy(), 0.0, p, min(losses) * 0.999)
    assert none >= min(losses) * 0.999


@given(judgments(max_candidates=5, max_judgments=8), POWERS, st.randoms(use_true_random=False))
def test_invariances_of_the_optimum(problem: Judgments, p: float, random: object) -> None:
    a, b, y, w, names = problem.a, problem.b, problem.y, problem.w, problem.names
    best = solve_by_trying_all(problem, p).objective

    def check(other: Judgments, factor: float = 1.0) -> None:
        found = solve_by_trying_all(other, p).objective
        assert found == pytest.approx(factor * best, rel=1e-6, abs=1e-9 * factor)

    check(Judgments(b, a, -y, w, names))
    check(Judgments(a, b, -y, w, names))
    check(Judgments(a, b, y * 1024, w, names), 1024**p)
    check(Judgments(a, b, y, 7 * w, names), 7)
    check(Judgments(np.tile(a, 2), np.tile(b, 2), np.tile(y, 2), np.tile(w / 2, 2), names))
    order = np.arange(len(names))
    random.shuffle(order)
    check(Judgments(order[a], order[b], y, w, names))


def test_components_do_not_see_each_other() -> None:
    one, other = random_judgments(6, 12, 5), random_judgments(7, 14, 6)
    merged = side_by_side(one, other, 1e6)
    solution = solve_by_trying_all(merged, 0.5)
    np.testing.assert_allclose(solution.x[:6], solve_by_trying_all(one, 0.5).x, atol=1e-9)
    np.testing.assert_allclose(solution.x[6:], solve_by_trying_all(other, 0.5).x * 1e6, rtol=1e-9)
    local = solve_nonconvex(merged, 0.5)
    assert local.objective == pytest.approx(solution.objective, rel=1e-9)
    assert local.components.tolist() == [1] * 6 + [0] * 7


@given(contests(max_contestants=5, max_contests=3), POWERS)
def test_contests_are_their_pairs(problem: Contests, p: float) -> None:
    direct = solve_nonconvex(problem, p)
    assert direct.objective == solve_nonconvex(problem.to_judgments(), p).objective
    assert direct.names == problem.names


@pytest.mark.parametrize("solver", [solve_nonconvex, solve_by_trying_all])
@pytest.mark.parametrize(
    ("problem", "objective"),
    [
        (Judgments.from_arrays([], [], []), 0),
        (Judgments([], [], [], [], ("alone",)), 0),
        (Contests.from_arrays([], [], []), 0),
        (Contests.from_arrays(["r"], ["a"], [1.0]), 0),
        (Judgments.from_arrays(["a"], ["b"], [0]), 0),
        (Judgments.from_arrays(["a", "b"], ["b", "a"], [1, 1], [1, 3]), 2**0.5),
        (Judgments.from_arrays("abc", "bca", [1e12, 1e12, 1e12]), 3**0.5 * 1e6),
        (Judgments.from_arrays("aba", "bcc", [0.1, 0.2, 0.3]), 0),
        (Judgments.from_arrays("aba", "bcc", [0, 0, 0]), 0),
    ],
)
def test_small_and_odd_problems(solver: object, problem: Judgments, objective: float) -> None:
    solution = solver(problem, 0.5)
    assert solution.objective == pytest.approx(objective, rel=1e-9)
    assert np.isfinite(solution.x).all()


def test_majorities_win_where_squares_would_compromise() -> None:
    problem = Judgments.from_arrays(["a"] * 3, ["b"] * 3, [1, 1, 7])
    assert np.ptp(solve_nonconvex(problem, 0.5).x) == pytest.approx(1)


def test_seeds_decide() -> None:
    problem = random_judgments(60, 240, 8)
    one, again = solve_nonconvex(problem, 0.3, seed=1), solve_nonconvex(problem, 0.3, seed=1)
    np.testing.assert_array_equal(one.x, again.x)
    more = solve_nonconvex(problem, 0.3, seed=1, starts=8)
    assert more.objective <= one.objective


def test_a_start_is_one_more_to_choose_from() -> None:
    problem = random_judgments(60, 240, 9)
    good = solve_nonconvex(problem, 0.3, starts=12)
    again = solve_nonconvex(problem, 0.3, starts=1, start=good)
    assert again.objective == pytest.approx(good.objective, rel=1e-12)
    assert solve_nonconvex(problem, 0.3, starts=1).objective > good.objective


def test_progress_is_told_the_smallest_loss() -> None:
    told: list[float] = []
    solution = solve_nonconvex(random_judgments(40, 160, 10), 0.5, progress=told.append)
    assert len(told) == nonconvex.WHOLE.starts
    assert told == sorted(told, reverse=True)
    assert told[-1] == pytest.approx(solution.objective)


def test_long_paths_and_many_components() -> None:
    n, rng = 100_000, np.random.default_rng(11)
    y = rng.normal(size=n - 1)
    path = Judgments(np.arange(n - 1), np.arange(1, n), y, np.ones(n - 1), tuple(range(n)))
    assert solve_nonconvex(path, 0.5, starts=1).objective == 0
    first = 3 * np.arange(n)
    a, b = np.repeat(first, 3), np.stack([first + 1, first + 2, first + 2], 1).ravel()
    a[2::3] += 1
    y = rng.normal(size=3 * n)
    triangles = Judgments(a, b, y, np.ones(3 * n), tuple(range(3 * n)))
    cycle = np.abs(y[0::3] + y[2::3] - y[1::3])
    best = (cycle**0.5).sum()
    assert solve_nonconvex(triangles, 0.5, starts=1).objective == pytest.approx(best, rel=1e-9)


def test_there_is_no_flow() -> None:
    with pytest.raises(ValueError, match="this solution carries no flow: p is below 1"):
        solve_nonconvex(random_judgments(4, 6, 0), 0.5).flow()


@pytest.mark.parametrize("p", [0, 1, -1, 2, float("nan"), "half"])
def test_p_must_lie_between_0_and_1(p: float) -> None:
    with pytest.raises(InputError, match=f"p is {p!r}; here it lies between 0 and 1"):
        solve_nonconvex(random_judgments(3, 3, 0), p)


def test_bad_arguments_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="starts is 0; give a whole number of at least 1"):
        solve_nonconvex(random_judgments(3, 3, 0), 0.5, starts=0)
    monkeypatch.setattr(nonconvex, "MOST_PAIRS", 2)
    races = Contests.from_arrays(["r"] * 3, "abc", [1, 2, 3])
    with pytest.raises(
        InputError, match=r"stand for 3 pairs .* draw at most 2 with qrja.subsample"
    ):
        solve_nonconvex(races, 0.5)


def test_a_shortened_search_is_nearly_as_good(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = random_judgments(40, 1500, 7)
    shorter = solve_nonconvex(problem, 0.5)
    monkeypatch.setattr(nonconvex, "LARGE", 1000)
    monkeypatch.setattr(nonconvex, "SHORTER", {})
    short = solve_nonconvex(problem, 0.5)
    monkeypatch.setattr(nonconvex, "LARGE", 2000)
    whole = solve_nonconvex(problem, 0.5)
    assert short.iterations <= nonconvex.SHORT.rounds
    squares = nonconvex.solve_l2(problem).x
    for solution in (short, shorter):
        assert solution.status == "local"
        assert solution.objective == pytest.approx(power_loss(problem, solution.x, 0.5), rel=1e-9)
        assert solution.objective <= 1.01 * whole.objective
        assert solution.objective <= power_loss(problem, squares, 0.5)


def test_who_has_tolerance_gets_a_short_search() -> None:
    problem = random_judgments(40, 1500, 7)
    usual, short = (solve_nonconvex(problem, 0.5, tol=tol) for tol in (1e-9, nonconvex.ROUGH))
    assert short.iterations <= nonconvex.ROUGHLY.rounds < usual.iterations
    assert short.objective <= 1.02 * usual.objective
    assert short.objective == pytest.approx(power_loss(problem, short.x, 0.5), rel=1e-9)


@pytest.mark.parametrize("m", [100, 800, 5_500])
@pytest.mark.parametrize("whole", [False, True])
def test_arrays_go_the_same_way_as_loops(
    m: int, whole: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem, found = random_judgments(30, m, m, whole), []
    for wish in ("never", "always"):
        monkeypatch.setattr(which_way, "WISH", wish)
        found.append(solve_nonconvex(problem, 0.4))
    one, other = found
    np.testing.assert_allclose(one.x, other.x, rtol=0, atol=1e-12)
    assert one.objective == pytest.approx(other.objective, rel=1e-12)
    assert one.iterations == other.iterations
