"""A panel of judges: what it is asked, what judges say and change, what is next, and when to stop.

``test_league_postgres.py`` runs the tests of what is kept in PostgreSQL, too.
"""

from __future__ import annotations

import io
import json
import math
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrja import InputError, League
from qrja.cli import run
from qrja.league import (
    Ballot,
    Certainty,
    DealtTickets,
    Draft,
    HeldJudgment,
    Incoming,
    Item,
    KeptFiles,
    LeaguePanel,
    PanelRules,
    Ticket,
    Tokens,
    backup,
    check,
    choose_pair,
    restore,
)
from qrja.league.panels import find_repeats, look_for_end, read_items
from reference.designs import gains_by_trial

NAMES = ["Zoom", "Bloom", "Room", "Gloom"]
GIF = b"GIF89a" + bytes(20)
PROJECTS = Path(__file__).parent / "examples" / "projects.csv"


@pytest.fixture
def place(tmp_path: Path) -> str:
    """Where a new league goes."""
    return str(tmp_path / "league.db")


@pytest.fixture
def panel(place: str) -> Iterator[LeaguePanel]:
    with League.open(place) as league:
        made = LeaguePanel(league)
        made.set_up(question="Which project should win?")
        made.list_items(NAMES)
        yield made


def said(panel: LeaguePanel, judge: str) -> list[tuple[str, str, float | None, str]]:
    return [(it.a, it.b, it.y, it.comment) for it in panel.votes(judge)]


# ---------------------------------------------------------------------- what is kept


def test_votes_are_given_changed_and_taken_back(panel: LeaguePanel) -> None:
    panel.vote("Ann", "Zoom", "Bloom", "2", comment=" so quick ")
    panel.vote("Ann", "Room", "Gloom", None)
    panel.vote("Bea", "Zoom", "Bloom", -1)
    assert said(panel, "Ann") == [("Zoom", "Bloom", 2, "so quick"), ("Room", "Gloom", None, "")]
    assert panel.league.state.passes.keys() == {"4.1"}
    panel.change("Ann", "3.1", -3)
    assert said(panel, "Ann")[0] == ("Zoom", "Bloom", -3, "")
    panel.change("Ann", "4.1", 1, comment="after all")
    assert not panel.league.state.passes
    assert said(panel, "Ann")[-1] == ("Room", "Gloom", 1, "after all")
    panel.change("Ann", "3.1", None)
    assert said(panel, "Ann")[-1] == ("Zoom", "Bloom", None, "")
    assert len(panel.league.state.judgments) == 2
    kinds = [event.kind for event in panel.league.log()]
    changes = ["corrected", "removed", "judged", "removed", "passed"]
    assert kinds == ["empanelled", "listed", "judged", "passed", "judged", *changes]
    assert {event.author for event in panel.league.log()} == {"", "Ann", "Bea"}
    panel.league.undo(10)
    panel.league.undo(9)
    assert said(panel, "Ann")[0] == ("Zoom", "Bloom", -3, "")
    with League.open(panel.league.name) as again:
        assert again.state.passes == panel.league.state.passes
        assert again.state.items == panel.league.state.items
        assert again.state.rules == panel.league.state.rules


def test_the_same_vote_sent_twice_counts_once(panel: LeaguePanel) -> None:
    first = panel.vote("Ann", "Zoom", "Bloom", 2, key="ticket 1")
    assert panel.vote("Ann", "Zoom", "Bloom", 2, key="ticket 1") == first
    assert len(panel.votes()) == 1
    again = panel.vote("Ann", "Bloom", "Zoom", -1, key="ticket 2")
    assert panel.vote("Ann", "Bloom", "Zoom", -1, key="ticket 2") == again
    with pytest.raises(InputError, match="'Zoom' and 'Bloom' twice already; change one of these"):
        panel.vote("Ann", "Zoom", "Bloom", 2, key="ticket 3")
    assert len(panel.votes()) == 2


