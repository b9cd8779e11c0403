"""Every mistake in a table is one line with place, value and remedy: here are the words."""

from __future__ import annotations

import gzip
import io
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import qrja

HEADER = "contest,contestant,score\n"
FIELDS = "correct the row, or put quotes around a field that holds the delimiter"
MEND = "correct it, or leave it empty to leave the row out"
FINITE = "give a finite number, or leave it empty to leave the row out"
POSITIVE = "give a positive number"
FORM = "write all dates as 2026-11-15"


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


DAMAGED = "is damaged, it is no whole gzip file; copy or download it again"


def complaint(content: str | bytes, name: str = "races.csv", **options: Any) -> str:
    data = content.encode() if isinstance(content, str) else content
    Path(name).write_bytes(data)
    with pytest.raises(qrja.InputError) as caught:
        qrja.read_table(name, **options)
    message = str(caught.value)
    assert "\n" not in message
    return message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A,x,1\nA,y,fast\n", f"3: 'fast' is neither a number nor a time like 4:10:00; {MEND}"),
        ("A,x,4:00\nA,y,5:75\n", f"3: '5:75' is neither a number nor a time like 4:10:00; {MEND}"),
        (
            "A,x,Ann\nA,y,Bob\n",
            "2: 'Ann' is neither a number nor a time like 4:10:00, nor is anything in its column;"
            " is that the column of the scores?",
        ),
        ("A,x,1\nA,y,5m\n", f"3: '5m' is neither a number nor a time like 4:10:00; {MEND}"),
        ("A,x,1\nA,y,nan\n", f"3: the score is nan; {FINITE}"),
        ("A,x,1\nA,y,-inf\n", f"3: the score is -inf; {FINITE}"),
        ("A,x,1\nA,y,1e999\n", f"3: the score is inf; {FINITE}"),
        (
            "A,x,1\nA,y,1e200\n",
            "3: the score is 1e+200; give a smaller number, or leave it empty to leave the row out",
        ),
        ("A,x,1\nA,y\n", f"3: 2 fields where the header has 3; {FIELDS}"),
        ("A,x,1\nA,y,2,3\n", f"3: 4 fields where the header has 3; {FIELDS}"),
        (
            'A,x,1\nA,"y,2\nA,z,3\n',
            '3: a quoted field does not end with its quote; write a quote inside it as ""',
        ),
        ("A,x,1\nA,,2\n", "3: the contestant is empty; give it a name"),
        ("A,x,1\n ,y,2\n", "3: the contest is empty; give it a name"),
        (
            "A,x,1\nA,y,2\nA,x,3\n",
            "4: 'x' is twice in contest 'A' (lines 2, 4); keep one row, or say which counts",
        ),
    ],
)
def test_a_bad_row(text: str, message: str) -> None:
    assert complaint(HEADER + text, duplicates="error") == f"races.csv:{message}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "races.csv: is empty; the first line names the columns"),
        ("\n \n", "races.csv: is empty; the first line names the columns"),
        (HEADER, "races.csv: the table has no rows; write one for each result"),
        (HEADER.strip(), "races.csv: the table has no rows; write one for each result"),
        (HEADER + "A,x,DNF\nA,y,\n", "races.csv: none of the 2 rows has a score"),
        (
            HEADER + "A,x,1\nB,x,2\n",
            "races.csv: no contest has two contestants with a score;"
            " check which columns are the contest and the contestant",
        ),
        (
            "contest,contestant,score,date\nA,x,1,2026-01-01\nA,y,2,2026-01-02\n",
            "races.csv: no contest has two contestants with a score:"
            " rows of one contest with different dates are different contests;"
            " give them one date, or give the date an empty name to ignore it",
        ),
        (
            "contest,score,contestant,score\nA,1,x,2\n",
            "races.csv:1: two columns are called 'score'; rename one",
        ),
        (
            "score\n1\n",
            "races.csv:1: only one column, 'score';"
            " give the delimiter if it is not one of comma, semicolon, tab and |",
        ),
        (
            '"race,runner,time\n' + "A,x,1\n" * 99,
            "races.csv:1: only one column, 'race,runner,time\\nA,x,1\\nA,x,1\\nA,x,1\\nA,...';"
            " give the delimiter if it is not one of comma, semicolon, tab and |",
        ),
        (
            "Boston,Ann,4:10:00\nBoston,Bob,4:11:00\n",
            "races.csv: the first line does not name the columns: 'Boston', 'Ann', '4:10:00';"
            " put a line such as contest,contestant,score before it",
        ),
        (
            "race,runner,splits\nA,x,1\n",
            "races.csv: no column looks like the score (score, time, points, result, ...);"
            " the columns are 'race', 'runner', 'splits'; say which it is"
            " (--score COLUMN in the shell)",
        ),
        (
            "home,away,score\nLeeds,Derby,3-1\n",
            "races.csv: no column looks like the home score (home_score, homegoals, homepoints,"
            " homepts, ...); the columns are 'home', 'away', 'score'; say which it is (--home-score"
            " COLUMN --away-score COLUMN in the shell); one that holds both, such as 3-1, has to be"
            " split in two",
        ),
        (
            "race,runner,player,time\nA,x,u,1\n",
            "races.csv: 2 columns may be the contestant: 'runner', 'player'; say which",
        ),
        (
            "contest,contestant,score,a,b,y\n1,2,3,4,5,6\n",
            "races.csv: the columns fit one row per entrant (contest, contestant, score) and"
            " one row per judgment (a, b, y); name the ones to use",
        ),
    ],
)
def test_a_bad_table(text: str, message: str) -> None:
    assert complaint(text) == message


