"""Solving ``L v = g`` on the graph of a problem, however hard it is.

Conjugate gradients with the degrees as preconditioner solve all components at once, each with step
lengths of its own: a component's accuracy does not depend on its neighbours' scale. Contest graphs
need some tens of steps. Graphs that are nearly lines or grids need thousands: there a sparse
factorisation, or algebraic multigrid beyond ``FACTOR_NODES`` nodes, takes the place of the degrees.
"""

from __future__ import annotations

import warnings
from copy import copy
from typing import TYPE_CHECKING

import numpy as np

from qrja.data import Contests, Floats, Judgments, centre
from qrja.errors import QRJAWarning
from qrja.laplacian.cg import Operator, by_component, conjugate_gradients
from qrja.laplacian.operator import Quadratic, quadratic
from qrja.laplacian.preconditioners import FACTOR_NODES, factor, jacobi, multigrid
from qrja.laplacian.star_mesh import MOST_NODES, eliminate

if TYPE_CHECKING:
    from scipy.sparse import csr_array

EASY_STEPS = 200
"""Steps after which Jacobi has shown that the graph is hard."""
PROBE, SLOW = 10, 1e-2
"""Steps after which a graph beyond ``FACTOR_NODES`` is hard already if its residual has not fallen
to this part: on grids it is at 2e-2 then, and at 8e-4 after a hundred; on races at rounding."""
HARD_STEPS = 20_000
"""Steps allowed after that, where nothing better than Jacobi is at hand."""
ROUNDS = 6
"""Restarts from a freshly computed residual; each gains the digits that rounding allows."""
FINE = 1e-14
"""The accuracy aimed for."""
COARSE = 1e-13
"""The accuracy aimed for with multigrid, whose norm is nearly that of the error itself: with the
degrees a residual as small would leave an error many times as large."""
LEAST = 1e-15
"""Part of a residual that is still a number: steps beyond would follow its rounding errors."""


class LaplacianSolver:
    """Solves ``L v = g`` for one problem and many right-hand sides.

    Examples
    --------
    >>> j = Judgments.from_arrays("ab", "bc", [1, 1])
    >>> v = LaplacianSolver(j).solve(np.array([1.0, 0.0, -1.0]))
    >>> v.round(9)
    array([ 1.,  0., -1.])
    """

    def __init__(self, problem: Contests | Judgments) -> None:
        self.q: Quadratic = quadratic(problem)
        self._systems = by_component(self.q.label)
        self.easily: Operator = jacobi(self.q.degree)
        self._precondition = self.easily
        self._hard = self._strong = self._is_probed = False
        self._size = 0

    def with_score(self, problem: Contests | Judgments) -> LaplacianSolver:
        """Return the same for a problem that differs in its scores, or margins, only."""
        other = copy(self)
        other.q = self.q.with_score(problem)
        return other

    def solve(self, g: Floats, tol: float = FINE) -> Floats:
        """Return v with ``L v = g``, every component with mean 0; g sums to 0 in each.

        The residual is ``tol`` times g, in the norm of the preconditioner.
        """
        v, missing = np.zeros(self.q.n), g
        for _ in range(ROUNDS):
            step, _, done = self.approach(missing, g, tol)
            v = centre(v + step, self.q.label)
            if done:
                break
            missing = g - self.q.product(v)
        return v

    def approach(
        self, missing: Floats, scale: Floats, tol: float = FINE
    ) -> tuple[Floats, int, bool]:
        """Run one round on ``L v = missing``, to ``tol`` of what ``scale`` would be as a residual.

        A round that does not get there shows that the graph is hard, and the next one begins with
        a stronger preconditioner.

        Returns
        -------
        v, steps, converged
            ``converged``: in every component the preconditioned residual is that small.
        """
        if self._hard and not self._strong:
            laplacian = self.q.sparse_laplacian()
            if laplacian.shape[0] > FACTOR_NODES and self.q.n <= FACTOR_NODES:
                joint = self.q.joint_laplacian()
                laplacian = laplacian if joint is None else joint
            self._size = laplacian.shape[0]
            self._precondition, self._strong = stronger(self.q, laplacian, self._precondition), True
        precondition, systems = self._precondition, self._systems
        if self._strong and self._size <= MOST_NODES:
            # Beside weights that are far heavier, products with L would lose what it has found.
            return precondition(missing), 1, True
        if self._size > FACTOR_NODES and precondition is not self.easily:
            tol = max(tol, COARSE)
        is_probe = not self._hard and not self._is_probed and self.q.n > FACTOR_NODES
        easy = PROBE if is_probe else EASY_STEPS
        v, steps, converged = conjugate_gradients(
            self.q.product,
            # What rounding adds as a whole is no product of L: no step could remove it.
            centre(missing, self.q.label),
            precondition,
            tol=LEAST,
            floor=tol * tol * systems.dots(scale, precondition(scale)),
            limit=HARD_STEPS if self._hard else easy,
            systems=systems,
        )
        if converged or self._hard:
            return v, steps, converged
        self._is_probed = True
        if not is_probe:
            self._hard = True
            return v, steps, False
        left = missing - self.q.product(v)
        self._hard = self._is_slow(missing, left)
        if not self._hard:
            return v, steps, False
        # At once: nobody asks how good the answer of a probe is.
        more, taken, converged = self.approach(left, scale, tol)
        return v + more, steps + taken, converged

    def _is_slow(self, missing: Floats, left: Floats) -> bool:
        """Tell whether what is left is not much less than what was missing."""
        before, after = (self._systems.dots(r, self._precondition(r)) for r in (missing, left))
        return bool(np.sum(after) > SLOW * SLOW * np.sum(before))

    def insist(self) -> None:
        """Begin the next round with a stronger preconditioner: what converged was not enough.

        Beside weights that are far heavier the residuals of light ones do not show.
        """
        self._hard = True

    def between(self, a: int, b: int) -> Floats:
        """Return the potentials of one unit of current from a to b; ``v_a - v_b`` is resistance."""
        g = np.zeros(self.q.n)
        g[a], g[b] = 1.0, -1.0
        return self.solve(g)


def stronger(q: Quadratic, laplacian: csr_array, weaker: Operator) -> Operator:
    """Replace Jacobi on a hard graph by a factorisation or by multigrid, whichever fits."""
    if laplacian.shape[0] <= MOST_NODES:
        inverse = eliminate(laplacian, q.n)
        return lambda r: centre(inverse(r), q.label)
    if laplacian.shape[0] <= FACTOR_NODES:
        return factor(laplacian, q.label)
    try:
        return multigrid(laplacian, q)
    except ImportError as missing:
        warnings.warn(f"slow: {missing}", QRJAWarning, stacklevel=4)
        return weaker
