"""What the entries of the l1 simplex remember of their neighbours is true, at any time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from qrja import Contests
from qrja.datasets import synthetic_races
from qrja.solvers.l1 import L1Stream
from qrja.solvers.l1.contest_simplex import ContestSimplex
from qrja.solvers.l1.kernels.exchange import LIMIT, OPTIMAL
from qrja.solvers.l1.kernels.pivot import run
from strategies import contests


def begun(problem: Contests) -> ContestSimplex:
    stream = L1Stream()
    stream.extend(problem)
    return stream._begin()


def check_neighbours(simplex: ContestSimplex) -> None:
    """Compare the remembered neighbours and distances with the order of the contests."""
    places, drift = simplex.places, int(simplex.forest.control["drift"][0])
    for field in simplex.fields[: simplex.contest_count]:
        row = places[field["first"] : field["first"] + field["size"]]
        known = simplex.slots[row["slot"]]
        residual = simplex.nodes["hi"][row["node"]] - row["score"]
        assert known["place"].tolist() == list(range(field["first"], field["first"] + len(row)))
        assert known["above"].tolist() == [*row["node"][1:], -1]
        assert known["below"].tolist() == [-1, *row["node"][:-1]]
        distance = np.diff(residual)
        assert (distance >= 0).all()
        assert (known["up"][:-1] - drift <= distance).all()
        assert (known["down"][1:] - drift <= distance).all()
    check_reach(simplex)


def check_reach(simplex: ContestSimplex) -> None:
    """Compare what nodes remember with what the entries beside others, not tied to them, do."""
    parent = simplex.forest.tree["parent"]
    for v, node in enumerate(simplex.nodes[: simplex.node_count]):
        own = simplex.slots[node["first"] : node["first"] + node["size"]]
        for way, beside in (("up", "above"), ("down", "below")):
            others = own[beside]
            is_apart = (others >= 0) & (others != parent[v]) & (parent[others] != v)
            assert (simplex.reach[way][v] <= own[way][is_apart]).all()


@given(contests(max_contestants=7, max_contests=6))
def test_neighbours_are_known_after_every_pivot(problem: Contests) -> None:
    if not len(problem):
        return
    simplex = begun(problem)
    check_neighbours(simplex)
    status = None
    while status != OPTIMAL:
        status, _ = run(1, simplex._tables())
        check_neighbours(simplex)


@pytest.mark.parametrize("decimals", [1, 12])
def test_neighbours_are_known_in_large_moves_too(decimals: int) -> None:
    made = synthetic_races(races=80, entrants=200, field=30, turnover=0.0, seed=5).contests
    score = np.round(made.score, decimals)
    simplex = begun(Contests(made.start, made.who, score, made.names, made.labels, made.weight))
    status = None
    while status != OPTIMAL:
        status, _ = run(20, simplex._tables())
        check_neighbours(simplex)
    assert simplex.forest.control["drift"][0] > 0
    simplex.prove()


def test_the_drift_begins_anew_before_it_overflows() -> None:
    made = synthetic_races(races=80, entrants=200, field=30, turnover=0.0, seed=6).contests
    usual, late = begun(made), begun(made)
    late.forest.control["drift"] = LIMIT
    late.slots["up"] += LIMIT
    late.slots["down"] += LIMIT
    late.reach["up"] += LIMIT
    late.reach["down"] += LIMIT
    usual.run()
    late.run()
    assert 0 < late.forest.control["drift"][0] < LIMIT
    check_neighbours(late)
    assert late.loss(late.prove()) == usual.loss(usual.prove())


def test_a_member_who_leaves_a_group_is_known_to_its_neighbours() -> None:
    stream = L1Stream()
    stream.append([0, 1, 2, 3], [5, 4, 2, 2])
    stream.append([0, 4], [3, 3])
    stream.solve()
    stream.append([2, 5], [1, 7])
    simplex = stream._run(None)
    check_neighbours(simplex)
    assert simplex.node_of[2] != simplex.node_of[3]


def test_pairs_within_a_former_group_alone_can_be_crossed() -> None:
    stream = L1Stream()
    stream.append([0, 1], [0, 0])
    stream.solve()
    assert stream._run(None).forest.control["rate"][0] == 0
    stream.append([0], [0])
    np.testing.assert_allclose(stream.solve().x, 0)
