"""Documents that hold tables among other things.

Reading order: ``sheet_file`` (a sheet of a spreadsheet) and ``extent`` (how far it reaches),
``archives`` (folders, patterns, ZIP), ``many_files`` (several files as one table) and
``dealt_file`` (rows of many files, dealt anew).
"""

from qrja.tables.sources.documents.archives import files_of, is_pattern, is_spreadsheet, unzip
from qrja.tables.sources.documents.dealt_file import ORIGIN, Dealt, DealtFile
from qrja.tables.sources.documents.many_files import FILE, ManyFiles
from qrja.tables.sources.documents.sheet_file import open_sheet

__all__ = [
    "FILE",
    "ORIGIN",
    "Dealt",
    "DealtFile",
    "ManyFiles",
    "files_of",
    "is_pattern",
    "is_spreadsheet",
    "open_sheet",
    "unzip",
]
