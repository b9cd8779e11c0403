"""Progress: how far a panel is, found out again when something was said, and not too often."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from time import monotonic

from qrja.league import JudgeNote, LeaguePanel, StopSign

SELDOM = 5.0
"""Seconds for which judges see the same stop sign, whatever was said since."""


class Progress:
    """The stop sign of a panel, and its judges."""

    def __init__(self, panel: LeaguePanel) -> None:
        self._panel = panel
        self._lock = threading.Lock()
        self._short: tuple[str, float, StopSign] | None = None
        self._whole: tuple[str, StopSign, list[JudgeNote]] | None = None

    def short(self) -> StopSign:
        """Return how far the panel is, for judges: some seconds old at the most."""
        with self._lock:
            digest, known = self._panel.league.last_state.digest, self._short
            if known is not None and (known[0] == digest or monotonic() - known[1] < SELDOM):
                return known[2]
            sign = self._panel.stop_sign(first=False)
            self._short = (digest, monotonic(), sign)
            return sign

    def whole(self, invited: Sequence[str]) -> tuple[StopSign, list[JudgeNote]]:
        """Return how far the panel is and what the judges are like, for organisers."""
        with self._lock:
            digest = f"{self._panel.league.state.digest} {len(invited)}"
            if self._whole is None or self._whole[0] != digest:
                judges = list(self._panel.judges(invited))
                self._whole = (digest, self._panel.stop_sign(), judges)
            return self._whole[1:]
