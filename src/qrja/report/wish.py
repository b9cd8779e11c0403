"""A wish: what is asked of a report, beside the ratings."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from qrja.ratings.intervals import IntervalRequest

if TYPE_CHECKING:
    from qrja.tables import Summary


@dataclass(frozen=True)
class Wish:
    """What is asked of a report; see :func:`qrja.report.make_report`."""

    title: str
    source: str
    checksum: str | None
    summary: Summary | None
    backtest: Mapping[str, Any] | None
    no_backtest: str
    sampling: IntervalRequest
    progress: Callable[[str, int, int], None] | None = None
    language: str = "en"
    logo: str = ""
    link: str = ""
    start_list: tuple[Hashable, ...] = ()
