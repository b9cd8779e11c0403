"""Solution: a score per candidate, and the proof that no other does better.

A flow f on the judgments that is conserved at every candidate (``A^T f = 0``) bounds every loss
from below: ``sum_i h_i(r_i) >= f . y - sum_i h_i*(f_i)`` for the residuals ``r = y - A x`` of any
x, where ``h_i(r) = w_i |r|^p`` and ``h*`` is its convex conjugate. A solver returns such a flow
with its x; the two values enclose the optimum, and ``gap`` is their relative distance. Whoever
doubts it calls ``check``.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal, cast

import numpy as np

from qrja.data import Contests, Floats, Index, Judgments, Problem, in_unit
from qrja.display import block, named, remark, table
from qrja.errors import InputError
from qrja.parts import PartScores
from qrja.solution.elsewhere import Elsewhere
from qrja.solution.minimised import Minimised
from qrja.solution.optima import NumberedOptima, Optima
from qrja.solution.proved import Status
from qrja.terms import Estimates
from qrja.ties import Paths

if TYPE_CHECKING:
    from qrja.solution.verification import Check

SHOWN = 20
"""Scores that a notebook shows."""


@dataclass(frozen=True, eq=False)
class Solution:
    """The result of :func:`qrja.solve`.

    Parameters
    ----------
    x : array of float
        One score per candidate, in the order of ``names``. Each component has mean 0, unless a
        ridge, an anchor or the choice of the greatest optimum says otherwise.
    names : tuple
        The label of each candidate.
    objective : float
        The loss at ``x``.
    lower_bound : float
        No x has a smaller loss than this.
    gap : float
        ``(objective - lower_bound) / objective``, and 0 only where both are equal. A distance that
        ``rounding`` accounts for counts as a billionth, ``1e-9 (objective - lower_bound) /
        rounding``.
    components : array of int
        The component of each candidate; scores of different components do not compare.
    status : {"optimal", "inexact", "local"}
        What was proved.
    certificate : {"flow", "gradient", "none"}
        How: by a conserved flow, a vanishing gradient, or not at all (p < 1).
    optimum : str
        Which point of the set of optima ``x`` is: ``"unique"`` where there is only one.
    loss : str
        The loss that was minimised, such as ``"|t|^2"``.
    iterations : int
        Steps of the algorithm.
    seconds : float
        Wall-clock time.
    norm : float or None
        ``(sum w |r|^p)^(1/p)`` for the loss ``|t|^p``, if the solver gives it: of the size of a
        residual, and finite where the objective overflows (``p = 50`` and margins in the billions).
    minimised : Minimised or None
        What x is an optimum of: loss, ridge, prior and anchors.
    terms : Estimates or None
        Shared terms and their estimates, where some were asked for: x is then an optimum of the
        scores without what the terms add, and the flow carries nothing of their columns, or
        ``2 ridge beta`` where a ridge pulls them.
    parts : PartScores or None
        The scores of the members of entries, where parts were asked for: x is then an optimum of
        the scores without what members add, and the flow sends them what pulls them.
    moved : Paths or None
        With strengths that move, the score of every period; x is that of the latest ones.
    tied : Solution or None
        The solution they come from, whose candidates are periods: objective, bound and gap are
        its own.
    rounding : float
        What the loss may change by when scores and margins are rounded to floats, where that
        accounts for the distance to the bound; else 0. Judgments that agree have a loss of 0, but
        scores of 53 bits seldom attain it.
    """

    x: Floats
    names: tuple[Hashable, ...]
    objective: float
    lower_bound: float
    gap: float
    components: Index
    status: Status
    certificate: Literal["flow", "gradient", "none"]
    optimum: str
    loss: str
    iterations: int
    seconds: float
    norm: float | None = None
    minimised: Minimised | None = field(default=None, repr=False)
    _flow: Callable[[], Floats] | None = field(default=None, repr=False)
    _face: Callable[[], NumberedOptima] | None = field(default=None, repr=False)
    _state: object = field(default=None, repr=False)
    rounding: float = 0.0
    terms: Estimates | None = field(default=None, repr=False)
    _found: tuple[Solution, Elsewhere] | None = field(default=None, repr=False)
    moved: Paths | None = field(default=None, repr=False)
    tied: Solution | None = field(default=None, repr=False)
    parts: PartScores | None = field(default=None, repr=False)

    @property
    def power(self) -> float | None:
        """P of the loss ``|t|^p`` that was minimised; None for any other loss.

        Examples
        --------
        >>> import qrja
        >>> qrja.solve(qrja.Judgments.from_arrays("a", "b", [1]), p=1.5).power
        1.5
        """
        return None if self.minimised is None else self.minimised.power

    def check(self, problem: Problem) -> Check:
        """Compute the proof again, from nothing but the problem, ``x`` and ``flow()``.

        No solver has a part in it; the pairs of contests are written out.

        Parameters
        ----------
        problem : Contests or Judgments
            What was solved.

        Returns
        -------
        Check
            ``objective``, ``lower_bound``, ``gap`` and ``imbalance`` of the flow; it ``holds`` if
            the last two are 0 up to rounding, the last one once it has been mended along a tree.

        Examples
        --------
        >>> import qrja
        >>> j = qrja.Judgments.from_arrays("abc", "bca", [1, 1, 4])
        >>> qrja.solve(j, p=1).check(j)
        Check(objective=6.0, lower_bound=6.0, gap=0.0, imbalance=0.0)
        >>> qrja.solve(j, p=1).check(j).holds
        True
        """
        from qrja.solution.verification import SharedPairs, verify, verify_parts

        if self.minimised is None:
            raise InputError("this solution does not say what it minimised; solve again")
        if problem.names != self.names:
            raise InputError(
                f"the problem has {problem.n} candidates and the solution {len(self.names)}, or"
                " other ones; give the problem that was solved"
            )
        if self._found is not None:
            return self._check_elsewhere(problem, *self._found)
        if self.moved is not None and self.tied is not None:
            whole = problem if self.terms is None else self.terms.put_back(problem)
            return self.tied.check(self.moved.tie(cast(Contests | Judgments, whole)))
        flow = self.flow() if self.certificate == "flow" else None
        at_zero = problem if self.parts is None else self.parts.of_contestants(problem)
        at_zero = at_zero if self.terms is None else self.terms.at_zero(at_zero)
        shared = None
        if self.terms is not None:
            shared = SharedPairs(self.terms, self.terms.pairs(problem))
        judgments = at_zero.to_judgments()
        if self.parts is not None:
            members = self.parts.columns.pairs(problem)
            return verify_parts(
                judgments, self.x, flow, self.minimised, self.parts, members, shared
            )
        return verify(judgments, self.x, flow, self.minimised, shared)

    def _check_elsewhere(self, problem: Problem, found: Solution, there: Elsewhere) -> Check:
        """Check in the unit in which it was found: here the losses would vanish."""
        told = replace(found, x=self.x / there.unit).check(in_unit(problem, there.unit))
        return replace(
            told,
            objective=there.enlarge(told.objective),
            lower_bound=there.enlarge(told.lower_bound),
        )

    def flow(self) -> Floats:
        """Return the certifying flow, one number per judgment.

        For contests the judgments are those of ``contests.to_judgments()``, in that order: the
        flow is written out only when asked for.

        Examples
        --------
        >>> import qrja
        >>> circle = qrja.Judgments.from_arrays("abc", "bca", [1, 1, 1])
        >>> qrja.solve(circle, p=2).flow()
        array([2., 2., 2.])
        """
        if self._flow is None:
            own = self.certificate == "gradient"
            why = "its loss names no conjugate" if own else "p is below 1"
            raise InputError(f"this solution carries no flow: {why}")
        return self._flow()

    def face(self) -> Optima:
        """Return the set of all optima, where there may be several (p = 1).

        Examples
        --------
        >>> import qrja
        >>> twice = qrja.Judgments.from_arrays("aa", "bb", [1, 3])
        >>> qrja.solve(twice, p=1).face().difference("a", "b")
        (1.0, 3.0)
        """
        if self._face is None:
            raise InputError(
                f"the optima for the loss {self.loss} are not described; p = 1 has them"
            )
        return self._optima

    @cached_property
    def _optima(self) -> Optima:
        """The set of all optima, which many questions begin with."""
        assert self._face is not None
        return Optima(self.names, self.x, self.components, self._face())

    def _repr_html_(self) -> str:
        best = np.lexsort((-self.x, self.components))[:SHOWN]
        rows = [[named(self.names[i]), f"{self.x[i]:.6g}", self.components[i] + 1] for i in best]
        told = (
            f"Loss {self.loss} = {self.objective:.6g}, {self.status}, gap {self.gap:.1e},"
            f" certificate: {self.certificate}, {len(self.x):,} scores"
        )
        more = f"... and {len(self.x) - SHOWN:,} more" if len(self.x) > SHOWN else ""
        scores = table(["name", "score", "group"], rows, left=["name"])
        return block(remark(told), scores, remark(more))

    def __repr__(self) -> str:
        return (
            f"Solution({self.status}, n={len(self.x)}, loss={self.loss},"
            f" objective={self.objective:.6g}, gap={self.gap:.1e})"
        )
