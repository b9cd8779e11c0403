"""How much members differ: the restricted likelihood of one variance for each part.

With ``rho = tau^2 / s^2`` of each part, R the diagonal of them, S what the rest leaves of members
(:mod:`seen_through`) and s of the results,

    -2 log likelihood = df log Q + log det B,     B = 1 + R^1/2 S R^1/2,     s^2 = Q / df
    Q = yy - t^T B^-1 t,                          t = R^1/2 s
    its slope by log rho:   gamma - |v|^2 df / Q,     gamma = trace (1 - B^-1),  v = B^-1 t

over the members of each part: gamma is how many of them the results tell. A part whose members are
likelier not to differ has tau = 0. Where standard errors are known, s is 1.

Beyond ``EXACT`` members B is not written out. At an optimum ``rho = |u|^2 / (s^2 gamma)``, which is
repeated until it stands, with traces seen by random signs (Hutchinson), the same ones throughout.

References
----------
H. D. Patterson and R. Thompson, Recovery of inter-block information, 1971.
D. A. Harville, Maximum likelihood approaches to variance component estimation, 1977.
M. F. Hutchinson, A stochastic estimator of the trace of the influence matrix, 1990.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from qrja.data import Contests, Floats, Judgments, Offsets, sum_by
from qrja.laplacian import DENSE
from qrja.parts import PartColumns
from qrja.solution import Demands
from qrja.solvers.composed.seen_through import SeenThrough, look_through, see_in_steps
from qrja.terms import TermColumns

EXACT = 1500
"""Members, and contestants if they are pulled too, whose B is written out: a tenth of a second."""
LEAST, MOST = 1e-5, 1e5
"""The range of rho, relative to what the results tell of a usual member."""
PROBES, ROUNDS = 12, 40
CLOSE = 2e-3
"""Change of log rho that is none, where traces are seen by random signs."""


@dataclass(frozen=True, eq=False)
class LearnedParts:
    """By how much members of each part differ, and how far results stray.

    ``own`` is by how much contestants do, where that was asked for; 0 if they were not seen to.
    """

    tau: Floats
    noise: float
    own: float | None = None


def learn_parts(
    problem: Contests | Judgments,
    columns: PartColumns,
    demands: Demands,
    terms: TermColumns | None = None,
    *,
    own: bool = False,
) -> LearnedParts:
    """Find the likeliest variances; with ``own`` that of the contestants too.

    Examples
    --------
    >>> from qrja.parts import PartKind, parts_in
    >>> from qrja.solvers import demands_on
    >>> rng = np.random.default_rng(0)
    >>> riders, worth = rng.integers(0, 20, 600), rng.normal(0, 2, 20)
    >>> races = Contests.from_arrays(
    ...     [race for race in range(100) for _ in range(6)],
    ...     [f"horse {(race + 5 * k) % 30}" for race in range(100) for k in range(6)],
    ...     worth[riders] + rng.normal(0, 1, 600),
    ...     covariates={"rider": [f"rider {k}" for k in riders]},
    ... )
    >>> found = learn_parts(races, parts_in(races, [PartKind(("rider",))]), demands_on(races))
    >>> bool(1.4 < found.tau[0] < 2.8)
    True
    """
    groups = [columns.members(k) for k in range(len(columns.parts))]
    if own:
        groups = [np.arange(problem.n), *(problem.n + group for group in groups)]
    size = sum(len(group) for group in groups)
    known = problem.se is not None
    if size <= EXACT and problem.n <= (EXACT if own else DENSE):
        seen = look_through(problem, columns, demands, terms, own=own)
        likelihood = PartLikelihood(seen, groups, known=known)
        rho = likelihood.likeliest()
        noise = likelihood.noise(rho)
    else:
        rho, noise = see_in_steps(
            problem,
            columns,
            demands,
            terms,
            groups,
            own=own,
            rounds=ROUNDS,
            probes=PROBES,
            close=CLOSE,
            least=LEAST,
            most=MOST,
        )
    tau = noise * np.sqrt(rho)
    return LearnedParts(tau[1:], noise, float(tau[0])) if own else LearnedParts(tau, noise)


class PartLikelihood:
    """The restricted likelihood of rho, a number for each group of members."""

    def __init__(self, seen: SeenThrough, groups: list[Offsets], *, known: bool = False) -> None:
        self.seen, self.known = seen, known
        self.of = np.zeros(len(seen.s), dtype=np.int64)
        for k, group in enumerate(groups):
            self.of[group] = k
        self.count = len(groups)
        own = np.diag(seen.matrix)
        self.usual = np.array(
            [
                float(np.median(own[self.of == k])) if (self.of == k).any() else 0.0
                for k in range(self.count)
            ]
        )

    def at(self, rho: Floats) -> tuple[float, Floats]:
        """Return minus twice the log likelihood, up to a constant, and its slope by log rho."""
        from scipy.linalg import cho_factor, cho_solve

        seen, root = self.seen, np.sqrt(rho)[self.of]
        b = root[:, None] * seen.matrix * root
        b[np.diag_indices_from(b)] += 1.0
        factors = cho_factor(b, lower=True)
        t = root * seen.s
        v = cho_solve(factors, t)
        left = self._positive(seen.squares - float(t @ v))
        determinant = 2.0 * float(np.log(np.diag(factors[0])).sum())
        inverse = cho_solve(factors, np.eye(len(t)))
        told = sum_by(self.of, 1.0 - np.diag(inverse), self.count)
        size = sum_by(self.of, v**2, self.count)
        if self.known:
            return left + determinant, told - size
        return seen.df * math.log(left) + determinant, told - size * seen.df / left

    def _positive(self, left: float) -> float:
        """Return what is left of squares; margins that are explained fully leave rounding."""
        return max(left, 1e-14 * self.seen.squares, np.finfo(np.float64).tiny)

    def noise(self, rho: Floats) -> float:
        """Return s."""
        if self.known or self.seen.df <= 0:
            return 1.0
        root = np.sqrt(rho)[self.of]
        b = np.eye(len(root)) + root[:, None] * self.seen.matrix * root
        t = root * self.seen.s
        left = self._positive(self.seen.squares - float(t @ np.linalg.solve(b, t)))
        return math.sqrt(left / self.seen.df)

    def likeliest(self) -> Floats:
        """Return the likeliest rho; 0 for groups that are likelier not to differ."""
        from scipy.optimize import minimize

        rho = np.zeros(self.count)
        if self.seen.df <= 0 and not self.known:
            return rho
        alive = np.flatnonzero(self.usual > 0)
        while len(alive):

            def look(log: Floats, alive: Offsets = alive) -> tuple[float, Floats]:
                tried = np.zeros(self.count)
                tried[alive] = np.exp(log)
                value, slope = self.at(tried)
                return value, slope[alive]

            middle = -np.log(self.usual[alive])
            low, high = middle + math.log(LEAST), middle + math.log(MOST)
            found = minimize(
                look,
                middle,
                jac=True,
                method="L-BFGS-B",
                bounds=list(zip(low, high, strict=True)),
                options={"ftol": 1e-13, "gtol": 1e-7},
            )
            rho[:] = 0.0
            rho[alive] = np.exp(found.x)
            # A part that is likelier not to differ goes, one at a time, and the rest anew.
            lost = []
            for k in alive.tolist():
                without = rho.copy()
                without[k] = 0.0
                lost.append(self.at(without)[0] - found.fun)
            worst = int(np.argmin(lost))
            if lost[worst] > 1e-8 * max(1.0, abs(found.fun)):
                return rho
            rho[alive[worst]] = 0.0
            alive = np.delete(alive, worst)
        return rho
