"""Regions of a long and narrow graph: the same pivots, with less to look at."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import qrja
from qrja.solvers.l1 import contest_simplex, driver, regions
from qrja.solvers.l1.contest_simplex import ContestSimplex


def ring(nodes: int, contests: int, size: int = 6, seed: int = 0) -> qrja.Contests:
    """Contests of neighbours on a ring."""
    rng = np.random.default_rng(seed)
    first = rng.integers(0, nodes, contests)
    who = (np.repeat(first, size) + np.tile(np.arange(size), contests)) % nodes
    score = rng.normal(size=len(who)).round(3)
    return qrja.Contests.from_arrays(np.repeat(np.arange(contests), size), who, score)


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many regions were found each time that they were looked for; small ones suffice."""
    counts: list[int] = []

    def find(*arguments: Any) -> Any:
        result = regions.find_regions(*arguments)
        counts.append(len(result[0]))
        return result

    monkeypatch.setattr(driver, "BATCH", 50)
    monkeypatch.setattr(regions, "NODES", 16)
    monkeypatch.setattr(regions, "LEAST", 8)
    monkeypatch.setattr(contest_simplex, "find_regions", find)
    return counts


@pytest.mark.parametrize("seed", range(3))
def test_pivots_are_the_same_with_regions_and_without(
    seed: int, found: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    races = ring(400, 1600, seed=seed)
    with_regions = qrja.solve(races, p=1)
    assert found[0] >= 25
    monkeypatch.setattr(regions, "LEAST", 10**9)
    without = qrja.solve(races, p=1)
    assert found[1:] == [0]
    assert (with_regions.x == without.x).all()
    assert with_regions.iterations == without.iterations
    assert with_regions.objective == without.objective
    assert with_regions.status == "optimal"
    assert with_regions.check(races).gap == 0.0


def test_whoever_meets_everybody_has_no_regions(found: list[int]) -> None:
    rng = np.random.default_rng(1)
    who = np.concatenate([rng.permutation(300)[:12] for _ in range(400)])
    races = qrja.Contests.from_arrays(
        np.repeat(np.arange(400), 12), who, rng.normal(size=len(who)).round(2)
    )
    assert qrja.solve(races, p=1).status == "optimal"
    assert set(found) == {0}


def test_contests_that_enter_later_join_regions(found: list[int]) -> None:
    """A bridge across the ring joins regions that were far apart: they are looked for anew."""
    races = ring(400, 1600)
    stream = qrja.L1Stream()
    stream.extend(races)
    stream.solve()
    rng = np.random.default_rng(2)
    for _ in range(300):
        stream.append(rng.permutation(400)[:6], rng.normal(size=6).round(3))
    log = stream.log
    contest = np.repeat(np.arange(log.contests), np.diff(log.start))
    at_once = qrja.solve(qrja.Contests.from_arrays(contest, log.who, log.score), p=1)
    assert stream.solve().objective == pytest.approx(at_once.objective, rel=1e-12)
    assert found[0] > 0


def test_regions_are_whole_and_know_their_neighbours() -> None:
    """Every contest lies in regions that are next to each other, and no region is too large."""
    races = ring(3000, 9000)
    simplex = ContestSimplex()
    weight = np.ones(len(races), dtype=np.int64)
    score = np.rint(races.score * 1000).astype(np.int64)
    simplex.extend(races.sizes, races.who, score, weight)
    made, borders = regions.find_regions(simplex._tables(), simplex.node_count, simplex.entry_count)
    region = simplex.nodes["region"][: simplex.node_count]
    assert len(made) >= 3000 / regions.NODES
    assert (np.bincount(region) == made["size"]).all()
    assert made["size"].max() <= regions.NODES
    for c in range(0, len(races), 7):
        who = races.who[races.start[c] : races.start[c + 1]]
        of_contest = set(region[simplex.node_of[who]].tolist())
        for r in of_contest:
            assert of_contest <= set(borders[made["first"][r] : made["stop"][r]].tolist())
