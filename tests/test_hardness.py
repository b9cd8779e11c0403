"""Max-Cut as judgments: the lemma and the equivalence of section 4.2, by brute force."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrja import InputError, Judgments
from qrja.hardness import POLES, from_max_cut, loss_of_cut, to_cut
from qrja.solution import Solution
from qrja.solvers.nonconvex import solve_nonconvex
from reference.enumeration import solve_by_trying_all
from reference.graphs import power_loss
from reference.trees import largest_cut

POWERS = st.sampled_from([0.1, 0.5, 0.9])


@st.composite
def graphs(draw: st.DrawFn, most: int) -> tuple[list[int], list[tuple[int, int]]]:
    vertices = list(range(draw(st.integers(1, most))))
    pairs = list(combinations(vertices, 2))
    edges = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    return vertices, edges


def cut_size(cut: tuple[frozenset[object], frozenset[object]], edges: list) -> int:
    return sum((u in cut[0]) != (v in cut[0]) for u, v in edges)


@given(graphs(most=5), POWERS)
def test_the_optimum_is_a_largest_cut(graph: tuple[list, list], p: float) -> None:
    vertices, edges = graph
    solution = solve_by_trying_all(from_max_cut(edges, p, vertices=vertices), p)
    best = largest_cut(vertices, edges)
    assert solution.objective == pytest.approx(
        loss_of_cut(len(vertices), len(edges), best, p), rel=1e-9
    )
    cut = to_cut(solution)
    assert cut_size(cut, edges) == best
    assert cut[0] | cut[1] == set(vertices)
    assert not cut[0] & cut[1]


@given(graphs(most=5), POWERS)
def test_every_optimum_is_integral(graph: tuple[list, list], p: float) -> None:
    vertices, edges = graph
    x = solve_by_trying_all(from_max_cut(edges, p, vertices=vertices), p).x
    x = x - x[0]
    assert x[1] == pytest.approx(1, abs=1e-9)
    np.testing.assert_allclose(np.minimum(np.abs(x), np.abs(x - 1)), 0, atol=1e-9)


@given(graphs(most=7), POWERS, st.randoms(use_true_random=False))
def test_rounding_any_scores_to_a_cut_does_not_raise_the_loss(
    graph: tuple[list, list], p: float, random: object
) -> None:
    vertices, edges = graph
    problem = from_max_cut(edges, p, vertices=vertices)
    x = np.array([random.uniform(-2, 3) for _ in problem.names])
    scores = Solution(x, problem.names, 0, 0, 0, problem.components, "local", "none", "", "", 0, 0)
    size = cut_size(to_cut(scores), edges)
    rounded = loss_of_cut(len(vertices), len(edges), size, p)
    assert rounded <= power_loss(problem, x, p) * (1 + 1e-12)


@given(graphs(most=6), POWERS)
def test_the_loss_of_a_cut(graph: tuple[list, list], p: float) -> None:
    vertices, edges = graph
    problem = from_max_cut(edges, p, vertices=vertices)
    for size in range(len(vertices) + 1):
        side = set(vertices[:size])
        x = np.array([0.0, 1.0, *(float(v in side) for v in vertices)])
        k = sum((u in side) != (v in side) for u, v in edges)
        loss = loss_of_cut(len(vertices), len(edges), k, p)
        assert power_loss(problem, x, p) == pytest.approx(loss, rel=1e-12)


@given(st.floats(1e-6, 0.5), st.floats(0.001, 0.999))
def test_the_inequality_behind_the_lemma(d: float, p: float) -> None:
    assert 1 - (1 - d) ** p <= p * d**p * (1 + 1e-12)


def test_local_search_cuts_well_but_proves_nothing() -> None:
    rng = np.random.default_rng(0)
    edges = [pair for pair in combinations(range(12), 2) if rng.random() < 0.4]
    solution = solve_nonconvex(from_max_cut(edges, 0.5), 0.5)
    assert solution.status == "local"
    assert cut_size(to_cut(solution), edges) >= len(edges) / 2


def test_weights_and_judgments_are_the_papers() -> None:
    problem = from_max_cut([("a", "b")], 0.5, vertices=["c"])
    assert problem.names == ("v(s)", "v(t)", "c", "a", "b")
    w2 = 2 * 3 / 0.5 + 1
    rows = list(zip(problem.a, problem.b, problem.y, problem.w, strict=True))
    poles = [(1, 0, 1, 3 * w2 + 1)]
    ties = [(pole, vertex, 0, w2) for pole in (0, 1) for vertex in (2, 3, 4)]
    assert rows == [*poles, *ties, (3, 4, 1, 1), (4, 3, 1, 1)]


def test_an_empty_graph() -> None:
    solution = solve_by_trying_all(from_max_cut([], 0.5), 0.5)
    assert to_cut(solution) == (frozenset(), frozenset())
    assert solution.objective == loss_of_cut(0, 0, 0, 0.5) == 0


@pytest.mark.parametrize(
    ("edges", "p", "words"),
    [
        ([("a", "b")], 1, "p is 1; the reduction needs p between 0 and 1"),
        ([("a", "b")], 0.0, "p is 0.0; the reduction needs p between 0 and 1"),
        ([("a", "b"), ("a", "a")], 0.5, "edge 1: 'a' is joined to itself; leave the loop out"),
        ([("a", "b"), ("b", "a")], 0.5, "edge 1: 'b' and 'a' are joined before"),
        ([("a", POLES[0])], 0.5, r"v\(s\) and v\(t\) are taken by the poles; rename the vertex"),
        ([("a", "b", "c")], 0.5, r"edge 0: \('a', 'b', 'c'\) is not a pair of vertices"),
    ],
)
def test_bad_graphs_are_named(edges: list, p: float, words: str) -> None:
    with pytest.raises(InputError, match=words):
        from_max_cut(edges, p)


def test_lone_vertices_are_checked_too() -> None:
    with pytest.raises(InputError, match="are taken by the poles; rename the vertex"):
        from_max_cut([], 0.5, vertices=[POLES[1]])


def test_a_solution_of_something_else_is_refused() -> None:
    other = solve_nonconvex(Judgments.from_arrays("ab", "bc", [1, 2]), 0.5)
    with pytest.raises(InputError, match=r"are \('a', 'b'\), not .* a solution of from_max_cut"):
        to_cut(other)
    with pytest.raises(InputError, match="give a solution of from_max_cut"):
        to_cut(replace(other, names=()))
