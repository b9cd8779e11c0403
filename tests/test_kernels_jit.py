"""Who waits for the compiler is told so: once, on stderr, and only then."""

from __future__ import annotations

import os
import pty
import re
import shutil
import subprocess
import sys
from pathlib import Path
from time import perf_counter

import pytest

import qrja
from qrja.jit.fingerprint import fingerprint

COMPILE_ONE = """
import numpy as np
from qrja.laplacian.network.kernels.forests import heaviest_arcs
weights = np.array([1.0, 3.0, 2.0])
first = heaviest_arcs(np.zeros(3, np.int64), weights, 1)
second = heaviest_arcs(np.zeros(3, np.int64), weights.astype(np.float32), 1)
print(first, second)
"""


def run(code: str, cache: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    inherited = {name: value for name, value in os.environ.items() if name != "QRJA_QUIET"}
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env=inherited | {"NUMBA_CACHE_DIR": str(cache)} | environment,
    )


def test_the_first_compilation_is_announced_once(tmp_path: Path) -> None:
    began = perf_counter()
    done = run(COMPILE_ONE, tmp_path)
    assert done.stdout == "[1] [1]\n"
    begins, ends = done.stderr.splitlines()
    assert begins == (
        "qrja: compiling inner loops for this machine, once (1 to begin with, about 1 s); they are"
        " kept on disk"
    )
    told = re.fullmatch(r"qrja: compiled 2 inner loops in (\d+\.\d) s", ends)
    assert told is not None
    assert 0 < float(told[1]) <= perf_counter() - began
    assert run(COMPILE_ONE, tmp_path).stderr == ""


PREPARE = """
import numpy as np
from qrja.laplacian.network.kernels import forests
lows, highs = np.array([0, 1], np.int32), np.array([1, 2], np.int32)
"""
SEARCH = "forests.heaviest_forest(3, lows, highs, np.ones(2))"
ROOT = "forests.root_forest(3, lows, highs, np.array([0, 1], np.int32))"
FIND = "forests._find(np.arange(3).astype(np.int32), 2)"


@pytest.mark.parametrize("call", [SEARCH, ROOT])
def test_as_many_loops_are_told_to_begin_with_as_are_made(call: str, tmp_path: Path) -> None:
    begins, ends = run(PREPARE + call, tmp_path, QRJA_COMPILE="always").stderr.splitlines()
    told, made = re.search(r"\((\d+) to begin with", begins), re.search(r"compiled (\d+)", ends)
    assert told is not None
    assert made is not None
    assert int(told[1]) == int(made[1]) > 1


def test_loops_that_are_kept_are_not_told_to_be_made(tmp_path: Path) -> None:
    run(PREPARE + FIND, tmp_path, QRJA_COMPILE="always")
    begins = run(PREPARE + SEARCH, tmp_path, QRJA_COMPILE="always").stderr.splitlines()[0]
    assert "(1 to begin with" in begins


def test_a_terminal_sees_how_far_it_is(tmp_path: Path) -> None:
    leader, follower = pty.openpty()
    environment = {name: value for name, value in os.environ.items() if name != "QRJA_QUIET"}
    subprocess.run(
        [sys.executable, "-c", COMPILE_ONE],
        env=environment | {"NUMBA_CACHE_DIR": str(tmp_path)},
        stdout=subprocess.DEVNULL,
        stderr=follower,
        check=True,
    )
    os.close(follower)
    told = os.read(leader, 10_000).decode()
    os.close(leader)
    assert re.search(r"\rqrja: compiled 1 inner loop in \d+\.\d s so far\r", told)
    assert re.search(r"qrja: compiled 2 inner loops in \d+\.\d s  +\r\n$", told)


WHERE = """
from pathlib import Path
from qrja.jit.which_way import _places, is_kept
from qrja.laplacian.network.kernels.forests import heaviest_arcs as loop
print(is_kept(loop.function), *_places(Path(loop.function.__code__.co_filename).parent))
"""


def test_what_is_kept_in_a_named_place_is_found(tmp_path: Path) -> None:
    assert run(WHERE, tmp_path).stdout.startswith("False")
    run(COMPILE_ONE, tmp_path)
    assert run(WHERE, tmp_path).stdout.startswith("True")


def test_what_is_kept_in_the_home_folder_is_looked_for_there(tmp_path: Path) -> None:
    # An empty name of a place is none.
    home = {"NUMBA_CACHE_DIR": "", "XDG_CACHE_HOME": str(tmp_path)}
    run(COMPILE_ONE, tmp_path, NUMBA_CACHE_LOCATOR_CLASSES="UserWideCacheLocator", **home)
    (kept,) = tmp_path.rglob("*.nbi")
    assert str(kept.parent) in run(WHERE, tmp_path, **home).stdout.split()


def test_importing_kernels_compiles_nothing(tmp_path: Path) -> None:
    done = run("import qrja, qrja.solvers.convex.newton, qrja.solvers.nonconvex.local", tmp_path)
    assert done.stderr == ""
    assert not list(tmp_path.rglob("*.nbc"))


