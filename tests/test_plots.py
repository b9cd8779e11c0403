"""Pictures: what stands in them, in figures of their own or in axes that are given."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

import qrja
from qrja.plots import save_picture
from qrja.plots.axis_labels import cut_name, name_and_rank, time_step
from qrja.ratings.pictures import KINDS
from qrja.ratings.predict import Prediction
from qrja.ratings.predict.track_record import beats

NAMES = ["Ann", "Bob", "Cid", "Eve"]


def season() -> bytes:
    rng = np.random.default_rng(1)
    rows = ["race,runner,time,date"]
    for race in range(12):
        for k, name in enumerate(NAMES):
            seconds = int(10_000 + 900 * k + rng.normal(0, 500))
            clock = f"{seconds // 3600}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
            rows.append(f"R{race},{name},{clock},2024-{race // 2 + 1:02d}-01")
    return "\n".join(rows).encode()


@pytest.fixture(scope="module")
def ratings() -> qrja.Ratings:
    return qrja.fit(io.BytesIO(season()))


def texts(figure: Figure) -> str:
    return " | ".join(
        text.get_text() for text in figure.findobj(match=lambda it: hasattr(it, "get_text"))
    )


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_drawn_into_axes_that_are_given(ratings: qrja.Ratings, kind: str) -> None:
    figure = Figure()
    left, right = figure.subplots(1, 2)
    assert ratings.plot(kind, ax=left, title="A $x$ title") is figure
    assert left.has_data()
    assert not right.has_data()
    assert left.get_title(loc="left") == r"A \$x\$ title"


def test_a_figure_of_its_own_shows_itself(ratings: qrja.Ratings) -> None:
    figure = ratings.plot(top=2)
    assert figure._repr_png_().startswith(b"\x89PNG")
    assert [it.get_text() for it in figure.axes[0].get_yticklabels()] == ["Ann  1", "Bob  2"]


def test_times_tick_at_round_times(ratings: qrja.Ratings) -> None:
    axis = ratings.plot().axes[0].xaxis
    steps = np.diff(axis.get_majorticklocs())
    assert set(steps) <= {600.0, 900.0, 1800.0}


@pytest.mark.parametrize("kind", ["ratings", "forest", "history", "critical"])
def test_percent_tick_at_round_percent(kind: str) -> None:
    axes = qrja.fit(io.BytesIO(season()), scale="log").plot(kind).axes[0]
    axis = axes.yaxis if kind == "history" else axes.xaxis
    percent = 100 * np.expm1(axis.get_majorticklocs())
    assert len(percent) > 2
    assert percent == pytest.approx(np.round(percent))


@pytest.mark.parametrize(
    ("span", "step"), [(7200, 1800), (3600, 600), (90, 15), (12 * 86400, 2 * 86400), (0.03, 0.005)]
)
def test_steps_of_times(span: float, step: float) -> None:
    assert time_step(span) == pytest.approx(step)


def test_long_names_keep_both_ends() -> None:
    cut = cut_name("Müller-Lüdenscheidt vom Turnverein, Ingrid")
    assert len(cut) == 30
    assert cut.startswith("Müller-")
    assert cut.endswith("Ingrid")
    assert name_and_rank("אב", 3) == "\u200eאב\u200e  3"


def test_a_forest_is_of_differences_from_the_reference(ratings: qrja.Ratings) -> None:
    axes = ratings.plot("forest", reference="Bob").axes[0]
    assert [it.get_text() for it in axes.get_yticklabels()] == ["Ann", "Cid", "Eve"]
    assert axes.get_xlabel() == "better than Bob by"
    drawn = axes.lines[-1].get_xdata()
    x = dict(zip(ratings.problem.names, ratings.solution.x, strict=True))
    assert drawn == pytest.approx([x[name] - x["Bob"] for name in ("Ann", "Cid", "Eve")])


def test_a_league_table_holds_every_difference(ratings: qrja.Ratings) -> None:
    shown = texts(ratings.plot("league"))
    x = dict(zip(ratings.problem.names, ratings.solution.x, strict=True))
    for a in NAMES:
        for b in NAMES:
            if a != b:
                assert ratings.units.show(x[a] - x[b]) in shown


def test_a_history_has_one_step_a_day(ratings: qrja.Ratings) -> None:
    line = ratings.plot("history", who=["Bob"]).axes[0].lines[0]
    assert len(line.get_xdata()) == 6  # two races on each of six days


def test_lines_of_a_network_are_as_wide_as_meetings_are_many() -> None:
    judged = qrja.Judgments.from_arrays("aaab", "bbbc", [1, 1, 1, 1])
    lines = qrja.fit(judged).plot("network").axes[0].lines
    assert lines[0].get_linewidth() == 3 * lines[1].get_linewidth()


def test_who_cannot_be_told_apart_is_joined() -> None:
    scores = [9.0, 9.1, 1, 9.1, 8.9, 1.2, 9.0, 9.2, 0.9, 9.2, 9.1, 1.1, 9.05, 8.9, 1.0, 8.9, 9.0, 1]
    races = qrja.Contests.from_arrays(np.repeat(range(6), 3), list("abc") * 6, scores)
    axes = qrja.fit(races).plot("critical").axes[0]
    thick = [line for line in axes.lines if line.get_linewidth() == 4]
    assert len(thick) == 1
    low, high = sorted(thick[0].get_xdata())
    assert high - low < 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"kind": "legue"}, "no kind of plot 'legue'; did you mean 'league'?"),
        ({"kind": "league", "reference": "Bob"}, "a reference is for a forest, not for the kind"),
        ({"kind": "forest", "reference": "Bub"}, "did you mean 'Bob'?"),
        ({"who": ["Bub"]}, "did you mean 'Bob'?"),
        ({"top": 0}, "top is 0"),
        ({"level": 2}, "level is 2"),
    ],
)
def test_mistakes(ratings: qrja.Ratings, arguments: dict[str, object], message: str) -> None:
    with pytest.raises(qrja.InputError, match=message.replace("?", r"\?")):
        ratings.plot(**arguments)  # type: ignore[arg-type]


def test_judgments_without_dates_have_no_history() -> None:
    judged = qrja.fit(qrja.Judgments.from_arrays("ab", "bc", [1, 1]))
    with pytest.raises(qrja.InputError, match="these judgments have no dates; name"):
        judged.plot("history")


def test_the_same_picture_is_the_same_file(ratings: qrja.Ratings, tmp_path: Path) -> None:
    for name in ("one.svg", "two.svg"):
        save_picture(ratings.plot("network"), tmp_path / name)
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()


@pytest.mark.parametrize("tail", [4.0, float("inf")])
def test_chances_of_the_past_are_those_of_predictions(tail: float) -> None:
    expected, spread = np.array([0.0, 2.0]), np.array([1.0, 3.0])
    exact = Prediction(("a", "b"), expected, expected, spread, tail).probability("b", "a")
    found = beats(np.array([2.0]), spread[1:], spread[:1], tail)[0]
    assert found == pytest.approx(exact, abs=2e-3)


def test_honest_forecasts_come_true() -> None:
    made = qrja.datasets.synthetic_races(races=150, entrants=12, field=6, turnover=0)
    table = qrja.fit(made.contests).reliability(5)
    forecast, happened = np.array(table["forecast"]), np.array(table["happened"])
    assert (np.abs(forecast - happened) < 4 * np.array(table["se"]) + 0.01).all()
    assert sum(table["pairs"]) == pytest.approx(149 * 15, rel=0.1)
