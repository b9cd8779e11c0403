"""``--by``: notes once, headings only above answers; and the words of things that are judged."""

from __future__ import annotations

from pathlib import Path

import pytest

import qrja
from qrja.cli import run

JUDGED = "a,b,y,judge\np,q,1,Ann\nq,r,2,Bea\nr,p,-4,Cid\np,q,3,Ann\nq,p,-1,Bea\nr,q,-2,Cid\n"


@pytest.fixture
def season(tmp_path: Path) -> str:
    rows = [
        f"R{k},{name},{i}:0{k},{category}"
        for k in range(4)
        for i, (name, category) in enumerate(
            [("Ann", "F"), ("Eva", "F"), ("Bob", "M"), ("Cid", "M"), ("Zed", "X")], 40
        )
    ]
    path = tmp_path / "season.csv"
    path.write_text("\n".join(["race,runner,time,category", *rows]))
    return str(path)


@pytest.fixture
def judged(tmp_path: Path) -> str:
    path = tmp_path / "judged.csv"
    path.write_text(JUDGED)
    return str(path)


def test_notes_are_said_once_and_rows_of_other_groups_are_counted(
    season: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rank", season, "--by", "category", "--no-intervals"]) == 0
    said = capsys.readouterr().err.splitlines()
    assert said[:3] == [
        "category F:",
        "read 20 rows, used 8",
        "left out 12 rows: not category = 'F'",
    ]
    assert sum("guessed from the header" in line for line in said) == 1
    assert sum("lower is taken to be better" in line for line in said) == 1
    assert sum(line == "read 20 rows, used 8" for line in said) == 2


def test_groups_that_are_refused_have_no_heading(
    season: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rank", season, "--by", "category", "--no-intervals", "-q"]) == 0
    out = capsys.readouterr().out
    assert "category: F\n" in out
    assert "category: X" not in out
    assert out.endswith("\n\n")


def test_items_not_contestants_are_written_and_refused(
    judged: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "board.csv"
    assert run(["rank", judged, "--no-intervals", "--out", str(out), "-q"]) == 0
    assert out.read_text().splitlines()[0] == "rank,item,rating,judgments"
    columns = ["--columns", "contestant,rating"]
    assert run(["rank", judged, "--no-intervals", "--out", str(out), "-q", *columns]) == 0
    assert out.read_text().splitlines()[0] == "item,rating"
    for options in (["rank", "--against", "z"], ["rank", "--anchor", "z=1"]):
        command, *others = options
        assert run([command, judged, "-q", *others]) == 2
        assert "no item 'z'; there are 3, such as p, q, r" in capsys.readouterr().err
    ratings = qrja.fit(judged)
    for wrong, said in (
        ({"size": 9}, "size is 9; there are 3 items"),
        ({"settle": "second"}, "give 'first', or two items"),
        ({"settle": ("p", "z")}, "no item 'z'"),
    ):
        with pytest.raises(qrja.InputError, match=said):
            ratings.suggest(**wrong)


def test_what_surprises_most_is_not_cut(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "long.csv"
    path.write_text(
        JUDGED.replace("p,", "a rather long name of a model,").replace(",p", ",another p")
    )
    assert run(["judges", str(path), "-q"]) == 0
    out = capsys.readouterr().out
    assert "…" not in out
    assert "most surprising:\n  Ann: " in out
    assert max(map(len, out.splitlines())) <= 80
