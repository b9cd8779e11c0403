"""The covariance of least squares, when the errors of results are what their weights say.

    covariance = H^+ M H^+,     H = L(w) + ridge,     M = L(w^2 k / precision) + ridge

with L(w) the Laplacian of pairs that weigh w, k the entrants of a contest, and one over the
precision the variance of an entry. A judgment of variance 1/w makes ``M = H``, so that the
covariance is the pseudo-inverse of the Laplacian. For contests, entries are taken as independent
and equally noisy, whatever their pairs weigh. Who is anchored does not vary; a component that
nothing anchors is centred; a ridge is taken as a prior of variance 1/ridge.

Up to ``DENSE`` candidates the matrix is written out, unless only a pair is asked for before
anybody needs the whole of it. Beyond, where M is a multiple of H, as for
judgments and for contests of one size, variances are resistances (:mod:`qrja.laplacian`): with
``G_ij`` against the ground of a component and g the mean of its columns,

    variance of x_i = G_ii - 2 g_i + mean g,     variance of x_i - x_j = R_ij

right to 1e-6 of the standard error or better. Else columns are solved in blocks, as they are asked
for.

Shared terms add what they may be off by: with the ratings U that explain their columns, the rest
``R = Z - A U`` and ``S = R^T W R`` (:mod:`qrja.solvers.shared`), ratings deviate by
``-U S^-1 R^T W`` of the errors besides. A ridge on terms is a prior, too, and added to S.
Resistances and ``H^+`` take terms as known.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from qrja.data import Contests, Floats, Index, Judgments, Offsets, centre, sum_by
from qrja.laplacian import CandidateResistances, LaplacianSolver, resistances_of
from qrja.ratings.precision.misfit import entry_precision, floating
from qrja.row_matrices import Matrix, at_places, by_rows, written_out
from qrja.solution import Demands
from qrja.terms import TermColumns

DENSE = 3000
"""Candidates whose covariance is written out: 72 MB, a second."""
PAIR, LARGE = 1, 500
"""Columns that are solved for one by one, in a hundredth of a second each, rather than write out
the covariance of so many candidates."""
COLUMNS = 32
"""Columns that are solved at once beyond that."""
FINE, DRAWN = 1e-10, 1e-4
"""Relative accuracy of a column, and of one drawn at random, where it cannot be had exactly."""
ALIKE = 1e-12
"""Relative difference that is rounding."""
QUICK, FEW = 10**9, 200_000
"""Candidates times entries whose variances take ten seconds on any graph, and candidates from which
it takes long to find out whether a graph is easier than that."""


class Covariance:
    """The covariance of ratings, for results whose variance is one over their weight.

    Parameters
    ----------
    problem : Contests or Judgments
        What was aggregated.
    demands : Demands
        Ridge and anchors.
    columns : TermColumns, optional
        Those of shared terms.

    Examples
    --------
    >>> from qrja import Judgments
    >>> from qrja.solvers import demands_on
    >>> chain = Judgments.from_arrays("ab", "bc", [1, 1], se=[3, 4])
    >>> Covariance(chain, demands_on(chain)).of_differences(np.array([0, 0]), np.array([1, 2]))
    array([ 9., 25.])
    """

    def __init__(
        self,
        problem: Contests | Judgments,
        demands: Demands,
        columns: TermColumns | None = None,
    ) -> None:
        self.problem, self.demands, self.columns = problem, demands, columns
        self.n = problem.n
        self._pair = problem.pair_weight
        self._noise = self._pair**2 * problem.sizes / entry_precision(problem)
        self._is_floating = floating(problem, demands)[problem.components] > 0
        self._last: tuple[int, int, Floats] | None = None

    @property
    def is_written(self) -> bool:
        """Whether there are so few candidates that the inverse is written out."""
        return self.n <= DENSE

    @property
    def is_direct(self) -> bool:
        """Whether a resistance costs next to nothing once the first is known."""
        return self.n <= DENSE or self._resistances.is_direct

    @cached_property
    def is_quick(self) -> bool:
        """Whether all variances are found in seconds."""
        if self.n <= DENSE or self.n * self.problem.entries <= QUICK:
            return True
        return self.n <= FEW and self._resistances.is_direct

    def variances(self) -> Floats:
        """Return the variance of each rating."""
        if self.columns is None:
            return self._variances.copy()
        return self._variances + self._by_terms(self._moved, self._shared)

    @cached_property
    def _variances(self) -> Floats:
        if self.n <= DENSE:
            return np.diag(self._matrix)
        if self.multiple is not None:
            return self._variances_to_ground()
        return self._in_blocks(np.arange(self.n), np.full(self.n, -1))

    def of_differences(self, i: Index | Offsets, j: Index | Offsets) -> Floats:
        """Return the variance of each difference ``x_i - x_j``; of one component, or absolute."""
        if self.columns is not None:
            moved, shared = self._moved[i] - self._moved[j], self._shared[i] - self._shared[j]
            return self._with_terms_known(i, j) + self._by_terms(moved, shared)
        return self._with_terms_known(i, j)

    def _with_terms_known(self, i: Index | Offsets, j: Index | Offsets) -> Floats:
        if self._is_little(len(i)):
            if self.multiple is not None:
                return self.multiple * self.resistances(i, j)
            columns = self._pair_columns(i, j)
            return np.asarray(np.maximum((columns * self._middle(columns)).sum(axis=0), 0.0))
        if self.n <= DENSE:
            c, own = self._matrix, np.diag(self._matrix)
            return np.asarray(np.maximum(own[i] + own[j] - 2.0 * c[i, j], 0.0))
        if self.multiple is not None:
            return np.asarray(self.multiple * self._resistances.between(i, j))
        return self._in_blocks(i.astype(np.int64), j.astype(np.int64))

    def resistances(self, i: Index | Offsets, j: Index | Offsets) -> Floats:
        """Return ``(e_i - e_j)^T H^+ (e_i - e_j)`` for each pair, of judgments the variance."""
        if self._is_little(len(i)):
            columns, here = self._pair_columns(i, j), np.arange(len(i))
            return np.asarray(columns[i, here] - columns[j, here])
        if self.n <= DENSE:
            c, own = self._dense_inverse, np.diag(self._dense_inverse)
            return np.asarray(np.maximum(own[i] + own[j] - 2.0 * c[i, j], 0.0))
        return self._resistances.between(i, j)

    def solve(self, columns: Floats) -> Floats:
        """Return ``H^+`` times columns."""
        return self._inverse(self._centred(columns))

    def draw(self, count: int, rng: np.random.Generator) -> Floats:
        """Return deviations of the ratings, a column each: the results drawn anew, and fitted."""
        drawn = []
        for asked in self._blocks(count):
            noise = rng.standard_normal((self.problem.entries, asked.stop - asked.start))
            pull = self._pulls(noise)
            if self.demands.ridge > 0:
                pull += np.sqrt(self.demands.ridge) * rng.standard_normal(pull.shape)
            carried = self._carried(noise)
            if self.columns is not None and self.columns.ridge.any():
                spread = np.sqrt(self.columns.ridge)[:, None]
                carried = carried - spread * rng.standard_normal(carried.shape)
            drawn.append(self._inverse(pull, DRAWN) - self._moved @ carried)
        return np.concatenate(drawn, axis=1)

    def deviate(self, noise: Floats) -> Floats:
        """Return what errors of entries make of the ratings, for columns in units of the stated."""
        return self._inverse(self._pulls(noise), DRAWN) - self._moved @ self._carried(noise)

    def deviate_terms(self, noise: Floats) -> Floats:
        """Return what errors of entries make of the terms."""
        return np.asarray(np.linalg.solve(self._schur, self._carried(noise)), dtype=np.float64)

    def of_terms(self) -> Floats:
        """Return the covariance of the terms."""
        return np.asarray(np.linalg.solve(self._schur, np.linalg.solve(self._schur, self._noisy).T))

    def leave(self, noise: Floats, deviations: Floats) -> Floats:
        """Return what is left of errors, in units of the stated, when ratings deviate by that.

        Of entries that are compared with others; of two, the second is as far off as the first.
        """
        problem, spread, who = self.problem, self._spread[:, None], self.problem.who
        terms = None if self.columns is None else self.columns.z @ self.deviate_terms(noise)
        if self._is_of_two:
            left = spread[0::2] * (noise[0::2] - noise[1::2])
            left -= deviations[who[0::2]]
            left += deviations[who[1::2]]
            if terms is not None:
                left -= terms[0::2] - terms[1::2]
            left *= 0.5 / spread[0::2]
            return np.asarray(left)
        left = spread * noise - deviations[who]
        if terms is not None:
            left -= terms
        left = centre(left, problem.contest_of_entry) / spread
        return np.asarray(left[(problem.sizes > 1)[problem.contest_of_entry]])

    @cached_property
    def _is_of_two(self) -> bool:
        """Whether entries follow each other two by two, as those of judgments and matches do."""
        return self.problem.directed or bool((self.problem.sizes == 2).all())

    @cached_property
    def _spread(self) -> Floats:
        """The stated error of each entry."""
        return np.sqrt(1.0 / entry_precision(self.problem))[self.problem.contest_of_entry]

    def _pulls(self, noise: Floats) -> Floats:
        """Return how errors of entries pull the candidates, for columns in units of the stated."""
        problem, of, spread = self.problem, self.problem.contest_of_entry, self._spread
        if self._is_of_two:
            pull = (self._pair[of] * spread)[0::2, None] * (noise[0::2] - noise[1::2])
            first, second = self._sides
            return np.asarray(first @ pull - second @ pull)
        rays = (self._pair * problem.sizes)[of][:, None]
        return np.asarray(self._gather @ (rays * centre(spread[:, None] * noise, of)))

    # ------------------------------------------------------------------ shared terms

    @cached_property
    def _rays(self) -> Floats:
        return (self._pair * self.problem.sizes)[self.problem.contest_of_entry]

    @cached_property
    def explaining(self) -> Floats:
        """U: the ratings that explain the columns of terms best."""
        if self.columns is None:
            return np.zeros((self.n, 0))
        z = self.columns.centred(self.problem)
        # One at a time: alone a column may be had sooner than the whole matrix.
        pulls = np.asarray(self._gather @ (self._rays[:, None] * z))
        return np.concatenate([self.solve(pull[:, None]) for pull in pulls.T], axis=1)

    @cached_property
    def _rest(self) -> Floats:
        """R, relative to the mean of each contest."""
        if self.columns is None:
            return np.zeros((self.problem.entries, 0))
        moved = centre(self.explaining[self.problem.who], self.problem.contest_of_entry)
        return self.columns.centred(self.problem) - moved

    @cached_property
    def _schur(self) -> Floats:
        """S."""
        if self.columns is None:
            return np.zeros((0, 0))
        z = self.columns.centred(self.problem)
        across = (self._rays[:, None] * z).T @ self._rest
        return np.asarray(0.5 * (across + across.T) + np.diag(self.columns.ridge))

    @cached_property
    def _moved(self) -> Floats:
        """``U S^-1``: how what the errors carry of R moves the ratings."""
        if self.columns is None:
            return np.zeros((self.n, 0))
        return np.asarray(np.linalg.solve(self._schur, self.explaining.T).T)

    def _carried(self, noise: Floats) -> Floats:
        """Return ``R^T W`` of errors of entries, in units of the stated."""
        if self.columns is None:
            return np.zeros((0, noise.shape[1]))
        return np.asarray((self._rays * self._spread)[:, None] * self._rest).T @ noise

    @cached_property
    def _noisy(self) -> Floats:
        """The covariance of what errors carry of R, and of what a ridge stands for."""
        weighed = (self._rays * self._spread)[:, None] * self._rest
        prior = np.zeros(0) if self.columns is None else self.columns.ridge
        return np.asarray(weighed.T @ weighed + np.diag(prior))

    @cached_property
    def _shared(self) -> Floats:
        """The covariance of ratings, terms taken as known, with what errors carry of R."""
        pull = (self._rays * self._spread)[:, None] ** 2 * self._rest
        return self.solve(np.asarray(self._gather @ pull))

    def _by_terms(self, moved: Floats, shared: Floats) -> Floats:
        """Return what terms add to variances."""
        return np.asarray(((moved @ self._noisy) * moved - 2 * shared * moved).sum(axis=1))

    # ------------------------------------------------------------------ few candidates

    @cached_property
    def _matrix(self) -> Floats:
        inverse = self._dense_inverse
        if self.multiple is not None:  # H^+ (k H) H^+: nothing to multiply
            return inverse if self.multiple == 1.0 else self.multiple * inverse
        middle = self._laplacian(self._noise) + self.demands.ridge * np.eye(self.n)
        return np.asarray(inverse @ middle @ inverse)

    @cached_property
    def _dense_inverse(self) -> Floats:
        """H^+: components that float are held by their mean, which is taken away again."""
        free, label = self.demands.free, self.problem.components
        h = self._laplacian(self._pair)
        h[np.diag_indices(self.n)] += self.demands.ridge
        if self.demands.ridge == 0:
            size = np.bincount(label)
            typical = sum_by(label, np.diag(h), len(size)) / size
            held = np.where(typical > 0, typical, 1.0) / size
            same = (label[:, None] == label) & self._is_floating[:, None]
            h += np.where(same, held[label][:, None], 0.0)
        inverse = np.zeros((self.n, self.n))
        inside = np.ix_(free, free)
        inverse[inside] = np.linalg.inv(h[inside])
        inverse = self._centred(self._centred(inverse).T)
        return np.asarray(0.5 * (inverse + inverse.T))

    def _laplacian(self, pair: Floats) -> Floats:
        problem = self.problem
        member = by_rows(np.ones(problem.entries), problem.who, problem.start, self.n)
        degree = np.asarray(member.T @ (pair * problem.sizes))
        each = np.repeat(pair, problem.sizes)
        joined = member.T @ by_rows(each, problem.who, problem.start, self.n)
        return np.diag(degree) - written_out(joined)

    def _centred(self, columns: Floats) -> Floats:
        """Centre the components that float; with a prior or an anchor the level is known."""
        if not self._is_floating.any():
            return columns
        floats = self._is_floating[:, None]
        return np.where(floats, centre(columns, self.problem.components), columns)

    # ------------------------------------------------------------------ many candidates

    @cached_property
    def _resistances(self) -> CandidateResistances:
        demands = self.demands
        return resistances_of(self.problem, demands.free, demands.ridge, self._is_floating)

    @cached_property
    def multiple(self) -> float | None:
        """The number by which M is a multiple of H, None where it is none."""
        some = self.problem.sizes > 1
        ratio = self._noise[some] / self._pair[some]
        if not len(ratio) or self.problem.directed:
            return 1.0
        alike = float(np.ptp(ratio)) <= ALIKE * float(ratio[0]) and self.demands.ridge == 0
        return float(ratio[0]) if alike else None

    def _variances_to_ground(self) -> Floats:
        """Return the variance of each rating from its resistance to the ground."""
        assert self.multiple is not None
        own = self._resistances.to_ground()
        if self._is_floating.any():
            label = self.problem.components
            mean = self._mean_columns()
            total = sum_by(label, mean, int(label.max()) + 1) / np.bincount(label)
            own = np.where(self._is_floating, own - 2.0 * mean + total[label], own)
        return np.asarray(self.multiple * own)

    def _mean_columns(self) -> Floats:
        """Return g: the mean of the columns of each component, against its ground."""
        size = np.bincount(self.problem.components)
        return self._resistances.solve(1.0 / size[self.problem.components][:, None])[:, 0]

    def _in_blocks(self, i: Offsets, j: Offsets) -> Floats:
        """Return the variance of each ``x_i - x_j``, of ``x_i`` alone where j is -1."""
        found = []
        for asked in self._blocks(len(i)):
            columns = self._inverse(self._centred(self._differences(i[asked], j[asked])))
            found.append(np.maximum((columns * self._middle(columns)).sum(axis=0), 0.0))
        return np.concatenate(found) if found else np.zeros(0)

    def _differences(self, i: Index | Offsets, j: Index | Offsets) -> Floats:
        """Return the column ``e_i - e_j`` of each pair, ``e_i`` where j is -1."""
        here, both = np.arange(len(i)), j >= 0
        columns = np.zeros((self.n, len(i)))
        columns[i, here] = 1.0
        columns[j[both], here[both]] -= 1.0
        return columns

    def _blocks(self, count: int) -> Iterator[slice]:
        return (slice(at, min(at + COLUMNS, count)) for at in range(0, count, COLUMNS))

    def _middle(self, columns: Floats) -> Floats:
        """Multiply by M."""
        problem = self.problem
        inner = centre(columns[problem.who], problem.contest_of_entry)
        inner *= (self._noise * problem.sizes)[problem.contest_of_entry][:, None]
        return np.asarray(self._gather @ inner) + self.demands.ridge * columns

    @cached_property
    def _gather(self) -> Matrix:
        """Sums over the entries of each candidate."""
        problem = self.problem
        columns = np.arange(problem.entries)
        return at_places(np.ones(len(columns)), problem.who, columns, (self.n, len(columns)))

    @cached_property
    def _sides(self) -> tuple[Matrix, Matrix]:
        """The same of the first of two, and of the second."""
        return self._gather[:, 0::2], self._gather[:, 1::2]

    def _is_little(self, columns: int) -> bool:
        """Tell whether columns are had sooner than the whole matrix, which nobody has needed yet.

        Of plain least squares only: a ridge or an anchor makes another matrix of it.
        """
        small = columns <= PAIR and LARGE <= self.n <= DENSE
        return small and self.is_plain and "_dense_inverse" not in self.__dict__

    @property
    def is_plain(self) -> bool:
        """Whether nothing but results holds the ratings: no ridge and no anchor."""
        return self.demands.ridge == 0 and bool(self.demands.free.all())

    @cached_property
    def _solver(self) -> LaplacianSolver:
        return LaplacianSolver(self.problem)

    def potentials(self, i: int, j: int) -> Floats:
        """Return ``H^+ (e_i - e_j)`` of two of one component, where nothing else holds them.

        Several questions about a pair begin with it: the last one is kept.
        """
        if self._last is None or self._last[:2] != (i, j):
            self._last = (i, j, self._solver.between(i, j))
        return self._last[2]

    def _pair_columns(self, i: Index | Offsets, j: Index | Offsets) -> Floats:
        pairs = zip(i.tolist(), j.tolist(), strict=True)
        return np.stack([self.potentials(one, other) for one, other in pairs], axis=1)

    def _inverse(self, right: Floats, tol: float = FINE) -> Floats:
        """Apply H^+ to columns."""
        if self._is_little(right.shape[1]):
            return self._solver.solve(right[:, 0])[:, None]
        if self.n <= DENSE:
            return np.asarray(self._dense_inverse @ right)
        return self._centred(self._resistances.solve(right, tol))
