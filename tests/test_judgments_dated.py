"""Judgments with dates and topics: built, read, saved, added to, weighed by age, called by name."""

from __future__ import annotations

import io
import re
from pathlib import Path

import numpy as np
import pytest

import qrja
from qrja import InputError, Judgments, QRJAWarning

DAYS = ["2026-03-02", "2026-01-01", "2026-02-01"]


def table(text: str, **options: str) -> qrja.tables.Table:
    return qrja.read_table(io.BytesIO(text.encode()), **options)


def judged() -> Judgments:
    return Judgments.from_arrays("abc", "bca", [3, 1, 2], date=DAYS, topic=["ode", "essay", "ode"])


def test_dated_judgments_are_in_time_order() -> None:
    found = judged()
    assert found.y.tolist() == [1, 2, 3]
    assert [found.names[i] for i in found.a] == ["b", "c", "a"]
    assert [found.topics[i] for i in found.topic] == ["essay", "ode", "ode"]
    assert found.labels[1] == "1, ode, 2026-02-01"
    assert found[:2].date is not None
    assert found[:2].date.tolist() == found.date[:2].tolist()


def test_contrasts_added_to_a_study_have_its_date() -> None:
    days = ["2026-02-01", "2026-01-01", "2026-02-01"]
    study = ["trial", "other", "trial"]
    found = Judgments.from_arrays("axa", "byc", [1, 5, 3], study=study, date=days, topic="tut")
    assert found.m == 4
    dated = zip(found.studies, found.topics, strict=True)
    assert dict(dated) == {"trial": "t", "other": "u"}
    of = {found.studies[k]: str(day)[:10] for k, day in zip(found.study, found.date, strict=True)}
    assert of == {"other": "2026-01-01", "trial": "2026-02-01"}
    again = Judgments.from_arrays("axa", "byc", [1, 5, 3], study=study)
    assert sorted(found.w) == pytest.approx(sorted(again.w))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"date": ["2026-01-01"]}, "date"),
        ({"date": [1, 2, 3]}, "the dates are not all dates: 1 is a number"),
        ({"date": ["2026-01-01", "NaT", "2026-01-02"]}, "row 1: no date; date every judgment"),
        ({"topic": ["ode"]}, "topic"),
        ({"date": DAYS, "se": [1, 2]}, "se"),
    ],
)
def test_wrong_dates_and_topics(given: dict, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Judgments.from_arrays("abc", "bca", [3, 1, 2], **given)


def test_judgments_out_of_time_order_are_refused() -> None:
    plain = Judgments.from_arrays("abc", "bca", [3, 1, 2])
    with pytest.raises(InputError, match=r"not in time order; use Judgments\.from_arrays"):
        Judgments(plain.a, plain.b, plain.y, plain.w, plain.names, date=np.array(DAYS, "M8[s]"))


# ---------------------------------------------------------------------- tables


def test_columns_are_recognised_by_their_headers() -> None:
    found = table(
        "model_a,model_b,verdict,prompt_id,datum\nx,y,A>B,p2,2.2.2026\ny,z,B>A,p1,1.2.2026\n"
    )
    assert found.problem.topics == ("p1", "p2")
    assert [str(day)[:10] for day in found.problem.date] == ["2026-02-01", "2026-02-02"]
    said = " ".join(found.summary.lines())
    assert "date is 'datum'" in said
    assert "topic is 'prompt_id'" in said


def test_columns_are_named_or_refused_by_option() -> None:
    text = "a,b,y,seen,what\nx,y,1,2026-01-02,p\ny,z,2,2026-01-01,q\n"
    found = table(text, date="seen", topic="what").problem
    assert found.y.tolist() == [2, 1]
    plain = table(text.replace("seen", "date").replace("what", "task"), date="", topic="").problem
    assert plain.date is None
    assert plain.topic is None


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("a,b,y,when\nx,y,1,noon\n", "the dates are not used: .*:2: 'noon' is not a date"),
        ("a,b,y,date\nx,y,1,2026-01-01\ny,z,1,\n", "not used: .*:3: no date"),
        ("a,b,y,date\nx,y,1,\n", "the date column is empty: judgments have no order in time"),
        ("a,b,y,task\nx,y,1,t\ny,z,2,\n", "the topic is not used: some rows have none"),
        (
            "a,b,y,task,prompt\nx,y,1,t,u\n",
            "2 columns may be the topic: 'task', 'prompt'; none is used unless named"
            r" \(--topic COLUMN",
        ),
    ],
)
def test_guesses_that_do_not_hold_are_left_alone(text: str, note: str) -> None:
    found = table(text)
    assert found.problem.date is None
    assert found.problem.topic is None
    assert any(re.search(note, line) for line in found.summary.lines())


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("a,b,y,d\nx,y,1,noon\n", {"date": "d"}, ":2: 'noon' is not a date"),
        ("a,b,y,d\nx,y,1,2026-01-01\ny,z,1,\n", {"date": "d"}, ":3: no date; date every row"),
        ("a,b,y,t\nx,y,1,p\ny,z,1,\n", {"topic": "t"}, ":3: no topic; name one in every row"),
    ],
)
def test_named_columns_must_hold(text: str, options: dict, message: str) -> None:
    with pytest.raises(InputError, match=message):
        table(text, **options)


