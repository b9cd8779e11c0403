"""Fetching: from a server of our own that answers well, short, wrong, hugely or not at all."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from qrja import InputError, QRJAError
from qrja.paper import SETS, load
from qrja.paper import download as module
from qrja.paper import sets as catalogue
from qrja.paper.download import BASE, LARGEST_LITERAL, cache_folder, fetch, parse_standings, to_csv

FILE = (
    "[{'name': 'Wijk', 'standings': [{'name': 'Ulf', 'score': 9.0}, {'name': 'Jan', 'score': 8}]},"
    " {'year': 1984, 'name': 'Wijk', 'standings': []},"
    " {'name': \"Reggio, 'E'\", 'division': 1, 'standings': [{'name': 'Zoltán', 'score': -0.5}]}]\n"
).encode()
CSV = (
    "contest,event,place,contestant,score\n1,Wijk,1,Ulf,9.0\n1,Wijk,2,Jan,8\n"
    "3,\"Reggio, 'E' (division 1)\",1,Zoltán,-0.5\n"
)


@dataclass
class Server:
    """What the server sends, and what it was asked."""

    address: str = ""
    content: bytes = FILE
    status: int = 200
    ranges: bool = True
    cut: int | None = None
    asked: list[tuple[str, str | None]] = field(default_factory=list)


@pytest.fixture
def server() -> Iterator[Server]:
    state = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            begin, asked = 0, self.headers.get("Range")
            state.asked.append((self.path, asked))
            status = state.status
            if asked and state.ranges and status == 200:
                begin, status = int(asked.removeprefix("bytes=").removesuffix("-")), 206
            body = state.content[begin:]
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body if state.cut is None else body[: state.cut])

        def handle(self) -> None:
            with suppress(ConnectionError):  # a client that has had enough hangs up
                super().handle()

        def log_message(self, *arguments: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        state.address = f"http://127.0.0.1:{http.server_port}"
        threading.Thread(target=http.serve_forever, daemon=True).start()
        yield state
        http.shutdown()


@pytest.fixture(autouse=True)
def known_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the paper's chess file be the little one of these tests."""
    about = replace(SETS["chess"], size=len(FILE), sha256=sha256(FILE).hexdigest())
    monkeypatch.setitem(catalogue.SETS, "chess", about)


