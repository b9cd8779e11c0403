"""Several optima of p = 1: said wherever ratings are shown, with names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from qrja import Judgments, fit
from qrja.cli import run
from qrja.ratings.board import describe_optima
from qrja.report import make_report

OPEN = Judgments.from_arrays("AAB", "BBC", [-1, 10, 1])
LINE = (
    "p = 1 has several optima, and who is ahead depends on which is taken for 1 pair of"
    " neighbours, such as A and B (-1.00 to 10.00 apart); shown is the central one"
)


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "open.csv"
    path.write_text("a,b,y\nA,B,-1\nA,B,10\nB,C,1\n")
    return str(path)


def test_rank_says_whose_order_is_a_choice(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rank", file, "--p", "1"]) == 0
    assert LINE in " ".join(capsys.readouterr().err.split())
    assert run(["rank", file]) == 0
    assert "several optima" not in capsys.readouterr().err
    assert run(["rank", file, "--p", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["optima"]
    assert told["unique"] is False
    assert told["undecided_neighbours"] == 1
    assert told["first_undecided"] == [{"above": "A", "below": "B", "low": -1.0, "high": 10.0}]
    assert run(["rank", file, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["optima"] is None


def test_trust_and_the_report_say_it_too() -> None:
    finding = fit(OPEN, p=1).trust()["optima"]
    assert (finding.level, finding.number) == ("note", 1)
    assert "such as A and B" in finding.sentence
    assert "p = 1 has several optima" in make_report(fit(OPEN, p=1))
    assert "several optima" not in make_report(fit(OPEN))


def test_one_optimum_is_worth_no_word() -> None:
    rigid = fit(Judgments.from_arrays("AAB", "BCC", [1, 2, 1]), p=1)
    told = describe_optima(rigid)
    assert told is not None
    assert (told.sentence, told.to_dict()["unique"]) == ("", True)
    with pytest.raises(KeyError):
        rigid.trust()["optima"]
    assert describe_optima(fit(OPEN, p=1, ridge=0.1)) is None
