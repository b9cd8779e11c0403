"""Configs: a ``qrja.toml`` that came with the data may say how to read them, and nothing else.

It may not make a command write, delete or read another file, change saved ratings or keep silent.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import qrja
from fuzz.children import Ran, check_manners, command
from fuzz.kind import Case, Failure, Kind

RACES = "race,runner,score\nA,Ann,3\nA,Bob,2\nB,Ann,5\nB,Cid,1\n"
MORE = "race,runner,score\nC,Ann,1\nC,Bob,2\n"
SECRET = "a line of another file"
RUNS = {
    "rank": ["rank", "../data/races.csv", "--no-intervals"],
    "update": ["update", "l.qrja", "../data/more.csv", "--save", "new.qrja", "--json"],
    "predict": ["predict", "../data/races.csv"],
}
CASES: list[Case] = [
    {"what": "out", "run": "rank", "toml": '[rank]\nout = "../notes.md"\n'},
    {"what": "out", "run": "rank", "toml": 'out = "../notes.csv"\n'},
    {"what": "save", "run": "rank", "toml": '[rank]\nsave = "../notes.qrja"\n'},
    {"what": "quiet", "run": "rank", "toml": "quiet = true\n"},
    {"what": "remove", "run": "update", "toml": '[update]\nremove = ["A"]\n'},
    {"what": "correct", "run": "update", "toml": '[update]\ncorrect = ["A,Ann,99"]\n'},
    {"what": "a list", "run": "predict", "toml": '[predict]\nstart-list = "@../secret.txt"\n'},
    {"what": "no value", "run": "rank", "toml": "out = \n"},
    {"what": "bytes", "run": "rank", "toml": "\x00\x01"},
    {"what": "nested", "run": "rank", "toml": "[rank.out]\nx = 1\n"},
    {"what": "types", "run": "rank", "toml": "[rank]\np = [1]\nridge = {}\ntop = 'x'\n"},
    {"what": "depth", "run": "rank", "toml": f"x = {'[' * 3000}{']' * 3000}\n"},
]
WHOLE = """\
lower-is-better = true  # of all commands
[rank]
p = "1.5"
half-life = "20 contests"
top = 3
"""
CASES += [
    {"what": "its end cut off", "run": "rank", "toml": WHOLE[:length]}
    for length in range(len(WHOLE))
]


def check(case: Case) -> None:
    """Run a command from a folder beside the data, and files that are nobody's business."""
    with tempfile.TemporaryDirectory() as folder:
        home, data = Path(folder, "home"), Path(folder, "data")
        home.mkdir()
        data.mkdir()
        (data / "races.csv").write_text(RACES)
        (data / "more.csv").write_text(MORE)
        Path(folder, "secret.txt").write_text(SECRET)
        qrja.fit(
            qrja.Contests.from_arrays("AABB", ["Ann", "Bob", "Ann", "Cid"], [3, 2, 5, 1])
        ).save(home / "l.qrja")
        expected = _updated(home) if case["run"] == "update" else ""
        for place in (home, data):
            (place / "qrja.toml").write_text(case["toml"], encoding="utf-8")
        before = _files(folder)
        ran = command(RUNS[case["run"]], home)
        check_manners(ran, f"a config with {case['what']}")
        _check_effects(case, ran, before, folder, expected)


def _check_effects(
    case: Case, ran: Ran, before: dict[str, bytes], folder: str, expected: str
) -> None:
    what = f"a config with {case['what']}"
    after = {name: data for name, data in _files(folder).items() if name != "home/new.qrja"}
    if after != before:
        raise Failure(f"{what} writes files", sorted(after))
    if ran.code == 0 and not ran.err:
        raise Failure(f"{what} silences a command", case["toml"])
    if case["run"] == "update" and ran.code == 0 and ran.out != expected:
        raise Failure(f"{what} changes saved ratings", ran.out[:300])
    if SECRET in ran.out + ran.err:
        raise Failure(f"{what} reads another file", ran.err[-300:])


def _updated(home: Path) -> str:
    """Return what an update says without a config."""
    ran = command(RUNS["update"], home)
    (home / "new.qrja").unlink()
    return ran.out


def _files(folder: str) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(Path(folder).rglob("*"))
        if path.is_file()
    }


KIND = Kind(
    name="configs",
    about="a qrja.toml beside the data",
    listed=tuple(CASES),
    check=check,
    share=0.5,
    forks=True,
)
