"""The report's languages: all that can reach a page has a phrase in each, and is said so."""

from __future__ import annotations

import ast
import io
import re
from functools import cache
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

import qrja
from qrja.report import make_report
from qrja.report.phrases import LANGUAGES, NOUNS, find_book, list_tables, localise, read_phrases
from qrja.speech import Count, Noun, Numeral, Sentence

OTHERS = LANGUAGES[1:]
SOURCE = Path(qrja.__file__).parent
PART = re.compile(r"\{([a-z_]\w*)(?:![rs])?(?::[^{}]*)?\}")
FOLDER = files("qrja.report") / "page"
KINDS = {"repeated meetings", "triangles", "cycles of 4 and 5", "longer cycles"}
"""Parts of a misfit, which are called so in ``qrja.ratings.consistency``."""
NAMED = KINDS | {"central", "greatest", "optimal", "inexact", "local", "Reading"}
"""Said by their names in other rooms."""
ROLES = {"contest", "contestant", "score", "date", "judge", "weight", "study", "home", "away"}
ROLES |= {"home score", "away score", "label", "ratio", "topic"}
IN_VARIABLES = {
    "No back-test was made: qrja report --backtest makes one.",
    "No back-test was made, for it would take long: qrja report --backtest makes one.",
    "a square table: a cell says how its row compares with its column, as margins",
    "a square table: a cell says how its row compares with its column, as ratios",
    "No method predicts the margins better than predicting none.",
    "the parts below add up to it exactly",
    "by least absolute deviations",
    '; --judge "" (judge="" in Python) takes each contest by itself',
    '; --judge "" (judge="" in Python) takes each judgment by itself',
}
"""Sentences without parts that are chosen between before they are said."""
SAME = re.compile(r"qrja \d.*|[AB]|.*\.csv|[^ ]*")
"""What is the same in every language: versions, letters, single names."""


@cache
def written() -> dict[str, str]:
    """Return the templates that stand in the code, and the file of each."""
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        code = path.read_text(encoding="utf-8")
        if "qrja.speech import" not in code and "either(" not in code:
            continue
        tree = ast.parse(code)
        formatted = {id(it) for node in walk(tree, ast.JoinedStr) for it in ast.walk(node)}
        documented = {id(node.value) for node in walk(tree, ast.Expr)}
        said = {
            id(it)
            for call in walk(tree, ast.Call)
            if ast.unparse(call.func).split(".")[-1] in ("Sentence", "either")
            for argument in call.args
            for it in ast.walk(argument)
        }
        for node in walk(tree, ast.Constant):
            text = node.value
            if not isinstance(text, str) or id(node) in formatted | documented:
                continue
            if (PART.search(text) or id(node) in said) and re.search("[A-Za-z]", bare(text)):
                found[text] = path.name
    return found


def walk(tree: ast.AST, kind: type) -> list:
    return [node for node in ast.walk(tree) if isinstance(node, kind)]


def bare(template: str) -> str:
    return PART.sub("", template)


def scripts() -> str:
    return "".join(it.read_text("utf-8") for it in FOLDER.iterdir() if it.name.endswith(".js"))


def phrases() -> dict[str, dict[str, str]]:
    return {english: said for name in list_tables() for english, said in read_phrases(name).items()}


def test_all_that_is_said_has_a_phrase() -> None:
    missing = {text: name for text, name in written().items() if text not in phrases()}
    assert not missing, f"put these into a table of report/page/phrases: {missing}"


def test_all_that_the_scripts_say_has_a_phrase() -> None:
    literals = re.findall(r'"((?:[^"\\\n]|\\.)*)"', re.sub(r"(?m)^\s*(//|/?\*).*$", "", scripts()))
    sentences = {it for it in literals if re.search(r"[A-Za-z]{2,}\)? \(?[a-z{]", it)}
    code = {it for it in sentences if re.match(r"\.|system-ui|\(prefers", it)}
    nouns = read_phrases(NOUNS).keys()
    missing = sentences - code - phrases().keys() - nouns - {"a report loads nothing", "name long"}
    assert not missing, f"put these into report/page/phrases/page.txt: {missing}"