def test_a_good_answer_becomes_a_csv_file(server: Server, tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    (path,) = fetch(["chess"], tmp_path, base=server.address, progress=lambda *it: told.append(it))
    assert path.read_text(encoding="utf-8") == CSV
    assert server.asked == [("/chess/clean.in", None)]
    assert told[-1] == ("chess", len(FILE), len(FILE))
    assert sorted(tmp_path.iterdir()) == [path]
    assert [len(contest) for contest in load("chess", tmp_path).contests] == [2, 0, 1]


def test_what_is_there_is_not_fetched_again(server: Server, tmp_path: Path) -> None:
    fetch(["chess"], tmp_path, base=server.address)
    fetch(["chess"], tmp_path, base=server.address)
    assert len(server.asked) == 1


@pytest.mark.parametrize("ranges", [True, False])
def test_a_broken_line_is_continued(server: Server, tmp_path: Path, ranges: bool) -> None:
    server.cut, server.ranges = 100, ranges
    with pytest.raises(QRJAError, match=f"100 of {len(FILE)} bytes came; run the command again"):
        fetch(["chess"], tmp_path, base=server.address)
    assert not (tmp_path / "chess.csv").exists()
    server.cut = None
    (path,) = fetch(["chess"], tmp_path, base=server.address)
    assert server.asked[-1] == ("/chess/clean.in", "bytes=100-")
    assert path.read_text(encoding="utf-8") == CSV


def test_a_wrong_answer_is_not_kept(server: Server, tmp_path: Path) -> None:
    server.content = FILE.replace(b"9.0", b"9.5")
    with pytest.raises(QRJAError, match=r"is not the file the paper was computed with \(its sha"):
        fetch(["chess"], tmp_path, base=server.address)
    assert list(tmp_path.iterdir()) == []


def test_a_wrong_beginning_is_not_built_upon_for_ever(server: Server, tmp_path: Path) -> None:
    (tmp_path / ".chess.part").write_bytes(b"x" * 50)
    with pytest.raises(QRJAError, match="nothing was kept"):
        fetch(["chess"], tmp_path, base=server.address)
    assert fetch(["chess"], tmp_path, base=server.address)[0].exists()


def test_a_huge_answer_is_cut_off(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.content = FILE + b" " * 30_000_000
    read: list[int] = []
    monkeypatch.setattr(module, "CHUNK", 100)
    with pytest.raises(QRJAError, match=f"is longer than the {len(FILE)} bytes it should have"):
        fetch(["chess"], tmp_path, base=server.address, progress=lambda name, n, m: read.append(n))
    assert max(read) == len(FILE) + 1
    assert list(tmp_path.iterdir()) == []


def test_an_error_of_the_server_is_told_with_advice(server: Server, tmp_path: Path) -> None:
    server.status = 404
    with pytest.raises(QRJAError) as caught:
        fetch(["chess"], tmp_path, base=server.address)
    assert f"{server.address}/chess/clean.in: cannot be fetched: Not Found;" in str(caught.value)
    assert "qrja paper fetch --from FOLDER" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_no_server_at_all_is_told_with_advice(tmp_path: Path) -> None:
    with pytest.raises(QRJAError, match=r"cannot be fetched: .*copy the folder data of github"):
        fetch(["chess"], tmp_path, base="http://127.0.0.1:9")


def test_a_copy_serves_as_well(tmp_path: Path) -> None:
    copy = tmp_path / "data" / "chess" / "clean.in"
    copy.parent.mkdir(parents=True)
    copy.write_bytes(FILE)
    (path,) = fetch(["chess"], tmp_path / "out", copy=tmp_path / "data")
    assert path.read_text(encoding="utf-8") == CSV
    for damage in (FILE[:-1], FILE + b"\n", FILE.replace(b"9.0", b"9.5")):
        copy.write_bytes(damage)
        with pytest.raises(InputError, match=r"clean\.in: is not the file the paper was computed"):
            fetch(["chess"], tmp_path / "other", copy=tmp_path / "data")
    with pytest.raises(InputError, match=r"f1-core/clean\.in: cannot be read: No such file"):
        fetch(["f1"], tmp_path / "out", copy=tmp_path / "data")


def test_a_folder_that_cannot_be_written_is_named(server: Server, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="file: cannot be written"):
        fetch(["chess"], tmp_path / "file", base=server.address)


def test_a_set_that_does_not_exist_is_named_before_any_work(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the paper has no set 'ches'; did you mean 'chess'"):
        fetch(["ches"], tmp_path, base="http://127.0.0.1:9")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff",
        b"[",
        b"[1]",
        b"[{'name': 'A'}]",
        b"[{'name': 'A', 'standings': [{'name': 'x'}]}]",
        b"[{'name': 'A', 'standings': [{'name': 'x', 'score': '1'}]}]",
        b"[{'name': 'A', 'standings': [{'name': 'x', 'score': True}]}]",
        b"[{'name': 'A', 'standings': [{'name': 3, 'score': 1}]}]",
        b"[{'name': 'A', 'standings': [{'name': 'x', 'score': 1e999}]}]",
        b"__import__('os').abort()",
        b"[" * 100_000,
        b"-" * 100_000 + b"1",
        b"1+" * 100_000 + b"1",
    ],
    ids=lambda content: content[:40].decode("latin-1"),
)
def test_what_is_no_list_of_contests_is_refused(content: bytes) -> None:
    with pytest.raises(InputError, match="chess: is not a list of contests with standings: "):
        parse_standings(content, "chess")


def test_a_literal_beyond_the_limit_is_not_parsed() -> None:
    with pytest.raises(InputError, match="chess: is larger than 4 MB; it is another file"):
        parse_standings(b" " * (LARGEST_LITERAL + 1), "chess")
    assert all(about.size < LARGEST_LITERAL for about in SETS.values())


def test_the_original_converts_to_the_data_set(paper_data: Path) -> None:
    original = (paper_data.parent / "raw" / "chess.clean.in").read_bytes()
    assert (len(original), sha256(original).hexdigest()) == (
        140_884,
        "4a1d29b88203e98ce7c16c5bc7e9a60d3d8a23265a77039535d34fa5747fe6b4",
    )
    converted = to_csv(parse_standings(original, "chess"))
    assert converted.encode() == (paper_data / "chess.csv").read_bytes()


def test_the_address_names_the_pinned_commit() -> None:
    assert BASE.endswith("/2f0ebddc151dad64e2ecbf3caa8405d2f183df9a/data")


def test_the_cache_can_be_chosen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("QRJA_CACHE", str(tmp_path))
    assert cache_folder() == tmp_path / "paper"
    monkeypatch.delenv("QRJA_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "qrja" / "paper"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_folder() == Path.home() / ".cache" / "qrja" / "paper"
