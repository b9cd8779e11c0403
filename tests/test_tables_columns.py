"""Roles are found in headers as people write them."""

from __future__ import annotations

import io
import re
from dataclasses import fields
from inspect import signature
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import qrja
from qrja.cli.option_groups import Reading
from qrja.tables.roles import ALLOWED, NAMES, NEEDED, ROLES
from qrja.tables.shapes import choose_columns


@pytest.mark.parametrize(
    ("header", "shape", "columns"),
    [
        ("contest,event,place,contestant,score", "entries", "contest,contestant,score"),
        ("Race,Runner,Finish Time", "entries", "Race,Runner,Finish Time"),
        ("event,NAME,Points,Date", "entries", "event,NAME,Points,Date"),
        ("dataset,classifier,accuracy", "entries", "dataset,classifier,accuracy"),
        ("home,away,home_score,away_score", "matches", "home,away,home_score,away_score"),
        ("Team 1,Team 2,Score 1,Score 2", "matches", "Team 1,Team 2,Score 1,Score 2"),
        (
            "date,time,home_team,away_team,home_goals,away_goals",
            "matches",
            "home_team,away_team,home_goals,away_goals,date",
        ),
        ("a,b,y", "judgments", "a,b,y"),
        ("winner,loser,margin,weight", "judgments", "winner,loser,margin,weight"),
        ("winner,loser", "judgments", "winner,loser"),
        ("Winner,Loser,Wsets,Lsets", "matches", "Winner,Loser,Wsets,Lsets"),
        (
            "home_team,away_team,home_score,away_score,winner,loser",
            "matches",
            "home_team,away_team,home_score,away_score",
        ),
        ("a,b,ratio", "judgments", "a,b,ratio"),
        ("Date,W,L,PtsW,PtsL", "matches", "W,L,PtsW,PtsL,Date"),
        (
            "tourney_date,winner_id,winner_name,loser_id,loser_name,score",
            "judgments",
            "winner_name,loser_name,tourney_date",
        ),
        (
            "home_team_id,home_team,away_team_id,away_team,hgoal,vgoal",
            "matches",
            "home_team,away_team,hgoal,vgoal",
        ),
        ("round,hteam,ateam,hscore,ascore", "matches", "hteam,ateam,hscore,ascore"),
        ("home,visitor,home_runs,visitor_runs", "matches", "home,visitor,home_runs,visitor_runs"),
        ("Datum;Heim;Gast;Tore Heim;Tore Gast", "matches", "Heim;Gast;Tore Heim;Tore Gast;Datum"),
        ("race_id,horse,position", "entries", "race_id,horse,position"),
        ("race,horse,position,time", "entries", "race,horse,time"),
    ],
)
def test_headers(header: str, shape: str, columns: str) -> None:
    roles = choose_columns(tuple(re.split("[,;]", header)), {})
    assert roles.shape == shape
    assert list(roles.column.values()) == re.split("[,;]", columns)
    assert roles.guessed == tuple(roles.column)


def test_two_columns_of_scores_are_told_before_a_wide_table_is_looked_for() -> None:
    text = b"""Game,Round,Home.Team,Away.Team,Home.Goals,Home.Points,Away.Goals,Away.Points
1,R1,A,B,10,65,8,53\n"""
    words = "2 columns may be the home score: 'Home.Goals', 'Home.Points'; say which"
    with pytest.raises(qrja.InputError, match=words):
        qrja.read_table(io.BytesIO(text))


def test_of_places_the_lower_are_better() -> None:
    text = b"race,horse,position\nA,x,1\nA,y,2\nA,z,3\nB,x,1\nB,y,\\N\nB,z,2\n"
    table = qrja.read_table(io.BytesIO(text))
    assert table.problem.score.tolist() == [-1, -2, -3, -1, -2]
    said = "the scores are called 'position': lower is taken to be better"
    assert said in table.summary.notes


def test_what_is_given_is_not_guessed() -> None:
    columns = ("race", "runner", "player", "time", "date")
    roles = choose_columns(columns, {"contestant": "player", "date": ""})
    assert roles.column == {"contest": "race", "contestant": "player", "score": "time"}
    assert roles.guessed == ("contest", "score")
    assert roles.notes(columns) == [
        "guessed from the header: contest is 'race', score is 'time'",
    ]


def test_a_given_column_is_not_guessed_for_another_role() -> None:
    roles = choose_columns(("event", "name", "team", "result"), {"contest": "team"})
    assert roles.column["contestant"] == "name"


def test_given_columns_choose_the_shape() -> None:
    both = ("contest", "contestant", "score", "a", "b", "y")
    assert choose_columns(both, {"y": "y"}).shape == "judgments"
    assert choose_columns(both, {"score": "score"}).shape == "entries"


def test_y_or_ratio_as_said() -> None:
    columns = ("a", "b", "y", "ratio")
    assert choose_columns(columns, {"y": "y"}).column == {"a": "a", "b": "b", "y": "y"}
    assert "y" not in choose_columns(columns, {"ratio": "ratio"}).column
    assert "ratio" in choose_columns(columns, {"y": ""}).column
    with pytest.raises(qrja.InputError) as caught:
        choose_columns(columns, {})
    assert (
        str(caught.value) == "the judgment may be in any of 'y', 'ratio'; say which is y or ratio"
    )
    with pytest.raises(qrja.InputError) as caught:
        choose_columns(columns, {"y": "y", "ratio": "ratio"})
    assert str(caught.value) == "y and ratio do not go together; name one of them"
    assert choose_columns(("race", "team", "time", "margin", "ratio"), {}).shape == "entries"


def test_two_spellings_of_a_role_are_ambiguous() -> None:
    with pytest.raises(qrja.InputError) as caught:
        choose_columns(("race", "runner", "Score", "score"), {})
    assert str(caught.value) == "2 columns may be the score: 'Score', 'score'; say which"
    with pytest.raises(qrja.InputError) as caught:
        choose_columns(("race", "runner", "score", "race date", "day"), {})
    assert str(caught.value) == "2 columns may be the date: 'race date', 'day'; say which"


def test_every_role_is_an_argument_and_an_option() -> None:
    arguments = set(signature(qrja.read_table).parameters) - {"source"}
    assert set(ROLES) <= arguments, "give read_table an argument for each role"
    options = {field.name for field in fields(Reading)}
    assert options == arguments, "give the command line an option for each argument of read_table"


def test_no_name_serves_two_roles_of_a_shape() -> None:
    for roles in ALLOWED.values():
        names = [name for role in roles for name in (role.replace("_", ""), *NAMES[role])]
        assert len(names) == len(set(names))


@given(
    st.sampled_from(sorted(NEEDED)).flatmap(
        lambda shape: st.tuples(
            *(st.sampled_from([role, *NAMES[role]]) for role in NEEDED[shape])
        ).map(lambda names: (shape, names))
    ),
    st.permutations(range(6)),
    st.lists(st.sampled_from(["id", "comment", "club", "Größe"]), unique=True, max_size=2),
)
def test_any_known_names_in_any_order(
    case: tuple[Any, tuple[str, ...]], order: list[int], others: list[str]
) -> None:
    shape, names = case
    listed = [*names, *others]
    header = tuple(listed[k] for k in order if k < len(listed))
    roles = choose_columns(header, {})
    assert roles.shape == shape
    assert tuple(roles.column.values()) == names
