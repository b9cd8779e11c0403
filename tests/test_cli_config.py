"""``qrja.toml`` beside the data gives the options that are not typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import qrja
from qrja.cli import run

EXAMPLES = Path(__file__).parent / "examples"


@pytest.fixture
def races(tmp_path: Path) -> Path:
    file = tmp_path / "races.csv"
    file.write_bytes((EXAMPLES / "races.csv").read_bytes())
    return file


def configure(races: Path, text: str) -> Path:
    path = races.with_name("qrja.toml")
    path.write_text(text, encoding="utf-8")
    return path


def test_the_file_gives_options_and_what_is_typed_counts_more(
    races: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = configure(
        races, 'p = 1\nhalf-life = "2 contests"\n[rank]\njson = true\n[trust]\np = 2\n'
    )
    assert run(["rank", str(races), "--half-life", "9 contests"]) == 0
    out, err = capsys.readouterr()
    assert f"read {path}: p = 1, half_life = 2 contests, json = True\n" in err
    rated = qrja.fit(races, p=1, half_life="9 contests")
    assert json.loads(out)["objective"] == pytest.approx(rated.solution.objective)
    assert run(["rank", str(races), "--quiet"]) == 0
    assert capsys.readouterr().err == ""


def test_one_value_does_for_an_option_that_repeats(
    races: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    configure(races, 'anchor = "Bob=0"\n')
    assert run(["rank", str(races), "-q"]) == 0
    assert "Bob           0:00" in capsys.readouterr().out


def test_saved_ratings_keep_how_they_were_made(
    races: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = races.with_name("league.qrja")
    qrja.fit(races).save(saved)
    configure(races, "p = 1\ntop = 1\n")
    assert run(["rank", str(saved)]) == 0
    out, err = capsys.readouterr()
    assert "qrja.toml: top = 1\n" in err
    assert "+9:34" in out
    assert "... and 2 more" in out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("halflife = 3", "qrja.toml: there is no option 'halflife'; did you mean 'half_life'?"),
        ("[rank]\ntopp = 3", "qrja.toml: there is no option 'topp'; did you mean 'top'?"),
        ("[rnk]\np = 1", "qrja.toml: there is no command [rnk]; did you mean 'rank'?"),
        ("p = fast", "qrja.toml: is not TOML"),
        ('p = "fast"', "'--p'"),
        (
            "[rank]\np = [[1]]",
            "qrja.toml: p holds brackets within brackets; give a value or a list",
        ),
        ("[rank.p]\nx = 1", "qrja.toml: p holds brackets within brackets"),
        (f"x = {'[' * 3000}", "qrja.toml: has brackets within brackets without end"),
        (f"# {'x' * 10**5}", "qrja.toml: is longer than 100000 bytes; is it a file of options?"),
        ('p = "fast"', "(qrja.toml gives one) (see qrja rank --help)"),
    ],
)
def test_mistakes_in_the_file(
    races: Path, text: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    configure(races, text)
    assert run(["rank", str(races)]) == 2
    assert message in capsys.readouterr().err


def test_stdin_and_embedded_sets_have_no_neighbours(
    races: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    configure(races, "nonsense = 1")
    monkeypatch.chdir(races.parent)
    assert run(["rank", "dataset:marathons", "-q"]) == 0


@pytest.mark.parametrize(
    ("text", "asked", "option"),
    [
        ('out = "board.md"', "out", "--out"),
        ('[rank]\nsave = "l.qrja"', "save", "--save"),
        ("quiet = true", "quiet", "--quiet"),
        ('[update]\nremove = ["A"]', "remove", "--remove"),
        ('[update]\ncorrect = "A,Ann,99"', "correct", "--correct"),
        ('anchors = "/etc/passwd"', "anchors", "--anchors"),
        ('[predict]\nstart-list = "Ann"', "start-list", "--start-list"),
        ('columns = "@/etc/passwd"', "columns = @/etc/passwd", "--columns"),
    ],
)
def test_what_has_to_be_typed(
    races: Path, text: str, asked: str, option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    configure(races, text)
    before = sorted(races.parent.iterdir())
    assert run(["rank", str(races), "-q"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert f"qrja.toml: {asked} has to be typed, as {option}; the file may come from anybody" in err
    assert sorted(races.parent.iterdir()) == before
