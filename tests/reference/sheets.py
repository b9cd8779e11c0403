"""A spreadsheet written by hand, as the standard says, so that no writer is needed."""

from __future__ import annotations

import struct
import zipfile
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

_TYPES = (
    '<?xml version="1.0" encoding="UTF-8"?><Types xmlns="http://schemas.openxmlformats.org/'
    'package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.'
    'openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/'
    'vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>'
)
_MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
_KINDS = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"'
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_STYLES = (
    f'<styleSheet {_MAIN}><numFmts count="1"><numFmt numFmtId="170" formatCode="[h]:mm:ss"/>'
    '</numFmts><cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/>'
    "</cellXfs></styleSheet>"
)

Cell = str | float | tuple[str, float] | None
"""A text, a number, or ``("date", days)`` and ``("time", seconds)``."""


def write_xlsx(path: Path, sheets: dict[str, list[list[Cell]]]) -> Path:
    """Write sheets of texts, numbers, dates and times."""
    names = list(enumerate(sheets, 1))
    listed = "".join(
        f'<sheet name="{escape(name)}" sheetId="{k}" r:id="rId{k}"/>' for k, name in names
    )
    links = "".join(
        f'<Relationship Id="rId{k}" Type="{_OFFICE}/worksheet" Target="worksheets/s{k}.xml"/>'
        for k, _ in names
    )
    links += f'<Relationship Id="rIdS" Type="{_OFFICE}/styles" Target="styles.xml"/>'
    root = f'<Relationship Id="r1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/>'
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("[Content_Types].xml", _TYPES)
        file.writestr("_rels/.rels", f"<Relationships {_KINDS}>{root}</Relationships>")
        file.writestr(
            "xl/workbook.xml",
            f'<workbook {_MAIN} xmlns:r="{_OFFICE}"><sheets>{listed}</sheets></workbook>',
        )
        file.writestr(
            "xl/_rels/workbook.xml.rels", f"<Relationships {_KINDS}>{links}</Relationships>"
        )
        file.writestr("xl/styles.xml", _STYLES)
        for k, name in names:
            rows = "".join(_row(r, row) for r, row in enumerate(sheets[name], 1))
            file.writestr(
                f"xl/worksheets/s{k}.xml",
                f"<worksheet {_MAIN}><sheetData>{rows}</sheetData></worksheet>",
            )
    return path


def _row(number: int, cells: list[Cell]) -> str:
    written = "".join(_cell(f"{chr(65 + c)}{number}", cell) for c, cell in enumerate(cells))
    return f'<row r="{number}">{written}</row>'


def _cell(where: str, cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, str):
        return f'<c r="{where}" t="inlineStr"><is><t>{escape(cell)}</t></is></c>'
    if isinstance(cell, tuple):
        style, value = (1, cell[1]) if cell[0] == "date" else (2, cell[1] / 86400)
        return f'<c r="{where}" s="{style}"><v>{float(value)!r}</v></c>'
    return f'<c r="{where}"><v>{cell}</v></c>'


def write_ods(path: Path, name: str, rows: list[list[Any]]) -> Path:
    """Write one sheet of texts, numbers and times (``("time", "PT1H02M03S")``) as OpenDocument."""
    cells = "".join(
        f"<table:table-row>{''.join(map(_ods_cell, row))}</table:table-row>" for row in rows
    )
    spaces = "".join(
        f' xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{short}:1.0"'
        for short in ("office", "table", "text")
    )
    content = (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document-content{spaces}><office:body>'
        f'<office:spreadsheet><table:table table:name="{escape(name)}">{cells}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        file.writestr("META-INF/manifest.xml", "<manifest/>")
        file.writestr("content.xml", content)
    return path


def _ods_cell(value: Any) -> str:
    if isinstance(value, tuple):
        return f'<table:table-cell office:value-type="time" office:time-value="{value[1]}"/>'
    if isinstance(value, int | float):
        return f'<table:table-cell office:value-type="float" office:value="{value}"/>'
    text = f"<text:p>{escape(value)}</text:p>"
    return f'<table:table-cell office:value-type="string">{text}</table:table-cell>'


def write_xls(path: Path, name: str, rows: list[list[str]]) -> Path:
    """Write one sheet of texts as a workbook of Excel 97: records in a compound file."""
    sheet = _record(0x809, struct.pack("<HHHHII", 0x600, 0x10, 0, 0, 0, 0))
    sheet += _record(0x200, struct.pack("<IIHHH", 0, len(rows), 0, len(rows[0]), 0))
    for at, row in enumerate(rows):
        for column, text in enumerate(row):
            place = struct.pack("<HHHHB", at, column, 0, len(text), 1)
            sheet += _record(0x204, place + text.encode("utf-16-le")) if text else b""
    sheet += _record(0x0A, b"")
    begin = _record(0x809, struct.pack("<HHHHII", 0x600, 5, 0, 0, 0, 0))
    begin += _record(0x42, struct.pack("<H", 1200))
    label = struct.pack("<HBB", 0, len(name), 0) + name.encode("latin-1")
    start = len(begin) + 4 + 4 + len(label) + 4
    book = begin + _record(0x85, struct.pack("<I", start) + label) + _record(0x0A, b"") + sheet
    path.write_bytes(_compound_file("Workbook", book.ljust(4096, b"\0")))
    return path


def _record(kind: int, data: bytes) -> bytes:
    return struct.pack("<HH", kind, len(data)) + data


def _compound_file(name: str, stream: bytes) -> bytes:
    """Put one stream into a compound file: header, table of sectors, directory, the stream."""
    end, free, table = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD
    stream = stream.ljust(-(-len(stream) // 512) * 512, b"\0")
    sectors = len(stream) // 512
    header = bytes.fromhex("D0CF11E0A1B11AE1").ljust(24, b"\0")
    header += struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6).ljust(20, b"\0")
    header += struct.pack("<IIIIIIIII", 1, 1, 0, 4096, end, 0, end, 0, 0)
    header += struct.pack("<I", free) * 108
    fat = [table, end, *range(3, 2 + sectors), end]
    fat += [free] * (128 - len(fat))
    entries = [("Root Entry", 5, 1, end, 0), (name, 2, free, 2, len(stream))]
    entries += [("", 0, free, free, 0)] * 2
    return header + struct.pack("<128I", *fat) + b"".join(map(_entry, entries)) + stream


def _entry(it: tuple[str, int, int, int, int]) -> bytes:
    """Write an entry of the directory: its name, kind, child, first sector and size."""
    name, kind, child, first, size = it
    text = f"{name}\0".encode("utf-16-le") if name else b""
    begin = text.ljust(64, b"\0") + struct.pack("<HBB", len(text), kind, 1)
    begin += struct.pack("<III", 0xFFFFFFFF, 0xFFFFFFFF, child)
    return begin.ljust(116, b"\0") + struct.pack("<IQ", first, size)
