"""A league behind HTTP under load, and openskill behind the same API: python serving.py.

One server at a time, on the cores that the client uses as well. Written to results/serving.json,
and shown in docs/benchmarks.md. ``--matches N --players N`` for a smaller try, not written.
"""

from __future__ import annotations

import argparse
import http.client
import json
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from harness import RESULTS, machine
from qrja import League
from qrja.league import Tokens

HERE = Path(__file__).parent
WRITERS, EACH = 50, 10
GOALS = {
    "post acknowledged, median, ms": "under 30",
    "in the ratings after, median, ms": "under 250",
    "in the ratings after, slowest, ms": "under 250",
    "pair forecast right after a post, median, ms": "under 10",
    "board, first 50, requests/s": "500",
    "board, everybody, requests/s": "",
    "board as a page, requests/s": "",
    "50 writers at once: errors": "0",
    "50 writers at once: acknowledged, median, ms": "",
    "50 judges at once: errors": "0",
    "50 judges at once: acknowledged, median, ms": "",
    "start, s": "",
}


class Client:
    """One connection that is kept."""

    def __init__(self, port: int, token: str = "") -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self._headers = {"authorization": f"Bearer {token}"} if token else {}

    def ask(self, path: str) -> dict[str, Any]:
        self._connection.request("GET", path, headers=self._headers)
        answer = self._connection.getresponse()
        text = answer.read()
        if answer.status != 200:
            raise OSError(f"{path}: {answer.status} {text[:200]!r}")
        return json.loads(text) if text.startswith(b"{") else {}

    def send(self, path: str, told: dict[str, Any]) -> dict[str, Any]:
        headers = self._headers | {"content-type": "application/json"}
        self._connection.request("POST", path, json.dumps(told), headers)
        answer = self._connection.getresponse()
        text = answer.read()
        if answer.status != 200:
            raise OSError(f"{path}: {answer.status} {text[:200]!r}")
        found: dict[str, Any] = json.loads(text)
        return found


def make_matches(players: int, matches: int) -> list[dict[str, float]]:
    """Draw matches: strengths, who meets whom, and scores to one digit."""
    rng = np.random.default_rng(0)
    x = rng.normal(0, 2, players)
    a = rng.integers(0, players, matches)
    b = (a + rng.integers(1, players, matches)) % players
    margin = x[a] - x[b] + rng.normal(0, 1.5, matches)
    high, low = (np.maximum(0, 5 + side * margin / 2).round(1) for side in (1, -1))
    rows = zip(a.tolist(), b.tolist(), high.tolist(), low.tolist(), strict=True)
    return [{f"player {i}": s, f"player {j}": t} for i, j, s, t in rows]


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def served(command: list[str], port: int) -> Iterator[float]:
    """Start a server; yield the seconds until it was ready."""
    began = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        while True:
            try:
                Client(port).ask("/ready")
                break
            except OSError:
                if process.poll() is not None or time.perf_counter() - began > 600:
                    raise SystemExit(f"{command}: did not start") from None
                time.sleep(0.05)
        yield time.perf_counter() - began
    finally:
        process.terminate()
        process.wait()


def milliseconds(action: Callable[[], Any]) -> float:
    began = time.perf_counter()
    action()
    return 1000 * (time.perf_counter() - began)


