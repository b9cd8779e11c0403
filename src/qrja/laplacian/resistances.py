"""Resistances: ``R_ij = (e_i - e_j)^T A^+ (e_i - e_j)`` for as many pairs as anybody asks for.

A is a Laplacian, perhaps with something positive on its diagonal; against the ground, which is
what such a diagonal leads to, ``R_i = e_i^T A^-1 e_i``. Nodes of low degree are taken out exactly
(:mod:`qrja.laplacian.elimination`). What is left is either

- small: its inverse is written out, and a form costs the square of its entries; or
- large, and then nearly every node is few steps from every other: conjugate gradients on the
  normalised matrix ``I - N`` add up to the form itself, and its error is the square of theirs.
  Six to ten steps do, in single precision; where the curvature of some direction is small, in
  double, and more of them.

So nothing dense is larger than ``DENSE`` nodes, and resistances are right to ``ACCURACY``.

References
----------
M. R. Hestenes and E. Stiefel, Methods of conjugate gradients for solving linear systems, 1952.
Z. Strakos and P. Tichy, On error estimation in the conjugate gradient method and why it works in
finite precision computations, 2002.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from qrja.data import Contests, Floats, Index, Judgments, Mask, Offsets
from qrja.laplacian.cg import ByColumn, conjugate_gradients
from qrja.laplacian.elimination import Elimination
from qrja.laplacian.operator import quadratic
from qrja.laplacian.preconditioners import jacobi

if TYPE_CHECKING:
    from scipy.sparse import csr_array

DENSE = 3000
"""Nodes of a core whose inverse is written out: 72 MB, a second."""
ACCURACY = 1e-6
"""Relative, of a resistance by conjugate gradients: about 3e-7 where single precision does."""
FINE = 1e-10
"""Relative accuracy of columns that are solved for, where nothing else is asked."""
SINGLE, DOUBLE = (2e-7, 100), (1e-9, 20_000)
"""What may be left of a form, and the steps allowed, in either precision."""
GENTLE = 0.1
"""The least curvature of ``I - N`` that single precision is good for: its rounding, 6e-8 a step,
grows by one over that."""
COLUMNS, SPARSE_COLUMNS = 64, 8192
"""Right-hand sides at once: of the large core as many as keep the processor's lanes busy."""


