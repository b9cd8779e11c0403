"""A fit: the data, the model that was solved on them, and what came out.

    minimise over x:  sum_i w_i f(|x_a - x_b - y_i|)

Every question about ratings is a function of a :class:`Fit`, and knows nothing of the door
:class:`~qrja.Ratings`, a fit that has all questions as methods.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, Self

import numpy as np

from qrja.data import Contests, Floats, Index, Judgments, Offsets
from qrja.parts import PartScores
from qrja.ratings.model import Model, ModelChoice
from qrja.ratings.precision import (
    Covariance,
    Deletions,
    Misfit,
    PartCovariance,
    PartDraws,
    PathCovariance,
    PathDraws,
    entry_precision,
    estimate_tau2,
    leave_one_out,
    measure_misfit,
)
from qrja.ratings.ranks import rank_within
from qrja.solution import Demands, Solution
from qrja.tables import Units
from qrja.tables.out import FileVersion
from qrja.terms import Estimates
from qrja.ties import Paths


def is_elsewhere(problem: Any) -> bool:
    """Tell whether the entries of a problem were read in passes, and are not in memory."""
    return hasattr(type(problem), "read_by_passes")


class Remembered:
    """What was learned from the first contests, kept while ratings are updated.

    It belongs to a fit and to all that are made of it by updates; who asks is told what was
    learned only if the contests it was learned from are the first ones still, and the model is the
    same.
    """

    def __init__(self) -> None:
        self._kept: dict[Hashable, tuple[int, Model, Any, Any]] = {}

    def keep(self, fit: Fit, count: int, what: Hashable, learned: object) -> None:
        """Keep what was learned from the first contests of a fit, by a name."""
        self._kept[what] = (count, fit.model, fit.data, learned)

    def recall(self, fit: Fit, count: int, what: Hashable) -> Any:
        """Return what was learned from as many first contests as a fit has; None if nothing was."""
        if what not in self._kept:
            return None
        known, model, data, learned = self._kept[what]
        if known != count or model != fit.model or data.directed or fit.data.directed:
            return None  # judgments are not learned from in their order
        if not data.begins_like(fit.data, count):
            return None
        # Who asks again for the same ratings is not compared again.
        self._kept[what] = (known, model, fit.data, learned)
        return learned


@dataclass(frozen=True, eq=False)
class Fit:
    """Data, model and solution; see :class:`qrja.Ratings` for the fields.

    Examples
    --------
    >>> from qrja import datasets
    >>> fit = Fit.of(datasets.marathons(example=2), Units("time"), Model(p=2))
    >>> fit.ranks, fit.appearances
    (array([2, 1, 3], dtype=int32), array([3, 1, 1]))
    """

    problem: Contests | Judgments
    solution: Solution
    units: Units
    model: Model
    data: Contests | Judgments
    kind: str | None = None
    reading: dict[str, Any] = field(default_factory=dict)
    choice: ModelChoice | None = None
    wide: bool = False
    stored: FileVersion = field(default_factory=FileVersion, repr=False)
    memory: Remembered = field(default_factory=Remembered, repr=False)

    @classmethod
    def of(
        cls,
        data: Contests | Judgments,
        units: Units,
        model: Model,
        *,
        progress: Callable[[float], None] | None = None,
        **told: Any,
    ) -> Self:
        """Solve a model on data; ``told`` are the other fields."""
        weighed = model.weigh(data)
        problem, solution = at_zero(weighed, model.solve(weighed, progress=progress))
        return cls(problem, solution, units, model, data, **told)

    def refit(self, data: Contests | Judgments) -> Self:
        """Solve the same model on other data, started at this solution where that does not show."""
        weighed = self.model.weigh(data)
        start = _start(self.solution, weighed.names) if self.model.forgets_its_start else None
        problem, solution = at_zero(weighed, self.model.solve(weighed, start))
        stored = replace(self.stored)  # what is saved from here on is another version
        return replace(self, problem=problem, solution=solution, data=data, stored=stored)

    def __repr__(self) -> str:
        name, solution = type(self).__name__, self.solution
        return f"{name}({self.problem!r}, loss={solution.loss}, {solution.status})"

    @cached_property
    def appearances(self) -> Offsets:
        """In how many contests (or judgments) each candidate took part."""
        problem: Any = self.problem
        if is_elsewhere(problem):
            return np.asarray(problem.appearances)
        return np.bincount(self.problem.who, minlength=self.problem.n)

    @cached_property
    def ranks(self) -> Index:
        """The rank of each candidate within its component; ties share the better one."""
        return rank_within(self.solution.x, self.solution.components)

    @cached_property
    def found(self) -> dict[Hashable, Any]:
        """What was found out for one question and others ask for as well, by a name."""
        return {}

    @cached_property
    def demands(self) -> Demands:
        """Ridge, prior and anchors, as arrays."""
        return self.model.demands_on(self.problem)

    @cached_property
    def covariance(self) -> Covariance:
        """The covariance of least squares, for errors that are what the weights say."""
        problem, demands, _ = self.model.ground(self.problem, self.solution.x)
        return Covariance(problem, demands, None if self.terms is None else self.terms.columns)

    @property
    def terms(self) -> Estimates | None:
        """What all have in common, if that was asked for: it is taken off ``problem``."""
        found = self.solution.terms
        return None if found is None or not len(found.columns) else found

    @property
    def moved(self) -> Paths | None:
        """Strengths that move, or differ by context: what that adds is taken off ``problem``."""
        found = self.solution.moved
        return None if found is None or not found.tau else found

    @property
    def paths(self) -> Paths | None:
        """The paths of strengths over time, if they move."""
        return None if self.moved is None or not self.moved.is_of_time else self.moved

    @cached_property
    def path_covariance(self) -> PathCovariance:
        """The covariance of strengths that move."""
        assert self.solution.moved is not None
        columns = None if self.terms is None else self.terms.columns
        return PathCovariance(self.problem, self.solution.moved, self.demands, columns)

    @cached_property
    def path_draws(self) -> PathDraws:
        """How far strengths that move may be off, by results and moves drawn anew."""
        moved = self.solution.moved
        assert moved is not None
        return PathDraws(
            moved.tie(self.problem),
            moved,
            len(self.problem),
            self.misfit.df,
            self.demands.free,
            self.problem.components,
            self.path_covariance,
            self.model.solve_tied,
        )

    @property
    def parts(self) -> PartScores | None:
        """What members of entries add, if any were seen to differ: it is taken off ``problem``."""
        found = self.solution.parts
        return None if found is None or not found.tau.any() else found

    @cached_property
    def part_covariance(self) -> PartCovariance:
        """The covariance of contestants and members, of least squares."""
        assert self.parts is not None
        columns = None if self.terms is None else self.terms.columns
        return PartCovariance(self.problem, self.parts, self.demands, columns)

    @cached_property
    def part_errors(self) -> PartCovariance | PartDraws:
        """How far contestants and members may be off: the covariance, or draws of another loss."""
        assert self.parts is not None
        if self.model.is_square:
            return self.part_covariance
        return PartDraws(
            self.problem,
            self.parts,
            self.solution.x,
            self.misfit.df,
            self.part_covariance,
            partial(self.model.solve_composed, learned=self.parts),
        )

    @cached_property
    def squares(self) -> Floats:
        """The ratings of least squares: the solution itself, if squares are what was minimised.

        Of another loss, with the terms that it has found.
        """
        if self.model.is_square:
            return self.solution.x
        return (
            replace(self.model, p=2, loss=None, terms=(), drift=None, per=None, parts=())
            .solve(self.problem)
            .x
        )

    @cached_property
    def left_out(self) -> Deletions:
        """What least squares would be without each judgment, study or contest."""
        return leave_one_out(self.problem, self.squares, self.covariance.resistances)

    @cached_property
    def misfit(self) -> Misfit:
        """How far results are from the ratings of least squares, in the errors stated for them."""
        if self.moved is not None:
            return self._mixed_misfit(self.moved.noise)
        if self.parts is not None:
            return self._mixed_misfit(self.parts.noise)
        fixed = replace(self.model, random_effects=None)
        problem, x = self.problem, self.solution.x
        if fixed != self.model or not self.model.is_square:
            problem = fixed.weigh(self.data)
            problem, solved = at_zero(problem, replace(fixed, p=2, loss=None).solve(problem))
            x = solved.x
        terms = 0 if self.terms is None else len(self.terms.columns)
        measured = measure_misfit(*fixed.ground(problem, x), terms=terms)
        method = self.model.random_effects
        if method is None:
            return measured
        return replace(measured, tau2=estimate_tau2(problem.to_judgments(), self.demands, method))

    def _mixed_misfit(self, noise: float) -> Misfit:
        """Measure what least squares leaves where strengths move or add up, these charged for."""
        problem, terms = self.problem, 0 if self.terms is None else len(self.terms.columns)
        df = measure_misfit(problem, self.demands, self.solution.x, terms=terms).df
        # In the units of an entry, as for strengths that stay.
        rays = problem.pair_weight * problem.sizes
        unit = float(np.median(entry_precision(problem) / rays)) if len(problem) else 1.0
        loss = max(df, 0) * noise**2
        if problem.se is not None and self.model.is_square:
            loss = (self.solution.tied or self.solution).objective
        return Misfit(unit * loss, df, stated=problem.se is not None)


def at_zero(
    weighed: Contests | Judgments, solution: Solution
) -> tuple[Contests | Judgments, Solution]:
    """Return a problem without what terms and moves add, and the solution as one of that."""
    problem = weighed
    if solution.terms is not None:
        problem = solution.terms.at_zero(problem)
        solution = replace(solution, terms=solution.terms.known_off())
    if solution.parts is not None:
        problem = solution.parts.of_contestants(problem)
        solution = replace(solution, parts=solution.parts.known_off())
    if solution.moved is not None:
        problem = solution.moved.at_present(problem)
        solution = replace(solution, moved=solution.moved.known_off())
    return problem, solution


def _start(solution: Solution, names: tuple[Hashable, ...]) -> Solution:
    """Return a solution whose candidates come first in ``names``, newcomers scoring 0."""
    if names[: len(solution.names)] == solution.names:
        return solution
    known = dict(zip(solution.names, solution.x.tolist(), strict=True))
    x: Floats = np.array([known.get(name, 0.0) for name in names], dtype=np.float64)
    return replace(solution, x=x, names=names, _flow=None)
