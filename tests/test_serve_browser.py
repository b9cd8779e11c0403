"""The server in a real browser, and under requests that only its description could think of.

Every test fails on a console error, on a request to anywhere else, on a violation of the policy.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from browsers import PHONE, chromium, served
from qrja import League
from qrja.league import Tokens
from qrja.serve import Settings, make_app

RACES = Path(__file__).parent / "examples" / "races.csv"
NASTY = "<img src=x onerror=alert(1)>"


@pytest.fixture
def site(tmp_path: Path) -> Iterator[tuple[str, Any, League]]:
    """A server on a free port of this machine: its address, its door, and its league."""
    league = League.open(tmp_path / "league.db")
    league.add(RACES)
    app = make_app(league, Settings(per_minute=100_000))
    with served(app) as address:
        yield address, app.state.access, league


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as launched:
        yield launched


def watched(browser: Any, address: str, trouble: list[str], **options: Any) -> Any:
    """A page that writes down whatever goes wrong."""
    page = browser.new_context(**options).new_page()
    page.set_default_timeout(30_000)
    page.add_init_script(
        "addEventListener('securitypolicyviolation',"
        " (e) => console.error('policy: ' + e.violatedDirective + ' ' + e.blockedURI))"
    )
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on("dialog", lambda dialog: trouble.append(dialog.message))

    def heard(message: Any) -> None:
        # A form with a mistake is answered by 422, which browsers tell the console.
        if message.type in ("error", "warning") and "422" not in message.text:
            trouble.append(message.text)

    page.on("console", heard)

    def asked(request: Any) -> None:
        if not request.url.startswith((address, "data:")):
            trouble.append(f"a request to {request.url}")

    page.on("request", asked)
    return page


@pytest.mark.parametrize("options", [{}, PHONE], ids=["desktop", "phone"])
def test_a_race_is_typed_in_and_the_board_moves(
    browser: Any, site: tuple[str, Any, League], options: dict[str, Any]
) -> None:
    address, access, league = site
    trouble: list[str] = []
    organiser = watched(browser, address, trouble, **options)
    reader = watched(browser, address, trouble, **options)
    reader.goto(address)
    assert "Dora" not in reader.content()
    organiser.goto(f"{address}/enter/{access.make_code()}")
    organiser.click("text=To the board")
    organiser.click("text=Add results")
    organiser.fill("[name=contest]", "Rome")
    organiser.fill("textarea", "Alice 4:00:00\nDora fast")
    organiser.click("text=Look at it")
    assert "results:2: 'fast' is neither a number" in organiser.inner_text(".problem")
    organiser.fill("textarea", f"Alice 4:00:00\nDora 3:50:00\n{NASTY} 5:00:00")
    organiser.click("text=Look at it")
    organiser.wait_for_selector("table >> text=Dora")
    organiser.click("button.main")
    organiser.wait_for_url(f"{address}/")  # the preview has a table with Dora, too
    organiser.wait_for_selector("table >> text=Dora")
    assert league.version == 2
    reader.wait_for_selector("table >> text=Dora")  # without being asked to load it again
    reader.wait_for_selector("#news >> text=added 3 results of Rome")
    reader.click(f"text={NASTY}")
    reader.wait_for_selector(f"h2 >> text={NASTY}")
    organiser.click("text=Log")
    organiser.click("[aria-label='Undo event 2']")
    organiser.wait_for_selector("text=undid event 2")
    for page in (organiser, reader):
        wide = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        assert page.evaluate(wide), "the page is wider than the screen"
        page.close()
    assert not trouble


def test_pages_do_without_scripts(browser: Any, site: tuple[str, Any, League]) -> None:
    address, access, _ = site
    trouble: list[str] = []
    page = watched(browser, address, trouble, java_script_enabled=False, color_scheme="dark")
    page.goto(f"{address}/enter/{access.make_code()}")
    page.click("text=To the board")
    page.click("table >> text=Bob")
    page.fill("[name=b]", "Alice")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=with a probability of")
    page.close()
    assert not trouble


FAULTS = r"""() => {
  const parts = (text) => text.match(/[\d.]+/g).map(Number);
  const light = (rgb) => rgb.slice(0, 3).map((v) => v / 255)
    .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + [0.2126, 0.7152, 0.0722][i] * v, 0);
  const behind = (it) => {
    const own = parts(getComputedStyle(it).backgroundColor);
    return own.length === 3 || !it.parentElement ? own : behind(it.parentElement);
  };
  const faults = [];
  for (const it of document.querySelectorAll("input:not([type=hidden]), textarea, select"))
    if (!it.labels.length) faults.push(`no label: ${it.name}`);
  for (const it of document.querySelectorAll("a, button, th"))
    if (!it.textContent.trim()) faults.push(`no name: ${it.outerHTML}`);
  for (const it of document.querySelectorAll("body *")) {
    const says = [...it.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!says || it.getBoundingClientRect().width < 2) continue;
    const both = [light(parts(getComputedStyle(it).color)), light(behind(it))];
    const contrast = (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05);
    if (contrast < 4.5) faults.push(`hard to read: ${it.textContent}`);
  }
  return faults;
}"""
"""What people who see little would trip over: no label, no name, too little contrast."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_are_labelled_and_can_be_read(
    browser: Any, site: tuple[str, Any, League], scheme: str
) -> None:
    address, access, _ = site
    trouble: list[str] = []
    page = watched(browser, address, trouble, color_scheme=scheme)
    page.goto(f"{address}/enter/{access.make_code()}")
    asked = ["/compare?a=Alice&b=Bob", "/forecast?who=Alice%0ABob", "/next", "/trust", "/log"]
    shown = ["/", "/contestants/Bob", "/contests/Boston", "/add", "/embed", "/sign-in"]
    for path in shown + asked:
        page.goto(address + path)
        page.evaluate("document.querySelectorAll('details').forEach((it) => (it.open = true))")
        assert page.evaluate(FAULTS) == [], path
    page.goto(address)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "To the content"
    page.close()
    assert not trouble


def test_no_request_that_is_described_makes_the_server_fail(site: tuple[str, Any, League]) -> None:
    schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")
    address, _, league = site
    secret = Tokens(league.store).make("organiser", "Ann")
    schema = schemathesis.openapi.from_url(f"{address}/api/openapi.json")
    for result in schema.get_all_operations():
        operation = result.ok()
        if operation.path.startswith("/api/panel"):
            continue  # of a league of judgments, in test_serve_panel_browser.py
        strategy = operation.as_strategy()

        @settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
        @given(strategy)
        def one(case: Any) -> None:
            answer = case.call(headers={"authorization": f"Bearer {secret}"})
            assert answer.status_code < 500, f"{case.method} {case.path}: {answer.text}"

        one()