def test_no_such_column_names_the_nearest() -> None:
    assert complaint("race,runner,time\nA,x,1\n", contestant="runer") == (
        "races.csv: no column 'runer' for the contestant;"
        " the columns are 'race', 'runner', 'time'; did you mean 'runner'?"
    )
    assert complaint("race,runner,time\nA,x,1\n", date="zzz") == (
        "races.csv: no column 'zzz' for the date; the columns are 'race', 'runner', 'time'"
    )


def test_columns_of_two_shapes() -> None:
    assert complaint("race,runner,time\nA,x,1\n", contest="race", home="runner") == (
        "races.csv: contest, home do not go together:"
        " a table has one row per entrant (contest, contestant, score),"
        " one row per match (home, away, home_score, away_score)"
        " or one row per judgment (a, b, y)"
    )


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ("2,0", f"the weight is '0'; {POSITIVE}"),
        ("2,-1", f"the weight is '-1'; {POSITIVE}"),
        ("2,nan", f"the weight is 'nan'; {POSITIVE}"),
        ("2,inf", f"the weight is 'inf'; {POSITIVE}"),
        ("2,heavy", f"the weight is 'heavy'; {POSITIVE}"),
        ("2,", f"the weight is missing; {POSITIVE}"),
        ("2,DNF", f"the weight is 'DNF'; {POSITIVE}"),
    ],
)
def test_a_bad_weight(column: str, message: str) -> None:
    first, second = column.split(",")
    judged = f"a,b,y,w\ngas,trash,1,{first}\ngas,noise,1,{second}\n"
    assert complaint(judged) == f"races.csv:3: {message}"
    races = f"contest,contestant,score,weight\nA,x,1,{first}\nA,y,2,{second}\n"
    assert complaint(races, weight="weight") == f"races.csv:3: {message}"


def test_a_weight_is_no_time() -> None:
    text = "a,b,y,w\ngas,trash,1,2:00\ngas,noise,1,3:00\n"
    assert complaint(text) == f"races.csv:2: the weight is '2:00'; {POSITIVE}"


def test_two_weights_of_a_contest() -> None:
    text = "contest,contestant,score,weight\nA,x,1,2\nA,y,2,3\n"
    assert complaint(text, weight="weight") == (
        "races.csv:3: contest 'A' has two weights, 2 and 3; give all its rows the same"
    )


def test_someone_against_themselves() -> None:
    assert complaint("home,away,home_score,away_score\nA,A,1,2\n") == (
        "races.csv:2: 'A' plays against itself; name two different contestants"
    )


@pytest.mark.parametrize("ratio", ["0", "-3", "2:00"])
def test_a_ratio_is_positive(ratio: str) -> None:
    assert complaint(f"a,b,ratio\ngas,noise,{ratio}\n") == (
        f"races.csv:2: the ratio is {ratio}; give a positive number"
    )


