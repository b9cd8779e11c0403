"""A server: who may do what, what it answers, and what it makes of mistakes and of strangers."""

from __future__ import annotations

import asyncio
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from time import sleep
from typing import Any
from urllib.parse import quote

import pytest

import qrja
from qrja import League
from qrja.league import LeagueAnswer, Tokens
from qrja.serve import Settings, make_app
from qrja.serve.behind import Behind, Looker
from qrja.serve.live import MOMENT, Live

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it would rather have a successor of httpx
    from starlette.testclient import TestClient

EXAMPLES = Path(__file__).parent / "examples"
RACES, MORE = EXAMPLES / "races.csv", EXAMPLES / "more.csv"
HTML = {"accept": "text/html"}
NASTY = "<script>alert(1)</script>\x1b[2J"


class Site:
    """A client of a server, and what is behind it."""

    def __init__(self, client: TestClient, league: League) -> None:
        self.client, self.league, self.app = client, league, client.app

    def token(self, role: str, name: str = "Ann") -> dict[str, str]:
        return {"authorization": f"Bearer {Tokens(self.league.store).make(role, name)}"}

    def enter(self) -> None:
        assert self.get(f"/enter/{self.app.state.access.make_code()}").status_code == 200  # type: ignore[attr-defined]

    def get(self, path: str, **more: Any) -> Any:
        return self.client.get(path, **({"headers": HTML} | more))

    def word(self, page: str = "/add") -> str:
        found = re.search(r'name="csrf" value="(\w+)"', self.get(page).text)
        assert found is not None
        return found[1]

    def post(self, path: str, **fields: Any) -> Any:
        data = {"csrf": self.word()} | fields
        return self.client.post(path, data=data, headers=HTML, follow_redirects=False)


def serving(tmp_path: Path, **settings: Any) -> Iterator[Site]:
    league = League.open(tmp_path / "league.db")
    league.add(RACES, author="Ann")
    with TestClient(make_app(league, Settings(**settings))) as client:
        yield Site(client, league)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    yield from serving(tmp_path)


# ---------------------------------------------------------------------- programs


def test_a_program_posts_results_and_reads_ratings(site: Site) -> None:
    sent = {"contest": "Rome", "results": {"Alice": "4:02:00", "Dora": "4:15:00"}}
    key = {"idempotency-key": "form 7"}
    organiser = site.token("organiser", "Bea")
    done = site.client.post("/api/contests", json=sent, headers=organiser | key)
    assert (done.status_code, done.json()["event"], done.json()["author"]) == (200, 2, "Bea")
    again = site.client.post("/api/contests", json=sent, headers=organiser | key)
    assert again.json() == done.json()
    told = site.client.get("/api/board").json()
    assert told["as_of"]["event"] == 2
    rows = pytest.importorskip("pandas").read_csv(RACES).to_dict("records")
    rows += [{"race": "Rome", "runner": who, "time": it} for who, it in sent["results"].items()]  # type: ignore[attr-defined]
    with League.open(":memory:") as league:
        league.add(rows)
        expected = [
            (row.contestant, pytest.approx(row.rating)) for row in league.ratings.leaderboard()
        ]
    (board,) = told["components"]
    assert [(it["contestant"], it["rating"]) for it in board["leaderboard"]] == expected
    assert site.client.get("/api/predict?who=Alice&who=Bob").json()["as_of"]["event"] == 2
    assert "Alice is rated" in site.client.get("/api/explain?a=Alice&b=Bob").json()["text"]
    assert site.client.get("/api/contestants/Dora").json()["results"][0]["contest"] == "Rome"
    assert site.client.get("/api/contests/Rome").json()["results"][0]["contestant"] == "Alice"
    log = site.client.get("/api/log?after=1").json()["events"]
    assert [one["sentence"] for one in log] == ["added 2 results of Rome"]
    assert site.client.get("/api/league").json()["contestants"] == 4


