"""Boards in files: what people and programs find in them."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

import qrja
from qrja.cli import run
from qrja.ratings.board import Standings, present, supported_units

RACES = Path(__file__).parent / "examples" / "races.csv"
HOSTILE = b"race,runner,score\nA,=1+1,3.5\nA,<b>|x,1\nB,=1+1,2\nB,<b>|x,0.25\nC,=1+1,4\nC,<b>|x,1\n"


@pytest.fixture(scope="module")
def ratings() -> qrja.Ratings:
    return qrja.fit(str(RACES))


def write(ratings: qrja.Ratings, path: Path, **asked: Any) -> str:
    ratings.write(path, **asked)
    return path.read_text(encoding="utf-8")


def test_people_read_units_ranks_and_few_digits(ratings: qrja.Ratings, tmp_path: Path) -> None:
    assert write(ratings, tmp_path / "board.csv").splitlines()[:2] == [
        "rank,contestant,rating,low,high,ranks,contests",
        "1,Alice,+9:34,+6:29,+12:40,1,3",
    ]


def test_programs_read_all_digits(ratings: qrja.Ratings, tmp_path: Path) -> None:
    first = json.loads(write(ratings, tmp_path / "board.json"))[0]
    assert first["rating"] == pytest.approx(573.75, abs=1)
    assert "rank_low" in first
    raw = write(ratings, tmp_path / "board.csv", raw=True)
    assert raw.splitlines()[0].startswith("rank,contestant,rating,low,high,rank_low,rank_high")


def test_digits_are_those_that_intervals_support() -> None:
    made = qrja.datasets.synthetic_races(races=60, entrants=8, field=5, turnover=0)
    for scale, decimals in ((1.0, 2), (1000.0, 0), (0.001, 5)):
        contests = made.contests
        names = [contests.names[i] for i in contests.who]
        scores = scale * contests.score
        ratings = qrja.fit(qrja.Contests.from_arrays(contests.contest_of_entry, names, scores))
        standings = Standings.of(ratings, ratings.table(kind="dict"))
        assert supported_units(standings).decimals == decimals


def test_chosen_columns_in_their_order(ratings: qrja.Ratings, tmp_path: Path) -> None:
    text = write(ratings, tmp_path / "board.md", columns=["contestant", "ranks"], top=1)
    assert text == "| contestant | ranks |\n| ---------- | ----: |\n| Alice      |     1 |\n"
    with pytest.raises(qrja.InputError, match="the board has no column 'rangs'; did you mean"):
        ratings.write(tmp_path / "board.md", columns=["rangs"])


def test_groups_are_numbered(tmp_path: Path) -> None:
    apart = qrja.Contests.from_arrays("AABBCCDD", "abcdabcd", [2, 1, 3, 1, 2, 1, 3, 1])
    assert write(qrja.fit(apart), tmp_path / "board.tsv").startswith("group\trank\tcontestant")


def test_a_page_has_bars_and_no_tags_of_others(tmp_path: Path) -> None:
    text = write(qrja.fit(io.BytesIO(HOSTILE)), tmp_path / "board.html")
    assert text.startswith("<!doctype html>")
    assert text.count("<svg") == 2
    assert "<bdi>&lt;b&gt;|x</bdi>" in text


def test_a_sheet_has_numbers_and_no_formulas(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    path = tmp_path / "board.xlsx"
    qrja.fit(io.BytesIO(HOSTILE)).write(path)
    sheet = openpyxl.load_workbook(path).active
    assert [cell.value for cell in sheet[1]][:3] == ["rank", "contestant", "rating"]
    assert (sheet["B2"].value, sheet["B2"].data_type) == ("=1+1", "s")
    assert sheet["C2"].data_type == "n"
    assert sheet["C2"].number_format == "0.00"
    assert sheet.freeze_panes == "A2"


def test_without_the_package_a_sheet_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "openpyxl", None)
    with pytest.raises(qrja.MissingExtraError, match=r"pip install 'qrja\[excel\]'"):
        qrja.write_table({"a": [1]}, tmp_path / "x.xlsx")
    assert not (tmp_path / "x.xlsx").exists()


def test_percents_need_no_guard(tmp_path: Path) -> None:
    text = write(qrja.fit(str(RACES), scale="log"), tmp_path / "board.csv", columns=["rating"])
    assert text.splitlines()[1].startswith("+")
    assert text.splitlines()[1].endswith("%")


def test_ratios_keep_four_digits() -> None:
    judged = b"a,b,ratio\ngas,trash,4\nwater,trash,2\ngas,water,2.2\n"
    ratings = qrja.fit(io.BytesIO(judged))
    shown = present(Standings.of(ratings, ratings.table(level=None)), ["contestant", "rating"])
    assert shown["rating"] == [f"{float(text):.4g}" for text in shown["rating"]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--out", "x.csv", "--columns", "rnk"],
            "no column 'rnk'; did you mean 'rank'",
        ),
        (["--out", "x.xyz"], "the ending does not say how to write it"),
    ],
)
def test_mistakes_on_the_command_line(
    arguments: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["rank", str(RACES), "-q", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_the_command_line_writes_what_the_method_does(
    ratings: qrja.Ratings, tmp_path: Path
) -> None:
    out = tmp_path / "board.md"
    command = ["rank", str(RACES), "-q", "--columns", "rank,contestant,rating", "--out", str(out)]
    assert run(command) == 0
    assert out.read_text() == write(
        ratings, tmp_path / "same.md", columns=["rank", "contestant", "rating"]
    )
