"""The design behind suggestions: how certain all differences are, and what one more adds.

Keeps two tables of points, ``K = L^+ ~ U U^T`` and ``H = L^+ L^+ ~ V V^T``. With few candidates
both are exact (``V = L^+``, ``U`` a root of it); with many they are random projections,

    V = L^+ Q,  Q random signs,      U = L^+ B^T Q,  B^T B = L

so that the distance of two points is a resistance, or the gain's numerator. Adding comparisons
changes ``L^+`` by a matrix of small rank, known exactly from a few solutions of ``L v = d``: the
tables follow.

Where terms are shared (home, say) they are not known for certain either: with the ratings E that
explain their columns best and S, what is left to estimate them by, ``L^+ + E S^-1 E^T`` takes the
place of ``L^+``. Comparisons are then thought to be at z = 0, on neutral ground.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np

from qrja.data import Contests, Floats, Index, Judgments, Offsets, centre, sum_by, usual_weight
from qrja.laplacian import LaplacianSolver
from qrja.solvers.shared import explain_columns
from qrja.terms import Estimates

DENSE = 500
"""Contestants up to which the pseudo-inverse is written out."""
SIGNS = 64
"""Random projections otherwise."""
ROUGH = 1e-4
"""Accuracy of the projections: far below their own error."""
WIDE = 2000
"""Contestants up to which all pairs are considered; else the least certain ones."""
CHUNK = 512
"""Rows of the table of pairs that are looked at together."""


class Design:
    """What is known of the inverse Laplacian, and how comparisons would change it.

    Parameters
    ----------
    problem : Contests or Judgments
        What has been compared.
    seed : int
        Of the random projections.
    terms : Estimates, optional
        Shared terms that are estimated beside the ratings.

    Examples
    --------
    >>> chain = Judgments.from_arrays("abc", "bcd", [1, 1, 1])
    >>> design = Design(chain, seed=0)
    >>> round(design.total(), 9)
    2.5
    >>> round(design.gain([0, 3]), 9)
    1.25
    """

    def __init__(
        self, problem: Contests | Judgments, seed: int, terms: Estimates | None = None
    ) -> None:
        self.n, self.exact = problem.n, problem.n <= DENSE
        self.solver = LaplacianSolver(problem)
        self.weight = usual_weight(problem)
        self.considered = 0
        self._rng = np.random.default_rng(seed)
        # What was added: L^+ is that of the problem less ``parts @ parts.T``.
        self.parts = np.zeros((problem.n, 0))
        self._shared = _unknown_terms(problem, terms)
        if self.exact:
            self.V = _pseudo_inverse(self.solver) + self._shared @ self._shared.T
            self.U = _root(self.V)
        else:
            self.U, self.V = _projections(problem, self.solver, self._shared, self._rng)
        self._total = float(np.sum(self.U**2))

    def total(self) -> float:
        """Return the trace of ``L^+``: the total variance of all differences, over n."""
        return self._total

    def variance(self) -> Floats:
        """Return the variance of each rating, with its component's mean held at 0."""
        return np.asarray(np.einsum("ij,ij->i", self.U, self.U))

    def best_pairs(self, label: Index, most: int) -> list[tuple[int, int]]:
        """Return the pairs of one component with the largest gains, by the tables."""
        rows = self._looked_at()
        u, v, group = self.U[rows], self.V[rows], label[rows]
        square_u, square_v = (np.einsum("ij,ij->i", t, t) for t in (u, v))
        self.considered = 0
        best: list[tuple[float, int, int]] = []
        for begin in range(0, len(rows), CHUNK):
            part, rest = slice(begin, begin + CHUNK), slice(begin, None)
            far = square_v[part, None] + square_v[rest] - 2 * v[part] @ v[rest].T
            near = square_u[part, None] + square_u[rest] - 2 * u[part] @ u[rest].T
            gain = self.weight * far / (1 + self.weight * np.maximum(near, 0.0))
            allowed = np.triu(group[part, None] == group[rest], k=1)
            self.considered += int(allowed.sum())
            gain = self.in_steps(np.where(allowed, gain, 0.0).ravel())
            for flat in _largest(gain, most).tolist():
                i, j = divmod(flat, allowed.shape[1])
                best.append((-gain[flat], int(rows[begin + i]), int(rows[begin + j])))
            best = sorted(best)[:most]
        return [(i, j) for cost, i, j in best if cost < 0]

    def in_steps(self, gain: Floats) -> Floats:
        """Count gains in billionths of what there is to gain: rounding neither makes nor ranks any.

        Where everybody met everybody, all pairs gain alike, and the first ones are to be named
        whatever the machine's last digit says.
        """
        return np.rint(gain / self._total * 1e9)

    def _looked_at(self) -> Index:
        if self.n <= WIDE:
            return np.arange(self.n, dtype=np.int32)
        return np.argsort(-self.variance(), kind="stable")[:WIDE].astype(np.int32)

    def gain(self, who: list[int]) -> float:
        """Return by how much a meeting of some candidates would lower the trace, exactly."""
        inner, moved = self._blocks(who)
        return float(np.trace(np.linalg.solve(inner, moved.T @ moved)))

    def own_gain(self, a: int, b: int) -> float:
        """Return the share of the variance of one difference that its comparison would remove."""
        inner, _ = self._blocks([a, b])
        return float(1 - 1 / (inner[0, 0] * self.weight * 2))

    def image(self, a: int, b: int) -> Floats:
        """Return ``L^+ (e_a - e_b)``: how the potentials of all answer a current from a to b."""
        return np.asarray(self._blocks([a, b])[1][:, 0] * np.sqrt(2))

    def resistances(self, who: Offsets) -> Floats:
        """Return the resistance of each two of some candidates, by the tables."""
        u = self.U[who]
        square = np.einsum("ij,ij->i", u, u)
        return np.asarray(np.maximum(square[:, None] + square - 2 * u @ u.T, 0.0))

    def _blocks(self, who: list[int]) -> tuple[Floats, Floats]:
        """Return ``I / (w s) + D^T K D`` and ``M = L^+ D``."""
        basis = _differences(len(who))
        moved = self._inverse_times(who, basis)
        strength = self.weight * len(who)
        inner = np.eye(len(who) - 1) / strength + basis.T @ moved[who]
        return inner, moved

    def _inverse_times(self, who: list[int], basis: Floats) -> Floats:
        """Return ``L^+`` times the columns of a basis of the differences of some candidates."""
        right = np.zeros((self.n, basis.shape[1]))
        right[who] = basis
        if self.exact:
            return np.asarray(self.V @ right)
        solved = np.stack([self.solver.solve(column) for column in right.T], axis=1)
        unknown = self._shared @ (self._shared.T @ right)
        return np.asarray(solved + unknown - self.parts @ (self.parts.T @ right))

    def best_addition(self, who: list[int], label: Index) -> int | None:
        """Return the candidate who adds most to a start list, by the tables."""
        rows = np.flatnonzero(label == label[who[0]])
        rows = rows[~np.isin(rows, who)]
        if not len(rows):
            return None
        # Of the tables only the rows of the list and of one more are needed at a time.
        spread = np.argsort(-self.variance()[rows], kind="stable")[:CHUNK]
        rows = rows[spread]
        lists = np.concatenate([np.tile(who, (len(rows), 1)), rows[:, None]], axis=1)
        basis = _differences(lists.shape[1])
        u, v = (np.einsum("sd,lsk->ldk", basis, t[lists]) for t in (self.U, self.V))
        strength = self.weight * lists.shape[1]
        inner = np.eye(basis.shape[1]) / strength + np.einsum("ldk,lek->lde", u, u)
        outer = np.einsum("ldk,lek->lde", v, v)
        gains = np.trace(np.linalg.solve(inner, outer), axis1=1, axis2=2)
        return int(rows[self.in_steps(gains).argmax()])

    def add(self, who: list[int]) -> None:
        """Count on a meeting of some candidates from here on."""
        basis, strength = _differences(len(who)), self.weight * len(who)
        inner, moved = self._blocks(who)
        self._total -= float(np.trace(np.linalg.solve(inner, moved.T @ moved)))
        if self.exact:
            self.V = self.V - moved @ np.linalg.solve(inner, moved.T)
            self.U = _root(self.V)
            return
        # L'^+ = (I - M inner^-1 D^T) L^+ for M = L^+ D, so the tables follow; U has new rows of B.
        self.V = self.V - moved @ np.linalg.solve(inner, basis.T @ self.V[who])
        signs = self._rng.choice([-1.0, 1.0], (basis.shape[1], SIGNS)) / np.sqrt(SIGNS * strength)
        change = basis.T @ self.U[who]
        change[:, :SIGNS] -= signs
        self.U = self.U - moved @ np.linalg.solve(inner, change)
        root = np.linalg.cholesky(np.linalg.inv(inner))
        self.parts = np.concatenate([self.parts, moved @ root], axis=1)


