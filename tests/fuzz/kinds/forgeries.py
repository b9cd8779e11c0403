"""Forgeries: saved files with a hostile value, or some, otherwise whole.

They are refused on loading, in our words; or they load, and everything that ratings can do ends in
an answer or in our words, within memory.
"""

from __future__ import annotations

import base64
import io
import json
import resource
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import qrja
from fuzz.kind import Case, Failure, Kind, only_ours
from fuzz.kinds.damage import MODELS, whole

HEADER = "ratings.json"
VALUES: list[Any] = [
    None, True, 0, -1, 1, 1.5, 1e308, 2**70, 300_000_000, "", "x", "nan", "inf", "\ud800",
    "x" * 10**5, [], [1], [[1]], {}, {"a": 1}, {"tuple": [1]}, {"tuple": []}, {"date": "x"},
    {"datetime": 1},
]  # fmt: skip
ARRAYS = [
    "text", "nan", "inf", "negative", "large", "flat", "square", "empty", "longer", "pickle", "lie",
    "bomb", "complex", "absent", "twice",
]  # fmt: skip
Items = list[tuple[str, bytes]]
"""The files within a saved file."""
CELLS: dict[str, Callable[[Any, Any], Any]] = {
    "more": lambda cell, cells: cell + 1,
    "less": lambda cell, cells: cell - 1,
    "nothing": lambda cell, cells: 0 * cell,
    "opposite": lambda cell, cells: -cell,
    "highest": lambda cell, cells: _limit(cells.dtype, "max"),
    "lowest": lambda cell, cells: _limit(cells.dtype, "min"),
    "not one": lambda cell, cells: np.nan if cells.dtype.kind == "f" else cell,
    "another": lambda cell, cells: cells[0],
}
"""What one cell of an array becomes."""
MEMORY = 2**28
"""What loading a file of a few thousand bytes may take."""


def draw(rng: np.random.Generator) -> Case:
    """Draw fields of the header and arrays, mostly one of them, and what they become.

    A case may also name a file within and give its bytes: such come from ``guided``.
    """
    case: Case = {"what": str(rng.choice(["contests.qrja", "judgments.qrja", *MODELS]))}
    first, *more = (_draw_one(rng, case["what"]) for _ in range(int(rng.choice([1, 1, 2, 3]))))
    more = [one for one in more if one.get("becomes") != "bomb"]  # it takes long to make
    return {**case, **first, **({"also": more} if more else {})}


def _draw_one(rng: np.random.Generator, what: str) -> Case:
    files = parts(what)
    if rng.random() < 0.7:
        header = json.loads(files[HEADER])
        places = list(leaves(header))
        place = list(places[rng.integers(len(places))])
        if rng.random() < 0.5:
            return {"field": place, "value": int(rng.integers(len(VALUES)))}
        return {"field": place, "is": _some_value(rng, header, places)}
    names = sorted(name.removesuffix(".npy") for name in files if name != HEADER)
    becomes = ARRAYS if rng.random() < 0.5 else list(CELLS)
    return {
        "array": str(rng.choice(names)),
        "becomes": str(rng.choice(becomes)),
        "at": int(rng.integers(100)),
    }


def _some_value(rng: np.random.Generator, header: Any, places: list[tuple[Any, ...]]) -> Any:
    """Draw a number of any size, a text of any letters, or what belongs elsewhere."""
    style = rng.integers(0, 4)
    if style == 0:
        return float(rng.choice([-1, 1]) * 10.0 ** rng.uniform(-320, 308))
    if style == 1:
        return int(rng.integers(-(2**62), 2**62)) >> int(rng.integers(62))
    if style == 2:
        return "".join(map(chr, rng.integers(0, 0x2FFF, int(rng.integers(0, 9)))))
    for step in places[rng.integers(len(places))]:
        header = header[step]
    return header


@cache
def parts(what: str) -> dict[str, bytes]:
    """Return the files within a saved file."""
    with zipfile.ZipFile(io.BytesIO(whole(what))) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def forge(case: Case) -> tuple[bytes, str]:
    """Return the forged file and what was forged."""
    if case.get("becomes") == "bomb":  # nothing else is looked at
        return _bomb(case["what"], case["array"]), "array"
    return _forge(case)


def _bomb(what: str, array: str) -> bytes:
    """Put 400 MB of zeros, packed once, in the place of an array."""
    name, (data, size, check) = f"{array}.npy", _zeros()
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for other, old in parts(what).items():
            archive.writestr(other, data if other == name else old)
        info = archive.getinfo(name)
        info.compress_type, info.CRC, info.file_size = zipfile.ZIP_DEFLATED, check, size
    whole_file = bytearray(buffer.getvalue())
    # What stands before the file itself says the same as the directory at the end.
    struct.pack_into("<H", whole_file, info.header_offset + 8, info.compress_type)
    struct.pack_into("<III", whole_file, info.header_offset + 14, check, len(data), size)
    return bytes(whole_file)


@cache
def _zeros() -> tuple[bytes, int, int]:
    """Return an array of zeros, packed, with its length and checksum."""
    plain = array_file(np.zeros(1), "bomb")
    packer = zlib.compressobj(1, zlib.DEFLATED, -15)
    return packer.compress(plain) + packer.flush(), len(plain), zlib.crc32(plain)


