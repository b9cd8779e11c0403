"""A newcomer's file: other column names, semicolons, decimal commas, a byte order mark."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from qrja.cli import run

COLUMNS = ["--contest", "Turnaj", "--contestant", "Hráč", "--score", "Body"]


@pytest.fixture
def chess(paper_data: Path, tmp_path: Path) -> Path:
    with (paper_data / "chess.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    path = tmp_path / "schach.csv"
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file, delimiter=";")
        writer.writerow(["Turnaj", "Hráč", "Místo", "Body"])
        writer.writerows(
            [it["event"], it["contestant"], it["place"], it["score"].replace(".", ",")]
            for it in rows
        )
    return path


def test_the_first_try_leads_to_the_options(
    chess: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rank", str(chess)]) == 2
    err = capsys.readouterr().err
    assert "the columns are 'Turnaj', 'Hráč', 'Místo', 'Body'" in err
    assert "--contest COLUMN --contestant COLUMN --score COLUMN" in err


def test_every_question_is_answered(chess: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rank", str(chess), *COLUMNS, "--top", "3"]) == 0
    out, err = capsys.readouterr()
    assert "Garry Kasparov" in out.splitlines()[1]
    assert "read 1,080 rows, used 1,080" in err
    config = chess.with_name("qrja.toml")
    config.write_text('contest = "Turnaj"\ncontestant = "Hráč"\nscore = "Body"\n')
    players = ["Garry Kasparov", "Magnus Carlsen"]
    assert run(["predict", str(chess), "--start-list", ",".join(players), "-q"]) == 0
    assert run(["explain", str(chess), *players, "-q"]) == 0
    assert run(["trust", str(chess), "-q"]) == 0
    assert run(["suggest", str(chess), "-k", "1", "-q"]) == 0
    assert "Garry Kasparov is rated" in capsys.readouterr().out
    assert run(["backtest", str(chess), "--rankers", "qrja-l2,mean", "-q"]) == 0
    assert capsys.readouterr().out.startswith("Trust qrja-l2: it puts 66.7% of pairs in the right")


def test_everything_is_written_where_it_should(chess: Path, tmp_path: Path) -> None:
    page, picture, saved = (tmp_path / f"schach.{kind}" for kind in ("html", "svg", "qrja"))
    assert run(["report", str(chess), *COLUMNS, "-o", str(page), "--no-backtest", "-q"]) == 0
    assert "Garry Kasparov" in page.read_text(encoding="utf-8")
    assert run(["plot", str(chess), *COLUMNS, "-o", str(picture), "-q"]) == 0
    assert "Garry Kasparov" in picture.read_text(encoding="utf-8")
    assert run(["rank", str(chess), *COLUMNS, "--save", str(saved), "-q"]) == 0
    # More results are read as the first ones were: the columns need not be named again.
    more = tmp_path / "mehr.csv"
    more.write_text("Turnaj;Hráč;Body\nWien;Magnus Carlsen;7,5\nWien;Anish Giri;6,0\n")
    assert run(["update", str(saved), str(more), "-q"]) == 0


def test_a_name_in_another_case_is_offered_alone(
    chess: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["explain", str(chess), "garry kasparov", "Magnus Carlsen", *COLUMNS, "-q"]) == 2
    assert capsys.readouterr().err == (
        "qrja: no contestant 'garry kasparov'; did you mean 'Garry Kasparov'?\n"
    )


RACES = "Lauf;Läufer;Zeit\nWien;Ann;2:20:00\nWien;Bob;2:21:30\nGraz;Bob;2:22:00\nGraz;Cid;2:25:00\n"
FOREIGN = RACES.replace("Lauf;Läufer;Zeit", "Závod;Běžec;Čas")
COLUMNS_OF_RACES = ["--contest", "Lauf", "--contestant", "Läufer", "--score", "Zeit"]


@pytest.mark.parametrize(
    ("content", "arguments", "message"),
    [
        (RACES, ["rank", "--contest", "lauf"], "did you mean 'Lauf'?"),
        (FOREIGN, ["rank"], "(--contest COLUMN --contestant COLUMN --score COLUMN in the shell)"),
        (RACES, ["trust", *COLUMNS_OF_RACES, "--half-lfe", "3"], "--half-life"),
        (RACES, ["suggest", *COLUMNS_OF_RACES[:4], "--score", "Läufer"], "laeufe.csv:2: 'Ann' is"),
        (
            RACES.replace("2:21:30", "zwei Stunden"),
            ["rank", *COLUMNS_OF_RACES],
            "laeufe.csv:3: 'zw",
        ),
        (RACES.split("\n")[0], ["rank", *COLUMNS_OF_RACES], "no rows; write one for each result"),
        ("", ["backtest", *COLUMNS_OF_RACES], "is empty; the first line names the columns"),
        ("\x00\x01\x02" * 99, ["report"], "is a binary file; give CSV, TSV, JSON lines or Parquet"),
    ],
)
def test_a_mistake_is_told_with_its_remedy(
    content: str,
    arguments: list[str],
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = tmp_path / "laeufe.csv"
    file.write_text(content, encoding="utf-8-sig" if content else "utf-8")
    name, *options = arguments
    assert run([name, str(file), *options, "-q"]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert len(err.splitlines()) == 1


def test_a_folder_is_not_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rank", str(tmp_path)]) == 2
    assert "the folder holds no table" in capsys.readouterr().err
