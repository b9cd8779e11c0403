"""Laplacians with a border: unknowns besides the candidates, each in some of the entries.

    minimise over v = (x, c):   sum over contests of  ray sum_e (s_e - x_e - B_e c - mean)^2
                                + sum of pull v^2

with B sparse, a row for each entry: members of teams, or columns of covariates. For contests no
pair is written out. Up to ``DENSE`` unknowns the matrix is; beyond, conjugate gradients multiply by

    M^T R M - S^T diag(w) S + pull,        M = (N, B),  S the sums of M over contests,

with the diagonal as preconditioner, or a sparse factorisation with a node for each contest where
that is too slow. Candidates that are not free stay at 0; a component that nothing holds is centred.
"""

from __future__ import annotations

from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from qrja.data import Contests, Floats, Judgments, Mask, Offsets, centre
from qrja.laplacian.cg import ByColumn, Operator, conjugate_gradients

if TYPE_CHECKING:
    from scipy.sparse import csr_array

DENSE = 2500
"""Unknowns whose matrix is written out: 50 MB, a third of a second."""
EASY, HARD = 300, 3000
"""Steps after which the diagonal has shown to be too weak, and those allowed after that."""
FINE = 1e-14
COLUMNS = 64
"""Columns that are solved at once."""


class BorderedLaplacian:
    """The system of a problem with a border.

    Parameters
    ----------
    problem : Contests or Judgments
        Whose graph.
    border : sparse array
        B, a row for each entry.
    pull : array of float
        What pulls each unknown to 0: first those of candidates, then those of the border.
    free : array of bool
        Which candidates are not anchored.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> races = Contests.from_arrays([1, 1, 2, 2], "abab", [3, 1, 2, 2])
    >>> border = csr_array(np.array([[1.0], [0.0], [0.0], [1.0]]))
    >>> system = BorderedLaplacian(races, border, np.array([0, 0, 1.0]), np.ones(2, dtype=bool))
    >>> system.fit(races.score).round(6)
    array([ 0.5       , -0.5       ,  0.666667])
    """

    def __init__(
        self, problem: Contests | Judgments, border: csr_array, pull: Floats, free: Mask
    ) -> None:
        from scipy.sparse import csr_array, diags_array, hstack  # take a while to load

        self.problem, self.n, self.pull = problem, problem.n, pull
        entries, count = problem.entries, len(problem)
        own = csr_array(
            (np.ones(entries), problem.who, np.arange(entries + 1)), shape=(entries, self.n)
        )
        self.design = csr_array(hstack([own, border], format="csr"))
        self.size = self.n + border.shape[1]
        self.rays = (problem.pair_weight * problem.sizes)[problem.contest_of_entry]
        gather = csr_array(
            (np.ones(entries), np.arange(entries), problem.start), shape=(count, entries)
        )
        self._sums = csr_array(gather @ self.design)
        self._weighed = csr_array(diags_array(problem.pair_weight) @ self._sums)
        self._back = csr_array(self._weighed.T)
        self._square = csr_array(self.design.T @ (diags_array(self.rays) @ self.design))
        self._free = np.append(free, np.ones(border.shape[1], dtype=bool))
        self.floats: Mask = self._floating(pull)
        self._strong: Operator | None = None

    def pulled(self, pull: Floats) -> BorderedLaplacian:
        """Return the same with another pull."""
        other = copy(self)
        for found in ("diagonal", "matrix", "_factors", "inside"):
            other.__dict__.pop(found, None)
        other.pull, other._strong = pull, None
        other.floats = self._floating(pull)
        return other

    def _floating(self, pull: Floats) -> Mask:
        """Tell whose component nothing holds."""
        label, held = self.problem.components, (pull > 0) | ~self._free
        return ~np.isin(label, label[held[: self.n]])

    # ------------------------------------------------------------------ the problem

    def residual(self, score: Floats, v: Floats) -> Floats:
        """Return what v leaves of scores, relative to the mean of each contest."""
        return centre(score - np.asarray(self.design @ v), self.problem.contest_of_entry)

    def right_side(self, residual: Floats) -> Floats:
        """Return ``M^T R`` of residuals that are centred, a vector or columns."""
        rays = self.rays if residual.ndim == 1 else self.rays[:, None]
        return np.asarray(self.design.T @ (rays * residual))

    def gradient(self, residual: Floats, v: Floats) -> Floats:
        """Return half of how the loss falls with each unknown, 0 at an optimum."""
        return np.where(self._free, self.right_side(residual) - self.pull * v, 0.0)

    def fit(self, score: Floats, rounds: int = 4) -> Floats:
        """Return the v of least squares, corrected by what its residuals leave."""
        v, last = np.zeros(self.size), np.inf
        for _ in range(rounds):
            missing = self.gradient(self.residual(score, v), v)
            size = float(np.abs(missing).max(initial=0.0))
            if not size < 0.5 * last:
                break
            v, last = self._centred(v + self.solve(missing[:, None])[:, 0]), size
        return v

    def _centred(self, v: Floats) -> Floats:
        """Give components that float the mean 0."""
        x = v[: self.n]
        floats = self.floats.reshape(-1, *[1] * (v.ndim - 1))
        return np.concatenate(
            [np.where(floats, centre(x, self.problem.components), x), v[self.n :]]
        )

    # ------------------------------------------------------------------ the system

    def product(self, v: Floats) -> Floats:
        """Multiply by the matrix."""
        pull = self.pull if v.ndim == 1 else self.pull[:, None]
        free = self._free if v.ndim == 1 else self._free[:, None]
        found = self._square @ v - self._back @ (self._sums @ v) + pull * v
        return np.where(free, found, 0.0)

    @cached_property
    def diagonal(self) -> Floats:
        """The diagonal of the matrix."""
        sums = self._weighed.multiply(self._sums).sum(axis=0)
        return np.asarray(self._square.diagonal() - np.asarray(sums).ravel() + self.pull)

    def solve(self, right: Floats, tol: float = FINE) -> Floats:
        """Solve for columns; what a component that floats gets sums to 0."""
        if self.size <= DENSE:
            return self._centred(self._solve_dense(right))
        found = [
            self._solve_by_steps(right[:, at : at + COLUMNS], tol)
            for at in range(0, right.shape[1], COLUMNS)
        ]
        return self._centred(np.concatenate(found, axis=1))

    def _solve_dense(self, right: Floats) -> Floats:
        from scipy.linalg import cho_solve

        found = np.zeros(right.shape)
        if len(self.inside):
            found[self.inside] = cho_solve(self._factors, right[self.inside])
        return found

    def _solve_by_steps(self, right: Floats, tol: float) -> Floats:
        right = np.where(self._free[:, None], right, 0.0)
        x = np.where(self.floats[:, None], centre(right[: self.n], self._label), right[: self.n])
        right = np.concatenate([x, right[self.n :]])
        scale = np.maximum(self.diagonal, np.finfo(np.float64).tiny)[:, None]
        strong = self._strong or (lambda r: r / scale)
        found, _, done = conjugate_gradients(
            self.product, right, strong, tol=tol, limit=EASY, systems=ByColumn()
        )
        if done or self._strong is not None:
            return found
        self._strong = self._factorise()
        more, _, _ = conjugate_gradients(
            self.product,
            right - self.product(found),
            self._strong,
            tol=tol,
            limit=HARD,
            systems=ByColumn(),
        )
        return np.asarray(found + more)

    @property
    def _label(self) -> Offsets:
        return np.asarray(self.problem.components)

    @cached_property
    def inside(self) -> Offsets:
        """The unknowns that are solved for: all that are free but one of each component."""
        keep = self._free.copy()
        _, first = np.unique(self._label, return_index=True)
        keep[first[self.floats[first]]] = False
        return np.flatnonzero(keep)

    def columns_of(self, unknowns: Offsets) -> Floats:
        """Return some columns of the matrix without its pull, candidates that are held included."""
        some = self._square[:, unknowns] - self._back @ self._sums[:, unknowns]
        return np.asarray(some.toarray())

    @cached_property
    def matrix(self) -> Floats:
        """The matrix, written out."""
        return self.columns_of(np.arange(self.size)) + np.diag(self.pull)

    @cached_property
    def _factors(self) -> tuple[Floats, bool]:
        from scipy.linalg import cho_factor

        inside = self.matrix[np.ix_(self.inside, self.inside)]
        # What rounding leaves of a direction that nothing sees is none.
        inside[np.diag_indices_from(inside)] += 1e-15 * inside.diagonal()
        factors, lower = cho_factor(inside, lower=True)
        return factors, lower

    def inverse(self) -> Floats:
        """Return the inverse, 0 for unknowns that are held, levels of components centred."""
        whole = self.solve(np.eye(self.size))
        return self._centred(whole.T).T

    def _factorise(self) -> Operator:
        """Factorise with a node for each contest."""
        from scipy.sparse import csr_array, diags_array, hstack, vstack
        from scipy.sparse.linalg import splu

        ray = self.problem.pair_weight * self.problem.sizes
        some = np.flatnonzero(ray > 0)
        across = csr_array(diags_array(ray[some]) @ self._sums[some])
        above = hstack([self._square + diags_array(self.pull), across.T])
        below = hstack([across, diags_array((ray * self.problem.sizes)[some])])
        inside = np.append(self.inside, self.size + np.arange(len(some)))
        whole = csr_array(vstack([above, below], format="csr"))[inside][:, inside].tocsc()
        factored = splu(
            whole,
            permc_spec="MMD_AT_PLUS_A",
            diag_pivot_thresh=0.0,
            options={"SymmetricMode": True, "Equil": False},
        )

        def strong(right: Floats) -> Floats:
            full = np.zeros((whole.shape[0], right.shape[1]))
            full[: len(self.inside)] = right[self.inside]
            found = np.zeros_like(right)
            found[self.inside] = factored.solve(full)[: len(self.inside)]
            return found

        return strong
