"""Numbers, times and dates in all their spellings."""

from __future__ import annotations

import io
import random
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import qrja
from qrja.tables.values import clock_time, read_number, read_score, spelled_seconds


def scores(texts: list[str], **options: Any) -> qrja.Table:
    """Read texts as the scores of one contest."""
    quoted = (text.replace('"', '""') for text in texts)
    rows = "".join(f'A,{k},"{text}"\n' for k, text in enumerate(quoted))
    return qrja.read_table(io.BytesIO(("contest,contestant,score\n" + rows).encode()), **options)


@pytest.mark.parametrize(
    ("texts", "values"),
    [
        (["1e3", "+5", "-0", " 7 ", ".5", "2.", "1E-2"], [1000, 5, 0, 7, 0.5, 2, 0.01]),
        (["3,5", "-1,25", "12", "0,125"], [3.5, -1.25, 12, 0.125]),
        (["1.234,5", "2.000", "7"], [1234.5, 2000, 7]),
        (["1,234.5", "2,000", "7"], [1234.5, 2000, 7]),
        (["1,234,567", "2,000", "0.5"], [1234567, 2000, 0.5]),
        (["1.234.567", "2.000"], [1234567, 2000]),
        (["1 234", "1\u00a0234\u202f567", "5"], [1234, 1234567, 5]),
        (["1'234.5", "12\u2019345"], [1234.5, 12345]),
        (["\u22125", "3"], [-5, 3]),
        (["1.234", "2.345"], [1.234, 2.345]),
        (["0,123", "1,234"], [0.123, 1.234]),
        (["3,5e2", "1"], [350, 1]),
        (["3,5", "DNF", "4,5"], [3.5, 4.5]),
        (["63.9%", "7 %", "DNF", "-0.5%"], [63.9, 7, -0.5]),
        (["1 234,5 %", "7,25%"], [1234.5, 7.25]),
    ],
)
def test_numbers(texts: list[str], values: list[float]) -> None:
    table = scores(texts)
    assert table.units.kind == "number"
    assert table.problem.score.tolist() == values


def test_percent_beside_plain_numbers_is_refused() -> None:
    with pytest.raises(
        qrja.InputError,
        match=r":3: '64%' is in percent but '0.5' \(.*:4\) is not; write both the same way",
    ):
        scores(["DNF", "64%", "0.5", "1"])


ODD = ["1", " 2", "2 ", "+5", "1e3", "1.", ".5", "00012", "1e400", "1e-400", "9007199254740993"]
ODD += ["inf", "nan", "Infinity", "0x10", "1_000", "1f", "--1", "1 000", "3,5", "true", "\t7", ""]


def values_or_message(texts: list[str]) -> object:
    try:
        return scores(texts).problem.score.tolist()
    except qrja.InputError as error:
        return str(error)


