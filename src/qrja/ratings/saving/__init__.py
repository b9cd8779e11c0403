"""Save and load: ratings in one file that any program can open and none has to run.

The file is a ZIP archive. ``ratings.json`` holds the names, the labels, the model, what was proved
and which arrays there must be; each array is a ``.npy`` file beside it. Nothing is pickled, so
loading runs no code of the file. It is written beside its place and renamed into it; on loading
everything is checked as if it came from a user, sizes before they are read.

Read ``saved_ratings`` first: what of ratings goes into the file and comes out of it. The file
itself is ``archive``, names and labels in it ``saved_labels``, scores of members ``saved_parts``,
and its numbers and words are checked by ``saved_values``.
"""

from qrja.ratings.saving.saved_ratings import describe_model, read_file, rebuild_model, save
from qrja.ratings.saving.saved_values import (
    checked_count,
    checked_fields,
    checked_number,
    checked_text,
    checked_word,
)

__all__ = [
    "checked_count",
    "checked_fields",
    "checked_number",
    "checked_text",
    "checked_word",
    "describe_model",
    "read_file",
    "rebuild_model",
    "save",
]
