"""The report's own words, its head, and what stands first in it."""

from __future__ import annotations

import base64
import io
import re
from importlib.resources import files
from pathlib import Path

import pytest

import qrja
from qrja.cli import run
from qrja.report import make_report
from qrja.report.phrases import LANGUAGES, PHRASES, translate

RACES = Path(__file__).parent / "examples" / "races.csv"
PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
LONG = "\n".join(
    ["race,runner,time"]
    + [
        f"R{k},{name},{40 + 3 * i + (k * i) % 3}:00"
        for k in range(8)
        for i, name in enumerate("abcd")
    ]
)


@pytest.fixture(scope="module")
def ratings() -> qrja.Ratings:
    return qrja.fit(str(RACES))


def test_the_board_comes_first_and_the_verdict_is_folded(ratings: qrja.Ratings) -> None:
    page = make_report(ratings)
    assert page.index('<details id="verdict"') < page.index('<section id="leaderboard"')
    between = page[page.index('<details id="verdict"') : page.index('<section id="leaderboard"')]
    assert "<section" not in between
    assert f'<span class="verdict">{ratings.trust().verdict}</span>' in between
    assert " open" not in between.partition(">")[0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_phrase_has_a_translation_and_is_used(language: str) -> None:
    folder = files("qrja.report") / "page"
    scripts = "".join((folder / f"{name}.js").read_text() for name in ("leaderboard", "compare"))
    template = (folder / "report.html").read_text()
    marks = {"Good", "Note", "Warning"}
    for english, other in PHRASES[language].items():
        assert other.strip(), english
        used = f">{english}" in template or f'"{english}"' in scripts or english in marks
        assert used, f"{english!r} stands nowhere in the page"


@pytest.mark.parametrize(("language", "heading"), [("de", "Rangliste"), ("fr", "Classement")])
def test_headings_are_in_the_language_of_the_page(
    ratings: qrja.Ratings, language: str, heading: str
) -> None:
    page = make_report(ratings, language=language)
    assert f'<html lang="{language}">' in page
    assert f'<h2 id="leaderboard-title">{heading}</h2>' in page


def test_what_charts_and_tables_show_is_said_in_the_language(ratings: qrja.Ratings) -> None:
    page = make_report(ratings, language="de")
    assert "Die Wertung nach den bisherigen Wettkämpfen; ein Punkt, wo jemand teilnahm." in page
    assert "in wie vielen Wettkämpfen sie sich trafen." in page
    assert "<summary>Erwarteter Abstand und Siegchance jedes Paares</summary>" in page


def test_data_are_not_translated() -> None:
    assert translate("<h1>$title</h1><p>Search</p>", "de") == "<h1>$title</h1><p>Suche</p>"
    named = qrja.Contests.from_arrays("AABB", ["Rank", "Search", "Rank", "Search"], [2, 1, 3, 1])
    page = make_report(qrja.fit(named), language="de", title="Leaderboard")
    assert "<h1>Leaderboard</h1>" in page
    assert '"names":["Rank","Search"]' in page


def test_a_logo_and_a_link_are_put_into_the_page(ratings: qrja.Ratings, tmp_path: Path) -> None:
    logo = tmp_path / "club.png"
    logo.write_bytes(PIXEL)
    page = make_report(ratings, logo=logo, link="https://example.org/?a=1&b=2")
    assert f'src="data:image/png;base64,{base64.b64encode(PIXEL).decode()}"' in page
    assert '<a href="https://example.org/?a=1&amp;b=2" rel="noreferrer">' in page


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--language", "xx"], "no language 'xx'; choose one of en, de, fr, es"),
        (["--logo", "club.pdf"], "club.pdf: a logo is a picture, one of .png"),
        (["--logo", "club.png"], "club.png: cannot be read: No such file"),
        (["--link", "javascript:alert(1)"], "begin it with https:// or mailto:"),
        (["--start-list", "Bub"], "did you mean 'Bob'?"),
    ],
)
def test_mistakes_in_the_head_of_the_page(
    options: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["report", str(RACES), "-o", "r.html", "--no-backtest", "-q", *options]) == 2
    assert message in capsys.readouterr().err
    assert not Path("r.html").exists()


def test_a_logo_that_is_too_large_is_refused(ratings: qrja.Ratings, tmp_path: Path) -> None:
    logo = tmp_path / "club.png"
    logo.write_bytes(bytes(1_000_001))
    with pytest.raises(qrja.InputError, match="has 1,000,001 bytes, and a logo may have 1,000,000"):
        make_report(ratings, logo=logo)


def test_the_script_names_every_function_once() -> None:
    folder = files("qrja.report") / "page"
    script = "".join(part.read_text() for part in folder.iterdir() if part.name.endswith(".js"))
    named = re.findall(r"^function (\w+)", script, flags=re.MULTILINE)
    assert len(named) == len(set(named)), "a name twice stops the whole page"


def test_a_start_list_is_chosen_from_the_start() -> None:
    ratings = qrja.fit(io.BytesIO(LONG.encode()))
    page = make_report(ratings, start_list=["d", "b"])
    found = re.search(r'"chosen":\[([\d,]*)\],"usual":(-?[\d.]+)', page)
    assert found is not None
    board = [row.contestant for row in ratings.leaderboard()]
    assert [board[int(k)] for k in found[1].split(",")] == ["d", "b"]
    # Times are negated inside: an average runner needs about 46 minutes.
    assert -float(found[2]) == pytest.approx(46 * 60, abs=120)


def test_categories_are_tabs_to_pages_that_are_there(tmp_path: Path) -> None:
    file = tmp_path / "season.csv"
    rows = [
        f"R{k},{name},{i}:0{k},{category}"
        for k in range(4)
        for i, (name, category) in enumerate(
            [("Ann", "F"), ("Eva", "F"), ("Bob", "M"), ("Cid", "M"), ("Zed", "X")], 40
        )
    ]
    file.write_text("\n".join(["race,runner,time,category", *rows]))
    out = tmp_path / "season.html"
    command = ["report", str(file), "--by", "category", "--no-backtest", "-q", "-o", str(out)]
    assert run(command) == 0
    page = (tmp_path / "season-F.html").read_text(encoding="utf-8")
    tabs = page[page.index('<nav class="tabs"') :].partition("</nav>")[0]
    assert tabs.endswith('<b>F</b><a href="season-M.html">M</a>')  # nobody of X met anybody
    assert not (tmp_path / "season-X.html").exists()
    alone = make_report(qrja.fit(str(RACES)))
    assert "tabs" not in alone.partition("</style>")[2].partition("<main")[0]
