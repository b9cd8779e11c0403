"""Tables of every shape become the problems they stand for, and every row is accounted for."""

from __future__ import annotations

import csv
import io
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import qrja
from qrja import Contests, Judgments, Table
from reference.tables import entries_of_csv


def read(text: str | bytes, **options: Any) -> Table:
    data = text.encode() if isinstance(text, str) else text
    table = qrja.read_table(io.BytesIO(data), **options)
    summary = table.summary
    assert summary.rows == summary.used + sum(group.count for group in summary.left_out)
    return table


def entries(contests: Contests) -> list[tuple[Any, Any, float]]:
    return [
        (contests.labels[c], contests.names[who], score)
        for c, who, score in zip(
            contests.contest_of_entry.tolist(),
            contests.who.tolist(),
            contests.score.tolist(),
            strict=True,
        )
    ]


def test_one_row_per_entrant() -> None:
    table = read("race,runner,time\nBoston,Ann,4:00:00\nBoston,Bob,4:11:00\nChicago,Bob,4:01:00\n")
    assert entries(table.problem) == [
        ("Boston", "Ann", -14400.0),
        ("Boston", "Bob", -15060.0),
        ("Chicago", "Bob", -14460.0),
    ]
    assert (table.units.kind, table.units.lower_is_better) == ("time", True)
    assert table.summary.lines() == [
        "read 3 rows, used 3",
        "guessed from the header: contest is 'race', contestant is 'runner', score is 'time'",
        "the scores are times: lower is taken to be better",
        "1 contest with fewer than two entrants, comparing nobody",
    ]


def test_one_row_per_match() -> None:
    table = read(
        "Date,HomeTeam,AwayTeam,FTHG,FTAG\n18/08/2013,Hull,Arsenal,2,0\n17/08/2013,Arsenal,Leeds,1,3\n"
    )
    assert entries(table.problem) == [
        ("Arsenal v Leeds, 2013-08-17", "Arsenal", 1.0),
        ("Arsenal v Leeds, 2013-08-17", "Leeds", 3.0),
        ("Hull v Arsenal, 2013-08-18", "Hull", 2.0),
        ("Hull v Arsenal, 2013-08-18", "Arsenal", 0.0),
    ]
    assert (
        table.problem.date.tolist()
        == np.array(["2013-08-17", "2013-08-18"], dtype="datetime64[s]").tolist()
    )


def test_a_match_without_a_date_is_called_by_its_line() -> None:
    table = read('home,away,home_score,away_score\n\n"A\nB",C,1,2\nC,D,3,4\n')
    assert table.problem.labels == ("A\nB v C, line 3", "C v D, line 5")


def test_one_row_per_judgment() -> None:
    table = read("winner,loser,margin,weight\nAnn,Bob,3,1\nBob,Cid,-1.5,2\n")
    problem = table.problem
    assert isinstance(problem, Judgments)
    assert (problem.names, problem.a.tolist(), problem.b.tolist()) == (
        ("Ann", "Bob", "Cid"),
        [0, 1],
        [1, 2],
    )
    assert (problem.y.tolist(), problem.w.tolist()) == ([3.0, -1.5], [1.0, 2.0])


def test_ratios_are_logarithms_and_shown_as_ratios() -> None:
    table = read("a,b,ratio,judge\ngas,trash,3,7\ntrash,noise,0.5,8\n")
    np.testing.assert_allclose(table.problem.y, np.log([3, 0.5]))
    assert [table.units.show(y) for y in table.problem.y] == ["3", "0.5"]
    assert table.problem.judge.tolist() == [0, 1]
    assert table.problem.judges == ("7", "8")


def test_judges_are_named_in_every_row_or_in_none() -> None:
    rows = "a,b,y,judge\ngas,trash,3,Ann\ntrash,noise,1,{}\n"
    assert read(rows.format("Bob")).problem.judges == ("Ann", "Bob")
    with pytest.raises(qrja.InputError, match="no judge; name one in every row or none"):
        read(rows.format(""))
    assert read("a,b,y,judge\ngas,trash,3,\n").problem.judge is None
    assert read(rows.format("Bob"), judge="").problem.judge is None


def test_lower_is_better() -> None:
    golf = "event,player,score\nOpen,Ann,70\nOpen,Bob,72\n"
    assert read(golf).problem.score.tolist() == [70, 72]
    assert read(golf, lower_is_better=True).problem.score.tolist() == [-70, -72]
    endurance = "event,player,time\nOpen,Ann,1:00\nOpen,Bob,2:00\n"
    assert read(endurance, lower_is_better=False).problem.score.tolist() == [60, 120]
    cost = "a,b,y\nAnn,Bob,3\n"
    assert read(cost, lower_is_better=True).problem.y.tolist() == [-3]


def test_the_sign_of_zero_is_lost() -> None:
    table = read("event,player,score\nOpen,Ann,-0\nOpen,Bob,0\n", lower_is_better=True)
    assert not np.signbit(table.problem.score).any()


