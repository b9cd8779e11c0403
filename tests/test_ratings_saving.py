"""Save and load: nothing is lost, nothing is executed, and half a file is never taken for one."""

from __future__ import annotations

import datetime
import io
import json
import math
import re
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import qrja
from qrja import Contests, InputError, Judgments, Ratings, fit, load, losses
from strategies import contests

MADE = qrja.datasets.synthetic_races(races=12, entrants=8, field=4, seed=4).contests


def there_and_back(ratings: Ratings, folder: Path) -> Ratings:
    ratings.save(folder / "ratings.qrja")
    return load(folder / "ratings.qrja")


def same(one: Ratings, other: Ratings) -> None:
    assert one.leaderboard() == other.leaderboard()
    assert one.model == other.model
    assert one.units == other.units
    assert (one.kind, one.reading) == (other.kind, other.reading)
    assert one.solution.__repr__() == other.solution.__repr__()
    for field in ("start", "who", "score", "weight", "date", "a", "b", "y", "w"):
        for this, that in ((one.data, other.data), (one.problem, other.problem)):
            np.testing.assert_array_equal(getattr(this, field, None), getattr(that, field, None))


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"p": 1},
        {"p": 1.5},
        {"p": math.inf},
        {"loss": losses.Huber(0.5)},
        {"half_life": "30 days", "ridge": 0.5, "prior": {"racer 1": 2.0}},
        {"anchors": {"racer 1": 7.0}, "pairs": "mean"},
    ],
    ids=str,
)
def test_nothing_is_lost(options: dict[str, Any], tmp_path: Path) -> None:
    ratings = fit(MADE, **options)
    again = there_and_back(ratings, tmp_path)
    same(again, ratings)
    np.testing.assert_allclose(again.solution.flow(), ratings.solution.flow(), atol=1e-6)


@given(contests())
def test_contests_of_every_kind(problem: Contests) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        same(there_and_back(fit(problem), Path(folder)), fit(problem))


@given(
    st.lists(
        st.one_of(st.text(), st.integers(), st.dates(), st.datetimes(), st.tuples(st.text())),
        min_size=2,
        max_size=5,
        unique=True,
    )
)
def test_names_of_many_kinds(names: list[Any]) -> None:
    import tempfile

    pairs = Judgments(
        np.zeros(len(names) - 1, dtype=int),
        np.arange(1, len(names)),
        np.ones(len(names) - 1),
        np.ones(len(names) - 1),
        tuple(names),
    )
    with tempfile.TemporaryDirectory() as folder:
        again = there_and_back(fit(pairs), Path(folder))
    assert again.problem.names == tuple(names)


def test_the_set_of_optima_can_still_be_asked_for(tmp_path: Path) -> None:
    ratings = fit(MADE, p=1)
    again = there_and_back(ratings, tmp_path)
    np.testing.assert_allclose(
        again.solution.face().numbered.central(), ratings.solution.face().numbered.central()
    )


def test_judges_are_kept(tmp_path: Path) -> None:
    judged = Judgments.from_arrays("ab", "bc", [1, 2], judge=["Ann", "Bob"])
    again = there_and_back(fit(judged), tmp_path).data
    assert (again.judge.tolist(), again.judges) == ([0, 1], ("Ann", "Bob"))


def test_loaded_ratings_live_on(tmp_path: Path) -> None:
    again = there_and_back(fit(MADE[:10]), tmp_path)
    updated = again.update(MADE[10:])
    np.testing.assert_allclose(updated.solution.x, fit(MADE).solution.x, atol=1e-9)
    assert again.intervals(resamples=20).clusters == 10


def test_units_and_reading_are_kept(tmp_path: Path) -> None:
    table = b"race,runner,time\nA,Ann,10:00\nA,Bob,11:00\nB,Bob,9:00\nB,Cid,9:30\n"
    again = there_and_back(fit(io.BytesIO(table), score="time"), tmp_path)
    assert again.units.show(60) == "+1:00"
    assert again.reading == {"score": "time"}


@pytest.mark.parametrize(
    "options",
    [{"scale": "log"}, {"pairs": "additive"}, {"aliases": {"Bobby": "Bob"}}, {"aliases": "alike"}],
    ids=str,
)
def test_every_way_of_reading_is_kept(options: dict[str, Any], tmp_path: Path) -> None:
    races = b"race,runner,time\nA,Ann,40:00\nA,Bob,48:00\nB,Ann,42:00\nB,Bob,58:00\n"
    ratings = fit(io.BytesIO(races), **options)
    same(there_and_back(ratings, tmp_path), ratings)


def test_the_same_ratings_make_the_same_file(tmp_path: Path) -> None:
    ratings = fit(MADE)
    ratings.save(tmp_path / "one")
    ratings.save(tmp_path / "two")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_nothing_in_the_file_is_pickled(tmp_path: Path) -> None:
    fit(MADE).save(tmp_path / "ratings.qrja")
    with zipfile.ZipFile(tmp_path / "ratings.qrja") as archive:
        assert json.loads(archive.read("ratings.json"))["format"] == "qrja ratings"
        for name in archive.namelist():
            assert name == "ratings.json" or name.endswith(".npy")
            assert b"|O" not in archive.read(name)[:128]


