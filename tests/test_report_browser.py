"""The report in a real browser: Chromium without a window, the page opened from a file.

Skipped where there is no browser. Every test fails on a console error, on a request for anything
but the page itself, and on a violation of the page's policy.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import qrja
from browsers import chromium
from qrja.report import write_report

NASTY = "<script>alert(1)</script>"
READY = "html[data-ready=yes]"
PATIENCE = 30_000

Open = Callable[..., Any]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """The Chromium of this machine, else the one that playwright installs."""
    with chromium() as launched:
        yield launched


@pytest.fixture
def open_page(browser: Any) -> Iterator[Open]:
    """Open a report; afterwards check that nothing went wrong in it."""
    trouble: list[str] = []
    contexts = []

    def opened(path: Path, **options: Any) -> Any:
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.add_init_script(
            "addEventListener('securitypolicyviolation',"
            " (e) => console.error('policy: ' + e.violatedDirective + ' ' + e.blockedURI))"
        )
        page.on("console", lambda said: trouble.append(said.text))
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.on("dialog", lambda dialog: (trouble.append(dialog.message), dialog.dismiss()))
        page.on("request", lambda request: trouble.append(request.url))
        page.goto(path.as_uri())
        page.wait_for_selector(READY)
        assert trouble[len(contexts) - 1 :] == [path.as_uri()]
        return page

    yield opened
    for context in contexts:
        context.close()
    assert len(trouble) == len(contexts), trouble


@pytest.fixture(scope="module")
def ratings() -> qrja.Ratings:
    """Twelve racers, one with a name that would like to be a script."""
    made = qrja.datasets.synthetic_races(races=60, entrants=12, field=6, turnover=0, seed=3)
    data = made.contests
    names = [NASTY if name == "racer 7" else name for name in data.names]
    days = np.datetime64("2026-01-01") + np.arange(len(data))
    entry = data.contest_of_entry
    contests = qrja.Contests.from_arrays(
        [data.labels[c] for c in entry], [names[i] for i in data.who], data.score, days[entry]
    )
    return qrja.fit(contests)


@pytest.fixture(scope="module")
def report(ratings: qrja.Ratings, tmp_path_factory: pytest.TempPathFactory) -> Path:
    lines = {"ordinal_accuracy": 0.7, "standard_error": {"ordinal_accuracy": 0.01}}
    path = tmp_path_factory.mktemp("report") / "report.html"
    write_report(
        ratings,
        path,
        title=NASTY,
        backtest={
            "rules": "fair",
            "contests": 60,
            "rankers": {NASTY: lines},
            "verdict": {"sentence": f"Trust {NASTY}."},
        },
    )
    return path


def column(page: Any, key: str) -> list[str]:
    """The texts of a column of the leaderboard."""
    keys = page.locator("#board thead th").evaluate_all("all => all.map(th => th.dataset.key)")
    return page.locator(f"#board tbody tr > :nth-child({keys.index(key) + 1})").all_inner_texts()


def test_sorts_searches_and_shows_names_as_text(
    open_page: Open, report: Path, ratings: qrja.Ratings
) -> None:
    page = open_page(report)
    board = [str(row.contestant) for row in ratings.leaderboard()]
    assert page.locator("h1").inner_text() == NASTY
    assert column(page, "name") == board
    page.get_by_role("button", name="Contestant").click()
    assert column(page, "name") == sorted(board)
    assert page.locator("th[data-key=name]").get_attribute("aria-sort") == "ascending"
    rating = page.get_by_role("button", name="Rating", exact=True)
    rating.click()
    assert column(page, "name") == board
    rating.click()
    assert column(page, "name") == board[::-1]
    page.get_by_label("Search").fill("SCRIPT")
    assert column(page, "name") == [NASTY]
    assert page.locator("#board-count").inner_text() == "1 contestant of 12"
    page.get_by_label("Search").fill("nobody of that name")
    assert column(page, "name") == []


def test_explains_any_two_as_the_library_does(
    open_page: Open, report: Path, ratings: qrja.Ratings
) -> None:
    page = open_page(report)
    board = [row.contestant for row in ratings.leaderboard()]
    a, b = NASTY, str(board[-1] if board[-1] != NASTY else board[-2])
    page.get_by_label("A", exact=True).fill(a)
    page.get_by_label("B", exact=True).fill(b)
    page.get_by_label("B", exact=True).press("Enter")
    told = ratings.explain(a, b, chains=5)
    assert page.locator("#why-answer .answer").inner_text() == f"{str(told).split(' (')[0]}."
    shares = page.locator(".chain > p").all_inner_texts()
    assert len(shares) == len(told.chains) > 1
    for shown, chain in zip(shares, told.chains, strict=True):
        assert shown.startswith(f"{100 * chain.share:.0f}% of the evidence")
    parts = page.locator("#parts tbody tr").all_inner_texts()
    first = told.contributions[0]
    assert parts[0].split("\t")[0] == str(first.label)
    assert parts[0].split("\t")[1].replace("−", "-").lstrip("+") == ratings.units.show(first.amount)
    assert parts[-1].split("\t")[0] == "Together"
    page.get_by_role("button", name="Swap").click()
    assert page.get_by_label("A", exact=True).input_value() == b


def test_a_name_that_nobody_has_is_said(open_page: Open, report: Path) -> None:
    page = open_page(report)
    page.get_by_label("A", exact=True).fill("Nobody")
    page.get_by_label("A", exact=True).press("Enter")
    assert page.locator("#why-answer").inner_text() == "There is no “Nobody” here."


def test_forecasts_as_the_library_does(
    open_page: Open, report: Path, ratings: qrja.Ratings
) -> None:
    page = open_page(report)
    board = [str(row.contestant) for row in ratings.leaderboard()]
    page.get_by_label(f"Remove {board[0]}", exact=True).click()
    page.get_by_label("Add a contestant").fill(board[-1])
    field = [*board[1:5], board[-1]]
    assert page.locator("#chips li").count() == len(field)
    expected = ratings.predict(field)
    rows = [row.split("\t") for row in page.locator("#forecast-table tbody tr").all_inner_texts()]
    by_name = {row[0]: row for row in rows}
    for i, name in enumerate(field):
        assert by_name[name][2] == f"{expected.expected_place[i]:.1f}"
        if 0.01 <= expected.win[i] <= 0.99:
            assert by_name[name][1] == f"{100 * expected.win[i]:.0f}%"


def test_charts_are_drawn_on_a_phone_in_the_dark(open_page: Open, report: Path) -> None:
    page = open_page(report, viewport={"width": 390, "height": 800}, color_scheme="dark")
    for chart in ("#over-time-chart", "#forecast-chart", "#backtest-charts .chart"):
        page.locator(chart).scroll_into_view_if_needed()
        page.wait_for_selector(f"{chart} svg path")
        assert page.locator(chart).get_attribute("aria-label")
    assert page.locator("#backtest .lead").inner_text() == f"Trust {NASTY}."
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390
    spare = "table => table.parentElement.clientWidth - table.offsetWidth"
    assert page.locator("#board").evaluate(spare) >= 0


def test_long_labels_of_contests_do_not_widen_the_page(open_page: Open, tmp_path: Path) -> None:
    races = qrja.datasets.marathons()
    entry = races.contest_of_entry
    long = qrja.Contests.from_arrays(
        [f"{races.labels[c]}, {40 * 'a very long day '}" for c in entry],
        [races.names[i] for i in races.who],
        races.score,
    )
    write_report(qrja.fit(long), tmp_path / "long.html")
    page = open_page(tmp_path / "long.html", viewport={"width": 1100, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 1100
    assert page.locator("#board .toggle").first.is_visible()
    assert page.locator("#backtest p").inner_text().startswith("No back-test was made")


def test_works_from_the_keyboard(open_page: Open, report: Path) -> None:
    page = open_page(report)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    toggle = page.locator("#board tbody tr").nth(5).get_by_role("button")
    assert toggle.get_attribute("aria-pressed") == "false"
    toggle.focus()
    page.keyboard.press("Enter")
    assert toggle.get_attribute("aria-pressed") == "true"
    assert page.locator("#chips li").count() == 6


def test_a_reader_without_scripts_sees_the_leaders(browser: Any, report: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(report.as_uri())
    assert NASTY in page.locator("section#leaderboard td").all_inner_texts()
    assert page.locator(".verdict").inner_text() != ""
    assert page.locator("#origin dd").count() > 4
    context.close()


def test_ratios_without_dates_or_contests(open_page: Open, tmp_path: Path) -> None:
    judged = b"a,b,ratio\ngas,trash,4\nwater,trash,2\ngas,water,2.2\nwater,air,3\nair,trash,0.5\n"
    write_report(qrja.fit(io.BytesIO(judged)), tmp_path / "ratios.html")
    page = open_page(tmp_path / "ratios.html")
    assert not page.locator("#over-time").is_visible()
    assert page.locator("#why-answer .answer").inner_text() == "One gas is rated worth 2.2 water."
    assert page.locator("#meetings-table tbody tr").nth(0).inner_text().split()[1:3] == ["×", "2.2"]
    page.locator("#forecast-chart").scroll_into_view_if_needed()
    page.wait_for_selector("#forecast-chart svg path")


def test_bars_are_marked_where_they_are_cut(open_page: Open, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    rows = [(k, f"runner {i}", 10 * i + rng.normal()) for k in range(6) for i in range(60)]
    rows += [(k, "wild", 300 * (-1) ** k) for k in range(2)]
    path = tmp_path / "cut.html"
    ratings = qrja.fit(qrja.Contests.from_arrays(*zip(*rows, strict=True)))
    write_report(ratings, path, start_list=["runner 3", "runner 4"])
    page = open_page(path)
    assert page.locator("#board .cut").count() >= 1
    assert page.locator("#chips li").all_inner_texts() == ["runner 3\n×", "runner 4\n×"]
    heads = page.locator("#forecast-table thead th").all_inner_texts()
    assert heads[-1] == "Predicted score"
    shown = page.locator("#forecast-table tbody tr").nth(0).inner_text().split("\t")
    prediction = ratings.predict(["runner 3", "runner 4"]).table(kind="dict")
    assert float(shown[-1]) == pytest.approx(prediction["score"][0], abs=0.1)


def test_a_phone_shows_names_and_intervals_in_words(open_page: Open, report: Path) -> None:
    page = open_page(report, viewport={"width": 390, "height": 800})
    assert not page.locator("#board td.bar").first.is_visible()
    assert "…" in page.locator("#board .narrow").first.inner_text()
    box = page.locator("#board .toggle").first.bounding_box()
    assert box["x"] + box["width"] <= 390


def season(tmp_path: Path) -> dict[str, qrja.Ratings]:
    """Two categories of five runners, eight dated races."""
    rng = np.random.default_rng(4)
    parts = {}
    for sex in "FM":
        rows = [
            (k, f"{sex}{i}", -60.0 * i + rng.normal(0, 30), np.datetime64("2026-03-01") + 30 * k)
            for k in range(8)
            for i in range(5)
        ]
        parts[sex] = qrja.fit(qrja.Contests.from_arrays(*zip(*rows, strict=True)))
    return parts


def test_categories_are_tabs_by_mouse_keyboard_and_address(open_page: Open, tmp_path: Path) -> None:
    path = tmp_path / "season.html"
    write_report(season(tmp_path), path)
    page = open_page(path)
    first, second = page.get_by_role("tab").all()
    assert (first.get_attribute("aria-selected"), second.get_attribute("tabindex")) == (
        "true",
        "-1",
    )
    panel = page.get_by_role("tabpanel", name="M")
    assert not panel.is_visible()
    second.click()
    page.wait_for_selector("#category-2[data-ready=yes]")
    assert panel.is_visible()
    assert panel.locator(".board tbody tr").count() == 5
    assert panel.locator("#why-answer-2 .answer").inner_text().startswith("M0 is rated")
    assert not page.locator("#category-1").is_visible()
    second.press("ArrowRight")  # round to the first again
    assert page.locator("#category-1").is_visible()
    assert page.evaluate("document.activeElement.id") == "tab-1"
    page.evaluate("location.hash = '#why-2'")
    page.wait_for_selector("#category-2", state="visible")


def test_categories_stand_below_each_other_on_paper(open_page: Open, tmp_path: Path) -> None:
    path = tmp_path / "season.html"
    write_report(season(tmp_path), path)
    page = open_page(path)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    for number in (1, 2):
        assert page.locator(f"#category-{number}").is_visible()
        assert page.locator(f"#forecast-chart-{number} svg").count() == 1
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert not page.locator("#category-2").is_visible()


SEEN = """() => [
  ...[...document.querySelectorAll('p, th, td, li, h1, h2, h3, label, button, summary, text')]
    .map((one) => (one.textContent || '').trim().replace(/\\s+/g, ' ')),
  ...[...document.querySelectorAll('[aria-label]')].map((one) => one.getAttribute('aria-label')),
]"""


@pytest.mark.parametrize("language", ["de", "fr", "es"])
def test_nothing_that_is_seen_stays_english(
    open_page: Open, report: Path, ratings: qrja.Ratings, tmp_path: Path, language: str
) -> None:
    judged = "\n".join(
        ["a,b,y", *(f"{a},{b},{k}" for k, (a, b) in enumerate(["pq", "qr", "rp"] * 4))]
    )
    for kind in (ratings, qrja.fit(io.BytesIO(judged.encode()))):
        write_report(kind, tmp_path / "en.html")
        write_report(kind, tmp_path / "other.html", language=language)
        said = {}
        for name in ("en", "other"):
            page = open_page(tmp_path / f"{name}.html")
            page.locator("#forecast-chart").scroll_into_view_if_needed()
            page.wait_for_selector("#forecast-chart svg text")
            said[name] = set(page.evaluate(SEEN))
        words = {text for text in said["en"] & said["other"] if text.count(" ") > 1}
        assert not {it for it in words if not it.startswith(("synthetic race", "qrja "))}


@pytest.mark.parametrize(
    ("language", "last"), [("en", "2026-06-23"), ("de", "23.06.2026"), ("fr", "23/06/2026")]
)
def test_dates_are_written_by_the_habit_of_the_language(
    open_page: Open, tmp_path: Path, language: str, last: str
) -> None:
    rows = ["race,runner,points,date"]
    rows += [
        f"{k},{who},{k + 3 * i},2026-0{k}-23" for k in range(1, 7) for i, who in enumerate("abc")
    ]
    write_report(
        qrja.fit(io.BytesIO("\n".join(rows).encode())), tmp_path / "dated.html", language=language
    )
    page = open_page(tmp_path / "dated.html")
    assert page.locator("#board tbody tr").first.locator("td").nth(5).inner_text() == last
    page.locator("#over-time details summary").click()
    assert page.locator("#over-time-table tbody tr").last.locator("th").inner_text() == last


def test_tasks_are_spoken_of_as_the_fit_does(open_page: Open, tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    rows = ["task,gpt,claude,llama"]
    rows += [
        f"{k},{','.join(f'{10 - 4 * i + rng.normal():.2f}' for i in range(3))}" for k in range(20)
    ]
    ratings = qrja.fit(io.BytesIO("\n".join(rows).encode()))
    write_report(ratings, tmp_path / "tasks.html")
    page = open_page(tmp_path / "tasks.html")
    told = ratings.explain("gpt", "claude")
    assert told.turn.times > 1
    assert page.locator("#why-answer p.quiet").last.inner_text() == str(told).splitlines()[-1]
    assert page.locator("#compare-title").inner_text() == "Compare candidates"
    text = page.inner_text("main")
    assert not [word for word in ("contestant", " met ", " beat ", "Item") if word in text]
