"""Spreadsheets, titles above the header, folders, patterns and archives."""

from __future__ import annotations

import io
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

import qrja
from qrja.cli import run
from qrja.tables.sources.documents.extent import check_extent
from reference.sheets import write_ods, write_xls, write_xlsx
from test_tables_read import entries, read

RACE = "race,runner,time\nBoston,Ann,4:00:00\nBoston,Bob,4:11:00\n"


def refused(source: object, **options: object) -> str:
    with pytest.raises(qrja.InputError) as caught:
        qrja.read_table(source, **options)
    return str(caught.value)


@pytest.fixture
def season(tmp_path: Path) -> Path:
    pytest.importorskip("python_calamine", reason="spreadsheets need qrja[excel]")
    first = [
        ["Stadtlauf Graz 2024", None, None, None],
        [None, None, None, None],
        ["race", "runner", "time", "date"],
        ["Graz", "Ann", ("time", 14400.0), ("date", 45396.0)],
        ["Graz", "Bob", ("time", 15060.5), ("date", 45396.0)],
        ["Graz", "Cid", "DNF", ("date", 45396.0)],
    ]
    other = [["race", "runner", "time"], ["Linz", "Ann", 50.0], ["Linz", "Dan", "fast"]]
    return write_xlsx(tmp_path / "season.xlsx", {"Graz": first, "Linz & Co": other})


def test_a_sheet_by_name_and_by_number(season: Path) -> None:
    table = qrja.read_table(season, sheet="Graz")
    assert entries(table.problem) == [("Graz", "Ann", -14400.0), ("Graz", "Bob", -15060.5)]
    assert str(table.problem.date[0])[:10] == "2024-04-14"
    assert table.summary.lines()[:3] == [
        "read 3 rows, used 2",
        "left out 1 row: DNF (line 6)",
        "skipped 1 line above the header, which is line 3: 'Stadtlauf Graz 2024'",
    ]
    assert qrja.read_table(season, sheet=1).problem.names == ("Ann", "Bob")
    assert qrja.read_table(season, sheet=1).reading == {"sheet": "1"}


ROWS = [
    ["Stadtlauf Graz 2024", "", ""],
    ["race", "runner", "time"],
    ["Graz", "Größwang, Ida", "0:40:00"],
    ["Graz", "Bob", "0:41:30"],
    ["Graz", "Cid", "DNF"],
    ["Linz", "Bob", "0:39:00"],
    ["Linz", "Größwang, Ida", "0:38:00"],
]


@pytest.mark.parametrize("write", [write_ods, write_xls])
def test_other_spreadsheets(write: Callable[..., Path], tmp_path: Path) -> None:
    pytest.importorskip("python_calamine", reason="spreadsheets need qrja[excel]")
    path = write(tmp_path / f"season.{write.__name__.removeprefix('write_')}", "Saison", ROWS)
    table = qrja.read_table(path)
    assert entries(table.problem)[:2] == [
        ("Graz", "Größwang, Ida", -2400.0),
        ("Graz", "Bob", -2490.0),
    ]
    assert table.summary.lines()[1:3] == [
        "left out 1 row: DNF (line 5)",
        "skipped 1 line above the header, which is line 2: 'Stadtlauf Graz 2024'",
    ]
    assert refused(path, sheet="Sasion").endswith(
        "'Sasion'; the sheets are 'Saison'; did you mean 'Saison'?"
    )


