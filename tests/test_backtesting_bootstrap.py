"""The bootstrap against formulas and against one-by-one resampling."""

from __future__ import annotations

import numpy as np
import pytest

from qrja.backtesting import bootstrap
from qrja.backtesting.bootstrap import compare, resample_ratios, spread


def test_the_spread_of_a_mean_is_that_of_the_textbook() -> None:
    values = np.random.default_rng(1).normal(size=(400, 1))
    ratios = resample_ratios(values, np.ones_like(values), resamples=4000)
    expected = values.std() / np.sqrt(len(values))
    # The standard deviation of 4000 draws has a relative error of 1 / sqrt(8000), 1.1 %.
    assert spread(ratios[:, 0]) == pytest.approx(expected, rel=0.06)
    assert ratios.mean() == pytest.approx(values.mean(), abs=4 * expected / np.sqrt(4000))


def test_ratios_are_those_of_the_drawn_contests(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(2)
    above, below = random.normal(size=(7, 3)), random.uniform(1, 2, size=(7, 3))
    drawn = np.random.default_rng(5).integers(7, size=(20, 7))
    expected = np.array([above[row].sum(axis=0) / below[row].sum(axis=0) for row in drawn])
    assert resample_ratios(above, below, resamples=20, seed=5) == pytest.approx(expected)
    monkeypatch.setattr(bootstrap, "BLOCK", 15)  # two draws at a time
    assert resample_ratios(above, below, resamples=20, seed=5) == pytest.approx(expected)


def test_a_paired_difference_is_surer_than_its_parts() -> None:
    random = np.random.default_rng(3)
    field = random.normal(size=300)  # contests differ much, rankers little
    above = np.column_stack([field + 0.1, field + random.normal(size=300) / 100])
    ratios = resample_ratios(above, np.ones_like(above))
    (it,) = compare(["a", "b"], "ties", above.mean(axis=0).tolist(), ratios)
    assert it.standard_error < 0.02 * spread(ratios[:, 0])  # type: ignore[operator]
    assert it.low < it.difference < it.high
    assert it.difference == pytest.approx(0.1, abs=0.01)


def test_what_a_ranker_does_not_predict_is_not_compared() -> None:
    ratios = np.full((10, 2), np.nan)
    ratios[:, 0] = np.arange(10)
    assert compare(["a", "b"], "ties", [0.5, None], ratios) == []
    assert spread(ratios[:, 1]) is None


def test_draws_without_pairs_are_left_out() -> None:
    above, below = np.array([[1.0], [0.0]]), np.array([[2.0], [0.0]])
    ratios = resample_ratios(above, below, resamples=50)
    assert np.isnan(ratios).any()
    assert spread(ratios[:, 0]) == 0.0
