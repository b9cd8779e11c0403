"""Checks of the graph: who can be compared, and what that hangs on."""

from __future__ import annotations

import numpy as np

from qrja.data import Offsets
from qrja.plurals import count
from qrja.ratings.trust.bridges import Cut, find_cuts
from qrja.ratings.trust.findings import Case, Check, Finding
from qrja.ratings.words import listed, percent, spoken
from qrja.speech import Numeral, Sentence, chained, joined

SHOWN = 3
"""Groups, links or contestants named in a sentence."""
LISTED = 50
"""Those listed in the details."""
MANY = 0.25
"""A share of contestants with a single result from which that is a warning."""


def check_groups(case: Case) -> Check:
    """Say who cannot be compared with whom."""
    label = case.ratings.solution.components
    sizes = np.bincount(label) if len(label) else np.zeros(0, dtype=np.int64)
    groups, alone = sizes[sizes > 1], int((sizes == 1).sum())
    if len(groups) == 1 and not alone:
        everybody = count(len(label), case.say.who)
        told = Sentence("All {everybody} compare.", everybody=everybody)
        yield Finding("groups", "good", 1, "", told)
        return
    said, short = [], []
    if len(groups) > 1:
        never = "{groups:,} groups never met", "{groups:,} groups were never compared"
        short.append(case.say.either(*never, groups=len(groups)))
        said.append(_apart(case, sizes))
    if alone:
        short.append(case.say.met_nobody(alone))
        said.append(Sentence("{alone} and cannot be rated", alone=short[-1]))
    if not said:
        return
    yield Finding(
        "groups",
        "warning",
        len(sizes),
        chained(short),
        Sentence("{said}.", said=joined("; ", said)),
        Sentence(
            "Compare ratings within a group only; {joins} across groups would join all; suggestions"
            " of what to compare next begin with them.",
            joins=count(len(sizes) - 1, case.say.word),
        ),
        {"sizes": sizes.tolist()[:LISTED], "alone": alone, "groups": len(groups)},
    )


def _apart(case: Case, sizes: Offsets) -> Sentence:
    """Say whose groups are the largest of those that cannot be compared."""
    groups = sizes[sizes > 1]
    leaders = [_leader(case, c) for c in np.flatnonzero(sizes > 1)[:SHOWN].tolist()]
    return case.say.either(
        "{groups:,} groups of contestants never met, not even through others; the largest are"
        " those of {leaders} with {sizes} contestants",
        "{groups:,} groups of {candidates} were never compared, not even through others; the"
        " largest are those of {leaders} with {sizes} {candidates}",
        groups=len(groups),
        leaders=listed(leaders),
        sizes=listed([Numeral(f"{size:,}") for size in groups[:SHOWN]]),
    )


def _leader(case: Case, group: int) -> str:
    """Name the contestant of a group with the most results."""
    members = np.flatnonzero(case.ratings.solution.components == group)
    return case.name(int(members[case.ratings.appearances[members].argmax()]))


def check_links(case: Case) -> Check:
    """Name the contests, and the contestants, that alone hold groups together."""
    cuts = find_cuts(case.ratings.problem)
    # A piece of one contestant is somebody with a single result: the next check counts those.
    bridges = [cut for cut in cuts.contests if cut.second > 1]
    if bridges:
        yield _bridges(case, bridges)
    brokers = [cut for cut in cuts.contestants if cut.second > 1]
    if brokers:
        yield _brokers(case, brokers)


def _bridges(case: Case, bridges: list[Cut]) -> Finding:
    worst, word = bridges[0], case.ratings.problem.noun
    many = count(len(bridges), case.say.word)
    short = Sentence("{many} alone {many:holds/hold} groups together", many=many)
    return Finding(
        "bridges",
        "warning",
        len(bridges),
        short,
        Sentence(
            "{short}: without {contest}, {pieces}.",
            short=short,
            contest=case.contest(worst.node),
            pieces=_pieces(case, worst),
        ),
        case.say.either(
            "One wrong result there shifts a whole group; add another contest between the groups.",
            "One wrong result there shifts a whole group; add {events} that compare both groups.",
        ),
        {
            "bridges": [
                {word: case.contest(cut.node), "pieces": list(cut.pieces)}
                for cut in bridges[:LISTED]
            ]
        },
    )


def _brokers(case: Case, brokers: list[Cut]) -> Finding:
    worst = brokers[0]
    many = count(len(brokers), case.say.who)
    short = Sentence("{many} alone {many:links/link} groups", many=many)
    return Finding(
        "links",
        "note",
        len(brokers),
        short,
        Sentence(
            "{short}: without {who}, {pieces}.",
            short=short,
            who=spoken(case.name(worst.node)),
            pieces=_pieces(case, worst),
        ),
        case.say.either(
            "Their bad days become everybody's; let others of the groups meet in a contest.",
            "An error in theirs moves whole groups; add {events} that compare others of the"
            " groups.",
        ),
        {
            "links": [
                {"contestant": case.name(cut.node), "pieces": list(cut.pieces)}
                for cut in brokers[:LISTED]
            ]
        },
    )


def _pieces(case: Case, cut: Cut) -> Sentence:
    """Say which groups a cut leaves."""
    return Sentence(
        "{smaller} and {few} could not be compared with {larger} and {many}",
        smaller=spoken(case.name(cut.examples[1])),
        few=count(cut.second - 1, "other"),
        larger=spoken(case.name(cut.examples[0])),
        many=count(cut.pieces[0] - 1, "other"),
    )


def check_few_results(case: Case) -> Check:
    """Count the contestants with a single result that says anything."""
    results = _useful_results(case)
    rated = results > 0
    once = np.flatnonzero(results == 1)
    if not rated.any():
        return
    if not len(once):
        least = int(results[rated].min())
        told = case.say.either(
            "Everybody has at least {least} results.",
            "All have at least {counted}.",
            least=least,
            counted=count(least, case.say.word),
        )
        yield Finding("few results", "good", 0, "", told)
        return
    share = len(once) / int(rated.sum())
    yield Finding(
        "few results",
        "warning" if share > MANY else "note",
        len(once),
        case.say.either(
            "{share} of the contestants have a single result",
            "{share} of the {candidates} have a single result",
            share=percent(share),
        ),
        _single(case, once, int(rated.sum())),
        Sentence("Read their ranks with caution, or ask for a second result."),
        {"share": share, "contestants": [case.name(i) for i in once[:LISTED].tolist()]},
    )


def _single(case: Case, once: Offsets, rated: int) -> Sentence:
    """Say who has a single result."""
    names = listed([case.name(i) for i in once[:SHOWN].tolist()])
    return case.say.either(
        "{once:,} of {rated:,} contestants ({share}) {once:has/have} a single result, {such}:"
        " one day decides their rating.",
        "{once:,} of {rated:,} {candidates} ({share}) {once:has/have} a single result, {such}: it"
        " decides their rating.",
        once=len(once),
        rated=rated,
        share=percent(len(once) / rated),
        such=names if len(once) <= SHOWN else Sentence("such as {names}", names=names),
    )


def _useful_results(case: Case) -> Offsets:
    """Count the contests of each contestant in which there was somebody to meet."""
    problem = case.ratings.problem
    useful = problem.sizes[problem.contest_of_entry] > 1
    return np.bincount(problem.who[useful], minlength=problem.n)
