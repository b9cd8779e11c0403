"""Where tables come from: files and data frames, opened and loaded into a database.

Read ``source`` first: it tells which kind of source there is and opens it. Each kind has a file:
``csv_file`` (with ``text_file``, its letters, ``lines``, its line numbers, ``titles``, what stands
above its header, and ``plain_cells``, a reader of small tidy files), ``json_file``,
``parquet`` (with ``remote_file``, on a network), ``frames``, and ``documents`` for
spreadsheets, archives and folders; all are a ``Source`` as ``loaded`` describes it, and what they
load is a ``Loaded``. ``scratch`` holds streams and what packed files hold; ``database`` reads and
counts, shut off from everything else; ``place`` names a row in messages.
"""

from qrja.tables.sources.database import Database, literal, one_file
from qrja.tables.sources.documents import FILE, ORIGIN, Dealt, files_of
from qrja.tables.sources.frames import is_spark_frame
from qrja.tables.sources.loaded import Columns, Loaded, Source, plain_number, stripped
from qrja.tables.sources.parquet import pages_are_sound
from qrja.tables.sources.place import DerivedPlace, Place, shorten
from qrja.tables.sources.plain_cells import number_plain_names
from qrja.tables.sources.remote_file import is_remote
from qrja.tables.sources.scratch import scratch_folder
from qrja.tables.sources.source import open_source

__all__ = [
    "FILE",
    "ORIGIN",
    "Columns",
    "Database",
    "Dealt",
    "DerivedPlace",
    "Loaded",
    "Place",
    "Source",
    "files_of",
    "is_remote",
    "is_spark_frame",
    "literal",
    "number_plain_names",
    "one_file",
    "open_source",
    "pages_are_sound",
    "plain_number",
    "scratch_folder",
    "shorten",
    "stripped",
]
