"""Names get numbers: their order in the alphabet, the same whoever asks and however often.

Workers do not hold all names. A name is sent as a code, 63 bits of its hash, and looked up in the
sorted codes of all names: 12 bytes each. Two names of one code would be told apart wrongly, so that
is looked for (among ten million names it happens once in 200,000 times); so is one name of two
codes, which databases of different versions may give it.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from qrja.data import Index
from qrja.errors import InputError
from qrja.scale.engines.memory import check_memory
from qrja.scale.engines.spilling import open_database
from qrja.scale.shard_files import beside, open_cursor
from qrja.tables.sources import literal

CODES = "codes.npz"
BITS = 63
"""Of the hash of a name: those of a signed number that is not negative."""


def write_names(path: Path, names: Sequence[Hashable]) -> None:
    """Write names with their codes, in the order of their numbers within a bucket."""
    if set(map(type, names)) == {str}:
        text, spelled = np.ones(len(names), dtype=bool), list(names)
    else:
        text = np.array([isinstance(name, str) for name in names])
        spelled = [name if isinstance(name, str) else json.dumps(name) for name in names]
    columns = {"text": text, "name": np.array(spelled, dtype=object)}
    with beside(path) as part, open_cursor() as database:
        database.register("spelled", columns)
        database.execute(
            "COPY (SELECT text, name::VARCHAR AS name,"
            f" (hash(name, text) >> {64 - BITS})::BIGINT AS code FROM spelled)"
            f" TO {literal(str(part))} (FORMAT parquet, USE_TMP_FILE false, COMPRESSION lz4_raw)"
        )


def settle_names(folder: Path, relation: Any) -> tuple[Hashable, ...]:
    """Put all names in their order and write the codes by which they are found.

    Parameters
    ----------
    folder : path
        The staging folder.
    relation : list of str or pyarrow.Table
        Files of names, or distinct names with their codes.
    """
    with open_database(folder) as database:
        if isinstance(relation, list):
            source = f"read_parquet({literal(relation)})"
        else:
            database.register("names", relation)
            source = "names"
        database.execute(
            f"CREATE TEMP TABLE spelled AS SELECT DISTINCT text, name, code FROM {source}"
        )
        ((many,),) = database.execute("SELECT count(*) FROM spelled").fetchall()
        check_memory(int(many))
        found = database.execute(
            "SELECT * FROM spelled"
            " ORDER BY text, CASE WHEN NOT text THEN try_cast(name AS DOUBLE) END, name"
        ).fetchnumpy()
    _check_codes(found)
    code = np.ascontiguousarray(found["code"], dtype=np.int64)
    order = np.argsort(code)
    ranked = code[order]
    same = np.flatnonzero(ranked[1:] == ranked[:-1])
    if len(same):
        one, other = (found["name"][order[same[0] + step]] for step in (0, 1))
        raise InputError(
            f"the names {one!r} and {other!r} have one hash of {BITS} bits; spell one of them"
            " otherwise"
        )
    with beside(folder / CODES) as part, part.open("wb") as file:
        np.savez(file, code=ranked, number=order.astype(np.int32))
    return tuple(
        name if text else json.loads(name)
        for text, name in zip(found["text"].tolist(), found["name"].tolist(), strict=True)
    )


def _check_codes(found: dict[str, Any]) -> None:
    """See that names, in their order, have one code each."""
    name, text = found["name"], found["text"]
    twice = np.flatnonzero((name[1:] == name[:-1]) & (text[1:] == text[:-1]))
    if len(twice):
        raise InputError(
            f"the name {name[twice[0]]!r} has two codes: workers have different versions of duckdb;"
            " install one and stage the data again"
        )


def numbers_of(folder: str, path: Path) -> Index:
    """Return the numbers of the names in a file."""
    settled = Path(folder) / CODES
    ranked, number = _codes(str(settled), settled.stat().st_mtime_ns)
    with open_cursor() as database:
        found = database.execute(
            f"SELECT code FROM read_parquet({literal(str(path))})"
        ).fetchnumpy()
    # In their order, codes are found in neighbouring places of what no cache holds.
    code = found["code"]
    order = np.argsort(code)
    numbers = np.empty(len(code), dtype=np.int32)
    numbers[order] = number[np.searchsorted(ranked, code[order])]
    return numbers


@lru_cache(maxsize=1)
def _codes(path: str, written: int) -> tuple[Any, Index]:
    with np.load(path) as kept:
        return kept["code"], kept["number"]
