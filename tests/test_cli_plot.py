"""``qrja plot``: pictures that are written whole, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from qrja.cli import run

RACES = Path(__file__).parent / "examples" / "races.csv"
MAGIC = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}


@pytest.mark.parametrize("ending", MAGIC)
@pytest.mark.parametrize("kind", ["ratings", "history", "backtest"])
def test_every_kind_in_every_format(
    tmp_path: Path, kind: str, ending: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / f"picture.{ending}"
    assert run(["plot", str(RACES), "--kind", kind, "-o", str(out)]) == 0
    assert f"wrote {out}" in capsys.readouterr().err
    assert out.read_bytes().startswith(MAGIC[ending])


@pytest.mark.parametrize("kind", ["forest", "league", "network", "critical", "reliability"])
def test_kinds_beyond_the_board(tmp_path: Path, kind: str) -> None:
    out = tmp_path / "picture.svg"
    assert run(["plot", str(RACES), "--kind", kind, "--title", "Season", "-o", str(out), "-q"]) == 0
    assert "Season" in out.read_text(encoding="utf-8")


def test_a_forest_names_its_reference(tmp_path: Path) -> None:
    out = tmp_path / "picture.svg"
    command = ["plot", str(RACES), "--kind", "forest", "--reference", "Bob", "-o", str(out)]
    assert run([*command, "-q"]) == 0
    assert "better than Bob by" in out.read_text(encoding="utf-8")


def test_names_are_written_as_they_are(tmp_path: Path) -> None:
    races, out = tmp_path / "races.csv", tmp_path / "picture.svg"
    races.write_text(RACES.read_text().replace("Alice", "A$x^2$<b>"))
    assert run(["plot", str(races), "-o", str(out), "-q"]) == 0
    assert "A$x^2$&lt;b&gt;" in out.read_text(encoding="utf-8")


def test_the_history_is_of_those_named(tmp_path: Path) -> None:
    out = tmp_path / "picture.svg"
    names = ["--contestants", "Bob,Charlie"]
    assert run(["plot", str(RACES), "--kind", "history", *names, "-o", str(out), "-q"]) == 0
    text = out.read_text(encoding="utf-8")
    assert "Bob" in text
    assert "Alice" not in text


def test_a_back_test_is_drawn_from_its_json(tmp_path: Path) -> None:
    result, out = tmp_path / "result.json", tmp_path / "picture.svg"
    command = ["backtest", "dataset:classifiers", "--rankers", "mean,borda", "-o", str(result)]
    assert run([*command, "-q"]) == 0
    assert run(["plot", str(result), "--kind", "backtest", "-o", str(out), "-q"]) == 0
    text = out.read_text(encoding="utf-8")
    assert "borda" in text
    assert "Error of the margins, relative to predicting none" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-o", "x.jpg"], "x.jpg: pictures are .png, .svg or .pdf"),
        ([], "Missing option '--out'"),
        (["-o", "x.png", "--kind", "histroy"], "no kind of plot 'histroy'; did you mean 'history'"),
        (["-o", "x.png", "--kind", "history", "--contestants", "Bub"], "did you mean 'Bob'?"),
        (["-o", "x.png", "--kind", "forest", "--reference", "Bub"], "did you mean 'Bob'?"),
        (["-o", "x.png", "--kind", "league", "--reference", "Bob"], "a reference is for a forest"),
        (["-o", "x.png", "--p", "1", "--loss", "huber:2"], "--loss and --p are two ways to name"),
        (["-o", "no/where/x.png"], "there is no folder 'no/where'; make it first"),
    ],
)
def test_mistakes(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["plot", str(RACES), "-q", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_groups_that_are_not_drawn_are_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "groups.csv"
    file.write_text("race,runner,score\n1,A,3\n1,B,2\n1,C,1\n2,D,3\n2,E,2\n")
    assert run(["plot", str(file), "-o", str(tmp_path / "x.svg")]) == 0
    assert "the largest is drawn, 2 contestants are not" in capsys.readouterr().err


def test_an_anchor_who_appears_later_does_not_stop_the_history(tmp_path: Path) -> None:
    races, out = tmp_path / "races.csv", tmp_path / "picture.svg"
    rows = ["race,runner,time", "A,Alice,40:00", "A,Bob,42:00", "B,Bob,41:00", "B,Charlie,43:00"]
    races.write_text("\n".join(rows))
    command = ["plot", str(races), "--kind", "history", "--anchor", "Charlie=0", "-o", str(out)]
    assert run([*command, "-q"]) == 0
    assert "Charlie" in out.read_text(encoding="utf-8")
