"""The guide to panels: what it lets programs send is sent, to a real server."""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from browsers import served
from qrja import League
from qrja.league import LeaguePanel, Tokens
from qrja.serve import make_app

GUIDE = (Path(__file__).parents[1] / "docs" / "guide-panels.md").read_text(encoding="utf-8")


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_programs_of_the_guide_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    league = League.open(tmp_path / "guide.db")
    tokens = Tokens(league.store)
    known = {"JUDGE": tokens.make("judge", "Bea"), "ORGANISER": tokens.make("organiser", "Ann")}
    with served(make_app(league)) as address:
        known["ADDRESS"] = address
        (shell,), (python,) = blocks("sh"), blocks("py")
        for step in re.split(r"^\$ ", shell, flags=re.MULTILINE)[1:]:
            command, _, expected = step.partition("\n{")
            done = subprocess.run(
                ["sh", "-c", command], capture_output=True, text=True, env=os.environ | known
            )
            same = doctest.OutputChecker().check_output(
                "{" + expected, done.stdout + "\n", doctest.ELLIPSIS
            )
            assert same, f"{command}\n{done.stdout}{done.stderr}"
        exec(compile(python, "guide-panels.md", "exec"), dict(known))
        assert capsys.readouterr().out == "judged\n"
        assert len(LeaguePanel(league).votes("Bea")) == 2
