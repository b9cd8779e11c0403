"""Tables read by Python's own reader, one row after the other."""

from __future__ import annotations

import csv
import io
import re
import unicodedata


def entries_of_csv(
    text: str, delimiter: str
) -> str | tuple[list[tuple[str, str, float]], list[int]]:
    """The entries of a CSV table with a contest, a contestant and a score, and the lines left out.

    Best row of a contestant in a contest, contests in order of appearance; or the complaint.
    """
    lines = io.StringIO(text, newline="")
    reader = csv.reader(lines, delimiter=delimiter)
    best: dict[str, dict[str, tuple[float, int]]] = {}
    left_out = []
    before, header, timed = 0, True, False
    rows = []
    for fields in reader:
        line, before = before + 1, reader.line_num
        if len(fields) == 3 and not header:
            rows.append((line, *(unicodedata.normalize("NFC", f.strip()) for f in fields)))
        header = header and len(fields) < 3
    scored = [(*row[:3], score_of_text(row[3])) for row in rows]
    timed = any(is_time for *_, (_, is_time) in scored)
    for line, contest, contestant, (score, _) in scored:
        if score is None and not contest and not contestant:
            left_out.append(line)
            continue
        for what, name in (("contest", contest), ("contestant", contestant)):
            if not name:
                return f"the file:{line}: the {what} is empty; give it a name"
        seen = best.setdefault(contest, {})
        if score is None:
            left_out.append(line)
            continue
        value = -score if timed else score
        if contestant in seen and seen[contestant][0] >= value:
            left_out.append(line)
            continue
        if contestant in seen:
            left_out.append(seen[contestant][1])
        seen[contestant] = (value, line)
    if not any(map(len, best.values())):
        return f"the file: none of the {len(rows)} rows has a score"
    if not any(len(seen) > 1 for seen in best.values()):
        return (
            "the file: no contest has two contestants with a score;"
            " check which columns are the contest and the contestant"
        )
    entries = [
        (contest, name, value)
        for contest, seen in best.items()
        for name, (value, _) in sorted(seen.items(), key=lambda item: item[1][1])
    ]
    return entries, sorted(left_out)


def score_of_text(text: str) -> tuple[float | None, bool]:
    """The value of a score, None for none, and whether it is a time."""
    if text.upper() in ("", "DNF", "DNS"):
        return None, False
    if ":" in text:
        seconds = 0.0
        for part in text.split(":"):
            seconds = 60 * seconds + float(part)
        return seconds, True
    spelled = re.fullmatch(r"(\d+)h(\d+)m(\d+)s", text)
    if spelled:
        return 3600.0 * int(spelled[1]) + 60 * int(spelled[2]) + int(spelled[3]), True
    return float(text), False


def melted(table: list[list[str]]) -> list[list[str]]:
    """A wide table of contests as a long one, cell by cell."""
    header, *rows = table
    long = [["race", "runner", "score"]]
    for row in rows:
        for name, cell in zip(header[1:], row[1:], strict=True):
            long.append([row[0], name, cell])
    return long