def meet(problem: Contests | Judgments, meetings: list[list[int]]) -> Contests | Judgments:
    """Add meetings of some candidates, of the usual weight; their outcome does not matter here.

    Examples
    --------
    >>> groups = Judgments.from_arrays("ax", "by", [1, 1])
    >>> meet(groups, [[0, 2]]).components
    array([0, 0, 0, 0], dtype=int32)
    """
    if not meetings:
        return problem
    weight = usual_weight(problem)
    if isinstance(problem, Judgments):
        a, b = np.array([pair for who in meetings for pair in combinations(who, 2)]).T
        y, w = np.zeros(len(a)), np.full(len(a), weight)
        return Judgments(
            np.append(problem.a, a).astype(np.int32),
            np.append(problem.b, b).astype(np.int32),
            np.append(problem.y, y),
            np.append(problem.w, w),
            problem.names,
        )
    who = np.concatenate(meetings).astype(np.int32)
    number = np.repeat(np.arange(len(meetings)), list(map(len, meetings)))
    return Contests.from_numbers(
        np.append(problem.contest_of_entry, number + len(problem)).astype(np.int32),
        np.append(problem.who, who),
        np.append(problem.score, np.zeros(len(who))),
        names=problem.names,
        labels=(*problem.labels, *(("meeting", k) for k in range(len(meetings)))),
        weight=np.append(problem.weight, np.full(len(meetings), weight)),
        date=None,
        pairs=problem.pairs,
    )


