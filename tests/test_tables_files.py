"""Files of every kind, encoding and name are read; nothing else on the machine is."""

from __future__ import annotations

import gzip
import io
import os
import random
import threading
from pathlib import Path
from typing import Any

import pytest

import qrja
from qrja.tables.sources import Database

RACES = "race,runner,time\nA,Zoë,4:10\nA,Bob,4:20\nB,Bob,DNF\nB,Zoë,4:30\n"
JSON_LINES = (
    '{"race": "A", "runner": "Zoë", "time": "4:10"}\n\n'
    '{"race": "A", "runner": "Bob", "time": "4:20", "extra": [1]}\n'
    '{"race": "B", "runner": "Bob", "time": null}\n'
    '{"race": "B", "runner": "Zoë", "time": 270}\n'
)
ARRAY = "[" + JSON_LINES.strip().replace("\n\n", ",").replace("\n", ",\n") + "]"


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def check(source: Any, where: tuple[int, ...], **options: Any) -> qrja.Table:
    """Check that a source holds RACES."""
    table = qrja.read_table(source, **options)
    assert table.problem.names == ("Zoë", "Bob")
    assert table.problem.labels == ("A", "B")
    assert table.problem.score.tolist() == [-250, -260, -270]
    assert [group.where for group in table.summary.left_out] == [where]
    return table


@pytest.mark.parametrize(
    ("content", "where"),
    [
        (RACES.encode(), (4,)),
        (RACES.replace(",", "\t").encode(), (4,)),
        (RACES.replace(",", ";").encode(), (4,)),
        (RACES.replace(",", "|").encode(), (4,)),
        (RACES.replace("\n", "\r\n").encode(), (4,)),
        (RACES.replace("\n", "\r").encode(), (4,)),
        (RACES.replace("\n", "\r\n", 2).encode(), (4,)),
        (RACES.encode("utf-8-sig"), (4,)),
        (RACES.encode("utf-16"), (4,)),
        (RACES.encode("utf-16-be").join([b"\xfe\xff", b""]), (4,)),
        (("\n\n" + RACES.replace("\n", "\n\n  \n")).encode(), (12,)),
        (RACES.replace("runner", '"runner"').replace("A", '"A"').encode(), (4,)),
        (RACES.replace("race", '"ra\nce"').replace("Bob,4", ' "Bob" ,4').encode(), (5,)),
        (RACES.strip().encode(), (4,)),
        ((",,\n" + RACES.replace("A,Bob", '"A",Bob')).encode(), (5,)),
        ((" , ,\n\n" + RACES).encode(), (6,)),
        (JSON_LINES.encode(), (4,)),
        (ARRAY.encode(), (2,)),
    ],
)
def test_content_tells_the_kind(content: bytes, where: tuple[int, ...]) -> None:
    contest = "ra\nce" if b"ra\nce" in content else None
    Path("wrong.parquet").write_bytes(content)
    check("wrong.parquet", where, contest=contest)
    check(io.BytesIO(gzip.compress(content)), where, contest=contest)


def test_latin_1_is_said() -> None:
    Path("races.csv").write_bytes(RACES.encode("latin-1"))
    table = check("races.csv", (4,))
    note = "the file is not UTF-8 and was read as Latin-1; give its encoding if names look wrong"
    assert table.summary.notes[0] == note
    table = check("races.csv", (4,), encoding="latin-1")
    assert note not in table.summary.notes
    Path("races.jsonl").write_bytes(JSON_LINES.encode("latin-1"))
    assert check("races.jsonl", (4,)).summary.notes[0] == note


def test_latin_1_far_from_the_header() -> None:
    filler = "".join(f"C,runner {k},{k}:00\n" for k in range(5000))
    Path("races.csv").write_bytes((RACES + filler + "C,Gö,7:00\n").encode("latin-1"))
    table = qrja.read_table("races.csv")
    assert table.problem.names[-1] == "Gö"
    assert table.problem.names[0] == "Zoë"
    # A broken byte in a column that nobody reads does no harm, even where lines are counted.
    Path("races.csv").write_bytes(
        b"note,race,runner,score\n" + b"x,A,q,1\nx,A,p,2\n" * 1000 + b"\xe9,A,z,\n"
    )
    table = qrja.read_table("races.csv", duplicates="first")
    assert table.summary.left_out[0].where == (2002,)


def test_a_named_encoding() -> None:
    Path("races.csv").write_bytes(RACES.encode("cp037"))
    check("races.csv", (4,), encoding="cp037")
    Path("races.csv").write_bytes(RACES.encode())
    check("races.csv", (4,), encoding="UTF8")


@pytest.mark.parametrize(
    "name",
    [
        "a'b.csv",
        'a"b.csv',
        "a*.csv",
        "a?.csv",
        "a[1].csv",
        "{a,b}.csv",
        "a;DROP TABLE x.csv",
        "é b",
    ],
)
def test_a_name_is_one_file_whatever_its_letters(name: str) -> None:
    for other in ("ab.csv", "a1.csv", "a.csv", "b.csv", "axx.csv"):
        Path(other).write_text("race,runner,time\nX,x,1\nX,y,2\n")
    Path(name).write_bytes(RACES.encode())
    check(name, (4,))
    Path("year=2026").mkdir()
    inside = Path("year=2026", name)
    inside.write_bytes(Path(name).read_bytes())
    check(inside, (4,))


