"""Dealing by Spark: rows of files or of a data frame go to buckets by a hash of the contest."""

from __future__ import annotations

import re
import tempfile
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

from qrja.errors import InputError
from qrja.scale.engines import buckets
from qrja.scale.engines.buckets import Bucket, key_columns, read_bucket
from qrja.scale.engines.parquet_folders import Described
from qrja.scale.engines.spark.spark_jobs import answer_of, collect, explained, grouped, in_pieces
from qrja.tables.sources import ORIGIN, Dealt, shorten

BLANK = r"[\s\p{Z}]"
"""White space in the widest sense, as the reader sees it."""
PLAIN = " \t\n\x0b\f\r"
"""The same in a table that has only ASCII."""
LOCAL = "^file:/+"
NUMBER = "qrja_bucket"


class Extent(NamedTuple):
    """How many rows a frame has, whether names have letters beside ASCII, and a sum of hashes."""

    rows: int
    letters: bool
    checksum: list[Any]


def keys_of(frame: Any, reading: dict[str, Any], name: str) -> list[str]:
    """Return the columns by which rows are dealt."""
    try:
        return key_columns(tuple(frame.columns), reading)
    except InputError as error:
        raise InputError(f"{name}: {error}") from None


def measure(frame: Any, keys: list[str], name: str, rows: int | None = None) -> Extent:
    """Look at the rows of a frame in one job: count them, and tell them from other rows.

    Files are told from others by themselves, and how many ``rows`` they have is known.
    """
    from pyspark.sql import functions as sf
    from pyspark.sql.types import MapType, VariantType

    texts = [sf.col(quoted(key)).cast("string") for key in keys]
    other = [sf.max(sf.octet_length(text) != sf.char_length(text)) for text in texts]
    if rows is not None:
        with explained():
            return Extent(rows, any(frame.agg(*other).collect()[0]), [])
    plain = [
        sf.col(quoted(field.name))
        for field in frame.schema.fields
        if not isinstance(field.dataType, MapType | VariantType)
    ]
    code = sf.xxhash64(*plain)
    with explained():
        row = frame.agg(
            sf.count(sf.lit(1)),
            sf.bit_xor(code),
            sf.sum(sf.pmod(code, sf.lit(2**29))),
            *other,
        ).collect()[0]
    if not row[0]:
        raise InputError(f"{name}: the table has no rows; write one for each result")
    return Extent(int(row[0]), any(row[3:]), [frame.schema.simpleString(), *row[:3]])


def read_files(session: Any, described: Described) -> Any:
    """Return a frame of files whose rows have their number among those of all files."""
    from pyspark.sql import functions as sf

    files = [str(Path(file).resolve()) for file in described.files]
    with explained():
        frame = session.read.parquet(*map(_address, files))
        columns = [sf.col(quoted(name)) for name in frame.columns]
        before = dict(zip(files, described.before, strict=True))
        known = [(bare(uri), before[unquote(bare(uri))]) for uri in frame.inputFiles()]
        starts = session.createDataFrame(known, "qrja_file string, qrja_before long")
        path = sf.regexp_replace(sf.col("_metadata.file_path"), LOCAL, "/")
        row = sf.col("_metadata.row_index")
        marked = frame.select(*columns, path.alias("qrja_file"), row.alias("qrja_row"))
        origin = sf.assert_true(sf.col("qrja_before").isNotNull(), "a file is unknown")
        joined = marked.join(sf.broadcast(starts), "qrja_file", "left")
        place = sf.when(origin.isNull(), sf.col("qrja_before") + sf.col("qrja_row"))
        return joined.select(*columns, place.alias(ORIGIN))


def _address(file: str) -> str:
    """Write a path for Spark, which takes some letters for patterns."""
    return "file://" + re.sub(r"([\[\]{}*?\\])", r"\\\1", file)


def bare(uri: str) -> str:
    """Return the path of a file on this machine as Spark spells it, which it does in two ways.

    Examples
    --------
    >>> bare("file:///data/a%20b.parquet"), bare("file:/data/a%20b.parquet")
    ('/data/a%20b.parquet', '/data/a%20b.parquet')
    """
    return re.sub(LOCAL, "/", uri)


def deal_and_read(
    frame: Any, folder: Path, keys: list[str], extent: Extent, dealt: Dealt, reading: dict[str, Any]
) -> list[Bucket]:
    """Deal rows into buckets and read each by the rules of the reader, on the workers."""
    from pyspark.sql import functions as sf

    many = -(-extent.rows // buckets.BUCKET)
    with explained():
        texts = [_text(key, extent.letters) for key in keys]
        if extent.letters:
            same = sf.udf(normal_form, "string", useArrow=True)
            texts = [same(text) for text in texts]
        number = sf.pmod(sf.xxhash64(*texts), sf.lit(many)).cast("long")
        frame = frame.withColumn(NUMBER, number)
    task = partial(_read, str(folder), dealt, reading)
    told = [bucket for _, bucket in collect(grouped(frame, NUMBER, task))]
    seen = sum(bucket.rows for bucket in told)
    if seen != extent.rows:
        raise InputError(
            f"{dealt.name}: {extent.rows:,} rows were counted and {seen:,} came; let nobody write"
            " to the data, and order rows before a limit"
        )
    return told


def quoted(name: str) -> str:
    """Quote the name of a column: it may hold a dot."""
    return "`" + name.replace("`", "``") + "`"


def _text(key: str, letters: bool) -> Any:
    from pyspark.sql import functions as sf

    text = sf.col(quoted(key)).cast("string")
    if not letters:
        return sf.btrim(text, sf.lit(PLAIN))
    return sf.regexp_replace(text, f"^{BLANK}+|{BLANK}+$", "")


def normal_form(text: str | None) -> str | None:
    """Return a text as the reader compares it, letters with accents being one."""
    import unicodedata

    return None if text is None else unicodedata.normalize("NFC", text)


def _read(folder: str, dealt: Dealt, reading: dict[str, Any], key: Any, table: Any) -> Any:
    """Run on a worker: read one bucket."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    number = key[0].as_py()
    table = table.drop_columns([NUMBER])
    if ORIGIN not in table.column_names:
        dealt = DealtFrame(dealt.paths, dealt.name, rows=table)
        table = table.append_column(ORIGIN, pa.array(range(table.num_rows), pa.int64()))
    with tempfile.TemporaryDirectory(prefix="qrja-") as scratch:
        path = str(Path(scratch) / "dealt.parquet")
        pq.write_table(table, path, compression="lz4")
        here = replace(dealt, paths=(path,))
        told = answer_of(lambda: read_bucket(folder, number, here, reading))
    return pa.Table.from_batches(in_pieces(number, told))


@dataclass(frozen=True)
class DealtFrame(Dealt):
    """Rows of a data frame: they have no numbers, so a row is named by what it says."""

    rows: Any = None

    def place_of(self, row: int) -> str:
        """Name one row by its first columns."""
        cells = self.rows.slice(row, 1).to_pylist()[0]
        said = ", ".join(f"{name}={shorten(cell)}" for name, cell in [*cells.items()][:4])
        return f"{self.name}: the row {said}"