class Resistances:
    """Resistances of one matrix; see :func:`resistances_of` for those of a problem.

    Parameters
    ----------
    matrix : sparse array
        A; its entries beside the diagonal are 0 or less.
    held : array of bool
        One node of each component where A is singular, the ground of it; else nobody.

    Examples
    --------
    >>> from qrja.laplacian.operator import laplacian_matrix
    >>> chain = laplacian_matrix(3, np.array([0, 1]), np.array([1, 2]), np.array([1.0, 0.5]))
    >>> R = Resistances(chain, np.array([True, False, False]))
    >>> R.between(np.array([0, 1]), np.array([2, 2])), R.solve(np.array([[0.0], [0.0], [1.0]])).T
    (array([3., 2.]), array([[0., 1., 3.]]))
    """

    def __init__(self, matrix: csr_array, held: Mask) -> None:
        self.n = matrix.shape[0]
        self._out = Elimination(matrix, held, dense=DENSE)
        self.is_direct, self._is_steep = self._out.is_small, False

    def between(self, i: Index | Offsets, j: Index | Offsets) -> Floats:
        """Return the resistance of each pair; j is -1 for the ground of a regular matrix."""
        found = [
            self._forms(i[at : at + SPARSE_COLUMNS], j[at : at + SPARSE_COLUMNS])
            for at in range(0, len(i), SPARSE_COLUMNS)
        ]
        return np.concatenate(found) if found else np.zeros(0)

    def solve(self, columns: Floats, tol: float = FINE) -> Floats:
        """Solve ``A v = columns``: held nodes are at 0, or where the core is large anywhere.

        Columns add up to 0 in each component of a large core that has a held node.
        """
        if self.is_direct:
            return self._out.solve(columns, lambda left: self._inverse @ left)
        return self._out.solve(columns, lambda left: self._approach(left, tol))

    def _approach(self, columns: Floats, tol: float) -> Floats:
        core = self._out.core
        product = core.__matmul__
        precondition = jacobi(core.diagonal()[:, None])
        return conjugate_gradients(
            product, columns, precondition, tol=tol, limit=DOUBLE[1], systems=ByColumn()
        )[0]

    def _forms(self, i: Index | Offsets, j: Index | Offsets) -> Floats:
        """Sum the forms of the rounds and of the core."""
        here, both = np.arange(len(i)), j >= 0
        place: Any = np.append(i, j[both]), np.append(here, here[both])
        value = np.append(np.ones(len(i)), -np.ones(int(both.sum())))
        from scipy.sparse import coo_array

        columns = coo_array((value, place), shape=(self.n, len(i))).tocsr()
        total = np.zeros(len(i))
        for met, pivot in self._out.forward(columns):
            if pivot is None:
                self._add_core(met, total)
            else:
                total += np.asarray((1.0 / pivot) @ met.power(2)).ravel()
        return total

    def _add_core(self, columns: csr_array, total: Floats) -> None:
        from qrja.laplacian.kernels.forms import add_forms

        by_column: Any = columns.tocsc()
        if self.is_direct:
            add_forms(self._inverse, by_column.indptr, by_column.indices, by_column.data, total)
            return
        for at in range(0, len(total), COLUMNS):
            total[at : at + COLUMNS] += self._descend(by_column[:, at : at + COLUMNS].toarray())

    @cached_property
    def _inverse(self) -> Floats:
        """The inverse of the core, 0 in rows and columns of held nodes."""
        from scipy.linalg.lapack import dpotrf, dpotri

        free = np.flatnonzero(~self._out.kept)
        inverse = np.zeros(self._out.core.shape)
        if not len(free):
            return inverse
        core = np.asfortranarray(self._out.core[free][:, free].toarray())
        factor, failed = dpotrf(core, lower=1, clean=0, overwrite_a=1)
        if failed:
            inside = np.linalg.pinv(self._out.core[free][:, free].toarray(), hermitian=True)
        else:
            lower = dpotri(factor, lower=1, overwrite_c=1)[0]
            inside = np.tril(lower) + np.tril(lower, -1).T
        inverse[np.ix_(free, free)] = inside
        return inverse

    @cached_property
    def _normalised(self) -> tuple[Floats, csr_array]:
        """One over the roots of the diagonal of the core, and N."""
        core = self._out.core.tocoo()
        scale = 1.0 / np.sqrt(self._out.core.diagonal())
        off = core.row != core.col
        row, col = core.row[off], core.col[off]
        shares = -core.data[off] * scale[row] * scale[col]
        from scipy.sparse import coo_array

        return scale, coo_array((shares, (row, col)), shape=core.shape).tocsr()

    def _descend(self, columns: Floats) -> Floats:
        """Return the forms of columns that sum to 0 wherever the core is singular."""
        from qrja.laplacian.kernels.forms import estimate_forms

        scale, shares = self._normalised
        right = scale[:, None] * columns
        for kind, goal, gentlest in ((np.float32, SINGLE, GENTLE), (np.float64, DOUBLE, 0.0)):
            if kind is np.float32 and self._is_steep:
                continue
            form, arrived = estimate_forms(
                shares.indptr,
                shares.indices,
                shares.data.astype(kind),
                np.ascontiguousarray(right, dtype=kind),
                *goal,
                gentlest,
            )
            if arrived.all():
                break
            self._is_steep = True
        return form