DATED = [
    *("/api/league", "/api/contestants/Ann", "/api/contests/Rome", "/api/log", "/api/suggest"),
    *("/api/predict?who=Ann&who=Bob", "/api/explain?a=Ann&b=Bob", "/api/trust", "/embed", "/log"),
    *("/feeds/board.csv", "/feeds/results.csv", "/", "/?date=2026-04-02", "/contestants/Ann"),
    *("/contests/Rome", "/trust", "/next", "/compare?a=Ann&b=Bob", "/forecast?who=Ann%0ABob"),
]


def test_a_league_with_dates_answers_everything() -> None:
    league = League.open(":memory:")
    for label, day in (("Boston", "2026-03-01"), ("Oslo", "2026-04-01"), ("Rome", "2026-05-01")):
        league.record(label, {"Ann": 3, "Bob": 1, "Cid": len(label)}, date=day)
    with TestClient(make_app(league)) as client:
        (board,) = client.get("/api/board").json()["components"]
        assert [line["last_seen"] for line in board["leaderboard"]] == ["2026-05-01"] * 3
        for path in DATED:
            assert client.get(path).status_code == 200, path


def test_a_program_corrects_renames_removes_and_undoes(site: Site) -> None:
    organiser = site.token("organiser")

    def post(path: str, **sent: Any) -> Any:
        return site.client.post(f"/api/{path}", json=sent, headers=organiser)

    assert (
        post("corrections", contest="Boston", contestant="Bob", score="4:10:30").status_code == 200
    )
    assert post("renamings", contestant="Bob", to="Robert").status_code == 200
    assert post("mergers", contestant="Robert", to="Alice").status_code == 422
    assert site.client.delete("/api/contests/Boston", headers=organiser).json()["event"] == 4
    assert post("undoings", event=4).json()["payload"] == {"event": 4}
    conflict = post("undoings", event=3, expected=2)
    assert conflict.status_code == 409
    assert "at event 5, and not at 2 as expected" in conflict.json()["error"]
    with League.open(site.league.name) as again:
        again.undo(3)
    assert site.client.get("/api/contestants/Bob").json()["as_of"]["event"] == 6


def test_mistakes_are_answered_in_words(site: Site) -> None:
    organiser = site.token("organiser")
    for method, path, sent, status, words in [
        (
            "get",
            "/api/contestants/Alise",
            None,
            404,
            "no contestant 'Alise'; did you mean 'Alice'?",
        ),
        ("get", "/api/contests/Bostn", None, 404, "no contest 'Bostn'; did you mean 'Boston'?"),
        ("get", "/api/predict?who=Alice", None, 422, "query.who: List should have at least 2"),
        ("get", "/api/explain?a=Alice&b=Zoe", None, 422, "Zoe"),
        ("get", "/api/nothing", None, 404, "there is no such page"),
        ("post", "/api/contests", {"contest": "Rome"}, 422, "body.results: Field required"),
        (
            "post",
            "/api/contests",
            {"contest": "R", "results": {"A": "x"}},
            422,
            "score of 'A' is 'x'",
        ),
        (
            "post",
            "/api/contests",
            {"contest": "R", "results": {"A": 1}, "x": 1},
            422,
            "body.x: Extra",
        ),
        ("post", "/api/judgments", {"a": "A", "b": "B", "y": 1}, 422, "the league holds contests"),
        ("post", "/api/undoings", {"event": 9}, 422, "there is no event 9 to undo; the last is 1"),
    ]:
        more = {} if sent is None else {"json": sent}
        answer = site.client.request(method, path, headers=organiser, **more)  # type: ignore[arg-type]
        assert answer.status_code == status, answer.text
        assert words in answer.json()["error"]
    assert site.league.version == 1


def test_what_asks_for_the_head_of_a_page_gets_it(site: Site) -> None:
    for path in ("/", "/health", "/api/board", "/contestants/Nobody"):
        head, whole = site.client.head(path), site.client.get(path)
        assert head.status_code == whole.status_code
        assert head.headers["content-type"] == whole.headers["content-type"]


