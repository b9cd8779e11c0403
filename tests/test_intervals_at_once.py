"""Draws that are fitted at once spread as those that are solved to the end, one by one."""

from __future__ import annotations

import numpy as np
import pytest
from tests.reference.pulls import slow_pulls

import qrja
from qrja.losses import Huber, Power
from qrja.ratings.intervals import at_once, drawn_anew


def races(contests: int = 30, size: int = 6, n: int = 20, seed: int = 0) -> qrja.Contests:
    rng = np.random.default_rng(seed)
    who = np.concatenate([rng.permutation(n)[:size] for _ in range(contests)])
    score = np.linspace(0, 3, n)[who] + rng.standard_normal(len(who))
    return qrja.Contests.from_arrays(np.repeat(np.arange(contests), size), who, score)


@pytest.mark.parametrize("p", [1, 1.3, 1.5, 3])
def test_they_spread_as_if_each_were_solved(p: float, monkeypatch: pytest.MonkeyPatch) -> None:
    ratings = qrja.fit(races(), p=p)
    monkeypatch.setattr(at_once, "CHECKED", 0)
    quick = drawn_anew.deviate_by_loss(ratings, 40, np.random.default_rng(1)).deviations
    effort = at_once.Effort(40, 0, 40)  # no steps: every draw is solved
    monkeypatch.setattr(drawn_anew, "choose_effort", lambda *counts, exactly: effort)
    slow = drawn_anew.deviate_by_loss(ratings, 40, np.random.default_rng(1)).deviations
    assert np.std(quick) == pytest.approx(np.std(slow), rel=0.04)
    assert np.sqrt(np.mean((quick - slow) ** 2)) < (0.15 if p == 1 else 0.03) * np.std(slow)


@pytest.mark.parametrize("loss", [Power(1.0), Power(1.5), Huber(0.7)], ids=str)
@pytest.mark.parametrize("size", [2, 5, 9])
def test_pulls_are_sums_over_pairs(loss: qrja.losses.KnownLoss, size: int) -> None:
    contests = races(8, size, 12)
    rng = np.random.default_rng(3)
    noise, off = rng.standard_normal((contests.entries, 4)), rng.standard_normal((contests.n, 4))
    found = at_once.Pulls(contests, loss).gather(noise, off)
    assert np.allclose(found, slow_pulls(contests, loss, noise, off), atol=1e-12)


def test_judgments_pull_from_a_to_b() -> None:
    judgments = qrja.Judgments.from_arrays("ab", "bc", [1, 1], [2, 1])
    noise = np.array([[3.0], [0.0], [1.0], [0.0]])
    found = at_once.Pulls(judgments, qrja.losses.Pinball(0.9)).gather(noise, np.zeros((3, 1)))
    assert np.allclose(found[:, 0], [1.8, 0.9 - 1.8, -0.9])


def test_the_same_seed_gives_the_same_and_fewer_draws_are_told() -> None:
    ratings = qrja.fit(races(), p=1.5)
    one, two = (ratings.intervals(seed=5) for _ in range(2))
    assert np.array_equal(one.low, two.low)
    assert at_once.choose_effort(10**4, 10**6, 200) == (50, 12, 0)
    assert at_once.choose_effort(10**4, 10**6, 20).draws == 20


@pytest.mark.parametrize("p", [10, np.inf, 0.5])
def test_steep_and_other_losses_are_solved_one_by_one(p: float) -> None:
    assert not at_once.can_deviate(qrja.fit(races(6, 3, 5), p=p))
