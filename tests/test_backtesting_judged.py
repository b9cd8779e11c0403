"""Back-tests of judgments against plain loops of fits, and as a user meets them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

import qrja
from qrja import Contest, InputError, Judgments, QRJAError
from qrja.backtesting import JUDGED
from qrja.backtesting.judged_tasks import learn_all
from qrja.cli import run
from qrja.folds import deal
from qrja.rankers import RANKERS, Batched, make_ranker
from qrja.rankers.roster import KINDS
from reference.folds import cross_validate, rate_by_power, win_likelihood
from reference.rankers import elo_ratings
from test_folds import days, groups, made

POWERS = {"qrja-l1": 1.0, "qrja-p1.5": 1.5, "qrja-l2": 2.0, "qrja-p3": 3.0}
BY_MARGINS = tuple(POWERS)


def spread(m: int = 150, n: int = 8, noise: float = 1.0, seed: int = 0, **columns) -> Judgments:
    """Judgments that ratings can predict, rounded to grades."""
    random = np.random.default_rng(seed)
    x = np.linspace(2, -2, n)
    a = random.integers(n, size=m)
    b = (a + random.integers(1, n, size=m)) % n
    y = np.round(x[a] - x[b] + noise * random.normal(size=m))
    return Judgments.from_arrays([f"m{i}" for i in a], [f"m{i}" for i in b], y, **columns)


# ---------------------------------------------------------------------- against twins


@pytest.mark.parametrize("columns", [{}, {"topic": groups(150, 20)}, {"date": days(150, 12)}])
def test_losses_are_those_of_a_plain_loop_of_fits(columns: dict) -> None:
    judged = spread(**columns)
    result = qrja.backtest(judged, BY_MARGINS, resamples=10)
    folds = deal(judged)
    for name, p in POWERS.items():
        expected = cross_validate(judged, folds, rate_by_power(p))
        found = result.runs[name].total
        assert (found.ordered, found.margins) == (expected.ordered, expected.margins)
        assert found.right == pytest.approx(expected.right, abs=0.5)
        assert found.margin_l1 == pytest.approx(expected.margin_l1, rel=1e-5)
        assert found.margin_l2 == pytest.approx(expected.margin_l2, rel=1e-5)


def test_bradley_terry_has_the_maximum_of_scipy_with_half_ties() -> None:
    judged = made(40, 5)
    ranker = make_ranker("bradley-terry")
    learn_all(ranker, judged)
    twin = minimize(lambda theta: -win_likelihood(judged, 0.1, theta), np.zeros(judged.n)).x
    np.testing.assert_allclose(ranker.scores(np.arange(judged.n)), twin, atol=1e-4)


def test_wins_do_not_count_by_the_precision_of_their_margins() -> None:
    plain, precise = make_ranker("bradley-terry"), make_ranker("bradley-terry")
    learn_all(plain, Judgments.from_arrays("aab", "bcc", [1, 2, -1]))
    learn_all(precise, Judgments.from_arrays("aab", "bcc", [1, 2, -1], se=[0.01, 5, 0.1]))
    np.testing.assert_allclose(plain.scores(np.arange(3)), precise.scores(np.arange(3)))


JUDGING = tuple(name for kind in KINDS if kind.judged for name in kind.listed)


@pytest.mark.parametrize("name", JUDGING)
def test_all_at_once_is_one_by_one(name: str) -> None:
    judged = made(40, 6)
    at_once, each = make_ranker(name), make_ranker(name)
    learn_all(at_once, judged)
    for row in range(judged.m):
        both = slice(2 * row, 2 * row + 2)
        each.learn(Contest(row, judged.who[both], judged.score[both]))
    who = np.arange(judged.n + 1)
    found, expected = at_once.scores(who), each.scores(who)
    np.testing.assert_allclose(found, expected, atol=1e-4 if name == "qrja-huber" else 1e-6)


def test_elo_plays_judgments_in_their_order() -> None:
    judged = made(40, 6)
    ranker = make_ranker("elo")
    learn_all(ranker, judged)
    twin = elo_ratings(
        [
            Contest(k, judged.who[2 * k : 2 * k + 2], judged.score[2 * k : 2 * k + 2])
            for k in range(40)
        ],
        32,
    )
    np.testing.assert_allclose(ranker.scores(np.arange(6)), [twin[i] for i in range(6)])


def test_the_roster_knows_who_learns_judgments() -> None:
    for kind in KINDS:
        if kind.module != "openskill":
            assert hasattr(kind.load(), "learn_all") == kind.judged, kind.maker
    assert set(JUDGED) - {"qrja-p3"} <= set(RANKERS)
    assert isinstance(make_ranker("qrja-l2"), Batched)


# ---------------------------------------------------------------------- invariances


@settings(max_examples=5)
@given(st.integers(0, 99))
def test_rows_in_another_order_or_the_other_way_round_say_the_same(seed: int) -> None:
    judged = spread(60, 5, seed=seed)
    random = np.random.default_rng(seed)
    order, swapped = random.permutation(60), random.random(60) < 0.5
    a, b = (np.array(judged.names, object)[side] for side in (judged.a, judged.b))
    other = Judgments.from_arrays(
        np.where(swapped, b, a)[order],
        np.where(swapped, a, b)[order],
        np.where(swapped, -judged.y, judged.y)[order],
    )
    names = ("qrja-l2", "bradley-terry", "mean-margin")
    one, two = (qrja.backtest(each, names, resamples=20) for each in (judged, other))
    for name in names:
        assert one.runs[name].total.right == two.runs[name].total.right
        error = one.standard_error(name, "ordinal_accuracy")
        assert error == pytest.approx(two.standard_error(name, "ordinal_accuracy"))
    assert one.relative("qrja-l2", "quantitative_l2") == pytest.approx(
        two.relative("qrja-l2", "quantitative_l2")
    )


# ---------------------------------------------------------------------- what is said


def test_what_is_asked_unless_named_depends_on_dates() -> None:
    assert tuple(qrja.backtest(spread(60), resamples=10).runs) == JUDGED
    dated = qrja.backtest(spread(60, date=days(60, 12)), resamples=10)
    assert tuple(dated.runs) == (*JUDGED, "elo")
    assert repr(dated).startswith("Backtest(rules='fair', judgments=55, split='date', rankers=")


def test_wild_margins_name_the_p_to_type() -> None:
    result = qrja.backtest(wild())
    told = " ".join(result.sentences())
    assert "qrja rank FILE --p 1" in told
    assert result.to_dict()["verdict"]["option"] or result.to_dict()["margin_advice"]


def test_bradley_terry_stands_beside_with_an_interval() -> None:
    result = qrja.backtest(spread(300, noise=2.0, topic=groups(300, 60)))
    assert result.rivalry.startswith("bradley-terry is ") or "puts as many pairs" in result.rivalry
    found = next(it for it in result.differences() if {it.a, it.b} == {"qrja-l2", "bradley-terry"})
    assert found.low <= found.difference <= found.high
    told = result.to_dict()
    assert (told["split"], told["folds"], told["judgments"], told["units"]) == ("topic", 5, 300, 60)
    assert told["resampled"] == "topic"
    assert "contests" not in told


def test_wins_without_margins_name_what_goes_by_wins() -> None:
    judged = spread(300, noise=2.0)
    y = judged.y * np.where(np.random.default_rng(0).random(300) < 0.05, 1e4, 1.0)
    huge = Judgments(judged.a, judged.b, y, judged.w, judged.names)
    result = qrja.backtest(huge, ["qrja-l2", "bradley-terry"])
    assert result.verdict.best == "bradley-terry"
    assert "make_ranker('bradley-terry') of qrja.rankers goes by wins" in result.verdict.advice
    assert "bradley-terry is ahead of qrja-l2 by" in result.rivalry


def test_too_little_and_nothing() -> None:
    few = Judgments.from_arrays("abcd", "bcda", [1, 1, 1, 1], study=list("ttuu"))
    assert "Too little to tell: only " in qrja.backtest(few, "qrja-l2").verdict.sentence
    ties = Judgments.from_arrays("abc", "bca", [0, 0, 0])
    assert qrja.backtest(ties, "qrja-l2").verdict.sentence.startswith(
        "Nothing could be predicted: no judgment that is no tie"
    )


def test_a_ranker_of_your_own_is_told_judgments_one_by_one() -> None:
    class Own:
        quantitative = False

        def __init__(self) -> None:
            self.wins = np.zeros(8)

        def learn(self, contest: Contest) -> None:
            self.wins[contest.who] += np.sign(contest.score)

        def scores(self, who: np.ndarray) -> np.ndarray:
            return self.wins[who]

    result = qrja.backtest(spread(), {"own": Own})
    assert result.value("own", "ordinal_accuracy") > 0.7

    class Silent(Own):
        def scores(self, who: np.ndarray) -> np.ndarray:
            return np.full(len(who), np.nan)

    with pytest.raises(QRJAError, match="ranker 'silent' predicts nan for 'm"):
        qrja.backtest(spread(), {"silent": Silent})
    with pytest.raises(InputError, match="ranker 'own' is a object without 'learn'"):
        qrja.backtest(spread(), {"own": object})


def test_a_run_continues_from_its_journal(tmp_path: Path) -> None:
    judged = spread()
    whole = qrja.backtest(judged, "qrja-l2", checkpoint=tmp_path)
    journal = tmp_path / "qrja-l2.jsonl"
    lines = journal.read_text().splitlines(keepends=True)
    assert len(lines) == 6
    journal.write_text("".join(lines[:3]))
    again = qrja.backtest(judged, "qrja-l2", checkpoint=tmp_path)
    assert again.runs["qrja-l2"].sums == whole.runs["qrja-l2"].sums
    other = qrja.backtest(judged, "qrja-l2", checkpoint=tmp_path, seed=1)
    assert other.runs["qrja-l2"].sums != whole.runs["qrja-l2"].sums


# ---------------------------------------------------------------------- p = auto


def wild() -> Judgments:
    judged = spread(400, noise=0.3)
    y = judged.y.copy()
    y[::17] *= -15
    return Judgments(judged.a, judged.b, y, judged.w, judged.names)


def test_p_is_chosen_as_a_plain_loop_of_fits_would() -> None:
    for judged in (spread(), wild()):
        folds = deal(judged)
        sums = {p: cross_validate(judged, folds, rate_by_power(p)) for p in POWERS.values()}
        best = min(sums, key=lambda p: sums[p].margin_l1 * sums[p].margin_l2 ** 0.5)
        found = qrja.fit(judged, p="auto")
        assert found.model.p == best
        assert str(found.choice).startswith(f"p = {best:g} predicts best of 2, 1.5, 1 and 3.")
        exact = qrja.fit(judged, p=best)
        np.testing.assert_allclose(found.solution.x, exact.solution.x, atol=1e-6)


def test_p_may_be_chosen_by_order_and_stays_with_updates(tmp_path: Path) -> None:
    ratings = qrja.fit(wild(), p="auto", objective="order")
    assert ratings.choice.objective == "order"
    assert ratings.model.p < 2
    assert ratings.update(spread(9)).model.p == ratings.model.p
    ratings.save(tmp_path / "r.qrja")
    assert str(qrja.load(tmp_path / "r.qrja").choice) == str(ratings.choice)


def test_p_of_what_nothing_foretells_is_2() -> None:
    ratings = qrja.fit(Judgments.from_arrays("ac", "bd", [1, 2]), p="auto")
    assert ratings.model.p == 2
    assert str(ratings.choice).startswith("Nothing could be predicted, so that p = 2")


# ---------------------------------------------------------------------- in the shell


@pytest.fixture
def verdicts(tmp_path: Path) -> Path:
    judged = spread(200, noise=0.8)
    rows = ["model_a,model_b,verdict,judge,prompt_id"]
    for k, (a, b, y) in enumerate(zip(judged.a, judged.b, judged.y, strict=True)):
        word = {2: "A>>B", 1: "A>B", 0: "A=B", -1: "B>A", -2: "B>>A"}[int(np.clip(y, -2, 2))]
        rows.append(f"{judged.names[a]},{judged.names[b]},{word},j{k % 4},p{k % 40}")
    file = tmp_path / "verdicts.csv"
    file.write_text("\n".join(rows) + "\n")
    return file


def test_the_command_says_how_and_which(verdicts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["backtest", str(verdicts), "-q"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    told = " ".join(out.split())
    assert "Cross-validated by topic in 5 folds: each judgment is predicted from those" in told
    assert "bradley-terry" in told
    assert "A judged tie has no order; a predicted tie earns half a point. Topics are" in told
    assert "Rules" not in told
    assert max(map(len, out.splitlines())) <= 80


def test_the_command_takes_split_folds_seed_and_writes(
    verdicts: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.json"
    command = ["backtest", str(verdicts), "-q", "--rankers", "qrja-l2,qrja-p1.5"]
    command += ["--split", "judge", "--folds", "3", "--seed", "7", "--series", "--json"]
    assert run([*command, "-o", str(out)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["split"], told["folds"], told["units"]) == ("judge", 3, 4)
    assert told["series"]["units"] == ["j0", "j1", "j2", "j3"] or len(told["series"]["units"]) == 4
    assert set(json.loads(out.read_text())["rankers"]) == {"qrja-l2", "qrja-p1.5"}
    assert run(["backtest", str(verdicts), "--rankers", "borda", "-q"]) == 2
    assert "ranker 'borda' is for contests, and these are judgments; choose from qrja-l1" in (
        capsys.readouterr().err
    )


def test_rank_chooses_p_and_says_how(verdicts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rank", str(verdicts), "--p", "auto", "--no-intervals"]) == 0
    err = capsys.readouterr().err
    assert "chosen by how judgments foretell each other: p = " in err
    table = qrja.read_table(str(verdicts))
    assert str(qrja.fit(table, p="auto").choice) in err


def test_saved_ratings_are_back_tested(
    verdicts: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = tmp_path / "r.qrja"
    qrja.fit(str(verdicts)).save(saved)
    assert run(["backtest", str(saved), "-q", "--rankers", "qrja-l2"]) == 0
    assert "Cross-validated by topic" in capsys.readouterr().out
