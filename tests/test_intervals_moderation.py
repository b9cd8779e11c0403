"""Intervals that weigh what one candidate shows against what all show; the table of what holds."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.special import polygamma

from qrja import Contests, Judgments, Ratings, fit
from qrja.ratings.intervals import IntervalRequest, choose_method
from qrja.ratings.intervals.calibration import Calibration
from qrja.ratings.intervals.moderation import _inverse_trigamma
from qrja.ratings.intervals.tails import Tails

ROOT = Path(__file__).parents[1]


def races(noise: np.ndarray, count: int = 60, field: int = 5, seed: int = 3) -> Contests:
    """Races among as many as ``noise`` has values: the standard deviation of each."""
    rng = np.random.default_rng(seed)
    who = np.array([rng.permutation(len(noise))[:field] for _ in range(count)]).ravel()
    score = noise[who] * rng.standard_normal(len(who))
    return Contests.from_arrays(np.repeat(np.arange(count), field), who, score)


def test_equal_noise_gives_the_errors_of_the_model() -> None:
    ratings = fit(races(np.ones(12)))
    found = ratings.intervals(method="bootstrap", resamples=100)
    model = ratings.intervals(method="model")
    np.testing.assert_allclose(found.moderated.se / model.se, 1.0, atol=0.25)
    assert (found.moderated.df > 12).all()


def test_who_is_noisier_has_a_larger_error() -> None:
    noise = np.ones(12)
    noise[:4] = 8.0
    problem = races(noise, count=120)
    ratings = fit(problem)
    found = ratings.intervals(method="bootstrap", resamples=100)
    relative = found.moderated.se / ratings.intervals(method="model").se
    noisy = np.array([noise[name] > 1 for name in problem.names])
    assert relative[noisy].min() > 1.1 * relative[~noisy].max()


def test_bounds_at_another_level_are_nested() -> None:
    problem = races(np.ones(8), count=20)
    for method, p in (("bootstrap", 2), ("model", 2), ("sandwich", 2), ("bootstrap", 1)):
        found = fit(problem, p=p).intervals(method=method, resamples=40)
        (low, high), (wide_low, wide_high) = found.bounds(0.5), found.bounds(0.9)
        assert (wide_low <= low).all()
        assert (high <= wide_high).all()
    np.testing.assert_allclose(found.bounds(0.95), (found.low, found.high))


@pytest.mark.parametrize("p", [1, 1.5])
def test_results_drawn_anew_scale_with_the_results(p: float) -> None:
    problem = races(np.ones(8), count=15)
    large = problem.with_score(1000.0 * problem.score)
    one = fit(problem, p=p).intervals(resamples=20, seed=4)
    other = fit(large, p=p).intervals(resamples=20, seed=4)
    np.testing.assert_allclose(other.high - other.low, 1000.0 * (one.high - one.low), rtol=1e-3)
    assert one.degenerate == 0


def test_sparse_judgments_take_the_errors_of_the_model_and_say_so() -> None:
    names = [f"c{i}" for i in range(12)]
    circle = Judgments.from_arrays(names, [*names[1:], names[0]], np.linspace(0, 1, 12))
    chosen = choose_method(fit(circle), IntervalRequest())
    assert chosen.request.method == "model"
    assert chosen.why == (
        "errors are scaled by what the ratings leave: most resamples of these judgments would lose"
        " somebody (1 degree of freedom)"
    )
    a, b = np.triu_indices(6, 1)
    many = Judgments.from_arrays(np.tile(a, 4).tolist(), np.tile(b, 4).tolist(), np.ones(60))
    assert choose_method(fit(many), IntervalRequest()).request.method == "bootstrap"


@pytest.mark.parametrize("order", [1.0, 0.5])
@pytest.mark.parametrize(("share", "freedom"), [(1.0, 3.0), (0.4, 3.0), (0.7, 6.0)])
def test_tails_are_found_behind_what_a_fit_leaves(
    share: float, freedom: float, order: float
) -> None:
    rng, size = np.random.default_rng(5), 50_000
    own = np.sqrt(1 - 2 / freedom) * rng.standard_t(freedom, size)
    left = share * own + np.sqrt(share * (1 - share)) * rng.standard_normal(size)
    found = Tails.seen_in(left, share, order)
    assert found.freedom == pytest.approx(freedom, rel=0.25)
    assert found.size_behind(left[:, None], share, order) == pytest.approx(1.0, rel=0.1)
    normal = Tails.seen_in(rng.standard_normal(size), share, order)
    assert normal.is_normal or normal.freedom > 15


def test_heavy_tails_show_a_variance_less_well() -> None:
    df = np.array([0.5, 1.0, 4.0, 14.0, 49.0])
    np.testing.assert_array_equal(Tails().degrees_of_variance(df), df)
    rng, tails = np.random.default_rng(2), Tails(3.0)
    for size in (5, 15, 50):
        logs = np.log(rng.standard_t(3, (4000, size)).var(axis=1, ddof=1)).var()
        worth = 2.0 * _inverse_trigamma(float(logs))
        shown = tails.degrees_of_variance(np.array([size - 1.0]))[0]
        assert shown == pytest.approx(worth, rel=0.35)


def test_errors_of_entries_are_fitted_as_results_are() -> None:
    problem = races(np.ones(6), count=9)
    pair = Judgments.from_arrays("abca", "bcab", [1, 2, 0, 3], se=[1, 2, 3, 1])
    matches = races(np.ones(6), count=9, field=2)
    for given in (problem, matches, pair):
        rated = fit(given)
        noise = np.random.default_rng(8).standard_normal((given.entries, 3))
        spread = np.repeat(np.sqrt(0.5 / given.weight), 2) if given.directed else 1.0
        moved = rated.covariance.deviate(noise)
        misfits = (rated.covariance.leave(noise, moved) ** 2).sum(axis=0)
        misfits *= 2.0 if (given.sizes == 2).all() else 1.0  # of two, one is told
        for k in range(3):
            anew = fit(given.with_score(spread * noise[:, k]))
            np.testing.assert_allclose(moved[:, k], anew.solution.x, atol=1e-8)
            assert misfits[k] == pytest.approx(anew.misfit.q, rel=1e-8)


def test_levels_are_those_at_which_draws_were_held() -> None:
    from scipy.special import stdtr

    rng, df = np.random.default_rng(4), np.array([3.0, 5.0, 40.0])
    pivots = 0.6 * rng.standard_normal((3, 2000))
    found = Calibration.of_draws(pivots, df)
    held = 2.0 * stdtr(df[:, None], -np.abs(pivots)) >= found.tail(0.2)
    assert held.mean() == pytest.approx(0.8, abs=1e-3)
    tails = [found.tail(a) for a in (1e-9, 1e-6, 1e-3, 0.05, 0.5, 1.0)]
    assert tails == sorted(tails)
    assert tails[0] / tails[1] == pytest.approx(1e-3)
    assert Calibration.of_draws(np.zeros((2, 5)), np.ones(2)).tail(0.3) == 0.3


def test_heavy_tails_narrow_the_middle_and_leave_the_ends() -> None:
    rng = np.random.default_rng(6)
    who = np.concatenate([rng.permutation(20) for _ in range(8)])
    contest = np.repeat(np.arange(16), 10)
    heavy = Contests.from_arrays(contest, who, rng.standard_t(2.5, 160))
    middle, ends = (_over_student(fit(heavy), level) for level in (0.5, 0.95))
    assert 0.7 < middle < 0.97
    assert ends == pytest.approx(1.0, abs=0.1)
    # Flat noise has no tails at all, and Student's quantiles are taken as they are.
    flat = Contests.from_arrays(contest, who, rng.choice([-1.0, 1.0], 160))
    assert _over_student(fit(flat), 0.5) == pytest.approx(1.0, abs=1e-12)


def _over_student(ratings: Ratings, level: float) -> float:
    found = ratings.intervals(resamples=100).moderated
    student = found._replace(calibration=Calibration())
    return float(np.mean(found.reach(level) / student.reach(level)))


def test_the_errors_of_few_judges_are_right_on_average() -> None:
    fixed = np.random.default_rng(3)
    judge = np.repeat(np.arange(5), 20)
    a = fixed.integers(6, size=100)
    b = (a + fixed.integers(1, 6, size=100)) % 6
    stated, errors = 0.0, 0.0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        taste = rng.standard_normal((5, 6))
        y = taste[judge, a] - taste[judge, b] + 0.5 * rng.standard_normal(100)
        rated = fit(Judgments.from_arrays(a.tolist(), b.tolist(), y, judge=judge.tolist()))
        found = rated.intervals(resamples=30, seed=seed)
        stated += float((found.moderated.se**2).sum())
        errors += float((rated.solution.x**2).sum())
    assert stated == pytest.approx(errors, rel=0.15)
    assert (found.moderated.df <= 4 * 5).all()


@pytest.mark.parametrize("value", [1e-3, 0.3, 1.6449, 40.0])
def test_trigamma_is_turned_around(value: float) -> None:
    assert polygamma(1, _inverse_trigamma(value)) == pytest.approx(value, rel=1e-9)


def test_the_table_of_what_holds_is_what_was_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    path = ROOT / "benchmarks" / "holding.py"
    spec = importlib.util.spec_from_file_location("holding", path)
    assert spec is not None
    assert spec.loader is not None
    holding = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "holding", holding)  # its dataclasses look there
    spec.loader.exec_module(holding)
    shown = (ROOT / "docs" / "ratings.md").read_text(encoding="utf-8")
    assert holding.table(holding.read_results()) in shown, "run: python holding.py --table"
