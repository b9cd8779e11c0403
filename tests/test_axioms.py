"""The axioms of appendix D, measured on solved problems, and what every rule of the family obeys.

``SOLVED`` names one solver per power; a power that is solved from now on is one more row.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qrja import Contests, Judgments, solve
from qrja.solution import Solution
from qrja.solvers.linf import solve_linf
from reference.enumeration import solve_by_trying_all
from reference.graphs import incidence
from strategies import SCORES, contests, judgments, side_by_side

Solver = Callable[[Contests | Judgments], Solution]

SOLVED: dict[float, Solver] = {
    0.25: lambda problem: solve_by_trying_all(problem, 0.25),
    0.5: lambda problem: solve_by_trying_all(problem, 0.5),
    1: lambda problem: solve(problem, 1),
    2: lambda problem: solve(problem, 2),
    math.inf: solve_linf,
}
UNIQUE = [p for p in SOLVED if p >= 1]
"""Powers for which the scores themselves are determined, not only their loss; p = 1 has many optima
and a rule that chooses one."""

few = settings(max_examples=12)
every_power = pytest.mark.parametrize("p", SOLVED, ids=lambda p: f"p={p:g}")
small = st.deferred(lambda: judgments(max_candidates=5, max_judgments=8))


def transformed(t: float, p: float) -> float:
    """f(t) of the rule with power p, read off a solved problem.

    Around a triangle of three judgments the errors must add up to the sum of the margins: a third
    each where large errors hurt more (p >= 1), all in one place where they hurt less.
    """
    margin = t if p >= 1 else t / 3
    solver = SOLVED.get(p, lambda problem: solve_by_trying_all(problem, p))
    loss = solver(Judgments.from_arrays("abc", "bca", [margin] * 3)).objective
    return loss / 3 if p >= 1 else loss


TIMES = st.floats(1e-3, 1e3)
ROOTS = [(p, 1 / p) for p in SOLVED if 1 / p in SOLVED and p >= 1]
SUMS = [(p, q) for p in SOLVED for q in SOLVED if p <= q < math.inf and p + q in SOLVED]


@given(TIMES)
@pytest.mark.parametrize("p", [p for p in SOLVED if p < math.inf])
def test_the_transformation_is_the_power(p: float, t: float) -> None:
    assert transformed(t, p) == pytest.approx(t**p, rel=1e-6)


@given(TIMES)
@pytest.mark.parametrize(("p", "q"), ROOTS)
def test_axiom_invertibility(p: float, q: float, t: float) -> None:
    assert transformed(transformed(t, q), p) == pytest.approx(t, rel=1e-6)
    assert transformed(transformed(t, p), q) == pytest.approx(t, rel=1e-6)


@given(TIMES, st.floats(0.05, 0.9), st.floats(0.05, 0.9))
def test_axiom_closedness_under_multiplication(t: float, p: float, q: float) -> None:
    product = transformed(t, p) * transformed(t, q)
    if p + q < 1:
        assert transformed(t, p + q) == pytest.approx(product, rel=1e-6)
    assert product == pytest.approx(t ** (p + q), rel=1e-6)


@given(TIMES)
@pytest.mark.parametrize(("p", "q"), SUMS)
def test_axiom_closedness_between_solvers(p: float, q: float, t: float) -> None:
    product = transformed(t, p) * transformed(t, q)
    assert transformed(t, p + q) == pytest.approx(product, rel=1e-6)


@given(TIMES)
def test_axiom_identity(t: float) -> None:
    assert transformed(t, 1) == pytest.approx(t, rel=1e-9)


def loss(problem: Judgments, x: np.ndarray, p: float) -> float:
    """The loss by its definition, residuals of rounding size counted as 0."""
    r = np.abs(incidence(problem) @ x - problem.y)
    r[r <= 1e-11 * np.abs(problem.y).max(initial=0)] = 0
    return float(np.max(problem.w * r, initial=0)) if p == math.inf else float(problem.w @ r**p)


def check_same(
    problem: Judgments,
    other: Judgments,
    p: float,
    image: Callable[[np.ndarray], np.ndarray] = lambda x: x,
    factor: float = 1.0,
) -> None:
    """The image of an optimum of ``problem`` is an optimum of ``other``, factor times its loss."""
    one, two = SOLVED[p](problem), SOLVED[p](other)
    noise = (1e-10 * (1 + np.abs(problem.y).max(initial=0))) ** min(p, 1) * (1 + problem.w.sum())
    close = {"rel": 1e-6, "abs": factor * noise}
    assert two.objective == pytest.approx(factor * one.objective, **close)
    assert loss(other, image(one.x), p) == pytest.approx(two.objective, **close)
    if p in UNIQUE:
        gap = two.x - image(one.x)
        same = problem.components[:, None] == problem.components[None, :]
        apart = np.abs(gap[:, None] - gap[None, :])[same]
        size = 1 + np.abs(other.y).max(initial=0)
        np.testing.assert_allclose(apart, 0, atol=1e-7 * size)


@few
@every_power
@given(problem=small, random=st.randoms(use_true_random=False))
def test_anonymity_the_order_of_judgments_does_not_matter(
    p: float, problem: Judgments, random: object
) -> None:
    rows = np.arange(problem.m)
    random.shuffle(rows)
    j = problem
    check_same(j, Judgments(j.a[rows], j.b[rows], j.y[rows], j.w[rows], j.names), p)


@few
@every_power
@given(problem=small, random=st.randoms(use_true_random=False))
def test_neutrality_names_do_not_matter(p: float, problem: Judgments, random: object) -> None:
    order = np.arange(problem.n)
    random.shuffle(order)
    j = problem
    other = Judgments(order[j.a], order[j.b], j.y, j.w, j.names)
    one, two = SOLVED[p](j), SOLVED[p](other)
    noise = (1e-10 * (1 + np.abs(j.y).max(initial=0))) ** min(p, 1) * (1 + j.w.sum())
    assert two.objective == pytest.approx(one.objective, rel=1e-6, abs=noise)
    assert loss(other, one.x[np.argsort(order)], p) == pytest.approx(
        two.objective, rel=1e-6, abs=noise
    )
    if p in UNIQUE:
        size = 1 + np.abs(j.y).max(initial=0)
        np.testing.assert_allclose(two.x[order], one.x, atol=1e-7 * size)


@few
@every_power
@given(problem=small)
def test_reversal(p: float, problem: Judgments) -> None:
    j = problem
    check_same(j, Judgments(j.b, j.a, -j.y, j.w, j.names), p)
    check_same(j, Judgments(j.a, j.b, -j.y, j.w, j.names), p, image=lambda x: -x)


@few
@every_power
@given(problem=small, power=st.integers(-20, 30))
def test_homogeneity_units_do_not_matter(p: float, problem: Judgments, power: int) -> None:
    j, factor = problem, 2.0**power
    scaled = Judgments(j.a, j.b, factor * j.y, j.w, j.names)
    grown = factor if p == math.inf else factor**p
    check_same(j, scaled, p, image=lambda x: factor * x, factor=grown)
    check_same(j, Judgments(j.a, j.b, j.y, 8 * j.w, j.names), p, factor=8)


@few
@every_power
@given(problem=small, tilt=st.lists(st.integers(-9, 9), min_size=5, max_size=5))
def test_translation_what_is_added_to_judgments_is_added_to_scores(
    p: float, problem: Judgments, tilt: list[int]
) -> None:
    j, h = problem, np.array(tilt, dtype=float)[: problem.n]
    moved = Judgments(j.a, j.b, j.y + h[j.a] - h[j.b], j.w, j.names)
    check_same(j, moved, p, image=lambda x: x + h)


@few
@every_power
@given(problem=small, x=st.lists(SCORES, min_size=5, max_size=5))
def test_unanimity_judgments_that_agree_are_believed(
    p: float, problem: Judgments, x: list[float]
) -> None:
    truth, j = np.array(x)[: problem.n], problem
    solution = SOLVED[p](Judgments(j.a, j.b, truth[j.a] - truth[j.b], j.w, j.names))
    size = 1 + np.abs(truth).max(initial=0)
    got, wanted = (v[j.a] - v[j.b] for v in (solution.x, truth))
    np.testing.assert_allclose(got, wanted, atol=1e-9 * size)
    degree = 1 if p == math.inf else min(p, 2)
    assert solution.objective <= (1e-9 * size) ** degree * (1 + j.w.sum())


@few
@every_power
@given(one=small, other=small)
def test_components_are_independent(p: float, one: Judgments, other: Judgments) -> None:
    both = side_by_side(one, other)
    parts = [SOLVED[p](one), SOLVED[p](other)]
    losses = [part.objective for part in parts]
    whole = max(losses) if p == math.inf else sum(losses)
    solution = SOLVED[p](both)
    noise = (1e-9 * (1 + np.abs(both.y).max(initial=0))) ** min(p, 1) * (1 + both.w.sum())
    assert solution.objective == pytest.approx(whole, rel=1e-6, abs=noise)
    if p in UNIQUE:
        size = 1 + np.abs(both.y).max(initial=0)
        x = np.append(parts[0].x, parts[1].x)
        np.testing.assert_allclose(solution.x, x, atol=1e-7 * size)


@few
@every_power
@given(problem=small)
def test_a_weight_is_a_number_of_copies(p: float, problem: Judgments) -> None:
    j = problem
    copies = Judgments(np.tile(j.a, 3), np.tile(j.b, 3), np.tile(j.y, 3), np.tile(j.w, 3), j.names)
    check_same(j, copies, p, factor=1 if p == math.inf else 3)


@few
@every_power
@given(one=judgments(4, 6), other=judgments(4, 6))
def test_reinforcement_more_judgments_do_not_disagree_less(
    p: float, one: Judgments, other: Judgments
) -> None:
    n = max(one.n, other.n)
    both = Judgments(
        np.append(one.a, other.a),
        np.append(one.b, other.b),
        np.append(one.y, other.y),
        np.append(one.w, other.w),
        tuple(range(n)),
    )
    losses = [SOLVED[p](part).objective for part in (one, other)]
    together = SOLVED[p](both).objective
    least = max(losses) if p == math.inf else sum(losses)
    noise = (1e-9 * (1 + np.abs(both.y).max(initial=0))) ** min(p, 1) * (1 + both.w.sum())
    assert together >= least * (1 - 1e-6) - noise


@few
@given(problem=small)
@pytest.mark.parametrize(("p", "q"), list(combinations(sorted(SOLVED), 2)))
def test_powers_bound_each_other(p: float, q: float, problem: Judgments) -> None:
    """Of equal weights, the norm falls with p and the mean rises with it; so do their minima."""
    if not problem.m:
        return
    j = Judgments(problem.a, problem.b, problem.y, np.ones(problem.m), problem.names)
    noise = 1e-6 * (1 + np.abs(j.y).max())

    def norm(power: float) -> float:
        objective = SOLVED[power](j).objective
        return objective if power == math.inf else objective ** (1 / power)

    low, high = norm(p), norm(q)
    assert high <= low * (1 + 1e-6) + noise
    assert low * j.m ** (-1 / p) <= high * j.m ** (-1 / q) * (1 + 1e-6) + noise


@few
@every_power
@given(problem=contests(max_contestants=5, max_contests=3))
def test_contests_are_their_pairs(p: float, problem: Contests) -> None:
    direct, written = SOLVED[p](problem), SOLVED[p](problem.to_judgments())
    size = 1 + np.abs(problem.score).max(initial=0)
    noise = (1e-9 * size) ** min(p, 1) * (1 + problem.m)
    assert direct.objective == pytest.approx(written.objective, rel=1e-6, abs=noise)
    if p in UNIQUE:
        np.testing.assert_allclose(direct.x, written.x, atol=1e-7 * size)


@given(problem=small)
def test_the_loss_is_continuous_in_p(problem: Judgments) -> None:
    one, other = (solve_by_trying_all(problem, p).objective for p in (0.5, 0.5 + 1e-7))
    assert other == pytest.approx(one, rel=1e-5, abs=1e-12)
