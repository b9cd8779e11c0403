"""Sentences: an explanation in words, and as plain data."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from qrja.plurals import count
from qrja.ratings.explain.parts import Chain, Explained, Link, Turn
from qrja.ratings.words import Wording, percent, spoken
from qrja.speech import Numeral, Sentence, joined

TOLD = 5
"""Contributions told in words; ``contributions`` holds all."""
DISAGREE = 0.05
"""The chance of a gap between direct and indirect evidence from which the two disagree."""
SHOWN = 8
"""Links of a chain told one by one; of a longer one the first three and the last two."""


def tell(explanation: Explained) -> str:
    """Say in words why two ratings differ, most important first."""
    if explanation.difference is None:
        return explanation.reason
    say = Wording(explanation.units, explanation.nouns)
    lines = [_headline(explanation, say), *_contributions(explanation, say)]
    if explanation.chains:
        tight = explanation.method == "tight"
        title = Sentence("Why:" if tight else "The strongest chains:")
        lines += ["", title, *(joined("", ["  ", it]) for it in _chains(explanation, say))]
    ends = [_terms(explanation, say), _split(explanation, say), _turn(explanation, say)]
    return joined("\n", [*lines, *(line for end in ends if end for line in ("", end))])


_HOW = {
    "exact": "the parts below add up to it exactly",
    "linearised": "loss {loss}: parts by the weights that residuals have there",
    "tight": "by least absolute deviations",
    "none": "",
}
"""How an explanation was found."""


def _headline(explanation: Explained, say: Wording) -> Sentence:
    assert explanation.difference is not None
    told = say.difference(explanation.a, explanation.b, explanation.difference)
    how = [Sentence(_HOW[explanation.method], loss=str(explanation.loss))]
    low, high = explanation.low, explanation.high
    if low is not None and high is not None and say.units.show(low) != say.units.show(high):
        ends = {"low": Numeral(say.units.show(low)), "high": Numeral(say.units.show(high))}
        how.append(Sentence("any difference from {low} to {high} is as good", **ends))
    return Sentence("{told} ({how}).", told=told, how=joined("; ", how))


def _contributions(explanation: Explained, say: Wording) -> list[str]:
    every = explanation.contributions
    if not every and explanation.rest == 0:
        return []
    width = max((len(say.signed(one.amount)) for one in every[:TOLD]), default=0)
    through = "{called} ({share} of the evidence passes through it)"
    parts = [
        (one.amount, Sentence(through, called=say.called(one.label), share=percent(one.share)))
        for one in every[:TOLD]
    ]
    if len(every) > TOLD:
        rest = count(len(every) - TOLD, f"other {say.word}")
        left = float(every[TOLD:].amounts.sum())
        parts.append((left, Sentence("{rest} together", rest=rest)))
    if not say.is_nothing(explanation.rest):
        parts.append((explanation.rest, Sentence("the pull of a prior or anchors")))
    return [
        joined("", ["  ", Numeral(f"{say.signed(amount):>{width}}"), "  ", told])
        for amount, told in parts
    ]


def _chains(explanation: Explained, say: Wording) -> list[str]:
    """Say every chain; one that holds the difference from both sides only once."""
    chains = explanation.chains
    if explanation.method == "tight" and chains[0].links == chains[1].links:
        return [_chain(chains[0], say, "neither less nor more, because {links}")]
    return [_chain(chain, say) for chain in chains]


def _chain(chain: Chain, say: Wording, limit: str = "") -> Sentence:
    alike = chain.role != "evidence"
    said = [_link(link, say, alike) for link in chain.links]
    if len(said) > SHOWN:
        said[3:-2] = [Sentence("... {more} more ...", more=len(said) - 5)]
    links = joined("; ", said)
    if len(chain.links) > 1:
        total = say.signed(chain.total)
        links = Sentence("{links}, together {total}", links=links, total=total)
    if chain.role == "evidence":
        return joined(": ", [percent(chain.share), links])
    less, more = "not less, because {links}", "not more, because {links}"
    limit = limit or (less if chain.role == "at least" else more)
    return Sentence(limit, links=links)


def _link(link: Link, say: Wording, alike: bool) -> Sentence:
    """Say what two met with; where meetings count unequally, what they amount to as well."""
    said = say.meeting(link.a, link.b, link.mean, link.labels, alike=alike)
    if say.units.show(link.mean) == say.units.show(link.margin):
        return said
    margin = Sentence("({margin} by the evidence of each)", margin=say.signed(link.margin))
    return joined(" ", [said, margin])


def _terms(explanation: Explained, say: Wording) -> str:
    """Say what shared terms change, where there are some."""
    if not explanation.terms:
        return ""
    parts = [
        Sentence("{name} {amount}", name=name, amount=Numeral(say.signed(amount)))
        for name, amount in explanation.terms
    ]
    said = (
        "Results count without what covariates and parts add, which changes the difference:"
        " {parts}."
    )
    return Sentence(said, parts=joined(", ", parts))


def _split(explanation: Explained, say: Wording) -> str:
    """Say what the meetings of the two say against all else, where there is both."""
    split = explanation.split
    if split is None or split.gap is None or split.direct is None or split.indirect is None:
        return ""
    assert split.gap_se is not None
    assert split.p is not None
    verb = "disagree" if split.p < DISAGREE else "agree"
    chance = "p < 0.001" if split.p < 0.001 else f"p = {split.p:.3f}"
    return (
        f"Their own {say.meetings} say {say.signed(split.direct)},"
        f" all else {say.signed(split.indirect)}: they {verb},"
        f" {abs(split.gap) / split.gap_se:.1f} standard errors apart ({chance})."
    )


def _turn(explanation: Explained, say: Wording) -> str:
    turn, difference = explanation.turn, explanation.difference
    if turn is None or difference is None or (say.is_nothing(difference) and turn.weight > 0):
        return ""
    ahead, behind = map(spoken, (explanation.a, explanation.b)[:: 1 if difference > 0 else -1])
    if explanation.method == "tight":
        if turn.weight == 0:
            return Sentence("The order is not settled: some of the best ratings have them level.")
        return Sentence(
            "To turn the order, new judgments that {behind} is at least level with {ahead} would"
            " have to weigh more than {weight:.6g} together.",
            behind=behind,
            ahead=ahead,
            weight=float(turn.weight),
        )
    if say.by_ratio:
        return _ratio_turn(turn, say, behind, ahead)
    parts = {"behind": behind, "margin": say.amount(turn.margin), "weight": f"{turn.weight:.4g}"}
    if turn.times > 1:
        assert turn.largest is not None
        times = count(turn.times, say.word)
        several = _SEVERAL[0] if turn.weight == 1 else _SEVERAL[1]
        return Sentence(several, times=times, most=say.amount(turn.largest), **parts)
    plain, weighed = _ONE
    return say.either(*(plain if turn.weight == 1 else weighed), **parts)


_ONE = (
    (
        "They would be level after one more contest between the two alone that {behind} won by"
        " {margin}.",
        "They would be level after one more {event} for the two alone with {behind} better by"
        " {margin}.",
    ),
    (
        "They would be level after one more contest between the two alone of weight {weight} that"
        " {behind} won by {margin}.",
        "They would be level after one more {event} of weight {weight} for the two alone with"
        " {behind} better by {margin}.",
    ),
)
_SEVERAL = (
    "It would take {times} for the two alone, each with {behind} better by {most}, to make them"
    " level: a single one would need a larger margin than any so far.",
    "It would take {times} of weight {weight} for the two alone, each with {behind} better by"
    " {most}, to make them level: a single one would need a larger margin than any so far.",
)
"""What would make two level, of the usual weight 1 and of another."""


def _ratio_turn(turn: Turn, say: Wording, behind: str, ahead: str) -> str:
    """Say what would make two level whose ratings are ratios."""
    weighing = "" if turn.weight == 1 else f" of weight {turn.weight:.4g}"
    if turn.times == 1:
        return (
            f"They would be level after one more judgment{weighing} that one {behind}"
            f" is worth {say.amount(turn.margin)} {ahead}."
        )
    assert turn.largest is not None
    most = say.amount(turn.largest)
    return (
        f"No single judgment{weighing} would make them level, unless it were larger than all so far"
        f" (at most {most}); {turn.times:,} more, each that one {behind} is worth {most} {ahead},"
        " would."
    )


def as_dict(explanation: Explained) -> dict[str, Any]:
    """Give the numbers of an explanation as plain lists and dictionaries."""
    turn = explanation.turn
    return {
        "a": explanation.a,
        "b": explanation.b,
        "difference": explanation.difference,
        "low": explanation.low,
        "high": explanation.high,
        "units": explanation.units.kind,
        "loss": explanation.loss,
        "method": explanation.method,
        "reason": explanation.reason,
        "terms": dict(explanation.terms),
        "contributions": [
            {explanation.word: one.label, "amount": one.amount, "share": one.share}
            for one in explanation.contributions
        ],
        "rest": explanation.rest,
        "chains": [_chain_as_dict(chain, explanation.word) for chain in explanation.chains],
        "split": None if explanation.split is None else explanation.split.to_dict(),
        "turn": None if turn is None else {**asdict(turn), "times": turn.times},
    }


def _chain_as_dict(chain: Chain, word: str) -> dict[str, Any]:
    return {
        "role": chain.role,
        "share": chain.share,
        "total": chain.total,
        "links": [
            {
                "a": link.a,
                "b": link.b,
                "margin": link.margin,
                "mean": link.mean,
                f"{word}s": list(link.labels),
            }
            for link in chain.links
        ],
    }
