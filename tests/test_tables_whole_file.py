"""Files are replaced by whole ones, with their rights, and nothing is left behind."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import qrja
from qrja.errors import FileChangedError, InputError
from qrja.tables import file_locks
from qrja.tables.out import held, save_whole, write_text
from qrja.tables.sources.scratch import scratch_folder


def test_a_private_file_is_private_while_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "board.csv"
    path.write_text("old")
    path.chmod(0o600)
    seen: list[int] = []

    def write(part: Path) -> None:
        seen.append(stat.S_IMODE(part.stat().st_mode))
        part.write_text("new")
        seen.append(stat.S_IMODE(part.stat().st_mode))

    save_whole(path, write)
    assert seen == [0o600, 0o600]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_text() == "new"


def test_a_new_file_has_the_usual_rights(tmp_path: Path) -> None:
    write_text("a", tmp_path / "a.txt")
    (tmp_path / "b.txt").write_text("b")
    assert (tmp_path / "a.txt").stat().st_mode == (tmp_path / "b.txt").stat().st_mode


def test_what_is_written_reaches_the_disk_before_the_rename(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    monkeypatch.setattr(os, "fsync", lambda number: done.append("fsync"))
    rename = Path.replace
    monkeypatch.setattr(Path, "replace", lambda *a: (done.append("rename"), rename(*a))[1])
    write_text("a", tmp_path / "a.txt")
    assert done == ["fsync", "rename", "fsync"]


DIES = """
import os, signal, sys
from pathlib import Path
from qrja.tables.out import save_whole
def write(part):
    part.write_text("half")
    os.kill(os.getpid(), signal.SIGKILL)
save_whole(Path(sys.argv[1]), write)
"""


def test_the_part_of_a_killed_process_goes_and_that_of_a_living_one_stays(tmp_path: Path) -> None:
    path = tmp_path / "board[1].csv"
    killed = subprocess.run([sys.executable, "-c", DIES, str(path)], check=False)
    assert killed.returncode == -signal.SIGKILL
    (left,) = tmp_path.iterdir()
    other = tmp_path / ".mine.part"
    other.write_text("not ours")

    def write(part: Path) -> None:
        assert not left.exists()
        write_text("another writer, meanwhile", path)
        assert part.exists()
        part.write_text("whole")

    save_whole(path, write)
    assert path.read_text() == "whole"
    assert sorted(it.name for it in tmp_path.iterdir()) == [".mine.part", "board[1].csv"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("loop", "loop: cannot be written: Too many levels of symbolic links"),
        ("folder", "folder: cannot be written: it is a directory"),
        ("file/out.csv", "out.csv: cannot be written: Not a directory"),
        ("x" * 300, "cannot be written: File name too long"),
    ],
)
def test_places_that_are_no_files(tmp_path: Path, name: str, message: str) -> None:
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match=message):
        write_text("a", tmp_path / name)


def test_links_are_followed(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("target")
    for text in ("new", "newer"):
        write_text(text, tmp_path / "link")
        assert (tmp_path / "target").read_text() == text
    assert (tmp_path / "link").is_symlink()


# ---------------------------------------------------------------------- two writers


@pytest.fixture
def league(tmp_path: Path) -> Path:
    path = tmp_path / "league.qrja"
    qrja.fit(qrja.datasets.marathons(example=1)).save(path)
    return path


def race(name: str) -> qrja.Contests:
    return qrja.Contests.from_arrays([name] * 2, ["Alice", "Bob"], [3, 1])


def test_changes_of_somebody_else_are_not_overwritten(league: Path, tmp_path: Path) -> None:
    mine, theirs = qrja.load(league), qrja.load(league)
    theirs.remove(theirs.data.labels[0]).save(league)
    words = "league.qrja: has been changed since it was read; load it again"
    with pytest.raises(FileChangedError, match=words):
        mine.save(league)
    mine.save(tmp_path / "mine.qrja")
    qrja.load(league).save(league)


def test_ones_own_changes_may_be_saved_again_and_again(league: Path) -> None:
    ratings = qrja.load(league)
    for _ in range(2):
        ratings = ratings.remove(ratings.data.labels[0])
        ratings.save(league)
        ratings.save(league)
    league.unlink()
    ratings.save(league)


def test_a_branch_of_older_ratings_is_another_version(league: Path) -> None:
    ratings = qrja.load(league)
    first, *_, last = ratings.data.labels
    ratings.remove(first).save(league)
    with pytest.raises(FileChangedError):
        ratings.remove(last).save(league)


def test_a_file_that_another_process_holds(league: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_locks, "PATIENCE", 0.05)
    words = "another process has been writing it for 0.05 seconds; try again when it is done"
    with held(league), pytest.raises(InputError, match=words):
        qrja.load(league).save(league)
    qrja.load(league).save(league)


# ---------------------------------------------------------------------- scratch folders


def test_the_scratch_folder_of_a_killed_process_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    left, theirs = tmp_path / "qrja-scratch-abcdefgh", tmp_path / "qrja-datasets"
    for folder in (left, theirs):
        folder.mkdir()
        (folder / "stream").touch()
    with scratch_folder() as living, scratch_folder() as other:
        assert not left.exists()
        assert Path(living).is_dir()
        assert living != other
    assert [it.name for it in tmp_path.iterdir()] == ["qrja-datasets"]


def test_one_that_is_taken_before_it_is_locked_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    def taken_twice(prefix: str, dir: str) -> str:
        made.append(f"{dir}/{prefix}{len(made):08}")
        if len(made) == 3:
            Path(made[-1]).mkdir()
        return made[-1]

    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("tempfile.mkdtemp", taken_twice)
    with scratch_folder() as folder:
        assert made[2:] == [folder]


def test_no_place_for_scratch_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", "/dev/full")
    words = "no place for scratch files: Not a directory; let TMPDIR name a folder"
    with pytest.raises(InputError, match=words):
        qrja.read_table("races.csv")
