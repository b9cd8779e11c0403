"""A kernel gives the same interpreted and compiled; small work does not wait for the compiler."""

from __future__ import annotations

import copy
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import qrja
from qrja.__main__ import LITTLE, spare_threads
from qrja.adaptive.kernels import members, record
from qrja.adaptive.tracking.kernels import trackers
from qrja.jit import compiled, interpreter, kernel, which_way
from qrja.jit.interpreter import interpret
from qrja.jit.which_way import Kernel
from qrja.laplacian.network.kernels import arcs, forests, rows
from qrja.rankers import make_ranker
from qrja.solvers.convex.kernels import power
from qrja.solvers.l1 import records
from qrja.solvers.l1.kernels import face, pairs

SPOT = np.dtype([("x", "i8"), ("y", "f8")])

MATCHES = """match,team,goals
1,Ajax,3
1,Bern,1
2,Bern,2
2,Cork,2
3,Cork,0
3,Ajax,2
"""


@kernel
def swap_and_add(spots: Any, numbers: Any, factor: Any) -> Any:
    """Copy a record, change a field, add up: what kernels do with arrays."""
    spots[0] = spots[1]
    spots[1].x += np.int64(factor)
    for k in range(numbers.size):
        numbers[k] *= factor
    return spots[0].x + spots[1].x


@compiled
def doubled(numbers: Any) -> Any:
    """Make an array."""
    return 2 * numbers


def random_contests(seed: int) -> qrja.Contests:
    rng = np.random.default_rng(seed)
    who = np.concatenate([rng.permutation(12)[:5] for _ in range(15)])
    return qrja.Contests.from_arrays(np.repeat(np.arange(15), 5), who, rng.integers(0, 30, 75))


def test_records_are_copied_and_fields_shared_as_in_arrays() -> None:
    answers = []
    for run in (swap_and_add.machine, lambda *given: interpret(swap_and_add, given)):  # type: ignore[attr-defined]
        spots, numbers = np.array([(1, 0.5), (2, 1.5)], SPOT), np.array([1.0, 2.0, 3.0])
        answers.append((run(spots, numbers, 10), spots.tolist(), numbers.tolist()))
    assert answers[0] == answers[1] == (14, [(2, 1.5), (12, 1.5)], [10.0, 20.0, 30.0])


def test_what_may_not_be_written_is_only_read() -> None:
    numbers = np.arange(3.0)
    numbers.flags.writeable = False
    assert interpret(doubled, (numbers,)).tolist() == [0.0, 2.0, 4.0]  # type: ignore[arg-type]


