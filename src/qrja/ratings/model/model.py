"""The model behind ratings: which loss, and what is known besides the results.

    minimise over x:  sum_i w_i 2^(-age_i / half_life) f(x_a - x_b - y_i) + ridge sum (x - prior)^2

with ``+ z_i . beta`` in the residual where terms are shared (:mod:`qrja.terms`), which a ridge of
their own may pull toward 0, and with anchored candidates held at their values; uncertain anchors
add a square each, see :mod:`~qrja.ratings.model.measured`. A ridge without a prior pulls every
component toward its own mean, which makes newcomers less extreme and joins nothing; a ridge with a
prior, and anchors, make ratings absolute. Strengths that move add a tie between the periods of each
contestant, see :mod:`qrja.ties`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from qrja.data import LARGEST, Contests, Floats, Judgments, Problem, largest_margin
from qrja.errors import InputError
from qrja.losses import Loss, complete
from qrja.parts import PartKind, PartScores, parts_in
from qrja.ratings.model.decay import HalfLife, decay
from qrja.ratings.model.measured import GROUND, Grounded, Measured, ground, leave_ground
from qrja.ratings.precision import RandomEffects, weigh_with_tau2
from qrja.solution import Demands, Minimised, Solution
from qrja.solvers import demands_on, solve_checked
from qrja.terms import Term, columns_for
from qrja.ties import Context, Speed

if TYPE_CHECKING:
    from qrja.adaptive import Member

Known = Mapping[Hashable, float]
V = TypeVar("V")


@dataclass(frozen=True)
class Model:
    """What :func:`qrja.fit` minimises; see there for the parameters."""

    p: float = 2
    loss: Loss | None = None
    half_life: HalfLife | None = None
    ridge: float = 0.0
    prior: Known | None = None
    anchors: Known | None = None
    tol: float = 1e-9
    random_effects: RandomEffects | None = None
    measured: Measured | None = None
    terms: tuple[Term, ...] = ()
    drift: Speed | None = None
    per: Context | None = None
    parts: tuple[PartKind, ...] = ()
    patient: bool = False
    """Whether terms that nothing tells apart yet are left out, as in the past, and no mistake."""

    @property
    def roughly(self) -> Model:
        """The model for fits of which many are compared: for p < 1, by short searches."""
        if self.loss is not None or self.p >= 1:
            return self
        from qrja.solvers.nonconvex import ROUGH

        return replace(self, tol=max(self.tol, ROUGH))

    @property
    def is_square(self) -> bool:
        """Whether the loss is the square of the residual."""
        return self.loss is None and self.p == 2

    @property
    def looks_further(self) -> bool:
        """Whether it looks at more than results and a ridge: at what is known of candidates."""
        known = self.prior, self.anchors, self.measured, self.tied_by, self.terms, self.parts
        return any(known)

    @property
    def tied_by(self) -> Speed | Context | None:
        """What makes a contestant several candidates: time, or contexts."""
        return self.drift if self.per is None else self.per

    @property
    def forgets_its_start(self) -> bool:
        """Whether the scores are the same from wherever a solver begins, up to rounding.

        Elsewhere they are not: the optimum may not be unique, or so flat that it is not found to
        many digits.
        """
        known = (self.prior, self.anchors, self.measured)
        plain = self.ridge == 0 and known == (None, None, None) and self.tied_by is None
        plain = plain and not self.parts
        powers = (2,) if self.terms else (1, 2, math.inf)
        return plain and self.loss is None and self.p in powers

    def known_to(self, problem: Problem) -> Model:
        """Return the model without the anchors and priors of those who are not in a problem.

        Who has not appeared yet says nothing about those who have.

        Examples
        --------
        >>> races = Contests.from_arrays([1, 1, 2, 2], "abbc", [3, 1, 2, 0])
        >>> model = Model(ridge=1.0, prior={"a": 5.0, "c": 7.0}, anchors={"c": 0.0})
        >>> early = model.known_to(races[:1])
        >>> early.prior, early.anchors
        ({'a': 5.0}, None)
        """
        prior, anchors = (_among(problem, known) for known in (self.prior, self.anchors))
        measured = _among(problem, self.measured) or None
        return replace(self, prior=prior, anchors=anchors or None, measured=measured, patient=True)

    def weigh(self, data: Contests | Judgments) -> Contests | Judgments:
        """Return the data with the weights that they have today, and with random effects."""
        today = decay(data, self.half_life)
        if self.random_effects is None:
            return today
        if self.half_life is not None:
            raise InputError(
                f"half_life is {self.half_life}, and random effects weigh judgments by their errors"
                " alone; leave one of the two out"
            )
        return weigh_with_tau2(today, self.demands_on(today), self.random_effects)

    def demands_on(self, problem: Contests | Judgments) -> Demands:
        """Return ridge, prior and anchors, as arrays."""
        return demands_on(problem, self.ridge, self.prior, self.anchors)

    def minimised(self, problem: Contests | Judgments) -> Minimised:
        """Return what a solution of the problem minimises."""
        loss = None if self.loss is None else complete(self.loss)
        power = self.p if loss is None else loss.power
        return Minimised(power, loss, self.demands_on(problem))

    def ground(self, problem: Contests | Judgments, x: Floats) -> Grounded:
        """Return what least squares sees: measured values as judgments against a ground."""
        if self.measured is None:
            return Grounded(problem, self.demands_on(problem), x)
        grounded = ground(problem, self.measured)
        demands = self._on_ground.demands_on(grounded)
        return Grounded(grounded, demands, np.append(x, 0.0))

    @property
    def _on_ground(self) -> Model:
        return replace(self, measured=None, anchors={**(self.anchors or {}), GROUND: 0.0})

    def solve(
        self,
        problem: Contests | Judgments,
        start: Solution | None = None,
        progress: Callable[[float], None] | None = None,
    ) -> Solution:
        """Solve a weighed problem."""
        check_unit(problem)
        if self.tied_by is not None:
            return self._solve_moving(problem, self.tied_by, progress)
        if self.parts:
            return self.solve_composed(problem, progress=progress)
        if self.measured is not None:
            grounded = ground(problem, self.measured)
            solution = self._on_ground.solve(grounded, progress=progress)
            return leave_ground(solution, problem, self.measured)
        solution = solve_checked(
            problem,
            self.p,
            loss=self.loss,
            ridge=self.ridge,
            prior=self.prior,
            anchors=self.anchors,
            terms=columns_for(problem, self.terms) if self.terms else None,
            patient=self.patient,
            start=start,
            tol=self.tol,
            progress=progress,
        )
        return self._apart(solution, problem)

    def _apart(self, solution: Solution, problem: Contests | Judgments) -> Solution:
        """Tell components apart where a ridge knows nothing of where they stand to each other."""
        if self.ridge > 0 and self.prior is None and self.anchors is None:
            return replace(solution, components=problem.components)
        return solution

    def solve_composed(
        self,
        problem: Contests | Judgments,
        learned: PartScores | None = None,
        progress: Callable[[float], None] | None = None,
    ) -> Solution:
        """Solve a problem whose entries have parts; with what was ``learned``, without terms."""
        from qrja.solvers.composed import LearnedParts, solve_with_parts

        known = None if learned is None else LearnedParts(learned.tau, learned.noise)
        columns = parts_in(problem, self.parts) if learned is None else learned.columns
        terms = columns_for(problem, self.terms) if self.terms and learned is None else None
        solution = solve_with_parts(
            problem,
            columns,
            self.p,
            loss=self.loss,
            ridge=self.ridge,
            prior=self.prior,
            anchors=self.anchors,
            terms=terms,
            learned=known,
            patient=self.patient,
            tol=self.tol,
            progress=progress,
        )
        return self._apart(solution, problem)

    def solve_tied(self, tied: Contests | Judgments) -> Solution:
        """Solve results between periods with their ties, terms taken off."""
        from qrja.solvers.drifting import hold_periods

        return solve_checked(tied, self.p, anchors=hold_periods(tied, self.anchors), tol=self.tol)

    def _solve_moving(
        self,
        problem: Contests | Judgments,
        speed: Speed | Context,
        progress: Callable[[float], None] | None,
    ) -> Solution:
        """Solve a problem whose strengths move."""
        from qrja.solvers.drifting import solve_with_drift

        def solve(tied: Contests | Judgments, **asked: Any) -> Solution:
            return solve_checked(
                tied, self.p, tol=self.tol, patient=self.patient, progress=progress, **asked
            )

        columns = columns_for(problem, self.terms) if self.terms else None
        return solve_with_drift(
            problem, speed, self.p, solve, anchors=self.anchors, columns=columns
        )


def check_unit(problem: Contests | Judgments) -> None:
    """Refuse margins whose squares vanish: noise and intervals are made of them.

    Examples
    --------
    >>> check_unit(Judgments.from_arrays("a", "b", [1e-160]))
    Traceback (most recent call last):
    qrja.errors.InputError: the largest margin is 1e-160; give numbers in a smaller unit
    """
    if 0 < (largest := largest_margin(problem)) < 1 / LARGEST:
        raise InputError(f"the largest margin is {largest:g}; give numbers in a smaller unit")


@dataclass(frozen=True)
class ModelChoice:
    """How ``p="auto"`` chose.

    Parameters
    ----------
    sentence : str
        The model in words.
    objective : {"margin", "order"}
        What it was chosen by.
    history : tuple of (label, Member)
        Which model led after each contest.
    """

    sentence: str
    objective: str
    history: tuple[tuple[Hashable, Member], ...] = ()

    def __str__(self) -> str:
        return self.sentence


def _among(problem: Problem, known: Mapping[Hashable, V] | None) -> Mapping[Hashable, V] | None:
    if known is None:
        return None
    return {name: value for name, value in known.items() if name in problem.number}