def test_a_panic_of_the_reader_is_one_sentence(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("python_calamine", reason="spreadsheets need qrja[excel]")
    path = write_xls(tmp_path / "season.xls", "Saison", ROWS)
    path.write_bytes(path.read_bytes()[:1469])
    assert "cannot be read as a spreadsheet" in refused(path)
    assert capfd.readouterr().err == ""
    print("still there", file=sys.stderr)
    assert capfd.readouterr().err == "still there\n"


def test_numbers_and_times_of_an_ods_file(tmp_path: Path) -> None:
    pytest.importorskip("python_calamine", reason="spreadsheets need qrja[excel]")
    rows = [["race", "runner", "time"], ["Graz", "Ann", ("time", "PT00H58M41S")]]
    path = write_ods(tmp_path / "a.ods", "A", [*rows, ["Graz", "Bob", ("time", "PT01H02M00.5S")]])
    assert [score for *_, score in entries(qrja.read_table(path).problem)] == [-3521.0, -3720.5]
    plain = write_ods(tmp_path / "b.ods", "A", [["a", "b", "y"], ["x", "z", 2.5], ["z", "w", -1]])
    assert qrja.read_table(plain).problem.y.tolist() == [2.5, -1.0]


def test_bad_sheets(season: Path, tmp_path: Path) -> None:
    assert refused(season) == (
        f"{season}: 2 sheets have rows, 'Graz', 'Linz & Co'; say which (--sheet 'Graz' in the"
        " shell)"
    )
    assert refused(season, sheet="Gras") == (
        f"{season}: there is no sheet 'Gras'; the sheets are 'Graz', 'Linz & Co'; did you mean"
        " 'Graz'?"
    )
    assert refused(season, sheet=2).startswith(f"{season}, sheet 'Linz & Co':3: 'fast' is neither")
    assert refused(io.BytesIO(RACE.encode()), sheet="x") == (
        "the file: is no spreadsheet, so there is no sheet 'x'"
    )
    empty = write_xlsx(tmp_path / "empty.xlsx", {"A": [], "B": []})
    assert refused(empty) == f"{empty}: no sheet has rows; the sheets are 'A', 'B'"
    broken = tmp_path / "broken.xlsx"
    with zipfile.ZipFile(broken, "w") as file:
        file.writestr("xl/workbook.xml", "<workbook")
    assert refused(broken).startswith(f"{broken}: cannot be read as a spreadsheet: ")


def test_the_remedy_where_the_reader_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_xlsx(tmp_path / "season.xlsx", {"A": [["race"], ["x"]]})
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    assert refused(path) == (
        f"{path}: is a spreadsheet; install the reader of spreadsheets, pip install 'qrja[excel]',"
        " or save the sheet as CSV"
    )


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("Results of the season\n", "1 line above the header, which is line 2: 'Results of the"),
        ("Graz; 14. April 2024\n\nOfficial\n", "2 lines above the header, which is line 4: 'Graz;"),
        ('"Cup, final"\n', "1 line above the header, which is line 2: 'Cup, final'"),
        ("Graz,2024\n", "1 line above the header, which is line 2: 'Graz 2024'"),
    ],
)
def test_titles_above_the_header(title: str, said: str) -> None:
    table = read(title + RACE)
    assert table.problem.names == ("Ann", "Bob")
    assert table.summary.notes[0].startswith(f"skipped {said}")
    semicolons = read(title + RACE.replace(",", ";"))
    assert semicolons.problem.names == ("Ann", "Bob")


def test_what_is_no_title() -> None:
    assert read("race,runner,time\n" + RACE[17:]).summary.notes[0].startswith("guessed")
    short = "race,runner\nBoston,Ann,4:00:00\nBoston,Bob,4:11:00\n"
    assert "the columns are 'race', 'runner'" in refused(io.BytesIO(short.encode()))


def test_names_with_commas_between_semicolons_are_no_header() -> None:
    rows = [f"R{k};{name};{40 + k}:00" for k in range(3) for name in ("Weiß, Anna", "Groß, Ida")]
    table = read("\n".join(["race;runner;time", *rows]))
    assert table.problem.names == ("Weiß, Anna", "Groß, Ida")
    titled = read("\n".join(["Liga, 2024", "race;runner;time", *rows]))
    assert titled.problem.names == ("Weiß, Anna", "Groß, Ida")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, time in (("boston", "4:00:00"), ("paris", "3:50:00")):
        path = tmp_path / "races" / f"{name}.csv"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"runner,time,club\nAnn,{time},x\nBob,4:11:00,y\nCid,DNF,x\n")
    (tmp_path / "races" / "notes.md").write_text("no table")
    return tmp_path / "races"


