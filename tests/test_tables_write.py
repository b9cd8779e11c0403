"""Tables go out whole or not at all, and come back the same."""

from __future__ import annotations

import csv
import datetime as dt
import gzip
import io
import json
import resource
import stat
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import qrja
from qrja.tables.sources import one_file

COLUMNS: dict[str, list[Any]] = {
    "rank": [1, 2, None],
    "name": ["Zoë", 'a "b", c\nd', "=1+1"],
    "rating": [1.5, -2.0, float("nan")],
    "seen": [True, False, None],
}


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def listed() -> list[str]:
    return sorted(entry.name for entry in Path().iterdir())


def test_csv() -> None:
    assert qrja.format_table(COLUMNS, "csv") == (
        'rank,name,rating,seen\n1,Zoë,1.5,true\n2,"a ""b"", c\nd",-2.0,false\n,\'=1+1,,\n'
    )
    assert qrja.format_table({"a": [1], "b": ["x"]}, "tsv") == "a\tb\n1\tx\n"


def test_json() -> None:
    rows = json.loads(qrja.format_table(COLUMNS, "json"))
    assert rows[0] == {"rank": 1, "name": "Zoë", "rating": 1.5, "seen": True}
    assert rows[2] == {"rank": None, "name": "=1+1", "rating": None, "seen": None}
    lines = qrja.format_table(COLUMNS, "jsonl").splitlines()
    assert [json.loads(line) for line in lines] == rows
    assert qrja.format_table({"a": []}, "json") == "[]\n"


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
        ("![](http://x/y.png)", "!\\[\\](http://x/y.png)"),
        ("[x](javascript:alert(1))", "\\[x\\](javascript:alert(1))"),
        ("a\r\nb\u2028c", "a b c"),
        ("**x** _y_ `z` $1$", "\\*\\*x\\*\\* \\_y\\_ \\`z\\` \\$1\\$"),
        ("player_1", "player_1"),
        ("R&D &lt;", "R&amp;D &amp;lt;"),
    ],
)
def test_markdown_shows_a_name_and_does_nothing_else(name: str, written: str) -> None:
    row = qrja.format_table({"name": [name]}, "markdown").split("\n")[2]
    assert row == f"| {written} |"


@pytest.mark.parametrize("sign", "=+-@\uff1d\uff0b\uff0d\uff20\t\r\n")
def test_no_cell_is_a_formula(sign: str) -> None:
    text = qrja.format_table({"name": [f"{sign}cmd"]}, "csv")
    assert text.removeprefix("name\n").lstrip('"').startswith(f"'{sign}cmd")


def test_markdown() -> None:
    columns = {"rank": [1, 20], "name": ["a|b", "c\nd"]}
    assert qrja.format_table(columns, "markdown") == (
        "| rank | name |\n| ---: | ---- |\n|    1 | a\\|b |\n|   20 | c d  |\n"
    )


@pytest.mark.parametrize("text", ["=1", "+x", "-x", "@x", "\tx", "\rx", "=", "+1+1", "-1;2", "--1"])
def test_formulas_are_quoted(text: str) -> None:
    (_, (cell,)) = csv.reader(io.StringIO(qrja.format_table({"a": [text]}, "csv"), newline=""))
    assert cell == "'" + text
    header = qrja.format_table({text: ["x"]}, "tsv")
    assert next(csv.reader(io.StringIO(header, newline=""), delimiter="\t")) == ["'" + text]


@pytest.mark.parametrize("text", ["-5", "+5.25", "-1e-3", "-.5", "+8:00", "-1:02:03.5", "a=b", ""])
def test_numbers_and_times_are_not(text: str) -> None:
    assert qrja.format_table({"a": [text, "x"]}, "csv").splitlines()[1] in (text, '""')


@given(
    st.lists(
        st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1).filter(
            lambda text: text[0] not in "=+-@\t\r"
        ),
        min_size=1,
    )
)
def test_texts_survive_csv(texts: list[str]) -> None:
    columns = {"a": texts, "b": list(range(len(texts)))}
    rows = list(csv.reader(io.StringIO(qrja.format_table(columns, "csv"), newline="")))
    assert [row[0] for row in rows[1:]] == texts


def test_plain_values() -> None:
    columns = {
        "a": [np.int64(3), np.float32(0.5), np.bool_(True), np.str_("x")],
        "b": [
            dt.date(2026, 11, 15),
            dt.datetime(2026, 11, 15, 12),
            np.datetime64("2026-11-15", "s"),
            ("t", 1),
        ],
    }
    assert qrja.format_table(columns, "csv").splitlines() == [
        "a,b",
        "3,2026-11-15",
        "0.5,2026-11-15T12:00:00",
        "true,2026-11-15",
        "x,\"('t', 1)\"",
    ]


@pytest.mark.parametrize(
    ("ending", "kind"),
    [
        ("csv", "csv"),
        ("TSV", "tsv"),
        ("json", "json"),
        ("jsonl", "jsonl"),
        ("ndjson", "jsonl"),
        ("md", "markdown"),
    ],
)
def test_the_ending_says_how(ending: str, kind: str) -> None:
    expected = qrja.format_table(COLUMNS, kind)
    qrja.write_table(COLUMNS, f"out.{ending}")
    assert Path(f"out.{ending}").read_bytes().decode() == expected
    qrja.write_table(COLUMNS, Path(f"out.{ending}.gz"))
    assert gzip.decompress(Path(f"out.{ending}.gz").read_bytes()).decode() == expected
    assert listed() == sorted([f"out.{ending}", f"out.{ending}.gz"])


