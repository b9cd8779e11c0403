"""The guide for services: its requests run against a real server, and are answered as it says."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from browsers import served
from qrja import League
from qrja.league import Tokens
from qrja.serve import make_app

GUIDE = Path(__file__).parents[1] / "docs" / "guide-services.md"
RACES = Path(__file__).parent / "examples" / "races.csv"
BLOCK = re.compile(r"^```(sh|json|py)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture
def service(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """The address of a server, and the token of an organiser."""
    league = League.open(tmp_path / "service.db")
    league.add(RACES)
    token = Tokens(league.store).make("organiser", "matchmaker")
    with served(make_app(league)) as address:
        yield address, token


def check_shown(told: Any, shown: Any, where: str = "") -> None:
    """Check that an answer holds what the guide shows of it; three dots are anything."""
    if isinstance(shown, dict):
        for name, value in shown.items():
            assert name in told, f"{where}.{name} is not in the answer: {told}"
            check_shown(told[name], value, f"{where}.{name}")
    elif isinstance(shown, list):
        for k, value in enumerate(shown):
            check_shown(told[k], value, f"{where}[{k}]")
    elif shown != "...":
        assert told == shown, where


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl")
def test_the_guide_for_services_runs(service: tuple[str, str]) -> None:
    address, token = service
    around = os.environ | {"TOKEN": token}
    answer, ran = "", 0
    for language, block in BLOCK.findall(GUIDE.read_text(encoding="utf-8")):
        code = block.replace("http://127.0.0.1:8000", address)
        if language == "json":
            check_shown(json.loads(answer), json.loads(block))
            continue
        command = ["sh", "-c", code] if language == "sh" else [sys.executable, "-c", code]
        done = subprocess.run(command, env=around, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{block}\n{done.stderr}"
        answer, ran = done.stdout, ran + 1
    assert ran == 7
    assert re.fullmatch(r"\w+ beats \w+ with a probability of 0\.\d\d\n", answer)
