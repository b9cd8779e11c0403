"""Solvers: every claim of a solution is recomputed, in 80 digits, from its x and its flow.

The order of the checks is that of their weight: what is raised first is worst.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from decimal import Decimal
from typing import NamedTuple
from unittest import mock

import qrja
from fuzz.kind import Case, Failure, Kind
from fuzz.problems import arguments, loss_name, problem
from fuzz.problems.exact import Exact, as_written, exact, overflows
from fuzz.problems.optima import best_known
from fuzz.problems.quick import slow_in_digits
from fuzz.problems.random import draw
from fuzz.shrink import fewer, simpler_numbers
from qrja.solvers.convex import newton
from qrja.solvers.convex.streamed import streamed_descent
from qrja.solvers.convex.streamed.swept import swept_sums
from qrja.solvers.l1 import L1Stream, stream

D = Decimal
TOLD_AS_0 = D("1e-307")
"""Below this a number that is told, not the scores themselves, may be off by all its digits:
floats end there."""
CLAIMED = D("1e-7")
"""A solver asks itself for 1e-9. A hundred times that is a fault and not an accident."""


def check(case: Case) -> None:
    """Solve, and doubt everything."""
    name = loss_name(case)
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        try:
            data = problem(case)
            with passes_over(case):
                solution = solved(case, data)
        except Exception as error:
            raise Failure(f"{type(error).__name__} for {name}", error) from None
    check_numbers(solution, name)
    check_claims(exact(case, data=data), solution, case)
    told = [w for w in heard if not issubclass(w.category, qrja.QRJAWarning)]
    if told:
        raise Failure(f"{told[0].category.__name__} for {name}", told[0].message)


def solved(case: Case, data: qrja.Contests | qrja.Judgments) -> qrja.Solution:
    """Solve, all at once or contest by contest."""
    if case.get("passes") != "written":
        return qrja.solve(data, **arguments(case))
    assert isinstance(data, qrja.Contests)
    solver = L1Stream(pairs=data.pairs, often=True)
    for end in range(1, len(data) + 1):
        solver.extend(data[:end], end - 1)
        solution = solver.solve()
    return replace(solution, names=data.names)


@contextmanager
def passes_over(case: Case) -> Iterator[None]:
    """Let a case that asks for it be solved as many pairs would be, or as very large contests."""
    few = 0 if case.get("passes") else newton.FEW_PAIRS
    ready = (lambda _: False) if case.get("passes") == "written" else stream.is_ready
    large = 0 if case.get("passes") == "swept" else swept_sums.LARGE
    with (
        mock.patch.object(newton, "FEW_PAIRS", few),
        mock.patch.object(stream, "is_ready", ready),
        mock.patch.object(swept_sums, "LARGE", large),
        mock.patch.object(streamed_descent, "MOST_PAIRS", large),
    ):
        yield


def check_claims(truth: Exact, solution: qrja.Solution, case: Case) -> None:
    """Everything told is true: at a glance, or in 80 digits."""
    if slow_in_digits(*truth.loss):
        with suppress(Failure):
            return check_against(replace(truth, quick=True), solution, case)
    try:
        check_against(truth, solution, case)
    except Failure:
        if case["loss"] != "p=1":
            raise
        # It counts on a grid of decimals, where 0.1 is a tenth and not the double next to it.
        check_against(exact(case, as_written), solution, case)


def check_against(truth: Exact, solution: qrja.Solution, case: Case) -> None:
    """Everything told is true."""
    x = [D(v) for v in solution.x.tolist()]
    at = At(x, truth.value(x), truth.agreement(), truth.rounding(x))
    check_objective(solution, at, case)
    if solution.status != "local" and not overflows(at.value):
        check_proof(truth, solution, at, case)


class At(NamedTuple):
    """The scores returned, their objective, and how far off another number may be."""

    x: list[Decimal]
    value: Decimal
    agreement: Decimal
    rounding: Decimal

    @property
    def size(self) -> Decimal:
        """What claims are measured by."""
        return max(self.value, self.agreement)

    @property
    def allowed(self) -> Decimal:
        """What no scores can be blamed for."""
        return CLAIMED * self.size + self.rounding

    @property
    def told(self) -> Decimal:
        """What no number can be blamed for that is told of them."""
        return self.allowed + TOLD_AS_0


def check_numbers(solution: qrja.Solution, name: str) -> None:
    """No number may be missing."""
    told = (solution.objective, solution.lower_bound, solution.gap)
    if not all(map(math.isfinite, solution.x)) or any(map(math.isnan, told)):
        raise Failure(f"NaN for {name}", f"{solution!r} lower_bound={solution.lower_bound}")
    if solution.gap < 0 or (math.isinf(solution.gap) and solution.status != "local"):
        raise Failure(f"negative or infinite gap for {name}", solution)


def check_objective(solution: qrja.Solution, at: At, case: Case) -> None:
    """The objective told is that of the x returned; infinite where that is beyond the floats.

    What rounding alone leaves of large numbers may be on either side of that.
    """
    told = solution.objective
    if math.isinf(told):
        if not overflows(at.value + at.told):
            name = loss_name(case)
            raise Failure(f"infinite objective for {name}", f"{solution!r}: {at.value:.3e}")
    elif abs(D(told) - at.value) > at.told:
        beyond = overflows(at.value) and told < 1e308
        what = "finite objective" if beyond else "objective is not that of x"
        raise Failure(f"{what} for {loss_name(case)}", f"{solution!r}: it is {at.value:.9e}")


def check_proof(truth: Exact, solution: qrja.Solution, at: At, case: Case) -> None:
    """The flow proves the bound told; where it does not, another solver says who is right."""
    name, (x, value, _, rounding), size, allowed = loss_name(case), at, at.size, at.allowed
    try:
        flow, has_flow = solution.flow().tolist(), True
    except qrja.InputError as error:
        flow, has_flow = [0.0] * len(truth.y), False
        if "too large for a float" not in str(error):
            raise Failure(f"no flow for {name}", error) from None
    proved = truth.bound(flow, x)
    lower = D(solution.lower_bound)
    doubtful = value - proved > allowed or lower > proved + at.told
    if doubtful and truth.quick:
        raise Failure("not settled at a glance")
    best = best_known(truth, x) if doubtful else value
    says = f"{solution!r} lower_bound={lower:.6g}, another x has {best:.9e}, flow {proved:.9e}"
    if lower > best + at.told:
        raise Failure(f"lower bound above the optimum for {name}", says)
    if solution.status == "optimal":
        if value - best > allowed:
            raise Failure(f"false proof for {name}", says)
        if has_flow and value - proved > 100 * at.told:
            raise Failure(f"flow proves less than told for {name}", says)
    else:
        if value - best > D(solution.gap) * size * D("1.01") + allowed:
            raise Failure(f"gap too small for {name}", says)
        if value - best > allowed:
            raise Failure(f"gave up for {name}", says)
    hidden = CLAIMED * value + rounding + TOLD_AS_0
    if has_flow and value - proved > hidden and solution.gap < 1e-7:
        raise Failure(f"gap hides its floor for {name}", says)
    if solution.gap == 0 and solution.objective > solution.lower_bound:
        raise Failure(f"gap 0 above the bound for {name}", says)


def shrink(case: Case) -> Iterator[Case]:
    """Yield the case with fewer rows, without what is held, with simpler numbers."""
    rows = "judgments" if "judgments" in case else "contests"
    for option in ("prior", "anchors", "ridge"):
        if case.get(option):
            yield {key: value for key, value in case.items() if key != option}
    for kept in fewer(case[rows]):
        smaller = {**case, rows: kept}
        names = {v for row in kept for v in (row[:2] if rows == "judgments" else row[1:2])}
        for option in ("prior", "anchors"):
            if case.get(option):
                smaller[option] = [pair for pair in case[option] if pair[0] in names]
        yield smaller
    for place, row in enumerate(case[rows]):
        for column in (2, 3):
            for number in simpler_numbers(row[column]):
                changed = [list(other) for other in case[rows]]
                changed[place][column] = number
                if column == 3 and rows == "contests":  # one weight a contest
                    for other in changed:
                        other[3] = number if other[0] == row[0] else other[3]
                yield {**case, rows: changed}
    if case.get("pairs") == "mean":
        yield {**case, "pairs": "unit"}


KIND = Kind(
    name="solvers",
    about="small problems, 13 losses, ridge, prior, anchors; every claim in 80 digits",
    draw=draw,
    check=check,
    shrink=shrink,
    share=6.0,
    together=50,
    ordinary=300,
)
