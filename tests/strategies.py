"""Small nasty problems for property tests: ties, repeats, contradictions, isolated candidates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from qrja import Contests, Judgments
from qrja.data import graph

# Few distinct values make ties; a wide range makes rounding matter.
SCORES = st.one_of(st.integers(-3, 3).map(float), st.floats(-1e6, 1e6).map(lambda v: round(v, 3)))
WEIGHTS = st.sampled_from([1.0, 1.0, 2.0, 0.5, 3.25])


@st.composite
def judgments(draw: st.DrawFn, max_candidates: int = 7, max_judgments: int = 14) -> Judgments:
    n = draw(st.integers(2, max_candidates))
    pair = st.tuples(st.integers(0, n - 1), st.integers(1, n - 1), SCORES, WEIGHTS)
    rows = draw(st.lists(pair, max_size=max_judgments))
    a = np.array([row[0] for row in rows], dtype=np.int32)
    b = np.array([(row[0] + row[1]) % n for row in rows], dtype=np.int32)
    return Judgments(a, b, [row[2] for row in rows], [row[3] for row in rows], tuple(range(n)))


@st.composite
def contests(draw: st.DrawFn, max_contestants: int = 7, max_contests: int = 6) -> Contests:
    names = list(range(draw(st.integers(1, max_contestants))))
    contest, contestant, score, weight = [], [], [], []
    for number in range(draw(st.integers(0, max_contests))):
        field = draw(st.lists(st.sampled_from(names), unique=True, min_size=1))
        contest += [number] * len(field)
        contestant += field
        score += draw(st.lists(SCORES, min_size=len(field), max_size=len(field)))
        weight += [draw(WEIGHTS)] * len(field)
    return Contests.from_arrays(contest, contestant, score, weight=weight)


def side_by_side(one: Judgments, other: Judgments, factor: float = 1.0) -> Judgments:
    """Put two problems into one, as components; the margins of the other are multiplied."""
    return Judgments(
        np.append(one.a, other.a + one.n),
        np.append(one.b, other.b + one.n),
        np.append(one.y, other.y * factor),
        np.append(one.w, other.w),
        tuple(range(one.n + other.n)),
    )


def shift_first(problem: Contests, shift: float) -> Contests:
    """Add a number to all scores of the first contest."""
    score = problem.score.copy()
    score[: problem.sizes[:1].sum()] += shift
    return replace(problem, score=score)


@st.composite
def graphs(draw: st.DrawFn) -> tuple[int, list[tuple[int, int]]]:
    """A number of nodes and edges between them, some from a node to itself."""
    n = draw(st.integers(0, 12))
    node = st.integers(0, max(n - 1, 0))
    edges = draw(st.lists(st.tuples(node, node), max_size=16 if n else 0))
    return n, edges


def label_of(n: int, groups: Sequence[Sequence[int]]) -> np.ndarray:
    """The component of each node, for groups of nodes that hang together."""
    start = np.cumsum([0, *map(len, groups)])
    members = np.array([node for group in groups for node in group], dtype=np.int32)
    return graph.components(n, start, members)
