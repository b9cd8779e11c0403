r"""Letters that a terminal obeys, and letters that turn or hide others: shown, not done.

A name is whatever somebody typed, or sent. Printed as it is, an escape sequence clears the screen
or renames the window, a backspace or a carriage return forges a row, and a direction mark turns the
line around. Whatever goes to a person is therefore written with these letters spelled out, as
``\x1b`` or ``\u202e``; JSON and files keep the name as it is.

References
----------
Boucher and Anderson, Trojan Source: Invisible Vulnerabilities, 2021; Unicode Technical Report 36.
"""

from __future__ import annotations

import re

_OBEYED = (
    "\x00-\x1f\x7f-\x9f"  # control letters of ASCII and of Latin-1
    "\u200b\u2060-\u2064\ufeff"  # no width, and no use in a name; joiners have one
    "\u2028\u2029"  # line ends
    "\u202a-\u202e\u2066-\u206f"  # directions
    "\ufff9-\ufffb"  # notes between the lines
    "\ud800-\udfff"  # halves of letters, which cannot be printed
)
_LETTER = re.compile(f"[{_OBEYED}]")
_BUT_LINES = re.compile(f"(?![\n\t])[{_OBEYED}]")


def visible(text: str, *, lines: bool = False) -> str:
    r"""Spell out the letters of a text that would be obeyed instead of shown.

    Parameters
    ----------
    text : str
        A name; or, with ``lines``, a text whose line feeds and tabs are meant.

    Examples
    --------
    >>> print(visible("\x1b[2JAnn\u202e"), visible("Zoë 🏃\u200d♀\ufe0f"))
    \x1b[2JAnn\u202e Zoë 🏃‍♀️
    >>> print(visible("Ann\r\n", lines=True), end="")
    Ann\r
    """
    return (_BUT_LINES if lines else _LETTER).sub(_spelled, text)


def _spelled(letter: re.Match[str]) -> str:
    return letter[0].encode("unicode_escape").decode()


def visible_json(text: str) -> str:
    r"""Spell out such letters in JSON, which means the same to whoever reads it.

    Examples
    --------
    >>> print(visible_json('["\u202eAnn"]'))
    ["\u202eAnn"]
    """
    return _BUT_LINES.sub(lambda letter: f"\\u{ord(letter[0]):04x}", text)
