"""Fitted grades: what the verdicts of a column count, so that ratings explain them best.

    maximise over 0 <= g_1 <= ... <= g_K:   sum w (x_a - x_b)^2 / sum w y^2,   y = sign * g_grade

where x are the least-squares ratings of y. The ratings are linear in y, so with x^k those of
"1 for grade k" and Delta^k their differences this is g'Mg / g'Ng, M_kl = sum w Delta^k e^l, N
diagonal: the largest eigenvalue, on the face of the cone of monotone grades where it is feasible.
Grades are scaled to the same sum of squares as equal steps, so that ratings keep their size.

Guttman (1946). An approach for quantifying paired comparisons and rank order. Annals of
Mathematical Statistics 17.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from qrja.data import Floats, Index, Judgments
from qrja.errors import InputError
from qrja.solvers import solve
from qrja.speech import Numeral, Sentence
from qrja.tables import Table
from qrja.tables.values import FITTED, units_of, write_grades

MOST = 8
"""Grades that can be fitted: every face of the cone is tried, 2^K of them."""
COUNTED = 2000
"""Contestants whose order is compared, the first ones of more."""


@dataclass(frozen=True)
class Spacing:
    """Grades that were fitted.

    Parameters
    ----------
    steps, fitted : array of float
        What each grade counts in equal steps, and fitted.
    explained, before : float
        The share of the squared margins that ratings explain, fitted and before.
    swapped : float
        The share of pairs of contestants that change places.
    """

    steps: Floats
    fitted: Floats
    explained: float
    before: float
    swapped: float

    def text(self, grades: dict[str, float]) -> str:
        """Say what the verdicts count now, and what that changes."""
        said = (
            "grades fitted to the data: {grades}; ratings explain {explained:.1%} of the squared"
            " verdicts, {before:.1%} as they counted before, and {swapped} of the pairs of items"
            " change places"
        )
        if self.swapped == 0:
            said = (
                "grades fitted to the data: {grades}; ratings explain {explained:.1%} of the"
                " squared verdicts, {before:.1%} as they counted before, and no items change places"
            )
        return Sentence(
            said,
            grades=", ".join(f"{label} {value:.3g}" for label, value in grades.items()),
            explained=self.explained,
            before=self.before,
            swapped=Numeral("<0.1%" if self.swapped < 0.0005 else f"{self.swapped:.1%}"),
        )


def fit_grades(table: Table) -> Table:
    r"""Return a table whose verdicts count what was fitted, with a note that says so.

    Examples
    --------
    >>> import io, qrja
    >>> verdicts = b"a,b,y\nx,y,A>B\ny,z,A>B\nx,z,A>>B\nz,x,B>A\n"
    >>> table = fit_grades(qrja.read_table(io.BytesIO(verdicts), grades="fitted"))
    >>> {label: round(value, 2) for label, value in table.grades.items()}
    {'A>>B': 1.73, 'A>B': 1.15, 'B>A': -1.15}
    """
    problem = table.problem
    if not table.grades or not isinstance(problem, Judgments):
        raise InputError("grades are for verdicts in words, and this table has none")
    spacing = find_spacing(problem)
    counts = dict(zip(spacing.steps.tolist(), spacing.fitted.tolist(), strict=True))
    grades = {
        label: float(np.sign(value)) * counts.get(abs(value), abs(value))
        for label, value in table.grades.items()
    }
    _, margins = _graded(problem, spacing.fitted)
    fitted = replace(problem, y=margins)
    summary = replace(table.summary, notes=(*table.summary.notes, spacing.text(grades)))
    return replace(
        table,
        problem=fitted,
        units=units_of("number", table.units.lower_is_better, fitted),
        summary=summary,
        grades=grades,
        reading=table.reading | {"grades": write_grades(grades)},
    )


def wants_fitted_grades(table: Table) -> bool:
    """Tell whether a table was read for its grades to be fitted."""
    return table.reading.get("grades") == FITTED


def find_spacing(problem: Judgments) -> Spacing:
    """Find the monotone grades whose ratings explain the largest share of them."""
    steps, _ = _graded(problem, None)
    if not 1 <= len(steps) <= MOST:
        raise InputError(f"{len(steps)} grades cannot be fitted; give what they count")
    explained, squares = _quadratic_forms(problem, steps)
    fitted = _best_on_cone(explained, squares)
    fitted *= np.sqrt((steps**2 @ squares) / (fitted**2 @ squares))
    before, after = (_ratings(problem, grades) for grades in (steps, fitted))
    return Spacing(
        steps,
        fitted,
        float(fitted @ explained @ fitted / (fitted**2 @ squares)),
        float(steps @ explained @ steps / (steps**2 @ squares)),
        _swapped(before, after),
    )


def _graded(problem: Judgments, counts: Floats | None) -> tuple[Floats, Floats]:
    """Return the steps in use, and the margins if these count something else."""
    steps: Floats = np.unique(np.abs(problem.y[problem.y != 0]))
    if counts is None:
        return steps, problem.y
    grade: Index = np.searchsorted(steps, np.abs(problem.y)).astype(np.int32)
    told = np.append(counts, 0.0)[np.where(problem.y == 0, len(steps), grade)]
    return steps, np.sign(problem.y) * told


def _ratings(problem: Judgments, counts: Floats) -> Floats:
    return solve(replace(problem, y=_graded(problem, counts)[1])).x


def _quadratic_forms(problem: Judgments, steps: Floats) -> tuple[Floats, Floats]:
    """Return M and the diagonal of N."""
    ones = np.eye(len(steps))
    margins = np.stack([_graded(problem, one)[1] for one in ones])
    ratings = np.stack([_ratings(problem, one) for one in ones])
    differences = ratings[:, problem.a] - ratings[:, problem.b]
    explained = (differences * problem.w) @ margins.T
    return (explained + explained.T) / 2, (margins**2) @ problem.w


def _best_on_cone(explained: Floats, squares: Floats) -> Floats:
    """Try every face: which grades equal the one below, the lowest perhaps none at all."""
    from scipy.linalg import eigh

    best, found = -np.inf, np.arange(1.0, len(squares) + 1)
    for rises in product((True, False), repeat=len(squares)):
        if not any(rises):
            continue
        # Column j of the basis: the grades that are at least the j-th rise.
        level = np.cumsum(rises)
        basis = (level[:, None] > np.arange(level[-1])).astype(float)
        values, vectors = eigh(basis.T @ explained @ basis, basis.T * squares @ basis)
        rise = vectors[:, -1] * np.sign(vectors[:, -1].sum() or 1.0)
        if (rise >= -1e-12).all() and values[-1] > best + 1e-12:
            best, found = float(values[-1]), basis @ rise
    return found


def _swapped(before: Floats, after: Floats) -> float:
    """Return the share of pairs in another order."""
    one, two = before[:COUNTED], after[:COUNTED]
    signs = [np.sign(x[:, None] - x[None, :]) for x in (one, two)]
    pairs = len(one) * (len(one) - 1)
    return float((signs[0] * signs[1] < 0).sum()) / pairs if pairs else 0.0