def test_no_phrase_is_left_over() -> None:
    parts = [FOLDER / "report.html", FOLDER / "head.html", FOLDER / "panel.html"]
    parts.append(SOURCE / "report" / "page.py")
    page = "".join([scripts(), *(part.read_text("utf-8") for part in parts)])
    written_by_hand = phrases().keys() - written().keys() - NAMED - ROLES - IN_VARIABLES
    for english in written_by_hand:
        used = re.search(rf'[>\["|(]{re.escape(english)}\s*[<\]"|]', " ".join(page.split()))
        title = english in {"Categories", *qrja_metrics()}
        assert used or title, f"{english!r} stands nowhere"


def qrja_metrics() -> set[str]:
    from qrja.backtesting.bars import METRICS

    return set(METRICS.values())


@pytest.mark.parametrize("language", OTHERS)
def test_phrases_are_whole(language: str) -> None:
    for english, said in phrases().items():
        assert said.get(language, "").strip(), f"{english!r} has no phrase in {language}"
        assert set(PART.findall(said[language])) <= set(PART.findall(english)), english
    for english, forms in read_phrases(NOUNS).items():
        assert len(forms[language].split(", ")) == (3 if language == "de" else 2), english


def test_a_phrase_stands_in_one_table() -> None:
    tables = [set(read_phrases(name)) for name in list_tables()]
    assert sum(map(len, tables)) == len(set().union(*tables))


@pytest.mark.parametrize("language", OTHERS)
def test_what_is_counted_has_a_noun(language: str) -> None:
    nouns = find_book(language).nouns
    for path in (*SOURCE.glob("ratings/trust/*.py"), *SOURCE.glob("tables/**/*.py")):
        counted = r'count\([^()]*(?:\([^()]*\))*[^()]*, "([a-z ]+)"\)'
        for noun in re.findall(counted, path.read_text()):
            assert noun in nouns, f"{path.name}: {noun}"


def test_counts_numbers_and_names_in_a_sentence() -> None:
    said = Sentence(
        "The most surprising result: {result}, {times:.1f} times the usual error; {many} of {all:,}"
        " {many:is/are} beyond {far:g} times.",
        result=Sentence(
            "{who} did {by} better than expected in {where}", who="Rank", by="1:04", where="X"
        ),
        times=1.72,
        many=Count(1, "result"),
        all=12345,
        far=4.0,
    )
    assert find_book("de").say(said) == (
        "Das überraschendste Ergebnis: Rank war in X um 1:04 besser als erwartet, das 1,7-Fache des"
        " üblichen Fehlers; 1 Ergebnis von 12.345 liegt jenseits des 4-Fachen."
    )
    assert find_book("fr").say(Count(0, "contest")) == "0 épreuve"
    assert find_book("es").say(Count(0, "contest")) == "0 pruebas"
    german = find_book("de").say
    assert german(Sentence("in {many}", many=Count(3, "contest"))) == "in 3 Wettkämpfen"
    assert german(Sentence("{words} {shown}", words=Noun("line", 2), shown="3")) == "Zeilen 3"
    assert find_book("en").say(said) == said
    assert [localise("12,345.6%", it) for it in LANGUAGES] == [
        "12,345.6%", "12.345,6\u00a0%", "12\u202f345,6\u202f%", "12.345,6\u00a0%",
    ]  # fmt: skip
    assert find_book("fr").say(Numeral("-0.5")) == "-0,5"


def test_a_sentence_survives_copies() -> None:
    import copy
    import pickle

    said = Sentence("{who} met nobody", who=Count(2, "contestant"))
    for again in (copy.deepcopy(said), pickle.loads(pickle.dumps(said))):
        assert again == said
        assert find_book("de").say(again) == "2 Teilnehmer trafen auf niemanden"


