"""Models: shared terms, pulled or not, strengths that move, contexts, parts: nobody does better.

The whole problem, ties between periods or contexts included, is written out and minimised once
more, by linear programs, least squares or a general minimiser on dense matrices.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

import qrja
from fuzz.kind import Case, Failure, Kind
from fuzz.shrink import fewer
from qrja.losses import Power
from reference.parts import least_cost
from reference.terms import dense, least_huber_loss, least_loss, least_pulled_loss

POWERS = ["1", "1.5", "2", "2", "3", "inf"]
OF_PARTS = ["1", "1.2", "1.5", "2", "2", "3", "8", "huber", "logcosh"]
WHAT = [
    "home",
    "covariate",
    "pulled",
    "drift",
    "drift and home",
    "contexts",
    "parts",
    "parts and home",
]
CLAIMED = 1e-6
"""What a minimiser that knows no proof is trusted with."""


def draw(rng: np.random.Generator) -> Case:
    """Draw contests with dates, covariates and contexts, in some unit, and what to ask of them."""
    what = str(rng.choice(WHAT))
    n, contests = int(rng.integers(3, 7)), int(rng.integers(3, 14))
    size = 2 if what in ("home", "drift and home") else int(rng.integers(2, min(n, 4) + 1))
    unit = float(10.0 ** rng.uniform(-6, 6))
    strength, decimals = rng.normal(size=n), int(rng.integers(0, 4))
    days = np.sort(rng.integers(0, int(rng.choice([30, 700, 4000])), contests)).tolist()
    rows = []
    for contest, day in enumerate(days):
        voter = int(rng.integers(3))
        for place, who in enumerate(rng.permutation(n)[:size].tolist()):
            score = strength[who] + 0.5 * (place == 0) + rng.standard_t(3)
            other = float(rng.integers(0, 5))
            score = unit * float(np.round(score + 0.2 * other, decimals))
            rows.append([contest, who, score, day, other, voter])
    speed = f"{unit * 10.0 ** rng.uniform(-1.5, 1):.6g} per year"
    power = str(rng.choice(OF_PARTS if "parts" in what else POWERS))
    if what in ("home", "covariate") and rng.random() < 0.3:
        power = "auto"
    case = {"what": what, "p": power, "rows": rows, "unit": unit, "drift": speed}
    if what == "pulled":
        degree = 1.0 if power in ("1", "inf") else float(power)
        case["ridge"] = float(10.0 ** rng.uniform(-3, 3)) * unit ** (degree - 2)
        case["some"] = bool(rng.random() < 0.3)
    return case


def check(case: Case) -> None:
    """Rate, and look for something better."""
    told = f"{case['what']}, p = {case['p']}"
    contest, who, score, day, other, voter = map(list, zip(*case["rows"], strict=True))
    first = [1.0 if k == 0 or contest[k] != contest[k - 1] else 0.0 for k in range(len(contest))]
    covariates = {"home": first, "other": other, "voter": [f"voter {v}" for v in voter]}
    try:
        data = qrja.Contests.from_arrays(
            contest, who, score, np.datetime64("2020-01-01") + np.array(day), covariates=covariates
        )
        ratings = qrja.fit(data, **_loss(case), **_asked(case))
    except qrja.InputError:
        return  # a sentence: a term that cannot be told apart, too few results
    except Exception as error:
        raise Failure(f"{type(error).__name__} for {told}", error) from None
    if "parts" in case["what"]:
        compare_parts(ratings, case, told)
        return
    if case["p"] == "auto":
        compare_chosen(ratings, case, told)
        return
    p = float(case["p"])
    if ratings.solution.moved is None or ratings.solution.tied is not None:
        compare(ratings, data, p, case, told)  # else nobody met anybody


def _asked(case: Case) -> dict[str, object]:
    return {
        "home": {"home": True},
        "covariate": {"covariates": ["other"]},
        "pulled": {
            "covariates": ["home", "other"],
            "covariate_ridge": {"other": case.get("ridge")}
            if case.get("some")
            else case.get("ridge"),
        },
        "drift": {"drift": case["drift"]},
        "drift and home": {"drift": case["drift"], "home": True},
        "contexts": {"per": "voter"},
        "parts": {"parts": ["voter"]},
        "parts and home": {"parts": ["voter"], "home": True},
    }[case["what"]]


def _loss(case: Case) -> dict[str, object]:
    """Say which loss: of parts those of a parameter too, which is a margin."""
    if case["p"] in ("huber", "logcosh"):
        kind = qrja.losses.Huber if case["p"] == "huber" else qrja.losses.LogCosh
        return {"loss": kind(case["unit"])}
    return {"p": "auto" if case["p"] == "auto" else float(case["p"])}


def compare(ratings: qrja.Ratings, data: qrja.Contests, p: float, case: Case, told: str) -> None:
    """Everything told is true, and nothing is better."""
    solution, problem = ratings.solution, ratings.problem
    whole = problem if solution.terms is None else solution.terms.put_back(problem)
    if solution.moved is not None:
        problem, whole = solution.moved.tie(problem), solution.moved.tie(whole)
    rows, y, w = dense(problem, np.zeros((problem.entries, 0)))
    x = solution.x if solution.tied is None else solution.tied.x
    left = np.abs(y - rows @ x)
    value = float((w * left).max(initial=0.0) if math.isinf(p) else w @ left**p)
    pulls = np.zeros(2)
    if "ridge" in case and solution.terms is not None:
        pulls[:] = [0.0 if case["some"] else case["ridge"], case["ridge"]]
        found = dict(zip(solution.terms.names, solution.terms.beta, strict=True))
        value += float(pulls @ [found.get(name, 0.0) ** 2 for name in ("home", "other")])
    power = 1.0 if math.isinf(p) else p
    size = max(value, 1e-9 * float(w.max(initial=0.0)) * float(np.abs(y).max(initial=0.0)) ** power)
    if not abs(solution.objective - value) <= CLAIMED * size:
        raise Failure(f"objective is not that of x: {told}", f"{solution!r}: {value!r}")
    z = np.zeros((whole.entries, 0 if solution.terms is None else 1))
    if "ridge" in case and solution.terms is not None:
        z = np.stack([column.values for column in data.covariates[:2]], axis=1)
        in_unit = pulls * case["unit"] ** (2 - power)
        least = least_pulled_loss(_in_unit(whole, case["unit"]), z, p, in_unit)
    else:
        if solution.terms is not None:
            column = 0 if "home" in case["what"] else 1
            z[: data.entries, 0] = data.covariates[column].values
        least, _ = least_loss(_in_unit(whole, case["unit"]), z, p)
    least *= case["unit"] ** power
    says = f"{solution!r} lower_bound={solution.lower_bound!r}, another has {least!r}"
    if solution.lower_bound > least + CLAIMED * size:
        raise Failure(f"lower bound above the optimum: {told}", says)
    if value - least > CLAIMED * size:
        claim = "false proof" if solution.status == "optimal" else "gave up"
        raise Failure(f"{claim}: {told}", says)
    if not solution.check(ratings.problem).holds:
        raise Failure(f"the proof does not hold: {told}", says)


def compare_chosen(ratings: qrja.Ratings, case: Case, told: str) -> None:
    """What was chosen is solved: its weights, loss and ridge are written out from the rows."""
    solution, model, unit = ratings.solution, ratings.model, case["unit"]
    if not solution.check(ratings.problem).holds:
        raise Failure(f"the proof does not hold: {told}", solution)
    rows, y, w = _chosen_pairs(ratings, case)
    n, found = ratings.problem.n, solution.terms
    held = np.append(np.full(n, model.ridge), 0.0)
    delta = math.inf if model.loss is None else model.loss.window / unit
    # Huber's loss is half the square: so are its weight and its ridge, and twice what it costs.
    share = 2.0 if model.loss is None else 1.0

    def cost(v: np.ndarray) -> float:
        r = np.abs(y - rows @ v)
        within = np.minimum(r, delta)
        return float(share * w @ (within * (r - within / 2)) + held @ v**2) * unit**2

    beta = 0.0 if found is None or not len(found.beta) else float(found.beta[0])
    value = cost(np.append(solution.x, beta) / unit)
    least, _ = least_huber_loss(rows, y, share * w, delta, held)
    least *= unit**2
    size = max(value, 1e-9 * float(w.max(initial=0.0)) * float(np.abs(y).max(initial=0.0)) ** 2)
    says = f"{solution!r} lower_bound={solution.lower_bound!r}: {value!r}, another has {least!r}"
    says = f"{model.half_life} {model.loss} {model.ridge} {says}"
    if not abs(solution.objective - value) <= CLAIMED * size:
        raise Failure(f"objective is not that of x: {told}", says)
    if solution.lower_bound > least + CLAIMED * size:
        raise Failure(f"lower bound above the optimum: {told}", says)
    if value - least > CLAIMED * size:
        claim = "false proof" if solution.status == "optimal" else "gave up"
        raise Failure(f"{claim}: {told}", says)


def _chosen_pairs(ratings: qrja.Ratings, case: Case) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Write out a row for each pair, its margin in the unit, and what it weighs by its age."""
    life, contests = ratings.model.half_life, sorted({row[0] for row in case["rows"]})
    number = ratings.data.number
    pairs, margins, weights = [], [], []
    for age, contest in enumerate(reversed(contests)):
        entries = [row for row in case["rows"] if row[0] == contest]
        old = 1.0 if life is None else max(2.0 ** (-age / life.length), 2.0**-20)
        for i, one in enumerate(entries):
            for other in entries[i + 1 :]:
                pair = np.zeros(ratings.problem.n + 1)
                pair[number[one[1]]] += 1
                pair[number[other[1]]] -= 1
                # The first of each contest is at home.
                pair[-1] = float(i == 0) if case["what"] == "home" else one[4] - other[4]
                pairs.append(pair)
                margins.append((one[2] - other[2]) / case["unit"])
                weights.append(old / (len(entries) - 1))
    return np.array(pairs), np.array(margins), np.array(weights)


