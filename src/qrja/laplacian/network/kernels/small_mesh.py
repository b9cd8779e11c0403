"""Compiled: a star-mesh elimination of a few nodes, as :mod:`qrja.laplacian.star_mesh` does it.

Node v is taken out; its neighbours are joined to each other and share what enters it:

    w_ij += w_iv w_vj / d_v,      b_j += b_v w_vj / d_v,      d_v = sum_j w_vj
"""

from __future__ import annotations

from qrja.data import Floats, Index
from qrja.jit import Float, Int, inner, kernel, tiny


@kernel
def solve_mesh(
    lows: Index, highs: Index, conductance: Floats, b: Floats, work: Floats, order: Index, x: Floats
) -> None:
    """Write into x a solution of ``L x = b``, 0 at one node of each component.

    ``work`` has room for the weights of all pairs of nodes and four rows more; ``order`` for the
    nodes as they are taken out.
    """
    n = len(x)
    weight, value, lost, degree, share = work[:n], work[n], work[n + 1], work[n + 2], work[n + 3]
    work[:] = 0.0
    for k in range(len(lows)):
        weight[lows[k], highs[k]] = weight[highs[k], lows[k]] = conductance[k]
    for v in range(n):
        value[v], order[v] = b[v], v
    for step in range(n):
        choose(weight, order, step)
        v = order[step]
        share_out(weight, value, lost, degree, share, v)
        take_out(weight, degree[v], share, v)
    for step in range(n - 1, -1, -1):
        v = order[step]
        x[v] = 0.0
        if degree[v] > 0:
            total = 0.0
            for j in range(n):
                if weight[v, j] != 0:
                    total += weight[v, j] * x[j]
            x[v] = (total + (value[v] + lost[v])) / degree[v]


@inner
def choose(weight: Floats, order: Index, step: Int) -> None:
    """Put the first node of the fewest neighbours, of those that are left, in its place."""
    best, fewest = step, len(order) + 1
    for place in range(step, len(order)):
        count = 0
        for j in range(len(order)):
            count += weight[order[place], j] != 0
        if count < fewest or (count == fewest and order[place] < order[best]):
            best, fewest = place, count
    order[step], order[best] = order[best], order[step]


@inner
def share_out(
    weight: Floats, value: Floats, lost: Floats, degree: Floats, share: Floats, v: Int
) -> None:
    """Give what enters v to its neighbours; the heaviest gets exactly what the others leave."""
    most, total = 0, 0.0
    for j in range(len(value)):
        total += weight[v, j]
        if weight[v, j] > weight[v, most]:
            most = j
    degree[v] = total
    if not total > 0:
        return
    rest, slip = sum_of(value[v], lost[v])
    for j in range(len(value)):
        if weight[v, j] != 0 and j != most:
            share[j] = (value[v] + lost[v]) * (weight[v, j] / total)
            rest, error = sum_of(rest, -share[j])
            slip += error
    share[most], error = sum_of(rest, slip)
    lost[most] += error
    for j in range(len(value)):
        if weight[v, j] != 0:
            value[j], error = sum_of(value[j], share[j])
            lost[j] += error


@inner
def take_out(weight: Floats, degree: Float, root: Floats, v: Int) -> None:
    """Join the neighbours of v, whose own weights stay for the way back."""
    if not degree > 0:
        return
    # The square of a weight may not fit a float; that of its root does.
    for j in range(len(root)):
        root[j] = weight[v, j] / degree**0.5
        if root[j] != 0:
            weight[j, v] = 0.0
    for i in range(len(root)):
        if root[i] != 0:
            for j in range(len(root)):
                if j != i:
                    weight[i, j] += root[i] * root[j]


@tiny
def sum_of(a: Float, b: Float) -> tuple[Float, Float]:
    """Return a sum and what it lost to rounding."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)
