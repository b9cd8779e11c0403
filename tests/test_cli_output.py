"""Output: colours and bars only where a person sees them."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from qrja.cli import output, run

EXAMPLES = Path(__file__).parent / "examples"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_colours_only_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert output.painted("text", "31", io.StringIO()) == "text"
    assert output.painted("text", "31", Terminal()) == "\x1b[31mtext\x1b[0m"
    monkeypatch.setenv("NO_COLOR", "1")
    assert output.painted("text", "31", Terminal()) == "text"


def test_no_bar_without_a_terminal() -> None:
    with output.bars() as tell:
        assert tell is None


@pytest.mark.parametrize(("patience", "drawn"), [(-1.0, True), (60.0, False)])
def test_a_bar_is_drawn_when_work_takes_long(
    monkeypatch: pytest.MonkeyPatch, patience: float, drawn: bool
) -> None:
    screen = Terminal()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(output, "PATIENCE", patience)
    with output.bars() as tell:
        assert tell is not None
        tell("resampling", 1, 10)
        tell("resampling", 5, 10)
    assert ("resampling" in screen.getvalue()) == drawn


def test_long_names_give_way_to_the_width() -> None:
    text = output.aligned(["name", "x"], [["n" * 50, "1"]], ["name"], width=20)
    assert text.splitlines()[1] == "n" * 16 + "…  1"
    assert max(map(len, text.splitlines())) == 20


@pytest.mark.parametrize(
    "command", [["trust"], ["suggest", "-k", "1"], ["explain", "Alice", "Bob"]]
)
def test_sentences_fit_80_columns_when_piped(
    tmp_path: Path, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "races.csv"
    races = (EXAMPLES / "races.csv").read_text(encoding="utf-8")
    file.write_text(races.replace("Boston", "Boston " + 20 * "a very long name "))
    name, *arguments = command
    assert run([name, str(file), *arguments, "-q"]) == 0
    told = [line for line in capsys.readouterr().out.splitlines() if "──" not in line]
    assert max(map(len, told)) <= 80