@pytest.mark.parametrize(
    ("dates", "message"),
    [
        ("soon soon", f"2: 'soon' is not a date; {FORM}"),
        ("31/02/2026 31/02/2026", f"2: '31/02/2026' is not a date; {FORM}"),
        ("2026-02-30 2026-02-30", f"2: '2026-02-30' is not a date; {FORM}"),
        (
            "2026-01-31 31/01/2026",
            f"2: '2026-01-31' and '31/01/2026' (races.csv:3) are dates of two forms; {FORM}",
        ),
        (
            "31/01/2026 01/31/2026",
            "2: '31/01/2026' and '01/31/2026' (races.csv:3) have day and month in two orders;"
            f" {FORM}",
        ),
        (
            "03/04/2026 05/06/2026",
            "2: '03/04/2026' and '05/06/2026' (races.csv:3) may have the day or the month first;"
            f" {FORM}",
        ),
        ("03/04/2026 03/04/2026", f"2: '03/04/2026' may have the day or the month first; {FORM}"),
        ("2026-01-31 ", "3: no date; date every row or none"),
    ],
)
def test_a_bad_date(dates: str, message: str) -> None:
    first, second = dates.split(" ")
    text = f"contest,contestant,score,date\nA,x,1,{first}\nA,y,2,{second}\n"
    assert complaint(text) == f"races.csv:{message}"
    text = f"home,away,home_score,away_score,date\nA,B,1,2,{first}\nB,C,2,1,{second}\n"
    assert complaint(text) == f"races.csv:{message}"


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ("1,234;2,500", "2: '1,234' may be 1234 or 1.234; write it in one of these ways"),
        (
            "3,5;2.5",
            "3: '2.5' has a decimal point but '3,5' (races.csv:2) a decimal comma;"
            " write both the same way",
        ),
    ],
)
def test_a_number_of_unclear_style(scores: str, message: str) -> None:
    first, second = scores.split(";")
    text = f"contest;contestant;score\nA;x;{first}\nA;y;{second}\n"
    assert complaint(text) == f"races.csv:{message}"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
            "is a binary file; give CSV, TSV, JSON lines or Parquet",
        ),
        (b"PK\x03\x04\0\0", "cannot be unpacked; is the file whole, and without a password?"),
        (b"%PDF-1.7\n", "is a PDF file; export the table as CSV"),
        (b"<!DOCTYPE html>\n", "is a web page or XML; save the table itself as CSV"),
        (b"\x1f\x8b\x08\0broken", DAMAGED),
        (b"PAR1broken", "is no readable Parquet file; write, copy or download it again"),
    ],
)
def test_a_file_of_another_kind(content: bytes, message: str) -> None:
    assert complaint(content) == f"races.csv: {message}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '{"race": "A", "runner": "x", "time": 1}\n\n{"race": "A",\n',
            "races.jsonl:3: malformed JSON, unexpected end of data; write one {...} a line",
        ),
        (
            '{"race": "A", "runner": "x", "time": 1}\n[1]\n',
            "races.jsonl:2: '[1]' is not a JSON object; write one {...} a line",
        ),
        (
            '[{"race": "A", "runner": "x", "time": 1},'
            ' {"race": "A", "runner": "y", "time": "soon"}]',
            "races.jsonl: row 1: 'soon' is neither a number nor a time like 4:10:00; " + MEND,
        ),
        ("[]", "races.jsonl: the table has no rows; write one for each result"),
        ('[{"race": "A"}', "races.jsonl: is not readable as JSON: unexpected character"),
    ],
)
def test_bad_json(text: str, message: str) -> None:
    assert complaint(text, "races.jsonl") == message


def test_no_file() -> None:
    Path("races.csv").touch()
    Path("folder").mkdir()
    for source, message in {
        "races.cvs": "races.cvs: no such file; did you mean 'races.csv'?",
        "nowhere/x.csv": "nowhere/x.csv: no such file",
        "folder": "folder: the folder holds no table; tables end in .csv, .tsv, .json, .jsonl,"
        " .parquet, .xlsx or .ods",
        "https://example.org/races.csv": "https://example.org/races.csv: is on a network, where"
        " only Parquet is read; download it and give its path",
    }.items():
        with pytest.raises(qrja.InputError) as caught:
            qrja.read_table(source)
        assert str(caught.value) == message


