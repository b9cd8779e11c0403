"""The report: what is in the page, what cannot get into it, and how large it is."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import qrja
from qrja.cli import run
from qrja.ratings import chance
from qrja.ratings.words import percent
from qrja.report import make_report, write_report
from qrja.report.page import as_script_json
from qrja.report.phrases import script_phrases

NASTY = [
    "<script>alert(1)</script>",
    "</script><script>alert(2)</script>",
    "<img src=x onerror=alert(3)>",
    'Bobby\'); DROP TABLE "x" & <!--',
    "line\u2028separators\u2029",
    "$policy ${data}",
]
BACKTEST: dict[str, Any] = {
    "rules": "fair",
    "rules_say": "Each contest is predicted from the earlier ones.",
    "contests": 3,
    "rankers": {
        name: {
            "ordinal_accuracy": 0.7,
            "quantitative_l1": loss,
            "relative_to_zero": {"quantitative_l1": loss / 2},
            "standard_error": {"ordinal_accuracy": 0.01, "quantitative_l1": 0.1},
        }
        for name, loss in {"mean": 1.5, "<b>qrja</b>": 1.0}.items()
    },
}


class Page(HTMLParser):
    """Tags, the contents of script and style elements, and the text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.raw: list[tuple[str, dict[str, str | None], str]] = []
        self.inside = False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag in ("script", "style"):
            self.raw.append((tag, dict(attrs), ""))
            self.inside = True

    def handle_endtag(self, tag: str) -> None:
        self.inside = False

    def handle_data(self, data: str) -> None:
        if self.inside:
            tag, attrs, text = self.raw[-1]
            self.raw[-1] = (tag, attrs, text + data)

    def data(self) -> dict[str, Any]:
        [text] = [text for _, attrs, text in self.raw if attrs.get("id") == "data"]
        found: dict[str, Any] = json.loads(text)
        return found


def races(names: list[str], count: int = 8) -> qrja.Contests:
    rng = np.random.default_rng(1)
    rows = [
        (c, name, float(rng.normal(-i, 1))) for c in range(count) for i, name in enumerate(names)
    ]
    contest, who, score = zip(*rows, strict=True)
    days = np.datetime64("2026-05-01") + np.array(contest)
    return qrja.Contests.from_arrays(contest, who, score, days)


@pytest.fixture(scope="module")
def page() -> str:
    return make_report(qrja.fit(races(NASTY)), title=NASTY[0], source=NASTY[1], backtest=BACKTEST)


def test_nothing_from_the_data_becomes_markup(page: str) -> None:
    plain = make_report(qrja.fit(races(list("abcdef"))), backtest=BACKTEST)
    assert [tag for tag, _ in Page(page).tags] == [tag for tag, _ in Page(plain).tags]
    assert not any(name.startswith("on") for _, attrs in Page(page).tags for name in attrs)
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert sorted(Page(page).data()["names"]) == sorted(NASTY)


def test_json_in_a_script_element() -> None:
    text = as_script_json(NASTY)
    assert not set("<>&\u2028\u2029") & set(text)
    assert json.loads(text) == NASTY


def test_policy_names_every_script_and_the_style(page: str) -> None:
    parsed = Page(page)
    [policy] = [
        attrs["content"] or ""
        for tag, attrs in parsed.tags
        if attrs.get("http-equiv") == "Content-Security-Policy"
    ]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    assert "unsafe" not in policy
    for kind in ("script", "style"):
        run_here = [t for tag, attrs, t in parsed.raw if tag == kind and "type" not in attrs]
        hashes = [base64.b64encode(hashlib.sha256(t.encode()).digest()).decode() for t in run_here]
        assert rules[f"{kind}-src"].split() == [f"'sha256-{it}'" for it in hashes]


def test_nothing_is_loaded(page: str) -> None:
    for tag, attrs in Page(page).tags:
        assert tag not in ("link", "iframe", "img", "object", "embed", "base")
        assert "src" not in attrs
        assert "style" not in attrs
        assert (attrs.get("href") or "#").startswith("#")


