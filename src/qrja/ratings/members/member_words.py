"""Parts in words and for JSON: by how much members differ, and who cannot be told apart."""

from __future__ import annotations

from typing import Any

from qrja.parts import Together, find_together
from qrja.ratings.fitted import Fit
from qrja.ratings.members.member_lines import list_members
from qrja.speech import Numeral, Sentence, joined

SAID = "{part}: {name} adds most, {amount} ({low} to {high})"
NAMED = 3
"""Members that a sentence names."""


def say_members(fit: Fit) -> list[Sentence]:
    """Say by how much the members of each part differ, and which of them nothing tells apart."""
    found = fit.solution.parts
    if found is None:
        return []
    said = []
    for part, tau in zip(found.columns.parts, found.tau.tolist(), strict=True):
        if not tau:
            told = "{part}: nobody was seen to differ; ratings are those of all results"
            said.append(Sentence(told, part=str(part)))
            continue
        amount = Numeral(fit.units.show(tau).removeprefix("+"))
        told = "{part}: they differ by {amount}, as learned; ratings are without what they add"
        said.append(Sentence(told, part=str(part), amount=amount))
        best = list_members(fit, str(part))[str(part)][0]
        if best.low is not None and best.high is not None and best.is_sure:
            low, high = (Numeral(fit.units.show(end)) for end in (best.low, best.high))
            amount, told = Numeral(fit.units.show(best.rating)), SAID
            name = str(best.member)
            said.append(
                Sentence(told, part=str(part), name=name, amount=amount, low=low, high=high)
            )
    return [*said, *_say_together(fit, find_together(fit.data, found.columns))]


def _say_together(fit: Fit, together: Together) -> list[Sentence]:
    found = fit.solution.parts
    assert found is not None
    columns, said = found.columns, []
    for k, part in enumerate(columns.parts):
        alone = [j for j in together.of_contestants if columns.of_part[j] == k]
        if not alone or not found.tau[k]:
            continue
        told = (
            "{part}: {number:,} of {all:,} cannot be told from their contestants, who were with"
            " nobody else ({names})"
        )
        names = joined(", ", [str(columns.names[j]) for j in alone[:NAMED]])
        many = len(columns.members(k))
        said.append(Sentence(told, part=str(part), number=len(alone), all=many, names=names))
    alike = [same for same in together.same if all(found.tau[columns.of_part[j]] for j in same)]
    if alike:
        names = joined(", ", [str(columns.names[j]) for j in alike[0][:NAMED]])
        told = (
            "{number:,} groups were always together and share what they are worth, such as {names}"
        )
        said.append(Sentence(told, number=len(alike), names=names))
    return said


def describe_members(fit: Fit) -> list[dict[str, Any]] | None:
    """Give the same for JSON, with the board of each part."""
    found = fit.solution.parts
    if found is None:
        return None
    together = find_together(fit.data, found.columns)
    names = found.columns.names
    boards = list_members(fit)
    return [
        {
            "part": str(part),
            "tau": float(found.tau[k]),
            "noise": found.noise,
            "ridge": float(found.pull[k]) if found.tau[k] else None,
            "board": [line.to_dict() for line in boards[str(part)]],
            "always_together": [
                [str(names[j]) for j in same]
                for same in together.same
                if any(found.columns.of_part[j] == k for j in same)
            ],
        }
        for k, part in enumerate(found.columns.parts)
    ]
