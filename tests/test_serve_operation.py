"""Whoever runs a server: metrics, logs without secrets, readiness, a stop that leaves nothing."""

from __future__ import annotations

import json
import logging
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import qrja
from qrja import League
from qrja.cli import run
from qrja.league import LeagueAnswer
from qrja.serve import behind, live
from qrja.serve.behind import Looker
from qrja.serve.live import Live
from test_serve import RACES, Site, serving

pytest.importorskip("fastapi")


@pytest.fixture
def site(tmp_path: Path) -> Any:
    yield from serving(tmp_path)


def test_metrics_are_what_prometheus_reads(site: Site) -> None:
    for path in ("/api/board", "/api/board", "/contestants/Nobody", "/nowhere"):
        site.get(path)
    answer = site.client.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    samples = {}
    for line in answer.text.splitlines():
        if not line.startswith("#"):
            name, value = line.rsplit(" ", 1)
            assert re.fullmatch(r'[a-z_]+(\{([a-z_]+="[^"]*",?)+\})?', name), line
            samples[name] = float(value)
    route = 'route="/api/board"'
    assert samples[f'qrja_requests_total{{method="GET",{route},status="200"}}'] == 2
    assert samples['qrja_requests_total{method="GET",route="other",status="404"}'] == 1
    assert samples[f'qrja_request_seconds_bucket{{{route},le="+Inf"}}'] == 2
    assert samples[f"qrja_request_seconds_count{{{route}}}"] == 2
    assert (samples["qrja_events"], samples["qrja_contests"]) == (1, 3)
    assert "Nobody" not in answer.text


def test_metrics_of_a_private_league_need_a_token(tmp_path: Path) -> None:
    for private in serving(tmp_path, private=True):
        assert private.client.get("/metrics").status_code == 401
        assert private.client.get("/metrics", headers=private.token("reader")).status_code == 200


def test_what_is_logged_holds_no_secret(site: Site, caplog: pytest.LogCaptureFixture) -> None:
    from qrja.serve.operation.request_log import JsonLines

    code, token = site.app.state.access.make_code(), site.token("organiser")  # type: ignore[attr-defined]
    with caplog.at_level(logging.INFO, logger="qrja.serve.requests"):
        site.get(f"/enter/{code}")
        site.client.get("/api/predict", params={"who": ["Alice", "Bob"]}, headers=token)
        site.client.get("/contestants/Alice")
    lines = [json.loads(JsonLines().format(record)) for record in caplog.records]
    routes = [line["route"] for line in lines if "route" in line]
    assert routes == ["/enter/{code}", "/api/predict", "/contestants/{name:path}"]
    assert [line["who"] for line in lines if "who" in line][1] == "program"
    written = json.dumps(lines)
    for secret in (code, token["authorization"].split()[1], "Alice"):
        assert secret not in written


def test_health_and_readiness_are_two_things(site: Site) -> None:
    assert site.client.get("/health").json()["status"] == "alive"
    ready = site.client.get("/ready")
    assert (ready.status_code, ready.json()["status"]) == (200, "ready")
    site.app.state.live.go_down()  # type: ignore[attr-defined]
    stopping = site.client.get("/ready")
    assert (stopping.status_code, stopping.json()["status"]) == (503, "stopping")
    assert site.client.get("/health").status_code == 200


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_stop_by_signal_leaves_nothing_behind(tmp_path: Path, how: signal.Signals) -> None:
    port = free_port()
    command = [
        sys.executable,
        "-m",
        "qrja",
        "serve",
        "--demo",
        "--port",
        str(port),
        "--log",
        "json",
    ]
    with subprocess.Popen(
        command, env=os.environ | {"TMPDIR": str(tmp_path)}, stderr=subprocess.PIPE, text=True
    ) as process:
        address, end = f"http://127.0.0.1:{port}", time.monotonic() + 120
        while time.monotonic() < end:
            try:
                with urllib.request.urlopen(f"{address}/health") as answer:
                    assert answer.status == 200
                break
            except OSError:
                time.sleep(0.1)
        assert list(tmp_path.glob("qrja-demo-*"))
        with urllib.request.urlopen(f"{address}/feeds/events") as stream:
            assert stream.readline()
            process.send_signal(how)
            told = process.communicate(timeout=60)[1]
    assert process.returncode == 0
    assert not list(tmp_path.iterdir())
    code = re.search(r"/enter/(\S+)", told)
    assert code is not None
    rest = told[code.end() :]
    assert "interrupted" not in rest
    assert code[1] not in rest
    assert all(json.loads(line)["at"] for line in rest.splitlines() if line.startswith("{"))