class Texts(HTMLParser):
    """All texts of a page that are seen, and labels that are read out."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.hidden = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.hidden = tag in ("script", "style")
        self.found += [value for name, value in attrs if name in ("aria-label", "title") and value]

    def handle_endtag(self, tag: str) -> None:
        self.hidden = False

    def handle_data(self, data: str) -> None:
        if not self.hidden and data.strip():
            self.found.append(" ".join(data.split()))


def texts(page: str) -> list[str]:
    parser = Texts()
    parser.feed(page)
    return parser.found


def races() -> dict:
    rng = np.random.default_rng(1)
    rows = [
        f"Lauf {k},{name},{3000 + 60 * i + rng.integers(-200, 200)},2026-0{k + 1}-11,{k % 3}"
        for k in range(8)
        for i, name in enumerate("abcdefg")
        if rng.random() < 0.8
    ]
    text = "\n".join(
        [
            "race,runner,score,date,weight",
            *rows,
            "Lauf 9,A,DNF,2026-09-11,1",
            "Lauf 9,x,9,2026-09-11,1",
        ]
    )
    table = qrja.read_table(io.BytesIO(text.encode()))
    tried = qrja.backtest(table.problem, ["qrja-l2", "mean"])
    return {
        "ratings": qrja.fit(table),
        "summary": table.summary,
        "backtest": tried.to_dict(),
        "start_list": ["a", "b"],
    }


def judgments() -> dict:
    rng = np.random.default_rng(2)
    rows = [
        f"{a},{b},{rng.choice(['A>>B', 'A>B', 'A=B', 'B>A'])},{judge}"
        for judge in ("Ann", "Bea", "Cid", "Dan")
        for a in "pqrst"
        for b in "pqrst"
        if a < b
    ]
    table = qrja.read_table(
        io.BytesIO("\n".join(["a,b,verdict,judge", *rows, "p,p,A>B,Ann"]).encode())
    )
    return {"ratings": qrja.fit(table), "summary": table.summary}


def wide() -> dict:
    rng = np.random.default_rng(3)
    rows = [
        f"task{k}," + ",".join(f"{v:.1f}" for v in rng.normal(50, 9 * 3**k, 5)) for k in range(9)
    ]
    table = qrja.read_table(io.BytesIO("\n".join(["task,m1,m2,m3,m4,m5", *rows]).encode()))
    return {"ratings": qrja.fit(table), "summary": table.summary}


def apart() -> dict:
    judged = qrja.Judgments.from_arrays("abdee", "bceff", [1, 2, 1, 3, 3], se=[1, 1, 1, 0.1, 0.1])
    return {"ratings": qrja.fit(judged)}


def least_absolute() -> dict:
    judged = qrja.Judgments.from_arrays("AABA", "BBCC", [-1, 10, 1, 8])
    return {"ratings": qrja.fit(judged, p=1)}


@pytest.mark.parametrize("made", [races, judgments, wide, apart, least_absolute])
def test_no_sentence_of_a_page_stays_english(made) -> None:
    options = made()
    ratings = options.pop("ratings")
    english = set(texts(make_report(ratings, resamples=20, **options)))
    for language in OTHERS:
        said = texts(make_report(ratings, language=language, resamples=20, **options))
        same = {text for text in said if text in english and not SAME.fullmatch(text)}
        assert not same, f"{language}: {same}"
        assert not [text for text in said if re.search(r"\b(the|of|is|are|and|with)\b", text)]


def test_what_the_fit_tells_itself_is_said_too() -> None:
    ratings = qrja.fit(qrja.Judgments.from_arrays("AAB", "BBC", [-1, 10, 1]), p=1)
    told = find_book("de").say(ratings.explain("A", "B").text())
    assert "(nach kleinsten absoluten Abweichungen; jeder Unterschied von" in told
    assert "\nWarum:\n  nicht weniger, denn" in told
    assert told in make_report(ratings, language="de", resamples=20).replace("\\n", "\n")
