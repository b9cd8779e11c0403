"""A scan gives what the database gives, or gives up."""

from __future__ import annotations

import gzip
import io
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import qrja
from qrja.tables import _kernels_names as kernels
from qrja.tables import csv_file, name_table, scan
from qrja.tables.database import Database
from qrja.tables.name_table import NameTable, bytes_and_words

HEADER = "race,remark,runner,score"


@contextmanager
def scanning(block: int = scan.BLOCK) -> Iterator[None]:
    """Scan files of any size, some bytes at a time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(csv_file, "LARGE", 0)
        patch.setattr(scan, "BLOCK", block)
        yield


@contextmanager
def no_database() -> Iterator[None]:
    """Let reading fail where a scan gives up."""

    def give_up(*_: Any) -> None:
        raise AssertionError("the scan gave up")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Database, "execute", give_up)
        yield


def told(data: bytes, **options: Any) -> Any:
    """All there is to know of a table, or what is wrong with it."""
    try:
        table = qrja.read_table(io.BytesIO(data), **options)
    except qrja.InputError as error:
        return str(error)
    problem = table.problem
    if isinstance(problem, qrja.Contests):
        arrays = problem.who, problem.score, problem.start, problem.date
        names = problem.labels, problem.names
    else:
        arrays = problem.a, problem.b, problem.y, problem.judge
        names = problem.names, problem.judges
    listed = [None if array is None else array.tolist() for array in arrays]
    return listed, names, table.summary.lines(), table.summary.warnings, table.units


def quoted(field: str) -> str:
    doubled = field.replace('"', '""')
    return f'"{doubled}"'


names = st.sampled_from(
    [
        "Ann",
        "Bob",
        "Zoë",
        "Zoe\u0308",
        "日本",
        "Ann ",
        " Bob",
        "O'Hara",
        'the "Rock"',
        "a,b",
        "",
        "NA",
    ]
)
scores = st.sampled_from(
    [
        "1",
        "-2.50",
        "0.1",
        "1e3",
        "1e-7",
        "3.141592653589793",
        "007",
        "+4",
        "DNF",
        "",
        ".5",
        "5.",
        " 6",
    ]
)


@st.composite
def plain_or_not(draw: st.DrawFn) -> bytes:
    """A file of races with, now and then, something that is not plain."""
    odd = draw(st.integers(0, 3)) == 0
    some_names = names if odd else st.sampled_from(["Ann", "Bob", "Cid", "Zoë", "日本"])
    some_scores = scores if odd else st.sampled_from(["1", "-2.50", "0.1", "12.25", "1e3"])
    rows = []
    for _ in range(draw(st.integers(1, 12))):
        fields = [
            draw(st.sampled_from(["A", "B"])),
            draw(st.sampled_from(["", "City Race", 'the "big", one', "é"])),
            draw(some_names),
            draw(some_scores),
        ]
        always = {field: '"' in field or "," in field for field in fields}
        rows.append(
            ",".join(
                quoted(field) if always[field] or draw(st.integers(0, 4)) == 0 else field
                for field in fields
            )
        )
    if odd and draw(st.booleans()):
        rows.insert(draw(st.integers(0, len(rows))), draw(st.sampled_from(["", " ", "A,B", ",,,"])))
    end = draw(st.sampled_from(["\n", "\r\n"]))
    last = draw(st.sampled_from(["", end]))
    coding = draw(st.sampled_from(["utf-8", "utf-8-sig"]))
    return (end.join([HEADER, *rows]) + last).encode(coding)


@given(plain_or_not(), st.integers(40, 400))
def test_a_scan_agrees_with_the_database(data: bytes, block: int) -> None:
    by_database = told(data)
    with scanning(block):
        assert told(data) == by_database


PLAIN = {
    "as it comes": "race,runner,score\nA,Ann,1\nA,Bob,2\n",
    "no last line end": "race,runner,score\nA,Ann,1\nA,Bob,2.5",
    "returns": "race,runner,score\r\nA,Ann,1\r\nA,Bob,2\r\n",
    "returns, no last line end": "race,runner,score\r\nA,Ann,1\r\nA,Bob,2",
    "a byte order mark": "\ufeffrace,runner,score\nA,Ann,1\nA,Bob,2\n",
    "tabs": "race\trunner\tscore\nA\tAnn\t1\nA\tBob\t2\n",
    "quotes": '"race","runner","score"\n"A","Ann, jr.","1"\n"A","Bob","-2"\n',
    "quotes in a column not read": f'{HEADER}\nA,"say ""hi"", twice",Ann,1\nA,"",Bob,2\n',
    "blank lines above": "\n\nrace,runner,score\nA,Ann,1\nA,Bob,2\n",
    "accents": "race,runner,score\nA,Zoë,1\nA,日本,2\n",
    "an exponent": "race,runner,score\nA,Ann,1e-7\nA,Bob,2E+3\n",
    "dates": "race,date,runner,score\nA,2026-11-15,Ann,1\nA,2026-11-15,Bob,2\n",
    "matches": "home,away,home_score,away_score\nAnn,Bob,1,2\nBob,Cid,3,1\n",
    "judgments": "a,b,y,judge\nAnn,Bob,1,X\nBob,Cid,-2.5,Y\n",
    "the second named first": "b,a,y\nAnn,Bob,1\nCid,Dan,2\n",
}
NOT_PLAIN = {
    "a blank line": "race,runner,score\nA,Ann,1\n\nA,Bob,2\n",
    "a row too short": "race,runner,score\nA,Ann,1\nA,Bob\n",
    "a row too long": "race,runner,score\nA,Ann,1\nA,Bob,2,3\n",
    "a doubled quote in a name": 'race,runner,score\nA,"the ""Rock""",1\nA,Bob,2\n',
    "a quote inside": 'race,runner,score\nA,the "Rock",1\nA,Bob,2\n',
    "a quoted line end": 'race,runner,score\nA,"Ann\nLee",1\nA,Bob,2\n',
    "a quote without end": 'race,runner,score\nA,Ann,1\nA,"Bob,2\n',
    "text after a quote": 'race,runner,score\nA,"Ann"x,1\nA,Bob,2\n',
    "line ends of two kinds": "race,runner,score\r\nA,Ann,1\nA,Bob,2\r\n",
    "a lonely return": "race,runner,score\nA,Ann,1\rA,Bob,2\n",
    "blanks around a name": "race,runner,score\nA,Ann ,1\nA,Ann,2\nA,Bob,3\n",
    "a blank of another kind": "race,runner,score\nA,Ann\u2003,1\nA,Bob,3\n",
    "accents apart": "race,runner,score\nA,Zoe\u0308,1\nA,Bob,3\n",
    "no name": "race,runner,score\nA,,1\nA,Bob,3\n",
    "no score": "race,runner,score\nA,Ann,1\nA,Bob,\nA,Cid,2\n",
    "a time": "race,runner,score\nA,Ann,1\nA,Bob,4:10\n",
    "a word": "race,runner,score\nA,Ann,1\nA,Bob,DNF\nA,Cid,2\n",
    "infinity": "race,runner,score\nA,Ann,1\nA,Bob,inf\n",
    "a decimal comma": "race;runner;score\nA;Ann;1\nA;Bob;2,5\n",
    "weights": "a,b,y,w\nAnn,Bob,1,2\nBob,Cid,2,2\n",
    "ratios": "a,b,ratio\nAnn,Bob,2\nBob,Cid,3\n",
    "no rows": "race,runner,score\n",
    "text after a quote in the header": '"race"+,runner,score\nA,Ann,1\nA,Bob,2\n',
    "a delimiter in the header": 'race,"x, y",runner,score\nA,,Ann,1\nA,,Bob,2\n',
    "a lonely return after the header": "race,runner,score\rA,Ann,1\rA,Bob,2\r",
    "another line end above the header": "\r\nrace,runner,score\nA,Ann,1\nA,Bob,2\n",
}