def test_parquet() -> None:
    columns = COLUMNS | {"day": ["2026-11-15", None, "x"], "count": [1, 2, 3], "none": [None] * 3}
    qrja.write_table(columns, "o'ut [*].parquet")
    relation = duckdb.read_parquet(one_file("o'ut [*].parquet"))
    assert relation.fetchall() == [
        (1, "Zoë", 1.5, True, "2026-11-15", 1, None),
        (2, 'a "b", c\nd', -2.0, False, None, 2, None),
        (None, "=1+1", None, None, "x", 3, None),
    ]
    assert dict(zip(relation.columns, map(str, relation.types), strict=True))["count"] == "BIGINT"
    qrja.write_table({"a": [], "b": []}, "empty.parquet")
    assert duckdb.read_parquet("empty.parquet").fetchall() == []


def test_a_table_comes_back() -> None:
    columns = {"contest": ["A", "A"], "contestant": ["x", "y"], "score": [1.25, 1 / 3]}
    for name in ("t.csv", "t.tsv.gz", "t.json", "t.jsonl", "t.parquet"):
        qrja.write_table(columns, name)
        assert qrja.read_contests(name).score.tolist() == columns["score"]


@pytest.mark.parametrize("name", ["out.csv", "out.csv.gz", "out.parquet"])
def test_a_failure_leaves_the_old_file_and_nothing_else(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path(name).write_text("old")

    def fail(self: Path, target: Path) -> None:
        assert min(listed()).startswith(f".{name}.")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(qrja.InputError) as caught:
        qrja.write_table({"a": [1]}, name)
    assert str(caught.value) == f"{name}: cannot be written: No space left on device"
    assert listed() == [name]
    assert Path(name).read_text() == "old"


def test_an_interrupt_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(path: Path, data: bytes) -> None:
        path.write_text(data[:3].decode())
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "write_bytes", interrupt)
    with pytest.raises(KeyboardInterrupt):
        qrja.write_table({"a": [1]}, "out.csv")
    assert listed() == []


def test_the_file_behind_a_link_is_replaced() -> None:
    Path("real.csv").write_text("old")
    Path("link.csv").symlink_to("real.csv")
    qrja.write_table({"a": [1]}, "link.csv")
    assert Path("link.csv").is_symlink()
    assert Path("real.csv").read_text() == "a\n1\n"


def test_permissions_are_the_usual_ones() -> None:
    Path("usual").touch()
    qrja.write_table({"a": [1]}, "out.csv")
    assert Path("out.csv").stat().st_mode == Path("usual").stat().st_mode
    Path("out.csv").chmod(0o640)
    qrja.write_table({"a": [2]}, "out.csv")
    assert stat.S_IMODE(Path("out.csv").stat().st_mode) == 0o640


@pytest.mark.parametrize(
    ("columns", "path", "message"),
    [
        (
            {"a": [1], "b": []},
            "out.csv",
            "the columns are not equally long: a has 1, b has 0",
        ),
        (
            {"a": [1]},
            "out.ods",
            "out.ods: the ending does not say how to write it;"
            " use one of .csv, .tsv, .json, .jsonl, .ndjson, .md, .markdown, .html, .htm, .xlsx,"
            " .parquet",
        ),
        (
            {"a": [1]},
            "out.parquet.gz",
            "out.parquet.gz: the ending does not say how to write it;"
            " use one of .csv, .tsv, .json, .jsonl, .ndjson, .md, .markdown, .html, .htm, .xlsx,"
            " .parquet",
        ),
        (
            {"a": [1]},
            "nowhere/out.csv",
            "nowhere/out.csv: cannot be written: No such file or directory",
        ),
        ({"a": [1]}, "folder.csv", "folder.csv: cannot be written: it is a directory"),
    ],
)
def test_complaints(columns: dict[str, list[Any]], path: str, message: str) -> None:
    Path("folder.csv").mkdir()
    with pytest.raises(qrja.InputError) as caught:
        qrja.write_table(columns, path)
    assert str(caught.value) == message


def test_no_such_format() -> None:
    with pytest.raises(qrja.InputError) as caught:
        qrja.format_table({"a": [1]}, "xml")
    assert str(caught.value) == (
        "the format is 'xml'; choose one of csv, tsv, json, jsonl, markdown, html"
    )


@pytest.mark.parametrize("name", ["board.parquet", "board.csv", "board.json.gz"])
def test_a_full_disk(name: str) -> None:
    Path(name).write_text("as it was")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    columns = {"n": list(range(999))}
    resource.setrlimit(resource.RLIMIT_FSIZE, (99, limits[1]))
    try:
        with pytest.raises(qrja.InputError, match=f"{name}: cannot be written: File too large"):
            qrja.write_table(columns, name)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert listed() == [name]
    assert Path(name).read_text() == "as it was"
