"""Checks of the fit: what the ratings leave unexplained, and where.

    share left = sum w |y - (x_a - x_b)|^p / sum w |y|^p,     p = 1 for least absolute deviations,
                                                              else 2

Of mere noise ratings leave ``spare / (spare + n - groups)``, as there are so many margins for so
many ratings; a result is a surprise by its residual over the usual one; a contest is out of line by
the root mean square of its residuals, or where its scores fall as ratings rise.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from qrja.data import Offsets
from qrja.errors import InputError
from qrja.plurals import count
from qrja.ratings.consistency import Closure, list_closures
from qrja.ratings.trust.cycles import Circles, Triangle, find_circles
from qrja.ratings.trust.findings import Case, Check, Finding, Level, groups, spare_margins
from qrja.ratings.trust.residuals import contest_fits
from qrja.ratings.words import percent, spoken

MUCH, SOME = 0.5, 0.2
"""Shares of unexplained margins from which that is a warning, or a note."""
NOISE, FEW = 0.85, 10
"""A share of what noise leaves unexplained that is as good as all of it, given enough margins."""
OPEN = 3.0
"""Standard errors by which a cycle misses closing that are worth a sentence."""
FAR = 4.0
"""A residual of so many usual errors is a surprise."""
WIDE = 3.0
"""A contest whose error is so many usual ones is out of line."""
SMALLEST = 4
"""Entrants from which the order of a contest says something."""
LISTED = 10
"""Results, contests or circles listed in the details."""
AGREE = 1e-9
"""A share of unexplained margins that is rounding."""


def check_fit(case: Case) -> Check:
    """Measure the share of the margins that no rating can explain."""
    if case.ratings.problem.m == 0:
        return
    spare = spare_margins(case)
    if spare == 0:
        yield Finding(
            "fit",
            "warning",
            0,
            "nothing checks the margins",
            "There are just as many margins as it takes to rate everybody once: 0 are left to"
            " check them.",
            f"Any error goes straight into a rating; add {case.say.word}s between {case.say.who}s"
            f" {'that' if case.say.judged else 'who'} are already rated.",
            {"unexplained": 0.0, "typical_error": 0.0, "spare_margins": 0},
        )
        return
    p = 1 if case.ratings.solution.power == 1 else 2
    share = case.left.unexplained(p)
    error = case.left.typical_margin_error
    # Ratings explain something of mere noise, too: as many margins as there are ratings.
    chance = spare / (spare + case.ratings.problem.n - groups(case.ratings.problem))
    is_noise = spare >= FEW and share > NOISE * chance
    level: Level = "warning" if share > MUCH or is_noise else "note" if share > SOME else "good"
    what = "margins" if p == 1 else "squared margins"
    yield Finding(
        "fit",
        level,
        share,
        f"{percent(share)} of the {what} are unexplained",
        f"The ratings leave {percent(share) if share > AGREE else '0%'} of the {what} unexplained;"
        f" a typical margin is off by {case.say.error(error)}."
        + (f" Chance alone would leave about {percent(chance)}." if is_noise else ""),
        "" if level == "good" else f"{_why(case)}: trust large differences more than small ones.",
        {"unexplained": share, "typical_error": error, "spare_margins": spare},
    )


def _why(case: Case) -> str:
    return "Judgments vary" if case.say.judged else "Chance, form or conditions matter"


def check_circles(case: Case) -> Check:
    """Say how much of the disagreement goes round in circles, and which circle is worst."""
    problem = case.ratings.problem
    if problem.m == 0 or case.left.unexplained(2) <= AGREE:
        return
    circles = find_circles(problem)
    looked = _among(case, circles) if circles.limited else ""
    again = "judgments" if case.say.judged else "meetings"
    parts = (
        f"Of the disagreement{looked}, {percent(circles.repeats)} is between repeated {again},"
        f" {percent(circles.triangles)} goes round triangles and {percent(circles.longer)} round"
        " longer circles"
    )
    worst = f"; the worst: {_circle(case, circles.worst[0])}" if circles.worst else ""
    closures = _closures(case)
    yield Finding(
        "circles",
        "note",
        circles.triangles + circles.longer,
        f"{percent(circles.triangles + circles.longer)} of the disagreement goes round in circles",
        f"{parts}{worst}.{_closure(closures)}",
        f"Check those results; if they stand, one number per {case.say.who} cannot describe them."
        if circles.worst
        else "",
        {
            "repeats": circles.repeats,
            "triangles": circles.triangles,
            "longer": circles.longer,
            "contestants_considered": circles.candidates,
            "triangles_considered": circles.count,
            "worst": [_triangle(case, triangle) for triangle in circles.worst],
            "worst_in_standard_errors": [one._asdict() for one in closures],
        },
    )


def _closures(case: Case) -> list[Closure]:
    """Return the cycles that close worst in standard errors, where judgments have some."""
    ratings = case.ratings
    if not ratings.problem.directed or not ratings.model.is_square or ratings.misfit.df <= 0:
        return []
    try:
        return list_closures(ratings, LISTED)
    except InputError:  # too many pairs
        return []


def _closure(closures: list[Closure]) -> str:
    if not closures or closures[0].z < OPEN:
        return ""
    who = " - ".join(spoken(name) for name in closures[0].contestants)
    return f" In standard errors the worst goes round {who}: {closures[0].z:.1f}."


def _among(case: Case, circles: Circles) -> str:
    return f" among the {circles.candidates:,} {case.say.who}s with the most results"


def _circle(case: Case, triangle: Triangle) -> str:
    """Say that a circle does not close, or that a direct margin differs from the one by way of."""
    a, b, c = (case.name(i) for i in triangle.who)
    say, (ab, bc, ca) = case.say, triangle.margins
    off = f"off by {say.error(triangle.curl)}"
    if min(ab, bc, ca) > 0:
        return f"{say.margin(a, b, ab)}, {say.margin(b, c, bc)}, yet {say.margin(c, a, ca)}, {off}"
    # Turned so that the direct margin is the largest of the three.
    margin, (first, last, between) = max((ab, (a, b, c)), (bc, (b, c, a)), (ca, (c, a, b)))
    via = say.signed(margin - triangle.curl)
    told = f"{say.margin(first, last, margin)}, but by way of {spoken(between)}"
    return f"{told} it would be {via}, {off}"


def _triangle(case: Case, triangle: Triangle) -> dict[str, Any]:
    return {
        "contestants": [case.name(i) for i in triangle.who],
        "margins": list(triangle.margins),
        "off_by": triangle.curl,
        "forced_loss": triangle.forced,
    }


def check_surprises(case: Case) -> Check:
    """Name the results that are furthest from what the ratings expect."""
    usual = case.left.usual
    if usual == 0 or case.left.unexplained(2) <= AGREE:
        return
    times = np.abs(case.left.freed) / usual
    order = np.argsort(-times, kind="stable")[:LISTED]
    many = int((times > FAR).sum())
    top = int(order[0])
    yield Finding(
        "surprises",
        "note" if many else "good",
        float(times[top]),
        f"{count(many, 'result')} far from expected",
        f"The most surprising result: {_result(case, top)}, {times[top]:.1f} times the usual"
        f" error; {count(many, 'result')} of {len(times):,} {'is' if many == 1 else 'are'} beyond"
        f" {FAR:g} times.",
        "Look for slips of the pen there first; with p = 1 they would count less." if many else "",
        {
            "usual_error": usual,
            "beyond": many,
            "results": [
                {**_result_as_dict(case, i), "times_usual": float(times[i])} for i in order.tolist()
            ],
        },
    )


def _result(case: Case, row: int) -> str:
    problem, gap = case.ratings.problem, float(case.left.each[row])
    side = "better" if gap > 0 else "worse"
    if problem.directed:
        return f"{case.contest(row)} is {_by(case, gap)} {side} for the first than the ratings say"
    who, where = case.name(problem.who[row]), case.contest(int(problem.contest_of_entry[row]))
    return f"{spoken(who)} did {_by(case, gap)} {side} than expected in {where}"


def _by(case: Case, gap: float) -> str:
    if case.say.units.kind == "ratio":
        return f"{case.say.amount(gap)} times"
    return case.say.amount(gap)


def _result_as_dict(case: Case, row: int) -> dict[str, Any]:
    problem, gap = case.ratings.problem, float(case.left.each[row])
    if problem.directed:
        a, b = (case.name(i) for i in problem.who[problem.start[row] : problem.start[row + 1]])
        return {"judgment": row, "a": a, "b": b, "residual": gap}
    contest = problem.labels[int(problem.contest_of_entry[row])]
    return {"contestant": case.name(problem.who[row]), "contest": contest, "residual": gap}


def check_contests(case: Case) -> Check:
    """Name contests (or judges, where a contest is what one judge said) that are out of line."""
    problem, usual = case.ratings.problem, case.left.usual
    if problem.directed or usual == 0 or case.left.unexplained(2) <= AGREE:
        return
    fits = contest_fits(case.left)
    large = problem.sizes >= SMALLEST
    against = np.flatnonzero(large & (fits.agreement < 0))
    wide = np.flatnonzero(large & (fits.error > WIDE * usual))
    if not large.any():
        return
    if not len(against) and not len(wide):
        total = count(int(large.sum()), "contest")
        yield Finding(
            "contests",
            "good",
            0,
            "",
            f"None of the {total} of {SMALLEST} or more entrants is out of line.",
        )
        return
    told = []
    if len(against):
        worst = int(against[fits.agreement[against].argmin()])
        order = "orders" if len(against) == 1 else "order"
        told.append(
            f"{count(len(against), 'contest')} {order} the entrants against the ratings"
            f"{_most(against)} {case.contest(worst)} (correlation {fits.agreement[worst]:.2f})"
        )
    if len(wide):
        worst = int(wide[fits.error[wide].argmax()])
        told.append(
            f"{count(len(wide), 'contest')} with errors beyond {WIDE:g} times the usual"
            f"{_most(wide)} {case.contest(worst)} ({fits.error[worst] / usual:.1f} times)"
        )
    found = np.union1d(against, wide)
    yield Finding(
        "contests",
        "note",
        len(found),
        f"{count(len(found), 'contest')} out of line",
        f"{'; '.join(told)}.",
        "Check their units, their sign and who judged them, or give them less weight.",
        {
            "contests": [
                {
                    "contest": problem.labels[c],
                    "agreement": float(fits.agreement[c]),
                    "error": float(fits.error[c]),
                    "times_usual": float(fits.error[c] / usual),
                }
                for c in found[np.argsort(-fits.error[found], kind="stable")][:LISTED].tolist()
            ]
        },
    )


def _most(found: Offsets) -> str:
    return ":" if len(found) == 1 else ", most of all"
