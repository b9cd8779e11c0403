"""p="auto": the loss, the half-life and the ridge that would have predicted the past best."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import qrja
from qrja import Contests, InputError, Judgments
from qrja.adaptive import Fits
from qrja.cli import run
from qrja.losses import Huber
from qrja.ratings.choice import GRID, choose_model
from qrja.ratings.model import Model


def races(contests: int = 80, noise: float = 1.0, drift: float = 0.0, seed: int = 0) -> Contests:
    random = np.random.default_rng(seed)
    skill = random.normal(scale=4, size=10)
    rows = []
    for c in range(contests):
        field = random.permutation(10)[:5].tolist()
        rows += [(c, f"racer {i}", skill[i] + noise * random.normal()) for i in field]
        skill += drift * random.normal(size=10)
    return Contests.from_arrays(*zip(*rows, strict=True))


def test_form_that_changes_asks_for_a_short_half_life() -> None:
    stays, changes = qrja.fit(races(noise=5), p="auto"), qrja.fit(races(drift=2), p="auto")
    assert stays.model.half_life is None or stays.model.half_life.length >= 50
    assert changes.model.half_life is not None
    assert changes.model.half_life.length == 5
    assert "after 5 contests" in str(changes.choice)


def test_the_ratings_are_those_of_the_model_that_is_told() -> None:
    contests = races(drift=0.3)
    chosen = qrja.fit(contests, p="auto")
    model = chosen.model
    again = qrja.fit(
        contests,
        p=2,
        loss=model.loss,
        ridge=model.ridge,
        half_life=None if model.half_life is None else f"{model.half_life.length} contests",
        pairs="mean",
    )
    np.testing.assert_allclose(again.solution.x, chosen.solution.x, atol=1e-6)
    assert chosen.solution.gap <= 1e-9 * (1 + chosen.solution.objective)
    assert chosen.problem.pairs == "mean"
    assert f"counts as {model.ridge * (1 if model.loss is None else 2):g} results" in str(
        chosen.choice
    )


def test_squares_on_the_way_and_in_the_end_are_one_problem() -> None:
    contests = races(30, drift=0.3).with_pairs("mean")
    fits = Fits(GRID, sweeps=2000)
    for c, contest in enumerate(contests):
        fits.learn(replace(contest, weight=float(contests.pair_weight[c]) * len(contest)))
    for m in (3, 6, 8 * (len(GRID.half_lives) - 1) + 5):
        member = GRID.members[m]
        assert member.huber == math.inf
        half_life = None if member.half_life == math.inf else f"{member.half_life} contests"
        x = qrja.fit(contests, ridge=member.ridge, half_life=half_life).solution.x
        found = fits.predict(np.arange(contests.n))[:, m]
        np.testing.assert_allclose(found, x, atol=1e-5)


def test_everything_works_on_what_was_chosen(tmp_path: Path) -> None:
    ratings = qrja.fit(races(), p="auto", objective="order")
    assert ratings.choice is not None
    assert ratings.choice.objective == "order"
    assert len(ratings.choice.history) == 80
    low, high = ratings.intervals(resamples=30).difference("racer 1", "racer 2")
    assert low < high
    assert 0 < ratings.predict(["racer 1", "racer 2"]).win[0] < 1
    ratings.save(tmp_path / "auto.qrja")
    loaded = qrja.load(tmp_path / "auto.qrja")
    assert str(loaded.choice) == str(ratings.choice)
    assert loaded.model == ratings.model
    assert ratings.remove(3).model == ratings.model


def test_no_choice_looks_ahead() -> None:
    contests = races()
    before = choose_model(contests, Model())[1].history
    score = contests.score.copy()
    score[contests.start[60] :] *= -100
    changed = Contests(
        contests.start, contests.who, score, contests.names, contests.labels, contests.weight
    )
    after = choose_model(changed, Model())[1].history
    assert before[:60] == after[:60]


def test_wild_scores_ask_for_huber() -> None:
    random = np.random.default_rng(5)
    rows = [
        (c, i, 3.0 * i + (random.choice([-300.0, 300.0]) if random.random() < 0.1 else 0.0))
        for c in range(60)
        for i in range(8)
    ]
    ratings = qrja.fit(Contests.from_arrays(*zip(*rows, strict=True)), p="auto")
    assert isinstance(ratings.model.loss, Huber)


def test_what_is_chosen_cannot_be_given() -> None:
    contests = races(5)
    for name, value in ("ridge", 3.0), ("half_life", 5), ("loss", Huber(1)), ("prior", {}):
        with pytest.raises(InputError, match=f"p is 'auto', which chooses the {name} as well"):
            qrja.fit(contests, p="auto", **{name: value})
    with pytest.raises(InputError, match="objective is 'speed'; choose margin or order"):
        qrja.fit(contests, p="auto", objective="speed")
    judged = Judgments.from_arrays(["a"], ["b"], [1.0])
    with pytest.raises(InputError, match="there are fewer than two judgments; nothing predicts"):
        qrja.fit(judged, p="auto")


def test_the_command_line_says_what_was_chosen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "races.csv"
    file.write_text("race,runner,points\nA,Ann,3\nA,Bob,1\nB,Ann,5\nB,Bob,2\n")
    assert run(["rank", str(file), "--p", "auto"]) == 0
    said = capsys.readouterr()
    assert "chosen by the past: " in said.err
    assert "Ann" in said.out
    assert run(["rank", str(file), "--p", "fast"]) == 2
    assert "'fast' is neither a number nor 'auto'." in capsys.readouterr().err
