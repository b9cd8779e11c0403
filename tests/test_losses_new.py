"""A new loss is one class: two that no other module knows do all that a built-in one does."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from scipy.optimize import linprog, minimize

import qrja
from qrja import Contests, InputError, Judgments, fit, load, losses, solve
from qrja.losses import Kink, KnownLoss
from reference.graphs import incidence
from strategies import contests, judgments


@dataclass(frozen=True)
class Stairs(KnownLoss):
    """Nothing up to a step, then a slope of 1, from three steps on a slope of 2: four kinks."""

    word = "stairs"
    step: float

    @property
    def kinks(self) -> tuple[Kink, ...]:
        return tuple(Kink(float(k * self.step), 1.0) for k in (-3, -1, 1, 3))

    @property
    def slopes(self) -> tuple[float, float]:
        return -2.0, 2.0

    def value(self, t: np.ndarray) -> np.ndarray:
        size = np.abs(t)
        return np.maximum(size - self.step, 0) + np.maximum(size - 3 * self.step, 0)

    def slope(self, t: np.ndarray) -> np.ndarray:
        size = np.abs(t)
        return np.sign(t) * ((size > self.step) * 1.0 + (size > 3 * self.step))

    def curvature(self, t: np.ndarray) -> np.ndarray:
        return np.zeros_like(t)

    def conjugate(self, s: np.ndarray) -> np.ndarray:
        inside = np.abs(s) * self.step
        inside = np.maximum(inside, 3 * inside - 2 * self.step)
        return np.where(np.abs(s) > 2, np.inf, inside)


@dataclass(frozen=True)
class Lopsided(KnownLoss):
    """Half the square of what is above 0, twice that of what is below minus ``width``: smooth."""

    word = "lopsided"
    is_even = False
    width: float

    @property
    def slopes(self) -> tuple[float, float]:
        return -np.inf, np.inf

    def value(self, t: np.ndarray) -> np.ndarray:
        return 0.5 * np.maximum(t, 0) ** 2 + np.minimum(t + self.width, 0) ** 2

    def slope(self, t: np.ndarray) -> np.ndarray:
        return np.maximum(t, 0) + 2 * np.minimum(t + self.width, 0)

    def curvature(self, t: np.ndarray) -> np.ndarray:
        return (t > 0) * 1.0 + 2.0 * (t < -self.width)

    def conjugate(self, s: np.ndarray) -> np.ndarray:
        return np.where(s > 0, 0.5 * s**2, 0.25 * s**2 - self.width * s)


def noisy(seed: int, m: int = 40) -> Judgments:
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 8, m)
    b = (a + rng.integers(1, 8, m)) % 8
    return Judgments(a, b, 3 * rng.normal(size=m), rng.uniform(0.5, 2, m), tuple("abcdefgh"))


def least_stairs(problem: Judgments, step: float) -> float:
    """The optimum by HiGHS: t1 and t2 are what exceeds one step and three."""
    A, m, n = incidence(problem), problem.m, problem.n
    nothing, one = np.zeros((m, m)), np.eye(m)
    rows, right = [], []
    for sign in (1, -1):
        rows += [np.hstack([sign * A, -one, nothing]), np.hstack([sign * A, nothing, -one])]
        right += [sign * problem.y + step, sign * problem.y + 3 * step]
    cost = np.concatenate([np.zeros(n), problem.w, problem.w])
    limits = [(None, None)] * n + [(0, None)] * (2 * m)
    return linprog(cost, np.vstack(rows), np.concatenate(right), bounds=limits).fun


@pytest.mark.parametrize("step", [0.01, 0.5, 2.0])
def test_kinks_go_to_the_interior_point(step: float) -> None:
    problem = noisy(1)
    solution = solve(problem, loss=Stairs(step))
    assert (solution.status, solution.certificate) == ("optimal", "flow")
    assert solution.objective == pytest.approx(least_stairs(problem, step), rel=1e-8)


@pytest.mark.parametrize("width", [0.0, 1.0])
def test_a_smooth_loss_with_directions_goes_to_newton(width: float) -> None:
    problem, loss = noisy(2), Lopsided(width)
    A = incidence(problem)

    def total(x: np.ndarray) -> float:
        return float(problem.w @ loss.value(problem.y - A @ x))

    best = minimize(total, np.zeros(problem.n), method="BFGS", options={"gtol": 1e-10}).fun
    solution = solve(problem, loss=loss)
    assert (solution.status, solution.certificate) == ("optimal", "flow")
    assert solution.objective == pytest.approx(best, rel=1e-7)


@given(contests())
def test_contests_and_their_pairs_have_one_answer(problem: Contests) -> None:
    one, other = (solve(kind, loss=Stairs(0.5)) for kind in (problem, problem.to_judgments()))
    assert one.status == other.status == "optimal"
    scale = np.abs(problem.score).max(initial=0)
    assert one.objective == pytest.approx(other.objective, rel=1e-6, abs=1e-6 * scale)


@given(judgments())
def test_any_judgments(problem: Judgments) -> None:
    for loss in (Stairs(0.5), Lopsided(0.5)):
        assert solve(problem, loss=loss).status == "optimal"
        assert solve(problem, loss=loss, ridge=0.1).status == "optimal"


def test_directions_need_judgments() -> None:
    races = Contests.from_arrays([1, 1], "ab", [3, 1])
    with pytest.raises(InputError, match="tells the two directions of a pair apart"):
        solve(races, loss=Lopsided(1))


def test_the_whole_house_takes_it(tmp_path: Path) -> None:
    races = qrja.datasets.synthetic_races(races=10, entrants=8, field=5, seed=3).contests
    ratings = fit(races, loss=Stairs(0.1))
    around = ratings.intervals(resamples=20)
    assert (around.low < ratings.solution.x).all()
    assert (around.high > ratings.solution.x).all()
    ratings.explain(*ratings.problem.names[:2])
    ratings.save(tmp_path / "new.qrja")
    again = load(tmp_path / "new.qrja")
    assert again.model == ratings.model
    assert again.leaderboard() == ratings.leaderboard()


def test_it_can_be_written() -> None:
    assert losses.parse("stairs:0.5") == Stairs(0.5)
    assert losses.restore(losses.describe(Lopsided(2.0))) == Lopsided(2.0)


def test_a_loss_without_a_word_cannot_be_saved() -> None:
    @dataclass(frozen=True)
    class Nameless(Stairs):
        word = ""

    with pytest.raises(InputError, match="and cannot be saved"):
        losses.describe(Nameless(1))
