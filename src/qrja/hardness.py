"""Max-Cut as judgments: why the l_p loss is NP-hard to minimise for p < 1.

A graph with n vertices V and m edges becomes n + 2 candidates, V and the two poles s and t, with

    w2 = 2 n / (1 - p) + 1,        w1 = n w2 + 1

and judgments (t, s, 1) of weight w1; (s, u, 0) and (t, u, 0) of weight w2 for every vertex u;
(u, v, 1) and (v, u, 1) of weight 1 for every edge. The heavy judgments force every optimum to have,
up to a shift, x_s = 0, x_t = 1 and each x_u at 0 or at 1: a cut. An edge costs 2 inside a side and
only 2^p across, so the loss of a cut of k edges is

    n w2 + 2 (m - k) + k 2^p,

and the best scores are the largest cut.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable

import numpy as np

from qrja.data import Judgments, as_float, plain_list
from qrja.errors import InputError
from qrja.solution import Solution

POLES = ("v(s)", "v(t)")
"""Names of the two extra candidates, whose scores are 0 and 1."""

Edge = tuple[Hashable, Hashable]


def from_max_cut(
    graph: Iterable[Edge], p: float, *, vertices: Iterable[Hashable] = ()
) -> Judgments:
    """Build the judgments whose l_p optimum is a largest cut of a graph.

    Parameters
    ----------
    graph : iterable of pairs
        The edges; each once, in either order.
    p : float
        The power of the loss, between 0 and 1.
    vertices : iterable, optional
        Vertices, for those that have no edge.

    Returns
    -------
    Judgments
        Candidates are the two poles, then the vertices.

    Examples
    --------
    >>> from qrja import solve
    >>> square = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")]
    >>> solution = solve(from_max_cut(square, p=0.5), p=0.5)
    >>> sorted(sorted(side) for side in to_cut(solution))
    [['a', 'c'], ['b', 'd']]
    >>> bool(np.isclose(solution.objective, loss_of_cut(n=4, m=4, k=4, p=0.5)))
    True
    """
    edges, alone = plain_list(graph, "edge"), plain_list(vertices, "node")
    _check(edges, alone, p)
    names = tuple(dict.fromkeys([*POLES, *alone, *(end for edge in edges for end in edge)]))
    number = {name: i for i, name in enumerate(names)}
    n, w2 = len(names) - 2, _vertex_weight(len(names) - 2, p)
    u, v = (np.array([number[edge[end]] for edge in edges], dtype=np.int32) for end in (0, 1))
    every, zero = np.arange(2, n + 2, dtype=np.int32), np.zeros(n, dtype=np.int32)
    return Judgments(
        a=np.concatenate([[1], zero, zero + 1, u, v]),
        b=np.concatenate([[0], every, every, v, u]),
        y=np.concatenate([[1.0], np.zeros(2 * n), np.ones(2 * len(edges))]),
        w=np.concatenate([[n * w2 + 1], np.full(2 * n, w2), np.ones(2 * len(edges))]),
        names=names,
    )


def to_cut(solution: Solution) -> tuple[frozenset[Hashable], frozenset[Hashable]]:
    """Read a cut from scores of the judgments of :func:`from_max_cut`.

    Each vertex goes to the side of the nearer of ``x_s`` and ``x_s + 1``. For any scores, optimal
    or not, this does not raise the loss.

    Returns
    -------
    S, T
        The vertices on the side of s, and those on the side of t.

    Examples
    --------
    >>> from qrja import solve
    >>> sides = to_cut(solve(from_max_cut([("a", "b")], p=0.5), p=0.5))
    >>> sorted(len(side) for side in sides)
    [1, 1]
    """
    if not isinstance(solution, Solution):
        raise InputError(f"solution is a {type(solution).__name__}; give what solve returned")
    if solution.names[:2] != POLES:
        raise InputError(
            f"the first candidates are {solution.names[:2]}, not {POLES};"
            " give a solution of from_max_cut"
        )
    near_t = (solution.x - solution.x[0] > 0.5)[2:].tolist()
    vertices = list(zip(solution.names[2:], near_t, strict=True))
    return (
        frozenset(name for name, near in vertices if not near),
        frozenset(name for name, near in vertices if near),
    )


def loss_of_cut(n: int, m: int, k: int, p: float) -> float:
    """Return the loss of a cut of k edges in a graph of n vertices and m edges.

    Examples
    --------
    >>> round(loss_of_cut(n=2, m=1, k=0, p=0.5), 3), round(loss_of_cut(n=2, m=1, k=1, p=0.5), 3)
    (20.0, 19.414)
    """
    return n * _vertex_weight(n, p) + 2 * (m - k) + k * float(2**p)


def _vertex_weight(n: int, p: float) -> float:
    if not 0 < as_float(p) < 1:
        raise InputError(f"p is {p!r}; the reduction needs p between 0 and 1")
    return 2 * n / (1 - float(p)) + 1


def _check(edges: list[Edge], vertices: list[Hashable], p: float) -> None:
    _vertex_weight(0, p)
    seen: set[frozenset[Hashable]] = set()
    for row, edge in enumerate(edges):
        try:
            u, v = edge
            pair = frozenset((u, v))
        except (TypeError, ValueError):
            raise InputError(f"edge {row}: {edge!r} is not a pair of vertices") from None
        if u == v:
            raise InputError(f"edge {row}: {u!r} is joined to itself; leave the loop out")
        if pair in seen:
            raise InputError(f"edge {row}: {u!r} and {v!r} are joined before; once will do")
        seen.add(pair)
    if any(pole in vertices or any(pole in pair for pair in seen) for pole in POLES):
        raise InputError(f"{POLES[0]} and {POLES[1]} are taken by the poles; rename the vertex")