def _pseudo_inverse(solver: LaplacianSolver) -> Floats:
    """Return ``L^+``, each component with mean 0."""
    laplacian = np.stack([solver.q.product(column) for column in np.eye(solver.q.n)])
    return np.asarray(np.linalg.pinv((laplacian + laplacian.T) / 2, hermitian=True))


def _unknown_terms(problem: Contests | Judgments, terms: Estimates | None) -> Floats:
    """Return ``E S^-1/2``, whose square is what terms that are not known add to ``L^+``.

    Meetings that were added behind the results that columns are of have z = 0.
    """
    if terms is None:
        return np.zeros((problem.n, 0))
    columns = terms.columns
    added = np.zeros((problem.entries - len(columns.z), len(columns)))
    explained = explain_columns(problem, replace(columns, z=np.concatenate([columns.z, added])))
    return np.linalg.solve(np.linalg.cholesky(explained.schur), explained.ratings.T).T


def _projections(
    problem: Contests | Judgments,
    solver: LaplacianSolver,
    shared: Floats,
    rng: np.random.Generator,
) -> tuple[Floats, Floats]:
    """Return the tables U and V by random signs; what ``shared`` terms add to U stands behind."""
    u, v = np.empty((problem.n, SIGNS)), np.empty((problem.n, SIGNS))
    for k in range(SIGNS):
        u[:, k] = solver.solve(_signed_edges(problem, rng), ROUGH)
        signs = centre(rng.choice([-1.0, 1.0], problem.n), problem.components)
        v[:, k] = solver.solve(signs, ROUGH) + shared @ (shared.T @ signs)
    return np.concatenate([u / np.sqrt(SIGNS), shared], axis=1), v / np.sqrt(SIGNS)


def _signed_edges(problem: Contests | Judgments, rng: np.random.Generator) -> Floats:
    """Return ``B^T q`` for random signs q, where ``B^T B = L``; a contest needs no pairs."""
    if isinstance(problem, Contests):
        signs = rng.choice([-1.0, 1.0], problem.entries)
        ray = np.sqrt(problem.pair_weight * problem.sizes)[problem.contest_of_entry]
        signs = ray * centre(signs, problem.contest_of_entry)
        return sum_by(problem.who, signs, problem.n)
    signs = np.sqrt(problem.w) * rng.choice([-1.0, 1.0], problem.m)
    return sum_by(problem.a, signs, problem.n) - sum_by(problem.b, signs, problem.n)


def _largest(values: Floats, most: int) -> Offsets:
    """Return where the largest values are, the first ones of those that are equal.

    Examples
    --------
    >>> _largest(np.array([1.0, 2.0, 1.0, 3.0, 1.0]), 3)
    array([1, 3, 0])
    """
    if len(values) <= most:
        return np.arange(len(values))
    least = np.partition(values, -most)[-most]
    above, level = np.flatnonzero(values > least), np.flatnonzero(values == least)
    return np.concatenate([above, level[: most - len(above)]])


def _root(inverse: Floats) -> Floats:
    value, vector = np.linalg.eigh(inverse)
    return np.asarray(vector * np.sqrt(np.maximum(value, 0.0)))


def _differences(size: int) -> Floats:
    """Return an orthonormal basis of the vectors of a size that add up to 0.

    Examples
    --------
    >>> basis = _differences(3)
    >>> bool(np.allclose(basis.T @ basis, np.eye(2)) and np.allclose(basis.sum(axis=0), 0))
    True
    """
    basis = np.zeros((size, size - 1))
    for k in range(1, size):
        basis[:k, k - 1] = 1 / np.sqrt(k * (k + 1))
        basis[k, k - 1] = -k / np.sqrt(k * (k + 1))
    return basis
