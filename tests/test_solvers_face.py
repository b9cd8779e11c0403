"""All optima of p = 1, by linear programs."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from l1_problems import (
    few,
    pairs_of,
)
from qrja import InputError, Judgments, solve
from qrja.solvers.l1 import solve_l1
from reference.absolute import (
    central_optimum,
    greatest_optimum,
    largest_differences,
)
from strategies import contests, judgments


@few
@given(st.data())
def test_all_optima_agree_with_linear_programs(data: st.DataObject) -> None:
    problem = data.draw(st.one_of(judgments(5, 9), contests(5, 3)))
    j = pairs_of(problem)
    size = 1 + np.abs(j.y).max(initial=0)
    close = {"atol": 1e-6 * size}
    D = largest_differences(j)
    central, greatest = solve_l1(problem), solve_l1(problem, optimum="greatest")
    face, label = central.face().numbered, j.components
    np.testing.assert_allclose(greatest.x, greatest_optimum(D), **close)
    if size <= 10:  # integers: classes do not depend on the rounding of the linear programs
        np.testing.assert_allclose(central.x, central_optimum(D, label), **close)
    for b in range(j.n):
        low, high = face.ranges(b)
        np.testing.assert_allclose(high, D[:, b], **close)
        np.testing.assert_allclose(low, -D[b], **close)
        assert face.difference((b + 1) % j.n, b) == (low[(b + 1) % j.n], high[(b + 1) % j.n])
    low, high = face.ranges()
    first = np.array([np.flatnonzero(label == c)[0] for c in label], dtype=int)
    np.testing.assert_allclose(high, D[np.arange(j.n), first], **close)
    width = D + D.T
    same = (width <= 1e-6 * size) & (label[:, None] == label[None, :])
    if size <= 10:
        assert ((face.rigid[:, None] == face.rigid[None, :]) == same).all()
        assert face.dimension == len(np.unique(face.rigid)) - len(np.unique(label))
        above, below = central.face().open_places
        expected = {(a, b) for a, b in neighbours(central.x, label) if D[b, a] > 1e-6 * size}
        assert set(zip(above.tolist(), below.tolist(), strict=True)) == expected


def neighbours(x: np.ndarray, label: np.ndarray) -> list[tuple[int, int]]:
    order = sorted(range(len(x)), key=lambda i: (label[i], -x[i], i))
    return [(a, b) for a, b in pairwise(order) if label[a] == label[b]]


@few
@given(judgments(6, 12))
def test_neighbours_tell_whether_any_order_is_open(problem: Judgments) -> None:
    whole = Judgments(problem.a, problem.b, np.rint(problem.y), problem.w, problem.names)
    solution = solve_l1(whole)
    D = np.array([solution.face().numbered.ranges(b)[1] for b in range(whole.n)]).T
    falls = solution.x[:, None] - solution.x[None, :] > 1e-9  # a is ahead of b ...
    together = whole.components[:, None] == whole.components[None, :]
    overtaken = falls & together & (D.T > 1e-9)  # ... and may be behind
    open_ = list(zip(*solution.face().open_places, strict=True))
    if overtaken.any():
        assert open_
    for a, b in open_:
        assert D[b, a] > 0


def test_a_known_face() -> None:
    problem = Judgments.from_arrays("aab", "bbc", [0, 10, 1])
    solution = solve(problem, p=1)
    assert (solution.optimum, solution.objective, solution.gap) == ("central", 10, 0)
    np.testing.assert_allclose(solution.x, [11 / 3, -4 / 3, -7 / 3])
    face = solution.face()
    assert face.difference("a", "b") == (0, 10)
    assert face.difference("b", "c") == (1, 1)
    assert face.dimension == 1
    assert face.rigid == [("a",), ("b", "c")]
    assert face.undecided() == [], "a is level with b at one optimum, and never below"
    assert solve(problem, p=1, optimum="greatest").x.tolist() == [0, 0, -1]
    with pytest.raises(InputError, match="no candidate 3; give one of the names"):
        face.difference(3, "a")
    with pytest.raises(InputError, match="names is 3; give a whole number from 0 to 2"):
        face.numbered.difference(3, 0)


def test_candidates_of_different_components_differ_without_limit() -> None:
    face = solve(Judgments.from_arrays("ac", "bd", [1, 2]), p=1).face()
    assert face.difference("a", "c") == (-np.inf, np.inf)
    low, high = face.numbered.ranges(2)
    assert low.tolist() == [-np.inf, -np.inf, 0, -2]
    assert high.tolist() == [np.inf, np.inf, 0, -2]


def test_a_choice_of_optimum_must_be_known_and_meant() -> None:
    problem = Judgments.from_arrays("a", "b", [1])
    with pytest.raises(InputError, match="optimum is 'best'; choose one of central, greatest"):
        solve(problem, p=1, optimum="best")
    with pytest.raises(InputError, match="optimum is 'greatest'; choose one for p = 1 only"):
        solve(problem, p=2, optimum="greatest")
    with pytest.raises(InputError, match="without ridge, prior and anchors"):
        solve(problem, p=1, ridge=1.0, optimum="greatest")


def test_ridge_and_anchors_go_another_way() -> None:
    problem = Judgments.from_arrays("aab", "bbc", [0, 10, 1])
    held = solve(problem, p=1, anchors={"a": 100.0})
    assert held.status == "optimal"
    assert held.objective == pytest.approx(10)
    assert held.x[0] == 100
    drawn = solve(problem, p=1, ridge=0.1)
    # Of all optima the one nearest to 0 is chosen, for so small a ridge.
    np.testing.assert_allclose(drawn.x, [1 / 3, 1 / 3, -2 / 3], atol=1e-6)
