"""The documentation is complete and its examples run."""

from __future__ import annotations

import doctest
import importlib.util
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
import typer

import qrja
from qrja.cli import app, run

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(python|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.py"))
EXAMPLE_FILES = ROOT / "tests" / "examples"


def blocks(page: Path, kind: str) -> list[str]:
    found = BLOCK.findall(page.read_text(encoding="utf-8"))
    return [text for language, text in found if language == kind]


@pytest.fixture
def example_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with the files that the examples speak of."""
    shutil.copytree(EXAMPLE_FILES, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    # Examples are small: starting a process for each core would take longer than running them.
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    qrja.fit("races.csv").save("league.qrja")
    with qrja.League.open("league.db") as league:
        league.add("races.csv")
    (tmp_path / "races").mkdir()
    duckdb.sql("FROM read_csv('races.csv', all_varchar = true)").write_parquet("races/all.parquet")
    return tmp_path


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_examples_run(page: Path, example_folder: Path) -> None:
    names: dict[str, object] = {}
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    runner = doctest.DocTestRunner(optionflags=flags)
    for number, code in enumerate(blocks(page, "python")):
        if ">>>" not in code:
            exec(compile(code, f"{page.name}[{number}]", "exec"), names)
            continue
        test = doctest.DocTestParser().get_doctest(code, names, page.name, str(page), 0)
        test.globs = names
        assert runner.run(test, clear_globs=False).failed == 0, f"{page.name}, block {number}"


def steps(block: str) -> list[tuple[str, str]]:
    """The commands of a console block, each with the output that the page shows, if any."""
    parts = re.split(r"^\$ ", block, flags=re.MULTILINE)
    assert parts[0] == "", f"a console block begins with its output: {parts[0]}"
    return [
        (command, output) for command, _, output in (part.partition("\n") for part in parts[1:])
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_shell_examples_run(
    page: Path, example_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    for block in blocks(page, "console"):
        for command, expected in steps(block):
            program, *arguments = shlex.split(command)
            assert program == "qrja", f"{page.name}: {command}"
            code = run(arguments)
            out, err = capsys.readouterr()
            assert code == 0, f"{page.name}: {command}\n{err}"
            if expected:
                same = doctest.OutputChecker().check_output(expected, out, flags)
                assert same, f"{page.name}: {command}\n{out}"


def test_every_public_name_is_documented() -> None:
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    named = set(re.findall(r"auto\w+:: qrja\.(\w+)", text))
    assert set(qrja.__all__) - {"__version__"} == named


@pytest.mark.parametrize("name", sorted(set(qrja.__all__) - {"__version__"}))
def test_every_public_name_has_a_docstring(name: str) -> None:
    assert getattr(qrja, name).__doc__


def all_commands(group: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Every command by its full name, those of groups after the group."""
    for name, command in group.commands.items():
        yield f"{prefix}{name}", command
        if hasattr(command, "commands"):
            yield from all_commands(command, f"{prefix}{name} ")


COMMANDS = dict(all_commands(typer.main.get_command(app)))


def test_every_command_is_documented() -> None:
    text = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    assert set(COMMANDS) == set(re.findall(r"^##+ qrja ([\w -]+)$", text, re.MULTILINE))


def test_the_command_reference_is_current() -> None:
    tool = ROOT / "tools" / "cli_reference.py"
    done = subprocess.run([sys.executable, tool], capture_output=True, text=True, check=True)
    written = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    assert done.stdout == written, "run: python tools/cli_reference.py > docs/cli.md"


def load_tool(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    return tool


def test_the_picture_of_the_first_page_is_current() -> None:
    written = (ROOT / "docs" / "_static" / "marathons.svg").read_text(encoding="utf-8")
    assert load_tool("index_picture").picture() + "\n" == written


@pytest.mark.parametrize("script", NOTEBOOKS, ids=lambda script: script.stem)
def test_notebooks_run_and_their_pages_show_what_they_print(script: Path) -> None:
    written = (ROOT / "docs" / f"notebook-{script.stem}.md").read_text(encoding="utf-8")
    assert load_tool("notebooks").page(script) == written, "run: python tools/notebooks.py"


@pytest.mark.parametrize("first", dict.fromkeys(name.split()[0] for name in COMMANDS))
def test_every_command_shows_two_examples_that_run(
    first: str, example_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, command in COMMANDS.items():  # in this order: some need what earlier ones wrote
        if name.split()[0] != first:
            continue
        examples = re.findall(r"^ +qrja (.+)$", command.help or "", re.MULTILINE)
        assert len(examples) >= 2, name
        for example in examples:
            assert run(shlex.split(example)) == 0, f"{example}\n{capsys.readouterr().err}"


def test_every_page_is_reachable() -> None:
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    for page in (ROOT / "docs").glob("*.md"):
        assert page.stem == "index" or re.search(rf"^{page.stem}$", index, re.MULTILINE), page.name
