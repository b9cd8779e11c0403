"""Disks: full, read-only and closed ones, no room for scratch files, places that are no files.

A command that cannot write, or may not read, says so in one line of its own, and leaves the old
file as it was.
"""

from __future__ import annotations

import ctypes
import os
import re
import resource
import shutil
import signal
import tempfile
from collections.abc import Callable
from pathlib import Path

from fuzz.children import check_manners, command
from fuzz.kind import Case, Failure, Kind
from fuzz.kinds.signals import COMMANDS, duration, prepared

TROUBLES = ["full at 0", "full at 100", "full at 3000", "read-only", "scratch full"]
RIGHTS = {"read-only": 0o555, "listed": 0o444, "closed": 0o000}
"""What a folder allows to those who are not its owner's superiors."""
OUTPUTS = [
    "rank p = 1",
    "rank p = 1.5",
    "rank p = inf",
    "rank p = 2",
    "save",
    "update",
    "report",
    "plot",
    "passes",
    "league",
]
CASES: list[Case] = [{"what": f"{trouble}: {output}"} for trouble in TROUBLES for output in OUTPUTS]
CASES += [
    {"what": f"{trouble}: {command}"}
    for trouble in ("listed", "closed", "files closed")
    for command in ("rank p = 2", "update", "explain", "league", "league backup", "report")
]
CASES += [
    {"what": f"place: {name}"}
    for name in (
        "/dev/full",
        "loop.csv",
        "folder.csv",
        "races.csv/out.csv",
        f"{'x' * 300}.csv",
        f"{'x' * 300}/out.csv",
        "a\x00.csv",
    )
]


def check(case: Case) -> None:
    """Run a command in trouble."""
    trouble, what = case["what"].split(": ")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "run")
        if trouble == "place":
            _check_place(folder, what)
            return
        duration(what)
        shutil.copytree(prepared(), folder)
        before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
        ran = command(COMMANDS[what], folder, _in_trouble(trouble, folder))
        said = re.sub(r" at \d+", "", case["what"])
        check_manners(ran, said)
        if trouble in ("listed", "closed", "files closed") and ran.code == 0:
            raise Failure(f"nothing said: {said}", ran.err)
        if ran.code and {n: (folder / n).read_bytes() for n in before} != before:
            raise Failure(f"an old file is lost: {said}", ran.err[-300:])


def _in_trouble(trouble: str, folder: Path) -> Callable[[], None]:
    def prepare() -> None:
        if trouble.startswith("full at"):
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            limit = int(trouble.split()[-1])
            # What the command prints must still fit: only the file it writes is larger.
            size = max(limit, 1)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            read, write = os.pipe()
            if os.fork() == 0:  # a child that writes on what is said, beyond the limit
                os.close(write)
                while part := os.read(read, 65536):
                    os.write(2, part)
                os._exit(0)
            os.dup2(write, 2)
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        elif trouble in RIGHTS:
            folder.chmod(RIGHTS[trouble])
            give_up_privileges()
        elif trouble == "files closed":
            for path in folder.glob("*.*"):
                path.chmod(0o000)
            give_up_privileges()
        else:
            os.environ["TMPDIR"] = "/dev/full"
            tempfile.tempdir = None

    return prepare


def give_up_privileges() -> None:
    """Obey the rights of files even as root: drop all capabilities (Linux, capset)."""
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    nothing = (ctypes.c_uint32 * 6)()
    ctypes.CDLL(None).capset(header, nothing)


def _check_place(folder: Path, name: str) -> None:
    shutil.copytree(prepared(), folder)
    (folder / "loop.csv").symlink_to("loop.csv")
    (folder / "folder.csv").mkdir()
    for option in ("--out", "--save"):
        ran = command(["rank", "races.csv", "--no-intervals", option, name], folder)
        check_manners(ran, f"{option} into {name[:10]!r}")
        if ran.code == 0 and name != "/dev/full":
            raise Failure(f"nothing said of {option} into {name[:10]!r}", ran.err)
    if name != "/dev/full":  # which never ends
        check_manners(command(["rank", name], folder), f"reading {name[:10]!r}")


KIND = Kind(
    name="disks",
    about="full, read-only and closed disks, no scratch room, places that are no files",
    listed=tuple(CASES),
    check=check,
    limit=300.0,
    forks=True,
)