def test_what_a_judge_may_not(panel: LeaguePanel) -> None:
    panel.list_items([{"item": "Doom", "owner": "Ann"}])
    panel.unlist(["Gloom"])
    key = f"{panel.vote('Ann', 'Zoom', 'Bloom', 1).number}.1"
    for ask, words in [
        (lambda: panel.vote("Ann", "Zoom", "Blom", 1), "no item 'Blom' to compare; did you mean"),
        (lambda: panel.vote("Ann", "Zoom", "Gloom", 1), "there is no item 'Gloom' to compare"),
        (lambda: panel.vote("Ann", "Doom", "Zoom", 1), "'Ann' does not judge 'Doom'; leave it"),
        (lambda: panel.vote("Ann", "Zoom", "Zoom", 1), "'Zoom' is judged against itself"),
        (lambda: panel.vote("Ann", "Zoom", "Zoom", None), "'Zoom' stands on both sides"),
        (lambda: panel.vote("Ann", "Zoom", "Room", 4), "give a whole number from -3 to 3"),
        (lambda: panel.vote("Ann", "Zoom", "Room", 0.5), "give a whole number from -3 to 3"),
        (lambda: panel.vote("Ann", "Zoom", "Room", "much"), "'much'"),
        (lambda: panel.vote("Ann", "Zoom", "Room", 1, comment="x" * 3000), "has 3,000 letters"),
        (lambda: [panel.vote("Ann", "Zoom", "Bloom", 1) for _ in range(2)], "twice already; cha"),
        (lambda: panel.change("Bea", key, 1), f"'Bea' gave no vote '{key}'; look at the list"),
        (lambda: panel.unlist(["Zom"]), "there is no item 'Zom'; did you mean 'Zoom'?"),
    ]:
        with pytest.raises(InputError) as error:
            ask()
        assert words in str(error.value)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"scale": "stars"}, "scale is 'stars'"),
        ({"grades": []}, "the grades are []; give 1 to 5 words"),
        ({"accuracy": 1.5}, "the wished accuracy is 1.5; give a share from 0.1 to 0.99"),
        ({"repeats": -1}, "the share of repeats is -1"),
        ({"board": "me"}, "board is 'me'"),
        ({"question": " "}, "the question is ' '; give a name"),
        ({"quesion": "x"}, "a panel has no 'quesion'; did you mean 'question'?"),
    ],
)
def test_rules_that_are_none(panel: LeaguePanel, asked: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError) as error:
        panel.set_up(**asked)
    assert words in str(error.value)


def test_the_scale_stays_when_there_are_votes(panel: LeaguePanel) -> None:
    panel.vote("Ann", "Zoom", "Bloom", 2)
    with pytest.raises(InputError, match="votes so far are on the scale grades, which the panel"):
        panel.set_up(scale="slider")
    panel.set_up(grades=["barely better", "better", "far better"])
    assert panel.rules.say(2.0, "Zoom", "Bloom") == "Zoom better than Bloom"
    league = League.open(":memory:")
    league.record("Boston", {"Ann": 1.0, "Bob": 2.0})
    with pytest.raises(InputError, match="holds contests"):
        LeaguePanel(league).set_up()


def test_ratios_are_kept_as_logarithms_and_shown_as_ratios() -> None:
    panel = LeaguePanel(League.open(":memory:"))
    panel.set_up(scale="ratio")
    panel.list_items(["gas", "trash", "water"])
    panel.vote("Ann", "gas", "trash", "3")
    panel.vote("Ann", "trash", "water", 2)
    assert [it.y for it in panel.votes()] == pytest.approx([3, 2])
    x = dict(zip(panel.league.ratings.problem.names, panel.league.ratings.solution.x, strict=True))
    assert x["gas"] - x["water"] == pytest.approx(math.log(6))
    panel.change("Ann", "3.1", 4)
    assert panel.votes()[0].y == pytest.approx(4)
    assert panel.rules.say(0.25, "trash", "gas") == "one of gas is worth 4 of trash"
    for y in (0, -1, "many"):
        with pytest.raises(InputError):
            panel.vote("Ann", "gas", "water", y)


def test_names_are_changed_and_joined_everywhere(panel: LeaguePanel) -> None:
    panel.list_items([{"item": "Zoom", "text": "calls"}])
    panel.vote("Ann", "Zoom", "Bloom", 1)
    panel.vote("Ann", "Zoom", "Room", None)
    panel.vote("Ann", "Gloom", "Room", None)
    panel.league.rename("Zoom", "Zoomer")
    assert said(panel, "Ann")[1][:2] == ("Zoomer", "Room")
    assert panel.league.state.items["Zoomer"].text == "calls"
    panel.league.merge("Gloom", "Room")
    assert list(panel.league.state.items) == ["Zoomer", "Bloom", "Room"]
    assert len(panel.votes("Ann")) == 2  # nobody is compared with themselves
    panel.vote("Bea", "Zoom", "Room", 1)  # by the old name
    assert said(panel, "Bea")[0][:2] == ("Zoomer", "Room")


