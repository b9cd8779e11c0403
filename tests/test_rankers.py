"""What every ranker keeps to, whatever it computes."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from qrja import Contest, InputError
from qrja.rankers import RANKERS, Ranker, make_ranker
from qrja.rankers.roster import KINDS
from qrja.rules import RULES

NAMES = tuple(RANKERS)
BY_MARGIN = ("qrja-l1", "qrja-l2", "qrja-p1.5", "qrja-huber")
BY_ORDER = (
    *("borda", "kemeny-young", "elo", "glicko"),
    *("openskill", "plackett-luce", "bradley-terry"),
)
ABSOLUTE = ("mean", "median", "zero", "mf-rank1", "mf-rank2", "mf-rank5")


def races(seed: int = 0, contests: int = 8, contestants: int = 9) -> list[Contest]:
    """Return contests whose numbers are in general position: no ties, all connected."""
    random = np.random.default_rng(seed)
    skill = random.normal(scale=5, size=contestants)
    fields = [
        random.permutation(contestants)[: random.integers(4, contestants + 1)].astype(np.int32)
        for _ in range(contests)
    ]
    return [
        Contest(f"race {c}", who, skill[who] + random.normal(size=len(who)) + 3 * c)
        for c, who in enumerate(fields)
    ]


def learned(name: str, contests: list[Contest], rules: str = "fair") -> Ranker:
    ranker = make_ranker(name, rules)
    for contest in contests:
        ranker.learn(contest)
    return ranker


def assert_same(found: np.ndarray, expected: np.ndarray) -> None:
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("name", NAMES)
def test_the_seen_have_scores_and_the_unseen_none(name: str, rules: str) -> None:
    ranker = make_ranker(name, rules)
    assert np.isnan(ranker.scores(np.array([0, 3]))).all()
    first = Contest("May", np.array([5, 2, 9], dtype=np.int32), np.array([3.0, 2.0, 1.0]))
    ranker.learn(first)
    scores = ranker.scores(np.array([9, 1, 2, 5, 77]))
    assert np.isnan(scores).tolist() == [False, True, False, False, True]
    assert len(ranker.scores(np.zeros(0, dtype=np.int32))) == 0


@pytest.mark.parametrize("name", NAMES)
def test_the_winner_of_everything_is_first(name: str) -> None:
    if name == "zero":
        return
    ranker = learned(name, [Contest("a", np.array([0, 1]), np.array([5.0, 1.0]))] * 3)
    first, second = ranker.scores(np.array([0, 1]))
    assert first > second


@pytest.mark.parametrize("name", NAMES)
def test_attributes(name: str) -> None:
    ranker = make_ranker(name)
    assert ranker.name == name
    assert ranker.quantitative == (name not in BY_ORDER)
    assert ranker.absolute == (name in ABSOLUTE)


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("name", NAMES)
def test_answers_depend_on_the_contests_alone(name: str, rules: str) -> None:
    """A run that was interrupted learns again without asking: it must give the same bytes."""
    who = np.arange(9, dtype=np.int32)
    asked = make_ranker(name, rules)
    for contest in races():
        asked.scores(contest.who)
        asked.learn(contest)
    assert asked.scores(who).tobytes() == learned(name, races(), rules).scores(who).tobytes()
    assert asked.scores(who).tobytes() == asked.scores(who).tobytes()


@pytest.mark.parametrize("name", NAMES)
def test_numbers_of_contestants_are_only_names(name: str) -> None:
    renamed = np.random.default_rng(1).permutation(40)[:9].astype(np.int32)
    moved = [replace(contest, who=renamed[contest.who]) for contest in races()]
    who = np.arange(9, dtype=np.int32)
    found = learned(name, moved).scores(renamed[who])
    assert_same(found, learned(name, races()).scores(who))


@pytest.mark.parametrize("name", NAMES)
def test_listing_order_does_not_matter_under_fair_rules(name: str) -> None:
    turned = [replace(it, who=it.who[::-1], score=it.score[::-1]) for it in races()]
    who = np.arange(9, dtype=np.int32)
    assert_same(learned(name, turned).scores(who), learned(name, races()).scores(who))


@pytest.mark.parametrize("name", [*BY_MARGIN, *BY_ORDER])
def test_how_hard_a_contest_was_does_not_matter(name: str) -> None:
    shifted = [replace(it, score=it.score + 1000 * c) for c, it in enumerate(races())]
    who = np.arange(9, dtype=np.int32)
    assert_same(learned(name, shifted).scores(who), learned(name, races()).scores(who))


@pytest.mark.parametrize("name", [name for name in NAMES if name not in BY_ORDER])
def test_scores_are_in_the_units_of_the_scores(name: str) -> None:
    scaled = [replace(it, score=it.score * 60) for it in races()]
    who = np.arange(9, dtype=np.int32)
    assert_same(learned(name, scaled).scores(who) / 60, learned(name, races()).scores(who))


@pytest.mark.parametrize("name", BY_ORDER)
def test_rankers_by_order_ignore_by_how_much(name: str) -> None:
    stretched = [replace(it, score=np.exp(it.score / 10)) for it in races()]
    who = np.arange(9, dtype=np.int32)
    assert_same(learned(name, stretched).scores(who), learned(name, races()).scores(who))


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("name", NAMES)
def test_contests_of_nobody_and_of_one(name: str, rules: str) -> None:
    nobody = Contest("cancelled", np.zeros(0, dtype=np.int32), np.zeros(0))
    alone = Contest("alone", np.array([4], dtype=np.int32), np.array([7.0]))
    ranker = learned(name, [nobody, alone, nobody], rules)
    assert np.isfinite(ranker.scores(np.array([4, 5]))).tolist() == [True, False]


@pytest.mark.parametrize("name", [name for name in NAMES if name != "qrja-l1"])
def test_a_contestant_listed_twice(name: str) -> None:
    shared = Contest("a shared car", np.array([0, 1, 0, 2]), np.array([4.0, 3.0, 2.0, 1.0]))
    scores = learned(name, [shared, *races()], "paper").scores(np.arange(9, dtype=np.int32))
    assert np.isfinite(scores).all()


@pytest.mark.parametrize(
    "name", ["qrja-p3", "qrja-p.5", "qrja-pinf", "mf-rank3", "mf-rank1-converged"]
)
def test_families_of_names(name: str) -> None:
    ranker = learned(name, races())
    assert ranker.name == name.replace("p.5", "p0.5")
    assert np.isfinite(ranker.scores(np.arange(9, dtype=np.int32))).all()


def test_every_name_stands_once() -> None:
    for name in RANKERS:
        assert sum(kind.match(name) is not None for kind in KINDS) == 1
        assert make_ranker(name).name == name
    assert make_ranker("qrja-p2").name == "qrja-l2"
    for name in ("qrja-p1", "qrja-p01.00"):
        assert make_ranker(name).name == "qrja-l1"
    assert make_ranker("qrja-p10").name == "qrja-p10"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("kemeny", "no ranker is called 'kemeny'; did you mean 'kemeny-young'?"),
        ("qrja-l3", "no ranker is called 'qrja-l3'; did you mean 'qrja-l2'?"),
        ("xyzzy", "no ranker is called 'xyzzy'; choose from qrja-l1, qrja-l2"),
        ("qrja-p0", "p is 0.0; give a positive number such as 1.5 or 2"),
        ("mf-rank0", "the rank is 0; give 1 or more"),
    ],
)
def test_a_wrong_name_is_told(name: str, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        make_ranker(name)


def test_wrong_rules_are_told() -> None:
    with pytest.raises(InputError, match="the rules are 'fare'; choose fair or paper"):
        make_ranker("mean", "fare")
