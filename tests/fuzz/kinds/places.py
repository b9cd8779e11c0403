"""Places: one planted mistake, whose line is known, in files with everything that misleads."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import qrja
from fuzz.kind import Case, Failure, Kind, only_ours
from fuzz.shrink import fewer

MISTAKES = {
    "score": ["A", "Zoe", "fast", "2026-01-01", "1"],
    "date": ["A", "Zoe", "3", "someday", "1"],
    "weight": ["A", "Zoe", "3", "2026-01-01", "-1"],
    "short": ["A", "Zoe"],
    "long": ["A", "Zoe", "3", "2026-01-01", "1", "more"],
}


def draw(rng: np.random.Generator) -> Case:
    """Draw good rows, a place for the bad one, and a way to write them."""
    rows = []
    for number in range(int(rng.integers(1, 30))):
        name = f"{rng.choice(['Ann', 'Bob', 'Ève', 'Cid'])} {number}"
        if rng.random() < 0.1:
            name = str(rng.choice([f"two\nlines {number}", f'q"{number}', f"a,b {number}"]))
        rows.append(["A", name, f"{rng.integers(1, 99)}", "2026-01-01", "1"])
    return {
        "what": str(rng.choice(list(MISTAKES))),
        "rows": rows,
        "at": int(rng.integers(0, len(rows) + 1)),
        "blank": [int(v) for v in rng.integers(0, len(rows) + 1, int(rng.integers(0, 3)))],
        "end": str(rng.choice(["\n", "\r\n", "\r"])),
        "encoding": str(rng.choice(["utf-8", "utf-8-sig", "latin-1", "both"])),
        "repeat": int(rng.choice([1, 1, 1, 400])),
    }


def write(case: Case) -> tuple[bytes, int]:
    """Return the file and the line on which the bad row begins."""
    rows: list[list[str] | None] = []
    for turn in range(case["repeat"]):
        rows += [[row[0], f"{row[1]}{turn or ''}", *row[2:]] for row in case["rows"]]
    rows.insert(case["at"], MISTAKES[case["what"]])
    for place in sorted(case["blank"], reverse=True):
        rows.insert(place, None)
    end, line, found, parts = case["end"], 2, 0, ["race,runner,score,date,weight"]
    for row in rows:
        text = "" if row is None else ",".join(map(_quote, row)).replace("\n", end)
        found = line if row is not None and row[1] == "Zoe" else found
        line += 1 + text.count(end)
        parts.append(text)
    text = end.join(parts) + end
    if case["encoding"] == "both":  # a mark that says UTF-8, before what is not
        return b"\xef\xbb\xbf" + text.encode("latin-1", "replace"), found
    return text.encode(case["encoding"], "replace"), found


def _quote(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"' if re.search('[,"\n]', cell) else cell


def check(case: Case) -> None:
    """The message names the file and the line."""
    data, line = write(case)
    what = f"a wrong {case['what']}"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "races.csv")
        path.write_bytes(data)
        try:
            table = qrja.read_table(path, weight="weight")
        except Exception as error:
            only_ours(error, what)
            if case["encoding"] == "both" and "\u00ef\u00bb\u00bf" in str(error):
                raise Failure("a mark of UTF-8 is read as letters", error) from None
            told = re.search(r"races\.csv:(\d+):", str(error))
            if told is None:
                raise Failure(f"no line named for {what}", error) from None
            if int(told[1]) != line:
                raise Failure(f"wrong line for {what}", f"it is {line}: {error}") from None
            return
    where = [place for group in table.summary.left_out for place in group.where]
    if line not in where:
        raise Failure(f"nothing said of {what}", f"line {line}: {table.summary.lines()}")


def shrink(case: Case) -> Iterator[Case]:
    """Yield fewer rows, and plainer ways to write them."""
    for option, plain in {"repeat": 1, "encoding": "utf-8", "end": "\n", "blank": []}.items():
        if case[option] != plain:
            yield {**case, option: plain}
    for rows in fewer(case["rows"]):
        yield {**case, "rows": rows, "at": min(case["at"], len(rows)), "blank": []}


KIND = Kind(
    name="places",
    about="one planted mistake whose line is known",
    draw=draw,
    check=check,
    shrink=shrink,
    ordinary=40,
)
