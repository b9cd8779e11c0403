"""A panel behind a server: who may judge, what judges and organisers see, what programs send."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from time import time
from typing import Any

import pytest

from qrja import League
from qrja.league import DealtTickets, LeaguePanel, Ticket, Tokens
from qrja.serve import Settings, make_app
from qrja.serve.panel.tickets import Tickets

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it would rather have a successor of httpx
    from starlette.testclient import TestClient

HTML = {"accept": "text/html"}
GIF = b"GIF89a" + bytes(20)
NASTY = "<script>alert(1)</script>"
ITEMS = ["Zoom", "Bloom", "Room", "Gloom", NASTY]


class PanelSite:
    """A browser at a server with a panel."""

    def __init__(self, app: Any, league: League) -> None:
        self.client, self.league, self.app = TestClient(app), league, app
        self.panel, self.tokens = LeaguePanel(league), Tokens(league.store)

    def visitor(self) -> PanelSite:
        """Another browser."""
        other = PanelSite.__new__(PanelSite)
        other.__dict__ = self.__dict__ | {"client": TestClient(self.app)}
        return other

    def judge(self, name: str) -> PanelSite:
        """A browser in which a judge typed their code."""
        site = self.visitor()
        done = site.client.post("/sign-in", data={"token": self.tokens.make("judge", name)})
        assert done.url.path == "/judge"
        return site

    def organiser(self) -> PanelSite:
        site = self.visitor()
        assert site.get(f"/enter/{self.app.state.access.make_code()}").status_code == 200
        return site

    def get(self, path: str, status: int = 200) -> Any:
        answer = self.client.get(path, headers=HTML)
        assert answer.status_code == status, answer.text
        return answer

    def fields(self, path: str) -> dict[str, str]:
        """The hidden fields of the first form that changes something."""
        form = self.get(path).text.split('name="csrf"', 1)[1].split("</form>")[0]
        found = re.findall(
            r'type="hidden" name="(\w+)" value="([^"]*)"', f' type="hidden" name="csrf"{form}'
        )
        return {name: unescape(value) for name, value in found}

    def post(self, path: str, page: str, **more: Any) -> Any:
        files = more.pop("files", None)
        data = self.fields(page) | more
        return self.client.post(path, data=data, headers=HTML, follow_redirects=False, files=files)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[PanelSite]:
    league = League.open(tmp_path / "panel.db")
    panel = LeaguePanel(league)
    panel.set_up(question="Which one?")
    panel.list_items(ITEMS)
    app = make_app(league, Settings(per_minute=10_000))
    with TestClient(app):
        yield PanelSite(app, league)


def test_a_judge_votes_looks_and_changes(site: PanelSite) -> None:
    bea = site.judge("Bea")
    page = bea.get("/judge").text
    assert "Which one?" in page
    assert page == bea.get("/judge").text  # the same pair, until it is judged
    fields = bea.fields("/judge")
    done = bea.post("/judge", "/judge", grade="2", comment="quick")
    assert (done.status_code, done.headers["location"]) == (303, "/judge")
    (vote,) = site.panel.votes("Bea")
    assert (vote.a, vote.b, vote.y, vote.comment) == (fields["a"], fields["b"], 2.0, "quick")
    again = bea.client.post(
        "/judge", data=fields | {"grade": "2", "comment": "quick"}, headers=HTML
    )
    assert again.status_code == 200
    assert len(site.panel.votes("Bea")) == 1  # sent twice, counted once
    other = bea.client.post("/judge", data=fields | {"grade": "-1"}, headers=HTML)
    assert other.status_code == 409
    assert "judged already; change it among your votes" in other.text
    assert bea.post("/judge", "/judge", cannot="1").status_code == 303
    assert site.panel.votes("Bea")[-1].y is None
    empty = bea.post("/judge", "/judge")
    assert empty.status_code == 422
    assert "nothing is chosen" in empty.text
    assert "You gave 2 votes" in bea.get("/judge").text
    votes = bea.get("/judge/votes").text
    assert "Could not tell" in votes
    assert "quick" in votes
    path = f"/judge/votes/{vote.key}"
    assert 'value="2" checked' in bea.get(path).text
    assert bea.post(path, path, grade="-3").status_code == 303
    assert next(it.y for it in site.panel.votes("Bea") if it.key == vote.key) == -3
    assert site.league.log()[-1].author == "Bea"
    ann = site.judge("Ann")
    assert "gave no vote" in ann.get(path, 422).text


def test_two_servers_deal_different_pairs(site: PanelSite) -> None:
    with League.open(site.league.store.name, create=False) as league:
        here, there = Tickets(site.panel), Tickets(LeaguePanel(league))
        dealt = [tickets.of(f"{k}") for k, tickets in enumerate([here, there] * 5)]
        assert len({frozenset((it.a, it.b)) for it in dealt}) == 10  # all that five items make
        assert [there.of("0"), here.of("1")] == dealt[:2]
        there.close("0")
        assert here.of("0").name != dealt[0].name


def test_a_pair_that_another_server_deals_meanwhile_is_not_dealt(
    site: PanelSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, other = Tickets(site.panel), DealtTickets(site.league.store)
    chosen, choose = [], Tickets._choose

    def slow(self: Tickets, judge: str, dealt: Any) -> Ticket | None:
        ticket = choose(self, judge, dealt)
        assert ticket is not None
        if not chosen:
            other.deal(Ticket("Zoe", "first", ticket.b, ticket.a, None, time()))
        chosen.append({ticket.a, ticket.b})
        return ticket

    monkeypatch.setattr(Tickets, "_choose", slow)
    ticket = here.of("Ann")
    assert len(chosen) == 2
    assert {ticket.a, ticket.b} == chosen[1] != chosen[0]


def test_a_judge_sees_one_pair_by_two_servers_at_once(site: PanelSite) -> None:
    other = DealtTickets(site.league.store)
    here = Tickets(site.panel)
    first = Ticket("Ann", "first", "Zoom", "Bloom", None, time())
    here._dealt.all = dict  # a look just before the other one dealt
    assert other.deal(first) == first
    assert here.of("Ann") == first


def test_judges_judge_until_every_pair_is_judged(site: PanelSite) -> None:
    site.panel.set_up(repeats=0.0)
    site.panel.unlist(["Gloom", NASTY])
    bea = site.judge("Bea")
    for _ in range(3):
        assert bea.post("/judge", "/judge", grade="1").status_code == 303
    done = bea.get("/judge").text
    assert "You have judged every pair" in done
    assert "of each judge" not in done  # who has no pair left is not asked for more
    site.panel.unlist(["Zoom", "Room"])
    assert "Nothing to compare yet" in bea.get("/judge").text


def test_ratios_and_sliders_are_answered_by_forms(tmp_path: Path) -> None:
    for scale, sent, y in [
        ("ratio", {"worth": "4", "turned": "1"}, 0.25),
        ("ratio", {"worth": "2,5"}, 2.5),
        ("slider", {"place": "-7"}, 7.0),
    ]:
        league = League.open(tmp_path / f"{scale}{y}.db")
        panel = LeaguePanel(league)
        panel.set_up(scale=scale)
        panel.list_items(["gas", "trash"])
        with TestClient(make_app(league)) as client:
            site = PanelSite(client.app, league).judge("Bea")
            if scale == "ratio":
                refused = site.post("/judge", "/judge", worth="-1")
                assert refused.status_code == 422
                assert "give a positive number" in refused.text
            assert site.post("/judge", "/judge", **sent).status_code == 303  # type: ignore[arg-type]
            (vote,) = panel.votes("Bea")
            assert vote.y == pytest.approx(y)
            page = site.get(f"/judge/votes/{vote.key}").text
            assert ('value="-7"' if scale == "slider" else f'value="{max(y, 1 / y):g}"') in page


def test_who_may(site: PanelSite) -> None:
    stranger, bea, boss = site.visitor(), site.judge("Bea"), site.organiser()
    fields = bea.fields("/judge")
    bea.post("/judge", "/judge", grade="1")
    for path in ("/judge", "/judge/votes", "/panel", "/panel/items", "/panel/judges", "/"):
        stranger.get(path, 401)
    for path in ("/", "/log", "/panel", "/panel/judges", "/panel/setup", "/compare?a=Zoom&b=Room"):
        bea.get(path, 403)
    assert "shown to organisers only, while the panel judges" in bea.get("/", 403).text
    assert "To the next pair" in bea.get("/", 403).text
    assert "Judges begin here" in stranger.get("/", 401).text
    assert '<a href="/log"' not in bea.get("/judge").text
    assert bea.client.get("/feeds/board.csv").status_code == 403
    assert bea.client.get("/api/board").status_code == 403
    for path in ("/", "/panel", "/panel/items", "/panel/judges", "/panel/setup", "/log", "/judge"):
        boss.get(path)
    forged = bea.client.post("/judge", data=fields | {"grade": "1", "csrf": "0" * 64}, headers=HTML)
    assert forged.status_code == 403
    for path in ("/panel/judges", "/panel/setup", "/panel/items/one", "/panel/items/retire"):
        sent = {"names": "Eve", "item": "Zoom", "csrf": fields["csrf"]}
        assert bea.client.post(path, data=sent, headers=HTML).status_code == 403
    site.panel.set_up(board="judges")
    bea.get("/")
    stranger.get("/", 401)
    site.panel.set_up(board="everybody")
    stranger.get("/")


def test_a_revoked_judge_is_out_at_once(site: PanelSite) -> None:
    boss, bea = site.organiser(), site.judge("Bea")
    (token,) = [it for it in site.tokens.all() if it.name == "Bea"]
    assert boss.post("/panel/judges/revoke", "/panel/judges", id=token.id).status_code == 303
    bea.get("/judge", 401)
    assert "revoked" in boss.get("/panel/judges").text
    again = boss.post("/panel/judges/revoke", "/panel/setup", id=token.id)
    assert again.status_code == 422


def test_an_organiser_invites_and_the_secret_is_in_no_address(site: PanelSite) -> None:
    boss = site.organiser()
    refused = boss.post("/panel/judges", "/panel/judges", names="\n")
    assert "0 names are given" in refused.text
    page = boss.post("/panel/judges", "/panel/judges", names=f"Nina\nOtto\nNina\n{NASTY}").text
    links = re.findall(r"<code>(http://testserver/j#[\w-]+)</code>", page)
    assert len(links) == 3
    assert NASTY not in page
    assert not any(link in boss.get("/panel/judges").text for link in links)
    code = links[0].partition("#")[2]
    nina = site.visitor()
    assert code not in nina.get("/j").text
    done = nina.client.post(
        "/sign-in", data={"token": code.upper()}, headers=HTML, follow_redirects=False
    )
    assert done.headers["location"] == "/judge"
    assert code not in done.headers["set-cookie"]
    assert "SameSite=strict" in done.headers["set-cookie"]
    assert "Nina" in nina.get("/judge").text


def test_an_organiser_sets_up_from_nothing(tmp_path: Path) -> None:
    league = League.open(tmp_path / "new.db")
    app = make_app(league)
    with TestClient(app):
        boss = PanelSite(app, league).organiser()
        assert "set up a panel of judges" in boss.get("/").text
        assert "Rules of the panel" in boss.get("/panel").text
        sent = {"question": "Which?", "scale": "grades", "grades": "nicer\nmuch nicer"}
        rules = sent | {"accuracy": "0.9", "repeats": "0.05", "board": "judges", "title": "Hack"}
        assert "there is no panel here yet" in boss.get("/panel/items", 404).text
        done = boss.post("/panel/setup", "/panel/setup", **rules)
        assert done.headers["location"] == "/panel/items"
        held = league.state.rules
        assert held is not None
        assert (held.grades, held.accuracy, league.state.title) == (
            ("nicer", "much nicer"),
            0.9,
            "Hack",
        )
        wrong = boss.post("/panel/setup", "/panel/setup", **(rules | {"accuracy": "7"}))
        assert wrong.status_code == 422
        assert "the wished accuracy is 7" in wrong.text
        add = "/panel/items/table"
        assert boss.post(add, "/panel/items", text="Zoom\nBloom").status_code == 303
        table = {"file": ("more.csv", b"item,text\nRoom,wide\nZoom,calls\n")}
        assert boss.post(add, "/panel/items", files=table).status_code == 303
        assert league.state.items["Zoom"].text == "calls"
        bad = boss.post(add, "/panel/items", text="item,link\nX,ftp://y")
        assert bad.status_code == 422
        assert "pasted text:2: the link of &#39;X&#39;" in bad.text
        assert "nothing to read" in boss.post(add, "/panel/items", text=" ").text
        page = boss.get("/panel").text
        assert "Invite judges" in page
        assert "too early" in page


def test_items_with_images(site: PanelSite) -> None:
    boss = site.organiser()
    files = {"image": ("zoom.gif", GIF)}
    done = boss.post("/panel/items/one", "/panel/items", item="Zoom", text="calls", files=files)
    assert done.status_code == 303
    digest = site.league.state.items["Zoom"].image
    picture = site.judge("Bea").get(f"/files/{digest}")
    assert picture.content == GIF
    assert picture.headers["content-type"] == "image/gif"
    assert picture.headers["x-content-type-options"] == "nosniff"
    assert "immutable" in picture.headers["cache-control"]
    site.visitor().get(f"/files/{digest}", 401)
    boss.get("/files/nothing", 404)
    change = "/panel/items/change?item=Zoom"
    assert f"/files/{digest}" in boss.get(change).text
    boss.post("/panel/items/one", "/panel/items", item="Zoom", text="other")
    assert site.league.state.items["Zoom"].image == digest  # kept, unless taken away
    boss.post("/panel/items/one", "/panel/items", item="Zoom", without="1")
    assert not site.league.state.items["Zoom"].image
    svg = {"image": ("x.svg", b"<svg/>")}
    refused = boss.post("/panel/items/one", "/panel/items", item="Zoom", text="typed", files=svg)
    assert refused.status_code == 422
    assert "x.svg: is no PNG" in refused.text
    assert "typed</textarea>" in refused.text  # of the form that changes it
    boss.get("/panel/items/change?item=None", 404)
    assert boss.post("/panel/items/retire", "/panel/items", item="Bloom").status_code == 303
    assert "no longer asked about" in boss.get("/panel/items").text


def test_names_and_comments_are_shown_and_not_obeyed(site: PanelSite) -> None:
    bea, boss = site.judge(NASTY), site.organiser()
    site.panel.list_items([{"item": name, "text": NASTY} for name in ITEMS])
    for _ in range(6):
        bea.post("/judge", "/judge", grade="1", comment=NASTY)
    for page in (*map(bea.get, ("/judge", "/judge/votes")), *map(boss.get, ("/panel", "/log"))):
        assert NASTY not in page.text
        assert "&lt;script&gt;" in page.text
        assert "default-src 'none'" in page.headers["content-security-policy"]


# ---------------------------------------------------------------------- programs


def test_a_program_runs_a_panel(tmp_path: Path) -> None:
    league = League.open(tmp_path / "api.db")
    with TestClient(make_app(league)) as client:
        boss = {"authorization": f"Bearer {Tokens(league.store).make('organiser', 'Ann')}"}

        def ask(method: str, path: str, who: dict[str, str], status: int = 200, **sent: Any) -> Any:
            body = {"json": sent} if sent else {}
            answer = client.request(method, f"/api/panel{path}", headers=who, **body)  # type: ignore[arg-type]
            assert answer.status_code == status, answer.text
            return answer.json()

        assert "no panel here yet" in ask("get", "", boss, 404)["error"]
        ask("put", "", boss, question="Which?", accuracy=0.9, repeats=0)
        items = [{"item": "Zoom", "link": "https://example.org"}, {"item": "Bloom"}, {"item": "X"}]
        ask("post", "/items", boss, items=items)
        ask("delete", "/items/X", boss)
        made = ask("post", "/judges", boss, name="Bea")
        assert made["path"] == f"/j#{made['code']}"
        bea = {"authorization": f"Bearer {made['code']}"}
        assert ask("get", "", bea)["question"] == "Which?"
        assert len(ask("get", "/items", bea)["items"]) == 2
        pair = ask("get", "/next", bea)["pair"]
        assert {pair["a"]["item"], pair["b"]["item"]} == {"Zoom", "Bloom"}
        ask("post", "/votes", bea, a="Zoom", b="Bloom", y=2, comment="quick")
        assert ask("get", "/next", bea) == {"pair": None}
        (vote,) = ask("get", "/votes", bea)["votes"]
        assert (vote["y"], vote["comment"]) == (2.0, "quick")
        ask("put", f"/votes/{vote['vote']}", bea, y=-1)
        assert ask("get", "/votes", bea)["votes"][0]["y"] == -1
        assert (
            "at event" in ask("put", f"/votes/{vote['vote']}", bea, 409, y=1, expected=1)["error"]
        )
        assert "from -3 to 3" in ask("post", "/votes", bea, 422, a="Zoom", b="Bloom", y=9)["error"]
        assert "organisers" in ask("get", "/progress", bea, 403)["error"]
        around = client.post("/api/judgments", json={"a": "X", "b": "Y", "y": 99}, headers=bea)
        assert around.status_code == 422
        assert "send votes to /api/panel/votes" in around.json()["error"]
        told = ask("get", "/progress", boss)
        assert told["votes"] == 1
        assert told["by_judge"][0]["judge"] == "Bea"
        (judge,) = ask("get", "/judges", boss)["judges"]
        assert "code" not in judge
        ask("delete", f"/judges/{judge['id']}", boss)
        ask("get", "/next", bea, 401)
        ask("delete", f"/judges/{judge['id']}", boss, 422)
