"""JSON lines, one object a line; or one array of objects. Every value is taken as text."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import numpy as np

from qrja.data import Offsets
from qrja.errors import InputError
from qrja.tables.sources.database import Database, literal, one_file
from qrja.tables.sources.loaded import Loaded, load_columns
from qrja.tables.sources.place import Place, shorten
from qrja.tables.sources.text_file import TextFile


@dataclass(frozen=True)
class JsonFile:
    """An open file of JSON objects; see :class:`qrja.tables.sources.loaded.Source`."""

    place: Place
    columns: tuple[str, ...]
    database: Database
    notes: tuple[str, ...]

    @classmethod
    def open(cls, text: TextFile, database: Database) -> JsonFile:
        """Read the objects and collect their keys, in order of first appearance."""
        import duckdb

        if not text.is_utf8():
            text.read_as_latin1()
        array = text.first_letter() == "["
        place = Place(text.name, None if array else lambda: _lines(text))
        reader = "read_json_objects" if array else "read_ndjson_objects"
        form = ", format = 'array'" if array else ""
        path = literal(one_file(str(text.path)))
        try:
            database.execute(
                f"""CREATE OR REPLACE TABLE objects AS SELECT json
                FROM {reader}({path}, compression = 'uncompressed'{form})"""
            )
        except duckdb.Error as error:
            raise _malformed(text.name, str(error).splitlines()[0]) from None
        _check_objects(database, place)
        keys = database.execute(
            """SELECT key FROM (
                SELECT unnest(json_keys(json)) AS key, rowid AS row,
                       generate_subscripts(json_keys(json), 1) AS position FROM objects)
            GROUP BY key ORDER BY min(row), min(position)"""
        ).fetchall()
        if not keys:
            raise place.of_table("the table has no rows; write one for each result")
        return cls(place, tuple(str(key) for (key,) in keys), database, tuple(text.notes))

    def load(self, chosen: dict[str, str]) -> Loaded:
        """Take some keys out of the objects, as text."""
        expressions = {
            role: f"json_extract_string(json, {literal(_pointer(key))})"
            for role, key in chosen.items()
        }
        loaded = load_columns(self.database, self.place, expressions, "objects")
        return replace(loaded, notes=self.notes)


def _malformed(name: str, said: str) -> InputError:
    """Take the line and the reason out of the database's message."""
    match = re.search(r"in line (\d+): (.*?)\.?\s*$", said)
    if match is None:
        reason = said.rsplit(": ", 1)[-1].rstrip(". ")
        return InputError(f"{name}: is not readable as JSON: {reason}")
    return InputError(f"{name}:{match[1]}: malformed JSON, {match[2]}; write one {{...}} a line")


def _check_objects(database: Database, place: Place) -> None:
    bad = database.execute(
        """SELECT rowid, json::VARCHAR FROM objects
        WHERE NOT json_valid(json::VARCHAR) OR json_type(json) <> 'OBJECT'
        ORDER BY rowid LIMIT 1"""
    ).fetchall()
    if bad:
        row, found = bad[0]
        raise place.error(row, f"{shorten(found)} is not a JSON object; write one {{...}} a line")


def _pointer(key: str) -> str:
    escaped = key.replace("~", "~0").replace("/", "~1")
    return f"/{escaped}"


def _lines(text: TextFile) -> Offsets:
    return np.array([n for n, line in enumerate(text.lines(), 1) if line.strip()], dtype=np.int64)
