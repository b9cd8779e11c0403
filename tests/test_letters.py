"""Letters: what a terminal would obey is shown, in every face, and only there."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import qrja
from qrja.cli import output, run
from qrja.letters import cut, visible, visible_json

HOSTILE = "\x1b]0;x\x07Ann\u202e\x9b2J\n   9  Zoe"


@given(st.text())
def test_nothing_is_obeyed_and_the_rest_stays(text: str) -> None:
    shown = visible(text)
    assert all(unicodedata.category(letter) not in ("Cc", "Cs", "Zl", "Zp") for letter in shown)
    assert visible(shown) == shown
    assert len(visible(text, lines=True).split("\n")) == len(text.split("\n"))


@given(st.dictionaries(st.text(), st.text()))
def test_json_means_the_same(value: dict[str, str]) -> None:
    text = visible_json(json.dumps(value, ensure_ascii=False, indent=1))
    assert json.loads(text) == value
    assert visible(text, lines=True) == text


@given(st.text(), st.integers(20, 60))
def test_a_long_text_is_cut_in_its_middle(text: str, most: int) -> None:
    shown = cut(text, most)
    assert len(shown) <= most
    assert shown == text or (text.startswith(shown[:5]) and text.endswith(shown[-5:]))


@pytest.fixture
def races(tmp_path: Path) -> Path:
    results = [(HOSTILE, 1), ("Bob", 2), ("Cid", 5)] * 2
    rows = [
        {"race": f"{HOSTILE}{k // 3}", "runner": name, "score": score + k // 3 * k}
        for k, (name, score) in enumerate(results)
    ]
    path = tmp_path / "races.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "command",
    [["rank", "--no-intervals"], ["explain", "Bob", "Cid"], ["trust"], ["rank", "--json"]],
)
def test_no_command_lets_a_name_out(
    races: Path, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    name, *rest = command
    assert run([name, str(races), *rest]) == 0
    told = capsys.readouterr()
    assert visible(told.out + told.err, lines=True) == told.out + told.err
    assert "\\u202e" in told.out
    assert not any(line.startswith("   9  Zoe") for line in told.out.splitlines())
    if "--json" in command:
        assert json.dumps(HOSTILE) in json.dumps(json.loads(told.out))


def test_messages_and_files_that_are_called_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rank", "\x1bc\u202e.csv"]) == 2
    assert capsys.readouterr().err == "qrja: \\x1bc\\u202e.csv: no such file\n"
    assert str(qrja.InputError("\x1b[2J" + "x" * 9000 + "; rename it")).endswith("x; rename it")
    assert len(str(qrja.InputError("x" * 9000))) == 2000


def test_a_file_that_is_called_like_markup(monkeypatch: pytest.MonkeyPatch) -> None:
    import io
    import sys

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stderr", Terminal())
    with output.working("reading [/]\x1b.csv"):
        pass


def test_sentences_name_people_in_one_line() -> None:
    data = qrja.Judgments.from_arrays(["a\nb", "c"], ["c", "d\x1b"], [1, 2])
    ratings = qrja.fit(data)
    told = [ratings.explain("a\nb", "d\x1b"), ratings.suggest(1), ratings.trust()]
    for text in map(str, told):
        assert visible(text, lines=True) == text
        assert "a\nb" not in text
    picture = told[0].svg()  # type: ignore[attr-defined]
    assert "\x1b" not in picture


def test_trust_shows_the_letters_of_judges_and_contests() -> None:
    who, judges = list(range(5)) * 12, [HOSTILE, "Bea", "Cid"]
    score = [k * k % 7 + (k % 5) * (50 if k < 5 else 1) for k in range(60)]
    contest = [HOSTILE if k < 5 else str(k // 5) for k in range(60)]
    judge = [judges[k // 5 % 3] for k in range(60)]
    plain = qrja.Contests.from_arrays(contest, who, score)
    judged = qrja.Contests.from_arrays(contest, who, score, judge=judge)
    for races, kind in ((plain, "scales"), (judged, "judges")):
        sentence = qrja.fit(races).trust()[kind].sentence
        assert "\\x1b" in sentence
        assert visible(sentence) == sentence
