"""The document: the content gathered, and the page written around it.

One file holds the texts, the numbers, the style and the scripts. It asks nothing of a network, and
its policy forbids everything that is not in it: see :mod:`qrja.report.page`.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Hashable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qrja.errors import InputError, QRJAWarning
from qrja.ratings import number_of, similar, spoken
from qrja.ratings.intervals import Errors, IntervalRequest, Method
from qrja.report.branding import embed_link, embed_logo
from qrja.report.content import gather
from qrja.report.page import build_page
from qrja.report.phrases import check_language
from qrja.report.wish import Wish
from qrja.speech import Sentence

if TYPE_CHECKING:
    from qrja.ratings import Ratings
    from qrja.tables import Summary

ENDINGS = (".html", ".htm")
TITLE = Sentence("Ratings")


def make_report(
    ratings: Ratings | Mapping[str, Ratings],
    *,
    title: str = TITLE,
    source: str = "",
    checksum: str | None = None,
    summary: Summary | Mapping[str, Summary | None] | None = None,
    backtest: Mapping[str, Any] | None = None,
    no_backtest: str | Mapping[str, str] = "",
    language: str = "en",
    logo: str | os.PathLike[str] | None = None,
    link: str | None = None,
    start_list: Iterable[Hashable] = (),
    level: float = 0.95,
    resamples: int | None = None,
    seed: int = 0,
    method: Method = "auto",
    errors: Errors | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> str:
    """Make the HTML report on some ratings.

    Parameters
    ----------
    ratings : Ratings, or dict of them
        What to report on; of several, each category is a tab of the page, called by its key. Then
        ``summary``, ``backtest`` and ``no_backtest`` are dictionaries by the same keys.
    title : str
        Its heading.
    source : str
        Where the data come from, for people.
    checksum : str, optional
        The sha256 of the file that was read; without it, that of the results themselves.
    summary : Summary, optional
        What became of the rows of the table.
    backtest : dict, optional
        ``Backtest.to_dict()`` of the same data: fills the section that compares methods.
    no_backtest : str
        Why there is none, for people; by default how to get one.
    language : {"en", "de", "fr", "es"}
        Of all that the page says; names, labels and what options are called stay as they are.
    logo : path, optional
        A picture for the head of the page, which is put into it.
    link : str, optional
        An address for the head of the page.
    start_list : names
        Who is compared and forecast from the start; the best five unless given.
    level, resamples, seed, method, errors
        Of the intervals, see :meth:`qrja.Ratings.intervals`.
    progress : callable, optional
        Told what is being done, how many steps of it are done, and how many there are.

    Returns
    -------
    str
        A page. The same ratings and arguments give the same text.

    Examples
    --------
    >>> import qrja
    >>> page = make_report(qrja.fit(qrja.datasets.marathons()), title="Three marathons")
    >>> page.count("<title>Three marathons</title>"), "http-equiv" in page
    (1, True)
    """
    parts = ratings if isinstance(ratings, Mapping) else {"": ratings}
    if not parts:
        raise InputError("there are no ratings to report on; give one of each category")
    chosen = _start_lists(parts, tuple(start_list))
    alone = parts is not ratings
    wishes = {
        label: Wish(
            title,
            source,
            checksum,
            _of(summary, label, alone),
            _of(backtest, label, alone),
            _of(no_backtest, label, alone) or "",
            IntervalRequest(level, resamples, seed, method, None, errors),
            progress,
            check_language(language),
            embed_logo(logo),
            embed_link(link),
            chosen[label],
        )
        for label in parts
    }
    return build_page({label: gather(parts[label], wishes[label]) for label in parts})


def _of(given: Any, label: str, alone: bool) -> Any:
    """Return what was given for a category, or for the only one."""
    return given if alone or given is None or given == "" else given.get(label)


def _start_lists(
    parts: Mapping[str, Ratings], names: tuple[Hashable, ...]
) -> dict[str, tuple[Hashable, ...]]:
    """Tell in which category each of the start list is; who is in none is told, or misspelt."""
    known = {label: set(map(str, it.problem.names)) for label, it in parts.items()}
    everybody = [it for one in parts.values() for it in one.problem.names]
    new = [it for it in names if not any(str(it) in here for here in known.values())]
    for name in new:
        if similar(everybody, name) or len(new) == len(names):
            number_of(everybody, name, next(iter(parts.values())).problem.nouns.candidate)
    if new:
        told = f"not rated, and not on the page: {', '.join(map(spoken, new))}"
        warnings.warn(told, QRJAWarning, stacklevel=3)
    return {
        label: tuple(name for name in names if str(name) in here) for label, here in known.items()
    }


def write_report(
    ratings: Ratings | Mapping[str, Ratings], path: str | os.PathLike[str], **options: Any
) -> None:
    """Write the HTML report on some ratings into a file; see :func:`make_report`.

    Examples
    --------
    >>> import qrja, tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "report.html")
    ...     write_report(qrja.fit(qrja.datasets.marathons()), path)
    ...     path.stat().st_size < 2_000_000
    True
    """
    from qrja.tables.out import write_text

    check_ending(path)
    write_text(make_report(ratings, **options), path)


def check_brand(language: str, logo: str | os.PathLike[str] | None, link: str | None) -> None:
    """Check the language, the logo and the link of a page, before long work begins."""
    check_language(language)
    embed_logo(logo)
    embed_link(link)


def check_ending(path: str | os.PathLike[str]) -> None:
    """Check that a report goes into a file that opens as one."""
    if Path(path).suffix.casefold() not in ENDINGS:
        raise InputError(f"{path}: a report is an HTML page; end its name with .html")
