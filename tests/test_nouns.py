"""The words of a table's own field: from its header to every sentence, and through every change."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import qrja
from qrja.cli import run
from qrja.data import CONTESTED, JUDGED, Nouns
from qrja.ratings.words import Wording
from qrja.report.phrases import LANGUAGES, find_book
from qrja.tables import CANDIDATES, EVENTS
from reference.sheets import write_xlsx

PEOPLE = ("contestant", " met ", "bad day", " beat ", "contests")
"""What is not said of things."""


def read(text: str, **options: object) -> qrja.Table:
    return qrja.read_table(io.BytesIO(text.encode()), **options)


@pytest.mark.parametrize(
    ("header", "event", "candidate"),
    [
        ("task,model,score", "task", "model"),
        ("Dataset,classifier,accuracy", "dataset", "classifier"),
        ("Aufgabe,Modell,Punkte", "task", "model"),
        ("question_id,LLM,score", "question", "model"),
        ("task,name,score", "task", "candidate"),
        ("race,model,score", "contest", "model"),
        ("race,runner,score", "contest", "contestant"),
        ("task,team,score", "contest", "contestant"),
    ],
)
def test_long_tables_are_called_by_their_headers(header: str, event: str, candidate: str) -> None:
    named = dict(zip(("contest", "contestant", "score"), header.split(","), strict=True))
    problem = read(f"{header}\nx,A,1\nx,B,2\n", **named).problem
    assert problem.nouns == Nouns(event, candidate)


@pytest.mark.parametrize(
    ("text", "event", "candidate"),
    [
        ("task,gpt,claude\nx,1,2\ny,2,3\n", "task", "candidate"),
        ("task,model-a,model-b\nx,1,2\ny,2,3\n", "task", "model"),
        ("task,team x,team y\nx,1,2\ny,2,3\n", "contest", "contestant"),
        ("model,x,y\ngpt,1,2\nclaude,2,3\n", "task", "model"),
        ("model,question 1,question 2\ngpt,1,2\nclaude,2,3\n", "question", "model"),
        ("race,Ann,Bob\nx,1,2\ny,2,3\n", "contest", "contestant"),
        ("runner,Oslo,Rome\nAnn,1,2\nBob,2,3\n", "contest", "contestant"),
        ("model_a,model_b,winner\nx,y,model_a\ny,z,tie\n", "judgment", "model"),
        ("response_a,response_b,y\nx,y,1\ny,z,2\n", "judgment", "response"),
        ("left,right,y\nx,y,1\ny,z,2\n", "judgment", "item"),
        ("task,model,score,se\nx,A,1,.1\nx,B,2,.1\n", "judgment", "model"),
        ("race,runner,score,se\nx,A,1,.1\nx,B,2,.1\n", "judgment", "item"),
    ],
)
def test_wide_tables_and_judgments_are_too(text: str, event: str, candidate: str) -> None:
    assert read(text).problem.nouns == Nouns(event, candidate)


def test_such_headers_are_guessed_where_no_better_one_is_there() -> None:
    table = read("question_id,judge,LLM,score\n1,Kim,a,3\n1,Kim,b,4\n1,Lee,a,3\n1,Lee,b,4\n")
    assert table.summary.notes[0] == (
        "guessed from the header: contest is 'question_id', contestant is 'LLM', score is 'score',"
        " judge is 'judge'"
    )
    assert table.problem.nouns == Nouns("question", "model")
    wide = read("task,model D,model E,model L\nx,1,2,3\ny,2,3,4\n")  # no modèle, no Modell
    assert wide.problem.nouns == Nouns("task", "model")
    both = read("task,question,model,score\nx,p,a,1\nx,q,a,3\nx,p,b,5\nx,q,b,7\n")
    assert both.problem.labels == ("x",)  # a task has several questions


def tasks(n: int = 12) -> str:
    rng = np.random.default_rng(4)
    rows = [
        f"{k},{name},{50 - 5 * i + rng.normal(0, 4):.1f}"
        for k in range(n)
        for i, name in enumerate("ABCD")
        if rng.random() < 0.8
    ]
    return "\n".join(["task,model,score", *rows])


def test_every_way_keeps_them(tmp_path: Path) -> None:
    table = read(tasks())
    called = Nouns("task", "model")
    problem = table.problem
    for other in (problem[:3], problem[[2, 5]], problem.with_weight(np.ones(len(problem)))):
        assert other.nouns == called
    assert problem.to_judgments().nouns == Nouns("judgment", "model")
    ratings = qrja.fit(table).update(read("task,model,score\n99,A,1\n99,E,2\n"))
    assert ratings.problem.nouns == called
    assert ratings.remove(99).problem.nouns == called
    ratings.save(tmp_path / "kept.qrja")
    assert qrja.load(tmp_path / "kept.qrja").problem.nouns == called
    judged = qrja.fit(read("model_a,model_b,y\nx,y,1\ny,z,2\n"))
    judged.save(tmp_path / "judged.qrja")
    more = read("model_a,model_b,y\nx,w,1\n")
    assert qrja.load(tmp_path / "judged.qrja").update(more).problem.nouns.candidate == "model"


@pytest.mark.parametrize(
    ("told", "said"),
    [
        (None, CONTESTED),
        (["task", "shaman"], "what is rated is 'shaman', which is none of contestant, model"),
        (["task"], "nouns is"),
    ],
)
def test_older_and_forged_files(tmp_path: Path, told: object, said: object) -> None:
    qrja.fit(read(tasks())).save(tmp_path / "new.qrja")
    with (
        zipfile.ZipFile(tmp_path / "new.qrja") as new,
        zipfile.ZipFile(tmp_path / "old.qrja", "w") as old,
    ):
        for name in new.namelist():
            content = new.read(name)
            if name.endswith(".json"):
                header = json.loads(content)
                del header["nouns"]
                header |= {} if told is None else {"nouns": told}
                content = json.dumps(header).encode()
            old.writestr(name, content)
    if told is None:
        assert qrja.load(tmp_path / "old.qrja").problem.nouns == said
    else:
        with pytest.raises(qrja.QRJAError, match=str(said)):
            qrja.load(tmp_path / "old.qrja")


def test_nothing_is_said_of_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "tasks.csv"
    file.write_text(tasks() + "\n77,X,1\n77,Y,2\n")  # two who are compared with no other
    for command in (
        ["rank"],
        ["rank", "--min-contests", "11", "--no-intervals"],
        ["trust"],
        ["explain", "A", "B"],
        ["explain", "A", "X"],
        ["predict", "--start-list", "A,B,Zoe"],
        ["suggest"],
        ["suggest", "--settle", "A,B"],
    ):
        name, *options = command
        run([name, str(file), *options])
        told = " ".join(" ".join(capsys.readouterr()).split())
        told = told.replace("contest is 'task', contestant is 'model'", "")  # names of options
        told = told.replace("--min-contests", "")
        assert not [word for word in PEOPLE if word in told], told
    ratings = qrja.fit(str(file))
    for shown in (ratings, ratings.trust(), ratings.explain("A", "B"), ratings.suggest()):
        assert not [word for word in PEOPLE if word in shown._repr_html_()]
    assert ratings.plot("history", who=["A"]).axes[0].get_xlabel() == "tasks"


def test_headers_of_files_and_keys_of_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, out = tmp_path / "tasks.csv", tmp_path / "board.csv"
    file.write_text(tasks())
    assert run(["rank", str(file), "--out", str(out), "-q"]) == 0
    assert out.read_text().splitlines()[0] == "rank,model,rating,low,high,ranks,tasks"
    assert run(["rank", str(file), "--out", str(out), "--columns", "model,contests", "-q"]) == 0
    assert out.read_text().splitlines()[0] == "model,tasks"
    assert run(["rank", str(file), "--out", str(out), "--columns", "task", "-q"]) == 2
    assert "the board has no column 'task'; did you mean 'tasks'?" in capsys.readouterr().err
    assert run(["rank", str(file), "--out", str(out), "--raw", "-q"]) == 0
    assert "contestant" in out.read_text().splitlines()[0]
    capsys.readouterr()
    assert run(["explain", str(file), "A", "B", "--json", "-q"]) == 0
    assert "contest" in json.loads(capsys.readouterr().out)["contributions"][0]


def test_each_noun_is_said_in_each_language() -> None:
    for language in LANGUAGES[1:]:
        nouns = find_book(language).nouns
        known = [*EVENTS, *CANDIDATES, *(f"other {event}" for event in EVENTS)]
        assert not [noun for noun in known if noun not in nouns]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_of_tasks(language: str) -> None:
    from qrja.report import make_report

    page = make_report(qrja.fit(read(tasks())), language=language)
    seen = page.partition("<main")[2].partition('<script type="application/json"')[0]
    forms = find_book(language).nouns.get("model", ["model", "models"])
    assert forms[1] in seen.lower() or forms[1] in seen
    people = find_book(language).nouns.get("contestant", ["contestant"])[0]
    assert people not in seen
    assert "{" not in seen


def test_a_season_is_of_people(tmp_path: Path) -> None:
    pytest.importorskip("python_calamine", reason="spreadsheets need qrja[excel]")
    rows = [["Lauf", "Name", "Zeit"], ["A", "Ann", 10.0], ["A", "Bob", 11.0]]
    path = write_xlsx(tmp_path / "saison.xlsx", {"Ergebnisse": rows})
    assert qrja.read_table(path).problem.nouns == CONTESTED


def test_people_meet_and_things_are_better() -> None:
    say = Wording(qrja.fit(qrja.datasets.marathons()).units)
    assert say.margin("A", "B", 2) == "A beat B by 2"
    assert replace(say, nouns=Nouns("task", "model")).margin("A", "B", -2) == "A was 2 worse than B"
    assert replace(say, nouns=JUDGED).margin("A", "B", 0) == "A was judged equal to B"
