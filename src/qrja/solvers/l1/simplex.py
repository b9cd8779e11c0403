"""p = 1: least absolute deviations, exactly, with pairs that are never written out.

The problem and its dual, a flow f on the pairs:

    min over x of  sum w |x_a - x_b - y|   =   max over f of  f . y,   |f| <= w,  A^T f = 0

**Method.** A dual network simplex that walks through x. At any x the pairs with a residual pull
with all their weight, ``f = w sign(residual)``; what is missing for conservation must flow along a
forest of pairs without a residual. A tree pair that would have to carry more than its weight
leaves: one side of it moves until the excess is used up, past other pairs that turn their pull,
and the last of these enters (:mod:`qrja.solvers.l1.kernels.pivot`). The loss falls with every
pivot. Of the violated pairs one with the largest ``excess^3 / work^2`` leaves, work being that of
moving the smaller side.

**Contests** are kept sorted by residual, so a pivot looks at the few nearest crossings only and
memory is a constant per entry. Entries remember who stands next to them and how far away, so that
a move of many passes over most of them (:mod:`qrja.solvers.l1.kernels.line_search`). Contestants
seen once share one residual with the others of their contest that were seen once: a single node
with a multiplicity, split when one of them returns.

**Exact.** Scores and weights become integers (:mod:`qrja.solvers.l1.grid`), ties are broken by an
exact perturbation, and the flow found is checked in integers: primal and dual agree to the last
digit, the gap is 0. Floats that are no decimal fractions go to a grid finer than their own
rounding; then the gap is measured against the true scores.

**Growing.** Contests can be appended at any time: forest and scores stay, the new pulls are added,
and the pivots go on (:class:`L1Stream`, and ``start=``).

**Which optimum.** All optima form a polyhedron. ``optimum="central"`` lies in its middle;
``optimum="greatest"`` is the pointwise greatest x <= 0 (the paper's choice). Both are unique; see
:mod:`qrja.solvers.l1.face`.

References
----------
P. Bloomfield and W. Steiger, Least Absolute Deviations, 1983.
R. K. Ahuja, T. L. Magnanti and J. B. Orlin, Network Flows, chapters 11 and 12, 1993.
Y. E. Xu, H. Zhang, Y. Cheng and V. Conitzer, Aggregating Quantitative Relative Judgments, 2024.
"""

from __future__ import annotations

from qrja.data import Contests, Judgments
from qrja.solution import Solution
from qrja.solvers.l1.driver import Optimum, Progress, check_optimum
from qrja.solvers.l1.pairwise import solve_judgments
from qrja.solvers.l1.stream import L1Stream, Moment

__all__ = ["L1Stream", "Optimum", "solve_l1"]


def solve_l1(
    problem: Contests | Judgments,
    *,
    start: Solution | None = None,
    optimum: Optimum = "central",
    tol: float = 1e-9,
    progress: Progress | None = None,
) -> Solution:
    """Minimise ``sum w |x_a - x_b - y|`` exactly.

    Parameters
    ----------
    problem : Contests or Judgments
        What to aggregate.
    start : Solution, optional
        Of the first contests of the problem: go on from there. Of other results of the same
        candidates: begin with its scores. The solution does not depend on it.
    optimum : {"central", "greatest"}
        Which optimum, if there are several. ``central``: in the middle, each component with mean 0.
        ``greatest``: the pointwise greatest x <= 0, as in the paper.
    tol : float
        Relative gap from which the status is "optimal"; it is mostly 0.
    progress : callable, optional
        Told a bound on the gap, now and then.

    Examples
    --------
    >>> j = Judgments.from_arrays(["A", "B", "A"], ["B", "C", "C"], [1, 1, 5])
    >>> solution = solve_l1(j)
    >>> solution.objective, solution.gap, solution.status
    (3.0, 0.0, 'optimal')
    >>> solve_l1(Judgments.from_arrays(["A", "A"], ["B", "B"], [0, 10])).x
    array([ 2.5, -2.5])
    """
    check_optimum(optimum)
    if isinstance(problem, Judgments):
        return solve_judgments(problem, start, optimum, tol, progress)
    stream = stream_before(problem, start)
    if stream is None:
        known = start.x if start is not None and len(start.x) == problem.n else None
        # Whoever knows where to begin is likely to solve often.
        stream = L1Stream(often=known is not None, begin=known)
    stream.extend(problem, stream.log.contests)
    return stream.solve_as(problem.names, problem.components, optimum, tol, progress)


def stream_before(problem: Contests, start: Solution | None) -> L1Stream | None:
    """Return the stream that solved the first contests of the problem, if it still stands there."""
    moment = None if start is None else start._state
    if not isinstance(moment, Moment) or not moment.is_current:
        return None
    log, count = moment.stream.log, moment.contests
    if count > len(problem):
        return None
    rows = int(problem.start[count])
    is_same = (
        (log.start == problem.start[: count + 1]).all()
        and (log.who == problem.who[:rows]).all()
        and (log.score == problem.score[:rows]).all()
        and (log.weight == problem.pair_weight[:count]).all()
    )
    return moment.stream if is_same else None
