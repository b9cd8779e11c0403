"""Which Spark: the session there is, one of an address, and a clear word where none can be had."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from qrja.errors import InputError

JAVA = 17
"""The oldest Java that Spark 4 runs on."""
PORTS = {"spark": 7077, "sc": 15002}
"""Addresses that are tried before Spark does, with the ports they have unless they say so."""
PATIENCE = 10.0
"""Seconds for somebody to answer there."""


def find_session(master: str | None = None) -> Any:
    """Return the session there is, or begin one.

    Parameters
    ----------
    master : str, optional
        The address of a cluster: ``spark://host:7077``, ``yarn``, ``local[4]``, or
        ``sc://host:15002`` for Spark Connect. Without one, the active session, or what the
        settings of Spark say.
    """
    session_of = _import()
    active = session_of.getActiveSession()
    if active is not None and master is None:
        return active
    if master is not None:
        check_address(master)
    builder = session_of.builder.appName("qrja")
    if master is not None and master.startswith("sc://"):
        return _begin(builder.remote(master), master)
    if active is None and not os.environ.get("SPARK_REMOTE"):
        check_java()
        # Without a word on it workers would take whatever is called python3.
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    if master is not None:
        builder = builder.master(master)
    silent = {"spark.ui.showConsoleProgress": "false", "spark.log.level": "ERROR"}
    return _begin(builder.config(map=silent), master)


def check_address(master: str) -> None:
    """Say at once that nobody answers at an address, which Spark tries for minutes.

    Examples
    --------
    >>> check_address("local[2]"), check_address("yarn")
    (None, None)
    """
    scheme, _, rest = master.partition("://")
    if scheme not in PORTS:
        return
    wrong = "it has no host"
    for place in rest.partition("/")[0].split(","):  # a cluster may have several masters
        try:
            at = urlsplit(f"//{place}")
            if at.hostname:
                reached = (at.hostname, at.port or PORTS[scheme])
                socket.create_connection(reached, PATIENCE).close()
                return
        except ValueError as error:
            wrong = str(error)
        except OSError as error:
            wrong = error.strerror or str(error)
    raise InputError(f"Spark at {master} does not answer: {wrong}; check the address")


def _import() -> Any:
    try:
        import pyarrow  # noqa: F401
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise InputError(
            f"engine='spark' needs {error.name or 'pyspark'}, which is not installed; run: pip"
            " install 'qrja[spark]'"
        ) from None
    return SparkSession


def _begin(builder: Any, master: str | None) -> Any:
    try:
        with hushed():
            return builder.getOrCreate()
    except Exception as error:
        where = "Spark" if master is None else f"Spark at {master}"
        raise InputError(f"{where} does not answer: {first_line(error)}") from None


@contextmanager
def hushed() -> Iterator[None]:
    """Leave out what Spark says of other packages, which nobody here can change."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "PySpark does not yet fully support", FutureWarning)
        yield


def first_line(error: BaseException) -> str:
    """Return what an error of Spark says, without the calls that led there."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else type(error).__name__


def check_java() -> None:
    """Say what to do where there is no Java, or one that is too old."""
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home) / "bin" / "java") if home else shutil.which("java")
    remedy = f"install Java {JAVA} or later (a JRE will do) or let JAVA_HOME point to one"
    if java is None or not Path(java).exists():
        missing = "none is found" if home is None else f"there is none in JAVA_HOME, {home}"
        raise InputError(f"Spark runs on Java, and {missing}; {remedy}")
    told = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    version = java_version(told)
    if version is not None and version < JAVA:
        raise InputError(f"Spark runs on Java {JAVA} or later, and {java} is {version}; {remedy}")


def java_version(told: str) -> int | None:
    """Read the version from what ``java -version`` prints.

    Examples
    --------
    >>> java_version('openjdk version "17.0.15" 2025-04-15'), java_version('java version "1.8.0"')
    (17, 8)
    """
    found = re.search(r'version "(?:1\.)?(\d+)', told)
    return int(found[1]) if found else None
