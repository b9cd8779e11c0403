"""p = 2 with shared terms in one run of conjugate gradients, where the data tell terms well apart.

    [ L    C ] [ x    ]   [ A^T W y ]
    [ C^T  S ] [ beta ] = [ Z^T W y ]        C = A^T W Z,   S = Z^T W Z + ridge

costs a pass over the data for C and S, and hardly a step more than ratings alone. The proof asks
for flows that carry something of the columns and nothing else: what a spanning tree makes of W Z,

    P = W Z - tree(C),      K = Z^T P

so that the flow ``2 (W r - tree(g) - P e)``, with ``K e`` what ``W r - tree(g)`` carries of the
columns beside ``ridge beta``, is conserved and carries what it should. It costs in the bound

    |tree(g) + P e|^2  <=  (|tree(g)| + |W Z e| + |tree(C e)|)^2        |f|^2 = sum f^2 / w

The same flows say how well terms are told apart: of the squares of the columns the ratings leave
at least ``K (P^T W^-1 P)^-1 K^T``. Where that is little, or steps are many, the longer way is taken
(:mod:`shared_squares`), which looks closely.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from qrja.data import Contests, Floats, Judgments, centre, sum_by
from qrja.laplacian import LaplacianSolver, TreeEdges, conjugate_gradients, is_uneven
from qrja.solution import Minimised, Solution, prove
from qrja.terms import Estimates, TermColumns

LEAST = 20_000
"""Entries of problems that take this way; of fewer a pass more costs nothing."""
CLEAR = 1e-4
"""Share of the squares of a column that ratings leave at least, for steps to stay few and digits
many. A tree says far less than there is: 0.005 of a million matches of 1e5 contestants, where
ratings leave nine tenths."""
STEPS, ROUNDS = 100, 3
"""Steps of conjugate gradients, and restarts from residuals computed afresh."""
FINE, FAINT = 1e-14, 1e-15
"""The accuracy aimed for, as a share of the right-hand side, and that of rounding."""


def solve_jointly(
    problem: Contests | Judgments,
    solver: LaplacianSolver,
    columns: TermColumns,
    *,
    tol: float,
    progress: Callable[[float], None] | None = None,
) -> Solution | None:
    """Do as :func:`~qrja.solvers.shared.shared_squares.solve_squares`, or return None.

    Examples
    --------
    >>> from qrja.terms import as_terms, columns_for
    >>> known = {"home": [1, 0, 1, 0, 1, 0]}
    >>> games = Contests.from_arrays(
    ...     [1, 1, 2, 2, 3, 3], "abbcca", [3, 0, 3, 0, 3, 6], covariates=known
    ... )
    >>> columns = columns_for(games, as_terms(["home"]))
    >>> found = solve_jointly(games, LaplacianSolver(games), columns, tol=1e-9)
    >>> found.terms.beta.round(9), found.x.round(9)
    (array([1.]), array([ 2.,  0., -2.]))
    """
    begin = time.perf_counter()
    if is_uneven(problem.pair_weight[problem.sizes > 1]):
        return None
    joint = _Joint.of(problem, solver, columns)
    cycles = _Cycles.of(joint)
    if not cycles.are_clear():
        return None
    q, n = solver.q, problem.n
    _, pulls = q.evaluate(None)
    scale = missing = np.append(pulls, joint.carried(q.score, np.zeros(n)))
    v, steps, last = np.zeros(n + len(columns)), 0, math.inf
    for _ in range(ROUNDS):
        step, taken, converged = joint.approach(missing, scale)
        v, steps = joint.centred(v + step), steps + taken
        x, estimates = v[:n], Estimates(columns, v[n:])
        there = q.with_score(estimates.at_zero(problem))
        value, imbalance = there.evaluate(x)
        carried = joint.carried(there.score, x) - 0.5 * estimates.wanted
        excess, e = cycles.close(imbalance, carried)
        proved = prove(value + estimates.cost, excess, 0.0, tol)
        if progress is not None:
            progress(proved.gap)
        if proved.status == "optimal" and converged and joint.are_even(imbalance, scale):
            break
        if not converged or excess > last / 4:
            return None
        missing, last = np.append(imbalance, carried), excess
    else:
        return None

    def flow() -> Floats:
        shifted = q.with_score(problem.with_score(columns.shift(e)))
        (_, sent), (_, back) = there.route(imbalance), shifted.route(joint.across @ e)
        return there.flow(x, sent) - shifted.flow(np.zeros(n), back)

    return Solution(
        x=x,
        names=problem.names,
        components=q.label,
        certificate="flow",
        optimum="unique",
        loss="|t|^2",
        iterations=steps,
        seconds=time.perf_counter() - begin,
        minimised=Minimised(2.0),
        terms=estimates,
        _flow=flow,
        **proved._asdict(),
    )


@dataclass(frozen=True, eq=False)
class _Joint:
    """The system: what terms add to the Laplacian of a problem."""

    problem: Contests | Judgments
    solver: LaplacianSolver
    columns: TermColumns
    weighed: Floats
    """W Z, of columns relative to the mean of each contest."""
    across: Floats
    """C."""
    squares: Floats
    """Z^T W Z, without the ridge."""

    @classmethod
    def of(
        cls, problem: Contests | Judgments, solver: LaplacianSolver, columns: TermColumns
    ) -> _Joint:
        """Pass over the data once."""
        z = columns.centred(problem)
        weighed = np.repeat(problem.pair_weight * problem.sizes, problem.sizes)[:, None] * z
        across = [sum_by(problem.who, column, problem.n) for column in weighed.T]
        return cls(problem, solver, columns, weighed, np.stack(across, axis=1), weighed.T @ z)

    @property
    def bent(self) -> Floats:
        """S."""
        return np.asarray(self.squares + np.diag(self.columns.ridge))

    def carried(self, score: Floats, x: Floats) -> Floats:
        """Return what scores, without those x, have of the columns."""
        return np.asarray((score - x[self.problem.who]) @ self.weighed)

    def centred(self, v: Floats) -> Floats:
        """Give each component of the ratings the mean 0."""
        n = self.problem.n
        return np.append(centre(v[:n], self.solver.q.label), v[n:])

    def approach(self, missing: Floats, scale: Floats) -> tuple[Floats, int, bool]:
        """Run one round, to ``FINE`` of what ``scale`` would be as a residual."""
        q, n, bent = self.solver.q, self.problem.n, self.bent
        inverse = np.linalg.inv(bent)

        def product(v: Floats) -> Floats:
            x, beta = v[:n], v[n:]
            return np.append(q.product(x) + self.across @ beta, self.across.T @ x + bent @ beta)

        def precondition(r: Floats) -> Floats:
            return np.append(jacobi(r[:n]), inverse @ r[n:])

        jacobi = self.solver.easily
        return conjugate_gradients(
            product,
            self.centred(missing),
            precondition,
            tol=FAINT,
            floor=FINE * FINE * float(scale @ precondition(scale)),
            limit=STEPS,
        )

    def are_even(self, imbalance: Floats, scale: Floats) -> bool:
        """Tell whether no component is left behind because another is heavier."""
        label = self.solver.q.label
        if int(label.max(initial=-1)) == 0:
            return True
        left, whole = (
            sum_by(label, r * self.solver.easily(r), 0) for r in (imbalance, scale[: len(label)])
        )
        return bool((left <= (10 * FINE) ** 2 * whole).all())


@dataclass(frozen=True, eq=False)
class _Cycles:
    """Flows P that a tree makes of the columns, and what they carry of them.

    Parameters
    ----------
    joint : _Joint
        The system.
    tree : TreeEdges
        The edges, and how the columns differ along them.
    below : array of float
        What the tree carries of C.
    """

    joint: _Joint
    tree: TreeEdges
    below: Floats

    @classmethod
    def of(cls, joint: _Joint) -> _Cycles:
        """Send C along the tree."""
        q = joint.solver.q
        tree = q.along_tree(joint.columns.z)
        below = [q.route(column)[1][tree.child] for column in joint.across.T]
        return cls(joint, tree, np.stack(below, axis=1))

    @cached_property
    def carries(self) -> Floats:
        """K."""
        return np.asarray(self.joint.squares - self.tree.differ.T @ self.below)

    @cached_property
    def price(self) -> Floats:
        """What the tree costs, as a form in e."""
        return np.asarray((self.below / self.tree.weight[:, None]).T @ self.below)

    def are_clear(self) -> bool:
        """Tell whether ratings surely leave much of the columns, and of each beside the others."""
        # The squares of a difference are at most twice those of both.
        most = 2 * (self.joint.squares + self.price)
        size = np.sqrt(np.diag(self.joint.squares))
        if not size.all():
            return False
        left = self.carries @ np.linalg.pinv(most) @ self.carries.T / np.outer(size, size)
        return bool(np.linalg.eigvalsh(0.5 * (left + left.T))[0] > CLEAR)

    def close(self, imbalance: Floats, carried: Floats) -> tuple[float, Floats]:
        """Return what it costs to carry nothing that should not be, and e.

        ``carried`` is what the flow ``W r`` has of the columns beside what it should.
        """
        cost, below = self.joint.solver.q.route(imbalance)
        rest = carried - self.tree.differ.T @ below[self.tree.child]
        e = np.asarray(np.linalg.solve(self.carries, rest))
        parts = (cost, float(e @ self.joint.squares @ e), float(e @ self.price @ e))
        return sum(math.sqrt(max(part, 0.0)) for part in parts) ** 2, e
