"""Three newcomers from file to board, forecast, back-test, page, picture and notebook, by options.

A German season as xlsx with three distances, words for DNF, variants of names and categories;
2,400 verdicts of four judges in five categories; a wide table of 70 tasks by 12 models with gaps.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from qrja.cli import run
from reference.sheets import write_xlsx
from test_ratings_spacing import verdicts

SEASON = ["--contest", "Lauf,Strecke", "--scale", "log", "--aliases", "alike", "--left-out", "n.g."]
RUNNERS = [f"{family}, {name}" for family in ("Weiß", "Größwang", "Novák") for name in "ABCDEFGH"]


def season(path: Path) -> Path:
    """Write a season of three distances: titles above the header, DNF, names in two spellings."""
    rng = np.random.default_rng(7)
    rows: list[list[Any]] = [["Laufserie 2024"], ["Lauf", "Strecke", "Datum", "Name", "AK", "Zeit"]]
    for k in range(6):
        for km in (10.0, 21.1, 40.4):
            for i in rng.choice(24, 10, replace=False).tolist():
                name = RUNNERS[i] if rng.random() > 0.05 else RUNNERS[i].replace(", ", ",").upper()
                time: Any = ("time", float(round(km * (240 + 6 * i + rng.normal(0, 8)))))
                time = time if rng.random() > 0.06 else rng.choice(["DNF", "DNS", "Aufg.", "n.g."])
                day = ("date", 45396.0 + 14 * k)
                rows.append([f"Lauf {k}", f"{km} km", day, name, "WM"[i % 2], time])
    return write_xlsx(path, {"Ergebnisse": rows, "Leer": []})


def wide(path: Path) -> Path:
    """Write 70 tasks by 12 models, one cell in eight empty."""
    rng = np.random.default_rng(8)
    lines = [",".join(["task", *(f"model {letter}" for letter in "ABCDEFGHIJKL")])]
    for task in range(70):
        scores = 70 - 3 * np.arange(12) + rng.normal(0, 10) + rng.normal(0, 5, 12)
        cells = ["" if rng.random() < 0.12 else f"{score:.1f}" for score in scores]
        lines.append(",".join([f"task {task}", *cells]))
    path.write_text("\n".join(lines))
    return path


@pytest.fixture(params=["season", "verdicts", "wide"])
def walk(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[list[str], str, str, str]:
    """The file with its options, a start list, the best of all, and a column of categories."""
    if request.param == "season":
        pytest.importorskip("python_calamine", reason="spreadsheets need qrja[excel]")
        path = season(tmp_path / "saison.xlsx")
        return [str(path), *SEASON], "; ".join([*RUNNERS[:2], "Neu, Eva"]), RUNNERS[0], "AK"
    if request.param == "verdicts":
        path = verdicts(tmp_path / "verdicts.csv")
        return [str(path)], "m00,m01,m05", "m00", "category"
    return [str(wide(tmp_path / "wide.csv"))], "model A,model B", "model A", ""


def test_from_file_to_board_forecast_and_back_test(
    walk: tuple[list[str], str, str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    table, start, best, by = walk
    assert run(["rank", *table, "--no-intervals", "--top", "3"]) == 0
    assert best in capsys.readouterr().out.splitlines()[1]
    assert run(["predict", *table, "--start-list", start, "-q"]) == 0
    out = capsys.readouterr().out
    assert best in out.splitlines()[1]
    assert ("Neu, Eva" in out) == ("Neu" in start)
    assert run(["backtest", *table, "--rankers", "qrja-l2,qrja-l1", "-q"]) == 0
    assert "of pairs in the right order" in " ".join(capsys.readouterr().out.split())
    if by:
        assert run(["rank", *table, "--by", by, "--no-intervals", "-q"]) == 0
        assert capsys.readouterr().out.count(f"{by}: ") == (2 if by == "AK" else 5)


def test_from_file_to_page_and_picture(
    walk: tuple[list[str], str, str, str], tmp_path: Path
) -> None:
    table, start, best, by = walk
    page, picture = tmp_path / "page.html", tmp_path / "board.svg"
    groups = ["--by", by] if by == "AK" else []
    start = "; ".join(start.split("; ")[:2])  # a page shows who is rated
    asked = ["--language", "de", "--start-list", start, "--no-backtest", "--resamples", "20"]
    assert run(["report", *table, *groups, *asked, "-o", str(page), "-q"]) == 0
    text = page.read_text(encoding="utf-8")
    assert best in text
    assert "Wie gerechnet wurde" in text
    assert ('id="category-2"' in text) == bool(groups)
    assert run(["plot", *table, "-o", str(picture), "-q"]) == 0
    assert best.split(",")[0] in picture.read_text(encoding="utf-8")


CELL = """
import qrja
ratings = qrja.fit({path!r}, **{options!r})
ratings.predict({start!r}), ratings.trust(), ratings
"""


@pytest.mark.filterwarnings("ignore")  # of the packages that talk to the kernel
def test_from_file_to_notebook(tmp_path: Path) -> None:
    client = pytest.importorskip("jupyter_client")
    pytest.importorskip("ipykernel")
    pytest.importorskip("python_calamine", reason="spreadsheets need qrja[excel]")
    read = {"contest": "Lauf,Strecke", "scale": "log", "aliases": "alike", "left_out": "n.g."}
    cells = [
        (season(tmp_path / "saison.xlsx"), read, RUNNERS[:2]),
        (verdicts(tmp_path / "verdicts.csv"), {}, ["m00", "m01"]),
        (wide(tmp_path / "wide.csv"), {}, ["model A", "model B"]),
    ]
    manager = client.KernelManager()
    command = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    manager._kernel_spec = client.kernelspec.KernelSpec(argv=command, language="python")
    manager.start_kernel()
    talk, said = manager.client(), []
    try:
        talk.start_channels()
        talk.wait_for_ready(timeout=60)
        for path, options, start in cells:
            cell = CELL.format(path=str(path), options=options, start=start)
            talk.execute_interactive(f"{cell}\nratings", output_hook=said.append, timeout=120)
    finally:
        talk.stop_channels()
        manager.shutdown_kernel(now=True)
    assert not [one for one in said if one["msg_type"] == "error"]
    boards = [one["content"]["data"] for one in said if one["msg_type"] == "execute_result"]
    for board, (_, _, start) in zip(boards, cells, strict=True):
        assert start[0] in board["text/html"]