def test_images_are_kept_and_come_back_from_a_backup(panel: LeaguePanel, tmp_path: Path) -> None:
    digest = panel.keep_image(GIF)
    assert panel.keep_image(GIF) == digest
    panel.list_items([{"item": "Zoom", "image": digest}])
    assert "1 image, each as it was kept" in check(panel.league)
    assert backup(panel.league, tmp_path / "panel.jsonl") == 3
    with League.open(":memory:") as copy:
        assert restore(tmp_path / "panel.jsonl", copy) == 3
        kept = KeptFiles(copy.store).get(digest)
        assert kept is not None
        assert (kept.kind, kept.content) == ("image/gif", GIF)
    lines = (tmp_path / "panel.jsonl").read_text().splitlines()
    for at, old, new, words in [
        (-1, "R0lGOD", "AAAAAA", "bad.jsonl:5: is damaged: the file is not as it was kept"),
        (-1, "R0lGOD", "!!!!!!", "bad.jsonl:5: "),
        (0, '"files": 1', '"files": 0', "bad.jsonl:5: the event has no number"),
        (0, '"files": 1', '"files": 2', "holds 2 of 3 events; it was cut"),
    ]:
        bad = list(lines)
        bad[at] = bad[at].replace(old, new)
        (tmp_path / "bad.jsonl").write_text("\n".join(bad))
        with League.open(":memory:") as copy, pytest.raises(InputError) as error:
            restore(tmp_path / "bad.jsonl", copy)
        assert words in str(error.value)
    with pytest.raises(InputError, match="is no PNG, JPEG, GIF or WebP"):
        panel.keep_image(b"<svg onload='alert(1)'/>")
    with pytest.raises(InputError, match=r"has 5,000,000 bytes, more than"):
        panel.keep_image(GIF + bytes(5_000_000 - len(GIF)))


@pytest.mark.parametrize(
    ("kind", "payload", "words"),
    [
        ("listed", {"items": []}, "there are no items to add"),
        ("listed", {"items": [{"item": "x", "link": "file:///etc/passwd"}]}, "begins with https"),
        ("listed", {"items": [{"item": "x", "link": "https://a b"}]}, "begins with https"),
        ("listed", {"items": [{"item": "x", "image": "../x"}]}, "no digest"),
        ("listed", {"items": [{"item": "x"}, {"item": "x"}]}, "an item is there twice"),
        ("listed", {"items": [{"item": "x", "text": "y" * 20_001}]}, "20,001 letters"),
        ("passed", {"a": "Zoom", "b": "Noon", "judge": "Ann"}, "there is no item 'Noon'"),
        ("removed", {"pass": "9.9"}, "there is no pass '9.9'"),
        ("empanelled", {"grades": "better"}, "the grades are 'better'"),
    ],
)
def test_events_of_a_stranger(
    panel: LeaguePanel, kind: Any, payload: dict[str, Any], words: str
) -> None:
    with pytest.raises(InputError) as error:
        panel.league.write([Draft(kind, payload)])
    assert words in str(error.value)


def test_a_table_of_items(tmp_path: Path) -> None:
    read = read_items(PROJECTS)
    assert len(read.items) == 6
    assert read.items[0].link == "https://example.org/helping"
    assert read.items[2].owner == "Bea"
    (tmp_path / "names.txt").write_text("Zoom\n\nBloom\n")
    assert [it.name for it in read_items(tmp_path / "names.txt").items] == ["Zoom", "Bloom"]
    for content, words in [
        (b"a,b\n1,2\n", "no column of items; the columns are 'a', 'b': call one 'item'"),
        (b"item,link\nZoom,ftp://x\n", ":2: the link of 'Zoom' is 'ftp://x'"),
        (b"item,text\nZoom,\nZoom,\n", ":3: 'Zoom' is there twice; keep one"),
        (b"item,text\n,x\n", "holds no items"),
    ]:
        source = io.BytesIO(content)
        source.name = "items.csv"
        with pytest.raises(InputError) as error:
            read_items(source)
        assert words in str(error.value)
    (tmp_path / "logo.gif").write_bytes(GIF)
    (tmp_path / "items.csv").write_text("item,image\nZoom,logo.gif\nBloom,\n")
    panel = LeaguePanel(League.open(":memory:"))
    panel.list_items(tmp_path / "items.csv")
    assert panel.league.state.items["Zoom"].image
    (tmp_path / "items.csv").write_text("item,image\nZoom,gone.gif\n")
    with pytest.raises(InputError, match=r"gone.gif: cannot be read"):
        panel.list_items(tmp_path / "items.csv")


