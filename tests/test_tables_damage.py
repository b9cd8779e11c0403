"""Files that are damaged, hostile or odd: refused in a sentence, never read as other data."""

from __future__ import annotations

import csv
import gzip
import io
import threading
from pathlib import Path
from typing import Any

import pytest

import qrja
from qrja.tables.sources.lines import _long_fields, line_of
from qrja.tables.sources.parquet.parquet_pages import Chunk, are_sound
from qrja.tables.sources.text_file import TextFile

ROWS = b"race,runner,score\n" + b"".join(
    b"R%d,P%d,%d\n" % (i // 10, i, i * 7919 % 10007) for i in range(12_000)
)
DAMAGED = "races.csv.gz: is damaged, it is no whole gzip file; copy or download it again"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def complaint(content: str | bytes, name: str = "races.csv", **options: Any) -> str:
    data = content.encode() if isinstance(content, str) else content
    Path(name).write_bytes(data)
    with pytest.raises(qrja.InputError) as caught:
        qrja.read_table(name, **options)
    return str(caught.value)


@pytest.mark.parametrize("level", [0, 1])
def test_a_flipped_bit_of_a_long_gzip_file_is_noticed(level: int) -> None:
    packed = bytearray(gzip.compress(ROWS, level, mtime=0))
    packed[len(packed) * 2 // 3] ^= 4
    assert complaint(bytes(packed), "races.csv.gz") == DAMAGED


def test_a_false_checksum_and_a_false_length_are_noticed() -> None:
    for place in (-8, -1):
        packed = bytearray(gzip.compress(ROWS, 1, mtime=0))
        packed[place] ^= 1
        assert complaint(bytes(packed), "races.csv.gz") == DAMAGED


@pytest.mark.parametrize("end", [b"", b'{"race": "R", "runner": "x", "score": 1}\n' * 9000])
def test_damaged_json_lines(end: bytes) -> None:
    packed = gzip.compress(b'{"race": "R", "runner": "y", "score": 1}\n' + end, mtime=0)
    assert complaint(packed[:-9], "races.csv.gz") == DAMAGED


def test_packed_files_of_every_kind_are_read() -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    buffer = io.BytesIO()
    pq.write_table(pa.table({"race": ["A", "A"], "runner": ["x", "y"], "score": [1, 2]}), buffer)
    two = gzip.compress(b"race,runner,score\nA,x,1\n") + gzip.compress(b"A,y,2\n")
    for packed in (two, gzip.compress(buffer.getvalue())):
        assert qrja.read_table(io.BytesIO(packed)).problem.n == 2
    twice = gzip.compress(gzip.compress(b"race,runner,score\nA,x,1\n"))
    assert complaint(twice) == "races.csv: is packed twice; unpack it once"


def test_no_room_to_unpack(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("shutil.copyfileobj", full)
    message = complaint(gzip.compress(ROWS))
    assert message.startswith("races.csv: cannot be copied into /")
    assert message.endswith(
        ": No space left on device; make room there, or let TMPDIR name a folder that has some"
    )


def parquet(**columns: Any) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    buffer = io.BytesIO()
    pq.write_table(pa.table(columns), buffer)
    return buffer.getvalue()


def test_a_damaged_page_of_parquet() -> None:
    data = bytearray(parquet(race=["A"] * 99, runner=list(map(str, range(99))), score=range(99)))
    data[20:60] = b"\xff" * 40
    assert complaint(bytes(data)) == (
        "races.csv: is no readable Parquet file; write, copy or download it again"
    )


def test_headers_of_pages_that_hold_each_other_without_end_carry_no_checksum() -> None:
    Path("deep.parquet").write_bytes(b"\x1c" * 100_000)  # structs of structs
    assert are_sound(Path("deep.parquet"), [Chunk(0, 100_000, 1)])


@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("compression", ["snappy", "none"])
def test_a_page_of_parquet_has_its_checksum(version: str, compression: str) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    scores = [float(i * 7919 % 997) for i in range(500)]
    table = pa.table(
        {"race": [i // 5 for i in range(500)], "runner": [i % 7 for i in range(500)], "y": scores}
    )
    pq.write_table(
        table,
        "races.parquet",
        write_page_checksum=True,
        data_page_version=version,
        compression=compression,
        data_page_size=1000,
        use_dictionary=["race"],
    )
    read = {"contest": "race", "contestant": "runner", "score": "y", "duplicates": "best"}
    good = Path("races.parquet").read_bytes()
    known = qrja.read_table("races.parquet", **read).problem.score
    refused = 0
    for bit in range(40, 8 * (len(good) - 1200), 397):
        spoiled = bytearray(good)
        spoiled[bit // 8] ^= 1 << bit % 8
        Path("races.parquet").write_bytes(spoiled)
        try:
            score = qrja.read_table("races.parquet", **read).problem.score
        except qrja.InputError:
            refused += 1
        else:
            assert score.tolist() == known.tolist()
    assert refused > 20


def test_heads_of_pages_which_have_no_checksum_do_not_hide_values() -> None:
    import duckdb
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = {"race": [f"R{i // 2}" for i in range(80)], "runner": [f"P{i % 7}" for i in range(80)]}
    table = pa.table({**rows, "score": [float(i * 31 % 17) for i in range(80)]})
    pq.write_table(table, "races.parquet", write_page_checksum=True)
    good, known = Path("races.parquet").read_bytes(), qrja.read_table("races.parquet").problem
    columns = duckdb.sql("SELECT data_page_offset FROM parquet_metadata('races.parquet')")
    begin, refused = columns.fetchall()[0][0], 0
    for bit in range(8 * (begin + 10), 8 * (begin + 22)):
        spoiled = bytearray(good)
        spoiled[bit // 8] ^= 1 << bit % 8
        Path("races.parquet").write_bytes(spoiled)
        try:
            found = qrja.read_table("races.parquet").problem
        except qrja.InputError:
            refused += 1
        else:
            assert found.labels == known.labels
            assert found.score.tolist() == known.score.tolist()
    assert refused > 30


def test_lists_and_structs_among_the_scores() -> None:
    message = complaint(parquet(race=["A"], runner=["x"], score=[[1.0]]))
    assert message.startswith("races.csv: row 0: '[1.0]' is neither a number nor a time")
    message = complaint(parquet(race=["A"], runner=["x"], score=[{"v": 1.0}]))
    assert message.startswith("races.csv: row 0: \"{'v': 1.0}\" is neither a number nor a time")


def test_a_column_that_is_called_like_the_role_of_another() -> None:
    data = parquet(race=["A", "A"], runner=["x", "y"], points=["1", "2"], score=["8", "9"])
    table = qrja.read_table(io.BytesIO(data), score="points")
    assert table.problem.score.tolist() == [1, 2]  # type: ignore[union-attr]


@pytest.mark.parametrize("encoding", ["hex", "rot13", "base64", "zip", "a\0b", "", "x" * 300])
def test_what_is_no_encoding_of_texts(encoding: str) -> None:
    message = complaint("race,runner,score\nA,x,1\n", encoding=encoding)
    assert message.startswith("encoding ")
    assert message.endswith("is not known for texts; try utf-8, latin-1 or utf-16")
    assert len(message) < 150


def test_a_mark_of_utf8_before_latin1() -> None:
    data = b"\xef\xbb\xbfrace,runner,score\nA,\xe9ve,1\nA,y,2\n"
    for options in ({}, {"encoding": "latin-1"}):
        table = qrja.read_table(io.BytesIO(data), **options)  # type: ignore[arg-type]
        assert table.problem.names == ("éve", "y")


def test_utf_32() -> None:
    text = "race,runner,score\nA,é,1\nA,y,2\n"
    assert qrja.read_table(io.BytesIO(text.encode("utf-32"))).problem.names == ("é", "y")


def test_paths_that_cannot_be() -> None:
    for path, reason in {
        "x" * 300: "cannot be read: File name too long",
        "a\0b": "path is",
    }.items():
        with pytest.raises(qrja.InputError, match=reason):
            qrja.read_table(path)


def test_errors_named_by_commas_alone() -> None:
    data = b"a,b,y,se\nx,y,1,2\n"
    assert qrja.read_table(io.BytesIO(data), se="se,").problem.m == 1
    assert qrja.read_table(io.BytesIO(data), se=",").problem.m == 1


def test_names_of_columns_without_end() -> None:
    assert complaint(f'"{"x" * 140_000},runner,score\nA,x,1\n') == (
        "races.csv:1: a name of a column has more than 131,072 letters;"
        " does every quote have its end?"
    )
    assert complaint("x" * 2_100_000) == (
        "races.csv: the first line has 2,000,000 letters and more; give a table with a row a line"
    )


def test_long_values_are_cut_in_messages() -> None:
    assert len(complaint(f"{'x' * 100_000},runner,score\nA,x,1\n")) < 300
    assert len(complaint(f"race,runner,score,date\nA,x,1,{'9' * 100_000}\n")) < 300
    many = ",".join(f"c{i}" for i in range(5000))
    assert complaint(f"{many}\n{many}\n").count("'c") == 30
    message = complaint(f"race,runner,score\nA,x,1\nA,{'y' * 2_100_000},2\n")
    assert message == (
        "races.csv:3: a row of more than 2,000,000 bytes; does every quote have its end?"
    )


def test_more_columns_than_can_be_read() -> None:
    header = ",".join(["race", "runner", "score", *(f"c{i}" for i in range(20_000))])
    assert complaint(f"{header}\n") == (
        "races.csv: 20,003 columns, and a table may have 20,000;"
        " leave out those that say nothing of the results"
    )


def test_a_letter_of_number_0_anywhere() -> None:
    rows = "".join(f"A,runner {i},{i}\n" for i in range(9000))
    message = complaint(f"race,runner,score\n{rows}A,x\0,2\n")
    assert message == "races.csv:9002: 'x\\x00' holds a letter of number 0; is the file damaged?"


@pytest.mark.parametrize("slip", ["+-5", "1_000", "1_0.5", "-1_0"])
@pytest.mark.parametrize("first", ["1", "0:01", "1,5"])
def test_two_signs_or_an_underscore_make_no_number(first: str, slip: str) -> None:
    message = complaint(f'race,runner,score\nA,x,"{first}"\nA,y,{slip}\n')
    assert message.startswith(f"races.csv:3: '{slip}' is neither a number nor a time like 4:10:00")
    message = complaint(f"race,runner,score\nA,x,{slip}\nA,y,1\n")
    assert message.startswith(f"races.csv:2: '{slip}' is neither a number nor a time")


def test_names_with_underscores_are_names() -> None:
    Path("races.csv").write_text("race,runner,score\nA,runner_1_2,1\nA,2024_05,3\n")
    assert qrja.read_contests("races.csv").names == ("runner_1_2", "2024_05")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("quoted", ['"two@lines"', "plain", '"q"'])
@pytest.mark.parametrize("blank", [0, 2])
def test_the_line_of_a_malformed_row(end: str, quoted: str, blank: int) -> None:
    before = ["race,runner,score", f"A,{quoted},1", *[""] * blank]
    text = end.join([*before, "A,x", "A,z,2", ""]).replace("@", end)
    line = 3 + blank + ("@" in quoted)
    assert complaint(text).startswith(f"races.csv:{line}: 2 fields")


def test_line_ends_are_counted_across_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qrja.tables.sources.lines._PIECE", 3)
    data = b"a\r\nb\rcc\n\r\n\n\r\rd"
    Path("x").write_bytes(data)
    text = TextFile(Path("x"), "x", Path(), None)
    for position in range(len(data) + 1):
        before = data[:position]
        if before[-1:] + data[position : position + 1] == b"\r\n":
            continue  # within a line end
        assert line_of(text, position) == len((before + b".").splitlines())


def test_the_limit_of_fields_is_set_back() -> None:
    usual = csv.field_size_limit()
    together = threading.Barrier(3)

    def read() -> None:
        with _long_fields():
            together.wait()
            assert csv.field_size_limit() >= 2_000_000

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()
    assert csv.field_size_limit() == usual
