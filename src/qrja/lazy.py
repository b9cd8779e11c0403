"""Lazy: names of a package that are imported when first used, so that its door opens quickly."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