@pytest.mark.parametrize("text", ODD)
def test_numbers_read_at_once_are_those_read_from_text(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_once = values_or_message(["7", text, "9"])
    monkeypatch.setattr("qrja.tables.sources.csv_file._is_number", lambda text: False)
    assert at_once == values_or_message(["7", text, "9"])


decimals = st.from_regex(r"-?[0-9]{1,12}(\.[0-9]{1,24})?", fullmatch=True)


@given(st.lists(decimals | st.floats(-1e15, 1e15).map(repr) | st.floats(-1, 1).map(repr)))
@example(["9007199254740993", "9007199254740995", "9007199254740992.5", "4503599627370497.5"])
@example(["0.1", "-0.0", "123456789012345678", "0.1000000000000000055511151231257827"])
@example(["2.2250738585072014e-308", "5e-324", "1e22", "89255.32156740015", "0.30000000000000004"])
def test_numbers_are_rounded_as_python_rounds_them(written: list[str]) -> None:
    expected = [0.0, 1.0, *map(float, written)]
    assert scores(["0", "1", *written]).problem.score.tolist() == expected


def test_many_digits_are_rounded_as_python_rounds_them() -> None:
    draw = random.Random(0)
    written = [
        f"{draw.randrange(10 ** draw.randrange(1, 6))}.{draw.randrange(10**13):013d}"
        for _ in range(20_000)
    ]
    assert scores(written).problem.score.tolist() == [float(text) for text in written]


def test_a_column_that_names_contestants_too_keeps_its_texts() -> None:
    table = qrja.read_table(
        io.BytesIO(b"race,bib\nA,007\nA,7.50\n"), contest="race", contestant="bib", score="bib"
    )
    assert table.problem.names == ("007", "7.50")
    assert table.problem.score.tolist() == [7, 7.5]


@pytest.mark.parametrize(
    "texts", [["1,23,4", "1"], ["1,2.3", "1"], ["12,34,567", "1"], ["1 23", "1"]]
)
def test_misplaced_separators_are_no_numbers(texts: list[str]) -> None:
    with pytest.raises(qrja.InputError, match=r":2: '1.*' is neither a number nor a time"):
        scores(texts)


@pytest.mark.parametrize(
    ("texts", "seconds"),
    [
        (["4:10:00", "3:59.4"], [15000, 239.4]),
        (["1h02m03s", "2h", "59.4s", "1h 2min 3sec", "2m05s"], [3723, 7200, 59.4, 3723, 125]),
        (["75:30", "59,5", "1:02,25"], [4530, 59.5, 62.25]),
        (["59.4", "1:02.3"], [59.4, 62.3]),
        (["0:05", "-0:05"], [5, -5]),
    ],
)
def test_times(texts: list[str], seconds: list[float]) -> None:
    table = scores(texts)
    assert table.units.kind == "time"
    np.testing.assert_allclose(-table.problem.score, seconds, rtol=1e-15)


def test_notes_about_times() -> None:
    minutes = "times such as 4:10 are taken as minutes and seconds"
    seconds = "plain numbers among the times are taken as seconds"
    lower = "the scores are times: lower is taken to be better"
    assert scores(["4:10", "5:20"]).summary.notes[1:] == (minutes, lower)
    mixed = f"{minutes}, beside others with hours"
    assert scores(["4:10", "1:05:20"]).summary.notes[1:] == (mixed, lower)
    assert scores(["4:10:00", "17"]).summary.notes[1:] == (seconds, lower)
    assert scores(["4:10", "5:20"], lower_is_better=True).summary.notes[1:] == (minutes,)


CLOCKS = st.from_regex(
    r"[+-]?\d{1,3}(:[0-5]\d){1,2}([.,]\d{1,3})?",
    fullmatch=True,
    alphabet=st.characters(codec="ascii"),
)


@given(st.lists(CLOCKS, min_size=2, max_size=20))
def test_the_database_reads_clocks_as_python_does(texts: list[str]) -> None:
    assert (-scores(texts).problem.score + 0.0).tolist() == [clock_time(text) for text in texts]


@given(st.text(alphabet="0123456789:.,+-hms ", max_size=10))
def test_what_is_no_clock_is_no_time(text: str) -> None:
    seconds = clock_time(text)
    parts = text.lstrip("+-").split(":")
    assert (seconds is not None) <= (len(parts) in (2, 3))
    assert seconds is None or spelled_seconds(text) is None


@given(st.lists(st.floats(-1e100, 1e100), min_size=2, max_size=30))
def test_every_float_survives(values: list[float]) -> None:
    assert scores([repr(value) for value in values]).problem.score.tolist() == values


DAYS = {
    "2026-02-01": ["2026-02-01", "2026/02/01", "20260201", "2026-2-1", "2026.02.01", "2026-02"],
    "2026-02-13": [
        "13/02/2026",
        "02/13/2026",
        "13.02.2026",
        "13-02-2026",
        "13/02/26",
        "13. 2. 2026",
    ],
    "2026-11-05": [
        "5 Nov 2026",
        "Nov 5, 2026",
        "November 5 2026",
        "5-nov-2026",
        "5th November 2026",
    ],
    "1969-11-05": ["05/11/69 ", "1969-11-05"],
    "2026-11-05T14:30:00": ["2026-11-05T14:30", "2026-11-05 14:30:00", "5.11.2026 14:30"],
    "2026-11-05T12:30:00": [
        "2026-11-05T14:30+02:00",
        "2026-11-05T12:30:00Z",
        "2026-11-05 08:30-0400",
    ],
}


def days(texts: list[str]) -> list[str]:
    """Read texts as the dates of contests, and return the dates in the order of the texts."""
    rows = "".join(f'{k},{who},1,"{text}"\n' for k, text in enumerate(texts) for who in "xy")
    data = ("contest,contestant,score,date\n" + rows).encode()
    contests = qrja.read_contests(io.BytesIO(data))
    by_label = dict(zip(contests.labels, contests.date.tolist(), strict=True))
    assert all(a <= b for a, b in pairwise(contests.date.tolist()))
    return [by_label[str(k)].isoformat() for k in range(len(texts))]


@pytest.mark.parametrize(
    ("text", "day"), [(text, day) for day, texts in DAYS.items() for text in texts]
)
def test_dates(text: str, day: str) -> None:
    # A day above 12 settles the order of the ambiguous form.
    helper = ["25/12/69"] if text == "05/11/69 " else []
    expected = day if "T" in day else f"{day}T00:00:00"
    assert days([text, *helper])[0] == expected


def test_one_clear_date_settles_the_others() -> None:
    assert days(["03/04/2026", "13/04/2026"])[0] == "2026-04-03T00:00:00"
    assert days(["03/04/2026", "04/13/2026"])[0] == "2026-03-04T00:00:00"
    assert days(["03/03/2026", "04/04/2026"])[0] == "2026-03-03T00:00:00"


def test_zoned_and_other_times_do_not_mix() -> None:
    with pytest.raises(qrja.InputError, match="are dates of two forms"):
        days(["2026-11-05T14:30+02:00", "2026-11-05T14:30"])


def test_years_in_a_data_column() -> None:
    data = b"contest,contestant,score,year\nA,x,1,2004\nA,y,2,2004\nA,x,3,2003\nA,y,4,2003\n"
    contests = qrja.read_contests(io.BytesIO(data), date="year")
    assert contests.labels == ("A (2003-01-01)", "A (2004-01-01)")


@pytest.mark.parametrize(
    ("text", "value"),
    [("3.5", 3.5), (" 7 ", 7), ("1:30", 90), ("-1:00:00", -3600), ("fast", None), ("", None)],
)
def test_a_number_by_itself(text: str, value: float | None) -> None:
    assert read_number(text) == value


def test_a_score_by_itself_is_signed_as_in_its_table() -> None:
    assert read_score("4:10", qrja.Units("time", lower_is_better=True)) == -250
    assert read_score(3, qrja.Units()) == 3
    for score in ("nan", "inf", "fast", None, True, [1]):
        with pytest.raises(qrja.InputError, match="give a number or a time like 4:10:00"):
            read_score(score, qrja.Units())
