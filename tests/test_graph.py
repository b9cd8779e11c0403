import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrja.data import graph
from reference.graphs import components_by_spreading
from strategies import graphs, label_of

# --- components ------------------------------------------------------------------------------


@given(graphs())
def test_components_match_the_slow_twin(problem):
    n, edges = problem
    label = label_of(n, edges)
    found = [set(np.flatnonzero(label == k).tolist()) for k in range(label.max(initial=-1) + 1)]
    assert sorted(map(sorted, found)) == sorted(map(sorted, components_by_spreading(n, edges)))


@given(graphs())
def test_components_are_numbered_by_size(problem):
    label = label_of(*problem)
    assert label.dtype == np.int32
    sizes = np.bincount(label)
    assert (sizes > 0).all()
    assert (np.diff(sizes) <= 0).all()


def test_components_of_one_size_are_numbered_by_their_first_node():
    assert label_of(6, [(4, 0), (5, 1)]).tolist() == [0, 1, 2, 3, 0, 1]


@given(graphs(), st.randoms(use_true_random=False))
def test_direction_order_and_repetition_of_edges_do_not_matter(problem, random):
    n, edges = problem
    other = [(b, a) for a, b in edges] + edges
    random.shuffle(other)
    assert label_of(n, other).tolist() == label_of(n, edges).tolist()


@pytest.mark.parametrize("times", [255, 256, 65536])
def test_an_edge_may_be_repeated_often(times):
    # Adding up 256 ones in a byte gives 0; an edge must not vanish that way.
    assert label_of(3, [(0, 1)] * times).tolist() == [0, 0, 1]


def test_groups_join_all_their_members_and_may_be_empty():
    assert label_of(6, [(), (3, 1, 5), (0,), ()]).tolist() == [1, 0, 2, 0, 3, 0]


@given(graphs())
@pytest.mark.parametrize("joined", [graph.FEW, 0], ids=["one by one", "in rounds"])
def test_components_are_the_same_in_whichever_way_they_are_found(joined, problem):
    n, edges = problem
    groups = [*edges, ()]  # one that is no pair
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(graph, "FEW", -1)
        patch.setattr(graph, "SOME", -1)
        searched = label_of(n, groups).tolist()
        assert label_of(n, edges).tolist() == searched
        patch.setattr(graph, "FEW", joined)
        patch.setattr(graph, "SOME", graph.FEW_ARROWS)
        assert label_of(n, groups).tolist() == searched


def test_a_long_chain_in_any_order_is_joined_in_rounds():
    order = np.random.default_rng(0).permutation(5000)
    links = np.stack([order[:-1], order[1:]], axis=1).astype(np.int32).ravel()
    found = graph.components(5001, np.arange(5000) * 2, links)
    assert found[:5000].tolist() == [0] * 5000
    assert found[5000] == 1


def test_a_graph_without_nodes_has_no_components():
    assert label_of(0, []).tolist() == []


@given(graphs(), graphs())
def test_side_by_side_graphs_keep_their_components(one, two):
    shifted = [(a + one[0], b + one[0]) for a, b in two[1]]
    both = label_of(one[0] + two[0], one[1] + shifted)
    parts = both[: one[0]], both[one[0] :]
    assert not set(parts[0].tolist()) & set(parts[1].tolist())
    for part, (n, edges) in zip(parts, (one, two), strict=True):
        alone = label_of(n, edges)
        assert ((part[:, None] == part) == (alone[:, None] == alone)).all()


@pytest.mark.parametrize("searched", [0, graph.MANY_ARROWS + 1])
def test_strong_components_are_the_same_however_many_were_searched(searched, monkeypatch):
    rng = np.random.default_rng(searched)
    tail, head = rng.integers(0, 200, (2, 260))
    monkeypatch.setattr(graph, "_searched", searched)
    monkeypatch.setattr(graph, "FEW_ARROWS_BESIDE_SCIPY", 0)
    monkeypatch.delitem(sys.modules, "scipy.sparse.csgraph", raising=False)
    found = graph.strong_components(200, tail, head)
    assert (graph._searched > searched) == (searched == 0)
    reach = np.eye(200, dtype=bool)
    reach[tail, head] = True
    for _ in range(8):
        reach = reach @ reach
    assert ((found[:, None] == found) == (reach & reach.T)).all()


# --- forests of groups -----------------------------------------------------------------------


