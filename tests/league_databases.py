"""A PostgreSQL server of the tests' own, from the machine's binaries, in a temporary folder."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

SETTINGS = "-c listen_addresses='' -c fsync=on -c max_connections=60 -c shared_buffers=16MB"


def find_binaries() -> Path | None:
    """The folder with initdb and postgres, the newest of several."""
    found = shutil.which("initdb")
    if found and shutil.which("postgres"):
        return Path(found).parent
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda it: it.parent.name)
    return versions[-1] if versions else None


def as_somebody() -> list[str]:
    """What a command begins with so that it does not run as root, which PostgreSQL refuses."""
    if os.getuid() != 0:
        return []
    try:
        user = pwd.getpwnam("postgres")
    except KeyError:
        user = pwd.getpwnam("nobody")
    return ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]


@contextmanager
def postgres() -> Iterator[str]:
    """Start a server; give the address of its database, reached by a socket in a folder."""
    binaries = find_binaries()
    if binaries is None:
        pytest.skip("no PostgreSQL on this machine: install postgresql to test leagues in it")
    with tempfile.TemporaryDirectory(prefix="qrja-pg-", ignore_cleanup_errors=True) as folder:
        person, data = as_somebody(), Path(folder, "data")
        if person:
            if shutil.which("setpriv") is None:
                pytest.skip("no setpriv on this machine: PostgreSQL refuses to run as root")
            os.chown(folder, int(person[1].split("=")[1]), -1)
        run = [*person, str(binaries / "initdb"), "-D", str(data), "-U", "qrja", "-A", "trust"]
        subprocess.run([*run, "-E", "UTF8", "--no-sync"], check=True, capture_output=True)
        start = [*person, str(binaries / "pg_ctl"), "-D", str(data), "-w"]
        options = f"{SETTINGS} -c unix_socket_directories='{folder}'"
        log = ["-l", f"{folder}/log", "-o", options]
        subprocess.run([*start, *log, "start"], check=True, capture_output=True, cwd=folder)
        try:
            yield f"postgresql://qrja@/postgres?host={folder}"
        finally:
            subprocess.run([*start, "-m", "immediate", "stop"], capture_output=True, cwd=folder)


def fresh(address: str, schema: str) -> str:
    """The address of an empty schema of a database."""
    import psycopg

    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {schema}")  # type: ignore[call-overload]
    return f"{address}&options=-csearch_path%3D{schema}"