@pytest.mark.parametrize("p", [1, 1.5, 3, np.inf, 0.5])
@pytest.mark.parametrize("explicit", [False, True])
def test_solutions_are_the_same_to_the_last_digit(
    p: float, explicit: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem: Any = random_contests(4).to_judgments() if explicit else random_contests(4)
    expected = qrja.solve(problem, p)
    monkeypatch.setattr(which_way, "WISH", "never")
    found = qrja.solve(problem, p)
    assert np.array_equal(found.x, expected.x)
    assert (found.objective, found.lower_bound) == (expected.objective, expected.lower_bound)
    assert found.status == expected.status


@pytest.mark.parametrize("name", ["qrja-auto", "plackett-luce"])
def test_rankers_learn_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    told = []
    for wish in ("never", "always"):
        monkeypatch.setattr(which_way, "WISH", wish)
        ranker = make_ranker(name)
        for contest in random_contests(5):
            ranker.learn(contest)
        told.append(np.asarray(ranker.scores(np.arange(12))))
    np.testing.assert_allclose(told[0], told[1], rtol=1e-12, atol=1e-12)


class TestTheWayOfACall:
    """Interpreted while that is less waiting, then compiled."""

    @pytest.fixture(autouse=True)
    def undecided(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(which_way, "WISH", None)
        monkeypatch.setattr(Kernel, "spent_by_all", 0.0)
        monkeypatch.setattr(Kernel, "has_compiler", False)

    def test_small_work_is_interpreted(self) -> None:
        fresh = Kernel(doubled.function, {})  # type: ignore[attr-defined]
        assert fresh(np.arange(3)).tolist() == [0, 2, 4]
        assert not fresh.is_awake

    def test_large_work_is_compiled(self) -> None:
        fresh = Kernel(doubled.function, {})  # type: ignore[attr-defined]
        assert len(fresh(np.zeros(which_way.SMALL + 1))) == which_way.SMALL + 1
        assert fresh.is_awake

    def test_much_small_work_is_compiled_in_the_end(self) -> None:
        fresh = Kernel(doubled.function, {})  # type: ignore[attr-defined]
        fresh.spent = which_way.COMPILING
        Kernel.spent_by_all = which_way.LOADING
        fresh(np.arange(3))
        assert fresh.is_awake

    def test_what_is_kept_is_loaded_sooner_beside_others(self) -> None:
        fresh = Kernel(doubled.function, {})  # type: ignore[attr-defined]
        fresh.spent, fresh.is_kept = which_way.LOADING_ONE, True
        fresh(np.arange(3))
        assert not fresh.is_awake
        Kernel.has_compiler = True
        fresh(np.arange(3))
        assert fresh.is_awake


@pytest.mark.parametrize("p", ["1", "1.5", "inf"])
def test_a_small_file_is_ranked_without_the_compiler(p: str, tmp_path: Path) -> None:
    (tmp_path / "matches.csv").write_text(MATCHES, "utf-8")
    code = (
        "import sys; from qrja.__main__ import main\n"
        f"sys.argv[1:] = ['rank', 'matches.csv', '--p', '{p}', '--json']\n"
        "try: main()\n"
        "finally: assert 'numba' not in sys.modules, 'the compiler was loaded'"
    )
    usual = {k: v for k, v in os.environ.items() if k not in ("QRJA_COMPILE", "QRJA_QUIET")}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=usual, capture_output=True, text=True
    )
    assert "Ajax" in done.stdout
    assert "compil" not in done.stderr
    assert done.returncode == 0, done.stderr


def _adaptive_passes(rng: np.random.Generator) -> dict[str, tuple[Any, tuple[Any, ...]]]:
    """Return the kernels of the many fits side by side: ten contests, the first left out."""
    start = np.concatenate([[0], np.cumsum(rng.integers(2, 7, 10))])
    who = np.concatenate([rng.permutation(9)[:size] for size in np.diff(start)])
    who[-1] = 9  # whose only contest is the last
    ordinal = np.array([(who[:e] == i).sum() for e, i in enumerate(who)])
    count = np.bincount(who, minlength=10)
    readings, lives = 2, 3
    g = rng.standard_normal((readings, len(who)))
    lanes = np.repeat(np.arange(readings), 3)
    field, zero = rng.uniform(0, 1, (2, len(lanes)))
    x = rng.standard_normal((lives, 10, len(lanes)))
    t = rng.standard_normal((lives, 10, len(lanes)))
    rates, fading = np.array([[0.0, 0.0], [0.1, 0.0], [0.0, 2.0]]), rng.uniform(0, 1, (lives, 4))
    past = (start, who, ordinal, count, np.ones(10), np.arange(10.0), rates, fading)
    pulls, robust = (field, zero), np.where(lanes == 0, np.inf, 0.7)
    y, q = rng.integers(0, 4, 30).astype(float), rng.integers(0, 9, (30, 12)).astype(float)
    large = rng.standard_normal(record.FEW + 31)
    lack, doubts, steeps = rng.uniform(0, 1, 30), np.array([0.0, 1.5]), np.array([0.5, 1.0, 4.0])
    scales, losses, right = np.array([0.5, 1.0]), np.zeros((2, 12)), np.zeros(12)
    newest = (start, who, ordinal, g, lanes, *pulls, x.copy(), t.copy())

    def refit(delta: Any) -> tuple[Any, ...]:
        first = np.zeros(lives, dtype=np.int64)
        return (*past, first, g, lanes, delta, *pulls, x.copy(), t.copy(), 100.0, 3)

    start_of, where = np.array([0, 2, 3, 5]), np.array([0, 4, 1, 2, 4])
    square, U = rng.standard_normal((2, 6, 6)), rng.standard_normal((2, 3, 6))
    P, h = square @ square.transpose(0, 2, 1) + 40 * np.eye(6), np.array([1, 0.6, 1, 1, -0.6])
    states, came = rng.standard_normal((2, 6, 3)), rng.standard_normal((3, 3))
    chances = (y, y + lack, lack, doubts, steeps, np.zeros((2, 3)))
    far = (large, -large, large**2, doubts, steeps, np.zeros((2, 3)))
    steps = np.array([[0.5, 1.0], [1.0, 1.0]])
    return {
        "take_off": (trackers.take_off, (P.copy(), np.concatenate([U, U], axis=1), 5, 5)),
        "learn_exactly": (
            trackers.learn_exactly,
            (P, U, 2, states, 6, start_of, where, h, came, 0.7),
        ),
        "welcome": (members.welcome, newest),
        "refit": (members.refit, refit(np.full(len(lanes), np.inf))),
        "refit_huber": (members.refit, refit(robust)),
        "count_right": (record.count_right, (y, q, right)),
        "count_right_of_many": (record.count_right, (large, large[:, None] ** 2, np.zeros(1))),
        "add_losses": (record.add_losses, (y, q, scales, losses)),
        "add_losses_of_two": (record.add_losses, (y[:2], q[:2], scales, losses.copy())),
        "add_briers": (record.add_briers, (y, q, 0.15, np.zeros((6, 12)))),
        "add_briers_of_many": (record.add_briers, (large, large[:, None], 0.15, np.zeros((6, 1)))),
        "add_surprises": (record.add_surprises, chances),
        "add_surprises_of_many": (record.add_surprises, far),
        "add_products": (record.add_products, (lack, np.zeros((30, 30)))),
        "move": (trackers.move, (P, U, 2, states, 5, np.array([3, 0]), steps, steps**2)),
    }


def _passes() -> dict[str, tuple[Any, tuple[Any, ...]]]:
    """Return kernels with a form in arrays, and arguments for each."""
    rng = np.random.default_rng(0)
    n, m = 40, 900
    a = rng.integers(0, n, m).astype(np.int32)
    b = ((a + rng.integers(1, n, m)) % n).astype(np.int32)
    y, x, rest, flow = (rng.standard_normal(size) for size in (m, n, n, m))
    low, high = np.unique(np.sort([a, b], axis=0), axis=1)
    pair = rng.integers(0, 300, m)
    weight = rng.integers(1, 9, len(low)).astype(float)
    tree, excess = forests.heaviest_forest(n, low, high, weight), rng.standard_normal(n)
    found = rows.adjacency(n, low, high)
    value = rng.uniform(1, 2, 2 * len(low))
    first, eps, t = np.array([0, 400, m]), np.array([0.1, 0.2]), np.array([0.5, 0.7])
    w, room = rng.uniform(1, 2, m), np.zeros(m)
    terms = np.abs(rng.standard_normal(m))
    gap, moves = rng.integers(700, 709, m), rng.integers(0, 700, 13)
    scratch = np.zeros((2, 13), np.int64)
    return _adaptive_passes(rng) | {
        "group_by": (face.group_by, (b, np.zeros(n + 1, np.int32), np.empty(m, np.int32))),
        "relax": (face.relax, (8, moves, a % 13, b % 13, gap, *scratch)),
        "residuals": (arcs.residuals, (a, b, y, x, rest)),
        "imbalance": (arcs.imbalance, (n, a, b, 1e9 * flow)),
        "respond": (arcs.respond, (a, b, x, y, flow)),
        "adjacency": (rows.adjacency, (n, low, high)),
        "lay_weights": (rows.lay_weights, (found, weight)),
        "multiply": (rows.multiply, (found, value, x, np.zeros(n))),
        "heaviest_arcs": (forests.heaviest_arcs, (pair, np.round(flow, 1), 300)),
        "heaviest_forest": (forests.heaviest_forest, (n, low, high, weight)),
        "drain": (forests.drain, (*forests.root_forest(n, low, high, tree), low, excess, flow)),
        "model": (power.model, (first, y, eps, w, flow, 1.5, room, room.copy())),
        "model_plain": (power.model, (first, y, eps, w, flow[:0], 3.3, room, room.copy())),
        "along": (power.along, (first, y, flow, t, eps, w, 1.25)),
        "conjugate": (power.conjugate, (first, y, w, flow, 1.5, room)),
        "excess": (power.excess, (first, y, w, flow, terms, 1.5)),
    }


@pytest.mark.parametrize("name", _passes())
def test_passes_give_the_same_in_arrays(name: str) -> None:
    run, arguments = _passes()[name]
    copies = copy.deepcopy(arguments)
    expected = interpreter.plain(run)(*arguments)
    found = run.array_form(*copies)
    for mine, theirs in zip((*copies, found), (*arguments, expected), strict=True):
        some = zip(*(it if isinstance(it, tuple) else (it,) for it in (mine, theirs)), strict=True)
        for one, other in some:
            assert one is other is None or np.allclose(one, other, rtol=1e-12, atol=1e-12)


def test_limits_spread_the_same_in_arrays() -> None:
    rng = np.random.default_rng(1)
    n, m = 40, 160
    most, gap = np.full(n, face.NEVER), rng.integers(0, 9, m)
    most[:5] = rng.integers(0, 99, 5)
    by, other = rng.integers(0, n - 1, (2, m)).astype(np.int32)  # nothing limits the last
    first, order = np.zeros(n + 1, np.int32), np.empty(m, np.int32)
    interpreter.plain(face.group_by)(by, first, order)  # type: ignore[arg-type]
    told = []
    for run in (interpreter.plain(face.spread), face.spread.array_form):  # type: ignore[arg-type,attr-defined]
        rise = most.copy()
        run(rise, first, order, other, gap, np.zeros(n, np.int32), np.zeros(n, np.int32))
        told.append(rise.tolist())
    assert told[0] == told[1]
    assert told[0][-1] == face.NEVER
    assert max(told[0][:-1]) < face.NEVER


@pytest.mark.parametrize("edge_count", [0, 1, 25])
def test_ways_are_listed_the_same_in_arrays(edge_count: int) -> None:
    ends = np.random.default_rng(2).integers(0, 20, (2, edge_count))
    told = []
    for run in (lambda *it: interpret(pairs.list_ways, it), pairs.list_ways.array_form):  # type: ignore[arg-type,attr-defined]
        edges, ways = np.zeros(edge_count, records.EDGE), np.zeros(2 * edge_count, records.WAY)
        edges["a"], edges["b"] = ends
        edges["first"], edges["size"] = np.arange(edge_count), np.arange(edge_count) % 2 + 1
        margins, nodes = np.zeros(edge_count, records.MARGIN), np.zeros(21, records.NODE)
        margins["hi"], margins["weight"] = np.arange(edge_count) - 9, np.arange(edge_count) + 1
        run(edges, margins, ways, nodes)
        told.append([edges.tolist(), ways.tolist(), nodes.tolist()])
    assert told[0] == told[1]
    assert sum(row[4] for row in told[0][2]) == 2 * edge_count


@pytest.mark.parametrize("p", [1.5, np.inf])
def test_long_passes_are_not_loops(p: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(which_way, "WISH", "never")
    problem = random_contests(5)
    expected = qrja.solve(problem, p)
    monkeypatch.setattr(interpreter, "count_elements", lambda _: 10**9)
    found = qrja.solve(problem, p)
    assert np.allclose(found.x, expected.x, rtol=1e-9)
    assert found.objective == pytest.approx(expected.objective, rel=1e-13)
    assert found.status == expected.status == "optimal"


def test_small_files_are_reckoned_by_one_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small, large = tmp_path / "small.csv", tmp_path / "large.csv"
    small.write_text(MATCHES, "utf-8")
    large.write_bytes(bytes(LITTLE + 1))
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    spare_threads(["rank", str(small), str(large)])
    assert "OPENBLAS_NUM_THREADS" not in os.environ
    spare_threads(["rank", str(small), "--anchor", "x" * 5000])
    assert os.environ["OPENBLAS_NUM_THREADS"] == "1"
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "3")
    spare_threads(["rank", str(small)])
    assert os.environ["OPENBLAS_NUM_THREADS"] == "3"


def test_ctrl_c_waits_until_the_compiler_is_imported() -> None:
    """Half of it, left in memory, could not be imported again: nothing would compile any more."""
    code = """
import signal, sys
import numpy as np
import qrja

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "numba.core":
            signal.raise_signal(signal.SIGINT)

signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Finder())
races = qrja.Contests.from_arrays([0, 0, 1, 1], [0, 1, 1, 2], [1.0, 0.0, 2.0, 0.0])
try:
    qrja.solve(races, p=1)
    print("not interrupted")
except KeyboardInterrupt:
    print(qrja.solve(races, p=1).status)
"""
    ran = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "QRJA_COMPILE": "always"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stdout == "optimal\n", ran.stderr