def test_codes_are_typed_as_people_type() -> None:
    tokens = Tokens(League.open(":memory:").store)
    code = tokens.make("judge", "Ann")
    assert len(code) == 19
    for typed in (code, code.upper(), code.replace("-", ""), code.replace("0", "O"), f" {code} "):
        found = tokens.find(typed)
        assert found is not None
        assert found.name == "Ann"
    assert tokens.find(code[:-1]) is None
    assert len(tokens.make("organiser", "Bea")) > 40


# ---------------------------------------------------------------------- what is next


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=25), st.data())
def test_gains_are_those_of_trying(drawn: list[tuple[int, int]], data: Any) -> None:
    pairs = [(i, j) for i, j in drawn if i != j]
    names = list("abcdef")
    known = Certainty()
    some = data.draw(st.integers(0, len(pairs)))
    for part in (pairs[:some], pairs, pairs[some:], pairs):  # as they come and go
        known.follow(names, [(names[i], names[j]) for i, j in part])
        np.testing.assert_allclose(known.gains(), gains_by_trial(6, part, 0.1), atol=1e-8)
        assert known.load.tolist() == [sum(i in pair for pair in part) for i in range(6)]


def ask(
    votes: int, judges: list[str], items: list[Item], seed: int = 0, **more: Any
) -> list[Ballot]:
    """Let judges answer, in turns, whatever they are asked."""
    rng, given_, known = np.random.default_rng(seed), [], Certainty()
    listed = {it.name: it for it in items}
    for turn in range(votes):
        judge = judges[turn % len(judges)]
        own = [it for it in given_ if it.judge == judge]
        compared = [(it.a, it.b) for it in given_]
        pair = choose_pair(listed, judge, own, compared, rng, known=known, **more)
        if pair is not None:
            given_.append(
                Ballot(f"{turn + 1}.1", judge, pair.a, pair.b, float(rng.integers(-3, 4)))
            )
    return given_


def test_load_is_spread_and_all_items_meet_soon() -> None:
    items = [Item(f"i{k}") for k in range(20)]
    given_ = ask(100, ["Ann", "Bea", "Cid"], items)
    load = Counter(name for it in given_ for name in (it.a, it.b))
    assert min(load.values()) >= 9
    assert max(load.values()) <= 11
    first = {name for it in given_[:10] for name in (it.a, it.b)}
    assert len(first) == 20  # nobody twice before everybody once
    left = Counter(it.a for it in given_)
    assert all(2 <= left[it.name] <= 9 for it in items)  # sides are dealt by chance


def test_a_judge_sees_no_pair_twice_but_those_to_repeat() -> None:
    items = [Item(f"i{k}") for k in range(8)]
    given_ = ask(60, ["Ann"], items)
    assert len(given_) == 28
    assert len({it.pair for it in given_}) == 28
    again = ask(60, ["Ann", "Bea"], items, repeats=0.2)
    for judge in ("Ann", "Bea"):
        own = [it for it in again if it.judge == judge]
        assert len(own) - len({it.pair for it in own}) == 5
        seen: dict[frozenset[str], tuple[int, str]] = {}
        for at, it in enumerate(own):
            if it.pair in seen:
                before, left = seen[it.pair]
                assert at - before > 5
                assert it.a != left  # sides are swapped
            seen[it.pair] = (at, it.a)


def test_owners_retired_items_and_passes_are_left_alone() -> None:
    items = {it.name: it for it in (Item("a", owner="Ann"), Item("b"), Item("c", retired=True))}
    items |= {name: Item(name) for name in "de"}
    rng = np.random.default_rng(0)
    seen = {frozenset("bd"), frozenset("be"), frozenset("de")}
    given_: list[Ballot] = []
    for turn in range(3):
        pair = choose_pair(items, "Ann", given_, [], rng)
        assert pair is not None
        assert frozenset((pair.a, pair.b)) in seen
        seen.remove(frozenset((pair.a, pair.b)))
        given_.append(Ballot(f"{turn + 1}.1", "Ann", pair.a, pair.b, None))
    assert choose_pair(items, "Ann", given_, [], rng) is None
    later = [*given_, *(Ballot(f"{9 + k}.1", "Ann", "x", f"y{k}", 1.0) for k in range(25))]
    assert choose_pair(items, "Ann", later, [], rng) is not None  # asked again, not soon
    assert choose_pair({"a": Item("a")}, "Bea", [], [], rng) is None


