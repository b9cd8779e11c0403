"""Words, times, headers and names as people in Europe write them."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from qrja.cli import run
from qrja.tables.values import find_lookalikes, spelled_seconds
from qrja.tables.values.missing_words import meaning_of
from test_tables_documents import refused
from test_tables_read import entries, read


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("Aufg.", "DNF"),
        ("Postponed", "not played"),
        ("ausgeschieden", "DNF"),
        ("n.i.Z.", "DNF"),
        ("Abandon", "DNF"),
        ("Retirado", "DNF"),
        ("Ritirato", "DNF"),
        ("Desistência", "DNF"),
        ("Uitgevallen", "DNF"),
        ("nicht angetreten", "DNS"),
        ("Non partant", "DNS"),
        ("no presentado", "DNS"),
        ("niet gestart", "DNS"),
        ("disqualifiziert", "DSQ"),
        ("Disqualifié", "DSQ"),
        ("Squalificato", "DSQ"),
        ("a.K.", "NC"),
        ("fast", None),
    ],
)
def test_words_for_no_score(text: str, meaning: str | None) -> None:
    assert meaning_of(text) == meaning


def test_who_did_not_start_is_not_punished() -> None:
    text = "race,runner,time\nA,Ann,4:00\nA,Bob,Aufg.\nA,Cid,DNS\nA,Dan,nicht angetreten\n"
    table = read(text, dnf="worst+1:00")
    assert entries(table.problem) == [("A", "Ann", -240.0), ("A", "Bob", -300.0)]
    assert table.summary.lines()[1] == "left out 2 rows: DNS (lines 4, 5)"
    wide = read("race,Ann,Bob,Cid\nA,9,8,\nB,9,DNF,7\n", dnf="worst+1")
    assert [(who, score) for _, who, score in entries(wide.problem)] == [
        ("Ann", 9.0),
        ("Bob", 8.0),
        ("Ann", 9.0),
        ("Bob", 6.0),
        ("Cid", 7.0),
    ]


def test_own_words_and_all_mistakes_at_once() -> None:
    text = "race,runner,time\nA,Ann,4:00\nA,Bob,Sturz\nA,Cid,o.W.\nA,Dan,4:10\nA,Eve,Sturz\n"
    assert refused(io.BytesIO(text.encode())) == (
        "the file:3: 'Sturz' is neither a number nor a time like 4:10:00, nor is 'o.W.'"
        " (the file:4); correct them, or name them as words for no score, such as --left-out"
        ' "Aufg.,Abandon"'
    )
    table = read(text, left_out="sturz, o.W.")
    assert table.summary.lines()[1:3] == [
        "left out 2 rows: Sturz (lines 3, 6)",
        "left out 1 row: o.W. (line 4)",
    ]
    assert read(text, on_error="skip").summary.lines()[:2] == [
        "read 5 rows, used 2",
        "left out 3 rows: cannot be read (lines 3, 4, 6)",
    ]
    punished = read(text.replace("o.W.", "DNF"), on_error="skip", dnf="worst+60")
    assert punished.problem.names == ("Ann", "Cid", "Dan")  # what cannot be read is no DNF
    assert refused(io.BytesIO(text.encode()), on_error="go") == (
        "on_error is 'go'; choose one of stop, skip"
    )
    assert refused(io.BytesIO(text.encode()), left_out=3).startswith("left_out is 3; give words")


@pytest.mark.parametrize(
    ("header", "rows", "lacking"),
    [
        ("race,runner,points", ["A,x,3", "A,y,1", ",y,5", "Total,,4"], ["contest", "contestant"]),
        ("home,away,home_goals,away_goals", ["x,y,3,1", ",y,1,1", "Total,,4,2"], ["home", "away"]),
        ("a,b,y", ["x,y,2", ",y,1", "Total,,3"], ["a", "b"]),
    ],
)
def test_rows_of_nobody_are_skipped(header: str, rows: list[str], lacking: list[str]) -> None:
    text = "\n".join([header, *rows])
    assert refused(io.BytesIO(text.encode())).endswith(f"the {lacking[0]} is empty; give it a name")
    table = read(text, on_error="skip")
    first = len(rows)  # the line of the last but one
    assert table.summary.lines()[1:3] == [
        f"left out 1 row: no {what} (line {first + k})" for k, what in enumerate(lacking)
    ]
    assert table.problem.names == ("x", "y")


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1h02'33", 3753.0),
        ("1h02'33\"", 3753.0),
        ("62'33\"", 3753.0),
        ("62'33''", 3753.0),
        ("62′33,5″", 3753.5),
        ("1.02.33", 3753.0),
        ("0 days 01:02:33", 3753.0),
        ("1 day, 0:00:01", 86401.0),
        ("PT1H2M33S", 3753.0),
        ("PT62M", None),
        ("1'234", None),
        ("14.04.2024", None),
        ("1.75.33", None),
    ],
)
def test_other_ways_to_write_a_time(text: str, seconds: float | None) -> None:
    assert spelled_seconds(text) == seconds


def test_fractions_and_a_candidate_against_itself() -> None:
    table = read("a,b,ratio\ngas,coal,1/3\ncoal,wind,3\nwind,wind,1\n")
    assert table.problem.y.tolist() == pytest.approx([-1.0986, 1.0986], abs=1e-4)
    assert table.summary.lines()[1] == "left out 1 row: judged against itself (line 4)"


@pytest.mark.parametrize(
    "header",
    [
        "Lauf,Läufer,Zeit,Datum",
        "Wettkampf,Teilnehmer,Nettozeit,Tag",
        "Course,Coureur,Temps,Jour",
        "Épreuve,Nom,Résultat,Date",
        "Carrera,Nombre,Tiempo,Fecha",
        "Gara,Atleta,Tempo,Giorno",
        "Prova,Atleta,Tempo,date",
        "Wedstrijd,Naam,Tijd,Datum",
    ],
)
def test_headers_in_other_languages(header: str) -> None:
    table = read(f"{header}\nX,Ann,40:00,14.04.2024\nX,Bob,41:00,14.04.2024\n")
    assert table.problem.names == ("Ann", "Bob")
    assert table.problem.date is not None
    assert table.units.lower_is_better


def test_names_that_look_alike_are_pointed_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = 'race,runner,time\nA,"Li,Zoë",4:00\nA,Bob,4:10\nB,"li, zoe",4:20\nB,Bob,4:00\n'
    text += 'C,"Li,Zoë",5:00\n'
    table = read(text)
    assert table.summary.notes[-1] == (
        "2 of 3 names look like another: 'Li,Zoë' and 'li, zoe'; if they are, --aliases alike reads"
        " each as one, and --aliases FILE those it lists"
    )
    one = read(text, aliases="alike")
    assert one.problem.names == ("Li,Zoë", "Bob")
    assert "aliases: 1 spelling read as another name: 'li, zoe' as 'Li,Zoë'" in one.summary.notes
    assert "look like" not in one.summary.notes[-1]
    assert read(text, aliases={"li, zoe": "Zoë", "Li,Zoë": "Zoë"}).problem.names == ("Zoë", "Bob")
    path, aliases = tmp_path / "races.csv", tmp_path / "aliases.csv"
    path.write_text(text)
    aliases.write_text('"li, zoe","Li,Zoë"\n\n')
    assert run(["rank", str(path), "--aliases", str(aliases), "--no-intervals", "--json"]) == 0
    out, err = capsys.readouterr()
    assert "read as another name" in err
    assert "li, zoe" not in out.split('"summary"')[0]


def test_bad_aliases(tmp_path: Path) -> None:
    text = io.BytesIO(b"race,runner,time\nA,Ann,4\nA,Bob,5\n")
    assert refused(text, aliases="nowhere.csv").startswith(
        "aliases: nowhere.csv: cannot be read: No such file or directory; give a file with"
    )
    path = tmp_path / "aliases.csv"
    path.write_text("a,b,c\n")
    assert refused(text, aliases=str(path)) == (
        f"{path}:1: 3 fields; give two, a spelling and the name it stands for, in quotes if they"
        " hold the delimiter"
    )


def test_lookalikes_need_the_same_letters() -> None:
    assert find_lookalikes(["gpt-4.1", "gpt-41", "Ann", "Anne", 7, "!", "?"]) == []
    assert find_lookalikes(["Mac Donald", "MacDonald", "DONALD, MAC"]) == [
        ["Mac Donald", "MacDonald", "DONALD, MAC"]
    ]


def test_umlauts_written_out_look_alike() -> None:
    names = ["Müller, Jörg", "Joerg Mueller", "Jorg Muller", "Groß", "GROSS", "Bo\u0308hm", "Boehm"]
    assert find_lookalikes([*names, "Moller", "Øyvind", "Oeyvind"]) == [
        names[:3],
        names[3:5],
        names[5:],
        ["Øyvind", "Oeyvind"],
    ]


def test_repeats_are_averaged_where_most_repeat() -> None:
    folds = "task,model,accuracy\n" + "".join(
        f"t,{model},{value}\n" for model, value in (("x", 1), ("x", 3), ("y", 4), ("y", 6))
    )
    table = read(folds)
    assert table.problem.score.tolist() == [2.0, 5.0]
    assert table.summary.notes[-1] == (
        "2 entrants have several rows in a contest: their mean is taken; --duplicates best takes"
        " the best"
    )
    few = read(folds + "t,z,1\nt,w,1\nt,v,1\n")
    assert few.problem.score.tolist() == [3.0, 6.0, 1.0, 1.0, 1.0]
    assert few.summary.warnings[0].endswith("; the best row is kept")
    assert read(folds, duplicates="first").problem.score.tolist() == [1.0, 4.0]