def test_a_folder_a_pattern_a_list_and_an_archive_are_one_table(folder: Path) -> None:
    archive = folder.parent / "races.zip"
    with zipfile.ZipFile(archive, "w") as file:
        for path in folder.iterdir():
            file.write(path, f"deep/{path.name}")
    files = sorted(folder.glob("*.csv"))
    for source in (folder, str(folder / "*.csv"), files, archive):
        table = qrja.read_table(source)
        assert entries(table.problem)[:2] == [
            ("boston", "Ann", -14400.0),
            ("boston", "Bob", -15060),
        ]
        assert len(table.problem) == 2
        lines = table.summary.lines()
        assert lines[1] == "left out 2 rows: DNF (rows 3, 6)"
        assert lines[2].startswith("read 2 files: ")
        assert "contest is 'file'" in lines[3]


def test_bad_files_among_several_are_named(folder: Path) -> None:
    paris = folder / "paris.csv"
    paris.write_text(paris.read_text().replace("4:11:00", "fast"))
    assert refused(folder).startswith(f"{paris}:3: 'fast' is neither a number")
    paris.write_text("x,y\n1,2\n")
    assert refused(folder) == (
        f"{folder}: the files have no two columns in common; {folder / 'boston.csv'} has 'runner',"
        f" 'time', 'club' and {paris} 'x', 'y'"
    )
    assert refused(str(folder / "a*.csv")) == (
        f"{folder / 'a*.csv'}: no file fits this pattern; check it, and that it stands in quotes"
        " in the shell"
    )
    (folder / "only").mkdir()
    assert refused(folder / "only").startswith(f"{folder / 'only'}: the folder holds no table;")
    (folder / "only" / "one.jsonl").write_text('{"runner": "Ann"}\n{"runner": "Bob"}\n')
    assert "the columns are 'runner', 'file'; say which" in refused(folder / "only")
    archive = folder / "broken.zip"
    archive.write_bytes(b"PK\x03\x04 not really")
    assert refused(archive) == (
        f"{archive}: cannot be unpacked; is the file whole, and without a password?"
    )


def test_an_archive_cannot_write_elsewhere(tmp_path: Path) -> None:
    archive = tmp_path / "evil.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("../../outside.csv", RACE)
    assert qrja.read_table(archive).problem.names == ("Ann", "Bob")
    assert not (tmp_path.parent / "outside.csv").exists()


def test_several_files_on_the_command_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [str(path) for path in sorted(folder.glob("*.csv"))]
    for typed in (files, [str(folder)], [str(folder / "*.csv")]):
        assert run(["rank", *typed, "--no-intervals"]) == 0
        out, err = capsys.readouterr()
        assert out.splitlines()[1].split()[:2] == ["1", "Ann"]
        assert "read 2 files" in err


def test_a_damaged_sheet_is_refused_in_our_words(season: Path) -> None:
    with zipfile.ZipFile(season) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    sheets = [name for name in parts if name.startswith("xl/worksheets/")]
    for name in sheets:
        parts[name] = parts[name][:-30]
    with zipfile.ZipFile(season, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    message = refused(season, sheet="Graz")
    assert message.startswith(f"{season}: cannot be read as a spreadsheet: ")
    assert message.endswith("; open it and save it anew, or as CSV")


def test_a_cell_far_out_does_not_take_all_memory(tmp_path: Path) -> None:
    path = tmp_path / "far.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("xl/worksheets/sheet1.xml", '<c r="A1"/><c s="1" r="XFD1048576"/>')
    with pytest.raises(qrja.InputError) as caught:
        check_extent(path, "far.xlsx")
    assert str(caught.value) == (
        "far.xlsx: a sheet reaches to row 1,048,576 and column 16,384, and 20,000,000 cells can be"
        " read; clear the cells far out, or save it as CSV"
    )


def test_a_cell_that_stands_for_many_does_not_take_all_memory(tmp_path: Path) -> None:
    path = tmp_path / "many.ods"
    filled = '<table:table-cell table:number-columns-repeated="16000"><text:p>x</text:p>'
    empty = '<table:table-cell table:number-columns-repeated="16384"/>'
    rows = '<table:table-row table:number-rows-repeated="1048576">'
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("content.xml", f"<table:table>{rows}{empty}</table:table>")
    check_extent(path, "many.ods")  # empty cells to the very edge are usual
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("content.xml", f"<table:table>{rows}{filled}</table:table>")
    with pytest.raises(qrja.InputError, match="row 1,048,576 and column 16,000, and 20,000,000"):
        check_extent(path, "many.ods")