def test_a_body_that_is_no_json_is_told_where(site: Site) -> None:
    headers = site.token("organiser") | {"content-type": "application/json"}
    answer = site.client.post("/api/contests", content='{"contest":', headers=headers)
    assert answer.status_code == 422
    assert answer.json()["error"].startswith("the body is no JSON: Expecting value, at char")


def test_judges_judge_in_their_own_name(tmp_path: Path) -> None:
    league = League.open(tmp_path / "judged.db")
    with TestClient(make_app(league)) as client:
        site = Site(client, league)
        judge = site.token("judge", "Bea")
        assert client.get("/api/board").status_code == 404
        sent = {"a": "gas", "b": "trash", "y": 3, "judge": "somebody else", "w": 9}
        assert client.post("/api/judgments", json=sent, headers=judge).status_code == 200
        (held,) = league.state.judgments.values()
        assert (held.judge, held.w) == ("Bea", 1.0)
        refused = client.post("/api/undoings", json={"event": 1}, headers=judge)
        assert refused.status_code == 403
        assert "of a judge; this is for organisers" in refused.json()["error"]
        assert site.get("/contestants/gas").status_code == 200
        assert client.get("/feeds/results.csv").text.startswith("a,b,y,judge")


# ---------------------------------------------------------------------- who may


def test_nobody_writes_without_a_token(site: Site) -> None:
    sent = {"contest": "Rome", "results": {"Alice": "4:02:00"}}
    assert site.client.post("/api/contests", json=sent).status_code == 401
    wrong = {"authorization": "Bearer nonsense"}
    assert site.client.post("/api/contests", json=sent, headers=wrong).status_code == 401
    reader = site.token("reader")
    assert site.client.post("/api/contests", json=sent, headers=reader).status_code == 403
    tokens = Tokens(site.league.store)
    organiser = site.token("organiser", "Eve")
    tokens.revoke(next(it.id for it in tokens.all() if it.name == "Eve"))
    assert site.client.post("/api/contests", json=sent, headers=organiser).status_code == 401
    assert site.get("/add").status_code == 401
    assert site.client.post("/undo", data={"event": 1}, headers=HTML).status_code == 401
    assert site.league.version == 1


def test_a_private_league_is_read_with_a_token(tmp_path: Path) -> None:
    for site in serving(tmp_path, private=True):
        for path in ("/", "/api/board", "/feeds/board.csv", "/feeds/events", "/log", "/embed"):
            assert site.get(path).status_code == 401, path
        assert "Alice" not in site.get("/").text
        assert site.get("/sign-in").status_code == 200
        assert site.client.get("/api/board", headers=site.token("reader")).status_code == 200
        assert site.get("/health").json()["status"] == "alive"


def test_a_server_for_reading_only(tmp_path: Path) -> None:
    for site in serving(tmp_path, read_only=True):
        organiser = site.token("organiser")
        answer = site.client.post("/api/undoings", json={"event": 1}, headers=organiser)
        assert (answer.status_code, answer.json()["error"]) == (
            403,
            "this server is for reading only",
        )
        assert site.client.get("/ready").json() == {"status": "ready", "event": 1, "rated": 1}


def test_a_session_begins_by_a_token_and_ends_with_it(site: Site) -> None:
    tokens = Tokens(site.league.store)
    secret = tokens.make("organiser", "Eve")
    refused = site.client.post("/sign-in", data={"token": "nonsense"}, headers=HTML)
    assert refused.status_code == 401
    assert "not known, or revoked" in refused.text
    done = site.client.post(
        "/sign-in", data={"token": secret}, headers=HTML, follow_redirects=False
    )
    cookie = done.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert secret not in cookie
    assert site.get("/add").status_code == 200
    tokens.revoke(next(it.id for it in tokens.all() if it.name == "Eve"))
    assert site.get("/add").status_code == 401


