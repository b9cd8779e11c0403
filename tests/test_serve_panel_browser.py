"""A panel in a real browser, phone-sized, and fifty judges at once.

Every test fails on a console error, on a request to anywhere else, on a violation of the policy.
"""

from __future__ import annotations

import asyncio
import json
import struct
import threading
import urllib.error
import urllib.request
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from browsers import PHONE, served
from qrja import League
from qrja.league import LeaguePanel, Tokens, check
from qrja.serve import Settings, make_app
from test_serve_browser import NASTY, browser, watched  # noqa: F401

NAMES = ["Zoom", "Bloom", "Room", "Gloom", "Doom", f"Loom {NASTY}"]
WIDE = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"


def picture(red: int) -> bytes:
    """A small PNG of one colour."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    rows = (b"\0" + bytes((red, 90, 120)) * 40) * 30
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 40, 30, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def make_panel(tmp_path: Path) -> tuple[Any, LeaguePanel]:
    """An application, and its panel."""
    league = League.open(tmp_path / "panel.db")
    panel = LeaguePanel(league)
    panel.set_up(question=f"Which one {NASTY}?", repeats=0.2)
    image = panel.keep_image(picture(200))
    panel.list_items(
        [
            {"item": name, "text": f"{name}: a few words", "link": "https://example.org/x"}
            | ({"image": image} if k % 2 else {})
            for k, name in enumerate(NAMES)
        ]
    )
    return make_app(league, Settings(per_minute=1_000_000)), panel


@pytest.fixture
def panel_site(tmp_path: Path) -> Iterator[tuple[str, Any, LeaguePanel]]:
    """A server on a free port of this machine: its address, its door, and its panel."""
    app, panel = make_panel(tmp_path)
    with served(app) as address:
        yield address, app.state.access, panel


class Slow:
    """An application that keeps what stands behind the form of a vote until it is let go."""

    def __init__(self, app: Any) -> None:
        self.app, self.let_go = app, threading.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        async def sent(message: Any) -> None:
            begins, form, rest = message.get("body", b"").partition(b'id="vote"')
            inside, end, behind = rest.partition(b"</form>")
            if not end:
                await send(message)
                return
            await send(message | {"body": begins + form + inside + end, "more_body": True})
            await asyncio.to_thread(self.let_go.wait, 60)
            await send(message | {"body": behind})

        await self.app(scope, receive, sent)


def test_ten_pairs_are_judged_on_a_phone(
    browser: Any,  # noqa: F811
    panel_site: tuple[str, Any, LeaguePanel],
) -> None:
    address, access, panel = panel_site
    code = Tokens(panel.league.store).make("judge", "Bea")
    trouble: list[str] = []
    page = watched(browser, address, trouble, **PHONE, has_touch=True)
    visited: list[str] = []
    page.on("request", lambda request: visited.append(request.url))
    page.goto(f"{address}/j#{code}")
    page.wait_for_url(f"{address}/judge")
    assert not any(code in url for url in visited)  # what browsers send
    seen = []
    for turn in range(10):
        seen.append([card.inner_text() for card in page.locator(".item h2").all()])
        assert page.evaluate(WIDE), "the page is wider than the screen"
        if turn == 4:
            page.tap("text=I cannot tell")
        else:
            page.locator(".grade").nth(turn % 7).tap()
            if turn == 2:
                page.tap("summary")
                page.fill("#comment", NASTY)
            page.tap("text=Save, next pair")
        page.wait_for_selector(f"text=You gave {turn + 1} vote")
    own = panel.votes("Bea")
    assert [[it.a, it.b] for it in own] == seen
    assert [it.y for it in own][:5] == [3, 2, 1, 0, None]
    assert len({it.pair for it in own}) < 10  # one was asked again
    page.tap("text=Your votes")
    page.tap("a.button >> nth=0")
    page.locator(".grade").nth(6).tap()
    page.tap("text=Change it")
    page.wait_for_url(f"{address}/judge/votes")
    assert panel.votes("Bea")[-1].y == -3
    assert NASTY in page.inner_text("main")
    page.close()
    boss = watched(browser, address, trouble, **PHONE, color_scheme="dark")
    boss.goto(f"{address}/enter/{access.make_code()}")
    for path, words in {
        "/panel": "comparisons",
        "/panel/items": "6 items",
        "/panel/judges": "Bea",
        "/panel/setup": "Rules of the panel",
        "/": "Rank",
        "/log": "set up a panel",
    }.items():
        boss.goto(address + path)
        assert words in boss.inner_text("main"), path
        assert boss.evaluate(WIDE), f"{path} is wider than the screen"
    boss.goto(f"{address}/panel/judges")
    boss.fill("textarea", f"Nina\n{NASTY}")
    boss.click("text=Make links")
    boss.wait_for_selector(".codes code >> nth=1")
    assert boss.locator(".codes code").count() == 2
    boss.goto(f"{address}/panel/items")
    boss.fill("input[name=item]:not([type=hidden])", "Broom")
    files = {"name": "b.png", "mimeType": "image/png", "buffer": picture(20)}
    boss.set_input_files("[name=image]", files=[files])
    boss.click("text=Add it")
    boss.wait_for_selector("text=7 items")
    boss.wait_for_load_state()  # before it the last image may be another one
    boss.locator("img").last.scroll_into_view_if_needed()
    boss.wait_for_function("[...document.images].every((it) => it.complete && it.naturalWidth > 0)")
    boss.close()
    assert not trouble


def test_a_judge_does_without_scripts_and_without_a_mouse(
    browser: Any,  # noqa: F811
    panel_site: tuple[str, Any, LeaguePanel],
) -> None:
    address, _, panel = panel_site
    code = Tokens(panel.league.store).make("judge", "Bea")
    trouble: list[str] = []
    page = watched(browser, address, trouble, java_script_enabled=False, color_scheme="dark")
    page.goto(f"{address}/j#{code}")
    page.fill("#code", code.upper())
    page.keyboard.press("Enter")
    page.wait_for_url(f"{address}/judge")
    page.focus("input[name=grade] >> nth=0")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=You gave 1 vote")
    assert panel.votes("Bea")[0].y in (2, -2, 3, -3, 1)
    page.close()
    keys = watched(browser, address, trouble)
    keys.goto(f"{address}/j#{code}")
    keys.wait_for_url(f"{address}/judge")
    keys.keyboard.press("7")
    keys.keyboard.press("Enter")
    keys.wait_for_selector("text=You gave 2 votes")
    assert panel.votes("Bea")[1].y == -3
    keys.keyboard.press("?")
    keys.wait_for_selector("text=You gave 3 votes")
    assert panel.votes("Bea")[2].y is None
    label = keys.locator("input[name=grade] >> nth=0").get_attribute("aria-label")
    assert label is not None
    assert label.endswith(" is much better")
    keys.close()
    assert not trouble


def test_keys_count_before_a_page_is_whole(
    browser: Any,  # noqa: F811
    tmp_path: Path,
) -> None:
    app, panel = make_panel(tmp_path)
    slow, trouble = Slow(app), []
    with served(slow) as address:
        code = Tokens(panel.league.store).make("judge", "Bea")
        keys = watched(browser, address, trouble)
        keys.goto(f"{address}/j#{code}", wait_until="commit")
        keys.wait_for_selector("[name=cannot]")
        assert keys.evaluate("document.readyState") == "loading"
        keys.keyboard.press("7")
        assert keys.locator("input[name=grade] >> nth=6").is_checked()
        slow.let_go.set()
        keys.keyboard.press("Enter")
        keys.wait_for_selector("text=You gave 1 vote")
        assert panel.votes("Bea")[0].y == -3
        keys.close()
    assert not trouble


def ask(address: str, code: str, method: str, path: str, sent: Any = None) -> Any:
    request = urllib.request.Request(
        f"{address}/api/panel{path}",
        None if sent is None else json.dumps(sent).encode(),
        {"authorization": f"Bearer {code}", "content-type": "application/json"},
        method=method,
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def test_fifty_judges_at_once(panel_site: tuple[str, Any, LeaguePanel]) -> None:
    address, _, panel = panel_site
    panel.list_items([f"item {k}" for k in range(60)])
    tokens = Tokens(panel.league.store)
    codes = {f"judge {k}": tokens.make("judge", f"judge {k}") for k in range(50)}
    trouble: list[str] = []
    first: list[frozenset[str]] = []

    def judge(name: str, code: str) -> None:
        try:
            for turn in range(4):
                pair = ask(address, code, "GET", "/next")["pair"]
                a, b = pair["a"]["item"], pair["b"]["item"]
                if turn == 0:
                    first.append(frozenset((a, b)))
                ask(address, code, "POST", "/votes", {"a": a, "b": b, "y": turn - 1})
        except (urllib.error.URLError, OSError, KeyError, TypeError) as error:
            trouble.append(f"{name}: {error!r}")

    began = process_time()
    threads = [threading.Thread(target=judge, args=one) for one in codes.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
    print(f"{process_time() - began:.2f} CPU seconds for 200 pairs and votes, clients included")
    assert not trouble
    assert Counter(it.judge for it in panel.votes()) == dict.fromkeys(codes, 4)
    assert len(set(first)) >= 48  # hardly anybody looked at what another did
    load = Counter(name for it in panel.votes() for name in (it.a, it.b))
    assert len(load) == 66
    assert max(load.values()) <= 9
    assert check(panel.league)


def test_no_request_to_a_panel_makes_the_server_fail(
    panel_site: tuple[str, Any, LeaguePanel],
) -> None:
    schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")
    address, _, panel = panel_site
    panel.vote("Ann", "Zoom", "Bloom", 2)
    secret = Tokens(panel.league.store).make("organiser", "Ann")
    schema = schemathesis.openapi.from_url(f"{address}/api/openapi.json")
    for result in schema.get_all_operations():
        operation = result.ok()
        if not operation.path.startswith("/api/panel"):
            continue

        @settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
        @given(operation.as_strategy())
        def one(case: Any) -> None:
            answer = case.call(headers={"authorization": f"Bearer {secret}"})
            assert answer.status_code < 500, f"{case.method} {case.path}: {answer.text}"

        one()
