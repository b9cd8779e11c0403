"""Lazy: what is made when first used, so that doors open quickly.

Names of a package that live elsewhere, and patterns of which a table needs one or none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cached_property
from importlib import import_module
from typing import Any


def lazily(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a package whose names live elsewhere.

    Parameters
    ----------
    package : str
        Its ``__name__``, for the message.
    homes : dict
        Name -> the module that has it; a module that is called by its own name is itself meant.

    Examples
    --------
    >>> find = lazily("qrja", {"InputError": "qrja.errors", "errors": "qrja.errors"})
    >>> find("InputError").__name__, find("errors").__name__
    ('InputError', 'qrja.errors')
    >>> find("nothing")
    Traceback (most recent call last):
    AttributeError: module 'qrja' has no attribute 'nothing'
    """

    def find(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home = import_module(homes[name])
        return home if homes[name].endswith(f".{name}") else getattr(home, name)

    return find


class LazyPattern:
    r"""A regular expression that is compiled when first used.

    Examples
    --------
    >>> year = LazyPattern(r"\d{4}")
    >>> bool(year.fullmatch("2026")), bool(year.match("2026-11")), bool(year.fullmatch("26"))
    (True, True, False)
    """

    def __init__(self, text: str, flags: int = 0) -> None:
        self.text, self.flags = text, flags

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self.text, self.flags)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """Match the whole of a text."""
        return self._compiled.fullmatch(text)

    def match(self, text: str, at: int = 0) -> re.Match[str] | None:
        """Match what begins at some place of a text."""
        return self._compiled.match(text, at)
