"""The harness, replayed: what it found before, and a fixed, short part of it.

``make replay`` runs this; ``make fuzz`` looks for more.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

import qrja
from fuzz import corpus, page
from fuzz.corpus import Kept
from fuzz.engine import run
from fuzz.kind import Failure, Kind
from fuzz.kinds import KINDS, solvers
from fuzz.known import KNOWN, UNSTEADY
from fuzz.problems import arguments, problem
from fuzz.problems.exact import exact
from fuzz.problems.optima import best_known
from fuzz.watch import Watch

CORPUS = list(corpus.kept())
SHIFTING = {"solvers"}
"""Kinds whose known failures may turn into others, or none: processors round otherwise."""


@pytest.fixture(scope="module")
def watches() -> Iterator[dict[bool, Watch]]:
    """Two workers: one for kinds that fork, which must stay free of threads, and one for others."""
    with Watch() as plain, Watch() as forking:
        yield {False: plain, True: forking}


@pytest.mark.parametrize("kept", CORPUS, ids=lambda kept: kept.name)
def test_the_corpus(kept: Kept, watches: dict[bool, Watch]) -> None:
    kind = KINDS[kept.kind]
    failure = watches[kind.forks].judge(kind, kept.case)
    if kept.name not in KNOWN:
        assert failure is None
        return
    if kept.kind in SHIFTING:
        assert failure is None or (kept.kind, failure.category) in corpus.known_categories()
        return
    assert failure is not None, f"{kept.name} no longer fails: take it out of fuzz/known.py"
    assert failure.category == kept.category


@pytest.mark.parametrize("name", [name for name, kind in KINDS.items() if kind.ordinary])
def test_nothing_new_in_a_short_part(name: str, watches: dict[bool, Watch]) -> None:
    known, kind = frozenset(corpus.known_categories()), KINDS[name]
    watch = watches[kind.forks]  # to begin one takes as long as some kinds do
    tally = run(kind, seed=0, trials=kind.ordinary, known=known, shrinking=0, watch=watch)
    new = {
        category: found for category, found in tally.failed.items() if (name, category) not in known
    }
    assert not new


def test_every_known_failure_is_there() -> None:
    assert set(KNOWN) <= {it.name for it in CORPUS}
    assert {kind for kind, _ in UNSTEADY} <= set(KINDS)


def test_the_page_shows_the_last_run() -> None:
    text = page.PAGE.read_text(encoding="utf-8")
    assert text == page.written(text, json.loads(page.RESULTS.read_text(encoding="utf-8")))


# ---------------------------------------------------------------------- the harness itself


def _sleep(case: dict[str, object]) -> None:
    raise AssertionError("runs in the worker only")


def test_a_hang_and_a_death_are_noticed() -> None:
    case = {"judgments": [[0, 1, 3.0, 1.0]], "loss": "p=2"}
    with Watch() as watch:
        hasty = replace(KINDS["solvers"], limit=0.0)
        found = watch.judge(hasty, case)
        assert found is not None
        assert found.category == "hangs on p=2"
        nobody = Kind("nobody", "no such kind: the worker dies of it", _sleep)
        found = watch.judge(nobody, case)
        assert found is not None
        assert found.category == "dead process on p=2"
        assert watch.judge(KINDS["solvers"], case) is None


CIRCLE = {"judgments": [[0, 1, 1.0, 1.0], [1, 2, 1.0, 2.0], [2, 0, 1.0, 1.0]], "loss": "p=2"}


@pytest.mark.parametrize(
    ("lie", "category"),
    [
        ({"objective": 5.0}, "objective is not that of x for p = 2"),
        ({"lower_bound": 4.0}, "lower bound above the optimum for p = 2"),
        ({"gap": float("nan")}, "NaN for p = 2"),
        ({"gap": 0.0, "lower_bound": 1.0}, "gap 0 above the bound for p = 2"),
    ],
)
def test_a_lie_is_noticed(
    lie: dict[str, float], category: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = qrja.solve
    monkeypatch.setattr(
        qrja, "solve", lambda *a, **k: replace(honest(*a, **k), **lie), raising=False
    )
    with pytest.raises(Failure) as caught:
        solvers.check(CIRCLE)
    assert caught.value.category == category


@pytest.mark.parametrize("loss", ["p=1", "p=1.5", "p=2", "p=3", "p=inf", "huber=1", "logcosh=1"])
def test_another_solver_finds_the_optimum(loss: str) -> None:
    case = {**CIRCLE, "loss": loss}
    truth, solution = exact(case), qrja.solve(problem(case), **arguments(case))
    best = best_known(truth, [Decimal(0), Decimal("0.1"), Decimal("0.3")])
    assert float(best) == pytest.approx(solution.objective, rel=1e-6)
    proved = truth.bound(solution.flow().tolist(), [Decimal(v) for v in solution.x.tolist()])
    assert float(proved) == pytest.approx(solution.objective, rel=1e-6)


@pytest.mark.parametrize("loss", ["p=0.5", "p=1.1", "p=1.5", "p=3", "p=20", "logcosh=0.01"])
def test_a_glance_sees_what_80_digits_see(loss: str) -> None:
    rows = [[0, 1, 1e-9, 1e9], [1, 2, 1.0, 2.0], [2, 0, -3e5, 1e-9], [1, 0, 0.02, 1.0]]
    truth = exact({"judgments": rows, "loss": loss})
    x = [Decimal(0), Decimal("1.00001"), Decimal("0.97")]
    glance = replace(truth, quick=True)
    assert float(glance.value(x)) == pytest.approx(float(truth.value(x)), rel=1e-12)
    if loss != "p=0.5":
        flow = [0.01, 0.01, 0.01, 0.0]
        assert float(glance.bound(flow, x)) == pytest.approx(float(truth.bound(flow, x)), rel=1e-10)


def test_runs_add_up_and_a_failure_that_comes_again_is_open() -> None:
    run = {"tried": 7, "figures": [], "sorts": {"kill": 3}, "failed": {}}
    again = {**run, "failed": {"half a file": {"count": 1}}}
    old = page.merged({}, {"seed": 1, "kinds": {"signals": again}}, "2026-01-01")
    old["kinds"]["signals"]["failed"]["half a file"]["mended"] = True
    quiet = page.merged(old, {"seed": 2, "kinds": {"signals": run}}, "2026-01-02")["kinds"][
        "signals"
    ]
    assert (quiet["tried"], quiet["sorts"]) == (14, {"kill": 6})
    assert quiet["failed"] == {"half a file": {"count": 1, "mended": True}}
    loud = page.merged(old, {"seed": 3, "kinds": {"signals": again}}, "2026-01-03")["kinds"][
        "signals"
    ]
    assert loud["failed"] == {"half a file": {"count": 2, "mended": False}}
    listed = {"seed": 4, "kinds": {"resources": run}}
    assert page.merged(page.merged({}, listed), listed)["kinds"]["resources"]["tried"] == 7


def test_a_shifted_optimum_is_a_false_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = qrja.solve

    def shifted(*arguments: object, **options: object) -> qrja.Solution:
        solution = honest(*arguments, **options)  # type: ignore[arg-type]
        x = solution.x + np.array([0.1, 0.0, -0.1])
        value = float(exact(CIRCLE).value([Decimal(v) for v in x.tolist()]))
        return replace(solution, x=x, objective=value)

    monkeypatch.setattr(qrja, "solve", shifted, raising=False)
    with pytest.raises(Failure, match="false proof for p = 2"):
        solvers.check(CIRCLE)