def test_a_variable_keeps_it_silent(tmp_path: Path) -> None:
    assert run(COMPILE_ONE, tmp_path, QRJA_QUIET="1").stderr == ""


def test_without_a_place_to_keep_them_kernels_are_compiled_all_the_same(tmp_path: Path) -> None:
    nowhere = {"NUMBA_CACHE_LOCATOR_CLASSES": "ZipCacheLocator"}
    done = run(COMPILE_ONE, tmp_path, **nowhere)
    assert done.stdout == "[1] [1]\n"
    assert done.stderr.splitlines()[0] == (
        "qrja: compiling inner loops, in every run (1 to begin with, about 1 s): neither its folder"
        " nor the home folder can be written; NUMBA_CACHE_DIR names another place to keep them"
    )


def test_a_read_only_install_with_an_unwritable_home_works(tmp_path: Path) -> None:
    package, home = tmp_path / "site" / "qrja", tmp_path / "home"
    skipped = shutil.ignore_patterns("__pycache__")
    shutil.copytree(Path(qrja.__file__).parent, package, ignore=skipped)
    home.mkdir()
    locked = [home, package, *(it for it in package.rglob("*") if it.is_dir())]
    for folder in locked:
        folder.chmod(0o555)
    usual = {k: v for k, v in os.environ.items() if k not in ("QRJA_QUIET", "NUMBA_CACHE_DIR")}
    places = {"HOME": str(home), "PYTHONPATH": str(package.parent), "QRJA_COMPILE": "always"}
    try:
        done = subprocess.run(
            [*as_anybody(home), sys.executable, "-c", COMPILE_ONE],
            capture_output=True,
            text=True,
            env=usual | places | {"XDG_CACHE_HOME": str(home / "cache")},
            check=False,
        )
    finally:
        for folder in locked:
            folder.chmod(0o755)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "[1] [1]\n"
    said, _ = done.stderr.splitlines()
    assert "in every run" in said
    assert not list(tmp_path.rglob("*.nbi"))


def as_anybody(locked: Path) -> list[str]:
    """Return what makes a command mind permissions: root does not, unless it gives that up."""
    if not os.access(locked, os.W_OK):
        return []
    words = ["setpriv", "--bounding-set=-dac_override", "--inh-caps=-dac_override"]
    tried = shutil.which(words[0]) and subprocess.run(
        [*words, "touch", str(locked / "written")], capture_output=True, check=False
    )
    if not tried or tried.returncode == 0 or (locked / "written").exists():
        pytest.skip("root cannot give up writing everywhere here: no setpriv, or not allowed to")
    return words


def test_a_full_disk_only_costs_time(tmp_path: Path) -> None:
    limit = "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
    full = f"{limit}resource.setrlimit(resource.RLIMIT_FSIZE, (99, 99))\n{COMPILE_ONE}"
    assert run(full, tmp_path, QRJA_QUIET="1").stdout == "[1] [1]\n"


def test_what_is_damaged_is_compiled_again(tmp_path: Path) -> None:
    run(COMPILE_ONE, tmp_path, QRJA_QUIET="1")
    (index,) = tmp_path.rglob("*.nbi")
    whole = index.stat().st_size
    index.write_bytes(index.read_bytes()[:40])
    done = run(COMPILE_ONE, tmp_path)
    assert done.stdout == "[1] [1]\n"
    assert done.stderr.startswith("qrja: compiling")
    assert index.stat().st_size == whole


def test_a_kernel_is_made_anew_when_one_that_it_calls_has_changed(tmp_path: Path) -> None:
    """Its own file may be the same: after an update, old code would go on giving old answers."""
    room = tmp_path / "qrja" / "room" / "kernels"
    room.mkdir(parents=True)
    (room / "outer.py").write_text("from qrja.room.kernels.inside import twice\n")
    (room / "inside.py").write_text("from qrja.room.kernels.deep import FEW\n")
    (room / "deep.py").write_text("FEW = 2\n")
    before = fingerprint.__wrapped__(room / "outer.py", tmp_path)
    assert fingerprint.__wrapped__(room / "outer.py", tmp_path) == before
    (room / "deep.py").write_text("FEW = 3\n")
    assert fingerprint.__wrapped__(room / "outer.py", tmp_path) != before


def test_what_is_kept_knows_all_that_it_was_made_from(tmp_path: Path) -> None:
    told = run(
        "from qrja.solvers.convex.streamed.kernels import formulas, pair_rows\n"
        "print(pair_rows.slopes.machine._cache._cache_file._source_stamp[1])",
        tmp_path,
    )
    path = Path(qrja.__file__).parent / "solvers/convex/streamed/kernels/pair_rows.py"
    assert told.stdout.strip() == fingerprint(path)
    alone = fingerprint.__wrapped__(path, tmp_path)  # where nothing that it imports is found
    assert alone != fingerprint(path)
