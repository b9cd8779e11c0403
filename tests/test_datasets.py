import csv
import gzip
import importlib.util
import io
import json
import re
import tarfile
import zipfile
from collections import Counter, defaultdict
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import linprog

import qrja
from qrja import InputError, QRJAError
from qrja.datasets import (
    DATASETS,
    MARATHON_ORDERS,
    classifiers,
    columns,
    embedded_files,
    export,
    football,
    load,
    marathons,
)

ROOT = Path(__file__).parent.parent
FILES = Path(embedded_files.__file__).parent


# --- the files -------------------------------------------------------------------------------


def test_every_embedded_file_has_a_checksum_and_a_licence_note():
    present = {path.name for path in FILES.iterdir() if path.suffix in {".csv", ".gz"}}
    assert present == set(embedded_files.SHA256)
    noted = dict(re.findall(r"^\| `(\S+\.(?:csv|gz))` \|.*\| `(\w{64})` \|", licences(), re.M))
    assert noted == embedded_files.SHA256


def licences():
    return (ROOT / "DATA_LICENSES.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("file", embedded_files.SHA256)
@pytest.mark.parametrize("damage", [lambda b: b[:-9], lambda b: b[:-20] + b"x" * 20, lambda b: b""])
def test_damaged_file_is_an_error(file, damage, tmp_path, monkeypatch):
    (tmp_path / file).write_bytes(damage((FILES / file).read_bytes()))
    monkeypatch.setattr(embedded_files, "files", lambda package: tmp_path)
    with pytest.raises(QRJAError) as caught:
        embedded_files.read_columns(file)
    assert str(caught.value) == f"{file}: the embedded file is damaged; install qrja again"


def test_rows_counted_in_the_licence_note():
    noted = dict(re.findall(r"^\| `(\S+)` \| ([\d,]+) \|", licences(), re.MULTILINE))
    for file, rows in noted.items():
        table = embedded_files.read_columns(file)
        assert {len(column) for column in table.values()} == {int(rows.replace(",", ""))}


# --- the catalogue ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", DATASETS)
def test_sizes_are_counted(name):
    contests, sizes = load(name), DATASETS[name].sizes()
    judgments = contests.to_judgments()
    assert sizes == {
        "rows": len(next(iter(columns(name).values()))),
        "contests": len(contests.labels),
        "contestants": len(set(contests.names)),
        "entries": len(contests.score),
        "judgments": len(judgments.y),
        "components": len(set(judgments.components.tolist())),
    }


@pytest.mark.parametrize("name", DATASETS)
def test_entry_of_the_catalogue_is_filled(name):
    entry = DATASETS[name]
    assert entry.about
    assert "\n" not in entry.about
    assert entry.source
    assert entry.licence


def test_unknown_name():
    with pytest.raises(InputError) as caught:
        load("marathon")
    assert str(caught.value) == "no data set 'marathon'; did you mean 'marathons'?"
    with pytest.raises(InputError) as caught:
        columns("tennis")
    assert str(caught.value) == (
        "no data set 'tennis';"
        " choose one of football, classifiers, marathons, marathons-2, marathons-3"
    )


def test_datasets_is_a_public_module():
    assert qrja.datasets.football is football


@pytest.mark.parametrize("name", DATASETS)
@pytest.mark.parametrize("ending", [".csv", ".csv.gz", ".jsonl", ".parquet"])
def test_an_exported_set_reads_back_as_the_same_contests(name, ending, tmp_path):
    path = tmp_path / f"{name}{ending}"
    export(name, path)
    found, expected = qrja.read_contests(path), load(name)
    assert margins(found) == margins(expected)
    assert len(found) == len(expected)
    assert set(found.names) == set(expected.names)
    if expected.date is not None:
        assert found.date.tolist() == expected.date.tolist()


def margins(contests):
    """The judgments by name, however the contests are labelled."""
    j = contests.to_judgments()
    return Counter(
        (j.names[a], j.names[b], round(y, 9)) for a, b, y in zip(j.a, j.b, j.y, strict=True)
    )


def test_exporting_to_a_file_of_unknown_kind():
    with pytest.raises(InputError, match=r"^football\.xyz: the ending does not say how"):
        export("football", "football.xyz")


# --- football --------------------------------------------------------------------------------

CHAMPIONS = {
    ("Deutsche Bundesliga", 2013): ("FC Bayern Munchen", 90),
    ("Deutsche Bundesliga", 2014): ("FC Bayern Munchen", 79),
    ("Deutsche Bundesliga", 2015): ("FC Bayern Munchen", 88),
    ("Deutsche Bundesliga", 2016): ("FC Bayern Munchen", 82),
    ("English Premier League", 2013): ("Manchester City", 86),
    ("English Premier League", 2014): ("Chelsea", 87),
    ("English Premier League", 2015): ("Leicester City", 81),
    ("English Premier League", 2016): ("Chelsea", 93),
    ("Primera Division", 2013): ("Atletico", 90),
    ("Primera Division", 2014): ("Barcelona", 94),
    ("Primera Division", 2015): ("Barcelona", 91),
    ("Primera Division", 2016): ("R. Madrid", 93),
    ("Serie A", 2013): ("Juventus", 102),
    ("Serie A", 2014): ("Juventus", 87),
    ("Serie A", 2015): ("Juventus", 91),
    ("Serie A", 2016): ("Juventus", 91),
    ("Österreichische Bundesliga", 2013): ("FC RB Salzburg", 80),
    ("Österreichische Bundesliga", 2014): ("FC RB Salzburg", 73),
    ("Österreichische Bundesliga", 2015): ("FC RB Salzburg", 74),
    ("Österreichische Bundesliga", 2016): ("FC RB Salzburg", 81),
}
"""Who won each league and with how many points: written from memory, not from a cited source."""


@pytest.fixture(scope="module")
def matches():
    table = columns("football")
    return [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]


def season(match):
    day = date.fromisoformat(match["date"])
    return day.year if day.month >= 7 else day.year - 1


def played(matches):
    return [match for match in matches if match["home_goals"] is not None]


def test_the_four_rows_without_goals_repeat_a_scored_fixture(matches):
    missing = [match for match in matches if None in match.values()]
    assert len(missing) == 4
    for ghost in missing:
        assert ghost["home_goals"] is ghost["away_goals"] is None
        twins = [
            match
            for match in played(matches)
            if all(match[key] == ghost[key] for key in ("league", "home", "away"))
            and season(match) == season(ghost)
        ]
        assert len(twins) == 1
        for club in (ghost["home"], ghost["away"]):
            same_day = [m for m in played(matches) if m["date"] == ghost["date"]]
            assert any(club in (m["home"], m["away"]) for m in same_day)


def test_every_season_is_complete(matches):
    fixtures = Counter((m["league"], season(m), m["home"], m["away"]) for m in played(matches))
    for league, year in CHAMPIONS:
        clubs = {home for lg, yr, home, _ in fixtures if (lg, yr) == (league, year)}
        rounds = 2 if league == "Österreichische Bundesliga" else 1
        for home in clubs:
            for away in clubs - {home}:
                assert fixtures.pop((league, year, home, away)) == rounds
    assert not fixtures


def test_champions_and_their_points_come_out_as_remembered(matches):
    points = defaultdict(Counter)
    for m in played(matches):
        table, margin = points[m["league"], season(m)], m["home_goals"] - m["away_goals"]
        table[m["home"]] += 3 if margin > 0 else int(margin == 0)
        table[m["away"]] += 3 if margin < 0 else int(margin == 0)
    assert {key: table.most_common(1)[0] for key, table in points.items()} == CHAMPIONS


def test_no_club_plays_twice_on_a_day_and_four_pairs_of_matches_are_a_day_apart(matches):
    days = defaultdict(list)
    for match in played(matches):
        for club in (match["home"], match["away"]):
            days[club].append(date.fromisoformat(match["date"]))
    rests = [(b - a, b) for club in days for a, b in pairwise(sorted(days[club]))]
    assert min(rest for rest, _ in rests) == timedelta(days=1)
    assert [day for rest, day in rests if rest == timedelta(days=1)] == [date(2017, 1, 2)] * 4


def test_source_order_is_not_quite_time_order(matches):
    assert sum(a["date"] > b["date"] for a, b in pairwise(matches)) == 43


def test_some_dates_are_those_of_the_round(matches):
    days = defaultdict(set)
    for match in played(matches):
        days[match["league"], season(match)].add(match["date"])
    counts = [len(dates) for dates in days.values()]
    assert (min(counts), max(counts)) == (40, 125)


def test_goals_and_dates_are_plausible(matches):
    goals = [m[key] for m in played(matches) for key in ("home_goals", "away_goals")]
    assert (min(goals), max(goals)) == (0, 10)
    dates = [m["date"] for m in matches]
    assert (min(dates), max(dates)) == ("2013-07-20", "2017-05-28")
    assert "06" not in {day[5:7] for day in dates}


def test_components_are_the_leagues(matches):
    contests = football()
    leagues = {club: m["league"] for m in matches for club in (m["home"], m["away"])}
    pairs = set(zip(contests.components.tolist(), map(leagues.get, contests.names), strict=True))
    assert len(pairs) == len(set(leagues.values())) == 5
    assert sum(len({m["league"] for m in matches if club in m.values()}) for club in leagues) == 116


def test_football_contests_hold_the_played_matches_in_time_order(matches):
    contests = football()
    assert (contests.sizes == 2).all()
    assert (np.diff(contests.date) >= np.timedelta64(0)).all()
    who = [contests.names[i] for i in contests.who]
    found = {
        (label[:10], who[2 * i], who[2 * i + 1], *contests.score[2 * i : 2 * i + 2].tolist())
        for i, label in enumerate(contests.labels)
    }
    keys = ("date", "home", "away", "home_goals", "away_goals")
    assert found == {tuple(m[key] for key in keys) for m in played(matches)}
    assert [str(day)[:10] for day in contests.date] == [label[:10] for label in contests.labels]


# --- classifiers -----------------------------------------------------------------------------


def test_classifiers():
    contests = classifiers()
    assert sorted(contests.names) == ["FreshPRINCE", "HC2", "InceptionTime", "WEASEL-2.0"]
    assert Counter(contests.sizes.tolist()) == {4: 112, 1: 30}
    alone = contests.who[contests.sizes[contests.contest_of_entry] == 1]
    assert {contests.names[i] for i in alone} == {"WEASEL-2.0"}
    assert ((contests.score > 0) & (contests.score <= 1)).all()
    assert contests.date is None


def test_plain_mean_accuracy_misleads_about_weasel():
    # WEASEL-2.0 was also run on 30 data sets alone, which pull its mean from 0.8738 to 0.8574.
    contests = classifiers()
    weasel, inception = (
        {contests.contest_of_entry[e]: contests.score[e] for e in np.flatnonzero(contests.who == i)}
        for i in map(contests.names.index, ("WEASEL-2.0", "InceptionTime"))
    )
    plain = np.mean(list(inception.values())) - np.mean(list(weasel.values()))
    shared = np.mean([inception[contest] - weasel[contest] for contest in inception])
    assert plain == pytest.approx(0.0170, abs=5e-5)
    assert shared == pytest.approx(0.0005, abs=5e-5)


# --- marathons -------------------------------------------------------------------------------


def order(scores):
    """Write scores as an order: "Alice > Bob = Charlie"."""
    ranked = sorted(scores, key=lambda name: (-round(scores[name], 6), name))
    signs = (" > " if scores[a] - scores[b] > 1e-6 else " = " for a, b in pairwise(ranked))
    return ranked[0] + "".join(sign + name for sign, name in zip(signs, ranked[1:], strict=True))


def averages(contests, average):
    return {
        name: float(average(contests.score[contests.who == i]))
        for i, name in enumerate(contests.names)
    }


def qrja_scores(contests, p):
    """Solve QRJA by another road: least squares by lstsq, p = 1 as a linear program."""
    j = contests.to_judgments()
    difference = np.zeros((j.m, j.n))
    difference[np.arange(j.m), j.a], difference[np.arange(j.m), j.b] = 1, -1
    if p == 2:
        x = np.linalg.lstsq(difference, j.y)[0]
    else:
        slack = np.eye(j.m)
        x = linprog(
            np.r_[np.zeros(j.n), np.ones(j.m)],
            A_ub=np.block([[difference, -slack], [-difference, -slack]]),
            b_ub=np.r_[j.y, -j.y],
            bounds=[(0, 0), *[(None, None)] * (j.n - 1), *[(0, None)] * j.m],
        ).x[: j.n]
    return dict(zip(j.names, x.tolist(), strict=True))


@pytest.mark.parametrize("example", MARATHON_ORDERS)
def test_marathon_orders(example):
    contests = marathons(example)
    assert {
        "mean": order(averages(contests, np.mean)),
        "median": order(averages(contests, np.median)),
        "qrja": order(qrja_scores(contests, 2)),
    } == MARATHON_ORDERS[example]
    assert order(qrja_scores(contests, 1)) == MARATHON_ORDERS[example]["qrja"]
    solution = qrja.solve(contests, p=2)
    assert (
        order(dict(zip(solution.names, solution.x.tolist(), strict=True)))
        == (MARATHON_ORDERS[example]["qrja"])
    )


def test_marathon_examples_tell_what_they_say():
    # 1: Charlie, behind Bob where they met, has the better mean; he ran one race only.
    one = marathons(1)
    chicago = dict(zip([one.names[i] for i in one.who[-3:]], one.score[-3:], strict=True))
    assert chicago["Bob"] > chicago["Charlie"]
    assert np.bincount(one.who).tolist() == [3, 3, 1]
    # 2: Alice and Charlie never met, and both met Bob.
    two = marathons(2).to_judgments()
    met = {frozenset((two.names[a], two.names[b])) for a, b in zip(two.a, two.b, strict=True)}
    assert met == {frozenset({"Alice", "Bob"}), frozenset({"Bob", "Charlie"})}
    # 3: everybody's median is the time in Boston.
    three = marathons(3)
    boston = dict(zip([three.names[i] for i in three.who[:3]], three.score[:3], strict=True))
    assert averages(three, np.median) == boston


def test_examples_two_and_one_are_cut_from_the_same_races():
    rows = [set(zip(*columns(name).values(), strict=True)) for name in ("marathons", "marathons-2")]
    assert rows[1] < rows[0]


def test_unknown_example():
    with pytest.raises(InputError) as caught:
        marathons(4)
    assert str(caught.value) == "example is 4; choose one of 1, 2, 3"


# --- the script that made the files ----------------------------------------------------------


@pytest.fixture(scope="module")
def script():
    path = ROOT / "tools" / "embed_datasets.py"
    if not path.exists():
        pytest.skip("tools/embed_datasets.py is not part of this distribution")
    spec = importlib.util.spec_from_file_location("embed_datasets", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_script_makes_the_football_file_from_its_package(script, tmp_path, matches):
    keys = {"division": "league", "home_team": "home", "away_team": "away"}
    keys |= {"date": "date", "home_score": "home_goals", "away_score": "away_goals"}
    content = json.dumps([{key: m[name] for key, name in keys.items()} for m in matches]).encode()
    with tarfile.open(tmp_path / "package.tgz", "w:gz") as archive:
        member = tarfile.TarInfo(script.MATCHES)
        member.size = len(content)
        archive.addfile(member, io.BytesIO(content))
    assert_makes(script, "football", tmp_path / "package.tgz", tmp_path / "out.csv.gz")


def test_script_makes_the_classifiers_file_from_its_package(script, tmp_path):
    # Two resamples, 0 and twice the mean, have exactly that mean.
    rows = list(zip(*columns("classifiers").values(), strict=True))
    with zipfile.ZipFile(tmp_path / "package.whl", "w") as archive:
        for name in sorted({classifier for _, classifier, _ in rows}, reverse=True):
            text = io.StringIO()
            lines = [[dataset, 0, 2 * mean] for dataset, c, mean in rows if c == name]
            csv.writer(text).writerows([["Resamples:", 0, 1], *lines])
            archive.writestr(f"{script.RESULTS}{name}{script.ENDING}", text.getvalue())
    assert_makes(script, "classifiers", tmp_path / "package.whl", tmp_path / "out.csv.gz")


def assert_makes(script, name, package, out):
    table = script.TABLES[name](package)
    assert script.write(table, out) == embedded_files.SHA256[f"{name}.csv.gz"]
    once = out.read_bytes()
    script.write(table, out)
    assert out.read_bytes() == once
    assert gzip.decompress(once) == gzip.decompress((FILES / f"{name}.csv.gz").read_bytes())