def test_no_table() -> None:
    for source, message in (
        (
            {"contest": ["A"]},
            "cannot read a table from dict;"
            " give a path, '-' for stdin, an open binary file or a data frame",
        ),
        (io.StringIO("a,b"), "the file is open as text; open it in binary mode, 'rb'"),
    ):
        with pytest.raises(qrja.InputError) as caught:
            qrja.read_table(source)
        assert str(caught.value) == message


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"duplicates": "worst"},
            "duplicates is 'worst'; choose one of auto, best, first, last, mean, error",
        ),
        ({"pairs": "all"}, "pairs is 'all'; choose one of unit, mean, additive"),
        ({"dnf": "best"}, "dnf is 'best'; give worst+X, such as worst+10 or worst+5:00"),
        ({"dnf": "worst-1"}, "dnf is 'worst-1'; give worst+X, such as worst+10 or worst+5:00"),
        ({"dnf": "worst+-1"}, "dnf is 'worst+-1'; give worst+X, such as worst+10 or worst+5:00"),
        ({"dnf": "worst+inf"}, "dnf is 'worst+inf'; give worst+X, such as worst+10 or worst+5:00"),
        (
            {"dnf": "worst+5:00"},
            "dnf adds a time, but the scores are numbers; give worst+X with a number",
        ),
        (
            {"encoding": "klingon"},
            "encoding 'klingon' is not known for texts; try utf-8, latin-1 or utf-16",
        ),
        ({"delimiter": "::"}, "the delimiter is '::'; give one character such as ; or |"),
    ],
)
def test_a_bad_option(options: dict[str, Any], message: str) -> None:
    assert complaint(HEADER + "A,x,1\nA,y,2\n", **options) == message


def test_dnf_is_for_contests() -> None:
    assert complaint("a,b,y\ngas,noise,1\n", dnf="worst+1") == (
        "dnf is a rule for contests, and this is a table of judgments"
    )


def test_the_other_kind_of_table() -> None:
    Path("races.csv").write_text(HEADER + "A,x,1\nA,y,2\n")
    Path("judged.csv").write_text("a,b,y\ngas,noise,1\n")
    with pytest.raises(qrja.InputError) as caught:
        qrja.read_judgments("races.csv")
    assert str(caught.value) == "the table holds contests, not judgments; use read_contests"
    with pytest.raises(qrja.InputError) as caught:
        qrja.read_contests("judged.csv")
    assert str(caught.value) == "the table holds judgments, not contests; use read_judgments"


def test_a_wrong_encoding() -> None:
    message = complaint("contest,contestant,score\nA,é,1\n".encode("latin-1"), encoding="utf-8")
    assert message == "races.csv: is not utf-8; give the encoding it has"
    message = complaint(b"\xff\xfec\x00o", encoding=None)
    assert message.startswith("races.csv:")


def test_a_header_with_text_after_a_quote() -> None:
    with pytest.raises(qrja.InputError) as error:
        qrja.read_table(io.BytesIO(b'"race"+,runner,score\nA,x,1\nA,y,2\n'))
    assert str(error.value) == (
        "the file:1: the header cannot be read as CSV;"
        " write each name plainly, or all of it between two quotes"
    )


def test_a_truncated_file() -> None:
    rows = "".join(f"A,{k},{k * 37 % 1009}\n" for k in range(60_000))
    packed = gzip.compress((HEADER + rows).encode())
    assert complaint(packed[:-500]) == f"races.csv: {DAMAGED}"


PIECES = st.sampled_from(
    (
        *("race", "runner", "time", "a", "b", "y", "date", "\t", "\n", "\r\n", '"', '""', "'"),
        *("1", "2,5", "1.234", "4:10", "2026-01-02", "DNF", "é", "\ufeff", "\0", *" ,;{}["),
    )
)


@given(st.lists(PIECES, max_size=40).map("".join), st.booleans())
def test_any_text_is_read_or_refused_in_one_line(text: str, headed: bool) -> None:
    data = ("race,runner,time\n" if headed else "") + text
    try:
        table = qrja.read_table(io.BytesIO(data.encode()))
    except qrja.InputError as error:
        refusal = str(error)
        assert refusal
        assert "\n" not in refusal
    else:
        summary = table.summary
        assert summary.rows == summary.used + sum(group.count for group in summary.left_out)


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    with suppress(qrja.InputError):
        qrja.read_table(io.BytesIO(b"race,runner,time\n" + data))
    with suppress(qrja.InputError):
        qrja.read_table(io.BytesIO(data))