def compare_parts(ratings: qrja.Ratings, case: Case, told: str) -> None:
    """Everything told is true, and nothing costs less: the pulls of members are learned."""
    solution, unit = ratings.solution, case["unit"]
    parts, terms = solution.parts, solution.terms
    if parts is None or not ratings.problem.m:
        return  # nobody met anybody
    if not solution.check(ratings.problem).holds:
        raise Failure(f"the proof does not hold: {told}", solution)
    whole = ratings.problem if terms is None else terms.put_back(ratings.problem)
    whole = _in_unit(parts.put_back(whole), unit)
    z = np.zeros((whole.entries, 0 if terms is None else 1))
    if terms is not None:
        z[:, 0] = whole.covariates[0].values
    loss = _loss({**case, "unit": 1.0}).get("loss") or Power(float(case["p"]))
    degree = loss.power or 2.0
    pulls = replace(parts, pull=parts.pull * unit ** (2 - degree))
    least = least_cost(whole, pulls, loss, z) * unit**degree
    size = max(solution.objective, 1e-9 * float(whole.pair_weight.max()) * unit**degree)
    says = f"{solution!r} lower_bound={solution.lower_bound!r}, another has {least!r}"
    if solution.lower_bound > least + CLAIMED * size:
        raise Failure(f"lower bound above the optimum: {told}", says)
    if solution.objective - least > CLAIMED * size:
        claim = "false proof" if solution.status == "optimal" else "gave up"
        raise Failure(f"{claim}: {told}", says)


def _in_unit(problem: qrja.Contests, unit: float) -> qrja.Contests:
    """Return the problem in a unit that suits minimisers."""
    return problem.with_score(problem.score / unit)


def shrink(case: Case) -> Iterator[Case]:
    """Yield fewer rows."""
    for rows in fewer(case["rows"]):
        yield {**case, "rows": rows}


KIND = Kind(
    name="models",
    about="shared terms, pulled too, strengths that move, contexts, parts: dense minimisers agree",
    draw=draw,
    check=check,
    shrink=shrink,
    together=10,
    ordinary=40,
)
