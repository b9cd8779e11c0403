"""Histories: whatever came when, and was withdrawn, corrected, saved: the ratings are the same.

update, remove and correct equal a fit of what is then there; a saved file gives back what was
saved, byte for byte the second time; an L1Stream equals a solution from nothing; a league whose
results come, are corrected and taken back, with who is at home, is what a fit of the rest gives.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import numpy as np

import qrja
from fuzz.kind import Case, Failure, Kind
from fuzz.problems import arguments, loss_name, problem
from fuzz.problems.random import draw_contests
from fuzz.shrink import fewer
from qrja.solvers.l1 import stream as kernels

LOSSES = ["p=1", "p=2", "p=2", "p=inf", "p=1.5", "huber=1", "p=3"]


def draw(rng: np.random.Generator) -> Case:
    """Draw contests of moderate weights, and what happens to them."""
    case = draw_contests(rng)
    mild = {row[0]: float(10.0 ** rng.uniform(-2, 2)) for row in case["contests"]}
    case["contests"] = [[*row[:3], mild[row[0]]] for row in case["contests"]]
    case["loss"] = str(rng.choice(LOSSES))
    case["what"] = str(rng.choice([*ACTIONS]))
    if case["what"] == "stream":
        case["loss"] = "p=1"
    if case["what"] == "league":  # its contests all weigh the same
        case["contests"] = [[*row[:3], 1.0] for row in case["contests"]]
        case["pairs"], case["home"] = "unit", bool(rng.random() < 0.7)
    case["seed"] = int(rng.integers(2**31))
    return case


def check(case: Case) -> None:
    """Do it, and compare with a fit from nothing."""
    rng = np.random.default_rng(case["seed"])
    data = problem(case)
    assert isinstance(data, qrja.Contests)
    try:
        ACTIONS[case["what"]](case, data, rng)
    except qrja.QRJAError as error:
        raise Failure(f"{case['what']} refused for {loss_name(case)}", error) from None
    except Failure:
        raise
    except Exception as error:
        name = type(error).__name__
        raise Failure(f"{name} from {case['what']} for {loss_name(case)}", error) from None


def _update(case: Case, data: qrja.Contests, rng: np.random.Generator) -> None:
    cut = int(rng.integers(0, len(data) + 1))
    if cut in (0, len(data)):
        return
    one, other = data[:cut], data[np.arange(cut, len(data))]
    compare(case, _fit(case, one).update(other), _fit(case, data))


def _remove(case: Case, data: qrja.Contests, rng: np.random.Generator) -> None:
    gone = int(rng.integers(len(data)))
    left = data[np.delete(np.arange(len(data)), gone)]
    if len(left):
        compare(case, _fit(case, data).remove(data.labels[gone]), _fit(case, left))


def _correct(case: Case, data: qrja.Contests, rng: np.random.Generator) -> None:
    place = int(rng.integers(len(case["contests"])))
    rows = [list(row) for row in case["contests"]]
    rows[place][2] = float(rng.integers(-5, 6))
    contest, who, score, _ = rows[place]
    right = problem({**case, "contests": rows})
    compare(case, _fit(case, data).correct(contest, who, score), _fit(case, right))


def _save(case: Case, data: qrja.Contests, rng: np.random.Generator) -> None:
    ratings = _fit(case, data)
    with tempfile.TemporaryDirectory() as folder:
        one, other = Path(folder, "one.qrja"), Path(folder, "other.qrja")
        ratings.save(one)
        again = qrja.load(one)
        again.save(other)
        if one.read_bytes() != other.read_bytes():
            raise Failure("a loaded file is saved otherwise", case["loss"])
    same = (again.solution.x == ratings.solution.x).all() and (
        again.leaderboard() == ratings.leaderboard()
    )
    if not same or repr(again.solution) != repr(ratings.solution):
        raise Failure("a saved file gives back something else", again)


def _stream(case: Case, data: qrja.Contests, rng: np.random.Generator) -> None:
    often = bool(rng.random() < 0.5)
    stream = qrja.L1Stream(pairs=data.pairs, often=often)
    # Solved often, few contests are solved in arrays, as if nothing were compiled.
    ready = (lambda _: False) if often else kernels.is_ready
    with mock.patch.object(kernels, "is_ready", ready):
        for contest in list(data):
            stream.append(contest.who, contest.score, contest.weight)
            if rng.random() < 0.5:
                stream.solve()
        one, cold = stream.solve(), qrja.solve(data, p=1)
    size = max(abs(cold.objective), 1e-7 * _size(data))
    allowed = max(1e-9 * size, one.rounding + cold.rounding, _last_digits(data))
    if one.status != cold.status or abs(one.objective - cold.objective) > allowed:
        raise Failure("a stream differs from a solution from nothing", f"{one!r} {cold!r}")


def _league(case: Case, data: qrja.Contests, rng: np.random.Generator) -> None:
    """Record, correct, take back and undo; somebody is at home where the case says so."""
    races: dict[str, dict[str, float]] = {}
    for contest, who, score, _ in case["contests"]:
        races.setdefault(f"c{contest:g}", {})[f"r{who:g}"] = float(score)
    home = {
        label: str(rng.choice([*told, ""])) if case["home"] else "" for label, told in races.items()
    }
    model = {**arguments(case), **({"home": True} if case["home"] else {})}
    with qrja.League.open(":memory:") as league:
        league.change_model(**model)
        for label, told in races.items():
            league.record(label, dict(told), **({"home": home[label]} if home[label] else {}))
            if rng.random() < 0.3:
                who = str(rng.choice([*told]))
                told[who] = float(rng.integers(-5, 6))
                league.correct(label, who, told[who])
            if rng.random() < 0.2:
                _ = league.ratings
        if len(races) > 1 and rng.random() < 0.5:
            label = str(rng.choice([*races]))
            league.remove(label)
            if rng.random() < 0.5:
                league.undo()
            else:
                del races[label]
        found = league.ratings
    rows = [(label, who, score) for label, told in races.items() for who, score in told.items()]
    at_home = [1.0 if home[label] == who else 0.0 for label, who, _ in rows]
    known = {"home": at_home} if case["home"] and any(at_home) else None
    columns = (list(column) for column in zip(*rows, strict=True))
    left = qrja.Contests.from_arrays(*columns, covariates=known)
    if known:
        try:
            expected = qrja.fit(left, **model)
        except qrja.InputError:  # nothing tells what home is worth
            return
    else:
        expected = qrja.fit(left, **arguments(case))
    compare(case, found, expected)
    solution = found.solution
    if solution.status == "optimal" and not solution.check(found.problem).holds:
        raise Failure(f"the proof of a league does not hold for {loss_name(case)}", solution)


def _last_digits(data: qrja.Contests) -> float:
    """Return what the loss differs by if scores are decimals as written, or floats."""
    at_most = np.maximum.reduceat(np.spacing(np.abs(data.score)), data.start[:-1])
    return float(at_most @ (data.pair_weight * data.sizes * (data.sizes - 1) / 2))


def _fit(case: Case, data: qrja.Contests) -> qrja.Ratings:
    return qrja.fit(data, **arguments(case))


def compare(case: Case, one: qrja.Ratings, other: qrja.Ratings) -> None:
    """Both have the same candidates, and objectives that differ by no more than they admit."""
    name = f"{case['what']} for {loss_name(case)}"
    if set(one.data.names) != set(other.data.names):
        raise Failure(f"other candidates after {name}", f"{one.data.names} {other.data.names}")
    first, second = one.solution, other.solution
    floor = 1e-6 ** (2 if case["loss"] == "p=2" else 1) * _size(other.data)
    size = max(abs(second.objective), floor)
    if not abs(first.objective - second.objective) <= (1e-6 + first.gap + second.gap) * size:
        raise Failure(f"differs from a fit: {name}", f"{first!r} {second!r}")


def _size(data: qrja.Contests) -> float:
    """Return the loss, roughly, of all scores being 0."""
    margins = data.to_judgments()
    return float(margins.w @ (np.abs(margins.y) + margins.y**2))


ACTIONS = {
    "update": _update,
    "remove": _remove,
    "correct": _correct,
    "save": _save,
    "stream": _stream,
    "league": _league,
}


def shrink(case: Case) -> Iterator[Case]:
    """Yield fewer rows."""
    for rows in fewer(case["contests"]):
        yield {**case, "contests": rows}


KIND = Kind(
    name="histories",
    about="update, remove, correct, save, stream, league: the same as a fit from nothing",
    draw=draw,
    check=check,
    shrink=shrink,
    together=25,
    ordinary=80,
)
