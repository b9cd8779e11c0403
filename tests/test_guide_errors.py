"""The guide to error bars shows what its commands print on the data of two fields."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

from qrja.cli import run

ROOT = Path(__file__).parents[1]
FIELDS = ROOT.parent / "shared" / "fields"
GUIDE = (ROOT / "docs" / "guide-errors.md").read_text(encoding="utf-8")
SHOWN = [
    part.split("\n", 1)
    for block in re.findall(r"^```shell-session\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
    for part in re.split(r"^\$ qrja ", block, flags=re.MULTILINE)[1:]
]


def test_the_guide_shows_both_fields() -> None:
    files = {shlex.split(command)[1] for command, _ in SHOWN}
    assert files == {"free-energies.csv", "diabetes-trials.csv"}


@pytest.mark.parametrize(("command", "expected"), SHOWN, ids=range(len(SHOWN)))
def test_commands_print_what_the_guide_shows(
    command: str, expected: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if not FIELDS.is_dir():
        pytest.skip("the data of other fields are not in ../shared/fields")
    monkeypatch.chdir(FIELDS)
    assert run(shlex.split(command)) == 0
    out = capsys.readouterr().out
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    assert doctest.OutputChecker().check_output(expected, out, flags), out
