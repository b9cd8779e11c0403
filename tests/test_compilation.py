"""Compiling on purpose: everything once, told as it goes on, and counted."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from qrja import compilation
from qrja.cli import run
from qrja.compilation import Compiled, compile_parts
from qrja.jit import which_way


def test_parts_are_compiled_in_turn_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    wishes, told = [], []
    parts = {name: lambda: wishes.append(which_way.WISH) for name in ("one", "other")}
    monkeypatch.setattr(compilation, "PARTS", parts)
    before = which_way.WISH
    made = compile_parts(progress=lambda *how_far: told.append(how_far))
    assert wishes == ["always", "always"]
    assert before == which_way.WISH
    assert told == [("compiling one", 0, 2), ("compiling other", 1, 2)]
    assert made.loops == 0


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (Compiled(3, 12.0, "/some/where"), "compiled 3 inner loops in 12 s, kept in /some/where"),
        (Compiled(1, 12.0, None), "compiled 1 inner loop in 12 s, kept nowhere; NUMBA_CACHE_DIR"),
        (Compiled(0, 2.0, None), "nothing to compile: all inner loops are kept (2 s to load them)"),
    ],
)
def test_the_command_says_what_it_did(
    made: Compiled, words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(compilation, "compile_parts", lambda progress: made)
    assert run(["compile"]) == 0
    assert words in capsys.readouterr().out
    assert run(["compile", "--json"]) == 0
    assert f'"loops": {made.loops}' in capsys.readouterr().out


UNUSED = {
    "numba", "llvmlite", "matplotlib", "pydantic", "narwhals", "sqlalchemy", "pandas",
    "scipy", "duckdb", "numpy.ma", "tomllib", "qrja.report", "qrja.league", "qrja.backtesting",
    "qrja.rankers", "qrja.solvers.l1", "qrja.solvers.convex", "qrja.cli.commands.predict",
    "qrja.cli.leagues", "qrja.cli.fileless",
}  # fmt: skip


def loaded_by(*words: str) -> set[str]:
    code = f"from qrja.cli import run\nrun({list(words)!r})\nimport sys\nprint(*sys.modules)"
    quiet = os.environ | {"QRJA_QUIET": "1", "QRJA_COMPILE": "never"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=quiet)
    return set(done.stdout.splitlines()[-1].split())


def test_ranking_a_small_file_loads_nothing_that_it_does_not_use(tmp_path: Path) -> None:
    file = tmp_path / "races.csv"
    file.write_text("race,runner,points\na,x,1\na,y,2\nb,x,3\nb,y,1\nb,z,2\nc,z,1\nc,x,2\n")
    loaded = loaded_by("rank", str(file))
    assert "qrja.ratings" in loaded
    assert not UNUSED & loaded
    for p in ("1", "1.5", "inf"):
        loaded = loaded_by("rank", str(file), "--p", p)
        assert not {"scipy", "duckdb"} & loaded, f"p = {p}"
