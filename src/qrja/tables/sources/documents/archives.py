"""Where several files are: a folder, a pattern, or a ZIP archive, which is unpacked."""

from __future__ import annotations

import shutil
import zipfile
import zlib
from glob import glob
from pathlib import Path

from qrja.errors import InputError

TABLES = (".csv", ".tsv", ".txt", ".json", ".jsonl", ".ndjson", ".parquet", ".xlsx", ".xls", ".ods")
"""How the names of tables end, with or without .gz."""
LARGEST = 20_000_000_000
"""Bytes that an archive may unpack to; beyond that it is hardly meant."""


def is_pattern(name: str) -> bool:
    """Tell whether a path is a pattern, and not the name of a file that holds a ``*``."""
    if not any(letter in name for letter in "*?["):
        return False
    try:
        return not Path(name).exists()
    except OSError:  # in a folder that may not be entered: no file there is meant
        return True


def files_of(name: str) -> list[Path]:
    """List the tables in a folder or of a pattern, by name."""
    try:
        is_folder = Path(name).is_dir()
        found = _in_folder(name) if is_folder else _that_match(name)
    except OSError as error:  # a folder that may not be listed, or not be entered
        raise InputError(f"{name}: cannot be read: {error.strerror}") from None
    if found:
        return found
    if is_folder:
        raise InputError(f"{name}: the folder holds no table; {_kinds()}")
    raise InputError(
        f"{name}: no file fits this pattern; check it, and that it stands in quotes in the shell"
    )


def _in_folder(name: str) -> list[Path]:
    return sorted(it for it in Path(name).iterdir() if it.is_file() and _is_table(it.name))


def _that_match(name: str) -> list[Path]:
    matched = map(Path, glob(name, recursive=True))  # noqa: PTH207, a pattern may be absolute
    return sorted(it for it in matched if it.is_file())


def _is_table(name: str) -> bool:
    return not name.startswith(".") and name.casefold().removesuffix(".gz").endswith(TABLES)


def _kinds() -> str:
    return "tables end in .csv, .tsv, .json, .jsonl, .parquet, .xlsx or .ods"


def is_spreadsheet(path: Path, head: bytes) -> bool:
    """Tell a spreadsheet from other archives, by what is in it; old ones by their first bytes."""
    if head.startswith(b"\xd0\xcf\x11\xe0"):
        return True
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, OSError):
        return False
    return any(it.startswith("xl/") for it in names) or "content.xml" in names


def unzip(path: Path, name: str, scratch: Path) -> list[tuple[str, Path]]:
    """Unpack the tables of an archive into a folder; return what each is called and where it is."""
    folder = scratch / "archive"
    folder.mkdir(exist_ok=True)
    try:
        with zipfile.ZipFile(path) as archive:
            members = [it for it in archive.infolist() if _is_wanted(it)]
            if sum(it.file_size for it in members) > LARGEST:
                raise InputError(f"{name}: unpacks to more than {LARGEST:,} bytes; unpack it first")
            return [
                (f"{name}/{it.filename}", _extract(archive, it, folder / f"{at}-{_last(it)}"))
                for at, it in enumerate(sorted(members, key=lambda it: it.filename))
            ] or _nothing(name)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError):
        raise InputError(
            f"{name}: cannot be unpacked; is the file whole, and without a password?"
        ) from None


def _is_wanted(member: zipfile.ZipInfo) -> bool:
    hidden = member.filename.startswith("__MACOSX/")
    return not member.is_dir() and not hidden and _is_table(_last(member))


def _last(member: zipfile.ZipInfo) -> str:
    return member.filename.replace("\\", "/").rsplit("/", 1)[-1]


def _extract(archive: zipfile.ZipFile, member: zipfile.ZipInfo, target: Path) -> Path:
    # Under a name of our own: what an archive calls a file may lead out of the folder.
    with archive.open(member) as packed, target.open("wb") as copy:
        shutil.copyfileobj(packed, copy)
    return target


def _nothing(name: str) -> list[tuple[str, Path]]:
    raise InputError(f"{name}: the archive holds no table; {_kinds()}")
