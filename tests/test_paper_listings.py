"""The paper's data sets: read as listed, or as fair rules want them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from qrja import InputError, QRJAWarning, backtest
from qrja.paper import SETS, load
from qrja.paper.sets import check_set
from reference.rankers import count_order_pair_by_pair, sum_margin_errors

# As the paper's appendix and tables have them: contests, without the empty ones, contestants,
# entries, pairs.
SIZES = {
    "chess": (80, 80, 408, 1_080, 6_832),
    "f1": (878, 878, 261, 5_866, 23_307),
    "marathon": (44, 44, 2_984, 4_400, 217_800),
    "codeforces": (327, 324, 5_338, 32_724, 1_636_200),
    "cross-tables": (1_215, 1_215, 1_912, 9_423, 49_055),
    "f1-full": (878, 878, 606, 19_185, 203_893),
    "codeforces-core": (327, 324, 17, 3_314, 16_345),
}


@pytest.mark.parametrize("name", SETS)
def test_the_sets_have_the_published_sizes(paper_data: Path, name: str) -> None:
    data = load(name, paper_data, "paper")
    sizes = np.array([len(contest) for contest in data.contests])
    pairs = int((sizes * (sizes - 1) // 2).sum())
    found = (len(sizes), int((sizes > 0).sum()), len(data.names), int(sizes.sum()), pairs)
    assert found == SIZES[name]


def test_contestants_are_numbered_by_first_appearance(paper_data: Path) -> None:
    for rules in ("paper", "fair"):
        data = load("codeforces-core", paper_data, rules)
        who = np.concatenate([contest.who for contest in data.contests])
        assert who[0] == 0
        assert np.diff(np.maximum.accumulate(who)).max() == 1


def test_the_reversed_set_is_turned_round_under_fair_rules(paper_data: Path) -> None:
    backwards = load("codeforces-core", paper_data, "paper").contests
    forwards = load("codeforces-core", paper_data, "fair").contests
    assert "Round 875" in str(backwards[0].label)
    assert "Round 69 " in str(forwards[0].label)
    assert [c.label for c in forwards] == [c.label for c in reversed(backwards)]
    assert "Round 69 " in str(load("codeforces", paper_data, "paper").contests[0].label)


def test_shared_cars_are_kept_as_listed_or_as_their_best_row(paper_data: Path) -> None:
    listed = load("f1-full", paper_data, "paper").contests
    shared = [at for at, it in enumerate(listed) if len(set(it.who.tolist())) < len(it)]
    assert len(shared) == 26
    with pytest.warns(QRJAWarning, match="f1-full: 26 contests list a contestant twice; only the"):
        best = load("f1-full", paper_data, "fair").contests
    assert sum(len(it) for it in listed) - sum(len(it) for it in best) == 35
    assert all(len(set(it.who.tolist())) == len(it) for it in best)


def test_shared_cars_are_scored_as_published(paper_data: Path) -> None:
    contests = load("f1-full", paper_data, "paper").contests[:80]
    assert any(len(set(it.who.tolist())) < len(it) for it in contests)
    found = backtest(contests, ["mean"], "paper").runs["mean"].total
    seen: dict[int, list[float]] = {}
    order, margins = np.zeros(3), np.zeros(3)
    for contest in contests:
        rows = [(i, s) for i, s in zip(contest.who.tolist(), contest.score.tolist(), strict=True)]
        known = [(i, s, sum(seen[i]) / len(seen[i])) for i, s in rows if i in seen]
        who, truth, prediction = (
            (list(it) for it in zip(*known, strict=True)) if known else [[]] * 3
        )
        order += count_order_pair_by_pair(truth, prediction, "paper", who)
        margins += sum_margin_errors(truth, prediction)
        for i, s in rows:
            seen.setdefault(i, []).append(s)
    assert (found.ordered, found.right, found.tied) == tuple(order)
    assert found.margins == margins[0]
    assert (found.margin_l1, found.margin_l2) == pytest.approx(tuple(margins[1:]), rel=1e-9)


HEADER = "contest,event,place,contestant,score\n"


def write(folder: Path, rows: str, name: str = "chess") -> Path:
    (folder / f"{name}.csv").write_text(HEADER + rows, encoding="utf-8")
    return folder


def test_the_best_of_two_rows_stays_where_it_was_listed(tmp_path: Path) -> None:
    write(tmp_path, '1,"A, b",1,x,5\n1,"A, b",2,y,4\n1,"A, b",3,x,9\n1,"A, b",4,y,4\n')
    with pytest.warns(QRJAWarning, match="chess: 1 contests list a contestant twice"):
        (contest,) = load("chess", tmp_path, "fair").contests
    assert (contest.label, contest.score.tolist()) == ("A, b", [4.0, 9.0])
    (listed,) = load("chess", tmp_path, "paper").contests
    assert (listed.who.tolist(), listed.score.tolist()) == ([0, 1, 0, 1], [5.0, 4.0, 9.0, 4.0])


def test_a_missing_number_is_a_contest_without_entries(tmp_path: Path) -> None:
    write(tmp_path, "1,A,1,x,1\n4,B,1,x,2\n")
    data = load("chess", tmp_path)
    assert [len(contest) for contest in data.contests] == [1, 0, 0, 1]


def test_names_and_digits_are_kept_as_they_are(tmp_path: Path) -> None:
    write(tmp_path, "1,A,1,Rudi ,-7374.099999999999\n1,A,2,Rudi,1\n1,A,3,0.5,2\n1,A,4,.5,3\n")
    data = load("chess", tmp_path)
    assert data.names == ("Rudi ", "Rudi", "0.5", ".5")
    assert data.contests[0].score[0] == -7374.099999999999


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "chess.csv:1: the columns are not contest,event,place,contestant,score"),
        ("a,b\n", "chess.csv:1: the columns are not contest,event"),
        (HEADER, "chess.csv: has no rows; fetch it again"),
        (HEADER + "1,A,1,x\n", "chess.csv:2: 4 cells where 5 should be; fetch the file again"),
        (HEADER + "1,A,1,x,fast\n", "chess.csv:2: could not convert string to float: 'fast'"),
        (HEADER + "1,A,1,x,nan\n", "chess.csv:2: the score is nan"),
        (HEADER + "2,A,1,x,1\n1,A,1,x,1\n", "chess.csv:3: contest 1 follows contest 2; number"),
        (HEADER + "99999999,A,1,x,1\n", "chess.csv:2: contest 99999999 follows contest 0"),
        (HEADER + "-1,A,1,x,1\n", "chess.csv:2: contest -1 follows contest 0"),
        (HEADER + "0,A,1,x,1\n", "chess.csv:2: contest 0 follows contest 0"),
    ],
)
def test_a_damaged_file_is_named_with_its_line(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "chess.csv").write_text(content)
    with pytest.raises(InputError) as caught:
        load("chess", tmp_path)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_is_not_there_says_how_to_get_it(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"chess\.csv: no such file; `qrja paper fetch` brings"):
        load("chess", tmp_path)
    with pytest.raises(InputError, match="the paper has no set 'cod'; choose from chess, f1"):
        check_set("cod")
    with pytest.raises(InputError, match="the rules are 'old'"):
        load("chess", tmp_path, "old")
