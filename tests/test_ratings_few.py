"""Boards that do not mislead: who has few contests stands apart."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import qrja
from qrja.backtesting.verdict import Verdict
from qrja.cli import run

RACES = Path(__file__).parent / "examples" / "races.csv"


@pytest.fixture(scope="module")
def ratings() -> qrja.Ratings:
    rng = np.random.default_rng(0)
    level = {"a": 2, "b": 1, "c": 0}
    rows = [(k, name, level[name] + rng.normal()) for k in range(8) for name in "abc"]
    rows += [(0, "lucky", 9.0), (1, "unlucky", -9.0)]
    return qrja.fit(qrja.Contests.from_arrays(*zip(*rows, strict=True)))


def test_those_below_are_not_ranked_and_come_last(ratings: qrja.Ratings) -> None:
    table = ratings.table(min_contests=2)
    assert table["contestant"] == ["a", "b", "c", "lucky", "unlucky"]
    assert table["rank"] == [1, 2, 3, None, None]
    assert table["few"] == [False] * 3 + [True] * 2
    assert table["rank_low"][3] is None
    assert max(rank for rank in table["rank_high"] if rank) == 3


def test_ratings_do_not_change(ratings: qrja.Ratings) -> None:
    some, every = ratings.table(min_contests=2), ratings.table()
    of = dict(zip(every["contestant"], every["rating"], strict=True))
    assert some["rating"] == [of[name] for name in some["contestant"]]
    assert "few" not in every
    assert ratings.table(min_contests=1) == every


def test_ranks_are_those_of_a_board_without_them(ratings: qrja.Ratings) -> None:
    table = ratings.table(min_contests=2)
    kept = [name for name, few in zip(table["contestant"], table["few"], strict=True) if not few]
    order = sorted(kept, key=lambda name: -ratings.solution.x[ratings.problem.number[name]])
    assert kept == order


def test_the_command_line_shows_them_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rank", str(RACES), "--min-contests", "2", "-q"]) == 0
    above, below = capsys.readouterr().out.split("\n\n")
    assert "Charlie" not in above
    assert below.startswith("Not ranked, with fewer contests than --min-contests asks for:")
    assert below.splitlines()[-1].split()[:2] == ["-", "Charlie"]
    assert run(["rank", str(RACES), "--min-contests", "2", "-q", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [line["contestant"] for line in told["few_contests"]] == ["Charlie"]
    assert told["components"][0]["size"] == 2
    out = tmp_path / "board.md"
    assert run(["rank", str(RACES), "--min-contests", "2", "-q", "--out", str(out)]) == 0
    assert out.read_text().splitlines()[-1].replace(" ", "").startswith("||Charlie|")


def test_a_wrong_number_is_refused(ratings: qrja.Ratings) -> None:
    with pytest.raises(qrja.InputError, match="min_contests is -1"):
        ratings.table(min_contests=-1)


@pytest.mark.parametrize(
    ("best", "worse", "advice"),
    [
        ("qrja-auto", ("qrja-l2",), "To rate that way: qrja rank FILE --p auto"),
        ("qrja-pinf", ("mean", "qrja-l2"), "To rate that way: qrja rank FILE --p inf"),
        ("qrja-auto", ("mean",), ""),
        ("elo", ("qrja-l2",), ""),
        (None, (), ""),
    ],
)
def test_a_better_loss_is_named_as_it_is_typed(
    best: str | None, worse: tuple[str, ...], advice: str
) -> None:
    verdict = Verdict(best, (), worse, "")
    assert verdict.advice == verdict.to_dict()["advice"] == advice


def test_things_that_are_judged_are_items(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "judged.csv"
    file.write_text("a,b,y\ngas,water,2\nwater,trash,1\ngas,trash,4\noil,tar,1\n")
    assert run(["rank", str(file)]) == 0
    out, err = capsys.readouterr()
    title, header, *_ = out.splitlines()
    assert title == "Group 1 of 2: 3 items"
    assert header.split() == ["rank", "item", "rating", "se", "low", "high", "ranks", "judgments"]
    assert "2 groups of items were never compared, not even through others" in err
    assert run(["trust", str(file), "-q"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "2 of 5 items (40%) have a single result, oil and tar: it decides their rating." in told
    assert not any(word in told for word in (" met", " day", "contestant"))
