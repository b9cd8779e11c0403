"""Parquet: files of typed columns, and the checksums that their pages may carry.

Read :mod:`parquet_file` first; it asks :mod:`parquet_pages` before it reads.
"""

from qrja.tables.sources.parquet.parquet_file import ParquetFile
from qrja.tables.sources.parquet.parquet_pages import pages_are_sound

__all__ = ["ParquetFile", "pages_are_sound"]