def test_a_failed_save_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "ratings.qrja"
    fit(MADE).save(path)
    before = path.read_bytes()
    named = Judgments(np.array([0]), np.array([1]), [1], [1], (frozenset("a"), "b"))
    with pytest.raises(InputError, match="is a frozenset and cannot be saved; use texts or"):
        fit(named).save(path)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["ratings.qrja"]


def test_a_loss_of_ones_own_cannot_be_saved(tmp_path: Path) -> None:
    class Quartic:
        def value(self, t: np.ndarray) -> np.ndarray:
            return t**4

        def slope(self, t: np.ndarray) -> np.ndarray:
            return 4 * t**3

        def curvature(self, t: np.ndarray) -> np.ndarray:
            return 12 * t**2

    with pytest.raises(InputError, match=r"is not of qrja\.losses and cannot be saved"):
        fit(MADE, loss=Quartic()).save(tmp_path / "ratings.qrja")


# ---------------------------------------------------------------------- bad files


def refused(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        load(path)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(f"{path}: ")
    return str(caught.value)


def rewrite(path: Path, change: dict[str, bytes | None]) -> None:
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts |= {name: data for name, data in change.items() if data is not None}
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in parts.items():
            if name not in change or change[name] is not None:
                archive.writestr(name, data)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "ratings.qrja"
    fit(MADE).save(path)
    return path


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 0.999])
def test_a_truncated_file(saved: Path, share: float) -> None:
    whole = saved.read_bytes()
    saved.write_bytes(whole[: int(share * len(whole))])
    assert "is not a whole file of ratings" in refused(saved)


@given(st.integers(0, 10**9), st.integers(1, 255))
def test_a_changed_byte_is_noticed_or_harmless(place: int, change: int) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "ratings.qrja")
        ratings = fit(MADE)
        ratings.save(path)
        content = bytearray(path.read_bytes())
        content[place % len(content)] ^= change
        path.write_bytes(content)
        try:
            again = load(path)
        except InputError:
            return
        assert again.leaderboard() == ratings.leaderboard()


def test_foreign_files(saved: Path) -> None:
    saved.write_text("rank,contestant\n1,Alice\n")
    assert "is not a whole file of ratings" in refused(saved)
    with zipfile.ZipFile(saved, "w") as archive:
        archive.writestr("sheet.xml", "<a/>")
    assert "is a ZIP file, but not of ratings" in refused(saved)
    with zipfile.ZipFile(saved, "w") as archive:
        archive.writestr("ratings.json", '{"format": "other"}')
    assert "is a ZIP file, but not of ratings" in refused(saved)


def test_a_later_version(saved: Path) -> None:
    with zipfile.ZipFile(saved) as archive:
        header = json.loads(archive.read("ratings.json"))
    rewrite(saved, {"ratings.json": json.dumps(header | {"version": 2}).encode()})
    assert "has version 2 of the format, and this is version 1" in refused(saved)


@pytest.mark.parametrize("part", ["x.npy", "who.npy", "score.npy", "components.npy"])
def test_a_missing_part(saved: Path, part: str) -> None:
    rewrite(saved, {part: None})
    assert f"is damaged: the array {part.removesuffix('.npy')!r} is missing" in refused(saved)


def test_arrays_that_do_not_fit(saved: Path) -> None:
    short = io.BytesIO()
    np.save(short, np.zeros(2))
    rewrite(saved, {"x.npy": short.getvalue()})
    assert "is damaged: 10 names have 2 ratings" in refused(saved)


def test_pickled_arrays_are_refused(saved: Path) -> None:
    evil = io.BytesIO()
    np.save(evil, np.array([datetime.date(2026, 1, 1)], dtype=object), allow_pickle=True)
    rewrite(saved, {"x.npy": evil.getvalue()})
    words = "is damaged: the array 'x' is none: 1 dimensions of object; it is a list of numbers"
    assert words in refused(saved)


def test_no_file_and_no_folder(tmp_path: Path) -> None:
    assert "no such file" in refused(tmp_path / "nothing.qrja")
    assert "cannot be read" in refused(tmp_path)
    with pytest.raises(InputError, match="cannot be written"):
        fit(MADE).save(tmp_path / "no" / "folder.qrja")


# ---------------------------------------------------------------------- forged values


def forge(saved: Path, place: str, value: Any) -> None:
    """Put another value into the header."""
    with zipfile.ZipFile(saved) as archive:
        header = inner = json.loads(archive.read("ratings.json"))
    *way, last = place.split(".")
    for step in way:
        inner = inner[step]
    inner[last] = value
    rewrite(saved, {"ratings.json": json.dumps(header).encode("utf-8", "surrogatepass")})