def _forge(case: Case) -> tuple[bytes, str]:
    files = dict(parts(case["what"]))
    if "part" in case:
        name = sorted(files)[case["part"] % len(files)]
        files[name] = base64.b64decode(case["bytes"])
        return packed(list(files.items())), "array" if name.endswith(".npy") else "header"
    items = list(files.items())
    for forged in (case, *case.get("also", ())):
        items = _forged_field(items, forged) if "field" in forged else _forged_array(items, forged)
    return packed(items), str(case["field"][0]) if "field" in case else "array"


def _forged_field(items: Items, case: Case) -> Items:
    header = value = json.loads(dict(items)[HEADER])
    *way, last = case["field"]
    try:
        for step in way:
            value = value[step]
        value[last] = case["is"] if "is" in case else VALUES[case["value"]]
    except (KeyError, IndexError, TypeError):  # what held it was forged before
        return items
    told = json.dumps(header).encode("utf-8", "surrogatepass")
    return [(name, told if name == HEADER else data) for name, data in items]


def _forged_array(items: Items, case: Case) -> Items:
    name, becomes = f"{case['array']}.npy", case["becomes"]
    try:
        old = np.load(io.BytesIO(dict(items)[name]))
        new = array_file(old, becomes, case.get("at", 0))
    except (KeyError, IndexError, ValueError, TypeError, MemoryError):
        return items  # forged before: absent, without a length, or no numbers
    items = [item for item in items if item[0] != name]
    if becomes != "absent":
        items.append((name, new))
    if becomes == "twice":
        items.append((name, array_file(old[::-1], "same")))
    return items


def leaves(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the place of every value within a value."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in items:
        yield (*place, key)
        if isinstance(inner, dict | list):
            yield from leaves(inner, (*place, key))


def array_file(old: np.ndarray, becomes: str, at: int = 0) -> bytes:
    """Return an array that is not what it should be."""
    if becomes in CELLS and old.ndim and len(old):
        old = old.copy()
        with np.errstate(all="ignore"):
            old[at % len(old)] = CELLS[becomes](old[at % len(old)], old)
    new = {
        "text": lambda: old.astype(str),
        "nan": lambda: np.full(len(old), np.nan),
        "inf": lambda: np.full(len(old), -np.inf),
        "negative": lambda: -old - 1,
        "large": lambda: old + 2**30,
        "flat": lambda: old[:0].sum(),
        "square": lambda: np.tile(old, (2, 1)),
        "empty": lambda: old[:0],
        "longer": lambda: np.append(old, old),
        "pickle": lambda: old.astype(object),
        "complex": lambda: old.astype(complex),
        "bomb": lambda: np.zeros(5 * 10**7),
    }.get(becomes, lambda: old)()
    buffer = io.BytesIO()
    np.save(buffer, new)
    data = buffer.getvalue()
    if becomes != "lie":
        return data
    shape = str(old.shape).encode()
    return data.replace(shape, b"(999999999999,)".ljust(len(shape)), 1)


def _limit(dtype: np.dtype[Any], which: str) -> Any:
    return getattr(np.finfo(dtype) if dtype.kind == "f" else np.iinfo(dtype), which)


def packed(items: Items) -> bytes:
    """Return a ZIP file."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, data in items:
            archive.writestr(name, data)
    return buffer.getvalue()


def check(case: Case) -> None:
    """Load it and use it, with little memory to spare."""
    data, forged = forge(case)
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, before[1]))
    try:
        with tempfile.TemporaryDirectory() as folder:
            _load_and_use(data, Path(folder), forged)
            alone = not case.get("also")
            if alone and case.get("becomes") == "absent" and _loads(Path(folder)):
                raise Failure("an absent array is not missed", case)
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def _loads(folder: Path) -> bool:
    try:
        qrja.load(folder / "forged.qrja")
    except qrja.InputError:
        return False
    return True


def _load_and_use(data: bytes, folder: Path, forged: str) -> None:
    path = folder / "forged.qrja"
    path.write_bytes(data)
    try:
        ratings = qrja.load(path)
    except Exception as error:
        only_ours(error, f"loading a forged {forged}")
        return
    names = ratings.data.names
    uses = {
        "table": lambda: ratings.table(level=None, shown=True),
        "intervals": lambda: ratings.table(resamples=5),
        "predict": lambda: ratings.predict(names[:2]),
        "explain": lambda: str(ratings.explain(names[0], names[1])),
        "trust": lambda: str(ratings.trust()),
        "update": lambda: ratings.update(ratings.data),
        "flow": lambda: ratings.solution.flow(),
        "history": lambda: ratings.history(names[0]),
        "breaks": lambda: ratings.breaks(),
        "effects": lambda: ratings.effects(),
        "members": lambda: ratings.members("coach"),
        "check": lambda: ratings.solution.check(ratings.problem),
        "repr": lambda: repr(ratings),
        "save": lambda: ratings.save(folder / "again.qrja"),
    }
    for use in uses.values():
        try:
            use()
        except Exception as error:
            only_ours(error, f"using a forged {forged}")
    if not np.isfinite(ratings.solution.x).all():
        raise Failure(f"not a number from a forged {forged}", ratings.solution.x)


KIND = Kind(
    name="forgeries",
    about="saved files with hostile values or arrays: loaded, used, saved again",
    draw=draw,
    check=check,
    share=1.0,
    together=20,
    ordinary=0,
)