def test_a_link_lets_in_once(site: Site) -> None:
    code = site.app.state.access.make_code()  # type: ignore[attr-defined]
    assert "You are in" in site.get(f"/enter/{code}").text
    assert site.get("/add").status_code == 200
    site.client.cookies.clear()
    assert site.get(f"/enter/{code}").status_code == 401
    assert site.get("/add").status_code == 401


def test_a_forged_session_is_none(site: Site) -> None:
    for forged in ("local.9999999999.abc", "x", "..", "é.1.2", "local"):
        cookie = {"cookie": f"qrja_session={quote(forged)}"} | HTML
        assert site.client.get("/add", headers=cookie).status_code == 401


def test_a_form_of_another_site_changes_nothing(site: Site) -> None:
    site.enter()
    for word in ("", "0" * 64):
        answer = site.client.post("/undo", data={"event": 1, "csrf": word}, headers=HTML)
        assert answer.status_code == 403
        assert "the form is of another session" in answer.text
    assert site.league.version == 1


def test_large_and_many_requests_are_refused(tmp_path: Path) -> None:
    for site in serving(tmp_path, largest_body=2000, per_minute=3):
        organiser = site.token("organiser")
        large = {"contest": "x" * 3000, "results": {"A": 1}}
        answer = site.client.post("/api/contests", json=large, headers=organiser)
        assert answer.status_code == 413
        assert answer.json()["error"].startswith("the request is larger than 2,000 bytes")

        def pieces() -> Iterator[bytes]:
            yield from [b"x" * 900] * 5

        assert (
            site.client.post("/api/contests", content=pieces(), headers=organiser).status_code
            == 413
        )
        codes = [site.client.post("/api/undoings", json={"event": 9}).status_code for _ in range(4)]
        assert codes[-1] == 429


# ---------------------------------------------------------------------- people


def test_every_page_opens(site: Site) -> None:
    site.league.add(MORE)
    site.enter()
    for path, words in {
        "/": "Alice",
        "/?q=bo": "Bob",
        "/?q=zzz": "Nobody is called so",
        "/contestants/Alice": "Results",
        "/contests/Boston": "Surprise",
        "/compare": "Compare two",
        "/compare?a=Alice&b=Bob": "beats",
        "/compare?a=Alice&b=Zoe": "no contestant &#39;Zoe&#39;",
        "/forecast?who=Alice%0ABob%0AZoe": "Expected place",
        "/forecast?who=Alice": 'role="alert"',
        "/log": "added 5 results of Berlin and Paris",
        "/add": "nothing is saved yet",
        "/embed": "as of event 2",
        "/sign-in": "Token",
    }.items():
        answer = site.get(path)
        assert answer.status_code == 200, (path, answer.text[:500])
        assert words in answer.text, path
        assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert "frame-ancestors *" in site.get("/embed").headers["content-security-policy"]
    assert "frame-ancestors 'none'" in site.get("/").headers["content-security-policy"]
    missing = site.get("/contestants/Alise")
    assert missing.status_code == 404
    assert "did you mean &#39;Alice&#39;?" in missing.text
    assert site.get("/nothing").status_code == 404
    for path in ("/static/style.css", "/static/live.js", "/feeds/board.csv", "/api/openapi.json"):
        assert site.client.get(path).status_code == 200


def test_results_are_typed_looked_at_and_saved(site: Site) -> None:
    site.enter()
    wrong = site.post("/preview", contest="Rome", text="Alice 4:00:00\nBob fast")
    assert wrong.status_code == 422
    assert "results:2: &#39;fast&#39; is neither a number nor a time" in wrong.text
    assert "Bob fast" in wrong.text  # what was typed stays
    look = site.post("/preview", contest="Rome", text="Alice 4:00:00\n\nBobb, 4:10:00")
    assert look.status_code == 200
    assert "&#39;Bobb&#39; is new; did you mean &#39;Bob&#39;?" in look.text
    assert site.league.version == 1
    name = re.search(r'name="name" value="([\w-]+)"', look.text)
    assert name is not None
    for _ in range(2):  # pressed twice, saved once
        done = site.post("/save", name=name[1])
        assert (done.status_code, done.headers["location"]) == (303, "/")
    assert site.league.version == 2
    assert site.league.log()[-1].author == "organiser"
    assert "Bobb" in site.get("/").text
    assert site.post("/undo", event="2").status_code == 303
    assert "Bobb" not in site.get("/").text
    assert "no longer kept" in site.post("/save", name="nonsense").text