def test_a_name_that_is_no_text() -> None:
    name = os.fsdecode(b"r\xe9sultats.csv")
    Path(name).write_bytes(RACES.encode())
    check(name, (4,))


def test_parquet() -> None:
    columns = {
        "race": ["A", "A", "B", "B"],
        "runner": ["Zoë", "Bob", "Bob", "Zoë"],
        "time": ["4:10", "4:20", None, "4:30"],
    }
    qrja.write_table(columns, "races.parquet")
    check("races.parquet", (2,))
    Path("a[*]'b").write_bytes(Path("races.parquet").read_bytes())
    check("a[*]'b", (2,))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe() -> None:
    os.mkfifo("pipe")
    writer = threading.Thread(target=Path("pipe").write_bytes, args=(RACES.encode(),))
    writer.start()
    check("pipe", (4,))
    writer.join()


def test_the_sniffer_decides_between_delimiters() -> None:
    header = RACES.replace(",", ";").replace("race;runner;time", "race;runner;time, or DNF, or DNS")
    Path("races.csv").write_text(header)
    check("races.csv", (4,), score="time, or DNF, or DNS")


def test_the_header_decides_when_rows_are_ragged() -> None:
    Path("races.csv").write_text("race;runner;time, net\nA;x;1\nA;y\n")
    with pytest.raises(qrja.InputError, match=r"^races.csv:3: 2 fields where the header has 3;"):
        qrja.read_table("races.csv", score="time, net")


def test_a_given_delimiter() -> None:
    Path("races.csv").write_text(RACES.replace(",", "/"))
    check("races.csv", (4,), delimiter="/")


def test_lines_are_those_of_an_editor() -> None:
    rows = ['"two\nlines",x,1', "", '"A\r\nA",y,2', "   ", ",,", "A,z,bad"]
    text = "race,runner,score\n" + "\n".join(rows) + "\n"
    Path("races.csv").write_text(text, newline="")
    line = next(k for k, found in enumerate(text.splitlines(), 1) if "bad" in found)
    with pytest.raises(qrja.InputError, match=rf"^races.csv:{line}: 'bad' is neither"):
        qrja.read_table("races.csv")
    Path("races.csv").write_text(text.replace("A,z,bad", "A,z"), newline="")
    with pytest.raises(qrja.InputError, match=rf"^races.csv:{line}: 2 fields"):
        qrja.read_table("races.csv")


def test_names_are_tidied() -> None:
    text = "race,runner,score\n A ,Jose\u0301,1\nA,  Bob\t,2\nB ,Jos\u00e9 ,3\n\u00a0B,Bob,4\n"
    Path("races.csv").write_text(text)
    problem = qrja.read_contests("races.csv")
    assert (problem.names, problem.labels) == (("Jos\u00e9", "Bob"), ("A", "B"))


@pytest.mark.filterwarnings("ignore::qrja.errors.QRJAWarning")
def test_a_wide_file_of_many_rows() -> None:
    rows = "".join(f'{k % 50},"event, {k}",{k},runner {k % 997},{k / 7}\n' for k in range(50_000))
    Path("races.csv").write_text("contest,event,place,contestant,score\n" + rows)
    problem = qrja.read_contests("races.csv")
    assert (len(problem), problem.n, problem.entries) == (50, 997, 49850)
    by_hand = {(str(k % 50), f"runner {k % 997}"): k / 7 for k in range(50_000)}
    read = {
        (problem.labels[c], problem.names[who]): score
        for c, who, score in zip(
            problem.contest_of_entry, problem.who, problem.score.tolist(), strict=True
        )
    }
    assert read == by_hand


def test_many_names_are_numbered_by_first_mention() -> None:
    draw = random.Random(0)
    names = [f"{draw.randrange(10**4):x}" for _ in range(30_000)]
    rows = "".join(f"{k // 3},{name},{k}\n" for k, name in enumerate(names))
    Path("races.csv").write_text("race,runner,score\n" + rows)
    problem = qrja.read_table("races.csv", duplicates="first").problem
    assert problem.names == tuple(dict.fromkeys(names))


def test_the_database_reads_nothing_else(tmp_path: Path) -> None:
    import duckdb

    Path("secret.csv").write_text(RACES)
    Path("scratch").mkdir()
    Path("given.csv").write_text(RACES)
    with Database(str(tmp_path / "scratch"), str(tmp_path / "given.csv")) as database:
        database.execute(f"FROM read_csv('{tmp_path}/given.csv')")
        for statement in (
            f"FROM read_csv('{tmp_path}/secret.csv')",
            f"FROM read_csv('{tmp_path}/*.csv')",
            f"COPY (SELECT 1) TO '{tmp_path}/new.csv'",
            "INSTALL httpfs",
            "LOAD httpfs",
            "FROM read_csv('https://example.org/races.csv')",
            "SET enable_external_access = true",
            "SET autoload_known_extensions = true",
            f"ATTACH '{tmp_path}/other.db'",
        ):
            with pytest.raises(duckdb.Error):
                database.execute(statement)


def test_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import tempfile

    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    Path("races.csv").write_bytes(RACES.encode("utf-16"))
    check("races.csv", (4,))
    with pytest.raises(qrja.InputError):
        qrja.read_table(io.BytesIO(b"race,runner,time\nA,x,oops\n"))
    assert list(scratch.iterdir()) == []
    assert {entry.name for entry in tmp_path.iterdir()} == {"races.csv", "scratch"}