def test_every_label_and_fragment_has_its_target(page: str) -> None:
    tags = Page(page).tags
    ids = [attrs["id"] for _, attrs in tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    for _, attrs in tags:
        for name in ("href", "aria-labelledby", "list"):
            target = (attrs.get(name) or "").removeprefix("#")
            assert not target or target in ids


def test_the_scripts_use_elements_that_exist(page: str) -> None:
    ids = {attrs["id"] for _, attrs in Page(page).tags if "id" in attrs}
    own = Page(page).raw[-1][2]
    used = set(re.findall(r'byId\("([\w-]+)"\)', own))
    assert len(used) > 20
    assert used <= ids


def test_same_input_same_bytes(page: str) -> None:
    again = make_report(qrja.fit(races(NASTY)), title=NASTY[0], source=NASTY[1], backtest=BACKTEST)
    assert again == page


def test_another_seed_gives_other_intervals() -> None:
    ratings = qrja.fit(races(list("abc")))
    boards = [Page(make_report(ratings, seed=seed)).data()["board"] for seed in (0, 1)]
    assert boards[0]["rating"] == boards[1]["rating"]
    assert boards[0]["low"] != boards[1]["low"]


def test_the_data_are_those_of_the_ratings(page: str) -> None:
    ratings = qrja.fit(races(NASTY))
    data, table = Page(page).data(), ratings.table(kind="dict")
    assert data["names"] == table["contestant"]
    assert data["board"]["rank"] == table["rank"]
    for name in ("rating", "low", "high"):
        np.testing.assert_allclose(data["board"][name], table[name], rtol=1e-8)
    assert data["board"]["tied"] == [int(tied) for tied in table["tied_for_first"]]
    assert len(data["hubs"]["who"]) == ratings.problem.entries
    assert [values[-1] for values in data["history"]["rating"]] == pytest.approx(
        table["rating"], rel=1e-4
    )


def test_without_dates_nothing_is_told_of_time() -> None:
    tasks = qrja.Contests.from_arrays([1, 1, 2, 2, 3, 3], "abbcca", [3, 1, 2, 0, 5, 6])
    data = Page(make_report(qrja.fit(tasks))).data()
    assert data["history"] is None
    assert "last" not in data["board"]


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node, which runs the page's code")
def test_the_page_writes_shares_and_chances_as_the_command_line_does() -> None:
    values = [0.0, 0.001, 0.005, 0.0051, 0.01, 0.125, 0.375, 0.5, 0.985, 0.994, 0.996, 0.9999, 1.0]
    folder = Path(qrja.__file__).parent / "report" / "page"
    parts = "".join((folder / f"{name}.js").read_text("utf-8") for name in ("speech", "units"))
    words = json.dumps(script_phrases("en"))
    code = (
        f'const report = {{ units: {{ kind: "number", decimals: 2 }}, words: {words} }};'
        f"const board = {{ rating: [0] }}; {parts};"
        f"console.log(JSON.stringify({values}.map((v) => [percent(v), chance(v)])))"
    )
    done = subprocess.run(["node", "-e", code], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [[percent(value), chance(value)] for value in values]


def test_margins_survive_the_numbering_by_rank(page: str) -> None:
    data, contests = Page(page).data(), races(NASTY)
    first = contests.to_judgments()
    expected = {
        (str(contests.names[a]), str(contests.names[b])): y
        for a, b, y in zip(first.a[:15], first.b[:15], first.y[:15], strict=True)
    }
    size = data["hubs"]["size"][0]
    names = [data["names"][i] for i in data["hubs"]["who"][:size]]
    score = dict(zip(names, data["hubs"]["score"][:size], strict=True))
    for (a, b), y in expected.items():
        assert score[a] - score[b] == pytest.approx(y, rel=1e-6, abs=1e-7)


def test_verdict_findings_and_origin_are_text(page: str) -> None:
    trust = qrja.fit(races(list("abcdef"))).trust()
    plain = make_report(qrja.fit(races(list("abcdef"))), checksum="c0ffee", seed=7)
    for text in [trust.verdict, *(finding.sentence for finding in trust.findings)]:
        assert text.replace("&", "&amp;") in plain
    assert "sha256 of the input: c0ffee" in plain
    assert "p = 2" in plain
    assert "seed 7" in plain
    assert f"qrja {qrja.__version__}" in plain
    assert "relative gap of" in plain
    assert "sha256 of the results: " in page
    assert "rules: fair. Each contest is predicted" in page


def test_backtest_is_left_out_unless_given(page: str) -> None:
    without = make_report(qrja.fit(races(list("abc"))))
    assert Page(without).data()["backtest"] is None
    assert "No back-test was made: qrja backtest compares methods on these data." in without
    judged = qrja.fit(qrja.Judgments.from_arrays("ab", "bc", [1, 2]))
    assert "Too long &lt;b&gt;" in make_report(judged, no_backtest="Too long <b>")
    metrics = Page(page).data()["backtest"]["metrics"]
    assert metrics["Pairs in the right order"][0] == {"ranker": "mean", "value": 0.7, "error": 0.01}
    assert metrics["Error of the margins, relative to predicting none"][1] == {
        "ranker": "mean",
        "value": 0.75,
        "error": pytest.approx(0.05),
    }


def test_progress_is_told() -> None:
    told: list[tuple[str, int, int]] = []
    make_report(qrja.fit(races(list("abc"))), progress=lambda *how_far: told.append(how_far))
    assert ("resampling", 200, 200) in told
    assert told[-1] == ("the past", 8, 8)


def test_a_backtest_of_another_shape_is_refused() -> None:
    with pytest.raises(qrja.InputError, match=r"no 'rankers'; give what Backtest.to_dict\(\)"):
        make_report(qrja.fit(races(list("abc"))), backtest={"mean": 0.7})


def test_each_judgment_is_counted_once() -> None:
    judged = qrja.Judgments.from_arrays("abc" * 5, "bca" * 5, range(15))
    noise = Page(make_report(qrja.fit(judged))).data()["noise"]
    assert noise["errors"] == 15


def test_too_few_results_are_said_not_hidden() -> None:
    judged = qrja.Judgments.from_arrays("ab", "bc", [1, 2])
    page = make_report(qrja.fit(judged))
    data = Page(page).data()
    assert "low" not in data["board"]
    assert data["history"] is None
    assert data["noise"] is None
    assert "none: an interval asked of 2 judgments" in page


def test_other_losses_are_explained_for_the_leaders() -> None:
    ratings = qrja.fit(races(list("abc")), p=1)
    data = Page(make_report(ratings)).data()
    assert not data["exact"]
    assert set(data["told"]) == {"0,1", "0,2", "1,2"}
    first, second = data["names"][:2]
    assert data["told"]["0,1"] == ratings.explain(first, second).text()
    assert Page(make_report(qrja.fit(races(list("abc"))))).data()["told"] == {}


def test_anchors_that_appear_later_do_not_stop_the_history() -> None:
    days = np.datetime64("2026-05-01") + np.array([1, 1, 2, 2, 3, 3])
    contests = qrja.Contests.from_arrays(days, "abbcca", [3, 1, 2, 0, 5, 6], days)
    data = Page(make_report(qrja.fit(contests, anchors={"c": 100.0}))).data()
    assert data["history"]["rating"][data["names"].index("c")] == [100.0, 100.0]


@pytest.mark.parametrize(
    ("option", "words"), [({"level": 2}, "level is 2"), ({"seed": -1}, "seed is -1")]
)
def test_wrong_wishes_are_errors(option: dict[str, Any], words: str) -> None:
    with pytest.raises(qrja.InputError, match=words):
        make_report(qrja.fit(races(list("abc"))), **option)


def test_a_large_report_is_small() -> None:
    rng = np.random.default_rng(0)
    contest = np.repeat(np.arange(1500), 20)
    who = np.concatenate([rng.choice(5000, 20, replace=False) for _ in range(1500)])
    contests = qrja.Contests.from_arrays(
        [f"race {c} of the season" for c in contest],
        [f"contestant number {i}" for i in who],
        rng.normal(size=30000) - who / 1000,
    )
    page = make_report(qrja.fit(contests), resamples=50)
    assert len(page.encode()) < 5_000_000


def test_the_command_writes_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "races.csv"
    table.write_text("race,runner,time\nA,<b>Ann</b>,40:00\nA,Bob,48:00\nB,Bob,42:00\nB,Cid,DNF\n")
    out = tmp_path / "races.html"
    assert run(["report", str(table), "-o", str(out), "--json"]) == 0
    shown = capsys.readouterr()
    assert json.loads(shown.out) == {"report": str(out), "bytes": out.stat().st_size}
    page = out.read_text(encoding="utf-8")
    assert "<title>Ratings: races.csv</title>" in page
    assert hashlib.sha256(table.read_bytes()).hexdigest() in page
    assert "left out 1 row: DNF (line 5)" in page
    assert Page(page).data()["units"]["kind"] == "time"
    assert "&lt;b&gt;Ann&lt;/b&gt;" in page


def test_a_page_needs_its_ending(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["report", "dataset:marathons", "-o", str(tmp_path / "page.pdf")]) == 2
    assert "a report is an HTML page; end its name with .html" in capsys.readouterr().err
    with pytest.raises(qrja.InputError, match="end its name with"):
        write_report(qrja.fit(races(list("abc"))), tmp_path / "page.txt")


def test_judgments_with_dates_have_a_past() -> None:
    days = np.datetime64("2026-01-01") + np.arange(12)
    judged = qrja.Judgments.from_arrays("cab" * 4, "abd" * 4, np.arange(12.0) % 5, date=days)
    data = Page(make_report(qrja.fit(judged))).data()
    past = data["history"]
    assert past["when"][2] == "2026-01-03"
    ratings = [values[-1] for values in past["rating"]]
    assert ratings == pytest.approx(data["board"]["rating"], rel=1e-4)
    early = qrja.fit(judged[:3])  # in which some have other numbers
    at = data["names"].index("d")
    assert past["rating"][at][past["point"][at].index(2)] == pytest.approx(
        early.solution.x[early.data.number["d"]], rel=1e-4
    )


def test_what_members_add_is_listed_as_text() -> None:
    riders = ["x", "<y>", "<y>", "x"] * 9
    races = qrja.Contests.from_arrays(
        [k for k in range(18) for _ in "ab"],
        "ab" * 18,
        [3, 1, 0, 2, 2, 0, 1, 1, 4, 0, 0, 3] * 3,
        covariates={"rider": riders},
    )
    page = make_report(qrja.fit(races, parts=["rider"]))
    board = page.split("<h3>What each rider adds</h3>")[1].split("</table>")[0]
    assert board.index(">x</td>") < board.index(">&lt;y&gt;</td>")
    assert board.count("<tr>") == 3 == board.count("95% interval") + 2
    assert board.count('<span class="narrow">') == 2  # on a phone, in the place of words
    assert "What each rider" not in make_report(qrja.fit(races))
