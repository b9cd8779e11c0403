"""``qrja update``: saved ratings, and what new results make of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import qrja
from qrja.cli import run

EXAMPLES = Path(__file__).parent / "examples"
RACES, MORE = EXAMPLES / "races.csv", EXAMPLES / "more.csv"


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "league.qrja"
    qrja.fit(RACES).save(path)
    return path


def ratings_of(path: Path) -> dict[object, object]:
    return {row.contestant: pytest.approx(row.rating) for row in qrja.load(path).leaderboard()}


def test_new_results_give_the_ratings_of_everything(
    saved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["update", str(saved), str(MORE)]) == 0
    out, err = capsys.readouterr()
    assert f"wrote {saved}" in err
    assert [line.split()[:3] for line in out.splitlines()[1:3]] == [
        ["1", "1", "Alice"],
        ["2", "new", "Dora"],
    ]
    everything = tmp_path / "all.csv"
    everything.write_text(RACES.read_text() + MORE.read_text().partition("\n")[2])
    together = qrja.fit(everything).leaderboard()
    assert {row.contestant: row.rating for row in together} == ratings_of(saved)


def test_an_update_that_comes_second_counts_as_well(
    saved: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    honest = qrja.Ratings.update

    def slowly(ratings: qrja.Ratings, more: object) -> qrja.Ratings:
        monkeypatch.setattr(qrja.Ratings, "update", honest)
        quicker = qrja.load(saved)
        quicker.remove(quicker.data.labels[0]).save(saved)
        return honest(ratings, more)

    monkeypatch.setattr(qrja.Ratings, "update", slowly)
    first, *others = qrja.load(saved).data.labels
    assert run(["update", str(saved), str(MORE)]) == 0
    assert capsys.readouterr().err.count("wrote") == 1
    labels = qrja.load(saved).data.labels
    assert first not in labels
    assert set(others) < set(labels)


def test_a_contest_is_withdrawn_corrected_and_replaced(
    saved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = qrja.load(saved)
    assert run(["update", str(saved), "--correct", "Boston,Bob,4:10:30", "--json", "-q"]) == 0
    told = json.loads(capsys.readouterr().out)
    expected = before.correct("Boston", "Bob", "4:10:30")
    assert [it["rating"] for it in told["changes"]] == [
        pytest.approx(row.rating) for row in expected.leaderboard()
    ]
    again = tmp_path / "boston.csv"
    again.write_text("race,runner,time\nBoston,Alice,4:00:00\nBoston,Bob,4:11:00\n")
    assert run(["update", str(saved), str(again), "--remove", "Boston", "-q"]) == 0
    assert {row.contestant: row.rating for row in before.leaderboard()} == ratings_of(saved)


def test_a_dry_run_writes_nothing_and_save_writes_elsewhere(saved: Path, tmp_path: Path) -> None:
    content = saved.read_bytes()
    assert run(["update", str(saved), str(MORE), "--dry-run", "-q"]) == 0
    assert saved.read_bytes() == content
    other = tmp_path / "next.qrja"
    assert run(["update", str(saved), str(MORE), "--save", str(other), "-q"]) == 0
    assert saved.read_bytes() == content
    assert qrja.load(other).data.n == 4


def test_the_new_table_is_read_as_the_first_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    first.write_text("x,y,z\nr1,Ann,1\nr1,Bob,2\nr2,Ann,1\nr2,Bob,3\n")
    second.write_text("x,y,z\nr3,Ann,1\nr3,Bob,4\n")
    saved = str(tmp_path / "league.qrja")
    columns = ["--contest", "x", "--contestant", "y", "--score", "z", "--lower-is-better"]
    assert run(["rank", str(first), *columns, "--save", saved, "-q"]) == 0
    capsys.readouterr()
    assert run(["update", saved, str(second), "-q"]) == 0
    assert "Ann" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "nothing to update; give a FILE of new results, --remove or --correct"),
        (["--remove", "Bostn"], "no contest 'Bostn'; did you mean 'Boston'?"),
        (["--correct", "Boston,Bob"], "write CONTEST,CONTESTANT,SCORE"),
        (["--correct", "Boston,Bob,fast"], "the score is 'fast'; give a number or a time"),
        ([str(RACES)], "contest 'Boston' is there already; correct or remove it"),
    ],
)
def test_mistakes_leave_the_file_as_it_is(
    saved: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    content = saved.read_bytes()
    assert run(["update", str(saved), *arguments, "-q"]) == 2
    assert message in capsys.readouterr().err
    assert saved.read_bytes() == content


def test_a_table_is_not_saved_ratings(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["update", str(RACES), str(MORE), "-q"]) == 2
    assert f"make one by qrja rank {RACES} --save races.qrja" in capsys.readouterr().err


def test_matches_without_a_date_are_called_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second, league = (tmp_path / name for name in ("1.csv", "2.csv", "league.qrja"))
    header = "home,away,home_score,away_score\n"
    first.write_text(f"{header}A,B,1,0\nB,C,2,0\n")
    second.write_text(f"{header}A,B,3,0\nC,A,1,1\n")
    assert run(["rank", str(first), "--save", str(league), "-q"]) == 0
    for _ in range(2):
        assert run(["update", str(league), str(second), "-q"]) == 0
    labels = qrja.load(league).data.labels
    assert [label for label in labels if "A v B" in str(label)] == [
        "A v B, line 2",
        "A v B, line 2 (2)",
        "A v B, line 2 (3)",
    ]


def test_two_matches_of_a_day_have_two_names(tmp_path: Path) -> None:
    file = tmp_path / "matches.csv"
    row = "A,B,{},0,2024-01-01\n"
    file.write_text("home,away,home_score,away_score,date\n" + row.format(1) + row.format(2))
    assert qrja.fit(file).data.labels == ("A v B, 2024-01-01", "A v B, 2024-01-01 (2)")


def test_who_has_no_result_any_more_is_named(
    saved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["update", str(saved), "--remove", "Chicago", "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["gone"] == ["Charlie"]
    assert "without a result now, and not rated any more: Charlie" in err
    content = saved.read_bytes()
    assert run(["update", str(saved), "--remove", "Boston", "--remove", "New York"]) == 2
    assert f"nothing would be left; delete {saved} if that is meant" in capsys.readouterr().err
    assert saved.read_bytes() == content


def test_pairs_are_weighed_as_they_were(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["update", str(saved), str(MORE), "--pairs", "mean"]) == 2
    assert "--pairs comes too late; give it to qrja rank --save" in capsys.readouterr().err