def test_a_port_that_is_taken_is_said_before_anything_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    League.open(tmp_path / "league.db").close()
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        assert run(["serve", str(tmp_path / "league.db"), "--port", str(port)]) == 2
    out, err = capsys.readouterr()
    assert not out
    assert f"port {port} is taken by another program; choose another, as by --port" in err
    assert "enter" not in err


def test_a_large_league_is_looked_at_by_another_process(tmp_path: Path) -> None:
    with League.open(tmp_path / "league.db") as league:
        league.add(RACES)
        answer = league.answer(lambda ratings: ratings)
        here = Looker().look(answer)
        there = Looker(league.store.address, large=0).look(answer)
        league.record("Rome", {"Alice": "4:02:00", "Bob": "4:15:00"})
        later = Looker(league.store.address, large=0).look(answer)
        assert later is not None
        assert (later.event, later.bounds) == (answer.event, there.bounds if there else None)
        elsewhere = replace(answer, digest="of another log")
        assert Looker(league.store.address, large=0).look(elsewhere) is None
    assert here is not None
    assert there is not None
    assert there.bounds == {who: pytest.approx(one) for who, one in here.bounds.items()}
    assert there.noise == here.noise
    stopped = Looker(league.store.address, large=0)
    stopped.stop()
    assert stopped.look(answer) is None


def test_ratings_of_a_large_league_follow_and_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "AT_ONCE", 0)
    league = League.open(tmp_path / "league.db")
    league.add(RACES)
    served = Live(league)
    served.start()
    try:
        assert served.rated(1).event == 1
        league.record("Rome", {"Alice": "4:02:00", "Bob": "4:15:00"})
        assert served.rated().event in (1, 2)  # whichever was there
        served.written()
        assert served.rated(2).event == 2
        assert served.predict(["Alice", "Bob"], 2).answer.event == 2
        with pytest.raises(qrja.InputError, match="there is no event 9 yet; the last is 2"):
            served.rated(9)
    finally:
        served.stop()


def test_ratings_follow_what_another_process_wrote(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "AT_ONCE", 0)
    league = League.open(tmp_path / "league.db")
    league.add(RACES)
    served = Live(league)
    served.start()
    try:
        with League.open(tmp_path / "league.db") as other:
            other.record("Rome", {"Alice": "4:02:00", "Bob": "4:15:00"})
        end = time.monotonic() + 20
        while served.rated().event < 2 and time.monotonic() < end:
            time.sleep(0.02)
        assert served.rated().event == 2
    finally:
        served.stop()


def test_the_board_is_written_once_for_all_who_ask(site: Site) -> None:
    first = site.client.get("/api/board?top=1")
    again = site.client.get("/api/board?top=1", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    site.league.record("Rome", {"Alice": "4:02:00", "Bob": "4:15:00"})
    later = site.client.get("/api/board?top=1", headers={"if-none-match": first.headers["etag"]})
    assert (later.status_code, later.json()["as_of"]["event"]) == (200, 2)


def test_behind_is_as_of_the_event_it_was_asked_for() -> None:
    ratings = qrja.fit(RACES)
    found = Looker().look(LeagueAnswer(ratings, 7, "", "digest"))
    assert found is not None
    assert (found.event, found.digest) == (7, "digest")
    assert behind.find_noise(ratings) == found.noise
