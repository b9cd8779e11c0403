"""``qrja demo``: a tour on embedded data.

The stops, in order: why the mean misleads, a leaderboard with intervals, a prediction, an
explanation, the verdict on trust, a back-test, a report. Each is one ``_tell_`` function, called by
:func:`demo`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from qrja.cli import options
from qrja.cli.output import say, say_json, say_table, say_text, working, wrote

if TYPE_CHECKING:
    from qrja.backtesting import Backtest
    from qrja.data import Contests
    from qrja.ratings import Ratings
    from qrja.ratings.board import Standings
    from qrja.tables import Units

LEADERS = 5
FIRST, SECOND, OTHER = "Barcelona", "R. Madrid", "Sevilla"
"""Teams of the football set that the tour speaks of."""

SEASON = 380
"""Matches of a season in their league."""

TRIED = ("qrja-l2", "mean", "median", "borda", "elo")
"""Those fast rankers that a new installation need not compile much for."""

NEXT = """Try next:
  qrja rank YOUR.csv     your own results; columns are recognised by their names
  qrja trust YOUR.csv    how far to trust the ratings, and what to do about it
  qrja report YOUR.csv   all of it in one page, to look around in and to send"""

Page = Annotated[
    Path, typer.Option("--out", "-o", metavar="FILE", help="Write the report of the tour here.")
]


def demo(out: Page = Path("demo/report.html"), json: options.Json = False) -> None:
    """Take a tour on embedded data, from a leaderboard to a back-test and a report.

    \b
    Examples:
      qrja demo
      qrja demo --json --out tour.html
    """
    from qrja.datasets import football, marathons
    from qrja.ratings import fit
    from qrja.report import check_ending
    from qrja.tables import Units

    check_ending(out)
    races = marathons()
    with working("rating two embedded sets"):
        runs, matches = fit(races, p=2), fit(football(), p=2)
    means = mean_scores(races)
    if json:
        told = _report(runs, means, matches)
        season, tried = _try_season(matches)
        _write_page(season, tried, out)
        say_json(told | {"backtest": tried.verdict.to_dict(), "report": str(out)})
        return
    _tell_marathons(races, runs, means, Units("time", lower_is_better=True, decimals=0))
    say()
    _tell_football(matches)
    _tell_prediction(matches)
    _tell_explanation(matches)
    _tell_trust(matches)
    season, tried = _try_season(matches)
    _tell_backtest(tried)
    _write_page(season, tried, out)
    say(f"\nA report on that season, to open in a browser: {out}\n\n{NEXT}")


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


def _report(runs: Ratings, means: dict[str, float], matches: Ratings) -> dict[str, Any]:
    prediction = matches.predict([FIRST, OTHER])
    return {
        "marathons": _runners(runs, means),
        "football": _standings(matches).boards[0][:LEADERS],
        "prediction": {
            "a": FIRST,
            "b": OTHER,
            "margin": prediction.margin(FIRST, OTHER),
            "a_beats_b": prediction.probability(FIRST, OTHER),
        },
        "explanation": matches.explain(FIRST, SECOND).to_dict(),
        "trust": matches.trust().to_dict(),
    }


def _standings(matches: Ratings) -> Standings:
    from qrja.cli.commands import tabulate

    with working("resampling the matches 200 times"):
        return tabulate(matches, options.Sampling(), quiet=True)


def _tell_marathons(races: Contests, runs: Ratings, means: dict[str, float], clock: Units) -> None:
    say("Three marathons: Alice and Bob ran all, Charlie only Chicago, the fast course.\n")
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
    say_table(header, rows, left=["runner"])
    rating = dict(zip(map(str, races.names), runs.solution.x.tolist(), strict=True))
    chicago = races[[races.labels.index("Chicago")]]
    lead = dict(zip(map(str, chicago.names), chicago.score.tolist(), strict=True))
    say()
    say_text(
        "The mean is wrong about Bob and Charlie. It puts Charlie"
        f" {clock.show(means['Charlie'] - means['Bob']).lstrip('+')} ahead, only because Charlie"
        " never ran the slow courses. In Chicago, the one race they shared, Bob was"
        f" {clock.show(lead['Bob'] - lead['Charlie']).lstrip('+')} faster. qrja compares runners"
        f" within a race and rates Bob {clock.show(rating['Bob'] - rating['Charlie']).lstrip('+')}"
        " ahead: a rating is in the units of the data, and a difference of two ratings is the"
        " margin to expect."
    )


def _tell_football(matches: Ratings) -> None:
    from qrja.cli.commands import lay_out

    contests, solution = matches.problem, matches.solution
    groups = int(solution.components.max()) + 1
    say_text(
        f"{len(contests)} football matches of {contests.n} teams, rated in goals. {groups} groups"
        " of teams never met, so each has a table of its own; the largest one begins:"
    )
    say()
    standings = _standings(matches)
    say_table(*lay_out(standings, standings.boards[0][:LEADERS]))
    say()
    say_text(
        "The true rating is between low and high with a probability of 95%, and ranks are those"
        " that chance allows: whole matches were drawn again, 200 times. Proof: no ratings fit"
        f" these matches better than by {solution.gap:.0e} of the loss ({solution.iterations}"
        f" steps, {solution.seconds:.2f} s)."
    )


def _tell_prediction(matches: Ratings) -> None:
    prediction, show = matches.predict([FIRST, OTHER]), matches.units.show
    low, high = prediction.margin_interval(FIRST, OTHER, 0.8)
    say()
    say_text(
        f"A prediction: {FIRST} beats {OTHER} with a probability of"
        f" {prediction.probability(FIRST, OTHER):.0%} (a draw counts half), by"
        f" {show(prediction.margin(FIRST, OTHER))} goals on average; four times out of five by"
        f" between {show(low)} and {show(high)}."
    )


def _tell_explanation(matches: Ratings) -> None:
    told = matches.explain(FIRST, SECOND, chains=1)
    most = max(told.contributions, key=lambda it: it.amount)
    say()
    say_text(
        f"An explanation: {FIRST} is {matches.units.show(told.difference or 0.0)} above {SECOND}."
        f" Every one of {len(told.contributions)} matches has its exact part in that, the largest"
        f" {most.label}: {most.amount:+.2f}. The strongest evidence:"
    )
    say(f"  {told.drawing()}")


def _tell_trust(matches: Ratings) -> None:
    say()
    say_text(f"The verdict on trust: {matches.trust().verdict}")


def _try_season(matches: Ratings) -> tuple[Contests, Backtest]:
    """Back-test the fast rankers on the last season of the league with the leaders."""
    import numpy as np

    from qrja.cli.ranker_trials import need_contests, try_rankers

    contests, group = need_contests(matches.data, "football"), matches.solution.components
    league = np.flatnonzero(group[contests.who[contests.start[:-1]]] == 0)
    season = contests[league[-SEASON:].tolist()]
    return season, try_rankers(season, "the last season", quiet=False, rankers=TRIED)


def _tell_backtest(tried: Backtest) -> None:
    say()
    say_text(
        f"A back-test: the last season of that league, {len(tried.labels)} matches, each predicted"
        f" from those before it by {len(tried.runs)} methods. {tried.verdict.sentence}"
    )


def _write_page(season: Contests, tried: Backtest, out: Path) -> None:
    from qrja.ratings import fit
    from qrja.report import write_report

    with working("writing the report"):
        out.parent.mkdir(parents=True, exist_ok=True)
        write_report(
            fit(season, p=2),
            out,
            title="A season of football",
            source="the last season of the league of Barcelona, of qrja's embedded football",
            backtest=tried.to_dict(),
        )
    wrote(out, quiet=True)