def test_two_judges_do_not_look_at_the_same_pair() -> None:
    items = {f"i{k}": Item(f"i{k}") for k in range(10)}
    shown: list[tuple[str, str]] = []
    rng = np.random.default_rng(0)
    for judge in range(5):
        pair = choose_pair(items, f"j{judge}", [], shown, rng)
        assert pair is not None
        shown.append((pair.a, pair.b))
    assert len({name for pair in shown for name in pair}) == 10


def test_very_many_items() -> None:
    items = [Item(f"i{k}") for k in range(1000)]
    given_ = ask(6, ["Ann", "Bea"], items)
    assert max(Counter(name for it in given_ for name in (it.a, it.b)).values()) == 1


# ---------------------------------------------------------------------- when to stop


def simulate(
    votes: int, noise: float, seed: int, items: int = 12, odd: dict[str, Any] | None = None
) -> tuple[LeaguePanel, dict[str, float]]:
    """A panel whose truth is known; ``odd`` judges are noisy or lean."""
    rng, names = np.random.default_rng(seed), [f"i{k}" for k in range(items)]
    truth = dict(zip(names, rng.normal(0, 1.5, items), strict=True))
    asked = ask(votes, ["Ann", "Bea", "Cid", "Dan", "Eve"], [*map(Item, names)], seed, repeats=0.1)

    def answer(it: Ballot) -> HeldJudgment:
        sd, lean, scale = (odd or {}).get(it.judge, (noise, 0.0, 1.0))
        y = scale * (truth[it.a] - truth[it.b]) + rng.normal(0, sd) + lean
        return HeldJudgment(it.a, it.b, float(np.clip(round(y), -3, 3)), judge=it.judge)

    panel = LeaguePanel(League.open(":memory:"))
    panel.set_up()
    panel.list_items(names)
    panel.league.write([Incoming(judgments=tuple(map(answer, asked)))])
    return panel, truth


def test_the_stop_sign_goes_from_early_to_enough() -> None:
    empty = LeaguePanel(League.open(":memory:"))
    empty.set_up()
    empty.list_items(NAMES)
    sign = empty.stop_sign()
    assert "too early" in sign.text()
    assert "come back after about 8 more" in sign.text()
    assert "4 items are not yet compared" in sign.text()
    few, _ = simulate(40, 2.0, 1)
    going = few.stop_sign()
    assert not going.is_enough
    assert going.needed is not None
    assert "more comparisons are needed" in going.short()
    assert going.text().startswith("Go on: about")
    many, _ = simulate(200, 1.0, 1)
    done = many.stop_sign()
    assert done.is_enough
    assert done.text().startswith("Enough: the wished accuracy is reached.")
    assert "that a judge saw twice" in done.text()
    assert "leads, and" in done.text()
    assert done.share == 1.0
    assert json.dumps(done.to_dict(), allow_nan=False)
    assert done.reliability > going.reliability
    many.list_items(["late"])
    late = many.stop_sign()
    assert "reached, but not for all items" in late.text()
    assert "1 item is not yet compared with the others." in late.text()


def test_the_reliability_foretold_is_that_of_the_truth() -> None:
    told, real = [], []
    for seed in range(4):
        panel, truth = simulate(80, 1.5, seed, items=15)
        sign = panel.stop_sign(first=False)
        ratings = panel.league.ratings
        x = np.array([truth[str(name)] for name in ratings.problem.names])
        told.append(sign.reliability)
        real.append(float(np.corrcoef(x, ratings.solution.x)[0, 1] ** 2))
    assert np.mean(told) == pytest.approx(np.mean(real), abs=0.05)


def test_what_is_needed_follows_the_prophecy_formula() -> None:
    panel, _ = simulate(60, 2.0, 3)
    ratings, repeats = panel.league.ratings, find_repeats(panel.votes())
    about: dict[str, Any] = {"items": 12, "passes": 0, "repeats": repeats, "first": False}
    sign = look_for_end(ratings, wished=0.95, **about)
    r = sign.reliability
    assert sign.needed == math.ceil(sign.votes * (0.95 / 0.05 * (1 - r) / r - 1))
    assert look_for_end(ratings, wished=0.1, **about).needed == 0