def test_a_mistake_is_named_by_the_line_on_which_it_was_typed(site: Site) -> None:
    site.enter()
    page = site.post("/preview", contest="Rome", text="Alice 4:00:00\n\n\nDora fast")
    assert page.status_code == 422
    assert "results:4: &#39;fast&#39; is neither a number" in page.text


def test_an_organiser_corrects_where_it_is_shown(site: Site) -> None:
    site.enter()
    assert "Correct it" in site.get("/contests/Boston").text
    done = site.post("/correct", contest="Boston", contestant="Bob", score="4:01:00")
    assert (done.status_code, done.headers["location"]) == (303, "/contests/Boston")
    assert site.league.state.contests["Boston"].results["Bob"] == -14460.0
    refused = site.post("/correct", contest="Boston", contestant="Bob")
    assert refused.status_code == 422
    assert "there is no score for &#39;Bob&#39;; type one, or withdraw the result" in refused.text
    assert (
        site.post("/correct", contest="Boston", contestant="Bob", withdraw="1").status_code == 303
    )
    assert "Bob" not in site.league.state.contests["Boston"].results
    assert site.post("/remove", contest="Boston").headers["location"] == "/log"
    assert "Boston" not in site.league.state.contests
    assert "Another name" in site.get("/contestants/Bob").text
    done = site.post("/rename", contestant="Bob", to="Bob Smith")
    assert done.headers["location"] == "/contestants/Bob%20Smith"
    assert site.post("/rename", contestant="Bob", to="Alice", same="1").status_code == 422  # met
    site.league.record("Oslo", {"Zed": "4:00:00", "Alice": "4:10:00"})
    assert site.post("/rename", contestant="Zed", to="Bob", same="1").status_code == 303
    assert "Zed" not in set(site.league.state.names())
    assert {event.author for event in site.league.log(1) if event.kind != "added"} == {"organiser"}


def test_only_organisers_are_asked_for_corrections(site: Site) -> None:
    assert "Correct it" not in site.get("/contests/Boston").text
    assert "Another name" not in site.get("/contestants/Bob").text
    sent = {"contest": "Boston", "contestant": "Bob", "score": "4:01:00", "csrf": "x", "to": "Eve"}
    for path in ("/correct", "/remove", "/rename"):
        assert site.client.post(path, data=sent, headers=HTML).status_code == 401
    site.enter()
    for path in ("/correct", "/remove", "/rename"):
        assert (
            site.client.post(path, data=sent, headers=HTML).status_code == 403
        )  # no word of a form
    assert site.league.version == 1


def test_two_are_compared_piece_by_piece(site: Site) -> None:
    page = site.get("/compare?a=Alice&b=Charlie").text
    assert re.search(r"<b>Alice</b> beats <b>Charlie</b> with a probability of <b>[^<]*%</b>", page)
    assert '<a href="/contests/New%20York">New York</a>' in page
    assert "The strongest chains" in page
    assert "How firm it is" in page
    assert "level" in page
    site.league.change_model(p=1)
    assert "not less, because" in site.get("/compare?a=Alice&b=Charlie").text
    newcomer = site.get("/forecast?who=Alice%0ASomebody").text
    assert 'href="/contestants/Alice"' in newcomer
    assert 'href="/contestants/Somebody"' not in newcomer  # there is no such page


