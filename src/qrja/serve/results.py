"""Results as a page or a program sees them: of a contestant, and of a contest.

a result is  score - mean(field) = (rating - mean(field of ratings)) + surprise
"""

from __future__ import annotations

from typing import Any

import numpy as np

from qrja.errors import InputError, nearest
from qrja.league import HeldContest
from qrja.ratings import Ratings, Wording
from qrja.serve.live import Live
from qrja.tables import Units
from qrja.tables.values import show_date

MOVED = 12
"""Contestants whom a contest moved that are shown, the furthest first."""


class UnknownNameError(InputError):
    """There is nobody and nothing of this name."""


def contestant_results(live: Live, name: str) -> dict[str, Any]:
    """Return the rating of a contestant and every result, the last first."""
    state = live.league.state
    called = state.called(name)
    answer = live.board()
    found = _find(answer.value, called)
    if found is None:
        names = [str(it["contestant"]) for it in _lines(answer.value)]
        raise UnknownNameError(f"there is no contestant {name!r}{nearest(name, names)}")
    ratings = live.league.ratings
    told = [
        _of_contest(contest, ratings)[called] | _about(contest)
        for contest in state.contests.values()
        if called in contest.results
    ]
    for key, one in state.judgments.items():
        if called in (one.a, one.b):
            shown = ratings.units.show(one.y)
            told.append({"judgment": key, "a": one.a, "b": one.b, "margin": shown} | _judge(one))
    told.sort(key=lambda one: str(one.get("date", "")))
    as_of = {"event": answer.event, "at": answer.at}
    history = [{"when": when, "rating": rating} for when, rating in live.history(called)]
    return {"as_of": as_of, **found, "results": told[::-1], "history": history}


def contest_results(live: Live, label: str) -> dict[str, Any]:
    """Return the results of a contest, the best first."""
    state = live.league.state
    contest = state.contests.get(label)
    if contest is None:
        raise UnknownNameError(f"there is no contest {label!r}{nearest(label, state.contests)}")
    lines = _of_contest(contest, live.league.ratings)
    rows = [{"contestant": name, **line} for name, line in lines.items()]
    as_of = {"event": state.number, "at": state.at}
    return {"as_of": as_of, **_about(contest), "results": rows}


def effect_of(ratings: Ratings, contest: str) -> list[dict[str, Any]] | None:
    """Return whom a contest moved, the furthest first; None if nothing is left without it.

    Examples
    --------
    >>> import qrja
    >>> races = qrja.Contests.from_arrays("RROO", ["Ann", "Bob"] * 2, [3, 1, 2, 4])
    >>> moved = effect_of(qrja.fit(races), "O")
    >>> [(one["contestant"], one["change"]) for one in moved]
    [('Ann', -1.0), ('Bob', 1.0)]
    """
    if len(ratings.data) < 2:
        return None
    before = ratings.remove(contest)
    say = Wording(ratings.units, ratings.problem.nouns)
    return [
        {
            "contestant": one.contestant,
            "was": one.rank_before,
            "rank": one.rank,
            "rating": one.rating,
            "shown": ratings.units.show(one.rating),
            "change": one.change,
            "change_shown": "" if one.change is None else str(say.signed(one.change)),
        }
        for one in ratings.changes_since(before).moved()[:MOVED]
    ]


def _of_contest(contest: HeldContest, ratings: Ratings) -> dict[str, dict[str, Any]]:
    """Return for each entrant score, place, and by how much it was better than foretold."""
    names = list(contest.results)
    score = np.array([contest.results[name] for name in names])
    rating = ratings.solution.x[[ratings.problem.number[name] for name in names]]
    surprise = (score - score.mean()) - (rating - rating.mean())
    units, say = ratings.units, Wording(ratings.units, ratings.problem.nouns)
    written = units.as_written(score)
    place = [1 + int((score > own).sum()) for own in score]
    told = {
        name: {
            "place": place[i],
            "of": len(names),
            "score": _score(units, float(written[i])),
            "surprise": float(surprise[i]),
            "surprise_shown": str(say.signed(float(surprise[i]))),
            "against": _against(say, float(surprise[i])),
            **({} if name not in contest.at_home else {"home": True}),
        }
        for i, name in enumerate(names)
    }
    return dict(sorted(told.items(), key=lambda item: int(str(item[1]["place"]))))


def _against(say: Wording, surprise: float) -> str:
    """Say how a result compares with what the ratings say."""
    if say.is_nothing(surprise):
        return "as the ratings say"
    better = "better" if surprise > 0 else "worse"
    return f"{say.error(abs(surprise))} {better} than the ratings say"


def _score(units: Units, value: float) -> str:
    """Write a score as it was typed: goals have no decimals."""
    if units.kind in ("time", "percent"):
        return units.show_written(value)
    return f"{value:.10g}"


def _about(contest: HeldContest) -> dict[str, Any]:
    told: dict[str, Any] = {"contest": contest.label}
    if contest.date is not None:
        told["date"] = show_date(contest.date)
    return told


def _judge(one: Any) -> dict[str, Any]:
    return {} if one.judge is None else {"judge": one.judge}


def _lines(board: dict[str, Any]) -> list[dict[str, Any]]:
    return [line for group in board["components"] for line in group["leaderboard"]]


def _find(board: dict[str, Any], name: str) -> dict[str, Any] | None:
    for group in board["components"]:
        for line in group["leaderboard"]:
            if line["contestant"] == name:
                return {**line, "group_size": group["size"]}
    return None
