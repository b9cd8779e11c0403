"""Evening out: what a flow misses is spread over all pairs before a forest takes the rest.

A forest that carries the imbalance g loads single pairs with sums of it, the more so the more
candidates there are. Potentials d with ``L d = g`` spread it over all pairs, ``w (d_i - d_j)``
each, and no pair gets more than the range of d. Some steps of conjugate gradients do nearly that,
and the forest carries what they leave.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from qrja.data import Floats, centre
from qrja.laplacian import by_component, conjugate_gradients, jacobi
from qrja.scale.by_squares import add_product
from qrja.scale.kernels import squares
from qrja.scale.pass_proofs import Evening
from qrja.scale.passes import Passes, add_up
from qrja.scale.shards import Shard
from qrja.scale.spanning import Routes

STEPS = 30
"""Steps that may be taken: where they do not do, pulls are to become smaller first."""


def add_evening(shard: Shard, out: Floats, x: Floats, d: Floats) -> None:
    """Add what a flow takes, its sum over residuals, and what rounding may hide of it."""
    squares.add_evening(*shard, x, d, out)


def even_out(
    passes: Passes, routes: Routes, degree: Floats, pull: Floats, x: Floats, room: float
) -> Evening | None:
    """Spread pulls over all pairs until none has more than ``room`` of its weight from them.

    None where pulls are too large for that, which takes no pass to see.
    """
    n, label = passes.n, routes.label
    missing, precondition = centre(pull, label), jacobi(degree)
    if not Evening(precondition(missing), pull, 0.0, 0.0).most <= room / 2:
        return None
    loaded = float((np.abs(routes.carry(missing)) / routes.edges.w).max(initial=0.0))
    if loaded <= room / 2:
        return None
    d, _, _ = conjugate_gradients(
        partial(add_up, passes, add_product, n),
        missing,
        precondition,
        tol=room / (4 * loaded),
        limit=STEPS,
        systems=by_component(label),
    )
    d = centre(d, label)
    out = add_up(passes, add_evening, n + 2, x, d)
    return Evening(d, out[:n], float(out[n]), float(out[n + 1]))
