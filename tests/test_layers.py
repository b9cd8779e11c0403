"""The plan of the house: who may import whom, through which door, and how rooms are laid out.

docs/code-map.md draws it. What fails here says which rule is broken and what to do about it.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

import qrja

SOURCE = Path(qrja.__file__).parent
ROOT = Path(__file__).parents[1]

# From the ground up; rooms of one row do not import each other.
LAYERS = [
    {"letters", "_version", "speech"},
    {"errors"},
    {"display", "interrupts", "lazy", "plurals", "rules"},
    {"jit", "distributions", "row_matrices"},
    {"data"},
    {"terms", "parts"},
    {"ties"},
    {"tables", "losses", "folds"},
    {"solution", "plots"},
    {"laplacian"},
    {"datasets", "solvers"},
    {"adaptive"},
    {"sampling", "hardness"},
    {"rankers", "metrics", "scale"},
    {"paper.as_published"},
    {"backtesting", "ratings"},
    {"report", "paper", "compilation"},
    {"league"},
    {"serve"},
    {"cli"},
    {"__init__", "__main__"},
]
HEIGHT = {room: height for height, rooms in enumerate(LAYERS) for room in rooms}
HEAVY = {"numpy", "scipy", "numba", "duckdb", "narwhals", "pandas", "polars", "pyarrow", "rich"}
HEAVY |= {"sqlalchemy", "psycopg", "fastapi", "starlette", "uvicorn", "jinja2"}
DOZEN = 13
"""Modules that a folder holds at the most, its ``__init__`` not counted."""


class Import(NamedTuple):
    """One name that a file imports: the module it comes from, and the line."""

    module: str
    name: str
    line: int


def files() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


def packages() -> list[Path]:
    return sorted(path.parent for path in files() if path.name == "__init__.py")


def dotted(path: Path) -> str:
    """Return the name by which a file of the package is imported."""
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def modules() -> dict[str, Path]:
    return {dotted(path): path for path in files()}


def is_package(module: str) -> bool:
    return modules()[module].name == "__init__.py"


@cache
def exported(package: str) -> frozenset[str]:
    """Return the names in the ``__all__`` of a package, read without running it."""
    for node in ast.parse(modules()[package].read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return frozenset(ast.literal_eval(node.value))
    return frozenset()


@cache
def imports(path: Path) -> tuple[Import, ...]:
    """List what a file imports from the package, at its top, in functions and for types."""
    return tuple(_imports(path))


def _imports(path: Path) -> Iterator[Import]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}:{node.lineno}: relative import; write it in full"
            if (node.module or "").split(".")[0] == "qrja":
                yield from (Import(str(node.module), a.name, node.lineno) for a in node.names)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] == "qrja":
                    yield Import(alias.name, "", node.lineno)


def target(found: Import) -> str:
    """Return the module that an import reads: a name may be a module itself."""
    behind = f"{found.module}.{found.name}"
    return behind if behind in modules() else found.module


def room_of(module: str) -> str:
    """Return the room of a module: the longest beginning of its name that stands in LAYERS."""
    parts = module.split(".")[1:] or ["__init__"]
    if parts[0] in {"__main__"}:
        return parts[0]
    for length in range(len(parts), 0, -1):
        if (room := ".".join(parts[:length])) in HEIGHT:
            return room
    raise AssertionError(
        f"{module} has no room; give it a place in LAYERS of {Path(__file__).name}"
    )


def is_behind_a_door(importer: str, found: Import) -> bool:
    """Tell whether an import reaches past the ``__init__`` of a package into one of its modules.

    Whoever lives in the package may; compiled code is for the room around its folder.
    """
    module = target(found)
    if is_package(module) or (is_package(found.module) and found.name in exported(found.module)):
        return False
    home = module.rpartition(".")[0]
    home = home.removesuffix(".kernels")
    return home != "qrja" and importer != home and not importer.startswith(home + ".")


every_file = pytest.mark.parametrize(
    "path", files(), ids=lambda path: str(path.relative_to(SOURCE))
)


@every_file
def test_imports_point_down(path: Path) -> None:
    room = room_of(dotted(path))
    for found in imports(path):
        other = room_of(target(found))
        assert other == room or HEIGHT[other] < HEIGHT[room], (
            f"{path.name}:{found.line}: {room} must not import {other}, which stands above it or"
            " beside it; move what both need to a lower room"
        )


@every_file
def test_rooms_are_entered_by_their_doors(path: Path) -> None:
    for found in imports(path):
        assert not is_behind_a_door(dotted(path), found), (
            f"{path.name}:{found.line}: {target(found)} is behind a door; import from the package"
            " around it, and export the name in its __init__ if others are meant to use it"
        )


def test_nothing_imports_in_circles() -> None:
    graph = {name: {target(i) for i in imports(path)} for name, path in modules().items()}
    circle = find_circle(graph)
    assert not circle, (
        f"imports go in a circle, lazy ones and those for types counted: {' -> '.join(circle)};"
        " move what they share to a module below both"
    )


def find_circle(graph: dict[str, set[str]]) -> list[str]:
    """Return the nodes of a cycle, or nothing."""
    done: set[str] = set()
    way: list[str] = []

    def visit(node: str) -> list[str]:
        if node in way:
            return [*way[way.index(node) :], node]
        if node in done:
            return []
        way.append(node)
        for after in sorted(graph.get(node, ())):
            if circle := visit(after):
                return circle
        done.add(way.pop())
        return []

    return next((circle for node in sorted(graph) if (circle := visit(node))), [])


@pytest.mark.parametrize("folder", packages(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_room_is_small_and_tells_its_reading_order(folder: Path) -> None:
    held = [path.name for path in folder.glob("*.py") if path.name != "__init__.py"]
    assert len(held) <= DOZEN, (
        f"{folder.name} holds {len(held)} modules; give those that belong together a room"
    )
    if folder == SOURCE or folder.name == "kernels":
        return
    told = ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))) or ""
    assert re.search(r"[Rr]eading order|Read \S+.* first", told), (
        f"{folder.name}: say in the docstring what to read first"
    )
    missing = [name for name in map(Path, held) if not re.search(rf"\b{name.stem}\b", told)]
    assert not missing, (
        f"{folder.name}: the reading order leaves out {', '.join(map(str, missing))}"
    )


def test_a_name_occurs_once() -> None:
    places = defaultdict(list)
    for path in files():
        if path.name != "__init__.py" and path.parent.name != "kernels":
            places[path.name].append(str(path.relative_to(SOURCE)))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                places[f"class {node.name}"].append(str(path.relative_to(SOURCE)))
    twice = {name: where for name, where in places.items() if len(where) > 1}
    assert not twice, f"names that say two things, rename all but one: {twice}"


def test_compiled_code_lives_in_kernels() -> None:
    using = {path for path in files() if re.search(r"(import|from) numba", path.read_text("utf-8"))}
    assert using
    lost = [path.name for path in using if path.parent.name not in ("kernels", "jit")]
    assert not lost, f"{lost}: only modules in a folder kernels/ import numba, and jit/"


def test_private_modules_do_not_exist() -> None:
    private = {path.name for path in files() if path.name.startswith("_")}
    assert private == {"__init__.py", "__main__.py", "_version.py"}, (
        "what is behind a door is private already; no module needs an underscore"
    )


KINDS = {"Contests", "Judgments"}
ASKING = {
    "backtesting/ranker_tasks": "the door: contests have an order in time, judgments are dealt",
    "backtesting/quick_walk": "dispatch: contests have an order, judgments are dealt",
    "cli/file_argument": "input: what was read, in words",
    "cli/ranker_trials": "input: only contests are back-tested",
    "ties/tied": "a tie is a contest of two, or a judgment",
    "laplacian/operator": "dispatch: stars or pairs",
    "league/incoming": "the door: what is added",
    "rankers/refitted": "no judgment lists anybody twice",
    "ratings/choice": "the door: only contests have a past to choose by",
    "ratings/entrance": "the door: what may be fitted",
    "ratings/explain/evidence": "output: contests are not written out for a loss of pairs",
    "ratings/explain/tightness": "dispatch: flows on pairs or within contests",
    "ratings/predict/past_errors": "an assertion",
    "ratings/saving/saved_data": "output: which arrays are written",
    "ratings/spacing": "the door: verdicts are judgments",
    "ratings/suggest/design": "what is added to a problem is of its kind",
    "ratings/updates": "what is added to a problem is of its kind",
    "report/origin": "output: how much was rated, in words",
    "sampling/draws": "the door",
    "sampling/lewis": "the door",
    "serve/questions/compared": "output: a judgment is called by the two that it compares",
    "solvers/__init__": "the door",
    "solvers/convex/newton": "dispatch: contests are folded before they are written out",
    "solvers/side_by_side": "builds one problem of the kind of those it is given",
    "solvers/drifting/learning": "some entries of contests, or some judgments",
    "solvers/l1/simplex": "dispatch: two simplex methods",
    "solvers/linf/minimax": "dispatch: stars or pairs",
    "solvers/linf/stars": "dispatch: stars or pairs",
    "tables/read": "what a file turned out to hold",
}
"""Who asks whether a problem is contests or judgments, and why. Most code reads the entries that
both have, see :class:`qrja.data.Problem`."""


def asks_for_the_kind(path: Path) -> bool:
    calls = (
        node
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "isinstance"
    )
    return any(KINDS & set(re.findall(r"\w+", ast.unparse(call.args[1]))) for call in calls)


def test_few_ask_which_kind_of_problem_they_have() -> None:
    asking = {
        path.relative_to(SOURCE).with_suffix("").as_posix()
        for path in files()
        if path.parent.name != "data" and asks_for_the_kind(path)
    }
    assert not asking - ASKING.keys(), (
        f"{sorted(asking - ASKING.keys())} ask whether a problem is contests or judgments; read the"
        " entries of qrja.data.Problem instead, or say in ASKING why that will not do"
    )
    assert not ASKING.keys() - asking, f"no longer asking: {sorted(ASKING.keys() - asking)}"


def test_losses_are_not_known_by_their_names() -> None:
    losses = {name for name in exported("qrja.losses") if name[0].isupper()}
    for path in files():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "isinstance":
                asked = set(re.findall(r"\w+", ast.unparse(node.args[1]))) & losses
                assert not asked - {"Loss", "ConjugateLoss", "KnownLoss"}, (
                    f"{path.name}:{node.lineno}: asks for {asked}; let the loss answer, see"
                    " qrja.losses.KnownLoss"
                )


SCRIPTS = [path for name in ("benchmarks", "tools") for path in sorted((ROOT / name).glob("*.py"))]
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.py"))


@pytest.mark.parametrize("path", SCRIPTS + NOTEBOOKS, ids=lambda path: path.name)
def test_scripts_use_public_names(path: Path) -> None:
    for found in imports(path):
        assert target(found) in modules(), f"{path.name}:{found.line}: there is no {found.module}"
        assert not is_behind_a_door("a script", found), (
            f"{path.name}:{found.line}: {target(found)} is not public; import from qrja or a room"
        )
        if found.name:
            exec(f"from {found.module} import {found.name}", {})


@pytest.mark.parametrize("path", sorted((ROOT / "docs").glob("*.md")), ids=lambda path: path.name)
def test_pages_show_public_names(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for module in re.findall(r"(?:from|import) (qrja(?:\.\w+)*)", text):
        assert module in modules(), f"{path.name}: there is no {module}"
        assert is_package(module) or module.count(".") == 1, f"{path.name}: {module} is not public"


def test_the_rules_can_fail(tmp_path: Path) -> None:
    bad = tmp_path / "errors.py"
    bad.write_text(
        "from qrja.data import Contests\nfrom qrja import solvers\n"
        "def later():\n    from qrja.solvers.l1.face import Face\n"
    )
    assert [target(i) for i in imports(bad)] == [
        "qrja.data",
        "qrja.solvers",
        "qrja.solvers.l1.face",
    ]
    assert HEIGHT[room_of("qrja.data")] > HEIGHT["errors"]
    doors = [is_behind_a_door("qrja.errors", i) for i in imports(bad)]
    assert doors == [False, False, True]
    inside = Import("qrja.solvers.l1.kernels.pivot", "run", 1)
    assert not is_behind_a_door("qrja.solvers.l1.stream", inside)
    assert is_behind_a_door("qrja.solvers.l2", inside)
    assert find_circle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]
    assert find_circle({"a": {"b"}, "b": {"c"}}) == []


@pytest.mark.parametrize("statement", ["import qrja", "import qrja.cli"])
def test_start_up_loads_nothing_heavy(statement: str) -> None:
    code = f"{statement}\nimport sys\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not HEAVY & set(done.stdout.split())


def test_every_public_name_exists() -> None:
    for name in qrja.__all__:
        assert getattr(qrja, name) is not None
    assert set(qrja.__dir__()) == set(qrja.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = qrja.nothing
