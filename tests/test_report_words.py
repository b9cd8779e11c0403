"""The report's own words, its head, and what stands first in it."""

from __future__ import annotations

import base64
import io
import json
import re
from importlib.resources import files
from pathlib import Path

import pytest

import qrja
from qrja.cli import run
from qrja.report import make_report
from qrja.report.phrases import translate

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


def season(folder: Path) -> Path:
    file = folder / "season.csv"
    rows = [
        f"R{k},{name},{i}:0{k},{category}"
        for k in range(4)
        for i, (name, category) in enumerate(
            [("Ann", "F"), ("Eva", "F"), ("Bob", "M"), ("Cid", "M"), ("Zed", "X")], 40
        )
    ]
    file.write_text("\n".join(["race,runner,time,category", *rows]))
    return file


def test_categories_are_tabs_of_one_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "season.html"
    command = ["report", str(season(tmp_path)), "--by", "category", "--no-backtest", "-o", str(out)]
    assert run([*command, "--json"]) == 0
    said = capsys.readouterr()
    answer = json.loads(said.out)
    assert answer["left_out"].keys() == {"X"}  # nobody of X met anybody
    assert "category X is left out" in said.err
    assert [path.name for path in tmp_path.glob("*.html")] == ["season.html"]
    page = out.read_text(encoding="utf-8")
    tabs = page[page.index('<nav class="tabs"') :].partition("</nav>")[0]
    assert re.findall(r'href="#([\w-]+)">(\w)</a>', tabs) == [
        ("category-1", "F"),
        ("category-2", "M"),
    ]
    ids = re.findall(r'\bid="([^"]+)"', page.partition("<script>")[0])
    assert len(ids) == len(set(ids))
    assert {"category-1", "leaderboard-1", "leaderboard-2", "data-2"} <= set(ids)
    assert page.count('<h2 class="called">') == 2
    alone = make_report(qrja.fit(str(RACES)))
    assert "tabs" not in alone.partition("</style>")[2].partition("<main")[0]


def test_a_start_list_is_shared_out_to_the_categories(tmp_path: Path) -> None:
    file = season(tmp_path)
    parts = {sex: qrja.fit(str(file), where=f"category = '{sex}'") for sex in "FM"}
    page = make_report(parts, start_list=["Bob", "Eva"], no_backtest={"F": "none", "M": "none"})
    assert re.findall(r'"chosen":\[([\d,]*)\]', page) == ["1", "0"]
    with pytest.raises(qrja.InputError, match=r"no contestant 'Bab'; did you mean 'Bob'\?"):
        make_report(parts, start_list=["Bab", "Eva"])
    with pytest.warns(qrja.QRJAWarning, match="not rated, and not on the page: Xaverl"):
        make_report(parts, start_list=["Xaverl", "Eva"])
    with pytest.raises(qrja.InputError, match="no ratings to report on"):
        make_report({})
