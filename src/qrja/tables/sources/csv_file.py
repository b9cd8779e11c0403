"""CSV and its kin, read by DuckDB: every malformed record is reported.

Small files in which nothing is doubtful are read without it (:mod:`plain_cells`).

Scores are read as numbers at once where all are plain numbers. If one is not (a time, DNF, a
decimal comma), the file is read again with all columns as text.

The delimiter is the one the header uses; if the header holds several, DuckDB's sniffer decides.
Quotes are ``"``, doubled inside a quoted field.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, replace

from qrja.data import Offsets
from qrja.errors import InputError
from qrja.tables.roles import SCORES, root
from qrja.tables.sources.database import Database, literal, one_file
from qrja.tables.sources.lines import LONGEST, find_header, line_of, record_lines
from qrja.tables.sources.loaded import Loaded, load_columns
from qrja.tables.sources.place import Place, shorten
from qrja.tables.sources.plain_cells import DeferredDatabase, read_plain_cells
from qrja.tables.sources.text_file import TextFile
from qrja.tables.sources.titles import find_below_titles

DELIMITERS = ",;\t|"
BUFFER = 8_000_000
"""Bytes read at a time; smaller than the database's choice, so that all threads get some early."""
_SLIPS = (re.compile(rb"\+-"), re.compile(rb"_(?<=\d_)\d"))
"""Where the database might read a number that is none, see :data:`loaded.SLIPS`."""