def test_repeats_say_how_alike_a_judge_decides() -> None:
    votes = [
        Ballot("1.1", "Ann", "a", "b", 2.0),
        Ballot("2.1", "Ann", "a", "c", 1.0),
        Ballot("3.1", "Bea", "a", "b", -3.0),
        Ballot("4.1", "Ann", "b", "a", -1.0),
        Ballot("5.1", "Ann", "c", "a", 1.0),
        Ballot("6.1", "Ann", "c", "b", None),
    ]
    found = find_repeats(votes)
    assert (found.pairs, found.reversed) == (2, 1)
    assert found.noise == pytest.approx(math.sqrt((1 + 4) / 4))
    swapped = [Ballot(it.key, it.judge, it.b, it.a, it.y and -it.y) for it in votes]
    assert find_repeats(swapped) == found
    assert find_repeats([]).to_dict()["noise"] is None


def test_odd_judges_are_named_and_others_are_not() -> None:
    odd = {"Bea": (3.0, 0.0, 1.0), "Cid": (0.7, 1.5, 1.0), "Dan": (0.7, 0.0, -1.0)}
    panel, _ = simulate(250, 0.7, 2, items=14, odd=odd)
    told = {it.judge: it for it in panel.judges(["Zoe"])}
    assert "erratic" in told["Bea"].words or "does not follow the others" in told["Bea"].words
    assert "favours the left" in told["Cid"].words
    assert "decides against the others: perhaps the sides were mixed up" in told["Dan"].words
    assert told["Zoe"].words == ("gave nothing yet",)
    assert not told["Zoe"].strikes
    assert json.dumps([it.to_dict() for it in told.values()])
    named = 0
    for seed in range(2):
        usual, _ = simulate(100, 1.0, seed)
        named += sum(it.strikes for it in usual.judges())
    assert named <= 1  # of 10


# ---------------------------------------------------------------------- commands


def test_a_panel_from_the_shell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = str(tmp_path / "hack.db")
    question = ["--question", "Which project should win?", "--title", "Hackathon"]
    assert run(["league", "panel", "setup", place, str(PROJECTS), *question]) == 0
    assert "listed 6 items" in capsys.readouterr().err
    assert run(["league", "panel", "items", place, "--retire", "Mend", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["items"]) == 5
    invite = ["league", "panel", "invite", place, "Ann", "Bea", "--address", "https://h.example/"]
    assert run([*invite, "--json"]) == 0
    made = json.loads(capsys.readouterr().out)["judges"]
    assert made[0]["link"] == f"https://h.example/j#{made[0]['code']}"
    with League.open(place) as league:
        LeaguePanel(league).vote("Ann", "Night Bus", "Quiet Hours", 2)
        found = Tokens(league.store).find(made[1]["code"])
        assert found is not None
        assert (found.name, found.role) == ("Bea", "judge")
    assert run(["league", "panel", "progress", place]) == 0
    out = capsys.readouterr().out
    assert "too early to say how many comparisons are needed" in out
    assert "too few comparisons to say more" in out
    assert run(["league", "panel", "progress", place, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["votes"] == 1
    assert run(["league", "panel", "invite", str(tmp_path / "none.db"), "Ann"]) != 0
    empty = str(tmp_path / "empty.db")
    League.open(empty).close()
    assert run(["league", "panel", "invite", empty, "Ann"]) == 2
    assert "has no panel; set one up" in capsys.readouterr().err
    assert run(["serve", str(empty), "--panel", "--check"]) == 2


def test_rules_say_what_was_said() -> None:
    rules = PanelRules()
    assert [y for y, _ in rules.choices] == [3, 2, 1, 0, -1, -2, -3]
    assert rules.say(0.0, "a", "b") == "a and b are the same"
    assert PanelRules(scale="slider").say(-4.0, "a", "b") == "b better than a by 4"
    assert PanelRules(scale="slider").read("-9.5") == -9.5
    with pytest.raises(InputError, match="give a number from -10 to 10"):
        PanelRules(scale="slider").read(11)


def test_tickets_are_shared_by_all_who_deal(place: str) -> None:
    with League.open(place) as one, League.open(place, create=False) as other:
        here, there = DealtTickets(one.store), DealtTickets(other.store)
        ticket = Ticket("Ann", "first", "tea", "gin", None, 1.5e9)
        assert here.deal(ticket) == ticket == there.all()["Ann"]
        again = Ticket("Ann", "second", "tea", "milk", "a vote", 1.5e9)
        assert there.deal(again) == ticket
        assert there.deal(again, instead_of="first") == again == here.all()["Ann"]
        same = Ticket("Bob", "third", "milk", "tea", None, 1.5e9)
        assert here.deal(same) is None
        assert here.deal(same, seen={"second"}) == same
        there.close("Ann")
        assert list(here.all()) == ["Bob"]
