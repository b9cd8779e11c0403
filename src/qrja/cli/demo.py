"""``qrja demo``: the main job on embedded data, explained."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from qrja.cli import options
from qrja.cli.output import aligned, say, say_json

if TYPE_CHECKING:
    from qrja.contests import Contests
    from qrja.ratings import Ratings
    from qrja.tables import Units

LEADERS = 5


def demo(json: options.Json = False) -> None:
    """Rank the embedded sets and say what the numbers mean.

    \b
    Examples:
      qrja demo
      qrja demo --json
    """
    from qrja.datasets import football, marathons
    from qrja.ratings import fit
    from qrja.tables import Units

    races = marathons()
    runs, matches = fit(races, p=2), fit(football(), p=2)
    means = mean_scores(races)
    if json:
        say_json({"marathons": _runners(runs, means), "football": _leaders(matches)})
        return
    _tell_marathons(races, runs, means, Units("time", lower_is_better=True, decimals=0))
    say()
    _tell_football(matches)
    say("\nNext: qrja rank YOUR.csv, qrja datasets, qrja rank --help")


def mean_scores(contests: Contests) -> dict[str, float]:
    """Average each contestant's scores, blind to who else was in the contest."""
    import numpy as np

    total = np.bincount(contests.who, contests.score)
    means = total / np.bincount(contests.who)
    return {str(name): float(mean) for name, mean in zip(contests.names, means, strict=True)}


def _runners(runs: Ratings, means: dict[str, float]) -> list[dict[str, Any]]:
    by_mean = sorted(means, key=lambda name: -means[name])
    return [
        {
            "rank": row.rank,
            "contestant": str(row.contestant),
            "rating": row.rating,
            "mean": means[str(row.contestant)],
            "rank_by_mean": 1 + by_mean.index(str(row.contestant)),
        }
        for row in runs.leaderboard()
    ]


def _leaders(matches: Ratings) -> list[dict[str, Any]]:
    return [
        {"rank": row.rank, "contestant": row.contestant, "rating": row.rating}
        for row in matches.leaderboard()
        if row.component == 0 and row.rank <= LEADERS
    ]


def _tell_marathons(races: Contests, runs: Ratings, means: dict[str, float], clock: Units) -> None:
    say("Three marathons: Alice and Bob ran all of them, Charlie only Chicago, the fast course.\n")
    rows = [
        [
            str(it["rank"]),
            it["contestant"],
            clock.show(it["rating"]),
            str(it["rank_by_mean"]),
            clock.show(-it["mean"]).lstrip("+"),
        ]
        for it in _runners(runs, means)
    ]
    header = ["rank", "runner", "rating", "rank by mean", "mean time"]
    say(aligned(header, rows, left=["runner"]))
    rating = dict(zip(map(str, races.names), runs.solution.x.tolist(), strict=True))
    chicago = races[[races.labels.index("Chicago")]]
    lead = dict(zip(map(str, chicago.names), chicago.score.tolist(), strict=True))
    say(
        "\nThe mean is wrong about Bob and Charlie. It puts Charlie"
        f" {clock.show(means['Charlie'] - means['Bob']).lstrip('+')} ahead, only because Charlie"
        "\nnever ran the slow courses. In Chicago, the one race they shared, Bob was"
        f" {clock.show(lead['Bob'] - lead['Charlie']).lstrip('+')} faster.\nqrja compares runners"
        f" within a race and rates Bob {clock.show(rating['Bob'] - rating['Charlie']).lstrip('+')}"
        " ahead: a rating is in the units\nof the data, and a difference of two ratings is the"
        " margin to expect."
    )


def _tell_football(matches: Ratings) -> None:
    contests, solution = matches.problem, matches.solution
    groups = int(solution.components.max()) + 1
    say(
        f"{len(contests)} football matches of {contests.n} teams, rated in goals."
        f" {groups} groups of teams never met,\nso each has a table of its own;"
        " the largest one begins:\n"
    )
    rows = [
        [str(it["rank"]), str(it["contestant"]), matches.units.show(it["rating"])]
        for it in _leaders(matches)
    ]
    say(aligned(["rank", "team", "rating"], rows, left=["team"]))
    say(
        f"\nProof: no ratings fit these matches better than by {solution.gap:.0e} of the loss"
        f" ({solution.iterations} steps, {solution.seconds:.2f} s)."
    )