@pytest.mark.parametrize("text", PLAIN.values(), ids=PLAIN)
@pytest.mark.parametrize("block", [32, 45, scan.BLOCK])
def test_plain_files_need_no_database(text: str, block: int) -> None:
    expected = told(text.encode())
    assert not isinstance(expected, str)
    with scanning(max(block, 64) if "say" in text else block), no_database():
        assert told(text.encode()) == expected


@pytest.mark.parametrize("text", NOT_PLAIN.values(), ids=NOT_PLAIN)
def test_the_database_reads_the_others(text: str) -> None:
    expected = told(text.encode())
    with scanning():
        assert told(text.encode()) == expected
        with no_database(), pytest.raises(AssertionError, match="gave up"):
            told(text.encode())


def test_bytes_that_are_no_utf8_are_left_to_the_database() -> None:
    data = f"{HEADER}\nA,caf\xe9,Ann,1\nA,x,Bob,2\n".encode("latin-1")
    with scanning():
        *_, said, _, _ = told(data)
    assert any("Latin-1" in line for line in said)


def test_a_row_longer_than_the_block_is_left_to_the_database() -> None:
    data = f"race,runner,score\nA,{'x' * 100},1\nA,Bob,2\n".encode()
    expected = told(data)
    with scanning(64):
        assert told(data) == expected


