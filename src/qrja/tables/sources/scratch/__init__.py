"""What is kept beside a table while it is read, and gone after that.

Reading order: ``scratch_folders`` (a folder of this process alone), ``copies`` (of streams, and of
what packed files hold).
"""

from qrja.tables.sources.scratch.copies import GZIP, copying, spool, unpack
from qrja.tables.sources.scratch.scratch_folders import scratch_folder

__all__ = ["GZIP", "copying", "scratch_folder", "spool", "unpack"]
