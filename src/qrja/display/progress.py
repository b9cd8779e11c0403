"""Progress: ``progress=True`` draws a bar where somebody looks, in a notebook or on a terminal.

Long work tells a callable how far it is, by ``progress(done, steps)`` or
``progress(what, done, steps)``. A :class:`ProgressBar` is such a callable. It appears after
``PATIENCE`` seconds and goes when the work is done. In a notebook it is a piece of HTML that is
replaced, so that no widgets are needed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import monotonic
from typing import Any

from qrja.display.markup import Markup, block, safe
from qrja.errors import InputError

Progress = bool | Callable[[int, int], None] | None
"""What people may give: True for a bar, a function of their own, or nothing."""
PATIENCE = 1.0
"""Seconds after which a bar appears."""
OFTEN = 0.1
"""Seconds between two changes of it."""


class ProgressBar:
    """A bar for people who wait; it is told ``(done, steps)``, or ``(what, done, steps)``.

    Parameters
    ----------
    what : str
        What takes so long.
    """

    def __init__(self, what: str = "working") -> None:
        self.what = what
        self._began = self._last = monotonic()
        self._shown: Any = None

    def __call__(self, *told: Any) -> None:
        """Hear how far the work is."""
        *words, done, steps = told
        now = monotonic()
        over = done >= steps
        if now - self._began < PATIENCE or (not over and now - self._last < OFTEN):
            return
        self._last = now
        draw = _draw_in_notebook if in_notebook() else _draw_on_terminal
        self._shown = draw(self._shown, str(words[0]) if words else self.what, done, steps)


def as_progress(progress: Any, what: str) -> Callable[..., None] | None:
    """Return whom to tell how far the work is: a bar for True, nobody for None or False.

    Examples
    --------
    >>> as_progress(None, "resampling") is None, as_progress(print, "resampling") is print
    (True, True)
    >>> as_progress("yes", "resampling")
    Traceback (most recent call last):
    qrja.errors.InputError: progress is 'yes'; give True, or a function of (done, steps)
    """
    if progress is None or progress is False:
        return None
    if progress is True:
        return ProgressBar(what)
    if not callable(progress):
        raise InputError(f"progress is {progress!r}; give True, or a function of (done, steps)")
    return progress  # type: ignore[no-any-return]


def in_notebook() -> bool:
    """Tell whether the code runs in a kernel that shows HTML."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return hasattr(shell, "kernel")


def draw_bar(what: str, done: int, steps: int) -> Markup:
    """Draw a bar as HTML.

    Examples
    --------
    >>> 'value="3" max="4"' in draw_bar("<fit>", 3, 4), "&lt;fit&gt;" in draw_bar("<fit>", 3, 4)
    (True, True)
    """
    bar = Markup(f'<progress value="{done:g}" max="{steps:g}"></progress> ')
    return block(bar, safe(f"{what}: {done:,} of {steps:,}"))


def _draw_in_notebook(shown: Any, what: str, done: int, steps: int) -> Any:
    from IPython.display import HTML, display

    html = HTML("" if done >= steps else draw_bar(what, done, steps))  # type: ignore[no-untyped-call]
    if shown is None:
        return display(html, display_id=True)  # type: ignore[no-untyped-call]
    shown.update(html)
    return shown


def _draw_on_terminal(shown: Any, what: str, done: int, steps: int) -> Any:
    if sys.stderr.isatty():
        line = f"{what}: {done:,} of {steps:,}"
        print(f"\r{'' if done >= steps else line:<60}", end="\r", file=sys.stderr, flush=True)
    return shown
