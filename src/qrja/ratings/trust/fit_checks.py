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
from qrja.ratings.board import list_terms, say_terms
from qrja.ratings.consistency import Closure, list_closures
from qrja.ratings.intervals import IntervalRequest, are_possible, find_intervals
from qrja.ratings.trust.cycles import Circles, Triangle, find_circles
from qrja.ratings.trust.findings import Case, Check, Finding, Level, groups, spare_margins
from qrja.ratings.trust.residuals import contest_fits
from qrja.ratings.words import percent, spoken
from qrja.speech import Numeral, Sentence, joined

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


TWO = 1.96
"""Standard errors beyond which chance alone takes a term once in twenty times."""


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
            Sentence("nothing checks the margins"),
            Sentence(
                "There are just as many margins as it takes to rate everybody once: 0 are left to"
                " check them."
            ),
            case.say.either(
                "Any error goes straight into a rating; add contests between contestants who"
                " are already rated.",
                "Any error goes straight into a rating; add {events} that compare {candidates}"
                " already rated.",
            ),
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
    short, told = (
        "{share} of the squared margins are unexplained",
        "The ratings leave {share} of the squared margins unexplained; a typical margin is off by"
        " {error}.",
    )
    if p == 1:
        short, told = (
            "{share} of the margins are unexplained",
            "The ratings leave {share} of the margins unexplained; a typical margin is off by"
            " {error}.",
        )
    left = percent(share) if share > AGREE else Numeral("0%")
    said = Sentence(told, share=left, error=case.say.error(error))
    by_chance = Sentence("Chance alone would leave about {chance}.", chance=percent(chance))
    yield Finding(
        "fit",
        level,
        share,
        Sentence(short, share=percent(share)),
        joined(" ", [said, by_chance]) if is_noise else said,
        "" if level == "good" else _why(case),
        {"unexplained": share, "typical_error": error, "spare_margins": spare},
    )


def _why(case: Case) -> Sentence:
    return case.say.either(
        "Chance, form or conditions matter: trust large differences more than small ones.",
        "Results vary: trust large differences more than small ones.",
    )


def check_circles(case: Case) -> Check:
    """Say how much of the disagreement goes round in circles, and which circle is worst."""
    problem = case.ratings.problem
    if problem.m == 0 or case.left.unexplained(2) <= AGREE:
        return
    circles = find_circles(problem)
    closures = _closures(case)
    round_share = percent(circles.triangles + circles.longer)
    yield Finding(
        "circles",
        "note",
        circles.triangles + circles.longer,
        Sentence("{share} of the disagreement goes round in circles", share=round_share),
        joined(" ", [_split_up(case, circles), *_closure(closures)]),
        case.say.either(
            "Check those results; if they stand, one number per contestant cannot describe them.",
            "Check those results; if they stand, one number per {candidate} cannot describe them.",
        )
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


def _split_up(case: Case, circles: Circles) -> Sentence:
    """Say which parts the disagreement has, and which circle is worst."""
    parts = case.say.either(
        "Of the disagreement{among}, {repeats} is between repeated meetings, {triangles} goes"
        " round triangles and {longer} round longer circles",
        "Of the disagreement{among}, {repeats} is between {events} for the same pair, {triangles}"
        " goes round triangles and {longer} round longer circles",
        among=_among(case, circles) if circles.limited else "",
        repeats=percent(circles.repeats),
        triangles=percent(circles.triangles),
        longer=percent(circles.longer),
    )
    if not circles.worst:
        return joined("", [parts, "."])
    worst = _circle(case, circles.worst[0])
    return Sentence("{parts}; the worst: {worst}.", parts=parts, worst=worst)


def _closures(case: Case) -> list[Closure]:
    """Return the cycles that close worst in standard errors, where judgments have some."""
    ratings = case.ratings
    if not ratings.problem.directed or not ratings.model.is_square or ratings.misfit.df <= 0:
        return []
    try:
        return list_closures(ratings, LISTED)
    except InputError:  # too many pairs
        return []


def _closure(closures: list[Closure]) -> list[Sentence]:
    if not closures or closures[0].z < OPEN:
        return []
    who = " - ".join(spoken(name) for name in closures[0].contestants)
    said = "In standard errors the worst goes round {who}: {z:.1f}."
    return [Sentence(said, who=who, z=closures[0].z)]


def _among(case: Case, circles: Circles) -> Sentence:
    who = count(circles.candidates, case.say.who)
    return joined("", [" ", Sentence("among the {who} with the most results", who=who)])


def _circle(case: Case, triangle: Triangle) -> Sentence:
    """Say that a circle does not close, or that a direct margin differs from the one by way of."""
    a, b, c = (case.name(i) for i in triangle.who)
    say, (ab, bc, ca) = case.say, triangle.margins
    error = say.error(triangle.curl)
    if min(ab, bc, ca) > 0:
        return Sentence(
            "{one}, {two}, yet {three}, off by {error}",
            one=say.margin(a, b, ab),
            two=say.margin(b, c, bc),
            three=say.margin(c, a, ca),
            error=error,
        )
    # Turned so that the direct margin is the largest of the three.
    margin, (first, last, between) = max((ab, (a, b, c)), (bc, (b, c, a)), (ca, (c, a, b)))
    return Sentence(
        "{direct}, but by way of {between} it would be {via}, off by {error}",
        direct=say.margin(first, last, margin),
        between=spoken(between),
        via=say.signed(margin - triangle.curl),
        error=error,
    )


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
        Sentence("{many} far from expected", many=count(many, "result")),
        Sentence(
            "The most surprising result: {result}, {times:.1f} times the usual error; {many} of"
            " {all:,} {many:is/are} beyond {far:g} times.",
            result=_result(case, top),
            times=float(times[top]),
            many=count(many, "result"),
            all=len(times),
            far=FAR,
        ),
        Sentence("Look for slips of the pen there first; with p = 1 they would count less.")
        if many
        else "",
        {
            "usual_error": usual,
            "beyond": many,
            "results": [
                {**_result_as_dict(case, i), "times_usual": float(times[i])} for i in order.tolist()
            ],
        },
    )


