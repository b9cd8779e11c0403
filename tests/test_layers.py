"""The house's import rule: imports point down, and heavy packages load only when needed."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import qrja

SOURCE = Path(qrja.__file__).parent
ROOT = Path(__file__).parents[1]

# From the ground up; rooms of one row do not import each other.
LAYERS = [
    {"errors", "plurals", "_version"},
    {"jit", "rules"},
    {"data"},
    {"tables", "losses"},
    {"solution", "laplacian"},
    {"datasets", "solvers"},
    {"lewis", "adaptive"},
    {"sampling", "hardness"},
    {"rankers", "metrics"},
    {"backtesting", "ratings"},
    {"plots"},
    {"report", "paper"},
    {"cli"},
    {"__init__", "__main__"},
]
HEIGHT = {room: height for height, rooms in enumerate(LAYERS) for room in rooms}
HEAVY = {"numpy", "scipy", "numba", "duckdb", "narwhals", "pandas", "polars", "pyarrow", "rich"}


def modules() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


def room_of(path: Path) -> str:
    return path.relative_to(SOURCE).with_suffix("").parts[0]


def imported_rooms(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}: relative import"
            if node.module == "qrja":
                yield from (alias.name for alias in node.names)
            elif node.module and node.module.startswith("qrja."):
                yield node.module.split(".")[1]
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.startswith("qrja."):
                    yield alias.name.split(".")[1]


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_point_down(path: Path) -> None:
    room = room_of(path)
    assert room in HEIGHT, f"{room} has no place in LAYERS"
    for target in imported_rooms(path):
        if target != room:
            assert HEIGHT[target] < HEIGHT[room], f"{room} must not import {target}"


def test_the_rule_can_fail(tmp_path: Path) -> None:
    bad = tmp_path / "errors.py"
    bad.write_text("from qrja.data.contests import Contests\nfrom qrja import solvers\n")
    assert list(imported_rooms(bad)) == ["data", "solvers"]
    assert HEIGHT["data"] > HEIGHT["errors"]


def test_numba_is_imported_by_kernels_only() -> None:
    using = {
        path.relative_to(SOURCE)
        for path in modules()
        if "import numba" in (text := path.read_text("utf-8")) or "from numba" in text
    }
    assert using
    assert all("kernels" in str(path) or path.name == "jit.py" for path in using)


@pytest.mark.parametrize("statement", ["import qrja", "import qrja.cli"])
def test_start_up_loads_nothing_heavy(statement: str) -> None:
    code = f"{statement}\nimport sys\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not HEAVY & set(done.stdout.split())


SCRIPTS = [path for name in ("benchmarks", "tools") for path in (ROOT / name).glob("*.py")]


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_scripts_import_what_exists(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "qrja":
            code = f"from {node.module} import {', '.join(alias.name for alias in node.names)}"
            exec(code, {})


def test_every_public_name_exists() -> None:
    for name in qrja.__all__:
        assert getattr(qrja, name) is not None
    assert set(qrja.__dir__()) == set(qrja.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = qrja.nothing
