"""Intervals that weigh what one candidate shows against what all show; the table of what holds."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.special import polygamma

from qrja import Contests, Judgments, fit
from qrja.ratings.intervals import IntervalRequest, choose_method
from qrja.ratings.intervals.moderation import _inverse_trigamma

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
