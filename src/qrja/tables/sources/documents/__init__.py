"""Documents that hold tables among other things.

Reading order: ``sheet_file`` (a sheet of a spreadsheet) and ``extent`` (how far it reaches),
``archives`` (folders, patterns, ZIP) and ``many_files`` (several files as one table).
"""

from qrja.tables.sources.documents.archives import files_of, is_pattern, is_spreadsheet, unzip
from qrja.tables.sources.documents.many_files import FILE, ManyFiles
from qrja.tables.sources.documents.sheet_file import open_sheet

__all__ = [
    "FILE",
    "ManyFiles",
    "files_of",
    "is_pattern",
    "is_spreadsheet",
    "open_sheet",
    "unzip",
]