def test_gaps_are_left_out_with_their_lines() -> None:
    table = read(
        "race,runner,score\nA,x,1\nA,y,DNF\n,,\nA,z,2\nB,x,dns\nB,y,\nB,z,N/A\nB,w,D.N.F.\nB,v,-\n"
    )
    assert {group.reason: group.where for group in table.summary.left_out} == {
        "empty row": (4,),
        "DNF": (3, 9),
        "DNS": (6,),
        "no score": (7, 8, 10),
    }
    assert table.problem.names == ("x", "z")
    assert table.problem.labels == ("A", "B")  # a contest without entries stays


def test_gaps_take_the_worst_of_their_contest_and_more() -> None:
    text = "race,runner,time\nA,x,1:00\nA,y,2:00\nA,z,DNF\nB,x,DNF\nB,y,DNS\nC,x,3:00\n"
    table = read(text, dnf="worst+0:30")
    assert table.problem.score.tolist() == [-60, -120, -150, -180]
    assert {group.reason: group.where for group in table.summary.left_out} == {
        "DNF in a contest without any score": (5,),
        "DNS": (6,),
    }
    points = "race,runner,points\nA,x,10\nA,y,20\nA,z,\n"
    assert read(points, dnf="worst+5").problem.score.tolist() == [10, 20, 5]
    assert read(points, dnf="worst").problem.score.tolist() == [10, 20, 10]
    match = "home,away,home_score,away_score\nA,B,3,\nB,C,WD,2\nC,D,,\nD,A,1,1\n"
    table = read(match, dnf="worst+1")
    assert table.problem.score.tolist() == [3, 2, 1, 2, 1, 1]
    assert [group.where for group in table.summary.left_out] == [(4,)]


DOUBLE = "race,runner,score\nA,x,1\nA,y,5\nA,x,4\nA,x,2\n"


@pytest.mark.parametrize(
    ("rule", "score", "left_out", "said"),
    [
        ("best", 4, (2, 5), "the best row is kept"),
        ("first", 1, (4, 5), "the first row is kept"),
        ("last", 2, (2, 4), "the last row is kept"),
        ("mean", 7 / 3, (), "their mean is taken"),
    ],
)
def test_duplicates(rule: Any, score: float, left_out: tuple[int, ...], said: str) -> None:
    table = read(DOUBLE, duplicates=rule)
    assert sorted(table.problem.score.tolist()) == pytest.approx([score, 5])
    assert sum((group.where for group in table.summary.left_out), ()) == left_out
    warning = f"'x' is 3 times in contest 'A' (lines 2, 4, 5); {said}"
    assert table.summary.warnings == (warning,)
    with pytest.warns(qrja.QRJAWarning) as caught:
        qrja.read_contests(io.BytesIO(DOUBLE.encode()), duplicates=rule)
    assert [str(item.message) for item in caught] == [warning]


def test_the_best_time_is_the_lowest() -> None:
    table = read("race,runner,time\nA,x,5:00\nA,x,4:00\nA,y,4:30\n")
    assert table.problem.score.tolist() == [-240, -270]


def test_many_duplicates_are_named_in_part() -> None:
    rows = "".join(f"A,{k},1\nA,{k},2\n" for k in range(7))
    (warning,) = read("race,runner,score\n" + rows, duplicates="best").summary.warnings
    assert warning.count("twice") == 5
    assert ", and 2 more; the best row is kept; if a column tells them apart, name it" in warning


def test_dates_order_the_contests_and_tell_them_apart() -> None:
    table = read(
        "race,runner,score,date\n"
        "Boston,x,1,2026-04-20\nBoston,y,2,2026-04-20\n"
        "Berlin,x,3,2025-09-21\nBerlin,y,4,2025-09-21\n"
        "Boston,x,5,2025-04-21\nBoston,y,6,2025-04-21\n"
    )
    assert table.problem.labels == ("Boston (2025-04-21)", "Berlin", "Boston (2026-04-20)")
    assert table.problem.score.tolist() == [5, 6, 3, 4, 1, 2]
    assert (
        "1 contest label with several dates: each date is a contest of its own"
        in table.summary.notes
    )


def test_an_empty_name_switches_a_guess_off() -> None:
    text = "race,runner,score,date\nA,x,1,2026-04-20\nA,y,2,2026-04-21\n"
    table = read(text, date="")
    assert table.problem.date is None
    assert table.problem.m == 1


def test_an_empty_date_column_is_no_date_column() -> None:
    table = read("race,runner,score,date\nA,x,1,\nA,y,2, \n")
    assert table.problem.date is None
    assert table.summary.notes[-1] == (
        "the date column is empty: contests are in order of appearance"
    )
    table = read("home,away,home_score,away_score,date\nA,B,1,2,\n")
    assert table.problem.date is None


def test_weights_of_contests() -> None:
    text = "race,runner,score,weight\nA,x,1,2\nA,y,2,2\nB,x,1,3\nB,y,3,3\n"
    assert read(text, weight="weight").problem.weight.tolist() == [2, 3]
    assert read(text).problem.weight.tolist() == [1, 1]
    assert read(text).summary.notes[-1] == (
        "the column 'weight' is not used: name it as the weight if contests are to count by it"
    )
    match = "home,away,home_score,away_score,weight\nA,B,1,2,4\nB,C,1,2,5\n"
    assert read(match, weight="weight").problem.weight.tolist() == [4, 5]
    assert read(text, pairs="mean").problem.pairs == "mean"


