"""What is said before any file is read, and what is not said."""

from __future__ import annotations

import os

import pytest

from qrja.cli import run
from qrja.cli.output import without_notices


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (["--half-life", "soon"], "half_life is 'soon'; give a number, or a text such as"),
        (["--level", "95"], "level is 95.0; give a number between 0 and 1"),
        (["--anchor", "Bob"], "anchor is 'Bob'; write NAME=RATING, such as Bob=1500"),
        (["--loss", "huber:x"], "huber"),
        (["--p", "-1"], "p is -1.0; give a positive number"),
        (["--p", "1", "--loss", "huber:2"], "--loss and --p are two ways to name a loss"),
        (["--errors", "wild"], "--errors is 'wild'; choose one of"),
        (["--resamples", "1"], "resamples is 1"),
        (["--random-effects", "some"], "random_effects is 'some'"),
    ],
)
def test_wrong_values_are_found_before_the_file_is_read(
    option: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rank", "absent.csv", *option]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert "absent.csv" not in err


def test_the_level_of_a_prediction_is_checked_early(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["predict", "absent.csv", "--start-list", "A,B", "--level", "0"]) == 2
    assert "level is 0" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["rank"], ["paper", "run"], []])
def test_help_may_be_asked_for_in_three_ways(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    said = []
    for asked in (["help", *command], [*command, "-h"], [*command, "--help"]):
        assert run(asked) == 0
        said.append(capsys.readouterr().out)
    assert said[0] == said[1] == said[2]
    assert said[0].startswith(f"Usage: qrja {' '.join(command)}".rstrip())


def test_help_of_no_command_is_a_mistake(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["help", "rnk"]) == 2
    assert "No such command 'rnk'" in capsys.readouterr().err


def test_quiet_keeps_the_compiler_silent_and_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QRJA_QUIET", raising=False)
    with without_notices(True):
        assert os.environ["QRJA_QUIET"] == "1"
    assert "QRJA_QUIET" not in os.environ
    with without_notices(False):
        assert "QRJA_QUIET" not in os.environ
