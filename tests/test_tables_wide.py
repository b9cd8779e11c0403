"""Wide tables, either way round, are the long tables they stand for."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import qrja
from qrja.cli import run
from qrja.tables.shapes import wide
from reference.tables import melted
from test_tables_read import entries, read

BENCH = "task,gpt,claude,llama\nmath,.5,.6,\ncode,.7,.8,.9\n"


def refused(text: str, **options: Any) -> str:
    with pytest.raises(qrja.InputError) as caught:
        qrja.read_table(io.BytesIO(text.encode()), **options)
    return str(caught.value).removeprefix("the file")


def test_columns_are_contestants_where_rows_are_called_contests() -> None:
    table = read(BENCH)
    assert entries(table.problem) == [
        ("math", "gpt", 0.5),
        ("math", "claude", 0.6),
        ("code", "gpt", 0.7),
        ("code", "claude", 0.8),
        ("code", "llama", 0.9),
    ]
    assert table.summary.lines() == [
        "read 6 cells, used 5",
        "left out 1 cell: no score (line 2)",
        "guessed from the header: contest is 'task'",
        "a wide table: rows are tasks, called by 'task', and the 3 columns 'gpt', 'claude',"
        " 'llama' are candidates",
    ]
    assert table.summary.to_dict()["rows"] == 6


def test_columns_are_contests_where_rows_are_called_contestants() -> None:
    table = read("model,math,code,Average\ngpt,.5,.7,.6\nclaude,.6,.8,.7\n")
    assert table.problem.labels == ("math", "code")
    assert table.problem.names == ("gpt", "claude")
    assert table.summary.notes[1:] == (
        "a wide table: rows are models, called by 'model', and the 2 columns 'math', 'code'"
        " are tasks",
        "not read: 'Average'; the score option names the columns to read, with commas between them",
    )
    both = read("model,math,code,Average\ngpt,.5,.7,.6\nqwen,.6,.8,.7\n", score="math,Average")
    assert both.problem.labels == ("math", "Average")


def test_both_readings_are_shown_where_nothing_tells() -> None:
    text = BENCH.replace("task", "thing")
    assert refused(text) == (
        ": a wide table that can be read in two ways: each row a contest called by 'thing', and"
        " 'gpt', 'claude', 'llama' its contestants (--wide contestants); or each row a contestant"
        " called by 'thing', and 'gpt', 'claude', 'llama' contests (--wide contests); say which"
    )
    assert read(text, wide="contestants").problem.names == ("gpt", "claude", "llama")
    assert read(text, wide="contests").problem.names == ("math", "code")
    assert read(text, contest="thing").problem.names == ("gpt", "claude", "llama")
    assert read(text, contestant="thing").problem.names == ("math", "code")


def test_many_columns_are_not_all_read_to_see_that_they_are_texts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    header = ",".join(["thing", *(f"c{i}" for i in range(80))])
    numbers, texts = ",".join(["a", *["1"] * 80]), ",".join(["a", *["x"] * 80])
    assert "a wide table that can be read in two ways" in refused(f"{header}\n{numbers}\n")
    monkeypatch.setattr(wide._View, "of", None)  # nobody asks
    assert "no column looks like the contest" in refused(f"{header}\n{texts}\n")


def test_dates_and_times_and_words_of_a_wide_table() -> None:
    table = read(
        "race,date,Ann,Bob\nBoston,2026-04-20,4:00:00,4:11:00\nParis,2025-04-20,3:59:00,DNF\n",
        dnf="worst+5:00",
    )
    assert table.problem.labels == ("Paris", "Boston")
    assert table.problem.score.tolist() == [-14340.0, -14640.0, -14400.0, -15060.0]
    assert table.units.show(660) == "+11:00"


def test_long_tables_stay_long() -> None:
    assert entries(read("race,runner,time,lap1,lap2\nA,x,9,4,5\nA,y,8,4,4\n").problem) == [
        ("A", "x", -9.0),
        ("A", "y", -8.0),
    ]
    assert "no column looks like the score" in refused("race,runner,lap1,lap2\nA,x,4,5\nA,y,4,4\n")
    assert "no column looks like the contest " in refused("name,wins,losses\nx,4,5\ny,4,4\n")
    assert "no column looks like the contest" in refused(BENCH.replace("task", "thing"), wide="")
    assert "the first line does not name the columns" in refused("Leeds,Hull,3,1\nHull,York,2,2\n")


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (
            BENCH.replace(".8", "good"),
            {},
            ":3, column 'claude': 'good' is neither a number nor a time like 4:10:00; correct it,"
            " or leave it empty to leave the row out",
        ),
        (
            BENCH,
            {"wide": "rows"},
            ": wide is 'rows'; say what the columns are: contestants or contests; or what the cells"
            " of a square table are: ratios or margins",
        ),
        (
            "task,gpt,who\nmath,.5,x\n",
            {"wide": "contestants"},
            ": a wide table has two columns of scores or more, and here only 'gpt' holds numbers",
        ),
        (
            BENCH,
            {"wide": "contests", "contestant": "task", "date": "gpt"},
            ": date: not in a wide table whose rows are contestants and columns contests",
        ),
        (
            BENCH,
            {"contest": "task", "score": "gpt,cloude"},
            ": no column 'cloude' for the score; the columns are 'task', 'gpt', 'claude', 'llama';"
            " did you mean 'claude'?",
        ),
    ],
)
def test_bad_wide_tables(text: str, options: dict[str, str], message: str) -> None:
    assert refused(text, **options) == message


def test_wide_frames_with_an_index() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(
        {"gpt": [0.5, 0.7], "qwen": [np.nan, 0.9]},
        index=pandas.Index(["math", "code"], name="task"),
    )
    problem = qrja.read_contests(frame)
    assert entries(problem) == [("math", "gpt", 0.5), ("code", "gpt", 0.7), ("code", "qwen", 0.9)]
    with pytest.raises(qrja.InputError, match=r"^row 0, column 'gpt': 'x' is neither"):
        qrja.read_table(frame.astype(object).fillna("x").replace(0.5, "x"))


def as_options(header: list[str]) -> dict[str, str]:
    """Name all columns of scores, also those that hold none."""
    return {} if header[-1] == "score" else {"score": ",".join(header[1:])}


cells = st.one_of(
    st.just(""), st.integers(-99, 99).map(str), st.sampled_from(["DNF", "2.5", "1e2"])
)


@settings(max_examples=5)
@given(
    st.integers(2, 5).flatmap(
        lambda width: st.lists(
            st.lists(cells, min_size=width, max_size=width), min_size=2, max_size=6
        )
    )
)
def test_a_wide_table_is_its_long_one(rows: list[list[str]]) -> None:
    header = ["race", *(f"runner {k}" for k in range(len(rows[0])))]
    table = [header, *([f"race {r}", *row] for r, row in enumerate(rows))]
    turned = [["runner", *(row[0] for row in table[1:])]]
    turned += [[name, *(row[k] for row in table[1:])] for k, name in enumerate(header[1:], 1)]
    answers = []
    for one in (table, turned, melted(table)):
        text = io.StringIO()
        csv.writer(text).writerows(one)
        try:
            answers.append(sorted(entries(read(text.getvalue(), **as_options(one[0])).problem)))
        except qrja.InputError as error:
            answers.append(str(error).split(";")[0].replace("cells", "rows"))
    assert answers[0] == answers[2]
    if isinstance(answers[0], list) and isinstance(answers[1], list):
        assert answers[0] == answers[1]


def test_square_tables_hold_judgments() -> None:
    table = read(",gas,coal,wind\ngas,1,1/3,\ncoal,3,1,2\nwind,,,1\n")
    problem = table.problem
    assert isinstance(problem, qrja.Judgments)
    pairs = [
        (problem.names[a], problem.names[b]) for a, b in zip(problem.a, problem.b, strict=True)
    ]
    assert pairs == [("gas", "coal"), ("coal", "gas"), ("coal", "wind")]
    assert np.exp(problem.y).tolist() == pytest.approx([1 / 3, 3, 2])
    assert table.summary.lines() == [
        "read 9 cells, used 3",
        "left out 3 cells: judged against itself (lines 2, 3, 4)",
        "left out 3 cells: no ratio (lines 2, 4)",
        "a square table: a cell says how its row compares with its column, as ratios",
    ]
    margins = read("x,gas,coal\ngas,0,2\ncoal,-2,0\n").problem
    assert margins.y.tolist() == [2.0, -2.0]
    unclear = "x,gas,coal\ngas,,2\ncoal,3,\n"
    assert refused(unclear) == (
        ": a square table of 2 by 2 whose cells may be ratios (--wide ratios) or margins"
        " (--wide margins); say which"
    )
    assert read(unclear, wide="margins").problem.y.tolist() == [2.0, 3.0]


def write_bench(path: Path, tasks: int = 70, models: int = 12) -> list[str]:
    """Write accuracies of models on tasks, one in eight missing; return the models, best first."""
    rng = np.random.default_rng(7)
    skill = np.linspace(0.8, 0.4, models)
    names = [f"model-{chr(97 + k)}" for k in range(models)]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["task", "area", *names])
        for t in range(tasks):
            scores = np.clip(skill + rng.normal(-0.1, 0.02) + rng.normal(0, 0.02, models), 0, 1)
            gaps = rng.random(models) < 0.125
            texts = ["" if gap else f"{s:.3f}" for s, gap in zip(scores, gaps, strict=True)]
            writer.writerow([f"task {t}", "math" if t % 2 else "code", *texts])
    return names


def test_from_a_wide_file_to_a_board(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = write_bench(tmp_path / "bench.csv")
    assert run(["rank", str(tmp_path / "bench.csv"), "--no-intervals"]) == 0
    out, err = capsys.readouterr()
    assert [line.split()[1] for line in out.splitlines()[1:]] == names
    assert "read 840 cells" in err
    assert "the 12 columns 'model-a', 'model-b', 'model-c', ... are models" in err


def test_tasks_that_compare_nobody_are_called_tasks() -> None:
    text = BENCH + "alone,.5,,\n"
    said = qrja.read_table(io.BytesIO(text.encode())).summary.lines()
    assert any(line.startswith("1 task with fewer than two entrants") for line in said)