# ---------------------------------------------------------------------- ratings


def test_they_are_saved_and_loaded(tmp_path: Path) -> None:
    ratings = qrja.fit(judged())
    ratings.save(tmp_path / "r.qrja")
    data = qrja.load(tmp_path / "r.qrja").data
    assert data.labels == ratings.data.labels
    assert data.topics == ("ode", "essay")
    assert (data.date == ratings.data.date).all()


def test_a_half_life_weighs_by_date_only() -> None:
    ratings = qrja.fit(judged(), half_life="60 days")
    assert ratings.problem.w.tolist() == pytest.approx([0.5, 2 ** (-29 / 60), 1])
    undated = Judgments.from_arrays("ab", "bc", [1, 2])
    with pytest.raises(InputError, match="half_life is 9, and judgments have no time but that of"):
        qrja.fit(undated, half_life=9)
    with pytest.raises(InputError, match=r"half_life is 9 contests.*give it in days"):
        qrja.fit(judged(), half_life="9 contests")


def test_random_effects_and_a_half_life_do_not_mix() -> None:
    found = Judgments.from_arrays("abca", "bcab", [3, 1, 2, 2], se=[1] * 4, date=[*DAYS, DAYS[0]])
    with pytest.raises(InputError, match="random effects weigh judgments by their errors alone"):
        qrja.fit(found, half_life=9, random_effects="dl")


def test_ratings_of_a_day() -> None:
    past = qrja.fit(judged()).as_of("2026-02-10")
    assert past.data.y.tolist() == [1, 2]
    with pytest.raises(InputError, match="no judgment was made by 2025-01-01"):
        qrja.fit(judged()).as_of("2025-01-01")
    with pytest.raises(InputError, match="as_of needs dates, and these judgments have none"):
        qrja.fit(Judgments.from_arrays("a", "b", [1])).as_of("2026-01-01")


def test_an_update_is_put_in_its_place() -> None:
    more = Judgments.from_arrays("a", "c", [7], date=["2026-01-15"], topic=["haiku"])
    ratings = qrja.fit(judged()).update(more)
    assert ratings.data.y.tolist() == [1, 7, 2, 3]
    assert ratings.data.labels[1] == "1, haiku, 2026-01-15"
    with pytest.raises(InputError, match="only the judgments so far have dates"):
        qrja.fit(judged()).update(Judgments.from_arrays("a", "c", [7], topic=["ode"]))
    with pytest.raises(InputError, match="only the judgments so far have topics"):
        qrja.fit(judged()).update(Judgments.from_arrays("a", "c", [7], date=DAYS[:1]))


def test_a_board_says_when_each_was_last_judged() -> None:
    board = qrja.fit(judged()).table(level=None)
    seen = dict(zip(board["contestant"], map(str, board["last_seen"]), strict=True))
    assert seen == {"a": "2026-03-02", "b": "2026-03-02", "c": "2026-02-01"}


def test_an_explanation_names_topic_and_date() -> None:
    said = str(qrja.fit(judged()).explain("a", "c"))
    assert "judgment 1, ode, 2026-02-01 (" in said


def test_findings_and_judges_name_the_topic() -> None:
    random = np.random.default_rng(0)
    a = random.integers(5, size=60)
    b = (a + random.integers(1, 5, size=60)) % 5
    y = (b - a) + random.normal(0, 0.3, 60)
    y[17] += 30
    topic, judge = [f"t{k}" for k in range(60)], ["Ann", "Bea", "Cid"] * 20
    ratings = qrja.fit(Judgments.from_arrays(a, b, y, topic=topic, judge=judge))
    assert "(row 17, t17)" in str(ratings.trust())
    assert any("(t17)" in (line.surprise or "") for line in ratings.judges().lines)


def test_scores_with_errors_keep_their_dates() -> None:
    text = "race,runner,score,se,date\nA,x,3,1,2026-01-02\nA,y,1,1,2026-01-02\n"
    found = table(text).problem
    assert [str(day)[:10] for day in found.date] == ["2026-01-02"]


def test_reading_judgments_warns_of_nothing_else(recwarn: pytest.WarningsRecorder) -> None:
    qrja.read_judgments(io.BytesIO(b"a,b,y,date,topic\nx,y,1,2026-01-01,t\n"))
    assert not [one for one in recwarn if issubclass(one.category, QRJAWarning)]
