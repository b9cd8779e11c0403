"""Parquet on a network: refused unless asked for, fetched by DuckDB, and said."""

from __future__ import annotations

import functools
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

import qrja
from qrja.cli import run
from qrja.tables.sources import remote_file

URL = "https://example.org/races.parquet"
RACES = (
    "SELECT * FROM (VALUES ('Boston', 'Ann', 9.0), ('Boston', 'Bob', 8.0)) t(race, runner, score)"
)


def refused(source: str, **options: object) -> str:
    with pytest.raises(qrja.InputError) as caught:
        qrja.read_table(source, **options)
    return str(caught.value)


def test_nothing_is_fetched_unless_asked_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("qrja.tables.sources.source.fetch", pytest.fail)
    assert refused(URL) == (
        f"{URL}: is on a network, and nothing is fetched unless you say so: --remote (remote=True"
        " in Python) lets DuckDB read it; or download it and give its path"
    )
    assert "only Parquet is read; download it" in refused("https://example.org/a.csv", remote=True)
    assert "is an address, not a file" in refused("ftp://example.org/a.parquet", remote=True)
    assert refused(URL, remote=1) == "remote is 1; give True or False"
    assert run(["rank", URL]) == 2
    assert "lets DuckDB read it" in capsys.readouterr().err


def test_a_file_beside_the_table_cannot_ask_for_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "qrja.toml").write_text("remote = true\n")
    (tmp_path / "races.csv").write_text("race,runner,score\nA,x,1\nA,y,2\n")
    assert run(["rank", str(tmp_path / "races.csv")]) == 2
    assert "remote has to be typed, as --remote" in capsys.readouterr().err


def test_the_remedy_where_the_extension_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Without:
        def execute(self, sql: str) -> None:
            raise duckdb.IOException(f"no extension for {sql}")

    with pytest.raises(qrja.InputError) as caught:
        remote_file._load_extension(Without(), URL)
    assert str(caught.value) == (
        f"{URL}: DuckDB reads addresses by its extension httpfs, which is not installed; run python"
        " -c \"import duckdb; duckdb.sql('INSTALL httpfs')\" once, or download the file and give"
        " its path"
    )


def test_what_is_fetched_is_said_and_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The statement is run on a file here in place of the address."""
    there = tmp_path / "there.parquet"
    duckdb.sql(f"COPY ({RACES}) TO '{there}' (FORMAT parquet)")
    written = remote_file.fetching
    monkeypatch.setattr(remote_file, "_load_extension", lambda *_: None)
    monkeypatch.setattr(remote_file, "fetching", lambda _, path: written(str(there), path))
    assert run(["rank", URL, "--remote", "--no-intervals"]) == 0
    out, err = capsys.readouterr()
    assert err.startswith(f"fetching {URL}, by DuckDB\n")
    assert [line.split()[1] for line in out.splitlines()[1:]] == ["Ann", "Bob"]
    table = qrja.read_table(URL, remote=True)
    assert "remote" not in table.reading  # an update does not fetch because this did
    monkeypatch.setattr(remote_file, "fetching", lambda *_: "SELECT * FROM 'nowhere.parquet'")
    assert refused(URL, remote=True).startswith(f"{URL}: cannot be fetched, the database says: ")


@pytest.fixture
def served(tmp_path: Path) -> Iterator[str]:
    """A Parquet file on the loopback."""
    duckdb.sql(f"COPY ({RACES}) TO '{tmp_path / 'races.parquet'}' (FORMAT parquet)")
    kind = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(tmp_path))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), kind) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/races.parquet"
        server.shutdown()


def test_a_real_fetch(served: str) -> None:
    try:
        duckdb.connect().execute("LOAD httpfs")
    except duckdb.Error:
        pytest.skip("DuckDB's extension httpfs is not installed")
    assert qrja.read_table(served, remote=True).problem.names == ("Ann", "Bob")