@st.composite
def groupings(draw):
    n = draw(st.integers(0, 12))
    node = st.integers(0, max(n - 1, 0))
    group = st.lists(node, unique=True, max_size=5 if n else 0)
    return n, draw(st.lists(group, max_size=8))


@given(groupings(), st.sampled_from([1, 3, 100]))
def test_a_forest_of_groups_spans_its_components(problem, slab):
    n, groups = problem
    start = np.cumsum([0, *map(len, groups)])
    members = np.array([node for group in groups for node in group], dtype=np.int32)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(graph.slabs, "__defaults__", (slab,))
        label, one, other, through = graph.span_groups(n, start, members)
    assert label.tolist() == graph.components(n, start, members).tolist()
    assert len(one) == n - (label.max(initial=-1) + 1)
    edges = list(zip(one.tolist(), other.tolist(), strict=True))
    assert label_of(n, edges).tolist() == label.tolist()
    assert all({*edge} <= {*groups[k]} for edge, k in zip(edges, through, strict=True))


@given(groupings(), st.data())
def test_a_forest_grows_with_groups_and_nodes(problem, data):
    n, groups = problem
    start = np.cumsum([0, *map(len, groups)])
    members = np.array([node for group in groups for node in group], dtype=np.int32)
    cut = data.draw(st.integers(0, len(groups)))
    known = data.draw(st.integers(members[: start[cut]].max(initial=-1) + 1, n))
    before = graph.span_groups(known, start[: cut + 1], members[: start[cut]])
    after = graph.span_groups(
        n, start[cut:] - start[cut], members[start[cut] :], before=(before, cut)
    )
    assert after.label.tolist() == graph.components(n, start, members).tolist()
    edges = list(zip(after.one.tolist(), after.other.tolist(), strict=True))
    assert len(edges) == n - (after.label.max(initial=-1) + 1)
    assert label_of(n, edges).tolist() == after.label.tolist()
    assert all({*edge} <= {*groups[k]} for edge, k in zip(edges, after.group, strict=True))


def test_a_long_chain_is_spanned_in_few_rounds():
    # Numbered against the grain: joining to the next lower node alone would take n rounds.
    n = 5000
    node = np.random.default_rng(0).permutation(n).astype(np.int32)
    members = np.stack([node[:-1], node[1:]], axis=1).ravel()
    forest = graph.span_groups(n, np.arange(0, 2 * n - 1, 2), members)
    assert len(forest.one) == n - 1
    assert not forest.label.any()


@given(st.lists(st.integers(0, 9), max_size=20), st.integers(1, 12))
def test_slabs_cover_all_groups_and_cut_none(sizes, size):
    start = np.cumsum([0, *sizes])
    covered = list(graph.slabs(start, size))
    assert [k for groups, _ in covered for k in range(len(sizes))[groups]] == [*range(len(sizes))]
    for groups, members in covered:
        assert (members.start, members.stop) == (start[groups.start], start[groups.stop])
        assert members.stop - members.start <= size or groups.stop - groups.start == 1


# --- centring --------------------------------------------------------------------------------


@given(graphs(), st.data())
def test_centre_moves_each_component_to_mean_0_and_keeps_differences(problem, data):
    label = label_of(*problem)
    values = st.lists(st.floats(-1e3, 1e3), min_size=len(label), max_size=len(label))
    x = np.array(data.draw(values))
    centred = graph.centre(x, label)
    for k in range(label.max(initial=-1) + 1):
        inside = label == k
        assert centred[inside].mean() == pytest.approx(0, abs=1e-9)
        shift = (x - centred)[inside]
        assert np.ptp(shift) == pytest.approx(0, abs=1e-9)


def test_centre_leaves_its_argument_alone():
    x = np.array([1.0, 3.0])
    graph.centre(x, np.array([0, 0], dtype=np.int32))
    assert x.tolist() == [1, 3]


def test_tables_are_centred_column_by_column_however_groups_stand() -> None:
    table = np.random.default_rng(0).normal(size=(6, 3))
    for label in ([0, 0, 1, 1, 2, 2], [0, 1, 0, 1, 2, 2], [0, 0, 0, 0, 1, 1], [0, 0, 1, 2, 2, 2]):
        columns = [graph.centre(column, np.array(label)) for column in table.T]
        np.testing.assert_allclose(graph.centre(table, np.array(label)).T, columns, atol=1e-15)
