"""Whether the standard errors that were stated account for what the ratings leave.

    Q = sum (residual / se)^2  against a chi-square with df degrees of freedom

see :mod:`qrja.ratings.precision`. A Q that chance would hardly give says that errors are larger
than stated, that studies differ, or that one number per contestant cannot describe the results.
"""

from __future__ import annotations

from qrja.ratings.consistency import MisfitPart, split_misfit
from qrja.ratings.precision import Misfit
from qrja.ratings.trust.findings import Case, Check, Finding, Level
from qrja.ratings.words import listed, percent

UNLIKELY, DOUBTFUL = 0.001, 0.05
"""Chances of so large a misfit from which that is a warning, or a note."""


def check_stated_errors(case: Case) -> Check:
    """Compare the misfit with the errors that were stated."""
    misfit = case.ratings.misfit
    if case.ratings.data.se is None or misfit.df <= 0:
        return
    level: Level = "warning" if misfit.p < UNLIKELY else "note" if misfit.p < DOUBTFUL else "good"
    by_random = case.ratings.model.random_effects is not None
    parts = split_misfit(case.ratings)
    yield Finding(
        "stated errors",
        "note" if level == "warning" and by_random else level,
        misfit.reduced_chi,
        f"stated errors are too small by a factor of {misfit.reduced_chi:.1f}",
        _sentence(misfit, level)
        + ("" if level == "good" else _where(parts))
        + (_random(misfit) if by_random else ""),
        ""
        if level == "good" or by_random
        else "Look at the worst circles and surprises first; then let what is left scale the errors"
        " (--errors scaled), or let true margins vary (--random-effects dl).",
        misfit.to_dict() | {"parts": [part.to_dict() for part in parts]},
    )


def _sentence(misfit: Misfit, level: Level) -> str:
    numbers = (
        f"Q is {misfit.q:.1f} on {misfit.df} degrees of freedom (p {_chance(misfit.p)}),"
        f" reduced chi {misfit.reduced_chi:.2f}"
    )
    if level == "good":
        return f"The stated errors account for what the ratings leave: {numbers}."
    return (
        f"The stated errors do not account for what the ratings leave: {numbers};"
        f" {percent(misfit.i2)} of the misfit is beyond them."
    )


def _where(parts: tuple[MisfitPart, ...]) -> str:
    """Say where Q goes round."""
    said = [
        f"{part.q:.1f} ({part.df}) {'within' if part is parts[0] else 'round'} {part.kind}"
        for part in parts
        if part.df
    ]
    return f" Of Q (degrees of freedom), {listed(said)}." if said else ""


def _random(misfit: Misfit) -> str:
    return f" Random effects make up for it with tau^2 = {misfit.tau2:.4g}."


def _chance(p: float) -> str:
    return "< 0.001" if p < UNLIKELY else f"= {p:.3f}"