@pytest.mark.parametrize(
    ("place", "value", "words"),
    [
        ("names", 3, "the names are 3, which is no list"),
        ("names", ["\ud800"], "name is '\\ud800', which is no text"),
        ("labels", [[1]], "the label [1] is none"),
        ("labels", [{"date": "x"}], "the label {'date': 'x'} is none"),
        ("units.decimals", 300_000_000, "decimals is 300000000, which is no whole number up to 30"),
        ("units.kind", "x" * 10**6, "the kind of the units is 'xxxxxxxxxxxx"),
        ("units.lower_is_better", 3, "lower_is_better is 3, which is none of False, True"),
        ("model.p", "nan", "p is 'nan', which is no number"),
        ("model.p", -1, "p is -1.0; "),
        ("model.tol", True, "tol is True, which is no number"),
        ("model.ridge", 2**2000, "which is out of its range"),
        ("model.loss", {"name": "Huber", "delta": None}, "delta is None, which is no number"),
        ("model.half_life", {"length": 0, "unit": "day"}, "half_life is 0, which is no time"),
        ("model.anchors", [[1]], "anchor is [[1]], which is no list of lists of 2"),
        ("solution.objective", None, "objective is None, which is no number"),
        ("solution.gap", "big", "gap is 'big', which is no number"),
        ("solution.status", [], "status is [], which is none of optimal, inexact, local"),
        ("solution.iterations", -1, "iterations is -1, which is no whole number"),
        ("reading", {"contest": {}}, "contest is {}, which is no text"),
        ("reading", {"file": "x"}, "there is no option 'file'"),
        ("choice", "auto", "choice is ['auto'], which is no list of lists of 2"),
        ("kind", "os", "kind is 'os', which is none of None, pandas"),
        ("pairs", None, "pairs is None, which is none of unit, mean"),
        ("arrays", ["x"], "the array 'components' is one too many"),
        ("arrays", ["x", "y"], "the array 'y' is missing"),
    ],
)
def test_forged_values_are_refused(saved: Path, place: str, value: Any, words: str) -> None:
    forge(saved, place, value)
    said = refused(saved)
    assert f"{saved}: is damaged: " in said
    assert words in said
    assert len(said) < 400


def test_an_array_that_was_saved_is_missed(tmp_path: Path) -> None:
    path = tmp_path / "judged.qrja"
    fit(Judgments.from_arrays("ab", "ba", [1, 2], judge="xy")).save(path)
    rewrite(path, {"judge.npy": None})
    assert "is damaged: the array 'judge' is missing" in refused(path)


@pytest.mark.parametrize("shape", [b"(999999999999,)", b"(-5,)", b"(3, 3)", b"(2,)"])
def test_arrays_that_lie_about_their_shape(saved: Path, shape: bytes) -> None:
    with zipfile.ZipFile(saved) as archive:
        data = archive.read("x.npy")
    rewrite(saved, {"x.npy": re.sub(rb"\(\d+,\), \} {16}", shape + b", }", data)})
    assert "is damaged: the array 'x' is none" in refused(saved)


def test_a_small_file_cannot_fill_the_memory(saved: Path) -> None:
    bomb = io.BytesIO()
    np.save(bomb, np.zeros(3_000_000))
    with zipfile.ZipFile(saved) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(saved, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in (parts | {"weight.npy": bomb.getvalue()}).items():
            archive.writestr(name, data)
    assert "is damaged: unpacked it would take 24,0" in refused(saved)


def test_data_that_pack_very_well_are_stored_as_they_are(tmp_path: Path) -> None:
    m = 1_000_000
    data = Judgments(
        np.zeros(m, np.int32), np.ones(m, np.int32), np.ones(m), np.ones(m), ("a", "b")
    )
    again = there_and_back(fit(data), tmp_path)
    assert again.data.m == m


def test_files_of_before_do_not_say_which_arrays_they_have(saved: Path) -> None:
    expected = load(saved).leaderboard()
    with zipfile.ZipFile(saved) as archive:
        header = json.loads(archive.read("ratings.json"))
    del header["arrays"], header["model"]["measured"], header["choice"]
    rewrite(saved, {"ratings.json": json.dumps(header).encode()})
    assert load(saved).leaderboard() == expected
    rewrite(saved, {"weigh.npy": b""})
    assert "is damaged: the array 'weigh' is missing" in refused(saved)


@pytest.mark.parametrize("name", ["\ud800", float("inf")])
def test_names_that_no_file_can_hold(name: Any, tmp_path: Path) -> None:
    ratings = fit(Contests.from_arrays([1, 1], ["a", name], [3, 1]))
    with pytest.raises(InputError, match="the name is"):
        ratings.save(tmp_path / "ratings.qrja")
    assert not list(tmp_path.iterdir())


def test_optima_of_saved_ratings_are_those_of_least_absolute_values_only(tmp_path: Path) -> None:
    assert there_and_back(fit(MADE), tmp_path).solution._face is None
    assert there_and_back(fit(MADE, p=1), tmp_path).solution._face is not None