def test_judgments_without_y_are_left_out_and_their_names_too() -> None:
    table = read("a,b,y\nAnn,Bob,\nBob,Cid,1\nDee,Cid,NA\n")
    assert table.problem.names == ("Bob", "Cid")
    assert [(group.reason, group.where) for group in table.summary.left_out] == [("no y", (2, 4))]


def test_a_table_remembers_how_it_was_read() -> None:
    text = "race,runner,mark\nA,Ann,1\nA,Bob,2\n"
    assert read(text).reading == {}
    table = read(text, score="mark", lower_is_better=True, duplicates="auto", date=None)
    assert table.reading == {"score": "mark", "lower_is_better": True}
    assert hash(table) == hash(table)
    assert qrja.fit(table).reading == table.reading
    more = io.BytesIO(b"race,runner,result,mark\nB,Ann,7,3\nB,Bob,9,1\n")
    assert qrja.fit(table).update(more).problem.score.tolist() == [-1, -2, -3, -1]


def test_stdin(monkeypatch: pytest.MonkeyPatch) -> None:
    data = io.BytesIO(b"race,runner,score\nA,x,1\nA,y,oops\n")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(data))
    with pytest.raises(qrja.InputError, match=r"^stdin:3: 'oops' is neither"):
        qrja.read_table("-")


def test_the_paper_s_tables(paper_data: Path) -> None:
    problem = qrja.read_contests(paper_data / "codeforces.csv")
    assert (len(problem), problem.n, problem.entries) == (324, 5338, 32724)


NAMES = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")) | st.sampled_from(' ,;"\n\t|'),
    min_size=1,
    max_size=6,
)
SCORES = st.one_of(
    st.floats(-1e9, 1e9).map(repr),
    st.integers(-(10**6), 10**6).map(str),
    st.sampled_from(["DNF", "", "dns", " 7 ", "+3", "1e3"]),
)
TIMES = st.one_of(
    st.builds("{}:{:02d}".format, st.integers(0, 200), st.integers(0, 59)),
    st.builds(
        "{}:{:02d}:{:02d}.{}".format,
        st.integers(0, 30),
        st.integers(0, 59),
        st.integers(0, 59),
        st.integers(0, 999),
    ),
    st.builds("{}h{}m{}s".format, st.integers(0, 9), st.integers(0, 99), st.integers(0, 99)),
    st.sampled_from(["DNF", "", "61.5"]),
)


@given(
    rows=st.one_of(
        *(
            st.lists(st.tuples(NAMES, NAMES, scores), min_size=1, max_size=12)
            for scores in (SCORES, TIMES)
        )
    ),
    delimiter=st.sampled_from(",;\t|"),
    end=st.sampled_from(["\n", "\r\n"]),
    bom=st.booleans(),
    blank=st.integers(0, 2),
)
def test_any_csv_is_read_as_the_slow_reader_does(
    rows: list[tuple[str, str, str]], delimiter: str, end: str, bom: bool, blank: int
) -> None:
    text = io.StringIO(newline="")
    text.write(end * blank)
    writer = csv.writer(text, delimiter=delimiter, lineterminator=end)
    writer.writerow(["contest", "contestant", "score"])
    for row in rows:
        writer.writerow(row)
        text.write(end * blank)
    data = text.getvalue().encode("utf-8-sig" if bom else "utf-8")
    expected = entries_of_csv(text.getvalue(), delimiter)
    if isinstance(expected, str):
        with pytest.raises(qrja.InputError) as caught:
            read(data, delimiter=delimiter)
        assert str(caught.value) == expected
        return
    kept, left_out = expected
    table = read(data, delimiter=delimiter)
    assert entries(table.problem) == kept
    assert sorted(sum((group.where for group in table.summary.left_out), ())) == left_out


@pytest.mark.parametrize("column", ["time", "Finish Time", "seconds", "Rank", "place"])
def test_numbers_called_times_or_places_are_better_when_lower(column: str) -> None:
    text = f"heat,climber,{column}\n1,Ann,6.91\n1,Bea,7.24\n"
    table = read(text, contestant="climber", score=column)
    assert table.problem.score.tolist() == [-6.91, -7.24]
    assert f"the scores are called {column!r}: lower is taken to be better" in table.summary.notes
    turned = read(text, contestant="climber", score=column, lower_is_better=False)
    assert turned.problem.score.tolist() == [6.91, 7.24]


def test_races_that_come_again_in_another_season_are_pointed_out() -> None:
    rows = b"season,round,driver,points\n2019,1,A,9\n2019,1,B,5\n2020,1,A,7\n2020,1,B,6\n"
    said = qrja.read_table(io.BytesIO(rows)).summary.lines()
    (note,) = [line for line in said if "told apart" in line]
    assert note.startswith("contests are told apart by 'round' alone; if its names come again")
    both = qrja.read_table(io.BytesIO(rows), contest="season,round")
    assert len(both.problem) == 2
    assert not any("told apart" in line for line in both.summary.lines())
