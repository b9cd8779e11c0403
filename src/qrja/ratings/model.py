"""The model behind ratings: which loss, and what is known besides the results.

    minimise over x:  sum_i w_i 2^(-age_i / half_life) f(x_a - x_b - y_i) + ridge sum (x - prior)^2

with anchored candidates held at their values. A ridge without a prior pulls every component
toward its own mean, which makes newcomers less extreme and joins nothing; a ridge with a prior,
and anchors, make ratings absolute.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from qrja.data import Contests, Judgments, Problem, as_float
from qrja.errors import InputError
from qrja.losses import Loss, complete
from qrja.ratings.decay import HalfLife, check_half_life, decay
from qrja.ratings.precision import RandomEffects, check_random_effects, weigh_with_tau2
from qrja.solution import Demands, Minimised, Solution
from qrja.solvers import (
    check_power,
    check_ridge,
    check_tolerance,
    demands_on,
    solve_checked,
)
from qrja.tables import Units

if TYPE_CHECKING:
    from qrja.adaptive import Member

Known = Mapping[Hashable, float]


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

    @property
    def is_square(self) -> bool:
        """Whether the loss is the square of the residual."""
        return self.loss is None and self.p == 2

    @property
    def forgets_its_start(self) -> bool:
        """Whether the scores are the same from wherever a solver begins, up to rounding.

        Elsewhere they are not: the optimum may not be unique, or so flat that it is not found to
        many digits.
        """
        plain = self.ridge == 0 and self.prior is None and self.anchors is None
        return plain and self.loss is None and self.p in (1, 2, math.inf)

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
        return replace(self, prior=prior, anchors=anchors or None)

    def weigh(self, data: Contests | Judgments) -> Contests | Judgments:
        """Return the data with the weights that they have today, and with random effects."""
        today = decay(data, self.half_life)
        if self.random_effects is None:
            return today
        return weigh_with_tau2(today, self.demands_on(today), self.random_effects)

    def demands_on(self, problem: Contests | Judgments) -> Demands:
        """Return ridge, prior and anchors, as arrays."""
        return demands_on(problem, self.ridge, self.prior, self.anchors)

    def minimised(self, problem: Contests | Judgments) -> Minimised:
        """Return what a solution of the problem minimises."""
        loss = None if self.loss is None else complete(self.loss)
        power = self.p if loss is None else loss.power
        return Minimised(power, loss, self.demands_on(problem))

    def solve(
        self,
        problem: Contests | Judgments,
        start: Solution | None = None,
        progress: Callable[[float], None] | None = None,
    ) -> Solution:
        """Solve a weighed problem."""
        solution = solve_checked(
            problem,
            self.p,
            loss=self.loss,
            ridge=self.ridge,
            prior=self.prior,
            anchors=self.anchors,
            start=start,
            tol=self.tol,
            progress=progress,
        )
        if self.ridge > 0 and self.prior is None and self.anchors is None:
            # Such a ridge knows nothing of where components stand to each other.
            return replace(solution, components=problem.components)
        return solution


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


def _among(problem: Problem, known: Known | None) -> Known | None:
    if known is None:
        return None
    return {name: value for name, value in known.items() if name in problem.number}


def check_model(
    units: Units,
    *,
    p: float,
    loss: Loss | None,
    half_life: float | str | None,
    ridge: float,
    prior: Known | None,
    anchors: Known | Iterable[tuple[Hashable, float]] | None,
    tol: float,
    random_effects: str | None = None,
) -> Model:
    """Check what is asked of a fit; values of ratios become logarithms."""
    if prior is not None and not isinstance(prior, Mapping):
        raise InputError(
            f"prior is a {type(prior).__name__}; give a mapping from contestants to ratings"
        )
    return Model(
        p=check_power(p),
        loss=loss,
        half_life=check_half_life(half_life),
        ridge=check_ridge(ridge),
        prior=None if prior is None else _ratings(prior, "prior", units),
        anchors=_ratings(_join(anchors), "anchor", units) or None,
        tol=check_tolerance(tol),
        random_effects=check_random_effects(random_effects),
    )


def _join(anchors: Known | Iterable[tuple[Hashable, float]] | None) -> dict[Hashable, float]:
    """Collect anchors, or say which candidate is given two values."""
    if anchors is None or isinstance(anchors, Mapping):
        return dict(anchors or {})
    joined: dict[Hashable, float] = {}
    if not isinstance(anchors, Iterable):
        raise InputError(f"anchors is {anchors!r}; give a mapping from contestants to ratings")
    for pair in anchors:
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise InputError(f"anchor {pair!r} is not a pair; give (contestant, rating)")
        name, value = pair
        if not isinstance(name, Hashable):
            raise InputError(f"anchor {name!r} is a {type(name).__name__}; give a name")
        if joined.setdefault(name, value) != value:
            raise InputError(
                f"anchor {name!r} is given twice, as {joined[name]} and as {value}; keep one"
            )
    return joined


def _ratings(given: Known, what: str, units: Units) -> dict[Hashable, float]:
    if units.kind != "ratio":
        return dict(given)
    return {name: _logarithm(name, value, what) for name, value in given.items()}


def _logarithm(name: Hashable, value: float, what: str) -> float:
    number = as_float(value)
    if not 0 < number < math.inf:
        raise InputError(f"{what} {name!r} is {value!r}; ratios are positive numbers")
    return math.log(number)