def test_whoever_came_by_the_link_is_told_so(site: Site) -> None:
    page = site.get(f"/enter/{site.app.state.access.make_code()}").text  # type: ignore[attr-defined]
    assert "Sign out" in page
    assert "Sign in" not in page


def test_a_table_is_pasted_or_sent_as_a_file(site: Site) -> None:
    site.enter()
    pasted = MORE.read_text().replace(",", "\t")
    assert "5 results of 2 contests" in site.post("/preview", text=pasted).text
    files = {"file": ("more.csv", MORE.read_bytes())}
    answer = site.client.post("/preview", data={"csrf": site.word()}, files=files, headers=HTML)
    assert "5 results of 2 contests" in answer.text
    broken = site.post("/preview", text="race,runner,time\nRome,Alice,fast\n")
    assert "pasted text:2: &#39;fast&#39; is neither" in broken.text
    assert "there is nothing to read" in site.post("/preview", text=" ").text


def test_hostile_names_are_shown_and_not_obeyed(site: Site) -> None:
    site.league.record(NASTY, {NASTY: "4:00:00", "Alice": "4:10:00", "../x?y#z": "5:00:00"})
    site.enter()
    for path in (
        "/",
        f"/contestants/{quote(NASTY)}",
        f"/contests/{quote(NASTY)}",
        "/log",
        "/embed",
    ):
        text = site.get(path).text
        assert "<script>alert" not in text, path
        assert "\x1b" not in re.sub(r'value="[^"]*"', "", text)
        assert "&lt;script&gt;alert(1)" in text
    assert site.get("/contestants/..%2Fx%3Fy%23z").status_code == 200
    assert f"/contestants/{quote('../x?y#z', safe='')}" in site.get("/").text


def test_an_empty_league_waits_for_results(tmp_path: Path) -> None:
    league = League.open(tmp_path / "new.db")
    with TestClient(make_app(league)) as client:
        site = Site(client, league)
        assert "No results yet" in site.get("/").text
        site.enter()
        assert "Add the first results" in site.get("/").text
        look = site.post("/preview", contest="Rome", text="Ann 1\nBob 2")
        name = re.search(r'name="name" value="([\w-]+)"', look.text)
        assert name is not None
        site.post("/save", name=name[1])
        assert "Bob" in site.get("/").text


def test_a_league_with_dates_has_a_past(tmp_path: Path) -> None:
    league = League.open(tmp_path / "dated.db")
    for day, score in enumerate([3, 1, 4, 1, 5], start=1):
        league.record(f"race {day}", {"Ann": score, "Bob": 2}, date=f"2026-05-0{day}")
    with TestClient(make_app(league)) as client:
        site = Site(client, league)
        told = client.get("/api/contestants/Ann").json()
        assert [point["when"] for point in told["history"]][::4] == ["2026-05-01", "2026-05-05"]
        page = site.get("/contestants/Ann").text
        assert "<polyline" in page
        assert "Most surprising" in page
        assert "Ratings of 2026-05-01" in site.get("/?date=2026-05-01").text
        assert site.get("/?date=tomorrow").status_code == 422


def test_events_are_told_as_they_happen(site: Site) -> None:
    from qrja.serve.access import NotAllowedError
    from qrja.serve.feeds import _tell

    class Asked:
        async def is_disconnected(self) -> bool:
            return False

    allowed = True

    def reading(request: Any) -> None:
        if not allowed:
            raise NotAllowedError("the token is not known, or revoked", 401)

    async def listen() -> list[str]:
        nonlocal allowed
        live = site.app.state.live  # type: ignore[attr-defined]
        told = _tell(live, Asked(), 0, reading)  # type: ignore[arg-type]
        found = [await anext(told), await anext(told)]
        assert live.listeners == 1
        allowed = False
        site.league.add(MORE)
        assert await anext(told, None) is None  # who may no longer read hears no more
        assert live.listeners == 0
        return found

    retry, told = asyncio.run(listen())
    assert retry.startswith("retry:")
    assert told.startswith("id: 1\ndata: ")
    assert "added 7 results of 3 contests" in told


