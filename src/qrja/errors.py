"""Everything qrja raises on purpose.

::

    QRJAError
    ├── InputError          the data or an argument is wrong: place, value, remedy   (exit code 2)
    │   ├── FileChangedError    a file to be replaced is not the one that was read
    │   ├── ConflictError       a league has changed meanwhile, or a key was used for something else
    │   └── EmptyLeagueError    a league holds nothing to rate
    ├── BusyError           a database did not answer in time: try again             (exit code 1)
    └── MissingExtraError   an optional package is not installed: says what to install (exit code 1)

    QRJAWarning             something was assumed, left out or slow

A message is one line, of letters that can be seen. It says where (file and line, row, contestant),
what was found there and what to do about it, so that a person can act on it without reading any
code.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from itertools import islice

from qrja.letters import cut, visible

LONGEST_MESSAGE = 2000
"""Letters of a message: nobody reads more, and a cell may hold a million."""


class QRJAError(Exception):
    r"""Base of every error that qrja raises on purpose; its message is one line.

    Examples
    --------
    >>> print(QRJAError("the score is [[1]\n [2]]; give a number"))
    the score is [[1] [2]]; give a number
    """

    def __init__(self, message: object = "") -> None:
        # The values shown are the user's, and some are written on several lines: arrays, say.
        line = " ".join(part.strip() for part in str(message).splitlines())
        super().__init__(cut(visible(line), LONGEST_MESSAGE))


class InputError(QRJAError, ValueError):
    """The data or an argument is wrong; the message says where and how to mend it."""


class FileChangedError(InputError):
    """A file that is to be replaced is no longer the one that was read."""


class ConflictError(InputError):
    """A league is not as the writer expected it: look again, then decide."""


class EmptyLeagueError(InputError):
    """A league holds nothing to rate yet, or nothing any more."""


class BusyError(QRJAError):
    """A database is there, and did not answer in time; trying again may help."""


class MissingExtraError(QRJAError, ImportError):
    """An optional package is missing; the message says which extra brings it."""

    @classmethod
    def of(cls, package: str, extra: str, purpose: str) -> MissingExtraError:
        """Build the message for a missing ``package`` of an ``extra``.

        Examples
        --------
        >>> print(MissingExtraError.of("pyamg", "amg", "large grid-like graphs"))
        large grid-like graphs need the package pyamg: pip install 'qrja[amg]'
        """
        return cls(f"{purpose} need the package {package}: pip install 'qrja[{extra}]'")


class QRJAWarning(UserWarning):
    """Something was assumed, left out or slow; the answer is right all the same."""


def nearest(word: str, known: Iterable[str]) -> str:
    """Return ``"; did you mean 'x'?"`` for the known word closest to ``word``, or nothing.

    Examples
    --------
    >>> nearest("contestent", ["contest", "contestant"])
    "; did you mean 'contestant'?"
    >>> nearest("zzz", ["contest"])
    ''
    """
    if len(word) > 200:  # nobody mistypes that much, and comparing takes the product of lengths
        return ""
    by_folded = {name.casefold(): name for name in islice(known, 5000)}
    match = get_close_matches(word.casefold(), list(by_folded), n=1, cutoff=0.6)
    return f"; did you mean {by_folded[match[0]]!r}?" if match else ""