def test_small_and_packed_files_are_left_to_the_database(tmp_path: Path) -> None:
    small, packed = tmp_path / "small.csv", tmp_path / "packed.csv.gz"
    small.write_text(PLAIN["as it comes"])
    packed.write_bytes(gzip.compress(small.read_bytes()))
    with no_database(), pytest.raises(AssertionError, match="gave up"):
        qrja.read_contests(small)
    with scanning(), no_database(), pytest.raises(AssertionError, match="gave up"):
        qrja.read_contests(packed)
    with scanning(), no_database():
        assert qrja.read_contests(small).n == 2


decimals = st.from_regex(r"-?[0-9]{1,12}(\.[0-9]{1,24})?", fullmatch=True)


@given(st.lists(decimals | st.floats(-1e15, 1e15).map(repr) | st.floats(-1, 1).map(repr)))
@example(["9007199254740993", "9007199254740995", "9007199254740992.5", "4503599627370497.5"])
@example(["0.1", "-0.0", "123456789012345678", "0.1000000000000000055511151231257827"])
@example(["2.2250738585072014e-308", "5e-324", "1e22", "89255.32156740015", "0.30000000000000004"])
def test_numbers_are_rounded_as_python_rounds_them(written: list[str]) -> None:
    rows = [f"A,{k},{text}" for k, text in enumerate(["0", "1", *written])]
    data = "\n".join(["race,runner,score", *rows]).encode()
    with scanning(), no_database():
        (_, score, *_), *_ = told(data)
    expected = np.array([0.0, 1.0, *map(float, written)])
    assert np.array_equal(np.array(score), expected)


def test_many_digits_are_rounded_as_python_rounds_them() -> None:
    draw = random.Random(0)
    written = [
        f"{draw.randrange(10 ** draw.randrange(1, 6))}.{draw.randrange(10**13):013d}"
        for _ in range(20_000)
    ]
    rows = [f"A,{k},{text}" for k, text in enumerate(written)]
    with scanning(), no_database():
        (_, score, *_), *_ = told("\n".join(["race,runner,score", *rows]).encode())
    assert score == [float(text) for text in written]


def test_tables_of_names_grow() -> None:
    draw = random.Random(0)
    rows = [f"{k // 3},{draw.randrange(10**9):x},{k}" for k in range(30_000)]
    data = "\n".join(["race,runner,score", *rows]).encode()
    expected = told(data)
    with scanning(4096), no_database():
        assert told(data) == expected


INTERPRETED = [
    "enter",
    "first_bytes",
    "is_marked",
    "is_same",
    "look_up",
    "number_fields",
    "number_of",
]


@pytest.mark.parametrize("stem", ["", "Anneliese", "the one and only "])
def test_names_of_one_hash_are_told_apart(stem: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in INTERPRETED:  # as Python runs them
        monkeypatch.setattr(kernels, name, getattr(kernels, name).py_func)
    monkeypatch.setattr(kernels, "hash_name", lambda *_: np.uint64(15))
    monkeypatch.setattr(name_table, "number_fields", kernels.number_fields)
    listed = [f"{stem}{end}" for end in ["Ann", "Bob", "Cid", "Ann", "Anna", "Bob", "b"]]
    data, words = bytes_and_words(200)
    written = "".join(listed).encode()
    data[: len(written)] = np.frombuffer(written, np.uint8)
    ends = np.cumsum([len(name) for name in listed])
    spans = np.stack([ends - [len(name) for name in listed], ends], axis=1).astype(np.int32)
    table = NameTable()
    assert table.number(data, words, spans).tolist() == [0, 1, 2, 0, 3, 1, 4]
    assert table.names() == tuple(dict.fromkeys(listed))