def _result(case: Case, row: int) -> Sentence:
    problem, gap = case.ratings.problem, float(case.left.each[row])
    by, better = _by(case, gap), gap > 0
    if problem.directed:
        said = (
            "{judgment} is {by} better for the first than the ratings say",
            "{judgment} is {by} worse for the first than the ratings say",
        )
        return Sentence(said[0] if better else said[1], judgment=case.contest(row), by=by)
    who, where = case.name(problem.who[row]), case.contest(int(problem.contest_of_entry[row]))
    said = (
        "{who} did {by} better than expected in {where}",
        "{who} did {by} worse than expected in {where}",
    )
    return Sentence(said[0] if better else said[1], who=spoken(who), by=by, where=where)


def _by(case: Case, gap: float) -> str:
    amount = case.say.amount(gap)
    return Sentence("{amount} times", amount=amount) if case.say.by_ratio else amount


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
        told = case.say.either(
            "None of the {contests} of {smallest} or more entrants is out of line.",
            "None of the {contests} with {smallest} or more {candidates} is out of line.",
            contests=count(int(large.sum()), case.say.word),
            smallest=SMALLEST,
        )
        yield Finding("contests", "good", 0, "", told)
        return
    said = []
    if len(against):
        worst = int(against[fits.agreement[against].argmin()])
        said.append(
            case.say.either(
                "{many} {many:orders/order} the entrants against the ratings{most} {contest}"
                " (correlation {agreement:.2f})",
                "{many} {many:orders/order} {candidates} against the ratings{most} {contest}"
                " (correlation {agreement:.2f})",
                many=count(len(against), case.say.word),
                most=_most(against),
                contest=case.contest(worst),
                agreement=float(fits.agreement[worst]),
            )
        )
    if len(wide):
        worst = int(wide[fits.error[wide].argmax()])
        said.append(
            Sentence(
                "{many} with errors beyond {wide:g} times the usual{most} {contest} ({times:.1f}"
                " times)",
                many=count(len(wide), case.say.word),
                wide=WIDE,
                most=_most(wide),
                contest=case.contest(worst),
                times=float(fits.error[worst] / usual),
            )
        )
    found = np.union1d(against, wide)
    yield Finding(
        "contests",
        "note",
        len(found),
        Sentence("{many} out of line", many=count(len(found), case.say.word)),
        Sentence("{said}.", said=joined("; ", said)),
        Sentence("Check their units, their sign and who judged them, or give them less weight."),
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
    return ":" if len(found) == 1 else Sentence(", most of all")


def check_terms(case: Case) -> Check:
    """Say what shared terms are worth, and which of them may be nothing."""
    ratings = case.ratings
    if ratings.terms is None:
        return
    beta, spare = ratings.terms.beta, ratings.misfit.df > 0
    request = IntervalRequest()
    if len(beta) and "term_bounds" not in ratings.__dict__ and are_possible(ratings, request):
        find_intervals(ratings, request)  # what is said has those that were found last
    told = say_terms(ratings)
    details: dict[str, Any] = {"terms": [line.to_dict() for line in list_terms(ratings)]}
    unsure: list[str] = []
    if spare:
        # By squares, whatever the loss: enough to see what may be nothing.
        se = np.sqrt(np.diag(ratings.covariance.of_terms()) * ratings.misfit.variance)
        some = zip(ratings.terms.names, np.abs(beta) < TWO * se, strict=True)
        unsure = [name for name, little in some if little]
        details["se"] = dict(zip(ratings.terms.names, se.tolist(), strict=True))
    yield Finding(
        "covariates",
        "note" if unsure else "good",
        float(len(beta)),
        Sentence("what some covariates are worth is not sure"),
        Sentence("Covariates: {told}.", told=joined("; ", told)),
        Sentence("{names} may be worth nothing.", names=joined(", ", unsure)) if unsure else "",
        details,
    )
