"""A league: what its log says, who writes it, and ratings that follow it, in either database.

``test_league_postgres.py`` runs the same tests in PostgreSQL.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import qrja
from qrja import ConflictError, Contests, InputError, Judgments, League
from qrja.league import Draft, backup, check, read_backup, restore
from qrja.league.storage import Store
from reference import histories

EXAMPLES = Path(__file__).parent / "examples"
RACES, MORE = EXAMPLES / "races.csv", EXAMPLES / "more.csv"
BOSTON = {"Ann": 3.0, "Bob": 1.0, "Cid": 0.5}


@pytest.fixture
def place(tmp_path: Path) -> str:
    """Where a new league goes."""
    return str(tmp_path / "league.db")


@pytest.fixture
def league(place: str) -> Iterator[League]:
    with League.open(place) as opened:
        yield opened


def board(league: League) -> dict[Any, float]:
    return {row.contestant: row.rating for row in league.ratings.leaderboard()}


def same(one: qrja.Ratings, other: qrja.Ratings) -> None:
    """All that follows from the data is the same, whoever comes first."""
    mine = {row.contestant: row.rating for row in one.leaderboard()}
    theirs = {row.contestant: row.rating for row in other.leaderboard()}
    assert mine == pytest.approx(theirs, abs=1e-9, rel=1e-9)
    assert one.data.labels == other.data.labels
    assert one.units == other.units


# ---------------------------------------------------------------------- adding


def test_files_frames_and_rows_are_one(place: str, tmp_path: Path) -> None:
    frame = pd.read_csv(RACES)
    rows = frame.to_dict("records")
    forms = [RACES, str(RACES), frame, pl.read_csv(RACES), rows, frame.to_dict("list")]
    forms += [qrja.read_table(RACES), qrja.fit(RACES), list(frame.itertuples(index=False))]
    expected = qrja.fit(RACES)
    for form in forms:
        with League.open(":memory:") as league:
            league.add(form)
            same(league.ratings, expected)


def test_results_of_one_race_arrive_one_by_one(league: League) -> None:
    league.add({"race": "Boston", "runner": "Ann", "time": "4:00:00"})
    league.add([{"race": "Boston", "runner": "Bob", "time": "4:10:00"}])
    league.record("Boston", {"Cid": "4:12:00"})
    assert board(league) == pytest.approx({"Ann": 440.0, "Bob": -160.0, "Cid": -280.0})
    assert league.ratings.units.kind == "time"
    assert league.version == 3


def test_results_that_join_need_not_say_its_day_and_judge_again(league: League) -> None:
    league.record("Oslo", {"Ann": 3}, date="2026-05-01", judge="Eve")
    league.record("Oslo", {"Bob": 2}, key="late")
    assert league.record("Oslo", {"Bob": 2}, key="late").number == 2  # sent again, it is the same
    league.add([("Oslo", "Cid", 1)])
    (held,) = league.state.contests.values()
    assert (held.date, held.judge, len(held.results)) == ("2026-05-01T00:00:00", "Eve", 3)
    with pytest.raises(InputError, match="with date 2026-05-01, and now with 2026-05-02; write"):
        league.record("Oslo", {"Dora": 2}, date="2026-05-02")


@pytest.mark.parametrize(
    ("write", "words"),
    [
        (lambda it: it.record("Boston", {"Ann": 2}), "has a result of 'Ann' already; correct it"),
        (lambda it: it.record("Oslo", {}), "contest 'Oslo' has no results; give at least one"),
        (lambda it: it.record("Oslo", {" ": 1}), "the contestant is ' '; give a name"),
        (lambda it: it.record("Oslo", {"x" * 501: 1}), "has 501 letters; give at most 500"),
        (lambda it: it.record("Oslo", {"\ud800": 1}), "the contestant is '\\ud800', which is no"),
        (lambda it: it.record("Oslo", {"Ann": "fast"}), "the score of 'Ann' is 'fast'; give"),
        (lambda it: it.record("Oslo", {"Ann": 1e300}), "the score is 1e+300; give a number of at"),
        (lambda it: it.record("Oslo", {"Ann": 1}, weight=0), "the weight is 0; give a positive"),
        (lambda it: it.record("Oslo", {"Ann": 1}, date="soon"), "the date is 'soon'; write it as"),
        (
            lambda it: it.record("Oslo", {"Ann": 1}, date="2026-01-01"),
            "so far have no dates, and 'Oslo' has one; give every contest a date, or none",
        ),
        (
            lambda it: it.record("Oslo", {"Ann": 1}, judge="Eve"),
            "so far have no judges, and 'Oslo' has one; give every contest a judge",
        ),
        (
            lambda it: it.record("Boston", {"Eve": 1}, weight=2),
            "there with weight 1, and now with 2",
        ),
        (lambda it: it.record("Oslo", [1]), "the results of 'Oslo' are a list; give a mapping"),
        (lambda it: it.judge("Ann", "Bob", 1), "the league holds contests, and these are judg"),
        (lambda it: it.add(RACES), "the scores so far are numbers, higher is better, and these"),
        (lambda it: it.add([(1, 2)]), "row 1 is (1, 2); give a dictionary, or (contest,"),
        (lambda it: it.add([("Oslo", "Ann", "x"), ("Oslo", "Bob", 1)]), "results:1: "),
        (lambda it: it.add(RACES, known="maybe"), "known is 'maybe'; choose one of refuse, skip"),
        (lambda it: it.correct("Bston", "Ann", 2), "no contest 'Bston'; did you mean 'Boston'?"),
        (lambda it: it.correct("Boston", "Anne", 2), "was not in contest 'Boston'; did you mean"),
        (lambda it: it.correct("1.1", score=3), "there is no judgment '1.1'; look at the log"),
        (lambda it: it.correct("1.1"), "judgment '1.1' has no margin; give one, or remove it"),
        (lambda it: it.remove("Zzz"), "there is no contest 'Zzz'; look at the log"),
        (lambda it: it.rename("Bob", "Ann"), "'Ann' is there already; merge 'Bob' into it"),
        (lambda it: it.rename("Bb", "Rob"), "there is no contestant 'Bb'; did you mean 'Bob'?"),
        (lambda it: it.merge("Bob", "Ann"), "both took part in contest 'Boston'; they are two"),
        (lambda it: it.merge("Bob", "Bob"), "'Bob' is 'Bob' already; name two contestants"),
        (lambda it: it.undo(7), "there is no event 7 to undo; the last is 1"),
        (lambda it: it.undo(True), "event is True; give the number of an event"),
        (lambda it: it.entitle(""), "the title is ''; give a name"),
        (lambda it: it.change_model(q=1), "a model has no 'q'"),
        (lambda it: it.change_model(p=-1), "p is -1; give a positive number such as 1"),
        (lambda it: it.change_model(anchors={"Ann": (1, 2)}), "have none to weigh it against"),
        (lambda it: it.write([]), "there is nothing to write; give at least one event"),
        (lambda it: it.record("Oslo", {"Ann": 1}, author="\n"), "the author is '\\n'; give a name"),
        (lambda it: it.record("Oslo", {"Ann": 1}, key="a\x00b"), "use letters that can be seen"),
        (lambda it: it.at(2), "there is no event 2; the last is 1"),
        (lambda it: it.as_of("2026-01-01"), "as_of needs dates, and these contests have none"),
    ],
)
def test_what_is_refused_leaves_no_trace(league: League, write: Any, words: str) -> None:
    league.record("Boston", BOSTON)
    before = league.ratings.solution.x
    with pytest.raises(InputError) as error:
        write(league)
    assert words in str(error.value)
    assert league.version == 1
    np.testing.assert_array_equal(league.ratings.solution.x, before)


def test_all_of_a_write_or_none_of_it(league: League) -> None:
    league.record("Boston", BOSTON)
    with pytest.raises(InputError, match="no contest 'Rome'"):
        league.write([league.correction("Boston", "Ann", 9), league.removal("Rome")])
    assert league.version == 1
    assert league.state.contests["Boston"].results["Ann"] == 3.0


def test_a_file_that_grows(league: League, tmp_path: Path) -> None:
    league.add(RACES)
    grown = tmp_path / "grown.csv"
    grown.write_text(RACES.read_text() + MORE.read_text().partition("\n")[2])
    with pytest.raises(InputError, match="already; correct it"):
        league.add(grown)
    league.add(grown, known="skip")
    same(league.ratings, qrja.fit(grown))
    with pytest.raises(InputError, match="there is nothing to add"):
        league.add(grown, known="skip")


def test_matches_that_nobody_named_stay_apart(league: League) -> None:
    match = [{"home": "A", "away": "B", "home_score": 2, "away_score": 1}]
    league.add(match, key="one")
    league.add(match, key="two")
    assert len(league.state.contests) == 2
    assert league.add(match, key="two").number == 2
    assert len(league.state.contests) == 2


def test_scaled_scores_are_read_as_the_first_were(league: League) -> None:
    table = qrja.read_table(RACES, scale="log")
    league.add(table)
    league.record("Rome", {"Alice": "3:00:00", "Bob": "3:30:00"})
    rows = pd.concat(
        [
            pd.read_csv(RACES),
            pd.DataFrame(
                {"race": "Rome", "runner": ["Alice", "Bob"], "time": ["3:00:00", "3:30:00"]}
            ),
        ]
    )
    same(league.ratings, qrja.fit(rows, scale="log"))
    with pytest.raises(InputError, match="were put on a scale; remove the contest"):
        league.correct("Rome", "Bob", "3:31:00")


def test_judgments_are_given_changed_and_taken_back(league: League) -> None:
    league.judge("gas", "trash", 4, judge="Ann", ratio=True)
    league.judge("gas", "water", 2, judge="Bea")
    league.judge("water", "trash", 9, judge="Bea")
    league.correct("3.1", score=2)
    assert board(league)["gas"] == pytest.approx(np.log(2))
    league.remove("1.1")
    judged = Judgments.from_arrays(
        ["gas", "water"], ["water", "trash"], np.log([2, 2]), judge=["Bea", "Bea"]
    )
    assert board(league) == pytest.approx(
        {row.contestant: row.rating for row in qrja.fit(judged).leaderboard()}
    )
    with pytest.raises(InputError, match="only some judgments have judges"):
        league.judge("gas", "trash", 1)
    with pytest.raises(InputError, match="the ratio is 0; give a positive number"):
        league.judge("gas", "trash", 0, judge="Ann")
    with pytest.raises(InputError, match="'gas' is judged against itself"):
        league.judge("gas", "gas", 1, judge="Ann")


def test_judgments_with_errors_and_studies(league: League) -> None:
    trials = b"a,b,y,se,study\nx,y,1,0.5,one\ny,z,2,0.5,one\nx,z,3,0.5,one\nz,x,-4,1,two\n"
    league.add(io.BytesIO(trials), study="study")
    expected = qrja.fit(io.BytesIO(trials), study="study")
    np.testing.assert_allclose(league.ratings.solution.x, expected.solution.x, atol=1e-12)
    assert league.ratings.statistics() == expected.statistics()
    league.change_model(anchors={"x": (3.0, 0.1)})
    anchored = qrja.fit(io.BytesIO(trials), study="study", anchors={"x": (3.0, 0.1)})
    np.testing.assert_allclose(league.ratings.solution.x, anchored.solution.x, atol=1e-9)
    with pytest.raises(InputError, match="study 'one' is there already"):
        league.add(io.BytesIO(trials), study="study")


def test_dated_judgments_come_in_any_order(league: League) -> None:
    said = [("a", "b", 1, "2026-03-01"), ("b", "c", 2, "2026-01-01"), ("a", "c", 4, "2026-02-01")]
    for a, b, y, date in said:
        league.judge(a, b, y, date=date, topic="taste")
        _ = league.ratings
    league.change_model(half_life="30 days")
    a, b, y, date = zip(*said, strict=True)
    judged = Judgments.from_arrays(a, b, y, date=date, topic=["taste"] * 3)
    same(league.ratings, qrja.fit(judged, half_life="30 days"))
    assert league.as_of("2026-02-01").value.data.m == 2
    with pytest.raises(InputError, match="only some judgments have dates"):
        league.judge("a", "b", 1, topic="taste")


# ---------------------------------------------------------------------- undoing


def test_undoing_is_an_event_and_can_be_undone(league: League) -> None:
    league.record("Boston", BOSTON)
    league.correct("Boston", "Bob", 2.0)
    after = board(league)
    assert league.undo(author="Eve").payload == {"event": 2}
    assert board(league) != after
    league.undo(3)
    assert board(league) == pytest.approx(after, abs=1e-12)
    assert [event.kind for event in league.log()] == ["added", "corrected", "undone", "undone"]
    with pytest.raises(InputError, match="event 3 is undone already, by event 4; undo that one"):
        league.undo(3)


def test_what_others_build_on_is_undone_last(league: League) -> None:
    league.record("Boston", BOSTON)
    league.correct("Boston", "Bob", 2.0)
    with pytest.raises(InputError, match="before event 2, which builds on it: there is no contest"):
        league.undo(1)
    league.undo(2)
    league.undo(1)
    with pytest.raises(InputError, match="the league holds no results yet; add some first"):
        _ = league.ratings
    league.record("Oslo", {"Ann": "1:00", "Bob": "2:00"})  # other units: nothing else is there
    assert board(league) == {"Ann": 30.0, "Bob": -30.0}


def test_a_merger_that_was_wrong_is_split_again(league: League) -> None:
    league.record("Boston", {"Ann": 3, "Bob": 1})
    league.record("Oslo", {"Ann": 3, "Rob": 2})
    league.merge("Rob", "Bob")
    league.record("Rome", {"Ann": 3, "Rob": 0})
    assert set(board(league)) == {"Ann", "Bob"}
    assert league.explain("Ann", "Rob").value.to_dict()["b"] == "Bob"
    league.undo(3)
    assert {one.label: set(one.results) for one in league.state.contests.values()} == {
        "Boston": {"Ann", "Bob"},
        "Oslo": {"Ann", "Rob"},
        "Rome": {"Ann", "Rob"},
    }


def test_a_name_can_be_given_back(league: League) -> None:
    league.record("Boston", {"Ann": 3, "Bob": 1})
    league.rename("Bob", "Robert")
    league.rename("Robert", "Bob")
    league.record("Oslo", {"Ann": 3, "Robert": 1})
    assert set(board(league)) == {"Ann", "Bob"}


# ---------------------------------------------------------------------- ratings


NAMES, RACE = st.sampled_from(["a", "b", "c", "d"]), st.sampled_from(["A", "B", "C"])
RESULTS = st.dictionaries(NAMES, st.integers(-3, 3).map(float), min_size=1, max_size=3)
HAPPENING = st.one_of(
    st.tuples(st.just("record"), RACE, RESULTS),
    st.tuples(st.just("record"), RACE, RESULTS),
    st.tuples(st.just("correct"), RACE, NAMES, st.none() | st.integers(-3, 3).map(float)),
    st.tuples(st.just("remove"), RACE),
    st.tuples(st.just("rename"), NAMES, st.sampled_from("efab")),
    st.tuples(st.just("merge"), NAMES, NAMES),
    st.tuples(st.just("undo"), st.integers(1, 8)),
)


@given(wishes=st.lists(HAPPENING, max_size=12), p=st.sampled_from([2.0, 1.0]), twice=st.booleans())
def test_a_history_leaves_what_a_fit_of_its_rows_gives(
    wishes: list[tuple[Any, ...]], p: float, twice: bool
) -> None:
    """Whatever is refused by the obvious twin is refused by the league, and all else is alike."""
    store = Store.open(":memory:")
    league, other = League(store), League(store)
    history: list[tuple[Any, ...]] = []
    for what, *of in wishes:
        writer = other if twice and len(history) % 2 else league
        try:
            rows = histories.tell([*history, (what, *of)])
        except histories.RefusedError:
            with pytest.raises(InputError):
                getattr(writer, what)(*of)
            continue
        getattr(writer, what)(*of)
        history.append((what, *of))
        if rows:
            _ = writer.ratings
    assert league.version == len(history)
    if not (rows := histories.tell(history)):
        return
    league.change_model(p=p)
    columns = (list(column) for column in zip(*rows, strict=True))
    expected = {
        row.contestant: row.rating
        for row in qrja.fit(Contests.from_arrays(*columns), p=p).leaderboard()
    }
    for rated in (league, other, League(store)):
        if p == 2:
            assert board(rated) == pytest.approx(expected, abs=1e-9)
        assert rated.ratings.solution.objective == pytest.approx(
            qrja.fit(league.ratings.data, p=p).solution.objective, abs=1e-9
        )
        same(rated.ratings, league.ratings)


@pytest.mark.parametrize("dated", [False, True])
@pytest.mark.parametrize(
    "model",
    [
        {},
        {"p": 1, "half_life": "3 contests"},
        {"ridge": 0.5, "prior": {"racer 1": 2.0}, "pairs": "mean"},
        {"anchors": {"racer 9": 7.0}, "loss": qrja.losses.Huber(1.0)},
        {"p": "auto"},
    ],
    ids=str,
)
def test_a_restart_gives_the_same_ratings(
    league: League, place: str, model: dict[str, Any], dated: bool
) -> None:
    made = qrja.datasets.synthetic_races(races=24, entrants=12, field=4, seed=2).contests
    if not dated:
        made = Contests(made.start, made.who, made.score, made.names, made.labels, made.weight)
    league.add(made[:12])
    league.change_model(**model)
    for number in (12, 20, 16):  # some come late
        league.add(made[number : number + 4])
        _ = league.ratings
    first = league.ratings
    with League.open(place, create=False) as again:
        np.testing.assert_allclose(again.ratings.solution.x, first.solution.x, atol=1e-9)
        same(again.ratings, first)
        assert again.ratings.model == first.model
        assert str(again.ratings.choice) == str(first.choice)
    if dated and model.get("p") != "auto" and "anchors" not in model:
        same(first, qrja.fit(made, **model))


def test_answers_say_as_of_which_event_they_are(league: League) -> None:
    league.add(RACES)
    league.add(MORE)
    told = league.board(level=None).to_dict()
    assert told["as_of"] == {"event": 2, "at": league.log()[-1].at}
    assert told["components"][0]["leaderboard"][0]["contestant"] == "Alice"
    assert league.predict(["Alice", "Bob"]).event == 2
    assert league.explain("Alice", "Bob").to_dict()["as_of"]["event"] == 2
    before = league.at(1)
    assert before.event == 1
    same(before.value, qrja.fit(RACES))
    assert repr(league).endswith("event 2, 5 contests)")


def test_ratings_of_a_day(league: League) -> None:
    league.record("Boston", {"Ann": 3, "Bob": 1}, date="2026-01-01")
    league.record("Oslo", {"Ann": 0, "Bob": 1}, date="2026-03-01")
    early = league.as_of("2026-02-01")
    assert early.event == 2
    np.testing.assert_allclose(early.value.solution.x, [1, -1])


def test_a_look_before_it_is_written(league: League) -> None:
    league.add(RACES)
    before = board(league)
    given = league.read(MORE)
    after = league.preview([given, league.correction("Boston", "Bob", "4:10:30")])
    assert league.version == 1
    assert board(league) == before
    league.write([given, league.correction("Boston", "Bob", "4:10:30")])
    same(league.ratings, after)
    with League.open(":memory:") as empty:
        same(empty.preview([empty.read(RACES)]), qrja.fit(RACES))


# ---------------------------------------------------------------------- several writers


def test_a_key_is_written_once(league: League, place: str) -> None:
    first = league.record("Boston", BOSTON, key="form 7")
    with League.open(place) as other:
        assert other.record("Boston", BOSTON, key="form 7") == first
        with pytest.raises(ConflictError, match="'form 7' was used for something else, in event 1"):
            other.record("Oslo", BOSTON, key="form 7")
    assert league.version == 1
    both = [Draft("titled", {"title": "A"}), Draft("titled", {"title": "B"})]
    assert league.write(both, key="x") == league.write(both, key="x")
    assert [event.number for event in league.log()] == [1, 2, 3]


def test_a_conflict_is_a_clear_answer(league: League, place: str) -> None:
    league.record("Boston", BOSTON)
    with League.open(place) as other:
        other.record("Oslo", BOSTON, expected=1)
    with pytest.raises(ConflictError, match="at event 2, and not at 1 as expected; look at what"):
        league.record("Rome", BOSTON, expected=1)
    league.record("Rome", BOSTON, expected=2)
    assert [event.number for event in league.log()] == [1, 2, 3]


def test_many_write_at_once_and_nothing_is_lost(place: str) -> None:
    League.open(place).close()

    def write(who: int) -> None:
        with League.open(place) as mine:
            for k in range(6):
                mine.record(f"race {who} {k}", {f"r{who}": k, "all": 0}, author=f"w{who}")

    threads = [Thread(target=write, args=(who,)) for who in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with League.open(place) as league:
        assert [event.number for event in league.log()] == list(range(1, 25))
        assert len(league.state.contests) == 24
        check(league)


def test_one_league_serves_threads(league: League) -> None:
    league.record("Boston", BOSTON)
    failed: list[Exception] = []

    def work(who: int) -> None:
        try:
            for k in range(5):
                league.record(f"race {who} {k}", {"Ann": k, f"r{who}": 0})
                assert league.board(level=None).event >= 1
        except Exception as error:
            failed.append(error)

    threads = [Thread(target=work, args=(who,)) for who in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    assert league.version == 16
    same(league.ratings, qrja.fit(league.ratings.data))


# ---------------------------------------------------------------------- keeping


def test_another_log_in_its_place_is_noticed(league: League, place: str, tmp_path: Path) -> None:
    league.record("Boston", BOSTON)
    backup(league, tmp_path / "one.jsonl")
    league.record("Oslo", BOSTON)
    _ = league.ratings
    with league.store.writing() as transaction:
        transaction._connection.exec_driver_sql("DELETE FROM qrja_events WHERE number = 2")
    league.record("Rome", {"Ann": 1, "Bob": 5})
    assert list(league.state.contests) == ["Boston", "Rome"]
    same(league.ratings, qrja.fit(league.ratings.data))


def test_a_backup_is_restored_and_checked(league: League, tmp_path: Path) -> None:
    league.add(RACES, author="Ann", key="k")
    league.add(MORE)
    league.undo()
    for name in ("log.jsonl", "log.jsonl.gz"):
        assert backup(league, tmp_path / name) == 3
        with League.open(tmp_path / f"{name}.db") as copy:
            assert restore(tmp_path / name, copy) == 3
            assert copy.log() == league.log()
            same(copy.ratings, league.ratings)
            assert check(copy)[1] == "3 events, none missing, each as it was written"
            with pytest.raises(InputError, match="holds events already"):
                restore(tmp_path / name, copy)


def test_a_damaged_log_is_found_out(league: League, tmp_path: Path) -> None:
    league.record("Boston", BOSTON)
    league.record("Oslo", BOSTON)
    backup(league, path := tmp_path / "log.jsonl")
    lines = path.read_text().splitlines()
    path.write_text("\n".join(lines[:-1]))
    with pytest.raises(InputError, match="holds 1 of 2 events; it was cut"):
        read_backup(path)
    path.write_text("\n".join([lines[0], lines[1].replace("3.0", "9.0"), lines[2]]))
    with pytest.raises(InputError, match="is damaged: event 1 is not as it was written"):
        read_backup(path)
    path.write_text("\n".join([lines[0], lines[2], lines[1]]))
    with pytest.raises(InputError, match="is damaged: event 1 is missing, or another stands"):
        read_backup(path)
    path.write_text("race,runner\n")
    with pytest.raises(InputError, match=r"log.jsonl:1: is no line of a backup"):
        read_backup(path)
    path.write_text("{}\n")
    with pytest.raises(InputError, match="is no backup of a league"):
        read_backup(path)
    with league.store.writing() as transaction:
        sql = "UPDATE qrja_events SET payload = '{}' WHERE number = 1"
        transaction._connection.exec_driver_sql(sql)
    with pytest.raises(InputError, match="event 1 is not as it was written, or one before it"):
        check(league)


def test_what_a_stranger_wrote_is_refused_in_words(league: League) -> None:
    forged: list[tuple[str, dict[str, Any], str]] = [
        ("exploded", {}, "is of the kind 'exploded', which this version does not know"),
        ("added", {}, "units is None, which is no object"),
        ("undone", {"event": 9}, "undoes event 9, which is no earlier one"),
        ("undone", {"event": "x"}, "the event to undo is 'x', which is no whole number"),
        ("modelled", {"model": {}, "pairs": "unit"}, "model has no p"),
        ("titled", {"title": 7}, "the title is 7, which is no text"),
    ]
    from qrja.league import Event

    for kind, payload, words in forged:
        with League.open(":memory:") as other:
            event = Event.after("", 1, Draft(kind, payload), "", "", None)  # type: ignore[arg-type]
            with other.store.writing() as transaction:
                transaction.append([event], "")
            with pytest.raises(InputError) as error:
                _ = other.state
            assert words in str(error.value)


def test_results_and_ratings_leave_as_they_came(league: League, tmp_path: Path) -> None:
    league.add(RACES)
    league.export(tmp_path / "out.csv")
    league.export(tmp_path / "out.qrja")
    same(qrja.fit(tmp_path / "out.csv"), league.ratings)
    same(qrja.load(tmp_path / "out.qrja"), league.ratings)
    with League.open(":memory:") as again:
        again.add(qrja.load(tmp_path / "out.qrja"))
        same(again.ratings, league.ratings)
    with League.open(":memory:") as empty, pytest.raises(InputError, match="holds no results yet"):
        empty.export(tmp_path / "none.csv")


def test_judgments_leave_as_they_came(league: League, tmp_path: Path) -> None:
    league.judge("gas", "trash", 4, judge="Ann", ratio=True)
    league.judge("gas", "water", 3, judge="Bea")
    columns = league.export()
    assert columns["ratio"] == pytest.approx([4, 3])
    league.export(tmp_path / "out.csv")
    again = qrja.fit(tmp_path / "out.csv")
    np.testing.assert_allclose(again.solution.x, league.ratings.solution.x)


def test_hostile_names_are_names(league: League, tmp_path: Path) -> None:
    hostile = [
        "'; DROP TABLE qrja_events; --",
        "\x1b[2J",
        "a\x00b",
        "=1+1",
        "%s",
        "名前\u202e",
        "{}",
    ]
    league.record("{label}", {name: float(k) for k, name in enumerate(hostile)}, key="% ' \"")
    assert set(league.ratings.problem.names) == set(hostile)
    backup(league, tmp_path / "log.jsonl")
    with League.open(":memory:") as copy:
        restore(tmp_path / "log.jsonl", copy)
        assert json.dumps([event.to_dict() for event in copy.log()]) == json.dumps(
            [event.to_dict() for event in league.log()]
        )


# ---------------------------------------------------------------------- home, and other covariates

CUP = b"""date,home,away,home_score,away_score,neutral
2026-01-01,Leeds,Derby,5,2,0
2026-01-02,Derby,Stoke,3,2,no
2026-01-03,Stoke,Leeds,4,3,0
2026-01-04,Leeds,Stoke,6,1,1
2026-01-05,Stoke,Derby,2,2,0
"""


def rate_anew(games: dict[str, tuple[dict[str, float], str | None]]) -> qrja.Ratings:
    """Rate results, and who was at home, from the beginning and without a league."""
    rows = [
        (label, who, it, who == home)
        for label, (told, home) in games.items()
        for who, it in told.items()
    ]
    label, who, score, home = zip(*rows, strict=True)
    known = {"home": [float(it) for it in home]}
    contests = Contests.from_arrays(label, who, score, covariates=known)
    return qrja.fit(contests, covariates=["home"])


def test_a_league_knows_who_is_at_home(league: League, tmp_path: Path) -> None:
    league.change_model(home=True)
    event = league.add(io.BytesIO(CUP))
    first, *_, neutral, _ = event.payload["contests"]
    assert first["covariates"] == {"home": [1.0, 0.0]}
    assert "covariates" not in neutral
    expected = qrja.fit(io.BytesIO(CUP), home=True)
    same(league.ratings, expected)
    league.record("6", {"Derby": 4, "Leeds": 1}, date="2026-02-01", home="Derby")
    league.record("7", {"Stoke": 4, "Derby": 1}, date="2026-02-02")
    more = io.BytesIO(CUP.splitlines()[0] + b"\n2026-02-03,Hull,Leeds,1,2,0\n")
    league.add(more)
    assert league.ratings.terms is not None
    beta = league.ratings.terms.beta
    exported = qrja.read_table(pd.DataFrame(league.export()), covariates=["home"])
    again = qrja.fit(exported, covariates=["home"])
    same(league.ratings, again)
    assert again.terms is not None
    assert beta == pytest.approx(again.terms.beta, abs=1e-9)
    league.export(tmp_path / "cup.qrja")
    saved = qrja.load(tmp_path / "cup.qrja")
    later = saved.update(io.BytesIO(CUP.splitlines()[0] + b"\n2026-03-03,Hull,Leeds,1,2,1\n"))
    assert later.data.covariates[0].values[-2:].tolist() == [0, 0]
    with League.open(":memory:") as other:
        from qrja.league import drafts_of

        other.write(drafts_of(saved))
        same(other.ratings, league.ratings)
        assert other.state.model.terms == league.state.model.terms
    backup(league, tmp_path / "cup.jsonl")
    with League.open(":memory:") as copy:
        restore(tmp_path / "cup.jsonl", copy)
        same(copy.ratings, league.ratings)
    assert league.at(2).value.terms is not None


def test_ratings_with_home_follow_whatever_happens(league: League) -> None:
    rng = np.random.default_rng(5)
    teams = [f"t{k}" for k in range(6)]
    league.change_model(home=True)
    games: dict[str, tuple[dict[str, float], str | None]] = {}
    for k in range(40):
        a, b = rng.choice(teams, 2, replace=False).tolist()
        told = {a: float(rng.integers(6)), b: float(rng.integers(6))}
        home = a if rng.random() < 0.8 else None
        league.record(str(k), told, home=home)
        games[str(k)] = told, home
        if k % 7 == 3:
            wrong = str(int(rng.integers(k)))
            if wrong in games:
                who = next(iter(games[wrong][0]))
                league.correct(wrong, who, 9)
                games[wrong][0][who] = 9.0
        if k % 11 == 5 and str(k - 2) in games:
            league.remove(str(k - 2))
            del games[str(k - 2)]
        if k == 20:
            league.rename(a, "new")
            teams = ["new" if name == a else name for name in teams]
            games = {
                label: (
                    {"new" if who == a else who: it for who, it in told.items()},
                    "new" if home == a else home,
                )
                for label, (told, home) in games.items()
            }
        if k < 12:
            continue
        found, expected = league.ratings, rate_anew(games)
        same(found, expected)
        assert found.terms is not None
        assert expected.terms is not None
        assert found.terms.beta == pytest.approx(expected.terms.beta, abs=1e-9)
    before = board(league)
    league.change_model(p=1, home=True)
    assert league.ratings.solution.check(league.ratings.problem).holds
    league.undo()
    assert board(league) == pytest.approx(before, abs=1e-9)


def test_forecasts_of_a_league_say_who_is_at_home(league: League) -> None:
    league.change_model(home=True)
    league.add(io.BytesIO(CUP))
    league.rename("Leeds", "Leeds United")
    for start in (["Leeds (home)", "Derby"], {"Leeds": {"home": 1}, "Derby": {}}):
        told = league.predict(start).value
        assert told.notes[0].endswith("for Leeds United")
    neutral = league.predict(["Leeds", "Derby"]).value
    assert told.win[0] > neutral.win[0]
    assert [name for name, _ in league.explain("Leeds", "Derby").value.terms] == ["home"]
    assert league.board().value.to_dict()["terms"][0]["term"] == "home"


def test_names_with_brackets_are_names_on_a_start_list(league: League) -> None:
    league.change_model(home=True)
    league.record("1", {"Leeds": 3, "Leeds (women)": 1}, home="Leeds")
    league.record("2", {"Leeds": 1, "Leeds (women)": 0}, home="Leeds (women)")
    for name in ("Leeds United", "Leeds (old)"):
        league.rename("Leeds" if name == "Leeds United" else "Leeds United", name)
        for start in ([name, "Leeds (women)"], ["Leeds (home)", "Leeds (women)"]):
            told = league.predict(start).value
            assert told.names == (name, "Leeds (women)")
            assert told.notes[0].endswith(f"for {name}") == (start[0] == "Leeds (home)")


def test_contests_that_do_not_say_so_have_nobody_at_home(league: League) -> None:
    league.record("1", {"Ann": 3, "Bob": 1})
    league.change_model(home=True)
    assert league.ratings.terms is None  # nothing tells it yet
    league.record("2", {"Ann": 3, "Bob": 1}, home="Ann")
    league.record("3", {"Ann": 2, "Bob": 2}, home="Bob")
    assert league.ratings.terms is not None
    assert league.ratings.data.covariates[0].values.tolist() == [0, 0, 1, 0, 0, 1]


def test_other_covariates_parts_and_contexts_are_kept(league: League) -> None:
    rng = np.random.default_rng(3)
    rows = [
        {
            "race": f"r{race}",
            "horse": f"h{h}",
            "score": h + rng.normal(),
            "jockey": f"j{(h + race) % 4}",
            "draw": at,
        }
        for race in range(20)
        for at, h in enumerate(rng.permutation(6)[:4].tolist())
    ]
    league.change_model(covariates=["draw"], parts=["jockey"])
    league.add(rows)
    frame = pd.DataFrame(rows)
    expected = qrja.fit(frame, covariates=["draw"], parts=["jockey"])
    same(league.ratings, expected)
    known = {"jockey": {"h1": "j0", "h2": "j1"}, "draw": {"h1": 0, "h2": 1}}
    league.record("late", {"h1": 3, "h2": 5}, covariates=known)
    held = league.state.contest("late")
    assert held.covariates == {"jockey": {"h1": "j0", "h2": "j1"}, "draw": {"h1": 0.0, "h2": 1.0}}
    league.correct("late", "h2", None)
    assert league.state.contest("late").covariates["draw"] == {"h1": 0.0}
    league.change_model(per="jockey")
    assert league.ratings.solution.check(league.ratings.problem).holds


@pytest.mark.parametrize(
    ("write", "words"),
    [
        (
            lambda it: it.record("9", {"Leeds": 1, "Derby": 0}, date="2026-03-01", home="Hull"),
            "the home side 'Hull' is none of the results",
        ),
        (
            lambda it: it.record(
                "9", {"Leeds": 1}, date="2026-03-01", covariates={"rest": {"Leeds": 3}}
            ),
            "the contests so far have no covariate 'rest', and '9' has it; give it to every",
        ),
        (
            lambda it: it.record(
                "9", {"Leeds": 1}, date="2026-03-01", covariates={"home": {"Leeds": "yes"}}
            ),
            "the covariate 'home' has been numbers, and is not for '9'; give numbers",
        ),
        (
            lambda it: it.record(
                "9",
                {"Leeds": 1, "Derby": 0},
                date="2026-03-01",
                home="Leeds",
                covariates={"home": {"Derby": 1}},
            ),
            "who is at home is said twice, by home and by covariates; say it once",
        ),
        (
            lambda it: it.change_model(covariates=["rest"]),
            "so far have no covariate 'rest'; remove",
        ),
        (lambda it: it.change_model(home="club"), "home is 'club'; give True"),
        (
            lambda it: it.add([("9", "Leeds", 1, "2026-03-01")]),
            "no column 'home' for the covariate",
        ),
        (
            lambda it: it.write(
                [
                    Draft(
                        "added",
                        {
                            "units": {
                                "kind": "number",
                                "lower_is_better": False,
                                "written": "number",
                            },
                            "contests": [
                                {
                                    "contest": "9",
                                    "results": [["Leeds", 1]],
                                    "date": "2026-03-01",
                                    "covariates": {"home": [1, 0]},
                                }
                            ],
                        },
                    )
                ]
            ),
            "the covariate 'home' is \\[1, 0\\]; give a value for each of the 1 results",
        ),
    ],
)
def test_covariates_that_do_not_fit_are_named(league: League, write: Any, words: str) -> None:
    league.change_model(home=True)
    league.add(io.BytesIO(CUP))
    version = league.version
    with pytest.raises(InputError, match=words):
        write(league)
    assert league.version == version


def test_what_a_covariate_is_of_nobody_is_guessed(league: League) -> None:
    league.change_model(covariates=["rest"])
    with pytest.raises(InputError, match="'rest' is not said of 'Bob'; say it of each entrant"):
        league.record("1", {"Ann": 3, "Bob": 1}, covariates={"rest": {"Ann": 2}})
    with pytest.raises(InputError, match="'rest' is 4; give a mapping from contestants to values"):
        league.record("1", {"Ann": 3, "Bob": 1}, covariates={"rest": 4})  # type: ignore[dict-item]
    league.record("1", {"Ann": 3, "Bob": 1}, covariates={"rest": {"Ann": 2, "Bob": 4}})
    with pytest.raises(InputError, match="'rest' is not said of 'Cid'"):
        league.record("1", {"Cid": 2})
    league.record("1", {"Cid": 2}, covariates={"rest": {"Cid": 7}})
    assert league.state.contest("1").covariates == {"rest": {"Ann": 2, "Bob": 4, "Cid": 7}}


def test_a_league_that_was_emptied_asks_for_no_covariate_of_what_is_gone(league: League) -> None:
    league.record("1", {"Ann": 3, "Bob": 1}, covariates={"rest": {"Ann": 2, "Bob": 4}})
    league.remove("1")
    league.add([("2", "Ann", 1), ("2", "Bob", 2)])
    assert league.ratings.data.covariates == ()


def test_judgments_of_a_league_have_no_covariates(league: League) -> None:
    league.judge("gas", "trash", 3)
    with pytest.raises(InputError, match="judgments of a league have none; leave it out"):
        league.change_model(home=True)