def test_what_takes_longer_says_as_of_when_it_is(site: Site) -> None:
    live = site.app.state.live  # type: ignore[attr-defined]
    board = live.board()
    assert board.value["intervals_as_of"] == 1
    lines = board.value["components"][0]["leaderboard"]
    table = qrja.fit(RACES).table(kind="dict")
    assert [it["low"] for it in lines] == pytest.approx(table["low"])
    live._halt.set()  # nothing is refreshed from here on
    live.written()
    for thread in live._threads:
        thread.join()
    site.league.add(MORE)
    board = live.board()
    assert (board.event, board.value["intervals_as_of"]) == (2, 1)
    forecast = live.predict(["Alice", "Dora"])
    assert (forecast.answer.event, forecast.noise_event) == (2, 1)
    assert forecast.to_dict()["noise_as_of"]["event"] == 1


class Elsewhere(Looker):
    """Looks as another process does: it takes longer than anybody waits."""

    def looks_here(self, ratings: qrja.Ratings) -> bool:
        return False

    def look(self, answer: LeagueAnswer[qrja.Ratings]) -> Behind | None:
        sleep(2 * MOMENT)
        return Behind(answer.event, answer.digest, {}, None, None)


def test_nobody_waits_for_what_another_process_looks_for(monkeypatch: pytest.MonkeyPatch) -> None:
    league = League.open(":memory:")
    league.add(RACES)
    live = Live(league, Elsewhere())
    live.start()
    try:
        first = live.rated()
        assert live.behind(first) is not None  # those who come first do wait
        with live._fresh:  # nothing more is found while this is held
            monkeypatch.setattr(live._fresh, "wait_for", lambda *_, **__: pytest.fail("waits"))
            league.add(MORE)
            assert live.board().value["components"][0]["size"] == 4
    finally:
        live.stop()


def test_a_league_with_home_sides_is_served(tmp_path: Path) -> None:
    league = League.open(tmp_path / "cup.db")
    league.change_model(home=True)
    with TestClient(make_app(league, Settings())) as client:
        site = Site(client, league)
        organiser = site.token("organiser", "Bea")
        for k, (a, b, home) in enumerate(
            [(3, 1, "Ann"), (2, 2, "Bob"), (4, 1, "Ann"), (3, 0, None)]
        ):
            sent: dict[str, Any] = {"contest": str(k), "results": {"Ann": a, "Bob": b}}
            sent |= {} if home is None else {"home": home}
            assert client.post("/api/contests", json=sent, headers=organiser).status_code == 200
        wrong = {"contest": "x", "results": {"Ann": 1, "Bob": 1}, "home": "Cid"}
        told = client.post("/api/contests", json=wrong, headers=organiser)
        assert told.status_code == 422
        assert "the home side 'Cid' is none of the results" in told.json()["error"]
        board = client.get("/api/board").json()
        assert board["terms"][0]["term"] == "home"
        assert "home is worth" in site.get("/").text
        at_home = client.get("/api/predict", params={"who": ["Bob (home)", "Ann"]}).json()
        assert any(note.startswith("home adds") for note in at_home["notes"])
        assert client.get("/api/contests/0").json()["results"][0]["home"] is True
        assert "at home" in site.get("/contests/0").text
        site.enter()
        assert 'name="home"' in site.get("/add").text
        no = site.post("/preview", contest="5", home="Cid", text="Ann 3\nBob 1")
        assert no.status_code == 422
        assert "&#39;Cid&#39; is at home, and none of the results" in no.text
        look = site.post("/preview", contest="5", home="Bob", text="Ann 3\nBob 1")
        name = re.search(r'name="name" value="([\w-]+)"', look.text)
        assert name is not None
        assert site.post("/save", name=name[1]).status_code == 303
        assert league.state.contest("5").at_home == ["Bob"]
        assert "who plays at home" in site.get("/forecast").text
