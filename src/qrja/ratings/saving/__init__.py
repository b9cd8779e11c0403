"""Save and load: ratings in one file that any program can open and none has to run.

The file is a ZIP archive. ``ratings.json`` holds the names, the labels, the model, what was proved
and which arrays there must be; each array is a ``.npy`` file beside it. Nothing is pickled, so
loading runs no code of the file. It is written beside its place and renamed into it; on loading
everything is checked as if it came from a user, sizes before they are read.

Read ``saved_ratings`` first: what of ratings goes into the file and comes out of it. The results
are ``saved_data``, the model ``saved_model``, scores of members ``saved_parts``, names and labels
``saved_labels``; numbers and words are checked by ``saved_values``, and the file itself is
``archive``.
"""

from qrja.ratings.saving.saved_model import describe_model, rebuild_model
from qrja.ratings.saving.saved_ratings import read_file, save
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
