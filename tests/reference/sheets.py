"""A spreadsheet written by hand, as the standard says, so that no writer is needed."""

from __future__ import annotations

import zipfile
from pathlib import Path
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
