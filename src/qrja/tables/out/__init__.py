"""Tables out: texts, files and data frames.

Read ``write`` first, then ``formats``, a function a text format, and ``excel_sheet``;
``frame_kinds`` builds data frames of the library that the data came in. ``whole_file`` replaces
files only by whole ones, tables or not, and ``file_versions`` tells whether somebody else did so
meanwhile.
"""

from qrja.tables.file_locks import held, lock_file
from qrja.tables.out.file_versions import FileVersion
from qrja.tables.out.frame_kinds import KINDS as FRAME_KINDS
from qrja.tables.out.frame_kinds import build_frame, frame_kind
from qrja.tables.out.whole_file import as_path, save_whole, write_text
from qrja.tables.out.write import format_table, is_for_people, write_table

__all__ = [
    "FRAME_KINDS",
    "FileVersion",
    "as_path",
    "build_frame",
    "format_table",
    "frame_kind",
    "held",
    "is_for_people",
    "lock_file",
    "save_whole",
    "write_table",
    "write_text",
]
