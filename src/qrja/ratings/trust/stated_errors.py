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
from qrja.speech import Numeral, Sentence, joined

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
        Sentence(
            "stated errors are too small by a factor of {chi:.1f}", chi=float(misfit.reduced_chi)
        ),
        joined(
            " ",
            [
                _sentence(misfit, level),
                *([] if level == "good" else _where(parts)),
                *([_random(misfit)] if by_random else []),
            ],
        ),
        ""
        if level == "good" or by_random
        else Sentence(
            "Look at the worst circles and surprises first; then let what is left scale the errors"
            " (--errors scaled), or let true margins vary (--random-effects dl)."
        ),
        misfit.to_dict() | {"parts": [part.to_dict() for part in parts]},
    )


def _sentence(misfit: Misfit, level: Level) -> Sentence:
    numbers = Sentence(
        "Q is {q:.1f} on {df} degrees of freedom (p {chance}), reduced chi {chi:.2f}",
        q=float(misfit.q),
        df=misfit.df,
        chance=_chance(misfit.p),
        chi=float(misfit.reduced_chi),
    )
    if level == "good":
        said = "The stated errors account for what the ratings leave: {numbers}."
        return Sentence(said, numbers=numbers)
    return Sentence(
        "The stated errors do not account for what the ratings leave: {numbers}; {share} of the"
        " misfit is beyond them.",
        numbers=numbers,
        share=percent(misfit.i2),
    )


def _where(parts: tuple[MisfitPart, ...]) -> list[Sentence]:
    """Say where Q goes round."""
    said = [
        Sentence(
            "{q:.1f} ({df}) within {kind}" if part is parts[0] else "{q:.1f} ({df}) round {kind}",
            q=part.q,
            df=part.df,
            kind=Sentence(part.kind),
        )
        for part in parts
        if part.df
    ]
    return [Sentence("Of Q (degrees of freedom), {said}.", said=listed(said))] if said else []


def _random(misfit: Misfit) -> Sentence:
    tau2 = float(misfit.tau2)
    return Sentence("Random effects make up for it with tau^2 = {tau2:.4g}.", tau2=tau2)


def _chance(p: float) -> Numeral:
    return Numeral("< 0.001" if p < UNLIKELY else f"= {p:.3f}")
