"""Notebooks: a real kernel without widgets, and what results look like there."""

from __future__ import annotations

import io
import re
import sys
from html.parser import HTMLParser
from typing import Any

import pytest

import qrja
from qrja.display import interval_bar, safe, table

RACES = (
    b"race,runner,time\nA,Ann,40:00\nA,Bob,48:00\nB,Ann,42:00\nB,Bob,58:00\n"
    b"C,Ann,44:00\nC,<b>Cid</b>,46:00\nD,<b>Cid</b>,40:00\nD,Bob,47:00\n"
)
CELL = f"""
import sys
sys.modules["ipywidgets"] = None  # as where it is not installed
import io, qrja
ratings = qrja.fit(io.BytesIO({RACES!r}))
ratings
"""


class Balanced(HTMLParser):
    """Checks that every tag that is opened is closed, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def read(html: str) -> list[str]:
    parser = Balanced()
    parser.feed(html)
    assert parser.open == []
    return parser.texts


@pytest.fixture(scope="module")
def ratings() -> qrja.Ratings:
    return qrja.fit(io.BytesIO(RACES))


@pytest.mark.filterwarnings("ignore")  # of the packages that talk to the kernel
def test_a_plain_kernel_shows_a_board() -> None:
    client = pytest.importorskip("jupyter_client")
    pytest.importorskip("ipykernel")
    manager = client.KernelManager()
    command = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    manager._kernel_spec = client.kernelspec.KernelSpec(argv=command, language="python")
    manager.start_kernel()
    talk = manager.client()
    said: list[dict[str, Any]] = []
    try:
        talk.start_channels()
        talk.wait_for_ready(timeout=60)
        talk.execute_interactive(CELL, output_hook=said.append, timeout=60)
    finally:
        talk.stop_channels()
        manager.shutdown_kernel(now=True)
    kinds = [message["msg_type"] for message in said]
    assert "error" not in kinds, said
    shown = next(one["content"]["data"] for one in said if one["msg_type"] == "execute_result")
    assert "Ann" in read(shown["text/html"])
    assert shown["text/plain"].startswith("Ratings(Contests(contests=4")


def test_a_board_has_bars_and_escaped_names(ratings: qrja.Ratings) -> None:
    html = ratings._repr_html_()
    texts = read(html)
    assert html.count("<svg") == 3
    assert "<b>Cid</b>" in texts
    assert "Ratings of 3 contestants from 4 contests; loss |t|^2, optimal" in texts


def test_a_board_of_many_shows_the_best_and_counts_the_rest() -> None:
    texts = read(qrja.fit(qrja.datasets.football()[:400])._repr_html_())
    assert "Group 1 of 5" in texts
    assert any("in other groups, not comparable with these" in text for text in texts)


def test_without_time_for_intervals_a_board_says_who_finds_them(
    monkeypatch: pytest.MonkeyPatch, ratings: qrja.Ratings
) -> None:
    monkeypatch.setattr("qrja.ratings.board.board_html.QUICK", 0)
    html = ratings._repr_html_()
    assert "<svg" not in html
    assert "Intervals would take a while here: .table() finds them." in read(html)


def test_findings_are_a_list(ratings: qrja.Ratings) -> None:
    report = ratings.trust()
    html = report._repr_html_()
    assert report.verdict in read(html)
    assert html.count("<li>") == len(report.findings)
    assert re.fullmatch(r"TrustReport\('[^\n]*', \d+ findings\)", repr(report))


def test_an_explanation_is_words_and_a_picture(ratings: qrja.Ratings) -> None:
    told = ratings.explain("Ann", "<b>Cid</b>")
    html = told._repr_html_()
    assert html.count("<svg") == 1
    assert "<b>Cid</b>" not in html
    assert read(html)
    assert len(repr(told)) < 120
    assert repr(told).startswith("Explanation('Ann is rated ")


def test_a_prediction_has_a_bar_for_each(ratings: qrja.Ratings) -> None:
    html = ratings.predict(["Ann", "Bob", "<b>Cid</b>"])._repr_html_()
    assert html.count("<svg") == 3
    assert "expected place" in read(html)


def test_a_back_test_shows_its_verdict() -> None:
    result = qrja.backtest(qrja.datasets.classifiers()[:30], ["mean", "borda"])
    texts = read(result._repr_html_())
    assert result.verdict.sentence in texts
    assert "borda" in texts


def test_a_solution_shows_scores_and_proof(ratings: qrja.Ratings) -> None:
    texts = read(ratings.solution._repr_html_())
    assert any(text.startswith("Loss |t|^2 = ") for text in texts)
    assert "Ann" in texts


def test_a_table_tells_what_became_of_its_rows() -> None:
    read_in = qrja.read_table(io.BytesIO(RACES + b"D,Ann,DNF\n"))
    assert "left out 1 row: DNF (line 10)" in read(read_in._repr_html_())
    assert repr(read_in).endswith("units=time, 8 of 9 rows)")
    assert repr(read_in.summary.left_out) == "(LeftOut('DNF', 1 row),)"


def test_suggestions_and_changes_are_short(ratings: qrja.Ratings) -> None:
    assert repr(ratings.suggest(2)) == "Suggestions(2 items, first Ann - <b>Cid</b>)"
    assert read(ratings.suggest(2)._repr_html_())
    assert repr(ratings.changes_since(ratings)) == "Changes(0 of 3 contestants moved, 0 gone)"


def test_pieces_escape_what_they_are_given() -> None:
    assert safe('<a href="x">') == "&lt;a href=&quot;x&quot;&gt;"
    assert "<i>" not in table(["<i>"], [["<i>"]])
    assert "<i>" not in interval_bar(0, 1, 2, 0, 2, said="<i>")


def test_a_bar_appears_only_for_those_who_wait(
    monkeypatch: pytest.MonkeyPatch, ratings: qrja.Ratings
) -> None:
    drawn: list[tuple[str, int, int]] = []
    monkeypatch.setattr(
        "qrja.display.progress._draw_on_terminal", lambda *told: drawn.append(told[1:])
    )
    ratings.table(progress=True)
    assert drawn == []
    monkeypatch.setattr("qrja.display.progress.PATIENCE", 0.0)
    ratings.table(progress=True)
    assert drawn[-1] == ("resampling", 200, 200)
    with pytest.raises(qrja.InputError, match="progress is 'yes'; give True, or a function"):
        ratings.intervals(progress="yes")  # type: ignore[arg-type]
