"""Journals: what is written is read back, and what is damaged is forgotten."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrja import InputError
from qrja.backtesting.journal import Entry, Journal, read_entries
from qrja.metrics import Sums

NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
SUMS = st.lists(st.builds(Sums, *[NUMBERS] * len(fields(Sums))), max_size=3).map(tuple)
ENTRIES = st.lists(st.tuples(SUMS, NUMBERS), max_size=4)


def write(path: Path, entries: list[Entry], of: str = "it") -> None:
    with Journal(path, of) as journal:
        for entry in entries:
            journal.append(entry)


@given(ENTRIES)
def test_every_bit_comes_back(
    tmp_path_factory: pytest.TempPathFactory, entries: list[Entry]
) -> None:
    path = tmp_path_factory.mktemp("journal") / "mean.jsonl"
    write(path, entries)
    assert read_entries(path, "it") == entries


TWO = [((Sums(ordered=3, right=1.5), Sums()), 0.1), ((Sums(ordered=1, right=1.0),), 0.2)]


@pytest.mark.parametrize("cut", [1, 5, 20])
def test_a_line_cut_short_is_written_again(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "mean.jsonl"
    write(path, TWO)
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    with Journal(path, "it") as journal:
        assert journal.entries == TWO[:1]
        journal.append(TWO[1])
    assert path.read_bytes() == whole


@pytest.mark.parametrize(
    "damage", ["", "not json", "[]", '{"of": "it"}\n[1, 2]\n', '{"of": "it"}\nnull\n', "\xff\n"]
)
def test_damage_is_forgotten(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "mean.jsonl"
    path.write_text(damage, encoding="latin-1")
    assert read_entries(path, "it") == []
    write(path, TWO)
    assert read_entries(path, "it") == TWO


def test_a_journal_of_something_else_is_begun_anew(tmp_path: Path) -> None:
    path = tmp_path / "mean.jsonl"
    write(path, TWO, of="chess")
    with Journal(path, "f1") as journal:
        assert journal.entries == []
    assert read_entries(path, "chess") == []


def test_a_late_writer_of_an_earlier_run_disturbs_nobody(tmp_path: Path) -> None:
    path = tmp_path / "mean.jsonl"
    with Journal(path, "it") as late, Journal(path, "it") as new:
        new.append(TWO[0])
        late.append(TWO[1])
        new.append(TWO[1])
    assert read_entries(path, "it") == TWO
    assert sorted(tmp_path.iterdir()) == [path]


def test_without_a_path_entries_are_kept_in_memory() -> None:
    with Journal(None, "it") as journal:
        journal.append(TWO[0])
    assert journal.entries == TWO[:1]


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(InputError, match=r"file/mean\.jsonl: cannot be written"):
        Journal(file / "mean.jsonl", "it")
