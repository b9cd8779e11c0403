"""Trees that span every component along heavy edges, and sums over their subtrees."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_array

from qrja.laplacian import routing
from qrja.laplacian.routing import Neighbours, search_tree, subtree_sums
from strategies import graphs, label_of


def adjacency_of(n, edges, weights):
    """The graph of the edges between different nodes, parallel ones added up."""
    kept = [(a, b, w) for (a, b), w in zip(edges, weights, strict=True) if a != b]
    rows, columns, data = (
        (np.array(column) for column in zip(*kept, strict=True))
        if kept
        else (
            np.zeros(0, int),
            np.zeros(0, int),
            np.zeros(0),
        )
    )
    half = coo_array((data, (rows, columns)), shape=(n, n)).tocsr()
    whole = (half + half.T).tocsr()
    return Neighbours(whole.data, whole.indices, whole.indptr)


WEIGHTS = st.sampled_from([1.0, 2.0, 1e-9, 1e9])


@st.composite
def weighted_graphs(draw):
    n, edges = draw(graphs().filter(lambda g: g[0] > 0))
    weights = draw(st.lists(WEIGHTS, min_size=len(edges), max_size=len(edges)))
    return n, edges, weights


def walk_up(parent, node):
    """Return a node and those above it, -1 at the end; as many at most as there are nodes."""
    path = [node]
    while path[-1] >= 0 and len(path) <= len(parent):
        path.append(int(parent[path[-1]]))
    return path


@given(weighted_graphs())
def test_search_tree_spans_every_component_along_edges(problem):
    n, edges, weights = problem
    label = label_of(n, edges)
    parent = search_tree(adjacency_of(n, edges, weights), label)
    assert (parent < 0).sum() == label.max() + 1
    joined = {frozenset(edge) for edge in edges}
    for node in range(n):
        if parent[node] >= 0:
            assert frozenset((node, int(parent[node]))) in joined
        assert -1 in walk_up(parent, node), "a cycle"


def test_search_tree_avoids_light_edges_where_weights_are_uneven():
    adjacency = adjacency_of(3, [(0, 1), (1, 2), (0, 2)], [1e9, 1e9, 1e-9])
    parent = search_tree(adjacency, np.zeros(3, dtype=np.int32))
    edges = {frozenset((i, p)) for i, p in enumerate(parent.tolist()) if p >= 0}
    assert edges == {frozenset((0, 1)), frozenset((1, 2))}


@given(weighted_graphs(), st.data())
def test_subtree_sums_match_a_walk_to_the_root(problem, data):
    n, edges, weights = problem
    parent = search_tree(adjacency_of(n, edges, weights), label_of(n, edges))
    values = np.array(data.draw(st.lists(st.integers(-9, 9), min_size=n, max_size=n)), dtype=float)
    expected = np.zeros(n)
    for node in range(n):
        expected[walk_up(parent, node)[:-1]] += values[node]
    assert subtree_sums(values, parent).tolist() == expected.tolist()


def test_subtree_sums_of_a_long_path():
    n = 100_000
    sums = subtree_sums(np.ones(n), np.arange(-1, n - 1))
    assert sums.tolist() == list(range(n, 0, -1))


@given(weighted_graphs())
def test_small_graphs_are_searched_as_large_ones_are(problem):
    n, edges, weights = problem
    adjacency, label = adjacency_of(n, edges, weights), label_of(n, edges)
    with pytest.MonkeyPatch.context() as patch:
        small = search_tree(adjacency, label)
        patch.setattr(routing, "FEW", -1)
        assert small.tolist() == search_tree(adjacency, label).tolist()
