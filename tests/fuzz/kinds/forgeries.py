"""Forgeries: saved files with one hostile value, otherwise whole.

They are refused on loading, in our words; or they load, and everything that ratings can do ends in
an answer or in our words, within memory.
"""

from __future__ import annotations

import base64
import io
import json
import resource
import tempfile
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import qrja
from fuzz.kind import Case, Failure, Kind, only_ours
from fuzz.kinds.damage import whole

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
MEMORY = 2**28
"""What loading a file of a few thousand bytes may take."""


def draw(rng: np.random.Generator) -> Case:
    """Draw a field of the header, or an array, and what it becomes.

    A case may also name a file within and give its bytes: such come from ``guided``.
    """
    case: Case = {"what": str(rng.choice(["contests.qrja", "judgments.qrja"]))}
    files = parts(case["what"])
    if rng.random() < 0.6:
        places = list(leaves(json.loads(files[HEADER])))
        place = list(places[rng.integers(len(places))])
        return {**case, "field": place, "value": int(rng.integers(len(VALUES)))}
    names = sorted(name.removesuffix(".npy") for name in files if name != HEADER)
    return {**case, "array": str(rng.choice(names)), "becomes": str(rng.choice(ARRAYS))}


@cache
def parts(what: str) -> dict[str, bytes]:
    """Return the files within a saved file."""
    with zipfile.ZipFile(io.BytesIO(whole(what))) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def forge(case: Case) -> tuple[bytes, str]:
    """Return the forged file and what was forged."""
    files = dict(parts(case["what"]))
    if "part" in case:
        name = sorted(files)[case["part"] % len(files)]
        files[name] = base64.b64decode(case["bytes"])
        return packed(list(files.items())), "array" if name.endswith(".npy") else "header"
    if "field" in case:
        header = value = json.loads(files[HEADER])
        *way, last = case["field"]
        for step in way:
            value = value[step]
        value[last] = VALUES[case["value"]]
        files[HEADER] = json.dumps(header).encode("utf-8", "surrogatepass")
        return packed(list(files.items())), str(case["field"][0])
    name = f"{case['array']}.npy"
    old = np.load(io.BytesIO(files[name]))
    items = [(other, data) for other, data in files.items() if other != name]
    if case["becomes"] != "absent":
        items.append((name, array_file(old, case["becomes"])))
    if case["becomes"] == "twice":
        items.append((name, array_file(old[::-1], "same")))
    return packed(items), "array"


def leaves(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the place of every value within a value."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in items:
        yield (*place, key)
        if isinstance(inner, dict | list):
            yield from leaves(inner, (*place, key))


def array_file(old: np.ndarray, becomes: str) -> bytes:
    """Return an array that is not what it should be."""
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


def packed(items: list[tuple[str, bytes]]) -> bytes:
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
            if case.get("becomes") == "absent" and _loads(Path(folder)):
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
    about="saved files with one hostile value or array: loaded, used, saved again",
    draw=draw,
    check=check,
    share=1.0,
    ordinary=0,
)