@dataclass(frozen=True)
class CsvFile:
    """An open CSV file; see :class:`qrja.tables.sources.loaded.Source`.

    ``header`` is the line of the column names, below titles and blank lines; ``first`` is the
    record after it.
    """

    place: Place
    columns: tuple[str, ...]
    database: Database
    text: TextFile
    delimiter: str
    header: int
    first: tuple[str, ...]

    @classmethod
    def open(cls, text: TextFile, database: Database, delimiter: str | None) -> CsvFile:
        """Read the header."""
        try:
            first = _first_line(text)
        except UnicodeDecodeError:
            text.read_as_latin1()
            first = _first_line(text)
        chosen = _choose_delimiter(text, database, first) if delimiter is None else delimiter
        if len(chosen) != 1 or chosen in '"\r\n':
            raise InputError(f"the delimiter is {chosen!r}; give one character such as ; or |")
        header, names, sample = find_header(text, chosen)
        below = find_below_titles(text, DELIMITERS if delimiter is None else [chosen])
        if below is not None:
            chosen, header, names, sample, _ = below
            text.notes.append(below.note())
        columns = tuple(name.strip() for name in names)
        _check_header(f"{text.name}:{header}", columns)
        place = Place(text.name, None)
        return cls(place, columns, database, text, chosen, header, tuple(sample))

    def load(self, chosen: dict[str, str]) -> Loaded:
        """Read some columns; if the file is no tidy UTF-8, once more from a copy that is."""
        loaded = self._load_plainly(chosen) or self._load_or_mend(chosen)
        place = Place(self.text.name, lambda: self._lines(loaded.rows))
        return replace(loaded, place=place, notes=tuple(self.text.notes))

    def _load_plainly(self, chosen: dict[str, str]) -> Loaded | None:
        """Read a small and tidy file without the database, which has it when asked."""
        numbers = self._numbers(chosen)
        if not numbers or self.header != 1:
            return None
        places = {name: at for name, at in self._places().items() if name in chosen.values()}
        width = len(self.columns)
        cells = read_plain_cells(self.text, self.delimiter, width, places, numbers)
        if cells is None:
            return None
        plain = {role: cells[name] for role, name in chosen.items()}
        types = {role: "DOUBLE" if name in numbers else "VARCHAR" for role, name in chosen.items()}
        database = DeferredDatabase(self.database, lambda: self._load_or_mend(chosen))
        rows = len(next(iter(plain.values())))
        return Loaded(database, self.place, types, rows, plain=plain)

    def _places(self) -> dict[str, int]:
        """Return where each column is; the first one of a name."""
        return {name: place for place, name in reversed(list(enumerate(self.columns)))}

    def _load_or_mend(self, chosen: dict[str, str]) -> Loaded:
        import duckdb

        try:
            loaded = self._load_numbers(chosen) or self._load(chosen)
        except duckdb.IOException:
            raise self.place.of_table("cannot be read to its end; is the file whole?") from None
        except duckdb.Error:
            loaded = None
        if loaded is None or (not loaded.rows and any(self.first)):
            self._mend()
            try:
                loaded = self._load(chosen)
            except duckdb.Error as error:
                raise self.place.of_table(
                    f"cannot be read as CSV: {str(error).splitlines()[0]}"
                ) from None
        if loaded is None:  # DuckDB also says so of what follows a quoted field
            raise self.place.of_table(
                'cannot be read as CSV: text follows a quoted field; write a quote inside it as ""'
            )
        if not loaded.rows and any(self.first):
            raise InputError(
                f"{self.text.name}:{self.header}: the header cannot be read as CSV;"
                " write each name plainly, or all of it between two quotes"
            )
        return loaded

    def _lines(self, rows: int) -> Offsets | None:
        """Find the line of every row; None should the two readers disagree about the rows."""
        lines = record_lines(self.text, self.delimiter, len(self.columns), self.header)
        return lines if len(lines) == rows else None

    def _numbers(self, chosen: dict[str, str]) -> set[str]:
        """Name the columns of scores, if the first record has plain numbers there."""
        others = {name for role, name in chosen.items() if root(role) not in SCORES}
        numbers = set(chosen.values()) - others
        sample = dict(zip(self.columns, self.first, strict=False))
        plain = all(_is_number(sample.get(name, "")) for name in numbers)
        return numbers if plain and not self.text.holds(*_SLIPS) else set()

    def _load_numbers(self, chosen: dict[str, str]) -> Loaded | None:
        """Read some columns, scores as numbers at once; None if any row stands in the way."""
        numbers = self._numbers(chosen)
        if not numbers:
            return None
        loaded = self._read(chosen, numbers)
        refused = self.database.execute("SELECT 1 FROM reject_errors LIMIT 1").fetchall()
        return None if refused else loaded

    def _load(self, chosen: dict[str, str]) -> Loaded | None:
        """Read some columns as texts; None if the file turns out not to be UTF-8."""
        loaded = self._read(chosen)
        rejects = self.database.execute(
            """SELECT error_type, line_byte_position, error_message, csv_line FROM reject_errors
            ORDER BY error_type = 'INVALID ENCODING' DESC, line_byte_position"""
        ).fetchall()
        if rejects and rejects[0][0] == "INVALID ENCODING":
            return None
        for kind, position, message, line in rejects:
            if line.strip():  # a line of blanks is as good as an empty one
                # The database counts bytes from 1, and blank lines before a record as its own.
                begin = position - 1 + len(line) - len(line.lstrip("\r\n"))
                raise InputError(
                    f"{self.text.name}:{line_of(self.text, begin)}: {self._fault(kind, message)}"
                )
        return loaded

    def _read(self, chosen: dict[str, str], numbers: Collection[str] = ()) -> Loaded:
        self.database.execute(
            """DROP TABLE IF EXISTS loaded; DROP TABLE IF EXISTS reject_errors;
            DROP TABLE IF EXISTS reject_scans"""
        )
        places = self._places()
        expressions = {role: f"c{places[name]}" for role, name in chosen.items()}
        return load_columns(self.database, self.place, expressions, self._relation(numbers))

    def _fault(self, kind: str, message: str) -> str:
        if kind in ("MISSING COLUMNS", "TOO MANY COLUMNS"):
            found = message.rsplit(" ", 1)[-1]
            return (
                f"{found} fields where the header has {len(self.columns)};"
                " correct the row, or put quotes around a field that holds the delimiter"
            )
        if kind == "LINE SIZE OVER MAXIMUM":
            return f"a row of more than {LONGEST:,} bytes; does every quote have its end?"
        if kind == "UNQUOTED VALUE":
            return 'a quoted field does not end with its quote; write a quote inside it as ""'
        return f"malformed row: {shorten(message.splitlines()[0], 200)}"

    def _mend(self) -> None:
        if self.text.is_utf8():
            self.text.recode("utf-8-sig")  # line ends of several kinds
        else:
            self.text.read_as_latin1()

    def _relation(self, numbers: Collection[str]) -> str:
        columns = ", ".join(
            f"'c{i}': '{'DOUBLE' if name in numbers else 'VARCHAR'}'"
            for i, name in enumerate(self.columns)
        )
        return f"""read_csv({literal(one_file(str(self.text.path)))},
            delim = {literal(self.delimiter)}, quote = '"', escape = '"', header = true,
            skip = {self.header - 1}, auto_detect = false, columns = {{{columns}}},
            compression = 'none', buffer_size = {BUFFER}, max_line_size = {LONGEST},
            hive_partitioning = false, store_rejects = true,
            rejects_limit = {1 if numbers else 0})"""


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _first_line(text: TextFile) -> str:
    with text.text() as file:
        for line in iter(lambda: file.readline(LONGEST), ""):
            if len(line) == LONGEST:
                raise InputError(
                    f"{text.name}: the first line has {LONGEST:,} letters and more;"
                    " give a table with a row a line"
                )
            if line.strip(f"{DELIMITERS} \r\n"):
                return line
    raise InputError(f"{text.name}: is empty; the first line names the columns")


def _check_header(where: str, columns: tuple[str, ...]) -> None:
    if len(columns) < 2:
        raise InputError(
            f"{where}: only one column, {shorten(columns[0])}; give the delimiter if it is not"
            " one of comma, semicolon, tab and |"
        )
    for name, times in Counter(columns).items():
        if name and times > 1:
            raise InputError(f"{where}: two columns are called {shorten(name)}; rename one")


def _choose_delimiter(text: TextFile, database: Database, header: str) -> str:
    used = [letter for letter in DELIMITERS if letter in header]
    if len(used) < 2:
        return used[0] if used else ","
    import duckdb

    try:
        found = database.execute(
            f"""SELECT Delimiter FROM sniff_csv({literal(one_file(str(text.path)))},
            quote = '"', escape = '"', all_varchar = true, compression = 'none')"""
        ).fetchall()
    except duckdb.Error:  # rows of unequal length, for one
        found = []
    sniffed = str(found[0][0]) if found else ""
    return sniffed if sniffed in used else max(used, key=header.count)