def crowd(port: int, tokens: list[str], act: Callable[[Client, int, int], Any]) -> dict[str, Any]:
    """Let everybody act at once, some times each; count what failed."""
    took: list[float] = []
    failed: list[str] = []
    ready = threading.Barrier(len(tokens))

    def run(number: int) -> None:
        client = Client(port, tokens[number])
        ready.wait()
        for turn in range(EACH):
            try:
                took.append(milliseconds(lambda turn=turn: act(client, number, turn)))
            except OSError as error:
                failed.append(str(error))

    threads = [threading.Thread(target=run, args=(k,)) for k in range(len(tokens))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        print(failed[0], file=sys.stderr)
    return {"errors": len(failed), "acknowledged, median, ms": statistics.median(took or [0])}


def requests_a_second(port: int, path: str, seconds: float = 8.0, clients: int = 4) -> float:
    counts = [0] * clients
    end = time.perf_counter() + seconds

    def run(k: int) -> None:
        client = Client(port)
        while time.perf_counter() < end:
            client.ask(path)
            counts[k] += 1

    threads = [threading.Thread(target=run, args=(k,)) for k in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(counts) / seconds


def measure(port: int, tokens: list[str], *, waits: bool, settle: float) -> dict[str, float]:
    """Measure one server: what is posted is random, and the same for all."""
    rng = np.random.default_rng(1)
    names = [f"player {i}" for i in range(40)]
    Client(port, tokens[0]).ask("/api/predict?who=player%201&who=player%202")
    time.sleep(settle)  # what is refreshed behind for the first time is not what is measured
    client, posted = Client(port, tokens[0]), iter(range(10**9))

    def match(label: str) -> dict[str, Any]:
        a, b = rng.choice(len(names), 2, replace=False)
        scores = rng.integers(0, 9, 2).tolist()
        return {"contest": label, "results": {names[a]: scores[0], names[b]: scores[1]}}

    def post() -> int:
        event: int = client.send("/api/contests", match(f"new {next(posted)}"))["event"]
        return event

    found: dict[str, float] = {}
    acknowledged, until, forecast = [], [], []
    for _ in range(100):
        acknowledged.append(milliseconds(post))
        forecast.append(
            milliseconds(lambda: client.ask("/api/predict?who=player%201&who=player%203"))
        )
        time.sleep(0.1)
    for _ in range(30):
        began = time.perf_counter()
        event = post()
        client.ask(f"/api/board?top=1&event={event}" if waits else "/api/board?top=1")
        until.append(1000 * (time.perf_counter() - began))
        time.sleep(0.1)
    found["post acknowledged, median, ms"] = statistics.median(acknowledged)
    found["in the ratings after, median, ms"] = statistics.median(until)
    found["in the ratings after, slowest, ms"] = max(until)
    found["pair forecast right after a post, median, ms"] = statistics.median(forecast)
    found["board, first 50, requests/s"] = requests_a_second(port, "/api/board?top=50")
    found["board, everybody, requests/s"] = requests_a_second(port, "/api/board")
    if waits:
        found["board as a page, requests/s"] = requests_a_second(port, "/")
    told = crowd(
        port, tokens, lambda one, k, turn: one.send("/api/contests", match(f"w{k}.{turn}"))
    )
    found |= {f"{WRITERS} writers at once: {name}": value for name, value in told.items()}
    return found


def judge(folder: Path) -> dict[str, float]:
    """Let judges give graded comparisons of 30 items, all at once."""
    place, port = folder / "panel.db", free_port()
    with League.open(place) as league:
        made = Tokens(league.store)
        tokens = [made.make("judge", f"Judge {k}") for k in range(WRITERS)]
    command = [sys.executable, "-m", "qrja", "serve", "run", str(place), "--port", str(port)]

    def act(client: Client, number: int, turn: int) -> None:
        a = (7 * number + turn) % 30
        pair = {"a": f"item {a}", "b": f"item {(a + 1 + turn) % 30}", "y": (number + turn) % 5 - 2}
        client.send("/api/judgments", pair)
        client.ask("/api/board?top=5")

    with served([*command, "--quiet", "--per-minute", "100000"], port):
        told = crowd(port, tokens, act)
    return {f"{WRITERS} judges at once: {name}": value for name, value in told.items()}


def run(players: int, matches: int) -> dict[str, Any]:
    history = make_matches(players, matches)
    with tempfile.TemporaryDirectory(prefix="qrja-serving-") as folder:
        place, port = Path(folder, "league.db"), free_port()
        rows = [(f"match {k}", *it) for k, one in enumerate(history) for it in one.items()]
        with League.open(place) as league:
            league.add(rows)
            made = Tokens(league.store)
            tokens = [made.make("organiser", f"Writer {k}") for k in range(WRITERS)]
        command = [sys.executable, "-m", "qrja", "serve", "run", str(place), "--port", str(port)]
        with served([*command, "--quiet", "--per-minute", "100000"], port) as start:
            qrja = measure(port, tokens, waits=True, settle=60.0) | {"start, s": start}
        qrja |= judge(Path(folder))
        told = Path(folder, "matches.json")
        told.write_text(json.dumps(history), encoding="utf-8")
        port = free_port()
        twin = [sys.executable, str(HERE / "openskill_twin.py"), str(told)]
        with served([*twin, str(Path(folder, "twin.db")), str(port)], port) as start:
            other = measure(port, [""] * WRITERS, waits=False, settle=1.0) | {"start, s": start}
    return {
        "machine": machine(),
        "players": players,
        "matches": matches,
        "rows": [
            {"measure": name, "goal": goal, "qrja": qrja.get(name), "openskill": other.get(name)}
            for name, goal in GOALS.items()
        ],
    }


def section(told: dict[str, Any]) -> str:
    """Return the results as a part of docs/benchmarks.md."""
    lines = [
        "## A league behind HTTP\n",
        f"{told['matches']:,} matches of {told['players']:,} players, client and server on the same"
        f" cores ({told['machine']}), by `benchmarks/serving.py`. openskill is behind the same API,"
        " in memory with an SQLite table beside; it updates two ratings a match, and has neither"
        " margins nor intervals. Both write a board once for all who ask, until the next result."
        " The forecast right after a post is by the ratings that are there at that moment, and its"
        " answer says as of which event they are.\n",
        "| | goal | qrja | openskill |",
        "|---|---|---:|---:|",
    ]
    for row in told["rows"]:
        shown = ["" if row[it] is None else f"{row[it]:,.3g}" for it in ("qrja", "openskill")]
        lines.append(f"| {row['measure']} | {row['goal']} | {shown[0]} | {shown[1]} |")
    return "\n".join([*lines, ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=2000)
    parser.add_argument("--matches", type=int, default=100_000)
    asked = parser.parse_args()
    told = run(asked.players, asked.matches)
    print(section(told))
    if (asked.players, asked.matches) == (2000, 100_000):
        path = RESULTS / "serving.json"
        path.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
        from run import PAGE, page

        PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
