"""``qrja report``: which back-test it makes by itself, and which only when asked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from qrja.cli import run

RACES = Path(__file__).parent / "examples" / "races.csv"
JUDGMENTS = "a,b,y\nx,y,1\ny,z,2\n"


def test_little_data_are_back_tested(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "races.html"
    assert run(["report", str(RACES), "-o", str(out), "--json", "-q"]) == 0
    assert json.loads(capsys.readouterr().out)["bytes"] == out.stat().st_size
    page = out.read_text(encoding="utf-8")
    assert "Too little to tell: only 2 contests could be predicted." in page
    assert "rules: fair. Each contest is predicted" in page
    assert run(["report", str(RACES), "-o", str(out), "--no-backtest", "-q"]) == 0
    page = out.read_text(encoding="utf-8")
    assert "No back-test was made: qrja report --backtest makes one." in page


def test_much_data_are_back_tested_when_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("qrja.cli.ranker_trials.LITTLE", 20)  # 3 contests times 7 entries are 21
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    out = tmp_path / "races.html"
    assert run(["report", str(RACES), "-o", str(out), "-q"]) == 0
    assert "No back-test was made, for it would take long" in out.read_text(encoding="utf-8")
    assert run(["report", str(RACES), "-o", str(out), "--backtest", "-q"]) == 0
    assert "Too little to tell" in out.read_text(encoding="utf-8")


def test_judgments_are_back_tested_by_each_other(tmp_path: Path) -> None:
    file, out = tmp_path / "judged.csv", tmp_path / "judged.html"
    file.write_text(JUDGMENTS)
    assert run(["report", str(file), "-o", str(out), "-q"]) == 0
    page = out.read_text(encoding="utf-8")
    assert "Only judgments between two who are judged elsewhere count." in page
    assert run(["report", str(file), "-o", str(out), "--no-backtest", "-q"]) == 0
    assert "No back-test was made: qrja report --backtest" in out.read_text(encoding="utf-8")