class CandidateResistances:
    """Resistances between the candidates of a problem; made by :func:`resistances_of`.

    Parameters
    ----------
    inside : Resistances
        Of the nodes: candidates that vary, and contests.
    node : array of int
        The node of each candidate, -1 for those that do not vary and are the ground.
    ground : array of int
        The candidate that is the ground of each candidate's component, -1 where something else is.
    """

    def __init__(self, inside: Resistances, node: Offsets, ground: Offsets) -> None:
        self._inside, self._node, self.ground = inside, node, ground
        self.is_direct = inside.is_direct

    def between(self, i: Index | Offsets, j: Index | Offsets) -> Floats:
        """Return the resistance of each pair of candidates."""
        first, second = self._node[i], self._node[j]
        one, other = np.maximum(first, second), np.minimum(first, second)
        found, some = np.zeros(len(one)), one != other
        found[some] = self._inside.between(one[some], other[some])
        return found

    def to_ground(self) -> Floats:
        """Return the resistance of each candidate to its ground."""
        node, ground = self._node, self.ground
        found, some = np.zeros(len(node)), (node >= 0) & (ground != np.arange(len(node)))
        beside = np.where(ground >= 0, node[ground], -1)
        found[some] = self._inside.between(node[some], beside[some])
        return found

    def solve(self, columns: Floats, tol: float = FINE) -> Floats:
        """Solve for columns, grounds at 0; ``tol`` is for large cores, small ones are exact."""
        there, grounds = self._node >= 0, self.ground[self.ground >= 0]
        right = np.zeros((self._inside.n, columns.shape[1]))
        right[self._node[there]] = columns[there]
        # What a component has too much of goes to its ground.
        np.subtract.at(right, self._node[grounds], columns[self.ground >= 0])
        solved = np.zeros_like(columns)
        solved[there] = self._inside.solve(right, tol)[self._node[there]]
        solved[self.ground >= 0] -= solved[grounds]
        return solved


def resistances_of(
    problem: Contests | Judgments, free: Mask, ridge: float, is_floating: Mask
) -> CandidateResistances:
    """Prepare the resistances of a problem.

    Parameters
    ----------
    problem : Contests or Judgments
        Pairs that conduct what they weigh.
    free : array of bool
        Candidates that vary; the others are one ground.
    ridge : float
        What joins every candidate to the ground.
    is_floating : array of bool
        Candidates of components in which all are free: without a ridge the heaviest is the ground.

    Examples
    --------
    >>> race = Contests.from_arrays([1, 1, 1], "abc", [3, 2, 1])
    >>> everybody = np.ones(3, dtype=bool)
    >>> found = resistances_of(race, everybody, 0.0, everybody)
    >>> found.between(np.array([0, 0]), np.array([1, 2])).round(12)
    array([0.66666667, 0.66666667])
    """
    q = quadratic(problem)
    whole = q.sparse_laplacian()
    hubs = whole.shape[0] - q.n
    extra = np.append(np.full(q.n, ridge), np.zeros(hubs))
    from scipy.sparse import csr_array, diags_array

    matrix = csr_array(whole + diags_array(extra))
    nodes = np.flatnonzero(np.append(free, whole.diagonal()[q.n :] > 0))
    ground = np.full(q.n, -1)
    if ridge == 0:
        ground = np.where(is_floating, _heaviest(q.label, q.degree), -1)
    held = np.zeros(whole.shape[0], dtype=bool)
    held[ground[ground >= 0]] = True
    number = np.full(whole.shape[0], -1)
    number[nodes] = np.arange(len(nodes))
    inside = Resistances(matrix[nodes][:, nodes], held[nodes])
    return CandidateResistances(inside, number[: q.n], ground)


def _heaviest(label: Index, degree: Floats) -> Offsets:
    """Return, for each candidate, the first of the heaviest ones of its component."""
    order = np.lexsort((-degree, label))
    first = np.searchsorted(label[order], np.arange(int(label.max(initial=-1)) + 1))
    return np.asarray(order[first][label])
