"""Shared terms beside a board: what each is worth, and where ratings stand.

    home is worth 2.40 points, 2.02 to 2.77

A term is shown with as many digits as its interval supports. Ratings are those at z = 0, and a
sentence says so.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import floor, isfinite, log10
from typing import Any

from qrja.ratings.fitted import Fit
from qrja.speech import Numeral, Sentence, joined
from qrja.tables import Units
from qrja.terms import HOME, TermColumns

MOST = 6
"""Decimals that a person is shown."""


@dataclass(frozen=True)
class TermLine:
    """One term: its estimate and, where intervals were found, its bounds."""

    name: str
    estimate: float
    low: float | None
    high: float | None
    units: Units

    def say(self) -> Sentence:
        """Say what it is worth."""
        show = _supported(self).show
        told = {"name": self.name, "worth": Numeral(show(self.estimate))}
        has_word = self.units.kind == "number" and bool(self.units.word)
        if has_word:
            told["word"] = self.units.word
        if self.low is None or self.high is None:
            if has_word:
                return Sentence("{name} is worth {worth} {word}", **told)
            return Sentence("{name} is worth {worth}", **told)
        told |= {"low": Numeral(show(self.low)), "high": Numeral(show(self.high))}
        if has_word:
            return Sentence("{name} is worth {worth} {word}, {low} to {high}", **told)
        return Sentence("{name} is worth {worth}, {low} to {high}", **told)

    def to_dict(self) -> dict[str, Any]:
        """Give it for JSON, in the units of ratings (of logarithms, for ratios)."""
        return {"term": self.name, "estimate": self.estimate, "low": self.low, "high": self.high}


def _supported(line: TermLine) -> Units:
    """Return units with two digits of half of the interval."""
    units = line.units
    if units.kind in ("ratio", "percent") or line.low is None or line.high is None:
        return units
    half = 0.5 * (line.high - line.low)
    if not (isfinite(half) and half > 0):
        return units
    return replace(units, decimals=min(max(1 - floor(log10(half)), 0), MOST))


def list_terms(fit: Fit) -> list[TermLine]:
    """List the terms of ratings, with the intervals that were found for them last.

    Examples
    --------
    >>> import qrja
    >>> games = qrja.Contests.from_arrays(
    ...     [1, 1, 2, 2], "abba", [3, 1, 2, 1], covariates={"home": [1, 0, 1, 0]}
    ... )
    >>> print(list_terms(qrja.fit(games, covariates=["home"]))[0].say())
    home is worth 1.500
    """
    if fit.terms is None:
        return []
    _, low, high = fit.__dict__.get("term_bounds", (None, None, None))
    return [
        TermLine(
            name,
            float(beta),
            None if low is None else float(low[k]),
            None if high is None else float(high[k]),
            fit.units,
        )
        for k, (name, beta) in enumerate(zip(fit.terms.names, fit.terms.beta, strict=True))
    ]


def say_terms(fit: Fit) -> list[Sentence]:
    """Say what the terms of ratings are worth, and where ratings stand; nothing without any."""
    lines = list_terms(fit)
    if fit.terms is None or not lines:
        return []
    zero = dict.fromkeys(filter(None, map(_zero, fit.terms.names)))
    bases = [f"{name} = 0" for name in zero]
    bases += [base.replace("=", " = ", 1) for base in fit.terms.columns.left_out]
    told = [line.say() for line in lines]
    told += _say_pulls(fit.terms.columns)
    if bases:
        at = joined(", ", bases)
        told.append(Sentence("ratings are at {bases}", bases=at))
    return told


def _say_pulls(columns: TermColumns) -> list[Sentence]:
    """Say which terms a ridge pulls."""
    by: dict[float, list[str]] = {}
    for name, ridge in zip(columns.names, columns.ridge.tolist(), strict=True):
        if ridge:
            by.setdefault(ridge, []).append(name)
    said = "pulled toward 0 by a ridge of {ridge:g}: {names}"
    return [Sentence(said, ridge=ridge, names=", ".join(names)) for ridge, names in by.items()]


def _zero(name: str) -> str | None:
    """Return the covariate that makes a term nothing where it is 0; None if levels do."""
    numbers = [part for part in name.split("*") if "=" not in part]
    return HOME if HOME in numbers else numbers[0] if numbers else None
